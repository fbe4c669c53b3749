/*
 * Cooperative groups: blocks, tiles of a warp, the threads that happen to be together, and the whole grid, each with
 * size, rank, synchronisation and (within a warp) exchange. cooperative_groups/reduce.h and scan.h build on it.
 */
#ifndef ROMARK_COOPERATIVE_GROUPS_H
#define ROMARK_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#if defined(ROMARK_CUDA)

#define ROMARK_CG static __device__ __forceinline__
#define ROMARK_CG_MEMBER __device__ __forceinline__
#define ROMARK_CG_LANES(name, shuffle, type)                                                                           \
	template <class T>                                                                                             \
	ROMARK_CG T name(unsigned mask, T value, type where, int width = 32)                                           \
	{                                                                                                              \
		return by_words(value, [=](int word) { return shuffle(mask, word, where, width); });                   \
	}

namespace cooperative_groups
{

namespace details
{
ROMARK_CG unsigned lane_id()
{
	return __nvvm_read_ptx_sreg_laneid();
}
ROMARK_CG unsigned lanes_below()
{
	return __nvvm_read_ptx_sreg_lanemask_lt();
}
ROMARK_CG unsigned block_threads()
{
	return blockDim.x * blockDim.y * blockDim.z;
}
ROMARK_CG unsigned rank_in_block()
{
	return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
ROMARK_CG unsigned long long grid_blocks()
{
	return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}
ROMARK_CG unsigned long long block_in_grid()
{
	return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

/* The lane at position `rank` among the lanes of `mask`. */
ROMARK_CG unsigned lane_of_rank(unsigned mask, unsigned rank)
{
	while (rank--)
		mask &= mask - 1;
	return __ffs((int)mask) - 1;
}

/* Values of any type go from lane to lane word by word. */
template <class T, class Shuffle>
ROMARK_CG T by_words(T value, Shuffle shuffle)
{
	int words[(sizeof(T) + 3) / 4] = {};

	__builtin_memcpy(words, &value, sizeof value);
#pragma unroll
	for (unsigned i = 0; i < (sizeof(T) + 3) / 4; i++)
		words[i] = shuffle(words[i]);
	__builtin_memcpy(&value, words, sizeof value);
	return value;
}

ROMARK_CG_LANES(from_lane, __shfl_sync, int)
ROMARK_CG_LANES(from_above, __shfl_down_sync, unsigned)
ROMARK_CG_LANES(from_below, __shfl_up_sync, unsigned)
ROMARK_CG_LANES(from_partner, __shfl_xor_sync, int)
#undef ROMARK_CG_LANES

/*
 * All blocks of the grid meet. Each adds its share to a counter, whose top bit flips with the last arrival. The blocks
 * must all be resident, which cudaLaunchCooperativeKernel makes sure of.
 */
ROMARK_CG void grid_barrier()
{
	static __device__ unsigned arrived;

	__syncthreads();
	if (rank_in_block() == 0) {
		unsigned others = (unsigned)grid_blocks() - 1;
		unsigned share = block_in_grid() == 0 ? 0x80000000u - others : 1u;
		unsigned old;

		__threadfence();
		old = atomicAdd(&arrived, share);
		while (((old ^ *(volatile unsigned *)&arrived) & 0x80000000u) == 0)
			;
		__threadfence();
	}
	__syncthreads();
}
} // namespace details

/* --- The block --- */

class thread_block
{
public:
	ROMARK_CG_MEMBER static void sync()
	{
		__syncthreads();
	}
	ROMARK_CG_MEMBER static unsigned thread_rank()
	{
		return details::rank_in_block();
	}
	ROMARK_CG_MEMBER static unsigned size()
	{
		return details::block_threads();
	}
	ROMARK_CG_MEMBER static unsigned num_threads()
	{
		return details::block_threads();
	}
	ROMARK_CG_MEMBER static dim3 group_index()
	{
		return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
	}
	ROMARK_CG_MEMBER static dim3 thread_index()
	{
		return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
	}
	ROMARK_CG_MEMBER static dim3 group_dim()
	{
		return dim3(blockDim.x, blockDim.y, blockDim.z);
	}
	ROMARK_CG_MEMBER static dim3 dim_threads()
	{
		return group_dim();
	}
};

ROMARK_CG thread_block this_thread_block()
{
	return thread_block();
}

/* --- The grid --- */

class grid_group
{
public:
	ROMARK_CG_MEMBER bool is_valid() const
	{
		return true;
	}
	ROMARK_CG_MEMBER void sync() const
	{
		details::grid_barrier();
	}
	ROMARK_CG_MEMBER static unsigned long long size()
	{
		return details::grid_blocks() * details::block_threads();
	}
	ROMARK_CG_MEMBER static unsigned long long num_threads()
	{
		return size();
	}
	ROMARK_CG_MEMBER static unsigned long long thread_rank()
	{
		return details::block_in_grid() * details::block_threads() + details::rank_in_block();
	}
	ROMARK_CG_MEMBER static dim3 group_dim()
	{
		return dim3(gridDim.x, gridDim.y, gridDim.z);
	}
	ROMARK_CG_MEMBER static dim3 dim_blocks()
	{
		return group_dim();
	}
	ROMARK_CG_MEMBER static dim3 block_index()
	{
		return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
	}
	ROMARK_CG_MEMBER static unsigned long long num_blocks()
	{
		return details::grid_blocks();
	}
	ROMARK_CG_MEMBER static unsigned long long block_rank()
	{
		return details::block_in_grid();
	}
};

ROMARK_CG grid_group this_grid()
{
	return grid_group();
}

/* --- Parts of a warp --- */

/* The lanes of `mask`. Where they are not consecutive, the ranks of other lanes are translated to lanes. */
class coalesced_group
{
	unsigned mask, parts, part;

public:
	ROMARK_CG_MEMBER explicit coalesced_group(unsigned lanes, unsigned groups = 1, unsigned group = 0)
	    : mask(lanes), parts(groups), part(group)
	{
	}
	ROMARK_CG_MEMBER unsigned lanes() const
	{
		return mask;
	}
	ROMARK_CG_MEMBER void sync() const
	{
		__syncwarp(mask);
	}
	ROMARK_CG_MEMBER unsigned size() const
	{
		return __popc(mask);
	}
	ROMARK_CG_MEMBER unsigned num_threads() const
	{
		return size();
	}
	ROMARK_CG_MEMBER unsigned thread_rank() const
	{
		return __popc(mask & details::lanes_below());
	}
	ROMARK_CG_MEMBER unsigned meta_group_size() const
	{
		return parts;
	}
	ROMARK_CG_MEMBER unsigned meta_group_rank() const
	{
		return part;
	}
	template <class T>
	ROMARK_CG_MEMBER T shfl(T value, unsigned rank) const
	{
		return details::from_lane(mask, value, (int)details::lane_of_rank(mask, rank % size()));
	}
	template <class T>
	ROMARK_CG_MEMBER T shfl_up(T value, unsigned delta) const
	{
		unsigned rank = thread_rank();

		return details::from_lane(mask, value,
					  (int)details::lane_of_rank(mask, rank < delta ? rank : rank - delta));
	}
	template <class T>
	ROMARK_CG_MEMBER T shfl_down(T value, unsigned delta) const
	{
		unsigned rank = thread_rank(), from = rank + delta < size() ? rank + delta : rank;

		return details::from_lane(mask, value, (int)details::lane_of_rank(mask, from));
	}
	ROMARK_CG_MEMBER int any(int predicate) const
	{
		return __any_sync(mask, predicate);
	}
	ROMARK_CG_MEMBER int all(int predicate) const
	{
		return __all_sync(mask, predicate);
	}
	/* Bit r of the result is the predicate of the thread of rank r. */
	ROMARK_CG_MEMBER unsigned ballot(int predicate) const
	{
		return pack(__ballot_sync(mask, predicate));
	}
	template <class T>
	ROMARK_CG_MEMBER unsigned match_any(T value) const
	{
		return pack(__match_any_sync(mask, value));
	}
	template <class T>
	ROMARK_CG_MEMBER unsigned match_all(T value, int &predicate) const
	{
		return pack(__match_all_sync(mask, value, &predicate));
	}

private:
	ROMARK_CG_MEMBER unsigned pack(unsigned lanes) const
	{
		unsigned packed = 0, rank = 0;

		for (unsigned rest = mask; rest; rest &= rest - 1, rank++)
			packed |= (lanes >> (__ffs((int)rest) - 1) & 1) << rank;
		return packed;
	}
};

ROMARK_CG coalesced_group coalesced_threads()
{
	return coalesced_group(__activemask());
}

/* `Size` consecutive lanes, a power of two up to 32. */
template <unsigned Size, class Parent = void>
class thread_block_tile
{
	static_assert(Size && Size <= 32 && (Size & (Size - 1)) == 0, "tiles have 1, 2, 4, 8, 16 or 32 threads");

public:
	thread_block_tile() = default;
	template <class Other>
	ROMARK_CG_MEMBER thread_block_tile(const thread_block_tile<Size, Other> &)
	{
	}
	ROMARK_CG_MEMBER static unsigned lanes()
	{
		return (Size == 32 ? 0xffffffffu : (1u << Size % 32) - 1) << (details::lane_id() & ~(Size - 1));
	}
	ROMARK_CG_MEMBER static void sync()
	{
		__syncwarp(lanes());
	}
	ROMARK_CG_MEMBER static constexpr unsigned size()
	{
		return Size;
	}
	ROMARK_CG_MEMBER static constexpr unsigned num_threads()
	{
		return Size;
	}
	ROMARK_CG_MEMBER static unsigned thread_rank()
	{
		return details::rank_in_block() & (Size - 1);
	}
	ROMARK_CG_MEMBER static unsigned meta_group_rank()
	{
		return details::rank_in_block() / Size;
	}
	ROMARK_CG_MEMBER static unsigned meta_group_size()
	{
		return (details::block_threads() + Size - 1) / Size;
	}
	template <class T>
	ROMARK_CG_MEMBER T shfl(T value, int rank) const
	{
		return details::from_lane(lanes(), value, rank, Size);
	}
	template <class T>
	ROMARK_CG_MEMBER T shfl_up(T value, unsigned delta) const
	{
		return details::from_below(lanes(), value, delta, Size);
	}
	template <class T>
	ROMARK_CG_MEMBER T shfl_down(T value, unsigned delta) const
	{
		return details::from_above(lanes(), value, delta, Size);
	}
	template <class T>
	ROMARK_CG_MEMBER T shfl_xor(T value, unsigned other) const
	{
		return details::from_partner(lanes(), value, (int)other, Size);
	}
	ROMARK_CG_MEMBER int any(int predicate) const
	{
		return __any_sync(lanes(), predicate);
	}
	ROMARK_CG_MEMBER int all(int predicate) const
	{
		return __all_sync(lanes(), predicate);
	}
	ROMARK_CG_MEMBER unsigned ballot(int predicate) const
	{
		return __ballot_sync(lanes(), predicate) >> (details::lane_id() & ~(Size - 1));
	}
	template <class T>
	ROMARK_CG_MEMBER unsigned match_any(T value) const
	{
		return __match_any_sync(lanes(), value) >> (details::lane_id() & ~(Size - 1));
	}
	template <class T>
	ROMARK_CG_MEMBER unsigned match_all(T value, int &predicate) const
	{
		return __match_all_sync(lanes(), value, &predicate) >> (details::lane_id() & ~(Size - 1));
	}
};

template <unsigned Size, class Parent>
ROMARK_CG thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
	return thread_block_tile<Size, Parent>();
}

/* --- A group of any kind --- */

/* A block (`mask` is 0), or some lanes of a warp. */
class thread_group
{
	unsigned mask;

public:
	ROMARK_CG_MEMBER thread_group(const thread_block &) : mask(0)
	{
	}
	ROMARK_CG_MEMBER thread_group(const coalesced_group &group) : mask(group.lanes())
	{
	}
	template <unsigned Size, class Parent>
	ROMARK_CG_MEMBER thread_group(const thread_block_tile<Size, Parent> &tile) : mask(tile.lanes())
	{
	}
	ROMARK_CG_MEMBER explicit thread_group(unsigned lanes) : mask(lanes)
	{
	}
	ROMARK_CG_MEMBER void sync() const
	{
		if (mask)
			__syncwarp(mask);
		else
			__syncthreads();
	}
	ROMARK_CG_MEMBER unsigned size() const
	{
		return mask ? (unsigned)__popc(mask) : details::block_threads();
	}
	ROMARK_CG_MEMBER unsigned num_threads() const
	{
		return size();
	}
	ROMARK_CG_MEMBER unsigned thread_rank() const
	{
		return mask ? (unsigned)__popc(mask & details::lanes_below()) : details::rank_in_block();
	}
};

ROMARK_CG thread_group tiled_partition(const thread_group &, unsigned size)
{
	unsigned ones = size >= 32 ? 0xffffffffu : (1u << size) - 1;

	return thread_group(ones << (details::lane_id() & ~(size - 1)));
}

/* The threads of `group` with the same label. */
template <class Group, class Label>
ROMARK_CG coalesced_group labeled_partition(const Group &group, Label label)
{
	return coalesced_group(__match_any_sync(group.lanes(), label));
}

template <class Group>
ROMARK_CG coalesced_group binary_partition(const Group &group, bool predicate)
{
	unsigned yes = __ballot_sync(group.lanes(), predicate);

	return coalesced_group(predicate ? yes : group.lanes() & ~yes, 2, predicate ? 0 : 1);
}

template <class Group>
ROMARK_CG void sync(const Group &group)
{
	group.sync();
}

template <class Group>
ROMARK_CG unsigned thread_rank(const Group &group)
{
	return group.thread_rank();
}

template <class Group>
ROMARK_CG unsigned group_size(const Group &group)
{
	return group.size();
}

/* The thread with rank 0 calls the function. */
template <class Group, class Function>
ROMARK_CG void invoke_one(const Group &group, Function function)
{
	if (group.thread_rank() == 0)
		function();
}

} // namespace cooperative_groups

#endif
#endif
