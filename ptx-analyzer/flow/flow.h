/*
 * Private to the analysis: where each value of a function may come from.
 *
 * A value is a set of roots (what a pointer was derived from), what its number depends on, and its distance from the
 * root where that is constant. Facts are per register, independent of the order of instructions; a function's facts
 * are in terms of its own parameters, so that they are computed once and instantiated at each call.
 * Why this is sound: docs/soundness.md.
 */
#ifndef ROMARK_PTX_FLOW_H
#define ROMARK_PTX_FLOW_H

#include "ptx-analyzer/language/module/ptx.h"
#include "ptx-analyzer/flow/intervals.h"
#include "ptx-analyzer/flow/sets.h"
#include "verdict/verdict.h"

#include "common/vec.h"

/* --- Roots --- */

enum root_kind {
	ROOT_INTEGER,     /* no pointer: constants, special registers, what arithmetic makes of them */
	ROOT_UNKNOWN,     /* any memory */
	ROOT_PARAM,       /* the pointer at byte `offset` of parameter `index` */
	ROOT_PARAM_ANY,   /* some pointer inside parameter `index` */
	ROOT_PARAM_SPACE, /* the address of parameter `index` itself */
	ROOT_VARIABLE,    /* the address of .global or .const variable `index` (symbol) */
	ROOT_LOCAL,     /* the address of .local, .shared or .param variable `index` (symbol; beyond them: an alloca) */
	ROOT_RETURN,    /* the address of return value `index` */
	ROOT_FUNCTION,  /* the address of function `index` */
	ROOT_DEREF,     /* what memory of root `index` holds at `offset` (or somewhere) when the function starts */
	ROOT_HEAP,      /* device-side malloc in this kernel */
	ROOT_WORKSPACE, /* where the driver counts arrivals at the grid's barrier: %envreg1 and %envreg2 are its address
			 */
};

/*
 * An element of a set encodes a root, what became of the pointer's bits, and whether the root is memory of the thread
 * or CTA, whose addresses fit into 32 bits.
 */
enum {
	ELEM_WHOLE,   /* an address: the pointer, or the pointer with something added */
	ELEM_PIECE,   /* some of its bits, as a narrow number: an address again only once it is put together */
	ELEM_SCALED,  /* multiplied: an address again only once it is shifted right */
	ELEM_SHIFTED, /* shifted right: an address again only once it is multiplied */
	ELEM_STATE = 3,
	ELEM_LOCAL = 4,
};
#define ELEM(root, flags) ((uint32_t)(root) << 3 | (flags))
#define ELEM_ROOT(elem) ((elem) >> 3)
#define ELEM_INTEGER ELEM(ROOT_ID_INTEGER, 0)
#define ELEM_UNKNOWN ELEM(ROOT_ID_UNKNOWN, 0)
enum { ROOT_ID_INTEGER, ROOT_ID_UNKNOWN }; /* the first two roots of every function */

#define OFFSET_ANY INT64_MIN
#define SPAN_OPEN INT32_MAX

/* The dependences of a number: enum dependence. The bits above are a device function's own parameters. */
enum {
	DEP_TID = DEPENDS_TID_X, /* .y and .z are the next bits */
	DEP_CTAID = DEPENDS_CTAID_X,
	DEP_MEMORY = DEPENDS_MEMORY,
	DEP_PARAM_BIT = 7,
	DEP_PARAM_LAST = 63, /* shared by all parameters beyond */
};
#define DEP_TID_ALL ((unsigned)DEPENDS_TID)
#define DEP_CTAID_ALL ((unsigned)DEPENDS_CTAID)
_Static_assert(1 << DEP_PARAM_BIT > DEPENDS_LAST, "parameters stand behind what a number can depend on");

