/*
 * The time of cudaMalloc and cudaFree while many allocations are alive: the CPU device's allocator without the API.
 *
 *   bench_memory [ALLOCATIONS]    # 40,000 when it is left out
 */
#include "common/progress.h"
#include "common/xalloc.h"
#include "runtime/cpu/engine/device_memory.h"

#include <stdio.h>
#include <stdlib.h>

static void report(const char *what, size_t count, double seconds, uint64_t steps)
{
	printf("%-28s %8.0f ns each, %5.1f steps each\n", what, seconds / (double)count * 1e9,
	       (double)steps / (double)count);
}

/* A multiplier that is coprime to the count visits all in a scattered order. */
static size_t scattered(size_t i, size_t count)
{
	return i * 7919 % count;
}

int main(int argc, char **argv)
{
	size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 40000;
	uint64_t *address = xcalloc(count + 1, sizeof *address), before;
	struct diag d = DIAG_INIT;
	struct memory m;
	double start;

	if (memory_open(&m, &d) < 0) {
		diag_print(&d, stderr);
		return 1;
	}
	start = monotonic_seconds();
	for (size_t i = 0; i < count; i++)
		if (!memory_alloc(&m, 1000, "block", &address[i]))
			BUG("no memory for allocation %zu", i);
	report("allocate", count, monotonic_seconds() - start, m.live.steps);

	start = monotonic_seconds();
	for (size_t i = 0; i < count; i++)
		if (!memory_find(&m, address[scattered(i, count)] + 999))
			BUG("allocation %zu is lost", i);
	report("look an address up", count, monotonic_seconds() - start, 0);

	before = m.live.steps;
	start = monotonic_seconds();
	for (size_t i = 0; i < count; i++) {
		uint64_t *at = &address[scattered(i, count)];

		memory_release(&m, *at);
		memory_alloc(&m, 1000, "block", at);
	}
	report("free one, allocate one", count, monotonic_seconds() - start, m.live.steps - before);

	memory_close(&m);
	free(address);
	return 0;
}
