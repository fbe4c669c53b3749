/*
 * Results of `romark sim --json` beside each other: how they are read, what tells them apart, and what a path of keys
 * such as "llc.miss_rate" leads to in them.
 *
 *   if (results_read(&r, paths, count, true, &diag) < 0) ...
 *   results_names(&r, false);                 // r.names: the keys that differ
 *   results_release(&r);
 */
#ifndef ROMARK_CLI_COMPARE_RESULTS_H
#define ROMARK_CLI_COMPARE_RESULTS_H

#include "cli/first_of.h"
#include "common/diag.h"
#include "common/vec.h"

#include <jansson.h>
#include <stdbool.h>

struct result {
	json_t *root;
	char *path;          /* or what else names it; malloc'ed */
	const char *sampled; /* how, NULL: everything was simulated */
	size_t base;         /* in the list: the first of the same program and size, so far as results say these */
};

struct results {
	VEC(struct result) list;
	VEC(char *) names; /* malloc'ed */
	struct first_of subjects;
};

#define RESULTS_INIT {.list = VEC_INIT, .names = VEC_INIT, .subjects = FIRST_OF_INIT}

/* `kernels`: with the launches of kernels. Without them it takes little memory, however many there are. */
int results_read(struct results *r, char *const *paths, size_t count, bool kernels, struct diag *d);
/* Takes over `root` and `name`. DIAG_ERROR: no result of a simulation; it is in the list then all the same. */
int results_add(struct results *r, json_t *root, char *name, struct diag *d);
void results_release(struct results *r);
/* MHz of the clock whose cycles it counts; 0: it does not say. */
double result_clock(const struct result *result);
bool results_differ_in_clock(const struct results *r);
/* Whether it was not simulated to the end. */
bool result_is_cut(const struct result *result);
/*
 * The program and its size where they differ; GPU and policies always; the clock where it differs; keys that were set
 * otherwise; the file where these are the same for two. `sampled`: also how results were sampled, where some were.
 */
void results_names(struct results *r, bool sampled);
/* The value that a path of keys leads to, in an object or in the result's configuration; NULL: no such value. */
json_t *result_value(json_t *object, const char *path);
/* The value of one of `names`: keys of the configuration may have a counter's name too (l1.merges). */
json_t *result_name(const struct result *result, const char *name);
/* The text of a value, malloc'ed; NULL if it is neither a text, a number nor true or false. */
char *result_text(const json_t *value);

#endif
