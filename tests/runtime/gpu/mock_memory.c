/*
 * The mock driver's memory: whole pages of the CPU device's memory, so that the host's access can be taken away, and a
 * copy of all of it further up, where ld.global.nc reads.
 */
#include "tests/runtime/gpu/mock_driver.h"

#include "common/vec.h"

#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, BIGGEST = 512 << 20 };

enum block_kind { BLOCK_DEVICE, BLOCK_MANAGED, BLOCK_PINNED };

struct mock_block {
	uint64_t raw, address; /* of the CPU device's allocation, and the first page in it */
	size_t size;           /* as asked for */
	enum block_kind kind;  /* the host may not touch BLOCK_DEVICE */
};

static VEC(struct mock_block) blocks;
static size_t to_host;

static struct memory *memory(void)
{
	return &((struct cpu_device *)mock.cpu)->memory;
}

/* The shadow is the upper half of the memory; what is below stays for everybody else. */
CUresult mock_memory_open(struct device *cpu)
{
	struct memory *m = &((struct cpu_device *)cpu)->memory;
	uint64_t shadow;

	return memory_alloc_above(m, MEMORY_BASE + MOCK_SHADOW, MOCK_SHADOW - MEMORY_GAP, MEMORY_ALIGN, "shadow",
				  &shadow)
		   ? CUDA_SUCCESS
		   : CUDA_ERROR_OUT_OF_MEMORY;
}

static size_t whole_pages(size_t size)
{
	return (size + PAGE - 1) & ~(size_t)(PAGE - 1);
}

static void expose(const struct mock_block *b, bool exposed)
{
	if (b->kind == BLOCK_DEVICE)
		mprotect(memory_host(b->address), whole_pages(b->size), exposed ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void mock_memory_expose(bool exposed)
{
	for (size_t i = 0; i < blocks.len; i++)
		expose(&blocks.data[i], exposed);
}

void mock_memory_close(void)
{
	mock_memory_expose(true);
	vec_release(&blocks);
}

void mock_memory_snapshot(void)
{
	const struct memory *m = memory();

	for (const struct allocation *a = memory_above(m, 0); a; a = memory_above(m, a->address))
		if (a->address < MEMORY_BASE + MOCK_SHADOW)
			memcpy(memory_host(a->address + MOCK_SHADOW), memory_host(a->address), a->size);
}

/* Pinned memory is the host's. */
static size_t free_bytes(void)
{
	size_t total = (size_t)mock_setting("MOCK_CUDA_FREE", BIGGEST >> 20) << 20, used = 0;

	for (size_t i = 0; i < blocks.len; i++)
		used += blocks.data[i].kind == BLOCK_PINNED ? 0 : whole_pages(blocks.data[i].size);
	return total > used ? total - used : 0;
}

static CUresult allocate(uint64_t *address, size_t size, enum block_kind kind)
{
	struct mock_block b = {.size = size, .kind = kind};

	if (!size)
		return CUDA_ERROR_INVALID_VALUE;
	if (size > (kind == BLOCK_PINNED ? (size_t)BIGGEST : free_bytes()) ||
	    !memory_alloc(memory(), whole_pages(size) + PAGE, "block", &b.raw) || b.raw >= MEMORY_BASE + MOCK_SHADOW)
		return CUDA_ERROR_OUT_OF_MEMORY;
	b.address = (b.raw + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	memset(memory_host(b.address), 0xa5, whole_pages(size));
	vec_push(&blocks, b);
	*address = b.address;
	return CUDA_SUCCESS;
}

static CUresult release(uint64_t address, bool pinned)
{
	for (size_t i = 0; i < blocks.len; i++) {
		if (blocks.data[i].address != address || (blocks.data[i].kind == BLOCK_PINNED) != pinned)
			continue;
		expose(&blocks.data[i], true);
		memory_release(memory(), blocks.data[i].raw);
		blocks.data[i] = blocks.data[blocks.len - 1];
		blocks.len--;
		return CUDA_SUCCESS;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size)
{
	uint64_t found = 0;
	CUresult result;
	MOCK_ENTER();
	result = allocate(&found, size, BLOCK_DEVICE);
	*address = found;
	return result;
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t size, unsigned flags)
{
	uint64_t found = 0;
	CUresult result;
	MOCK_ENTER();
	if (size > free_bytes()) {
		mock.spoiled = CUDA_ERROR_LAUNCH_TIMEOUT;
		return mock.spoiled;
	}
	result = flags == CU_MEM_ATTACH_GLOBAL ? allocate(&found, size, BLOCK_MANAGED) : CUDA_ERROR_INVALID_VALUE;
	*address = found;
	return result;
}

CUresult cuMemHostAlloc(void **address, size_t size, unsigned flags)
{
	uint64_t found = 0;
	CUresult result;
	MOCK_ENTER();
	result = flags > 7 ? CUDA_ERROR_INVALID_VALUE : allocate(&found, size, BLOCK_PINNED);
	*address = memory_host(found);
	return result;
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
	CUresult result;
	MOCK_ENTER();
	result = mock_run_all();
	return result ? result : release(address, false);
}

CUresult cuMemFreeHost(void *address)
{
	CUresult result;
	MOCK_ENTER();
	result = mock_run_all();
	return result ? result : release((uintptr_t)address, true);
}

CUresult cuMemGetInfo_v2(size_t *free, size_t *total)
{
	MOCK_ENTER();
	*total = BIGGEST;
	*free = free_bytes();
	return CUDA_SUCCESS;
}

/* The CPU device checks both ends. */
static CUresult copy(uint64_t to, uint64_t from, size_t size)
{
	CUresult result = mock_run_all();

	if (result)
		return result;
	return cpu_device_ops.copy(mock.cpu, to, from, size) == DEVICE_OK ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size)
{
	uint64_t base;
	size_t bytes;
	MOCK_ENTER();
	if (!cpu_device_ops.find(mock.cpu, to, &base, &bytes))
		to_host += size;
	return copy(to, from, size);
}

static CUresult fill(CUdeviceptr to, unsigned value, size_t bytes, size_t count)
{
	CUresult result = mock_run_all();

	if (result)
		return result;
	return cpu_device_ops.fill(mock.cpu, to, &value, bytes, count) == DEVICE_OK ? CUDA_SUCCESS
										    : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count)
{
	MOCK_ENTER();
	return fill(to, value, 1, count);
}

CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count)
{
	MOCK_ENTER();
	return fill(to, value, 2, count);
}

CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count)
{
	MOCK_ENTER();
	return fill(to, value, 4, count);
}

size_t mock_bytes_to_host(void)
{
	return to_host;
}
