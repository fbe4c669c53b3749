/* Allocations as a sorted array: programs have tens to thousands of them, and every launch looks them up by address. */
#include "runtime/cpu/engine/memory.h"
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

	*m = (struct memory){0};
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

void memory_close(struct memory *m)
{
	for (size_t i = 0; i < m->nlive; i++)
		free(m->live[i].name);
	free(m->live);
	munmap(memory_host(MEMORY_BASE), MEMORY_BYTES);
	*m = (struct memory){0};
}

static uint64_t rounded(uint64_t size)
{
	return (size + MEMORY_ALIGN - 1) & ~(uint64_t)(MEMORY_ALIGN - 1);
}

/* Index of the first allocation above `address`. */
static size_t position(const struct memory *m, uint64_t address)
{
	size_t low = 0, high = m->nlive;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (m->live[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert(struct memory *m, size_t at, uint64_t address, uint64_t size, const char *name)
{
	if (m->nlive == m->cap) {
		m->cap = m->cap ? m->cap * 2 : 64;
		m->live = xrealloc(m->live, m->cap * sizeof *m->live);
	}
	memmove(&m->live[at + 1], &m->live[at], (m->nlive - at) * sizeof *m->live);
	m->live[at] = (struct allocation){address, size, xstrdup(name)};
	m->nlive++;
	m->used += rounded(size);
	if (address + rounded(size) - MEMORY_BASE > m->top)
		m->top = address + rounded(size) - MEMORY_BASE;
}

bool memory_alloc(struct memory *m, uint64_t size, const char *name, uint64_t *address)
{
	return memory_alloc_above(m, MEMORY_BASE, size, MEMORY_ALIGN, name, address);
}

bool memory_alloc_above(struct memory *m, uint64_t from, uint64_t size, uint64_t align, const char *name,
			uint64_t *address)
{
	uint64_t start = MEMORY_BASE, need;

	if (size > MEMORY_BYTES)
		return false;
	size = size ? size : 1;
	need = rounded(size);
	for (size_t i = 0; i <= m->nlive; i++) {
		uint64_t end = i < m->nlive ? m->live[i].address : MEMORY_BASE + MEMORY_BYTES;

		start = ((start > from ? start : from) + align - 1) & ~(align - 1);
		if (start < end && end - start >= need) {
			insert(m, i, start, size, name);
			*address = start;
			return true;
		}
		if (i < m->nlive)
			start = m->live[i].address + rounded(m->live[i].size);
	}
	return false;
}

uint64_t memory_apart(const struct memory *m)
{
	return m->top ? MEMORY_BASE + m->top + MEMORY_GAP : MEMORY_BASE;
}

static uint64_t pages(uint64_t size)
{
	return (size + MEMORY_PAGE - 1) & ~(MEMORY_PAGE - 1);
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
	mmap(memory_host(address), pages(size), PROT_READ | PROT_WRITE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/* The system gets whole pages back, so that a program may use more memory over time than there is. */
static void discard(uint64_t address, uint64_t size)
{
	const uint64_t page = 4096;
	uint64_t start = (address + page - 1) & ~(page - 1), end = (address + size) & ~(page - 1);

	if (end > start && end - start >= (1 << 20))
		madvise(memory_host(start), end - start, MADV_DONTNEED);
}

bool memory_release(struct memory *m, uint64_t address)
{
	size_t at = position(m, address);

	if (at == 0 || m->live[at - 1].address != address)
		return false;
	at--;
	m->used -= rounded(m->live[at].size);
	discard(address, rounded(m->live[at].size));
	free(m->live[at].name);
	m->nlive--;
	memmove(&m->live[at], &m->live[at + 1], (m->nlive - at) * sizeof *m->live);
	return true;
}

const struct allocation *memory_below(const struct memory *m, uint64_t address)
{
	size_t at = position(m, address);

	return at ? &m->live[at - 1] : NULL;
}

const struct allocation *memory_find(const struct memory *m, uint64_t address)
{
	const struct allocation *below = memory_below(m, address);

	return below && address - below->address < below->size ? below : NULL;
}
