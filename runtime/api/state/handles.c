/*
 * Objects lie one behind another in blocks of memory. When all objects of a block are gone, its pages go back to the
 * system. Its addresses stay reserved, so that each address is used only once.
 */
#include "runtime/api/state/handles.h"

#include "common/integer.h"
#include "runtime/api/state/state.h"

#include <uthash.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BLOCK_BYTES = 256 << 10, PAGE_BYTES = 4096, OBJECT_ALIGN = 16 };

struct handle_block {
	struct handle_block *next;
	size_t used; /* bytes, this header included */
	size_t live; /* objects */
};

/* In front of each object. */
struct handle_entry {
	const void *object;
	enum handle_kind kind;
	UT_hash_handle hh;
};

static size_t aligned(size_t bytes)
{
	return round_up(bytes, OBJECT_ALIGN);
}

static struct handle_block *block_of(void *object)
{
	return (struct handle_block *)((uintptr_t)object & ~(uintptr_t)(BLOCK_BYTES - 1));
}

/* Empties all pages but the first; they then read as zero and use no memory. */
static void discard(struct handle_block *block)
{
	block->used = BLOCK_BYTES;
	madvise((char *)block + PAGE_BYTES, BLOCK_BYTES - PAGE_BYTES, MADV_DONTNEED);
}

/* The newest block, with room for an object. */
static struct handle_block *roomy_block(struct runtime *rt, size_t bytes)
{
	struct handle_block *block = rt->handles.blocks;

	if (block && bytes <= BLOCK_BYTES - block->used)
		return block;
	if (block && !block->live)
		discard(block);
	block = aligned_alloc(BLOCK_BYTES, BLOCK_BYTES);
	if (!block || bytes > BLOCK_BYTES - aligned(sizeof *block))
		BUG("no memory for an object of %zu bytes", bytes);
	*block = (struct handle_block){rt->handles.blocks, aligned(sizeof *block), 0};
	rt->handles.blocks = block;
	return block;
}

static struct handle_entry *entry_of(const struct runtime *rt, const void *object)
{
	struct handle_entry *entry;

	HASH_FIND_PTR(rt->handles.live, &object, entry);
	return entry;
}

void *handle_new(enum handle_kind kind, size_t size)
{
	struct runtime *rt = runtime_lock();
	size_t bytes = aligned(sizeof(struct handle_entry)) + aligned(size);
	struct handle_block *block = roomy_block(rt, bytes);
	struct handle_entry *entry = (struct handle_entry *)((char *)block + block->used);

	memset(entry, 0, bytes);
	entry->object = (char *)entry + aligned(sizeof *entry);
	entry->kind = kind;
	HASH_ADD_PTR(rt->handles.live, object, entry);
	block->used += bytes;
	block->live++;
	runtime_unlock();
	return (void *)(uintptr_t)entry->object;
}

bool handle_is(enum handle_kind kind, const void *handle)
{
	const struct handle_entry *entry = entry_of(runtime_lock(), handle);
	bool is = entry && entry->kind == kind;

	runtime_unlock();
	return is;
}

void handle_free(void *handle)
{
	struct runtime *rt = runtime_lock();
	struct handle_block *block = block_of(handle);
	struct handle_entry *entry = entry_of(rt, handle);

	if (!entry)
		BUG("%p is freed twice", handle);
	HASH_DEL(rt->handles.live, entry);
	block->live--;
	if (!block->live && block != rt->handles.blocks)
		discard(block);
	runtime_unlock();
}

/* The table keeps the order in which objects were made. */
void *handle_next(enum handle_kind kind, const void *previous)
{
	const struct runtime *rt = runtime_lock();
	const struct handle_entry *entry = previous ? entry_of(rt, previous)->hh.next : rt->handles.live;

	while (entry && entry->kind != kind)
		entry = entry->hh.next;
	runtime_unlock();
	return entry ? (void *)(uintptr_t)entry->object : NULL;
}
