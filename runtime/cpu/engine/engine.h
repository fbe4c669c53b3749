/*
 * The CPU device inside: programs decoded from PTX, and the warps that run them.
 *
 * A program is a kernel with every function that it may call, decoded once into arrays of `struct inst`. A warp is 32
 * lanes wide everywhere: a register of up to 32 bits is 32 consecutive uint32_t (bits above a narrower type are not
 * defined), a 64-bit register 32 uint64_t, a 128-bit one 32 pairs of those, a predicate one word with a bit per lane.
 * Operands are references: the two top bits choose one of the warp's four bases, the others are a byte offset from it.
 *
 * Running is  `while (!in->exec(warp, in, mask)) in++`. Decoding finds the function of each instruction in the tables
 * of the exec_*.c files. decode/engine_ops.def has a row for each opcode.
 *
 *   decode/   PTX functions -> code        exec/     what instructions do, a warp at a time
 *   run/      modules, launches, CTAs, divergence
 *   observe/  what traces and checks see   images/   textures and surfaces
 *
 * All of them include this folder, and it includes none of them. So this header declares functions of a higher folder
 * that a lower one calls: exec/ and images/ report faults, which run/ keeps, and exec/ parts lanes, which split.c does.
 */
#ifndef ROMARK_CPU_ENGINE_H
#define ROMARK_CPU_ENGINE_H

#include "common/arena.h"
#include "common/diag.h"
#include "common/vec.h"
#include "ptx-analyzer/readonly/analysis.h"
#include "ptx-analyzer/language/module/ptx.h"
#include "runtime/cpu/engine/device_memory.h"
#include "runtime/cpu/engine/grid_launches.h"
#include "runtime/device/device.h"
#include "runtime/device/limits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 32, MAX_BARRIERS = 16, MAX_WARPS = MAX_CTA_THREADS / LANES };
#define ALL_LANES UINT32_MAX

/*
 * Generic addresses. Device memory, with global and constant variables, has the host's addresses (device_memory.h). The
 * other spaces are windows that no host mapping uses. Functions have addresses that can be called but not read.
 *
 * Where an instruction takes an address inside a space, a generic address is an error, even if only its lower half is
 * used (ADDRESS_LOW32): the lower half of each window's addresses is larger than the space.
 */
#define SHARED_WINDOW UINT64_C(0x0001000040000000)
#define LOCAL_WINDOW UINT64_C(0x0002000040000000)
#define PARAM_WINDOW UINT64_C(0x0003000040000000)
#define FUNCTION_WINDOW UINT64_C(0x0004000000000000)
#define WINDOW_BYTES UINT64_C(0x0000000100000000)

enum { MAX_SHARED_BYTES = 232448, MAX_LOCAL_BYTES = 512 << 10, USUAL_STACK_BYTES = 64 << 10 };

struct warp;
struct inst;
struct block;
struct code;
struct program;
struct cta;
struct launch;
struct observer;
struct spin;
struct race_pair;
struct constant;

/* --- Decoded code --- */

/* The next step of the run loop after an instruction. */
enum stop {
	STOP_NOT,    /* goes on with the next instruction */
	STOP_JUMP,   /* goes on with block warp->next */
	STOP_SWITCH, /* the current split has ended or waits: another one of the warp runs */
	STOP_LOOK,   /* goes on with block warp->next, and a look at the warp has begun or ended, see run/spin.c */
	STOP_FAULT,  /* the launch ends; see launch->fault */
};

/* Runs one instruction for the lanes of `mask`, all of them active. Returns enum stop. */
typedef int (*exec_fn)(struct warp *w, const struct inst *in, uint32_t mask);

enum operand_base { BASE_FRAME, BASE_POOL, BASE_WARP, BASE_CTA, BASE_COUNT };
#define OPERAND_SHIFT 30
#define OPERAND(base, offset) ((uint32_t)(base) << OPERAND_SHIFT | (uint32_t)(offset))
#define OPERAND_NONE UINT32_MAX

