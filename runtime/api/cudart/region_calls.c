/* The functions behind romark.h, by which a program's own allocator reports what it hands out. */
#include "runtime/api/cudart/allocations.h"
#include "runtime/api/cudart/topics.h"

#include <stdio.h>

int romark_runtime_region(void *ptr, size_t size, void *stream);
int romark_runtime_region_end(void *ptr, void *stream);

static cudaError_t refuse(const struct diag *d)
{
	runtime_notice(d);
	return cudaErrorInvalidValue;
}

static cudaError_t add(struct runtime *rt, uint64_t address, size_t size)
{
	struct region_holder whole = {0};
	struct diag d = DIAG_INIT;
	char name[32], holder[48];
	size_t bytes;

	if (!rt->ops->find(rt->device, address, &whole.base, &bytes) || !allocation_at(rt, whole.base)) {
		diag_file(&d, NULL, "romark_region: 0x%llx is in no allocation", (unsigned long long)address);
		return refuse(&d);
	}
	whole.size = bytes;
	snprintf(holder, sizeof holder, "the allocation at 0x%llx", (unsigned long long)whole.base);
	whole.name = holder;
	snprintf(name, sizeof name, "region#%llu", (unsigned long long)rt->allocations.regions_made);
	if (regions_add(&rt->allocations.regions, &whole, address, size, name, &d) < 0)
		return refuse(&d);
	rt->allocations.regions_made++;
	return cudaSuccess;
}

/* All streams are served in the order of the calls, so a region begins and ends for what is called later. */
int romark_runtime_region(void *ptr, size_t size, void *stream)
{
	ENTER(rt);
	cudaError_t error = stream_check(stream);

	return runtime_leave(error ? error : add(rt, (uintptr_t)ptr, size));
}

int romark_runtime_region_end(void *ptr, void *stream)
{
	ENTER(rt);
	cudaError_t error = stream_check(stream);
	struct diag d = DIAG_INIT;

	if (!error && !regions_end(&rt->allocations.regions, (uintptr_t)ptr)) {
		diag_file(&d, NULL, "romark_region_end: no region starts at 0x%llx",
			  (unsigned long long)(uintptr_t)ptr);
		error = refuse(&d);
	}
	return runtime_leave(error);
}