struct value {
	set_id set;    /* SET_EMPTY = nothing has reached it yet */
	set_id beside; /* roots whose bits are in an offset that was added, or in a number made of their bits */
	uint64_t deps;
	int64_t offset; /* bytes from each root of `set`, or the integer itself; OFFSET_ANY = not constant */
	int64_t bias;   /* the constant term of an offset that is not constant; only launch checks use it */
	/*
	 * Bounds of an offset that is not constant (range.c): it lies from `low` to `low + span`, or anywhere from
	 * `low` on if the span is SPAN_OPEN. With `number` they bound the value as a number, whatever it was computed
	 * from. A span of 0 means no bounds.
	 */
	int32_t low;
	uint32_t span : 31, number : 1;
	/*
	 * As a number the value is at most 2^wide times as large as the numbers from memory and parameters that it is
	 * made of, pointers counted as 0. WIDE_ANY: any number. See width.c.
	 */
	uint8_t wide;
	/*
	 * If above 1, an offset that is not constant is `rest` plus a multiple of `step` (multiples.c). With `counts`
	 * that is so of the value as a number, whatever it was computed from. `small`: a number of 32 bits, in 64.
	 */
	uint16_t step, rest;
	bool counts, small;
	/*
	 * Of an address at an offset that is not constant: 1 + the variable in flow.objects that it stays in, or 0.
	 * With `edge` it may also stay in the one before, which ends where this one begins.
	 */
	uint8_t object;
	bool edge;
};
enum { WIDE_ANY = 9 };

struct root {
	uint8_t kind, depth; /* depth: of DEREF chains */
	bool definite;       /* certainly a pointer: what is added to it is an offset */
	bool escaped;        /* LOCAL: others may write it */
	bool assumed;        /* PARAM: definite if the launch finds it in an allocation */
	bool first, second;  /* PARAM of a kernel: as it is, an operand of sums of which either may be the base */
	bool stored;         /* the function, or one that it calls, stores to this root's memory */
	uint32_t index;
	int64_t offset;
	uint32_t deref_any; /* the DEREF at OFFSET_ANY of this root, or PTX_NONE */
	uint32_t nslots;
	int64_t drift_low, drift_high; /* least and largest bias that values of this root have lost */
	struct value any, all;         /* stored at offsets that are not known; stored at any offset */
};

/* Memory contents at a known place: GRAIN bytes at `index` * GRAIN of a root. */
struct slot {
	uint32_t root;
	int64_t index;
	struct value value;
};
enum { GRAIN = 4 };

/* --- Facts of one function --- */

enum {
	ACCESS_LOAD = 1,
	ACCESS_STORE = 2,
	ACCESS_ATOMIC = 4,
	ACCESS_CALL = 8, /* an unknown function that may do anything */
	ACCESS_CONST = 16,
	ACCESS_DEPENDENCY = 64, /* writes of another kernel that runs at the same time */
	ACCESS_HIDDEN = 32,     /* through a tensor map or multicast address, whose memory is not known */
};

struct flow_access {
	uint32_t inst;
	uint8_t flags, space;
	set_id set;    /* roots that the address may have; empty only for an address that is certainly null */
	set_id beside; /* roots of other bits in the address; if such a root is a pointer, the address may lead
			  elsewhere */
	uint64_t deps;
	int64_t bias; /* bytes from each root, or the constant term of that distance */
	uint8_t wide; /* of that distance */
	/* The distance is `at`, or with a step `at` plus a multiple of it; step 1: not known. */
	uint16_t step;
	int64_t at;
};

/* A root of a callee whose value differs from call to call, and its value at this call. */
struct flow_binding {
	uint32_t root;
	set_id set, beside;
};

/*
 * One call instruction; `callees` are functions with a body. The members for the kernels' analysis are filled in at the
 * end.
 */
struct flow_call {
	uint32_t inst;
	const uint32_t *callees;
	uint32_t ncallees;
	bool unknown;                   /* may also reach code that is not in the module */
	bool heap;                      /* returns fresh memory */
	bool frees;                     /* gives back the memory that its argument points to */
	struct flow_binding **bindings; /* per callee */
	uint32_t *nbindings;
	const uint64_t *deps; /* what DEP_PARAM_BIT and the following `ndeps` - 1 bits mean here */
	uint32_t ndeps;
};

