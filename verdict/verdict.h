/*
 * The vocabulary of verdicts: what a kernel does to a data structure, under which assumptions, who shares it, and how
 * its loads are marked. Both analysers, the runtime, the commands and the reports use these names.
 *
 *   printf("%s\n", alias_level_name(ALIAS_GUARDED));             // guarded
 *   printf("%s\n", verdict_name(VERDICT_READ_ONLY));             // read-only
 *
 * docs/soundness.md describes the assumptions of each level. Each list has a table of names in the same order. Traces
 * and scripts rely on the order of the verdicts.
 */
#ifndef ROMARK_VERDICT_VERDICT_H
#define ROMARK_VERDICT_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

/* What a kernel does to a structure, counting all names that may lead there at the alias level. */
enum verdict { VERDICT_UNUSED, VERDICT_READ_ONLY, VERDICT_WRITE_ONLY, VERDICT_READ_WRITE, VERDICTS };

/* Which names are assumed to be different memory. */
enum alias_level {
	ALIAS_GUARDED,  /* distinct names; each launch checks it */
	ALIAS_STRICT,   /* only what the code proves */
	ALIAS_DISTINCT, /* distinct names, unchecked */
	ALIAS_LEVELS,
};

/*
 * Not a level of the analysis, but of a trace: the marks are what each launch turned out to do. It stands behind the
 * levels where a device or `romark trace` takes one.
 */
enum { ALIAS_OBSERVED = ALIAS_LEVELS };
#define OBSERVED_NAME "observed"

/* The spelling of a marked load. */
enum load_mark {
	LOAD_RO,   /* ld.global.ro, for the CPU device and the simulator */
	LOAD_NC,   /* ld.global.nc, for hardware */
	LOAD_KEEP, /* unchanged: no marks */
	LOAD_MARKS,
};

/*
 * The threads that compute the same address: all of the grid, all of the CTA, or a single one; or the address comes
 * from memory.
 */
enum sharing { SHARING_UNKNOWN, SHARING_GRID, SHARING_CTA, SHARING_THREAD, SHARING_INDIRECT, SHARINGS };

/* The values that an address depends on, as a set. */
enum dependence {
	DEPENDS_TID_X = 1,
	DEPENDS_TID_Y = 2,
	DEPENDS_TID_Z = 4,
	DEPENDS_TID = DEPENDS_TID_X | DEPENDS_TID_Y | DEPENDS_TID_Z,
	DEPENDS_CTAID_X = 8,
	DEPENDS_CTAID_Y = 16,
	DEPENDS_CTAID_Z = 32,
	DEPENDS_CTAID = DEPENDS_CTAID_X | DEPENDS_CTAID_Y | DEPENDS_CTAID_Z,
	DEPENDS_MEMORY = 64, /* an index that was loaded */
	DEPENDS_LAST = DEPENDS_MEMORY,
};

/* The choices of options and settings, the default first. */
#define ALIAS_LEVEL_CHOICES "guarded|strict|distinct"
#define LOAD_MARK_CHOICES "ro|nc|keep"

/* Each list ends with a NULL behind its last name. */
extern const char *const verdict_names[VERDICTS + 1];
extern const char *const alias_level_names[ALIAS_LEVELS + 1];
extern const char *const load_mark_names[LOAD_MARKS + 1];

const char *verdict_name(enum verdict v);
const char *alias_level_name(enum alias_level level);
const char *sharing_name(enum sharing s);
/* "tid.x", ..., "memory" of one bit of enum dependence. */
const char *dependence_name(unsigned bit);

/* The class of addresses that depend on `depends`, in a kernel that reads the special registers `reads`. */
enum sharing sharing_class(unsigned depends, unsigned reads);

#endif
