/* The CPU device's state: its memory, modules and settings. */
#ifndef ROMARK_CPU_DEVICE_H
#define ROMARK_CPU_DEVICE_H

#include "common/strbuf.h"
#include "runtime/cpu/engine/cpu_module.h"
#include "settings/settings.h"
#include "trace/trace.h"

#include <regex.h>
#include <sys/types.h>

struct exec_set;

/* By handle; see images/image.h. */
struct image_table {
	VEC(struct device_image *) images; /* NULL: destroyed */
	uint64_t changes;                  /* images ever made or destroyed */
};

/* See checks.h. */
struct checks {
	unsigned on; /* enum check */
	int count;   /* descriptor of the file that counts the faults; -1: none */
	uint64_t errors;
	bool kernel_failed, finished;
};

struct cpu_device {
	struct memory memory;
	struct device_module *modules;
	struct image_table images;
	const struct exec_set *set;
	struct trace_writer *trace, *parents_trace; /* parents_trace: of the process that this one was forked from */
	pid_t process;                              /* that opened the device */
	struct mark_checker *marks;                 /* NULL: not checked */
	struct race_checker *races;                 /* NULL: not looked for */
	struct apart *apart;                        /* marks are what launches turn out to do; NULL: they are not */
	regex_t kernels;                            /* traced kernels, when `selects` */
	bool selects;
	struct settings settings;
	struct checks checks;
	struct strbuf decoded;  /* text of the programs that were made, where the settings want it */
	enum alias_level alias; /* of the settings */
	enum load_mark mark;
	const struct launch *traced; /* that the trace is in the middle of */
	bool left_out;               /* the notice that a kernel is not in the trace has been printed */
	uint64_t launches, instructions, heap_blocks;
	uint64_t texts; /* address of the texts of errors for kernels; 0: not placed yet */
	uint32_t stack; /* bytes of stack per thread for calls without a bound; 0: the program did not set it */
};

#endif
