/*
 * One streaming multiprocessor: resident CTAs and warps, schedulers, scoreboard, load/store unit, L1.
 *
 *   sm_kernel_begin(sm)                    empty SM, cold L1, before the first CTA of a launch
 *   sm_take_cta(sm, &cta, cycle)           while nctas < cta_slots; its warps may issue from the next cycle on
 *   sm_tick(sm, cycle, reply)              one cycle; returns the next cycle in which it has something to do by
 *                                          itself. `reply`: there may be one for it (memsys_replies)
 *   sm_receive(sm, cycle)                  only takes a reply, for an SM that has nothing else to do
 *   sm_reap(sm, cycle)                     releases CTAs that ended before `cycle`
 *   sm_settle(sm, cycle)                   charges all issue slots before `cycle`, before counters are read
 *
 * A warp's next instructions are decoded ahead in small batches, with their accesses coalesced. So the trace's decoder
 * is called rarely, and an issue touches little memory.
 *
 * A warp's list `unready` holds the registers that cannot be read yet. Each has the cycle from which it can be read,
 * counted from the kernel's start, or PENDING while a load decides it. When an instruction becomes the warp's next one,
 * the cycle from which it may issue is found once. The warp's bit is then put into that cycle's slot of a wheel of
 * masks.
 */
#ifndef ROMARK_SIM_SM_H
#define ROMARK_SIM_SM_H

#include "sim-backend/l1/l1.h"
#include "sim-backend/memory/memsys.h"
#include "sim-backend/base/port.h"
#include "sim-backend/sm/coalesce.h"
#include "sim-backend/sm/fetches.h"
#include "sim-backend/sm/launch_inst.h"
#include "sim-backend/sm/line_stats.h"
#include "sim-backend/sm/machine_code.h"
#include "sim-backend/sm/residents.h"
#include "sim-backend/sm/small_cache.h"
#include "sim-backend/sm/warp_scheduler.h"
#include "sim-backend/l1/l1_stats.h"
#include "sim-backend/sm/sm_stats.h"

#define PENDING UINT32_MAX
enum { WHEEL_SLOTS = 32 };

/*
 * The latest affine access of an instruction to shared memory, and its conflicts. The next access mostly has the same.
 */
struct bank_conflicts {
	struct trace_lanes lanes;
	uint32_t mask; /* 0: none yet */
	uint32_t cycles;
};

/* State that all SMs share, or all SMs of a thread (sim-backend/run/parallel.h). */
struct sm_context {
	const struct sm_config *config;
	const struct exec_config *exec;
	const struct cta_config *cta;
	const struct l1_config *l1_config;
	const struct l1_policy_ops *l1_policy;
	const void *l1_policy_knobs;
	struct memsys *memsys;
	struct request_log *log; /* NULL unless there is one */
	bool counts_alike;       /* llc.atomic_alike is set: requests of atomics say how many lanes are alike */
	uint64_t *wake; /* per SM: next cycle in which it has something to do by itself; kept by whoever ticks them */
	/* Counters of the run, over these SMs: one set, so that it stays in the cache. */
	struct structure_stats *structures;
	struct sm_stats stats;
	struct l1_stats l1_stats;
	uint64_t scheduler_mask[SM_MAX_SCHEDULERS]; /* warps of each scheduler */
	unsigned (*pick)(uint64_t candidates, unsigned last, struct warp_ages ages);
	uint64_t (*activate)(uint64_t active, uint64_t able, unsigned most, uint8_t *entered); /* or NULL */
	/* The running launch; if several run at once, the launch whose CTAs are placed. */
	const struct trace_kernel *kernel;
	const struct machine_code *code;  /* of the kernel: what is issued in place of the trace's rows; or NULL */
	uint32_t first_inst, ninsts;      /* its rows in the next two, which all launches share */
	uint32_t launch;                  /* which of `launches` */
	struct resident_launch *launches; /* NULL: only one launch at a time */
	const struct launch_inst *insts;
	struct bank_conflicts *conflicts; /* per instruction */
	struct line_stats *lines;         /* per instruction; NULL: nobody asked for them */
	uint32_t warps_per_cta, cta_slots;
	struct local_layout local; /* of that launch */
	uint32_t spare_shared;     /* bytes of an SM's shared memory that its CTAs leave when all slots are taken */
	uint64_t start;            /* cycle 0 of the kernel */
	uint32_t finished;         /* CTAs of these SMs that ended and were not reaped */
};

