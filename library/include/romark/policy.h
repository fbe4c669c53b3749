/* clang-format off */
/*
 * Policies from outside romark's tree. A policy is a shared object, made from one C file and these headers:
 *
 *   cc -shared -fPIC $(pkg-config --cflags romark) mine.c -o mine.so
 *   romark policies ./mine.so                                       what is in it: knobs, statistics
 *   romark sim t.romtrace --llc=./mine.so --set mine.depth=4        <romark/policy_llc.h>: which slice a request goes to
 *   romark sim t.romtrace --l1=./mine.so                            <romark/policy_l1.h>: an L1's lines
 *   romark sim t.romtrace --set llc.replacement=./mine.so           <romark/policy_replacement.h>: an LLC slice's lines
 *
 * The object needs no library of romark. It defines one variable, with the macro that its header has. One object may
 * have a policy of each of the three kinds.
 *
 * What holds for all kinds:
 *
 * - All state is behind the pointer that `create` returns. romark may run several simulations at once, and the L1s of
 *   different SMs in different threads. So a policy has no variables that change outside its state.
 * - The same calls in the same order must lead to the same answers. So there is no clock, no address of memory and no
 *   random number without a seed in a decision.
 * - Only `create` allocates memory: malloc and free are fine. It copies what it needs of the geometry, which ends with
 *   the call; the run in it and the knobs stay as long as the state.
 * - `create` has no answer for a failure, since NULL is a state too, that of a policy without one. When there is no
 *   memory it ends the process with abort(). Knobs that do not fit the geometry become the nearest that do.
 * - `destroy` is called with each state, NULL too.
 * - A run with a policy from outside writes no checkpoints, since these hold the state of a run and not of libraries.
 * - Answers out of range end the run with a message that names the policy.
 */
/* clang-format on */
#ifndef ROMARK_POLICY_H
#define ROMARK_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The version of this interface. romark takes policies that were made for its version and no others. Within a version,
 * structs only grow at their end: a policy works with a later romark as it is.
 */
#define ROMARK_POLICY_VERSION 1

#define ROMARK_POLICY_EXPORT __attribute__((visibility("default")))

/*
 * Knobs: parameters that users set with `--set NAME.knob=value`, or in the section NAME of a GPU file or a study. They
 * are fields of one struct, and `create` gets that struct filled in:
 *
 *   struct mine { uint32_t depth; };
 *   static const struct romark_knob knobs[] = {
 *       ROMARK_KNOB_UINT(struct mine, depth, "lines", 1, 64, 4, "lines that are looked at"),
 *       ROMARK_KNOB_END,
 *   };
 *
 * and in the policy: .knobs = knobs, .knobs_size = sizeof(struct mine).
 */
enum romark_knob_type { ROMARK_UINT, ROMARK_REAL, ROMARK_BOOL, ROMARK_CHOICE };

struct romark_knob {
	const char *name;    /* of the key */
	uint32_t type;       /* enum romark_knob_type; of the field: uint32_t, double, bool, uint32_t */
	size_t offset;       /* of the field */
	const char *unit;    /* "cycles", "bytes", or "" */
	double min, max;     /* of ROMARK_UINT and ROMARK_REAL */
	double initial;      /* the default; of ROMARK_CHOICE the number of a choice */
	const char *choices; /* of ROMARK_CHOICE: "first|second|third" */
	const char *help;    /* what it does, in one sentence */
};

#define ROMARK_KNOB_UINT(type, field, unit, min, max, initial, help)                                                   \
	{#field, ROMARK_UINT, offsetof(type, field), unit, min, max, initial, NULL, help}
#define ROMARK_KNOB_REAL(type, field, unit, min, max, initial, help)                                                   \
	{#field, ROMARK_REAL, offsetof(type, field), unit, min, max, initial, NULL, help}
#define ROMARK_KNOB_BOOL(type, field, initial, help)                                                                   \
	{#field, ROMARK_BOOL, offsetof(type, field), "", 0, 1, initial, NULL, help}
#define ROMARK_KNOB_CHOICE(type, field, choices, initial, help)                                                        \
	{#field, ROMARK_CHOICE, offsetof(type, field), "", 0, 0, initial, choices, help}
#define ROMARK_KNOB_END {NULL, 0, 0, NULL, 0, 0, 0, NULL, NULL}

/*
 * Statistics: counters in a struct of their own, part of the state. Results have them under policy_stats.NAME, as a sum
 * over all L1s, slices or chips, for the run and for each kernel. Studies and `romark compare` know their names.
 *
 *   struct counts { uint64_t kept; };
 *   static const struct romark_stat stats[] = {
 *       ROMARK_STAT_COUNT(struct counts, kept, "lines", "lines that were kept"),
 *       ROMARK_STAT_END,
 *   };
 *
 * and in the policy: .stats = stats, .stats_size = sizeof(struct counts), and a function `statistics` that returns the
 * struct.
 */
enum romark_stat_type {
	ROMARK_COUNT, /* uint64_t, rises */
	ROMARK_LEVEL, /* uint64_t, a present value: a kernel's is that at its end, and a sum takes the largest */
};

struct romark_stat {
	const char *name;
	uint32_t type; /* enum romark_stat_type */
	size_t offset;
	const char *unit; /* "lines", "requests", or "" */
	const char *help;
};

#define ROMARK_STAT_COUNT(type, field, unit, help) {#field, ROMARK_COUNT, offsetof(type, field), unit, help}
#define ROMARK_STAT_LEVEL(type, field, unit, help) {#field, ROMARK_LEVEL, offsetof(type, field), unit, help}
#define ROMARK_STAT_END {NULL, 0, 0, NULL, NULL}

/* What a request does. */
enum romark_kind { ROMARK_READ, ROMARK_WRITE, ROMARK_ATOMIC };

enum romark_request_flag {
	ROMARK_READ_ONLY = 1, /* of a load with the read-only mark: nobody writes this data during the kernel */
	ROMARK_VICTIM = 4,    /* in a reply to an L1: the LLC remembers that this SM has had the line before */
};

/* Most data structures that a run tells apart; larger numbers do not occur. */
enum { ROMARK_STRUCTURES = 4096 };

/*
 * The run that a policy works in; the geometry that `create` gets has it, and it lives as long as the state, which
 * the geometry does not. A structure has its number from the first launch of its kernel on: the same structure of two
 * kernels has two numbers.
 */
struct romark_run {
	/* "p2" of the third parameter, a variable's name, as reports have it; NULL: not known. */
	const char *(*structure_id)(const struct romark_run *run, uint32_t structure);
	/* The structure's kernel, as in PTX; NULL: not known. */
	const char *(*structure_kernel)(const struct romark_run *run, uint32_t structure);
};

#ifdef __cplusplus
}
#endif

#endif
