/*
 * Observation of a launch: the trace writer, the check of read-only marks (ROMARK_VERIFY) and the checks for faults of
 * the program (ROMARK_CHECK). Kernels that are observed have their own decoded code, in which memory instructions first
 * call a function of this room. Other kernels run without any of this.
 */
#ifndef ROMARK_CPU_OBSERVE_H
#define ROMARK_CPU_OBSERVE_H

#include "ptx-analyzer/ranges/ranges.h"
#include "runtime/cpu/engine/engine.h"
#include "trace/trace.h"

struct apart;
struct mark_checker;
struct race_checker;
struct shadow;
struct write_bounds;

/* A CTA's records for the trace, made while an older CTA still ran. They are written when the CTA's turn comes. */
struct recording {
	VEC(uint64_t) words;
};

struct observer {
	struct trace_writer *trace; /* NULL: this launch is not traced */
	bool memcheck, sync;
	struct mark_checker *checker; /* NULL: marks are not checked */
	struct shadow *loads;         /* where its marked loads go; NULL: it has none */
	struct shadow *stores[MAX_NESTING + 1];
	uint32_t nstores; /* number of shadows for its stores: its own, and those of the kernels that it runs inside */
	uint32_t first_place;               /* in the shadows, of the program's instructions */
	const struct region_check *regions; /* NULL: no allocation is divided */
	const struct range_check *ranges;   /* NULL: ranges are not checked */
	struct race_checker *races;         /* NULL: races are not looked for */
	uint32_t race_epoch;                /* of this launch */
	struct apart *apart;                /* NULL: marks are the analysis's */
	struct write_bounds *bounds;        /* marks are those of loads that pass; NULL: of all, or of none */
	struct trace_launch *held;          /* the record of a launch whose marks are known at its end, or NULL */
	const struct kernel_facts *held_facts;
};

struct cpu_device;

/* There is a trace, and it is to have the kernel. */
bool kernel_is_traced(const struct cpu_device *device, const char *kernel);
/* Puts what is to look on before the program's memory instructions. */
void program_observe(struct program *program, const struct cpu_device *device);
/* An operand has one of the roles, a bit each. */
#define WRITING_ROLES (1u << PTX_ROLE_STORE | 1u << PTX_ROLE_ATOMIC)
bool inst_has_role(const struct inst *in, uint32_t roles);
/* The lanes of `mask` for which a control instruction is carried out, which tests its predicate itself. */
uint32_t carried_out(const struct warp *w, const struct inst *in, uint32_t mask);
void observe_block(struct warp *w, const struct block *block);

/* CTAs start in order and may end in any; what they did is written in the order in which they started. */
void observe_cta_start(struct cta *cta, bool oldest);
/* `cta` has become the oldest: what it did so far is written. */
void observe_cta_oldest(struct cta *cta);
/* The oldest has ended. */
void observe_cta_end(struct cta *cta);

/* --- mark_check.c: no launch may write a byte that a marked load of it takes, before or after that --- */

struct mark_checker *mark_checker_new(void);
void mark_checker_free(struct mark_checker *c);
/* A launch begins; `in_force`: its marked loads are marked loads this time. */
void mark_checker_begin(struct mark_checker *c, const struct launch *launch, bool in_force, struct observer *o);
/* Takes part in the check: a marked load, or what may write device memory. */
bool inst_concerns_marks(const struct inst *in);
/* Such an instruction is about to run. Returns enum stop. */
int check_marks(struct warp *w, const struct inst *in, uint32_t mask);
/* A lane writes `bytes` bytes otherwise than by an operand in memory. */
int check_write(struct warp *w, const struct inst *in, unsigned lane, uint64_t address, uint64_t bytes);

/* --- region_check.c: what a pointer into a region is used for stays in the region --- */

/* For accesses whose structures each have a single known place at this launch. */
struct region_check {
	const struct access **accesses; /* by row of the program's instructions; NULL: not known */
	const struct region_span {
		uint64_t base, size; /* size 0: not known */
	} *structures;
};

/* A load, store or atomic operation of global memory. */
bool inst_concerns_regions(const struct inst *in);
/* Such an instruction is about to run. Returns enum stop. */
int check_regions(struct warp *w, const struct inst *in, uint32_t mask);

/* --- range_check.c: no access is outside of the bytes that it was found to be in --- */

struct range_check {
	struct byte_range *ranges; /* by row of the program's instructions */
};

/* What `ranges` says of the kernel's own instructions, kept until the launch ends. */
const struct range_check *range_check_begin(struct launch *l, const struct launch_ranges *ranges);
/* An instruction that concerns regions is about to run. Returns enum stop. */
int check_ranges(struct warp *w, const struct inst *in, uint32_t mask);

/*
 * --- races.c: hints about warps that access the same memory with nothing between the accesses that orders the warps
 * ---
 */

struct race_checker *race_checker_new(void);
void race_checker_free(struct race_checker *c);
void race_checker_begin(struct race_checker *c, const struct launch *launch, struct observer *o);
/* Reads or writes memory that warps share, or puts warps in order. */
bool inst_concerns_races(const struct inst *in);
/* Such an instruction is about to run for the lanes of `mask`. */
void note_races(struct warp *w, const struct inst *in, uint32_t mask);
/* Warps of the CTA have met. */
void observe_barrier(struct cta *cta);

/* --- init_check.c: no load takes bytes that nothing has been written to --- */

bool inst_concerns_init(const struct inst *in);
/* Finds the loads of a function whose values are only stored again. */
void mark_copying_loads(struct code *code);
/* Such an instruction is about to run. */
void check_init(struct warp *w, const struct inst *in, uint32_t mask);

/* --- sync_check.c: all threads come to a barrier, and masks have the thread itself --- */

bool inst_concerns_sync(const struct inst *in);
/* Such an instruction is about to run. */
void check_sync(struct warp *w, const struct inst *in, uint32_t mask);
/* A barrier of the CTA is about to let its threads go. */
void observe_release(struct cta *cta, uint32_t id);

/* --- What was reported --- */

/* In place of the second instruction, where a check tells of a single one. */
enum { PAIR_INIT = -2, PAIR_SYNC = -3 };
/* Added to the second: within a warp the two are another pair than between warps. */
#define PAIR_LANES (UINT32_C(1) << 30)
/*
 * True for two instructions that were not yet reported together, by their places: 1 + the row in the program's table.
 * They count as reported from now on. False once there were too many.
 */
bool pair_is_new(struct program *p, uint32_t now, uint32_t before);

/* --- traced_kernel.c: the static part of the trace --- */

/* The analysis's record of each instruction's access, by the instruction's row; rows without one are left unchanged. */
void program_accesses(const struct program *program, const struct access **rows);
/* Adds the kernel with its instruction table; returns its id. */
uint32_t trace_program(struct trace_writer *writer, const struct program *program);

#endif