/* A load, or an atomic with a result, from issue until its registers are there. */
struct load {
	uint32_t inst;
	uint32_t issued, ready; /* cycles of the kernel; `ready` is the latest part so far */
	uint16_t left;          /* parts without an answer */
	uint8_t warp;
	uint8_t group; /* of asynchronous copies, or NO_GROUP */
};

/*
 * Asynchronous copies of a warp on their way, by group. The open group is one of a ring. A group that is still on its
 * way when the ring comes round is counted with the new one.
 */
enum { COPY_GROUPS = 16, NO_GROUP = UINT8_MAX };

struct copy_groups {
	uint16_t coming[COPY_GROUPS];
	uint8_t open;
};

/* A line's address and, in its low bits, the sectors wanted; above them, of atomics, mem_request.alike_log2. */
typedef uint64_t packed_access;
enum { ACCESS_ALIKE_SHIFT = 4, ACCESS_ALIKE = 7 };

/* A memory instruction in the LSU's queue. */
struct lsu_op {
	_Alignas(64) uint32_t inst;
	uint8_t kind;        /* enum sm_op */
	uint8_t warp, flags; /* flags: enum mem_flag */
	bool answered;       /* its replies are counted by `load` */
	uint16_t load, structure;
	uint16_t count, next;
	/* State of the next access, which takes one look-up or several: */
	uint8_t looked_up;                  /* sectors so far */
	uint8_t worst;                      /* of their outcomes, enum l1_outcome */
	bool found;                         /* one of the look-ups hit */
	packed_access access[COALESCE_MAX]; /* not for OP_SHARED, whose count is in cycles */
};

/* An instruction of a warp, decoded ahead. */
struct warp_op {
	uint32_t inst;
	uint8_t lanes;  /* lanes that execute it */
	uint8_t kind;   /* enum sm_op */
	uint16_t count; /* OP_CONST: words, and lines with a cache; OP_SHARED: cycles; the other memory instructions:
			   accesses */
};

/* A count of OP_CONST: the distinct words, and the lines that the next accesses name, if constants have a cache. */
enum { CONST_LINES_SHIFT = 8, CONST_WORDS = (1 << CONST_LINES_SHIFT) - 1 };

struct unready {
	uint32_t ready; /* cycle of the kernel, or PENDING */
	uint16_t reg;
	uint8_t slot; /* enum issue_slot of a warp that waits for it */
};

/* A warp's accesses are an odd number of cache lines, for the reason in sm_unready_size. */
enum { AHEAD_OPS = 36, AHEAD_ACCESSES = 32, ACCESSES_STRIDE = AHEAD_ACCESSES + COALESCE_MAX + 8 };
_Static_assert(ACCESSES_STRIDE * sizeof(packed_access) / 64 % 2 == 1, "an odd number of cache lines");

struct sm_warp {
	_Alignas(64) uint16_t nops;
	uint16_t access; /* next of its accesses */
	uint16_t nunready;
	uint16_t outstanding; /* loads and acknowledged stores in flight */
	uint8_t cta;
	uint32_t decoded;     /* instructions since it was placed, or since sm_pass */
	uint64_t unready_set; /* bit (register % 64) of each in the list */
	uint64_t far_cycle;   /* see sm.far */
	struct warp_op ops[AHEAD_OPS];
};

struct cta_barrier {
	uint64_t waiting;          /* mask of warps */
	uint8_t arrived, expected; /* warps; expected 0: all that run */
};

struct resident_cta {
	struct trace_cta trace;
	uint32_t first_inst, launch;       /* of the context when it was placed */
	struct local_layout local;         /* the same */
	const struct trace_kernel *kernel; /* the same two */
	const struct machine_code *code;
	/* Decoded so far, if there may be several launches: added to the launch's when the CTA is reaped. */
	uint64_t warp_instructions, thread_instructions;
	uint64_t warps;                                  /* mask */
	uint32_t running;                                /* warps whose stream has not ended */
	uint32_t left;                                   /* warps that run or wait for memory */
	uint32_t arrived;                                /* at barriers that have not opened */
	struct cta_barrier barriers[TRACE_BARRIERS + 1]; /* the last: those without a known number */
	uint64_t ended;                                  /* cycle; valid when in use and left == 0 */
	bool used;
};

