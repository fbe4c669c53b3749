/*
 * Follows the value of every 32 B sector through slices and memory, and notices a request that is served an older one.
 * The model holds no data. Here each write gives its sectors a number, larger than all before. Slices, memory and
 * packets between them hold such numbers. It is for `romark sim --verify` and tests; it changes no result.
 *
 *   A slice that looks a line up in its home must serve the latest value. A slice that holds a copy must serve a value
 *   that is not older than the kernel: within a kernel, SMs that write and read the same data through different copies
 *   see each other by luck, on hardware too. When several slices have written a sector in a kernel, any of their latest
 *   writes may have won. A sector that no kernel has written since is the same in all slices that serve it.
 *
 * When a slice that does not hold a sector writes part of it, the model treats the whole sector as written.
 */
#ifndef ROMARK_SIM_VALUES_H
#define ROMARK_SIM_VALUES_H

#include <stdbool.h>
#include <stdint.h>

struct values;

struct values *values_create(void);
void values_free(struct values *v);
/* From here on writes of a line come to memory in the order of its writers: directories see to that. */
void values_are_ordered(struct values *v);

/* From here on all earlier writes are older than the kernel. */
void values_kernel(struct values *v);
/* `slice` took a write or an atomic. */
void values_written(struct values *v, unsigned slice, uint64_t line, uint8_t sectors);
/* `slice` sends sectors to memory: a number for what travels, to be passed to values_in_memory. */
uint32_t values_sent(struct values *v, unsigned slice, uint64_t line, uint8_t sectors);
/* Memory executes that write. */
void values_in_memory(struct values *v, uint64_t line, uint32_t sent);
/* Memory executes a read: a number for what travels, to be passed to values_filled. */
uint32_t values_read(struct values *v, uint64_t line);
/* The line has come to `slice`, which keeps the sectors in `dirty`. */
void values_filled(struct values *v, unsigned slice, uint64_t line, uint32_t read, uint8_t dirty);
/* `slice` serves sectors; `copy`: it need not be the line's only place. */
void values_served(struct values *v, unsigned slice, uint64_t line, uint8_t sectors, bool copy);
/* A sentence about the first request that was served an older value, NULL when there is none. */
const char *values_violation(const struct values *v);

#endif
