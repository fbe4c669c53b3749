/*
 * Finds how far the memory behind an address can be read, from the system's list of mapped memory. A damaged header
 * must not lead a reader beyond that.
 */
#include "ptx-analyzer/containers/container.h"

#include <inttypes.h>
#include <stdio.h>

/* Without /proc the end is not known, and readers trust the header. */
size_t readable_bytes(const void *address)
{
	uintptr_t start = (uintptr_t)address, end = start, low, high;
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512], readable;

	if (!maps)
		return SIZE_MAX / 2;
	while (fgets(line, sizeof line, maps))
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %c", &low, &high, &readable) == 3 && readable == 'r' &&
		    low <= end && end < high)
			end = high;
	fclose(maps);
	return end - start;
}