/* The members that nearly every cycle needs are in front. */
struct sm {
	struct sm_context *context;
	/*
	 * Masks over warps. A resident warp is in exactly one of these: ready, the wheel, on_memory, fenced,
	 * at_barrier, ended.
	 */
	uint64_t ready;
	uint64_t needs_lsu;  /* its next instruction goes to the LSU */
	uint64_t needs_load; /* .. and takes an entry of `loads` */
	uint64_t on_memory;
	uint64_t far;        /* in the wheel, but due later than its slot: see far_cycle */
	uint32_t wheel_used; /* slots with a warp */
	uint32_t expected;   /* replies on their way */
	uint16_t id, nfree_loads;
	uint8_t lsu_head, lsu_count, nctas;
	uint8_t lsu_stall; /* enum l1_outcome of the first instruction's look-up, which only a fill can change; or 0 */
	uint8_t last[SM_MAX_SCHEDULERS];     /* warp issued last, or NO_WARP */
	uint64_t charged[SM_MAX_SCHEDULERS]; /* issue slots before this cycle are charged */
	uint64_t active[SM_MAX_SCHEDULERS];  /* warps that the scheduler looks at */

	struct sm_warp *warps;
	struct unready *unready; /* [warp][unready_size] */
	struct lsu_op *lsu;
	struct load *loads;
	struct copy_groups *copies; /* of each warp */
	uint16_t *free_loads;
	packed_access *accesses;   /* [warp][ACCESSES_STRIDE] */
	struct code_queue *queues; /* of each warp; NULL without machine code */
	struct row_access *rows;   /* of the block that is being decoded, for machine code */
	uint32_t row_capacity;
	struct l1 *l1;
	uint32_t l1_bytes;                            /* its size */
	struct small_cache *constants, *instructions; /* NULL: they always hit */
	struct fetches *fetches;                      /* NULL: a miss takes a fixed time */
	double const_free;                            /* cycle from which the port for constants is free */
	uint32_t unready_size;

	_Alignas(64) uint8_t at[SM_MAX_WARPS];  /* of each warp: next of its `ops` */
	uint32_t busy_units[SM_MAX_SCHEDULERS]; /* units with an interval that may still run */
	uint64_t age_masks[SM_MAX_CTAS];        /* of resident CTAs, oldest first */
	uint64_t wheel[WHEEL_SLOTS];
	uint64_t busy_until[SM_MAX_SCHEDULERS][LAUNCH_UNITS];
	uint64_t by_unit[LAUNCH_UNITS]; /* warps whose next instruction is for a unit with an interval */

	uint64_t fenced, at_barrier, ended;
	uint64_t running;                   /* resident warps whose stream has not ended */
	uint64_t on_shared;                 /* on_memory, for a register from shared memory */
	uint64_t fresh, fresh_cycle;        /* warps placed last, and when */
	uint8_t entered[SM_MAX_SCHEDULERS]; /* see warp_scheduler_ops.activate */
	uint8_t waits_for[SM_MAX_WARPS];    /* enum issue_slot: of a running warp that waits, or waited last */
	struct trace_warp_cursor *cursors;
	uint8_t age_slots[SM_MAX_CTAS];
	struct resident_cta ctas[SM_MAX_CTAS];
	uint32_t finished;       /* the same of this SM */
	uint64_t resident_since; /* while nctas > 0 */
	/* With context->lines, of warps on_memory: since when they wait. */
	uint64_t waits_since[SM_MAX_WARPS];
	bool damaged; /* a warp's stream could not be decoded */
};

/* Sets the values that the context derives from its configuration. */
void sm_context_init(struct sm_context *context);
struct sm *sm_create(struct sm_context *context, unsigned id);
void sm_free(struct sm *sm);
void sm_kernel_begin(struct sm *sm);
/* Entries of a warp's list of registers that cannot be read yet. */
uint32_t sm_unready_size(const struct sm_context *context);
/* Takes over the CTA's storage, and wakes the SM. */
void sm_take_cta(struct sm *sm, const struct trace_cta *cta, uint64_t cycle);
/*
 * Resident warps pass over instructions, behind those that are decoded: `ratio` times what a warp of the CTA has
 * decoded since the last time in the mean, so that all of a CTA pass over the same barriers. Returns how many these
 * were.
 */
