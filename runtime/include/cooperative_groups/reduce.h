/* reduce(group, value, operation) over a tile or a coalesced group, and the usual operations. */
#ifndef ROMARK_COOPERATIVE_GROUPS_REDUCE_H
#define ROMARK_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

#if defined(ROMARK_CUDA)

namespace cooperative_groups
{

#define ROMARK_CG_OPERATION(name, expression)                                                                          \
	template <class T>                                                                                             \
	struct name {                                                                                                  \
		ROMARK_CG_MEMBER T operator()(const T &a, const T &b) const                                            \
		{                                                                                                      \
			return expression;                                                                             \
		}                                                                                                      \
	};
ROMARK_CG_OPERATION(plus, a + b)
ROMARK_CG_OPERATION(less, b < a ? b : a)
ROMARK_CG_OPERATION(greater, a < b ? b : a)
ROMARK_CG_OPERATION(bit_and, a &b)
ROMARK_CG_OPERATION(bit_or, a | b)
ROMARK_CG_OPERATION(bit_xor, a ^ b)
#undef ROMARK_CG_OPERATION

template <unsigned Size, class Parent, class T, class Operation>
ROMARK_CG T reduce(const thread_block_tile<Size, Parent> &tile, T value, Operation operation)
{
	for (unsigned distance = Size / 2; distance; distance /= 2)
		value = operation(value, tile.shfl_xor(value, distance));
	return value;
}

/* Rank 0 combines the values in the order of ranks, and hands the result to all. */
template <class T, class Operation>
ROMARK_CG T reduce(const coalesced_group &group, T value, Operation operation)
{
	T sum = group.shfl(value, 0);

	for (unsigned rank = 1; rank < group.size(); rank++)
		sum = operation(sum, group.shfl(value, rank));
	return sum;
}

} // namespace cooperative_groups

#endif
#endif
