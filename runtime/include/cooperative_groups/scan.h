/* Prefix sums over a tile or a coalesced group, with any associative operation. */
#ifndef ROMARK_COOPERATIVE_GROUPS_SCAN_H
#define ROMARK_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

#if defined(ROMARK_CUDA)

namespace cooperative_groups
{

template <class Group, class T, class Operation>
ROMARK_CG T inclusive_scan(const Group &group, T value, Operation operation)
{
	for (unsigned distance = 1; distance < group.size(); distance *= 2) {
		T before = group.shfl_up(value, distance);

		if (group.thread_rank() >= distance)
			value = operation(before, value);
	}
	return value;
}

template <class Group, class T>
ROMARK_CG T inclusive_scan(const Group &group, T value)
{
	return inclusive_scan(group, value, plus<T>());
}

template <class Group, class T, class Operation>
ROMARK_CG T exclusive_scan(const Group &group, T value, Operation operation)
{
	T before = group.shfl_up(inclusive_scan(group, value, operation), 1);

	return group.thread_rank() ? before : T();
}

template <class Group, class T>
ROMARK_CG T exclusive_scan(const Group &group, T value)
{
	return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif
#endif
