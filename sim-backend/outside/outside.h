/*
 * Policies from outside the tree: shared objects that are built against <romark/policy.h> and its sisters. A loaded
 * policy looks like a policy of the tree, so nobody else knows the difference.
 *
 *   struct outside_found found;
 *   if (knob_is_file(name) && outside_load(name, &found, &d) < 0) ...
 *   if (found.llc) config->llc_policy = found.llc;
 *
 *   values = xcalloc(1, found.llc->knobs_size);          // of its section
 *   outside_begin_values(found.llc, values);             // before anybody calls `create` with them
 *
 * A file stays loaded until the process ends, since results name its policies. A file whose content has changed since
 * is loaded beside the earlier one.
 */
#ifndef ROMARK_SIM_OUTSIDE_H
#define ROMARK_SIM_OUTSIDE_H

#include "sim-backend/l1/l1_policy.h"
#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/llc/llc_replacement.h"

struct diag;

/* What a file has; NULL: no such policy. */
struct outside_found {
	const struct llc_policy_ops *llc;
	const struct l1_policy_ops *l1;
	const struct llc_replacement_ops *replacement;
};

/* At least one policy is found, or DIAG_ERROR: `d` says what is wrong with the file. */
int outside_load(const char *path, struct outside_found *found, struct diag *d);
/* A policy is given by its ops; the functions below do nothing, or return NULL, for policies of the tree. */
void outside_begin_values(const void *ops, void *values);
/* The file's path, absolute. */
const char *outside_path(const void *ops);
/* XXH3 of the file's bytes: 32 hexadecimal digits. */
const char *outside_hash(const void *ops);
/*
 * Whose structures the policies name that this thread creates from here on: `name` gives a structure's id, and its
 * kernel in *kernel, or NULL. `arg` must live as long as they. NULL: nobody's.
 */
typedef const char *outside_namer(const void *arg, uint32_t structure, const char **kernel);
void outside_use_names(outside_namer *name, const void *arg);
/*
 * The first answer of the policy that was out of range, in any simulation of this process since outside_forgive; NULL:
 * all were right. A wrong answer is replaced by one that does no harm.
 */
const char *outside_fault(const void *ops);
void outside_forgive(const void *ops);
/* Policies of all files so far, in the order in which they were loaded; false past the last. */
struct outside_listed {
	const char *path, *hash; /* of the file */
	const char *kind;        /* "llc", "l1", "llc_replacements" */
	const char *name, *summary, *source;
	const struct knob *knobs;
	const struct stat_row *stats; /* or NULL */
};
bool outside_at(size_t index, struct outside_listed *listed);

#endif
