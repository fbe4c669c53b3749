/* Blocks of a few sizes, cut from the region one behind the other; a freed one waits in the list of its size. */
#include "common/heap.h"
#include "common/integer.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

/*
 * Far from where kernels put programs, libraries and stacks, and from the shadow and the heap of AddressSanitizer, on
 * machines with 47 or 48 address bits.
 */
#define REGION_ADDRESS ((char *)0x200000000000)
#define LARGEST_REGION ((size_t)1 << 40)
#define SMALLEST_REGION ((size_t)1 << 32)
#define COMMIT_STEP ((size_t)32 << 20)

enum { SMALLEST_LOG2 = 6, SIZES_PER_DOUBLING = 4, CLASSES = (40 - SMALLEST_LOG2) * SIZES_PER_DOUBLING, LINE = 64 };
enum { BLOCK_MARK = 0x706d6b62 };

/* In front of each block's content. */
struct block_head {
	uint32_t mark, size_class;
	uint64_t shift; /* content begins so many bytes behind where it would without alignment to a line */
};

struct free_block {
	struct free_block *next;
};

/* At the region's beginning. */
struct heap_state {
	uint64_t used; /* bytes of the region, with this struct */
	struct free_block *free[CLASSES];
};

_Static_assert(sizeof(struct block_head) == 16, "content is aligned to 16 bytes");

static size_t reserved, committed; /* bytes of the region; 0: no region */
static bool in_use;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct heap_state *state(void)
{
	return (struct heap_state *)REGION_ADDRESS;
}

/* --- The region --- */

static int reserve(struct diag *d)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;

	for (size_t size = LARGEST_REGION; size >= SMALLEST_REGION; size /= 4) {
		void *at = mmap(REGION_ADDRESS, size, PROT_NONE, flags, -1, 0);

		if (at == REGION_ADDRESS) {
			/* Large pages, if the system has some: a simulation's state is all over the region. */
			madvise(at, size, MADV_HUGEPAGE);
			reserved = size;
			return 0;
		}
		if (at != MAP_FAILED) /* kernels before 4.17 take the address as a wish */
			munmap(at, size);
	}
	return diag_file(
	    d, NULL,
	    "no address space for checkpoints at %p; raise the limit on virtual memory (ulimit -v), or run "
	    "without --checkpoint",
	    (void *)REGION_ADDRESS);
}

static bool commit(size_t size)
{
	size_t wanted = round_up(size, COMMIT_STEP);

	if (size <= committed)
		return true;
	if (wanted > reserved || mprotect(REGION_ADDRESS, wanted, PROT_READ | PROT_WRITE) != 0)
		return false;
	committed = wanted;
	return true;
}

void *heap_restore(size_t size, struct diag *d)
{
	if (reserve(d) < 0)
		return NULL;
	if (commit(size))
		return REGION_ADDRESS;
	heap_close();
	diag_file(d, NULL, "not enough memory for the checkpoint's %zu bytes", size);
	return NULL;
}

int heap_open(struct diag *d)
{
	size_t first = round_up(sizeof(struct heap_state), 16);

	if (!heap_restore(first, d))
		return DIAG_ERROR;
	state()->used = first;
	in_use = true;
	return 0;
}

void heap_close(void)
{
	if (reserved)
		munmap(REGION_ADDRESS, reserved);
	reserved = committed = 0;
	in_use = false;
}

void heap_use(bool use)
{
	in_use = use;
}

bool heap_is_used(void)
{
	return in_use;
}

bool heap_holds(const void *p)
{
	return (uintptr_t)p - (uintptr_t)REGION_ADDRESS < reserved;
}

struct heap_image heap_image(void)
{
	return (struct heap_image){REGION_ADDRESS, state()->used};
}

/* --- Blocks --- */

/* Four sizes for each power of two: 64, 80, 96, 112, 128, 160 .. */
static unsigned class_of(size_t size)
{
	unsigned log2, quarters;

	if (size <= (size_t)1 << SMALLEST_LOG2)
		return 0;
	log2 = 63 - (unsigned)__builtin_clzll(size);
	quarters = (unsigned)((size + ((size_t)1 << (log2 - 2)) - 1) >> (log2 - 2));
	return (log2 - SMALLEST_LOG2) * SIZES_PER_DOUBLING + quarters - SIZES_PER_DOUBLING;
}

static size_t class_size(unsigned size_class)
{
	return (size_t)(SIZES_PER_DOUBLING + size_class % SIZES_PER_DOUBLING)
	       << (size_class / SIZES_PER_DOUBLING + SMALLEST_LOG2 - 2);
}

/* Content of a block with room for `size` bytes and the head; `fresh`: never used, so all zeros. */
static char *take(size_t size, bool *fresh)
{
	struct heap_state *s = state();
	struct free_block *block;
	unsigned size_class;
	char *at;

	if (size > reserved)
		return NULL;
	size_class = class_of(size + sizeof(struct block_head));
	block = s->free[size_class];
	*fresh = !block;
	if (block) {
		s->free[size_class] = block->next;
		return (char *)block;
	}
	if (!commit(s->used + class_size(size_class)))
		return NULL;
	at = REGION_ADDRESS + s->used;
	s->used += class_size(size_class);
	*(struct block_head *)at = (struct block_head){.mark = BLOCK_MARK, .size_class = size_class};
	return at + sizeof(struct block_head);
}

static char *take_locked(size_t size, bool *fresh)
{
	char *content;

	pthread_mutex_lock(&lock);
	content = take(size, fresh);
	pthread_mutex_unlock(&lock);
	return content;
}

static struct block_head *head_of(void *p)
{
	struct block_head *head = (struct block_head *)p - 1;

	if (head->mark != BLOCK_MARK || head->size_class >= CLASSES)
		BUG("%p is not a block of the heap", p);
	return head;
}

static size_t room_of(void *p)
{
	const struct block_head *head = head_of(p);

	return class_size(head->size_class) - sizeof *head - head->shift;
}

void *heap_alloc(size_t size)
{
	bool fresh;

	return take_locked(size, &fresh);
}

void *heap_zalloc(size_t size)
{
	bool fresh;
	char *content = take_locked(size, &fresh);

	return content && !fresh ? memset(content, 0, size) : content;
}

void *heap_zalloc_lines(size_t size)
{
	bool fresh;
	char *content = take_locked(size + LINE, &fresh);
	struct block_head *head;
	size_t shift;

	if (!content)
		return NULL;
	shift = -(uintptr_t)content % LINE;
	head = head_of(content);
	((struct block_head *)(content + shift))[-1] =
	    (struct block_head){.mark = BLOCK_MARK, .size_class = head->size_class, .shift = shift};
	return fresh ? content + shift : memset(content + shift, 0, size);
}

void *heap_realloc(void *old, size_t size)
{
	size_t room = old ? room_of(old) : 0;
	void *content;

	if (old && size <= room)
		return old;
	content = heap_alloc(size);
	if (content && old) {
		memcpy(content, old, room);
		heap_free(old);
	}
	return content;
}

/* The list's pointer may take the place of the head of content that was aligned to a line. */
void heap_free(void *p)
{
	struct heap_state *s = state();
	struct free_block *block;
	struct block_head head;

	if (!p)
		return;
	head = *head_of(p);
	block = (struct free_block *)((char *)p - head.shift);
	pthread_mutex_lock(&lock);
	block->next = s->free[head.size_class];
	s->free[head.size_class] = block;
	pthread_mutex_unlock(&lock);
}