uint64_t sm_pass(struct sm *sm, double ratio);
/* Returns the number of CTAs released: those that ended cta.end_cycles before this one. */
uint32_t sm_reap(struct sm *sm, uint64_t cycle);
/* The cycle in which the next CTA that has ended can be released, or UINT64_MAX. */
uint64_t sm_next_reap(const struct sm *sm);
uint64_t sm_tick(struct sm *sm, uint64_t cycle, bool reply);
uint64_t sm_receive(struct sm *sm, uint64_t cycle);
void sm_settle(struct sm *sm, uint64_t cycle);
/* Instructions of the resident warps' streams that are not decoded yet. */
uint64_t sm_bytes_left(const struct sm *sm);
/* Fills in the counters that are sums of others. */
void sm_stats_derive(struct sm_stats *stats);
/* Bring into the cache what sm_tick touches: the SM itself, then the warps that are likely to issue. */
void sm_prefetch(const struct sm *sm, uint64_t cycle);
void sm_prefetch_warps(const struct sm *sm, uint64_t cycle);

/* Prints who waits for what, one line per warp group. */
void sm_dump(const struct sm *sm, FILE *out);

/* --- Between the files of this folder --- */

static inline uint32_t sm_now(const struct sm *sm, uint64_t cycle)
{
	return (uint32_t)(cycle - sm->context->start);
}

static inline struct warp_op *sm_next_op(const struct sm *sm, unsigned warp)
{
	return &sm->warps[warp].ops[sm->at[warp]];
}

static inline packed_access *sm_accesses(const struct sm *sm, unsigned warp)
{
	return sm->accesses + (size_t)warp * ACCESSES_STRIDE;
}

static inline uint64_t register_bit(uint16_t reg)
{
	return (uint64_t)1 << reg % 64;
}

static inline struct unready *sm_unready(const struct sm *sm, unsigned warp)
{
	return sm->unready + (size_t)warp * sm->unready_size;
}

/* Brings into the cache what moving the warp on touches. */
static inline void sm_prefetch_warp(const struct sm *sm, unsigned warp)
{
	__builtin_prefetch(&sm->warps[warp]);
	__builtin_prefetch(sm_next_op(sm, warp));
	__builtin_prefetch(sm_unready(sm, warp));
}

/* The registers that the instruction writes can be read from kernel cycle `ready` on, or are PENDING. */
static inline void registers_written(struct sm *sm, unsigned warp, const struct launch_inst *inst, uint32_t ready,
				     enum issue_slot slot)
{
	struct sm_warp *w = &sm->warps[warp];
	struct unready *list = sm_unready(sm, warp);

	for (unsigned i = 0; i < inst->ndst; i++) {
		list[w->nunready++] = (struct unready){ready, inst->operands[i], (uint8_t)slot};
		w->unready_set |= register_bit(inst->operands[i]);
	}
}

/* slots.c: charges the slots before `cycle` when a warp is ready that was just placed. */
void slots_until_placed(struct sm *sm, unsigned scheduler, uint64_t cycle);
/* Charges the scheduler's slots before `cycle`, which had no ready warp, to what `warp` waited for, which now is. */
static inline void slots_until_ready(struct sm *sm, unsigned scheduler, unsigned warp, uint64_t cycle)
{
	unsigned slot = sm->waits_for[warp];

	if (slot == SLOT_NO_WARP)
		slots_until_placed(sm, scheduler, cycle);
	else
		sm->context->stats.slots[slot] += cycle - sm->charged[scheduler];
}
/* `warp` has ended; if it was the scheduler's last warp, slots from `cycle` on have no warp. */
void slots_until_end(struct sm *sm, unsigned warp, uint64_t cycle);

/* ahead.c: decodes the warp's next instructions; false at the end of its stream. */
bool warp_decode(struct sm *sm, unsigned warp);
/*
 * Decodes one executed row. Its accesses go behind the *naccesses in `accesses`, which has room for COALESCE_MAX more.
 */
struct warp_op decode_op(struct sm *sm, unsigned warp, struct trace_op *op, packed_access *accesses,
			 unsigned *naccesses);