struct flow {
	struct flow_module *owner;
	const struct ptx_function *function;
	uint32_t index; /* in module->functions */
	VEC(struct root) roots;
	uint32_t *root_index;
	uint32_t root_cap;
	VEC(struct slot) slots;
	uint32_t *slot_index;
	uint32_t slot_cap;
	VEC(struct flow_access) accesses;
	VEC(struct flow_call) calls;
	/*
	 * Sets of roots: both sides of a difference, or values joined bit by bit. If a root of a set is a pointer, all
	 * are.
	 */
	VEC(set_id) kin;
	frame_object_list objects; /* variables of the source in its frame, as far as the compiler tells */
	const bool *dead;          /* instructions that no thread executes; NULL = none */
	struct value *regs;        /* only while the function's group is analysed */
	struct interval *known;    /* the same, per register: what is known of its number; NULL = nothing */
	struct value published;    /* stored where others may read it */
	struct value unplaced;     /* stored to shared or local memory at an address that is not known */
	struct value carry;        /* what the condition code register may hold */
	uint64_t reads;            /* special registers read, as DEP_ bits */
	set_id guard;              /* bits of the predicate of the instruction that is being evaluated */
	uint8_t wide;              /* of what the instruction that is being evaluated defines, or WIDE_KEPT */
	uint32_t group;            /* functions that call each other have the same number */
	bool changed, grown;       /* in this pass over the instructions; since the group's last round */
	bool ambiguous;            /* some sum has several possible bases */
	bool taken;                /* its address is used as a value */
	bool asks;                 /* has an instruction that tests whether an address is global */
	bool recursive;            /* calls itself */
};

/* A function whose address is used. */
struct taken {
	uint64_t signature; /* hash of the numbers and sizes of parameters and return values */
	uint32_t function;
};

struct flow_module {
	struct ptx_module *module;
	struct set_table *sets;
	struct arena arena;
	struct flow *flows; /* by function index; of those that the module had when it was analysed */
	uint32_t nflows;
	uint32_t *order; /* functions with a body, callees before callers; groups of recursion adjacent */
	uint32_t norder, ngroups;
	VEC(struct taken) taken; /* functions whose address is used, by signature */
	bool takes_any_size;     /* one of them has a parameter without a size, which takes arguments of any size */
	VEC(struct value) scratch;
	set_id integer, unknown;
	bool may_assume;         /* a launch, or nobody, checks which parameters are pointers */
	uint32_t dynamic_shared; /* the symbol of all .extern .shared variables, which share one address */
};

/*
 * Analyses every function of `m`. With `may_assume` a kernel's parameters may be taken for pointers that a launch has
 * to know. The module must stay; release with flow_module_free.
 */
struct flow_module *flow_analyze(struct ptx_module *m, bool may_assume);
void flow_module_free(struct flow_module *fm);

/* --- Values (value.c) --- */

static inline struct value value_integer(const struct flow_module *fm, int64_t number)
{
	return (struct value){.set = fm->integer, .offset = number};
}
struct value value_unknown(const struct flow_module *fm);
struct value value_root(struct flow *fl, uint32_t root);
/* The offset, or its constant term if it is not constant. */
static inline int64_t value_bias(struct value v)
{
	return v.offset == OFFSET_ANY ? v.bias : v.offset;
}
/* Without bounds. */
static inline struct value range_none(struct value v)
{
	v.low = 0;
	v.span = v.number = 0;
	return v;
}
/* Not known to be a multiple of anything. */
static inline struct value steps_none(struct value v)
{
	v.step = v.rest = 0;
	v.counts = v.small = false;
	return v;
}
/* Not known to stay in a variable of the source. */
static inline struct value object_none(struct value v)
{
	v.object = 0;
	v.edge = false;
	return v;
}
/* The same value at an offset that is not known. */
static inline struct value value_unplaced(struct value v)
{
	v.bias = value_bias(v);
	v.offset = OFFSET_ANY;
	return object_none(steps_none(range_none(v)));
}
/* The bias of `v` is lost: from now on each of its roots includes what it leads to at that distance. */
void flow_note_drift(struct flow *fl, struct value v);
/* --- How large numbers get (width.c) --- */

/* The results have the `wide` of what is loaded or returned. */
enum { WIDE_KEPT = UINT8_MAX };
/* The `wide` of an instruction's results. */
uint8_t width_of_result(struct flow *fl, const struct ptx_inst *inst);
/* `wide` of a callee's value whose numbers have this `wide` in the caller. */
static inline uint8_t width_at_call(uint8_t callee, uint8_t caller)
{
	return callee + caller < WIDE_ANY ? callee + caller : WIDE_ANY;
}

/* --- Offsets between bounds (range.c) --- */

