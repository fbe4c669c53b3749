/* memcpy_async and wait: the group's threads copy element by element; wait makes the copy visible to all of them. */
#ifndef ROMARK_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define ROMARK_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

#if defined(ROMARK_CUDA)

namespace cooperative_groups
{

template <class Group, class T>
ROMARK_CG void memcpy_async(const Group &group, T *to, const T *from, size_t bytes)
{
	for (size_t i = group.thread_rank(); i < bytes / sizeof(T); i += group.size())
		to[i] = from[i];
}

template <class Group>
ROMARK_CG void wait(const Group &group)
{
	group.sync();
}

template <class Group>
ROMARK_CG void wait_prior_all(const Group &group)
{
	group.sync();
}

} // namespace cooperative_groups

#endif
#endif