static inline unsigned accesses_of(const struct warp_op *op)
{
	return op->kind > OP_SHARED ? op->count : op->kind == OP_CONST ? op->count >> CONST_LINES_SHIFT : 0;
}
/* ahead_code.c: the same as warp_decode, of machine code; the number of instructions, 0 at the end. */
unsigned decode_code(struct sm *sm, unsigned warp);
void code_queues_free(struct sm *sm);
/* Brings into the cache what warp_decode will touch: a step with each of the last DECODE_STEPS instructions. */
enum { DECODE_STEPS = 1 + TRACE_PREFETCH_STEPS };
void warp_prefetch_decode(const struct sm *sm, unsigned warp, unsigned left);

/* constants.c: the kernel's cycle from which the registers of an OP_CONST that issues now can be read, or PENDING. */
uint32_t const_ready(struct sm *sm, unsigned warp, const struct warp_op *op, uint64_t cycle);
/* The same of a load of so many words whose lines are there from `there` on. */
uint32_t const_port(struct sm *sm, unsigned words, uint64_t there);
/* The line of constants at `offset`; `base`: the launch's first instruction, which tells parameters of launches apart.
 */
uint64_t const_line(const struct sm *sm, uint64_t offset, bool parameter, uint32_t base);
/* The warp has decoded instructions, which come from the cache; the kernel's cycle from which it may issue, or PENDING.
 */
uint32_t fetch_instructions(struct sm *sm, unsigned warp, uint32_t earliest, uint64_t cycle);

/* fetches.c: NULL without sm.misses_to_llc. */
struct fetches *fetches_create(const struct sm_config *config);
void fetches_free(struct fetches *f);
/* The warp's load of constants waits for lines, which are then named one by one. */
uint32_t fetch_constants(struct sm *sm, unsigned warp, uint32_t inst, unsigned words);
void fetch_constant(struct sm *sm, uint32_t wait, uint64_t line);
void fetch_instruction(struct sm *sm, unsigned warp, uint64_t line);
/* The warp waits for the lines of instructions named before, and issues not before `earliest` then. */
void fetch_holds(struct sm *sm, unsigned warp, uint32_t earliest);
/* Sends a request if one waits and the network takes it. */
bool fetches_send(struct sm *sm, uint64_t cycle);
void fetch_arrived(struct sm *sm, uint32_t index, uint64_t cycle);

/* copy_groups.c: a copy of the warp enters its open group, which is returned. */
uint8_t copy_begins(struct sm *sm, unsigned warp);
/* A copy of the warp's group has arrived. */
void copy_arrived(struct sm *sm, unsigned warp, uint8_t group, uint64_t cycle);
void copies_commit(struct sm *sm, unsigned warp);
/* Whether the instruction, a wait for copies, has to wait. */
bool copies_coming(const struct sm *sm, unsigned warp, const struct launch_inst *inst);

/* warp.c: moves the warp to its next instruction, which may not issue before `earliest`, or ends the warp. */
void warp_advance(struct sm *sm, unsigned warp, uint32_t earliest, uint64_t cycle);
/* A warp's instructions have come. */
void warp_fetched(struct sm *sm, unsigned warp, uint32_t earliest, uint64_t cycle);
/* A fenced warp goes on. */
void warp_unfence(struct sm *sm, unsigned warp, uint64_t cycle);
/* Looks again at a warp that waited for memory. */
void warp_recheck(struct sm *sm, unsigned warp, uint64_t cycle);
/* One of the warp's outstanding accesses was answered. */
void warp_answered(struct sm *sm, unsigned warp, uint64_t cycle);
/* The warp arrives at the instruction's barrier, and waits if that is OP_BARRIER. */
void warp_barrier(struct sm *sm, unsigned warp, const struct launch_inst *inst, uint64_t cycle);
/* The registers that the instruction made pending can be read from kernel cycle `ready` on. */
void registers_arrived(struct sm *sm, unsigned warp, const struct launch_inst *inst, uint32_t ready);
void wheel_put(struct sm *sm, unsigned warp, uint64_t due, uint64_t cycle);

/* lsu.c */
void lsu_accept(struct sm *sm, unsigned warp, uint64_t cycle);
void lsu_tick(struct sm *sm, uint64_t cycle);
bool lsu_receive(struct sm *sm, uint64_t cycle);
/* Requires memsys_can_send. The request's cookie is what fetch_arrived gets. */
void lsu_send_fetch(struct sm *sm, const struct mem_request *request);

#endif