/* How a memory operand's address is computed; all kinds add `imm`. */
enum address_kind {
	ADDRESS_CONSTANT, /* imm alone */
	ADDRESS_REG64,
	ADDRESS_REG32,
	ADDRESS_LOW32, /* of a 64-bit register the lower half, since the addresses of the space have 32 bits */
	ADDRESS_FRAME, /* offset in the frame's part of local memory */
};

enum inst_flag {
	INST_REAL = 1,        /* an instruction of the PTX text; clear for those that decoding adds */
	INST_OBSERVED = 2,    /* exec is a wrapper that must run even for no lane where there is a trace */
	INST_MARKED = 4,      /* a load with the read-only mark */
	INST_NEGATE = 8,      /* predicate operand `c` (of vote: `a`) is complemented */
	INST_PREDICATED = 16, /* control instruction under predicate `e` */
	INST_PREDICATE_NOT = 32,
	INST_CHECKED = 64,    /* check_marks() looks at it */
	INST_RACES = 128,     /* note_races() looks at it */
	INST_REGIONS = 256,   /* check_regions() and check_ranges() look at it */
	INST_APART = 512,     /* note_apart() looks at it */
	INST_MARKABLE = 1024, /* a load of a kind that can carry the mark */
	INST_INIT = 2048,     /* check_init() looks at it */
	INST_SYNC = 4096,     /* check_sync() looks at it */
	INST_COPYING = 8192,  /* a load whose values are only stored again */
};

struct inst {
	exec_fn exec;
	uint32_t predicate;      /* byte offset of the predicate in the frame; the one at 0 is always true */
	uint32_t predicate_flip; /* ALL_LANES for @!p */
	uint32_t d, a, b, c, e;  /* operands: destination first */
	uint8_t bytes, vec;      /* memory: size of an element, number of elements */
	uint8_t space;           /* enum ptx_space of a memory instruction */
	uint8_t address;         /* enum address_kind of operand `a` */
	uint16_t flags;
	uint16_t variant; /* choices that the exec function makes at run time; each describes its own */
	int64_t imm;
	const uint32_t *list; /* elements of a vector operand, labels, ... */
	const struct control *control;
	const struct matrix_op *matrix;
	exec_fn plain; /* INST_OBSERVED: what the wrapper runs */
	const struct ptx_inst *ptx;
	uint32_t trace; /* row in the program's instruction table */
};

/* Straight-line code; its last instruction jumps, switches or falls into the next block. */
struct block {
	const struct inst *first;
	/* immediate post-dominator: where lanes that part at the end meet; NULL = function end */
	const struct block *join;
	const struct code *code;
	uint32_t count; /* instructions of the PTX text */
	uint32_t rows;  /* of the program's instruction table: texture fetches have several */
	uint32_t trace; /* row in the program's block table */
};

/*
 * A parameter or variable in a frame's local memory, for st.param, ld.param and call. A parameter or result may be a
 * register instead: then it is at `offset` in the frame's registers, and `lane_bytes` is the distance from lane to
 * lane. A vector is `parts` consecutive registers.
 */
struct local_variable {
	uint32_t symbol, offset, bytes;
	uint8_t lane_bytes, parts;
};
enum { LANE_IS_BIT = 1 }; /* lane_bytes of a predicate, whose `bytes` are 0 */

struct code {
	const struct ptx_function *function;
	struct program *program;
	struct block *blocks;
	struct inst *insts;
	uint32_t nblocks, ninsts;
	uint8_t *pool;                    /* broadcast constants, 64-byte aligned */
	const struct constant *constants; /* what they are, for those who print them */
	uint32_t nconstants;
	uint32_t frame_bytes; /* the predicates and the other registers */
	uint32_t local_bytes; /* local variables and parameters, per lane */
	struct local_variable *locals;
	uint32_t nlocals;
	uint32_t *register_offset;               /* per PTX register, in the frame */
	struct call_frame *frames, *free_frames; /* all there are, by `next`; those not in use, by `caller` */
	uint32_t first_trace_inst, first_trace_block, first_trace_register;
};

