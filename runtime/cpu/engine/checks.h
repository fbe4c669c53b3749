/*
 * The checks that look for faults of programs (ROMARK_CHECK), and how they report. A report has the shape of
 * compute-sanitizer's: what is wrong, at which instruction, by which thread, and what there is to say of the address.
 */
#ifndef ROMARK_CPU_CHECKS_H
#define ROMARK_CPU_CHECKS_H

#include "runtime/cpu/engine/cpu_device.h"
#include "runtime/cpu/engine/engine.h"

/* The order of the words in settings.def. */
enum check { CHECK_MEMORY = 1, CHECK_RACE = 2, CHECK_INIT = 4, CHECK_SYNC = 8, CHECK_LEAK = 16 };

static inline bool check_is_on(const struct cpu_device *dev, enum check check)
{
	return dev->checks.on & check;
}

/* --- run/report.c --- */

void checks_open(struct cpu_device *dev);
/* What can be said only at the end: leaks, and the number of errors. */
void checks_finish(struct cpu_device *dev);
/* The launch's fault, if one of the checks is to tell of it. False: fault_describe() is. */
bool report_fault(const struct launch *l);
/* `format`: a further line, or NULL. */
void report(const struct launch *l, const struct fault *f, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* --- run/host_place.c --- */

/* Where the host's program is: "main (+0x1f2) in ./prog"; malloc'ed. NULL if nothing is known. */
char *host_place(void);

#endif