/* `v` as a number from 0 to `last`. */
struct value range_number(struct value v, int64_t last);
/* `v` as written to a register of `bits` bits, whose number is in this interval. */
struct value range_known(const struct flow *fl, struct value v, struct interval known, unsigned bits);
/* `sum` of `a` and `b`, with the bounds that follow from theirs: 0 to 3 and 4 to 6 give 4 to 9. */
struct value range_sum(const struct flow *fl, struct value a, struct value b, struct value sum);
/* `product` of `v` and `factor`, with the bounds that follow. */
struct value range_product(const struct flow *fl, struct value v, int64_t factor, struct value product);
/*
 * The value after a conversion from `from` to `to` bits. If these may cut off a part of it, its offset is not known any
 * more.
 */
struct value range_convert(struct value v, unsigned from, unsigned to);
/* `joined` may be `a` or `b`, and its offset is not constant. Gives it bounds that hold for both. */
struct value range_join(const struct flow *fl, struct value a, struct value b, struct value joined);

/* --- Multiples of a step (multiples.c) --- */

/* `sum` of `a` and `b`, with the step that follows from theirs. */
struct value steps_sum(const struct flow *fl, struct value a, struct value b, struct value sum);
/* `v` at `distance` bytes from where it was. */
struct value steps_moved(struct value v, int64_t distance);
/* `product` of `v` and `factor`. `exact`: it has enough bits for any product. */
struct value steps_product(const struct flow *fl, struct value v, int64_t factor, bool exact, struct value product);
/* The value after a conversion from `from` to `to` bits. */
struct value steps_convert(struct value v, unsigned from, unsigned to);
/* `joined` may be `a` or `b`. */
struct value steps_join(const struct flow *fl, struct value a, struct value b, struct value joined);

/* --- Variables of the source in a frame (frame_values.c) --- */

/* `sum` of `a` and `b`, in the variable that the one is an address in. */
struct value object_sum(const struct flow *fl, struct value a, struct value b, struct value sum);
/* `joined` may be `a` or `b`. */
struct value object_join(const struct flow *fl, struct value a, struct value b, struct value joined);
/* The bytes of `root` that an access at `address` + `offset` stays in, as far as the address tells; else false. */
bool object_extent(const struct flow *fl, uint32_t root, struct value address, int64_t offset, int64_t *low,
		   int64_t *high);

/* Adds `v` to `into`; true if that changed it. */
bool value_join(struct flow *fl, struct value *into, struct value v);
/* The same for a value under construction; it does not count as a change for the fixpoint. */
void value_gather(struct flow *fl, struct value *into, struct value v);
/* The same roots after an operation on the pointer's bits. */
enum elem_change {
	CHANGE_NARROW,   /* to fewer than 64 bits */
	CHANGE_ASSEMBLE, /* parts put together, or moved to the upper half */
	CHANGE_MULTIPLY, /* by a constant above 1 */
	CHANGE_SHIFT,    /* right, or divided */
	CHANGE_SPILL,    /* stored with 64 bits: tells a part that was widened from a part that was stored narrow */
	CHANGE_RELOAD,   /* loaded with 64 bits: parts that narrow stores left side by side become a whole */
	CHANGE_COUNT
};
set_id set_change(struct set_table *t, set_id s, enum elem_change change);
/*
 * A whole again, by CHANGE_ASSEMBLE or CHANGE_RELOAD. Halves of two pointers make an address of any memory. Halves from
 * memory do so too, since they may have been apart there. Halves of a struct parameter do so by CHANGE_ASSEMBLE only:
 * nvcc copies such structs in pieces to local memory, and loads pointers from the copy.
 */
set_id flow_assemble(const struct flow *fl, set_id s, enum elem_change change);
/*
 * `s` after bits of its values were changed by more than adding. A launch looks up words of memory unchanged, but a
 * changed word may be another address: so the result is unknown as well. `params`: the same for parameters.
 */
set_id flow_recode(const struct flow *fl, set_id s, bool params);
/* The elements of `s` without plain integers. */
set_id set_roots(const struct flow_module *fm, set_id s);
/* The same as bits in a number. */
set_id set_bits(const struct flow_module *fm, set_id s);

/* All roots with bits in `v`, of whatever kind, as bits in a number. */
set_id value_bits(const struct flow_module *fm, struct value v);
/* The roots in `v` beside the whole pointers that it may be: parts of others, multiples, what was added. */
set_id value_beside(const struct flow_module *fm, struct value v);

/* The index of the root, which is made if it is new. */
uint32_t flow_root(struct flow *fl, enum root_kind kind, uint32_t index, int64_t offset);
/*
 * The contents of `root`'s memory at `offset` when the function starts: a DEREF, or UNKNOWN beyond the depth that is
 * followed.
 */
