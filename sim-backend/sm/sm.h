/*
 * One streaming multiprocessor: resident CTAs and warps, schedulers, scoreboard, load/store unit, L1.
 *
 *   sm_kernel_begin(sm)                    empty SM, cold L1, before the first CTA of a launch
 *   sm_take_cta(sm, &cta, cycle)           while nctas < cta_slots; its warps may issue from the next cycle on
 *   sm_tick(sm, cycle)                     one cycle; returns the next cycle in which it has something to do
 *   sm_receive(sm, cycle)                  only takes a reply of the memory system, for an SM that has nothing else to
 * do sm_reap(sm, cycle)                     releases CTAs that ended before `cycle`
 *
 * The next instruction of each warp is decoded ahead. `ready_at` holds, per warp and register, the cycle (counted from
 * the kernel's start) from which its value can be read, or PENDING while a load decides it; so an instruction that may
 * issue in cycle t is found once, when it is decoded, and its warp's bit is put into slot t of a wheel of masks.
 */
#ifndef ROMARK_SIM_SM_H
#define ROMARK_SIM_SM_H

#include "sim-backend/l1/l1.h"
#include "sim-backend/memsys.h"
#include "sim-backend/sm/coalesce.h"
#include "sim-backend/sm/sm_config.h"
#include "sim-backend/sm/warp_scheduler.h"
#include "sim-backend/stats.h"

#define PENDING UINT32_MAX
enum { WHEEL_SLOTS = 64 };

/* What the launch adds to a row of the static instruction table. */
struct launch_inst {
	uint16_t structure; /* index in the run's structure table */
	uint8_t mem_flags;  /* MEM_READ_ONLY or 0 */
};

/* What all SMs share. */
struct sm_context {
	const struct sm_config *config;
	const struct exec_config *exec;
	const struct l1_config *l1_config;
	const struct l1_policy_ops *l1_policy;
	const void *l1_policy_knobs;
	struct memsys *memsys;
	struct structure_stats *structures; /* of the run */
	/* The running launch. */
	const struct trace_kernel *kernel;
	const struct launch_inst *insts;
	uint32_t warps_per_cta, cta_slots;
	uint64_t start;    /* cycle 0 of the kernel */
	uint32_t finished; /* CTAs of all SMs that ended and were not reaped */
};

enum op_kind { OP_ALU, OP_CONTROL, OP_CONST, OP_LSU, OP_BARRIER, OP_FENCE };
enum lsu_kind { LSU_SHARED, LSU_LOAD, LSU_BYPASS, LSU_STORE, LSU_ATOMIC };

/* A load, or an atomic with a result, from issue until its registers are there. */
struct load {
	const struct trace_inst *inst;
	uint32_t issued, ready; /* cycles of the kernel; `ready` is the latest part so far */
	uint16_t left;          /* parts without an answer */
	uint8_t warp;
};

/* A memory instruction in the LSU's queue. */
struct lsu_op {
	const struct trace_inst *inst;
	enum lsu_kind kind;
	uint8_t warp, flags; /* flags: enum mem_flag */
	bool answered;       /* its replies are counted by `load` */
	uint16_t load, structure;
	uint32_t count, next;
	struct line_access access[COALESCE_MAX]; /* not for LSU_SHARED, whose count is in cycles */
};

struct resident_cta {
	struct trace_cta trace;
	uint64_t warps;   /* mask */
	uint32_t running; /* warps whose stream has not ended */
	uint32_t left;    /* warps that run or wait for memory */
	uint32_t arrived; /* at the barrier */
	uint64_t ended;   /* cycle; valid when in use and left == 0 */
	bool used;
};

struct sm {
	struct sm_context *context;
	unsigned id;

	/* Masks over warps. A resident warp is in exactly one of: ready, the wheel, on_memory, fenced, at_barrier,
	 * ended. */
	uint64_t ready, on_memory, fenced, at_barrier, ended;
	uint64_t needs_lsu;  /* its next instruction goes to the LSU */
	uint64_t needs_load; /* .. and takes an entry of `loads` */
	uint64_t by_class[TRACE_CLASS_COUNT];
	uint64_t wheel[WHEEL_SLOTS], wheel_used, far; /* far: due later than the slot; see far_cycle */

	uint64_t scheduler_mask[SM_MAX_SCHEDULERS];
	unsigned last[SM_MAX_SCHEDULERS];
	uint32_t busy_classes[SM_MAX_SCHEDULERS]; /* classes with an interval that may still run */
	uint64_t busy_until[SM_MAX_SCHEDULERS][TRACE_CLASS_COUNT];
	unsigned (*pick)(uint64_t candidates, unsigned last, struct warp_ages ages);

	uint32_t nctas;
	uint64_t age_masks[SM_MAX_CTAS]; /* of resident CTAs, oldest first */
	uint8_t age_slots[SM_MAX_CTAS];
	struct resident_cta ctas[SM_MAX_CTAS];
	uint32_t finished;       /* the same of this SM */
	uint64_t resident_since; /* while nctas > 0 */

	uint32_t expected; /* replies on their way */
	uint32_t lsu_head, lsu_count;
	uint16_t *free_loads, nfree_loads;
	struct load *loads;
	struct l1 *l1;

	uint64_t far_cycle[SM_MAX_WARPS];
	uint16_t outstanding[SM_MAX_WARPS]; /* loads and acknowledged stores in flight */
	uint8_t cta_of[SM_MAX_WARPS], kind[SM_MAX_WARPS];
	uint32_t *ready_at; /* [warp][register], `registers` per row */
	uint32_t registers;
	struct trace_warp_cursor *cursors;
	struct trace_op *ops; /* next instruction of each warp */
	struct lsu_op *lsu;

	bool damaged; /* a warp's stream could not be decoded */
	struct sm_stats stats;
	struct l1_stats l1_stats;
};

struct sm *sm_create(struct sm_context *context, unsigned id);
void sm_free(struct sm *sm);
void sm_kernel_begin(struct sm *sm);
/* Takes over the CTA's storage. */
void sm_take_cta(struct sm *sm, const struct trace_cta *cta, uint64_t cycle);
/* CTAs released. */
uint32_t sm_reap(struct sm *sm, uint64_t cycle);
uint64_t sm_tick(struct sm *sm, uint64_t cycle);
uint64_t sm_receive(struct sm *sm, uint64_t cycle);
/* Who waits for what, one line per warp group. */
void sm_dump(const struct sm *sm, FILE *out);

/* --- Between the files of this folder ---------------------------------------------------------------------------- */

static inline uint32_t sm_now(const struct sm *sm, uint64_t cycle)
{
	return (uint32_t)(cycle - sm->context->start);
}

/* warp.c: the warp's next instruction, not before `earliest`; or its end. */
void warp_advance(struct sm *sm, unsigned warp, uint32_t earliest, uint64_t cycle);
/* Looks again at a warp that waited for memory. */
void warp_recheck(struct sm *sm, unsigned warp, uint64_t cycle);
/* One part of the warp's memory traffic is over. */
void warp_answered(struct sm *sm, unsigned warp, uint64_t cycle);
void warp_barrier(struct sm *sm, unsigned warp, uint64_t cycle);
void wheel_put(struct sm *sm, unsigned warp, uint64_t due, uint64_t cycle);

/* lsu.c */
void lsu_accept(struct sm *sm, unsigned warp, uint64_t cycle);
void lsu_tick(struct sm *sm, uint64_t cycle);
bool lsu_receive(struct sm *sm, uint64_t cycle);

#endif