/*
 * Bytes that a call copies from the caller's part of local memory to the callee's, or back. If a side is a register,
 * its `..._lane` is the bytes from lane to lane; then `from` is an operand, and `to` an offset in the other frame's
 * registers. With several parts, both sides are consecutive registers.
 */
struct call_copy {
	uint32_t from, to, bytes;
	uint8_t from_lane, to_lane, parts;
};

/* The callee's side: a parameter, which is written, or a result, which is read. */
static inline void call_copy_formal(struct call_copy *copy, const struct local_variable *v, bool is_parameter)
{
	if (is_parameter) {
		copy->to = v->offset;
		copy->to_lane = v->lane_bytes;
	} else {
		copy->from = v->offset;
		copy->from_lane = v->lane_bytes;
	}
}

/*
 * True if the caller's side, which `copy` holds, and the callee's are of the same kind. A result that the caller
 * ignores always fits.
 */
static inline bool call_copy_fits(const struct call_copy *copy, const struct local_variable *v, bool is_parameter)
{
	uint8_t lane = is_parameter ? copy->from_lane : copy->to_lane;

	if (!is_parameter && !lane && !copy->bytes)
		return true;
	return copy->parts == v->parts && (lane == LANE_IS_BIT) == (v->lane_bytes == LANE_IS_BIT);
}

struct call_site {
	struct code *callee; /* NULL: indirect, operand `a` */
	uint32_t nparams, nreturns;
	struct call_copy *params, *returns; /* indirect: the call fills in the callee's side */
	const struct block *back;
};

/*
 * The targets of an instruction that ends a block. Control instructions test their predicate themselves
 * (INST_PREDICATED, predicate `e`), since they enter a next block in any case.
 */
struct control {
	const struct block *taken; /* bra */
	const struct block *rest;  /* the block that follows in the text */
	const struct block *self;  /* the block that this instruction ends */
	const struct block *join;  /* where the lanes meet again; NULL = end of the function */
	const struct call_site *site;
	const struct block **table; /* brx.idx */
	uint32_t table_count;
};

/* A kernel and all it may call. */
struct program {
	struct arena arena;
	struct device_module *module;
	const struct ptx_function *kernel;
	struct code *codes; /* codes[0] is the kernel */
	uint32_t ncodes;
	uint32_t *shared_offset; /* per symbol of the module: offset in shared memory, or PTX_NONE */
	uint32_t static_shared;  /* dynamic shared memory starts here, rounded up to dynamic_align */
	uint32_t dynamic_align;
	uint32_t local_bytes;                 /* per lane: the deepest chain of calls, counting a recursive call once */
	bool recursive;                       /* calls have no bound: behind local_bytes there is a stack */
	uint32_t registers;                   /* estimate of 32-bit registers per thread */
	uint32_t ninsts, nblocks, nregisters; /* of the trace's tables */
	uint32_t trace_kernel;                /* id in the trace, or PTX_NONE */
	bool observed;
	bool marked;             /* observed, and some load of it is marked */
	bool asks;               /* reads memory that others may write meanwhile, as loops do that wait for them */
	struct race_pair *races; /* what was reported, see pair_is_new() */
	uint32_t nraces;
	uint32_t nbackward; /* if it asks: branches backward, which have numbers in struct launch's patience */
};

/* --- Running --- */

/* Registers and local memory of one call of one function by some lanes of a warp. */
struct call_frame {
	struct call_frame *caller, *next;
	struct code *code;
	const struct call_site *site;
	struct join *join;      /* where its lanes meet after their `ret` */
	uint32_t local_base;    /* start of its variables in each lane's local memory */
	uint32_t local_dynamic; /* bytes taken by alloca behind them */
	uint8_t *regs;
};

/* A point where lanes that parted meet again. A join whose `at` is NULL is the end of its frame's function. */
struct join {
	struct join *outer;
	const struct block *at;
	struct call_frame *frame;
	uint32_t expected, arrived;
};

enum split_state { SPLIT_READY, SPLIT_AT_BARRIER, SPLIT_AT_WARP_SYNC, SPLIT_SPINNING };

