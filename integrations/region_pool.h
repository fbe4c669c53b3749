/*
 * A pool of device memory that works like the pools of frameworks. Small requests share blocks of 2 MB, middle ones
 * share blocks of 20 MB, and each large request has its own block. The pool cuts a multiple of 512 bytes from the
 * smallest free piece that is large enough. Pieces that come back join their free neighbours. The pool tells romark
 * about each piece that it hands out.
 *
 *   romark::region_pool pool;                       // memory is taken again only in the order of its own stream
 *   void *p = pool.take(1000, stream);              // NULL: there is no memory
 *   pool.give(p, stream);
 */
#ifndef ROMARK_REGION_POOL_H
#define ROMARK_REGION_POOL_H

#include <cuda_runtime_api.h>

#include <romark.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace romark
{

class region_pool
{
public:
	/* `tells`: whether romark hears of it. Memory that is handed out without that is one allocation for romark. */
	explicit region_pool(bool tells = true) : tells_(tells)
	{
	}

	void *take(std::size_t size, cudaStream_t stream)
	{
		std::lock_guard<std::mutex> guard(lock_);
		std::size_t bytes = rounded(size);
		piece *found = find(bytes, stream);

		if (!found)
			return nullptr;
		cut(found, bytes);
		found->taken = true;
		if (tells_)
			romark_region(found->start, size ? size : 1, stream);
		taken_[found->start] = found;
		return found->start;
	}

	void give(void *p, cudaStream_t stream)
	{
		std::lock_guard<std::mutex> guard(lock_);
		auto at = taken_.find(static_cast<char *>(p));

		if (at == taken_.end())
			return;
		if (tells_)
			romark_region_end(p, stream);
		piece *back = at->second;
		taken_.erase(at);
		back->taken = false;
		if (back->next && !back->next->taken)
			join(back, back->next);
		if (back->before && !back->before->taken) {
			back = back->before;
			join(back, back->next);
		}
		put(back);
	}

private:
	static constexpr std::size_t unit = 512, small = 1u << 20, small_block = 2u << 20, large = 10u << 20,
				     block = 20u << 20;

	/* Part of a block; neighbours in the same block are linked. */
	struct piece {
		char *start;
		std::size_t bytes;
		cudaStream_t stream;
		bool is_small, taken;
		piece *before, *next;
	};

	/* A list has the free pieces of a stream and kind, smallest first. */
	struct order {
		bool operator()(const piece *a, const piece *b) const
		{
			return std::make_pair(a->bytes, a->start) < std::make_pair(b->bytes, b->start);
		}
	};
	typedef std::set<piece *, order> free_list;

	/* Adds a byte, so that the end of a piece is never the start of another. */
	static std::size_t rounded(std::size_t size)
	{
		return size / unit * unit + unit;
	}

	void put(piece *p)
	{
		free_[std::make_pair(p->stream, p->is_small)].insert(p);
	}

	void remove(piece *p)
	{
		free_[std::make_pair(p->stream, p->is_small)].erase(p);
	}

	piece *find(std::size_t bytes, cudaStream_t stream)
	{
		bool is_small = bytes <= small;
		free_list &list = free_[std::make_pair(stream, is_small)];
		piece least = {nullptr, bytes, stream, is_small, false, nullptr, nullptr};
		auto at = list.lower_bound(&least);

		if (at == list.end())
			return make_block(bytes, stream, is_small);
		piece *found = *at;
		list.erase(at);
		return found;
	}

	static piece *make_block(std::size_t bytes, cudaStream_t stream, bool is_small)
	{
		std::size_t size = is_small ? small_block : bytes < large ? block : bytes;
		void *p = nullptr;

		if (cudaMalloc(&p, size) != cudaSuccess)
			return nullptr;
		return new piece{static_cast<char *>(p), size, stream, is_small, false, nullptr, nullptr};
	}

	/* Keeps the first `bytes` of the piece and frees the rest. */
	void cut(piece *p, std::size_t bytes)
	{
		if (p->bytes == bytes)
			return;
		piece *rest = new piece{p->start + bytes, p->bytes - bytes, p->stream, p->is_small, false, p, p->next};
		if (rest->next)
			rest->next->before = rest;
		p->next = rest;
		p->bytes = bytes;
		put(rest);
	}

	/* `behind` is free, and so may be `first`. */
	void join(piece *first, piece *behind)
	{
		remove(first);
		remove(behind);
		first->bytes += behind->bytes;
		first->next = behind->next;
		if (first->next)
			first->next->before = first;
		delete behind;
	}

	bool tells_;
	std::mutex lock_;
	std::map<char *, piece *> taken_;
	std::map<std::pair<cudaStream_t, bool>, free_list> free_;
};

} // namespace romark

#endif