uint32_t flow_deref(struct flow *fl, uint32_t root, int64_t offset);
bool root_is_local(const struct root *root);
/* Shared, local or parameter memory by name of the space: its address 0 is memory like any other. */
bool is_windowed(enum ptx_space space);
/* True if the root means the same at every call of the function. */
bool root_is_fixed(const struct root *root);
/*
 * The roots that an access in `space` through `address` may reach: whole pointers, or { UNKNOWN } if there are no such
 * roots. SET_EMPTY only for the constant null and for a value that nothing has reached.
 */
set_id flow_targets(struct flow *fl, struct value address, enum ptx_space space);

/* Notes that all roots of `s` are pointers if one of them is. */
void flow_note_kin(struct flow *fl, set_id s);

/* --- Memory (flow_memory.c) --- */

/* The value of a load of `size` bytes at `address` + `offset`. */
struct value flow_load(struct flow *fl, struct value address, int64_t offset, unsigned size, enum ptx_space space);
void flow_store(struct flow *fl, struct value address, int64_t offset, unsigned size, struct value v,
		enum ptx_space space);
/* Something is stored to memory of these roots. */
void flow_note_stored(struct flow *fl, set_id targets);
/* Makes `v` visible to code outside this function. */
void flow_publish(struct flow *fl, struct value v);
/* Publishes the addresses in published memory, until nothing is added. */
void flow_close_escapes(struct flow *fl);

/* The alignment of the local or shared variable that root `root` is the address of; 0 = not known. */
int64_t flow_local_align(const struct flow *fl, uint32_t root);

/* --- Instructions (flow_operands.c, flow_arithmetic.c, origins.c, flow_fixpoint.c) --- */

struct value flow_operand(struct flow *fl, const struct ptx_operand *operand);
void flow_define(struct flow *fl, const struct ptx_operand *operand, struct value v);
bool flow_is_float(const struct ptx_inst *inst, unsigned type);
unsigned flow_type_bits(const struct ptx_inst *inst);
/* True for several integers in a register; no carry goes from one to the next. */
static inline bool flow_is_packed(enum ptx_type type)
{
	return type == PTX_u16x2 || type == PTX_s16x2 || type == PTX_u8x4 || type == PTX_s8x4;
}

struct value flow_add(struct flow *fl, struct value a, struct value b);
/* add, sub, mul, mad, div, and, shifts and the like; false, and nothing done, for their float forms. */
bool flow_integer(struct flow *fl, const struct ptx_inst *inst);

void flow_record(struct flow *fl, uint32_t inst, unsigned flags, enum ptx_space space, struct value address);
/* Evaluates one instruction. `*ncalls` counts the calls before it, and is advanced when the instruction is a call. */
void flow_step(struct flow *fl, const struct ptx_inst *inst, uint32_t *ncalls);
/* Runs the function's instructions over its facts until nothing changes. */
void flow_function(struct flow *fl);

/* True if the function tests anywhere whether an address is global. (asked.c) */
bool flow_find_questions(const struct ptx_function *f);
/* True if the generic load `inst` runs only if its address is global. (asked.c) */
bool flow_is_asked_global(struct flow *fl, const struct ptx_inst *inst);

/* --- What is executed (executed.c) --- */

/* The instructions that no thread executes, in the module's arena; NULL if all may run. */
bool *flow_find_dead(struct flow_module *fm, uint32_t function);

/* --- Calls (flow_calls.c, callgraph.c) --- */

/* The parts of a call instruction: `args` and `returns` are elements of its lists. */
struct call_parts {
	const struct ptx_operand *callee;
	const struct ptx_operand *args, *returns; /* elements */
	unsigned nargs, nreturns;
};
struct call_parts call_parts(const struct ptx_inst *inst);

void flow_call(struct flow *fl, struct flow_call *call);
/* A frame_keeps of `flow`, the caller's struct flow, whose callees have been analysed. */
bool flow_call_keeps(void *flow, uint32_t inst, unsigned argument);
/* Fills flow_call.callees of every call, and fm->order. */
void flow_build_calls(struct flow_module *fm);
/* Keeps the values of the callees' roots at each call of `fl` for the kernels' analysis. */
void flow_keep_bindings(struct flow *fl);

#endif