/* Lanes of a warp that run together. */
struct split {
	const struct block *at;
	struct call_frame *frame;
	struct join *join;
	uint32_t mask;
	uint8_t state, barrier;
	uint32_t members;        /* AT_WARP_SYNC: lanes waited for */
	const struct inst *inst; /* where it waits */
};

/* Special registers that differ between warps, and those that differ between CTAs: rows of `special` in struct warp and
 * struct cta. */
enum warp_special { WARP_TID_X, WARP_TID_Y, WARP_TID_Z, WARP_INDEX, WARP_SPECIALS };
/* clang-format off */
enum cta_special {
	CTA_X, CTA_Y, CTA_Z, CTA_NTID_X, CTA_NTID_Y, CTA_NTID_Z, CTA_NCTAID_X, CTA_NCTAID_Y, CTA_NCTAID_Z, CTA_NWARPS,
	CTA_DYNAMIC_SHARED, CTA_TOTAL_SHARED, CTA_ENVREG1, CTA_ENVREG2, CTA_SPECIALS
};
/* clang-format on */

struct pending_copy {
	uint8_t *to;
	uint8_t bytes, data[16];
};

struct warp {
	const uint8_t *base[BASE_COUNT];
	uint32_t active;
	uint32_t live;                  /* lanes that have not exited */
	const struct block *next;       /* set by jumps */
	const struct block *reconverge; /* where the current split ends: join->at */
	struct call_frame *frame;
	struct join *join;
	int64_t budget; /* instructions left of the turn */
	int64_t slice;  /* those left, when the turn began, until another split of the warp gets its turn */
	uint32_t carry; /* condition code, a bit per lane */
	uint32_t index; /* in the CTA */
	struct cta *cta;
	struct launch *launch;
	VEC(struct split) splits;               /* all but the current split */
	uint32_t barrier_partial[MAX_BARRIERS]; /* lanes that arrived while others of the warp have not */
	bool running;                           /* a current split exists, to go on at `next` */
	uint32_t stalled;                       /* time slices since lanes last met */
	uint32_t polls;                         /* attempts to take a lock in this time slice */
	uint32_t visits;                        /* branches backward since the warp was last looked at */
	bool looked_at;                         /* its loops are compared with themselves */
	uint32_t synchronized;                  /* when it last was, by itself; see observe/races.c */
	uint32_t lane_synchronized[LANES];      /* when its lanes last were with others of the warp */
	struct spin *spin;                      /* NULL: it was never looked at */
	uint32_t special[WARP_SPECIALS][LANES];
};

struct barrier {
	uint32_t arrived, expected; /* threads; expected 0 = all warps of the CTA */
	uint32_t voters, holds;     /* bar.red so far: threads, and those whose predicate holds */
};

struct cta {
	struct launch *launch;
	uint64_t index;
	uint32_t id[3];
	struct warp *warps;
	uint32_t nwarps, unfinished;
	uint8_t *shared, *local;
	uint8_t *undefined; /* a bit for each byte of shared memory that nothing has been written to; NULL: not known */
	struct barrier barriers[MAX_BARRIERS];
	uint32_t synchronized;       /* when its warps last met at a barrier */
	bool waits;                  /* only what other CTAs write can let it go on */
	uint32_t tries;              /* to go on nevertheless, since a warp last did more than wait */
	struct recording *recording; /* what the trace gets once older CTAs are finished; NULL = written at once */
	uint32_t special[CTA_SPECIALS][LANES];
};

/* An instruction, and the code that contains it. */
struct fault_place {
	const struct inst *inst;
	const struct code *code;
};

struct fault {
	enum device_status status;
	const struct inst *inst;
	const struct code *code;
	uint32_t cta[3], thread;
	bool has_address;
	uint64_t address;
	uint32_t others;          /* further lanes of the warp to which the same has happened, where a check looks */
	struct fault_place other; /* that the instruction contradicts, or NULL */
	char what[256];
};

