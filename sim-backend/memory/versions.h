/*
 * Versions of sectors: follows each 32 B sector through slices and memory, and notices a request that is served an old
 * value. The model holds no data. Here each write gives its sectors a version, a number larger than all before. Slices,
 * memory and packets between them hold versions. It is for `romark sim --verify-values` and tests; it changes no
 * result.
 *
 *   A slice that looks a line up in its home must serve the latest version. A slice that holds a copy must serve a
 *   version that is not older than the kernel: within a kernel, SMs that write and read the same data through different
 *   copies see each other by luck, on hardware too. When several slices have written a sector in a kernel, any of their
 *   latest writes may have won. A sector that no kernel has written since is the same in all slices that serve it.
 *
 * When a slice that does not hold a sector writes part of it, the model treats the whole sector as written.
 */
#ifndef ROMARK_SIM_VERSIONS_H
#define ROMARK_SIM_VERSIONS_H

#include <stdbool.h>
#include <stdint.h>

struct versions;

struct versions *versions_create(void);
void versions_free(struct versions *v);
/* From here on writes of a line come to memory in the order of its writers: directories see to that. */
void versions_are_ordered(struct versions *v);

/* From here on all earlier writes are older than the kernel. */
void versions_kernel(struct versions *v);
/* `slice` took a write or an atomic. */
void versions_written(struct versions *v, unsigned slice, uint64_t line, uint8_t sectors);
/* `slice` sends sectors to memory: a number for what travels, to be passed to versions_in_memory. */
uint32_t versions_sent(struct versions *v, unsigned slice, uint64_t line, uint8_t sectors);
/* Memory executes that write. */
void versions_in_memory(struct versions *v, uint64_t line, uint32_t sent);
/* Memory executes a read: a number for what travels, to be passed to versions_filled. */
uint32_t versions_read(struct versions *v, uint64_t line);
/* The line has come to `slice`, which keeps the sectors in `dirty`. */
void versions_filled(struct versions *v, unsigned slice, uint64_t line, uint32_t read, uint8_t dirty);
/* `slice` serves sectors; `copy`: it need not be the line's only place. */
void versions_served(struct versions *v, unsigned slice, uint64_t line, uint8_t sectors, bool copy);
/* A sentence about the first request that was served an older value, NULL when there is none. */
const char *versions_violation(const struct versions *v);

#endif
