/*
 * The plan of a study: its points, one for each combination of its dimensions, and the runs that they need.
 *
 *   struct plan *p = plan_create(study);                  // points, and the traces that they need
 *   prepare(...)                                          // prepare.h: traces get their paths and hashes
 *   if (plan_configure(p, &diag) < 0) ...                 // runs, each with its whole configuration, checked
 *   plan_free(p);
 */
#ifndef ROMARK_STUDY_PLAN_H
#define ROMARK_STUDY_PLAN_H

#include "study/expression/expression.h"
#include "study/hash.h"
#include "study/study.h"

/* One program with one size. */
struct plan_trace {
	size_t program, size; /* in the study */
	const char *path;     /* absolute */
	const char *command;  /* the program's arguments, for people; NULL for a given trace */
	struct hash hash, program_hash;
	uint64_t bytes;
	const char **options; /* of `romark sim`, for its runs; ended by NULL */
	const char *option_text;
	bool known;                       /* it is there, and has its hash */
	bool tried;                       /* to be made, by this process */
	const char *failure, *last_lines; /* why it could not be made; NULL: it is there, or was not tried */
	bool wanted;                      /* by a point */
};

enum run_state { RUN_PLANNED, RUN_RUNNING, RUN_DONE, RUN_FAILED, RUN_STATES };
/* As the database has them. */
extern const char *const run_state_names[RUN_STATES];

/*
 * A policy from outside. The run's configuration names it by its content, HASH.so, beside itself: so the run's key does
 * not depend on where the file lies.
 */
struct plan_file {
	const char *path; /* absolute */
	struct hash hash;
};
enum { PLAN_FILES = 3 };

struct plan_run {
	struct hash key, config_hash;
	const char *config; /* a GPU file as JSON */
	const char *gpu, *llc, *l1;
	size_t trace;
	struct plan_file files[PLAN_FILES]; /* of policies from outside; path NULL: no more */
	int64_t id;                         /* in the database */
	enum run_state state;
	double seconds; /* estimates from runs before; 0 = not known */
	uint64_t bytes;
};

struct plan_point {
	size_t trace, gpu, variant, policy, seed; /* in the study; trace in the plan */
	size_t run;                               /* SIZE_MAX while the trace is not known */
};

struct plan {
	struct study *study;
	struct arena arena;
	VEC(struct plan_trace) traces;
	VEC(struct plan_point) points;
	VEC(struct plan_run) runs;
	struct plan_key *keys; /* of the runs */
};

/* The points for which the study's `where` holds, and `filter` where it is not NULL. */
struct plan *plan_create(struct study *s, const struct expression *filter);
void plan_free(struct plan *p);
/* Whether the fate of a trace's runs is known: the trace exists, or it cannot be made, so that its runs fail. */
bool plan_is_settled(const struct plan_trace *t);
/* A run for each point whose trace is settled; points that compute the same share one. */
int plan_configure(struct plan *p, struct diag *d);
/* A point's value of a dimension, as expressions and the database have it. */
const char *plan_value(const struct plan *p, const struct plan_point *point, enum dimension dimension);

#endif