struct launch {
	struct cpu_device *device;
	struct program *program;
	const struct memory *memory;
	const struct launch_params *shape;
	uint8_t *params; /* copy, padded with zeros */
	size_t param_bytes;
	uint32_t threads, nwarps;
	uint32_t shared_bytes; /* static and dynamic */
	uint32_t local_stride; /* bytes of local memory per thread */
	uint64_t instructions; /* warp instructions so far: the clock */
	uint64_t asleep;       /* those that a warp only slept through */
	uint64_t max_instructions;
	bool interleaved;   /* the turns of its warps are short, and many CTAs take turns */
	int64_t turn;       /* warp instructions that a warp runs before the next warp's turn */
	uint32_t *patience; /* by branch backward: visits before a look at the warp begins */
	uint64_t id;
	uint64_t workspace;        /* grid barrier of a cooperative launch, 0 = none */
	struct observer *observer; /* NULL: no trace and no checks */
	struct nested nested;      /* what the grid launched itself */
	struct arena arena;        /* joins */
	struct join *free_joins;
	struct fault fault;
};

/* Ends the launch: keeps what happened to the first lane of `lanes`. Returns STOP_FAULT. */
int fault_at(struct warp *w, const struct inst *in, uint32_t lanes, enum device_status status, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
int fault_address(struct warp *w, const struct inst *in, uint32_t lane, enum device_status status, uint64_t address);
/* Likewise, what is wrong with an address that can be accessed; `other` may be NULL in both parts. */
int fault_contradiction(struct warp *w, const struct inst *in, uint32_t lane, uint64_t address,
			struct fault_place other, const char *format, ...) __attribute__((format(printf, 6, 7)));
/* A kernel's malloc or free is about to run for a lane: where that is, for those who keep it. */
void fault_note_place(struct warp *w, const struct inst *in, uint32_t lane);
/* The sentence for the user. */
void fault_describe(const struct launch *launch, struct diag *d);

/* --- run/split.c --- */

enum { TIME_SLICE = 1 << 14 };

/* Puts `lanes` at the start of the kernel. */
void warp_start(struct warp *w, struct code *kernel, uint32_t lanes);
/* Runs until every split waits or has ended, or the time slice is over. False after a fault. */
bool warp_run(struct warp *w);
/* Some split could run. */
bool warp_ready(struct warp *w);

/*
 * Lets lanes that wait at a join go on without the others, which wait for them: at a barrier when they are on the way
 * to their exit, or in a loop for a lock that they hold. False when no lane waits at a join.
 */
bool warp_release_joins(struct warp *w);

/* Lanes `mask` of the current split that go to `at`. */
struct split_part {
	const struct block *at;
	uint32_t mask;
};
/* The current split's lanes part and meet again at `join`. All of these return enum stop. */
int split_parts(struct warp *w, const struct split_part *parts, unsigned nparts, const struct block *join);
/* Lanes `mask` call `callee`; the others of the current split wait for them at the block behind the call. */
int split_call(struct warp *w, const struct inst *in, uint32_t mask, struct code *callee);
/* Lanes `some` of `mask` call `callee` now; the others of `mask` come back to the call's own block. */
int split_call_some(struct warp *w, const struct inst *in, uint32_t mask, uint32_t some, struct code *callee);
int split_return(struct warp *w, uint32_t mask, const struct block *rest);
int split_exit(struct warp *w, uint32_t mask, const struct block *rest);
/* Lanes `mask` go on at `next` once something else sets their split to SPLIT_READY; the others go on there now. */
int split_wait(struct warp *w, const struct inst *in, uint32_t mask, const struct block *next, enum split_state state,
	       uint32_t what);
/* Lets other splits and warps run, then goes on at `next`. */
int split_yield(struct warp *w, const struct block *next);
int split_warp_sync(struct warp *w, const struct inst *in, uint32_t mask, uint32_t members, const struct block *next);
/*
 * Parks the current split: it goes on at w->next once spin_wakes() finds a change; the others go on now. Returns enum
 * stop.
 */
int split_park(struct warp *w, const struct inst *in);

/* --- run/spin.c --- */

enum { SPIN_SOON = UINT32_MAX / 2 }; /* w->visits that are more than anybody's patience */
/* The current split has branched backward more often than is usual. Returns enum stop. */
int spin_visit(struct warp *w, const struct inst *in);

/* --- run/cta.c --- */
/* Lanes `mask` of `w` arrive at a barrier; they wait when `waits`. Returns enum stop. */
int barrier_arrive(struct warp *w, const struct inst *in, uint32_t mask, uint32_t id, uint32_t threads, bool waits,
		   const struct block *next);

/* --- decode/program.c --- */
/* The function that a pointer to a function points to, or NULL. */
struct code *program_function(const struct program *program, uint64_t address);
/* A variable of the function's local memory or a parameter or result of it in a register, or NULL. */
const struct local_variable *code_local(const struct code *code, uint32_t symbol);

/* --- decode/intrinsics.c: functions that the device provides: vprintf, malloc, cudaLaunchDevice, ... --- */
exec_fn intrinsic_find(const char *name);

/* Host address of a lane's bytes, or NULL when it is not `bytes` accessible bytes of that space. */
uint8_t *lane_pointer(const struct warp *w, enum ptx_space space, unsigned lane, uint64_t address, size_t bytes);
/* The trace has an access record for every execution of this instruction. */
bool inst_has_access(const struct inst *in);
/*
 * The space that an address belongs to; resolves generic addresses. `offset` (may be NULL) is the address inside the
 * space.
 */
enum ptx_space resolve_space(enum ptx_space space, uint64_t address, uint64_t *offset);
/* Lane addresses of memory instruction `in`, as the program wrote them. */
void lane_addresses(const struct warp *w, const struct inst *in, uint64_t out[LANES]);

/* The address of element `i` of a lane's part of a wmma fragment. */
uint64_t fragment_address(const struct warp *w, const struct inst *in, unsigned lane, unsigned i);
/*
 * For traces and checks: the lanes of `mask` that access memory, and the start of each access. A lane's part of a
 * fragment counts as a single access.
 */
uint32_t accessed(const struct warp *w, const struct inst *in, uint32_t mask, uint64_t out[LANES]);
/*
 * Rows of a trace that a bulk copy from or to global memory has, of LANES lines each: as many as its size needs if that
 * is written as a number, else BULK_ROWS. 0: the instruction is none.
 */
enum { BULK_LINE = 128, BULK_ROWS = 8 };
unsigned bulk_rows(const struct ptx_inst *inst);

static inline const void *source(const struct warp *w, uint32_t operand)
{
	return w->base[operand >> OPERAND_SHIFT] + (operand & ((UINT32_C(1) << OPERAND_SHIFT) - 1));
}

/* Destinations are always registers of the frame. */
static inline void *destination(const struct warp *w, uint32_t operand)
{
	return (void *)(uintptr_t)(w->base[BASE_FRAME] + operand);
}

/*
 * The list of an asynchronous copy: the address that it writes to, in the same parts as an instruction's own address.
 */
enum copy_list { COPY_TO, COPY_TO_KIND, COPY_TO_LOW, COPY_TO_HIGH, COPY_TO_SPACE, COPY_BARRIER_OFFSET, COPY_WORDS };

static inline uint64_t copy_destination(const struct warp *w, const struct inst *in, unsigned lane)
{
	uint64_t offset = in->list[COPY_TO_LOW] | (uint64_t)in->list[COPY_TO_HIGH] << 32;

	switch (in->list[COPY_TO_KIND]) {
	case ADDRESS_REG64: return offset + ((const uint64_t *)source(w, in->list[COPY_TO]))[lane];
	case ADDRESS_REG32: return (uint32_t)(offset + ((const uint32_t *)source(w, in->list[COPY_TO]))[lane]);
	case ADDRESS_LOW32: return (uint32_t)(offset + ((const uint64_t *)source(w, in->list[COPY_TO]))[lane]);
	default: return offset;
	}
}

static inline uint8_t *lane_local(const struct warp *w, unsigned lane)
{
	return w->cta->local + (size_t)(w->index * LANES + lane) * w->launch->local_stride;
}

#endif
