/*
 * The vocabulary of verdicts: what a kernel does to a data structure, under which assumptions, who shares it, and how
 * its loads are marked. Both analysers, the runtime, the commands and the reports use these names.
 *
 *   printf("%s\n", alias_level_name(ALIAS_GUARDED));             // guarded
 *   printf("%s\n", verdict_name(VERDICT_READ_ONLY));             // read-only
 *
 * docs/soundness.md says what each level believes. The order of each list is that of its names, and traces and scripts
 * rely on that of the verdicts.
 */
#ifndef ROMARK_VERDICT_VERDICT_H
#define ROMARK_VERDICT_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

/* What a kernel does to a structure, by any name that may lead there under the level. */
enum verdict { VERDICT_UNUSED, VERDICT_READ_ONLY, VERDICT_WRITE_ONLY, VERDICT_READ_WRITE, VERDICTS };

/* Which names count as different memory. */
enum alias_level {
	ALIAS_GUARDED,  /* distinct names; each launch checks it */
	ALIAS_STRICT,   /* only what the code proves */
	ALIAS_DISTINCT, /* distinct names, unchecked */
	ALIAS_LEVELS,
};

/* How a marked load is spelled. */
enum load_mark {
	LOAD_RO,   /* ld.global.ro, for the CPU device and the simulator */
	LOAD_NC,   /* ld.global.nc, for hardware */
	LOAD_KEEP, /* as it was: no marks */
	LOAD_MARKS,
};

/* Who computes the same address: every thread of the grid, of the CTA, only the thread; or it comes from memory. */
enum sharing { SHARING_UNKNOWN, SHARING_GRID, SHARING_CTA, SHARING_THREAD, SHARING_INDIRECT, SHARINGS };

/* What an address depends on: a set of these. */
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
