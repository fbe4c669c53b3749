/*
 * A device for tests of the API: memory is the host's, modules are texts, and a launch is a record that the test reads.
 * It stands in for the CPU device under its name.
 */
#ifndef ROMARK_TESTS_MOCK_DEVICE_H
#define ROMARK_TESTS_MOCK_DEVICE_H

#include "runtime/cpu/cpu.h"

enum { MOCK_MAX_PARAM_BYTES = 256, MOCK_MAX_PARAMS = 8 };

struct mock {
	/* The calls so far. */
	unsigned opened, launches, loads, unloads, synchronizes;
	struct launch_params last;
	unsigned char params[MOCK_MAX_PARAM_BYTES];
	size_t live_allocations;
	/* Results for later calls. */
	enum device_status launch_status;
	uint32_t nparams, param_sizes[MOCK_MAX_PARAMS], param_offsets[MOCK_MAX_PARAMS];
	size_t param_bytes;
	uint32_t registers, static_shared, max_threads;
	void (*on_launch)(const struct launch_params *params);
};

extern struct mock mock;

#endif
