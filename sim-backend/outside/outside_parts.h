/* Declarations that the files of this folder share: a file with its policies, and how each kind is adapted. */
#ifndef ROMARK_SIM_OUTSIDE_PARTS_H
#define ROMARK_SIM_OUTSIDE_PARTS_H

#include "sim-backend/outside/outside.h"

#include "common/diag.h"

#include <romark/policy_l1.h>
#include <romark/policy_llc.h>
#include <romark/policy_replacement.h>
#include <stdatomic.h>

enum outside_kind { OUTSIDE_LLC, OUTSIDE_L1, OUTSIDE_REPLACEMENT, OUTSIDE_KINDS };

/* `theirs` is a copy, in which fields that the object's headers did not know yet are 0. */
struct outside_policy {
	const struct outside_file *file;
	enum outside_kind kind;
	union {
		struct romark_llc_policy llc;
		struct romark_l1_policy l1;
		struct romark_replacement_policy replacement;
	} theirs;
	union {
		struct llc_policy_ops llc;
		struct l1_policy_ops l1;
		struct llc_replacement_ops replacement;
	} ops;
	struct knob *knobs;
	struct stat_row *stats; /* NULL: none */
	atomic_flag fault_is_taken;
	atomic_bool is_faulty;
	char fault[256];
};

struct outside_file {
	char *path; /* absolute */
	char hash[33];
	struct outside_policy *policies[OUTSIDE_KINDS]; /* NULL: the file has none of this kind */
	struct outside_file *next;
};

/*
 * Knobs' values begin with the policy that they are of: `create` gets the values, and nothing else that would tell it.
 * The fields of the policy's own struct are behind that.
 */
struct outside_values {
	_Alignas(16) struct outside_policy *self;
	_Alignas(16) char theirs[];
};

static inline struct outside_policy *outside_self(const void *values)
{
	return ((const struct outside_values *)values)->self;
}

static inline const void *outside_their_values(const void *values)
{
	return ((const struct outside_values *)values)->theirs;
}

/* The run, as policies see it; in the adapter's state. */
struct outside_run {
	struct romark_run shown;
	outside_namer *name;
	const void *arg;
};

/* Of this thread. */
struct outside_run outside_run_now(void);

/* The fields that all kinds have, whatever their order. */
struct outside_head {
	const char *name, *summary, *source;
	const struct romark_knob *knobs;
	size_t knobs_size;
	const struct romark_stat *stats;
	size_t stats_size;
	bool has_statistics;
};

/* Checks the rows and turns them into the simulator's: p->knobs, p->stats. 0, or DIAG_ERROR. */
int outside_take_rows(struct outside_policy *p, const struct outside_head *head, struct diag *d);
/* Fills in p->ops from p->theirs. 0, or DIAG_ERROR with the function that is missing. */
int outside_adapt_llc(struct outside_policy *p, struct diag *d);
int outside_adapt_l1(struct outside_policy *p, struct diag *d);
int outside_adapt_replacement(struct outside_policy *p, struct diag *d);
/* Notes a wrong answer; the first one counts. From any thread. */
void outside_note_fault(struct outside_policy *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
