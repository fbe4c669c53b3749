/* The CPU device's range of addresses and its owners. allocation_tree.c finds free room. */
#include "runtime/cpu/engine/device_memory.h"
#include "common/integer.h"
#include "common/xalloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0
#endif

int memory_open(struct memory *m, struct diag *d)
{
	void *at = mmap(memory_host(MEMORY_BASE), MEMORY_BYTES, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	*m = (struct memory){.heap_limit = USUAL_HEAP_BYTES};
	if (at == MAP_FAILED)
		return diag_file(d, NULL, "cannot reserve %llu MiB of addresses for device memory: %s",
				 (unsigned long long)(MEMORY_BYTES >> 20), strerror(errno));
	if (at != memory_host(MEMORY_BASE)) {
		munmap(at, MEMORY_BYTES);
		return diag_file(d, NULL, "the addresses of device memory (0x%llx) are in use in this process",
				 (unsigned long long)MEMORY_BASE);
	}
	return 0;
}

static void free_allocation(struct allocation *a)
{
	free(a->name);
	free(a->made);
	free(a->gone);
	free(a);
}

static char *take_place(struct memory *m)
{
	char *place = m->place;

	m->place = NULL;
	return place;
}

void memory_note_place(struct memory *m, char *place)
{
	free(m->place);
	m->place = place;
}

void memory_close(struct memory *m)
{
	while (m->live.root)
		free_allocation(tree_remove(&m->live, m->live.root->address));
	vec_release(&m->freed);
	undefined_free(m->undefined);
	free(m->place);
	munmap(memory_host(MEMORY_BASE), MEMORY_BYTES);
	*m = (struct memory){0};
}

static void add(struct memory *m, uint64_t address, uint64_t size, const char *name, enum memory_owner owner)
{
	struct allocation *a = xcalloc(1, sizeof *a);
	uint64_t end;

	a->address = address;
	a->size = size;
	a->name = xstrdup(name);
	a->owner = owner;
	a->made = take_place(m);
	tree_add(&m->live, a);
	m->changes++;
	end = allocation_end(a) - MEMORY_BASE;
	m->used += allocation_end(a) - address;
	m->top = end > m->top ? end : m->top;
	if (owner != MEMORY_VARIABLE)
		m->programs = end > m->programs ? end : m->programs;
}

static bool find_gap(struct memory *m, uint64_t from, uint64_t size, uint64_t align, uint64_t *address)
{
	const struct gap_request request = {.from = from > MEMORY_BASE ? from : MEMORY_BASE,
					    .end = MEMORY_BASE + MEMORY_BYTES,
					    .size = round_up(size, MEMORY_ALIGN),
					    .align = align};

	return size <= MEMORY_BYTES && tree_gap(&m->live, &request, address);
}

/* --- Freed allocations that are kept --- */

/* Beyond one of these the oldest goes. */
enum { MAX_FREED = 1 << 16 };
#define MAX_FREED_BYTES (UINT64_C(1) << 30)

static void forget_oldest(struct memory *m)
{
	struct allocation *a = tree_remove(&m->live, m->freed.data[m->first_freed++]);

	m->freed_bytes -= a->size;
	free_allocation(a);
	if (m->first_freed < m->freed.len / 2)
		return;
	m->freed.len -= m->first_freed;
	memmove(m->freed.data, m->freed.data + m->first_freed, m->freed.len * sizeof *m->freed.data);
	m->first_freed = 0;
}

static size_t count_freed(const struct memory *m)
{
	return m->freed.len - m->first_freed;
}

static void keep_freed(struct memory *m, struct allocation *a)
{
	a->freed = true;
	vec_push(&m->freed, a->address);
	m->freed_bytes += a->size;
	while (count_freed(m) > MAX_FREED || m->freed_bytes > MAX_FREED_BYTES)
		forget_oldest(m);
}

const struct allocation *memory_freed(const struct memory *m, uint64_t address)
{
	const struct allocation *a = tree_below(&m->live, address);

	return a && a->freed && address - a->address < a->size ? a : NULL;
}

static bool alloc(struct memory *m, uint64_t from, uint64_t size, uint64_t align, const char *name,
		  enum memory_owner owner, uint64_t *address)
{
	bool found;

	size = size ? size : 1;
	while (!(found = find_gap(m, from, size, align, address)) && count_freed(m))
		forget_oldest(m);
	if (!found)
		return false;
	add(m, *address, size, name, owner);
	return true;
}

bool memory_alloc(struct memory *m, uint64_t size, const char *name, uint64_t *address)
{
	return alloc(m, MEMORY_BASE, size, MEMORY_ALIGN, name, MEMORY_PROGRAM, address);
}

bool memory_alloc_above(struct memory *m, uint64_t from, uint64_t size, uint64_t align, const char *name,
			uint64_t *address)
{
	return alloc(m, from, size, align, name, MEMORY_VARIABLE, address);
}

uint64_t memory_apart(struct memory *m, uint64_t size)
{
	uint64_t start;

	if (size > MEMORY_BYTES || !find_gap(m, MEMORY_BASE + m->programs, size + MEMORY_GAP, MEMORY_ALIGN, &start))
		return MEMORY_BASE;
	return start > MEMORY_BASE ? start + MEMORY_GAP : start;
}

static uint64_t pages(uint64_t size)
{
	return round_up(size, MEMORY_PAGE);
}

bool memory_share(uint64_t address, uint64_t size, void *host)
{
	int file = memfd_create("romark", MFD_CLOEXEC);
	uint64_t bytes = pages(size);
	void *at = MAP_FAILED;

	if (file >= 0 && ftruncate(file, (off_t)bytes) == 0 &&
	    pwrite(file, memory_host(address), size, 0) == (ssize_t)size &&
	    pwrite(file, (char *)host + size, bytes - size, (off_t)size) == (ssize_t)(bytes - size))
		at = mmap(host, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
	if (at != MAP_FAILED)
		at = mmap(memory_host(address), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
	if (file >= 0)
		close(file);
	return at != MAP_FAILED;
}

void memory_unshare(uint64_t address, uint64_t size)
{
	(void)mmap(memory_host(address), pages(size), PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/* The system gets whole pages back, so that a program may use more memory over time than there is. */
static void discard(uint64_t address, uint64_t size)
{
	const uint64_t page = 4096;
	uint64_t start = round_up(address, page), end = (address + size) & ~(page - 1);

	if (end > start && end - start >= (1 << 20))
		madvise(memory_host(start), end - start, MADV_DONTNEED);
}

static void release(struct memory *m, struct allocation *a)
{
	m->changes++;
	m->used -= allocation_end(a) - a->address;
	if (a->owner == MEMORY_HEAP)
		m->heap -= round_up(a->size, HEAP_ALIGN);
	discard(a->address, allocation_end(a) - a->address);
	if (m->undefined)
		undefined_clear(m->undefined, a->address, a->size);
	a->gone = take_place(m);
	if (m->keeps_freed && a->owner != MEMORY_VARIABLE)
		keep_freed(m, a);
	else
		free_allocation(tree_remove(&m->live, a->address));
}

bool memory_release(struct memory *m, uint64_t address)
{
	struct allocation *a = tree_below(&m->live, address);

	if (!a || a->address != address || a->freed)
		return false;
	release(m, a);
	return true;
}

const struct allocation *memory_below(const struct memory *m, uint64_t address)
{
	const struct allocation *a = tree_below(&m->live, address);

	while (a && a->freed)
		a = tree_below(&m->live, a->address - 1);
	return a;
}

const struct allocation *memory_above(const struct memory *m, uint64_t address)
{
	const struct allocation *a = tree_above(&m->live, address);

	while (a && a->freed)
		a = tree_above(&m->live, a->address);
	return a;
}

const struct allocation *memory_find(const struct memory *m, uint64_t address)
{
	const struct allocation *below = tree_below(&m->live, address);

	return below && !below->freed && address - below->address < below->size ? below : NULL;
}

/* --- The heap of kernels --- */

bool memory_alloc_heap(struct memory *m, uint64_t size, const char *name, uint64_t *address)
{
	uint64_t bytes;

	size = size ? size : 1;
	bytes = round_up(size, HEAP_ALIGN);
	if (size > m->heap_limit || bytes > m->heap_limit - m->heap ||
	    !alloc(m, MEMORY_BASE, size, MEMORY_ALIGN, name, MEMORY_HEAP, address))
		return false;
	if (m->undefined)
		undefined_set(m->undefined, *address, size);
	m->heap += bytes;
	return true;
}

bool memory_release_heap(struct memory *m, uint64_t address)
{
	const struct allocation *a = tree_below(&m->live, address);

	return a && a->owner == MEMORY_HEAP && memory_release(m, address);
}

void memory_clear_heap(struct memory *m)
{
	const struct allocation *a, *next;

	for (a = memory_above(m, 0); a; a = next) {
		next = memory_above(m, a->address);
		if (a->owner == MEMORY_HEAP)
			memory_release(m, a->address);
	}
}
