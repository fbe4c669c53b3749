/*
 * What looks on while a launch runs: the trace writer, the check of read-only marks (ROMARK_VERIFY) and the bounds
 * check (ROMARK_MEMCHECK). Kernels that are observed have their own decoded code, in which memory instructions go
 * through observe_access first; others run without any of this.
 */
#ifndef ROMARK_CPU_OBSERVE_H
#define ROMARK_CPU_OBSERVE_H

#include "runtime/cpu/engine/engine.h"
#include "trace/trace.h"

struct verify;

/* What a CTA did while an older one was not finished: written when its turn comes. */
struct recording {
	VEC(uint64_t) words;
};

struct observer {
	struct trace_writer *trace; /* NULL: this launch is not traced */
	struct verify *verify;      /* NULL: not checked */
	bool memcheck;
};

struct cpu_device;

/* There is a trace, and it is to have the kernel. */
bool kernel_is_traced(const struct cpu_device *device, const char *kernel);
/* Puts observe_access before every memory instruction of the program. */
void program_observe(struct program *program);
void observe_block(struct warp *w, const struct block *block);

/* CTAs start in order and may end in any; what they did is written in the order in which they started. */
void observe_cta_start(struct cta *cta, bool oldest);
/* `cta` has become the oldest: what it did so far is written. */
void observe_cta_oldest(struct cta *cta);
/* The oldest has ended. */
void observe_cta_end(struct cta *cta);

/* --- verify.c: no store may touch bytes that a marked load of the launch read, before or after it --- */

struct verify *verify_new(void);
void verify_free(struct verify *v);
/* The instruction that contradicts this access, or NULL. */
const struct inst *verify_access(struct verify *v, const struct inst *in, bool reads, bool writes, uint64_t address,
				 uint32_t bytes);

/* --- tables.c: the static part of the trace --- */

/* Adds the kernel with its instruction table; returns its id. */
uint32_t trace_program(struct trace_writer *writer, const struct program *program);

#endif
