/* Kernel and launch records: between the structs of trace.h and a chunk's bytes. */
#ifndef ROMARK_TRACE_TABLES_H
#define ROMARK_TRACE_TABLES_H

#include "common/arena.h"
#include "trace/bytes.h"
#include "trace/trace.h"

void put_kernel(struct bytes *out, const struct trace_kernel *kernel);
void put_launch(struct bytes *out, const struct trace_launch *launch, uint32_t nstructures, uint32_t ninsts);

/*
 * Each returns NULL, or what is wrong with the record; the data that it reads lives in `arena`. `version`: of the file.
 */
const char *get_kernel(const uint8_t *data, size_t size, uint32_t version, struct arena *arena,
		       struct trace_kernel *kernel);
/* `kernels`: the tables that came before, in order. */
const char *get_launch(const uint8_t *data, size_t size, uint32_t version, struct arena *arena,
		       const struct trace_kernel *const *kernels, size_t nkernels, struct trace_launch *launch);

/* TRACE_HAS_ACCESS rows before the first row of each block. */
const uint32_t *count_first_accesses(const struct trace_kernel *kernel, struct arena *arena);
/* Warps that one CTA of the launch has. */
uint32_t warps_per_cta(const struct trace_launch *launch);

#endif
