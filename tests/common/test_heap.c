/* The heap at a fixed address: blocks that do not overlap, and an image that a later heap takes up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/heap.h"
#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST = 400, STEPS = 20000 };

static void open_heap(void)
{
	struct diag d = DIAG_INIT;

	if (heap_open(&d) < 0)
		fail_msg("%s", d.message);
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* Sizes from 0 bytes to 256 KB, small ones most often. */
static size_t random_size(uint32_t *state)
{
	unsigned shift = 6 + next_random(state) % 18;

	return next_random(state) >> shift;
}

static bool is_filled(const unsigned char *p, size_t size, unsigned char with)
{
	for (size_t i = 0; i < size; i++)
		if (p[i] != with)
			return false;
	return true;
}

/* Every block keeps its own byte until it is freed or moved, and zeroed ones begin with zeros. */
static void test_blocks_do_not_overlap(void **unused)
{
	static unsigned char *blocks[MOST];
	static size_t sizes[MOST];
	uint32_t state = 7;

	(void)unused;
	open_heap();
	for (unsigned step = 0; step < STEPS; step++) {
		unsigned i = next_random(&state) % MOST;
		size_t size = random_size(&state), kept = size < sizes[i] ? size : sizes[i];

		assert_true(is_filled(blocks[i], sizes[i], (unsigned char)i));
		if (next_random(&state) % 3 == 0) {
			blocks[i] = xrealloc(blocks[i], size);
			assert_true(is_filled(blocks[i], kept, (unsigned char)i));
		} else {
			xfree(blocks[i]);
			blocks[i] = step % 2 ? xcalloc(1, size) : xcalloc_lines(1, size);
			assert_true(is_filled(blocks[i], size, 0));
			assert_int_equal((uintptr_t)blocks[i] % (step % 2 ? 16 : 64), 0);
		}
		sizes[i] = size;
		assert_true(heap_holds(blocks[i]));
		memset(blocks[i], (int)i, size);
	}
	heap_close();
	memset(blocks, 0, sizeof blocks);
}

static void test_memory_is_used_again(void **unused)
{
	size_t used;

	(void)unused;
	open_heap();
	xfree(xmalloc(100000));
	used = heap_image().size;
	for (unsigned i = 0; i < 1000; i++)
		xfree(xmalloc(100000 - i));
	assert_int_equal(heap_image().size, used);
	heap_close();
}

/* Which of the two gave a block is seen from its address. */
static void test_malloc_and_heap_side_by_side(void **unused)
{
	char *outside = xstrdup("outside"), *inside;

	(void)unused;
	open_heap();
	inside = xstrdup("inside");
	assert_false(heap_holds(outside));
	assert_true(heap_holds(inside));
	outside = xrealloc(outside, 100000);
	assert_false(heap_holds(outside));
	heap_use(false);
	inside = xrealloc(inside, 100000);
	assert_true(heap_holds(inside));
	assert_string_equal(inside, "inside");
	assert_string_equal(outside, "outside");
	xfree(inside);
	heap_close();
	xfree(outside);
}

struct node {
	struct node *next;
	int value;
};

static struct node *make_list(void)
{
	struct node *first = NULL;

	for (int i = 0; i < 1000; i++) {
		struct node *n = xmalloc(sizeof *n);

		*n = (struct node){first, i};
		first = n;
		if (i % 3 == 0)
			xfree(xmalloc((size_t)i));
	}
	return first;
}

static void test_an_image_is_taken_up(void **unused)
{
	struct diag d = DIAG_INIT;
	struct heap_image image;
	struct node *first;
	void *copy, *next, *expected;
	int value = 1000;

	(void)unused;
	open_heap();
	first = make_list();
	image = heap_image();
	copy = memcpy(malloc(image.size), image.base, image.size);
	expected = xmalloc(200);
	heap_close();

	assert_ptr_equal(heap_restore(image.size, &d), image.base);
	memcpy(image.base, copy, image.size);
	heap_use(true);
	for (struct node *n = first; n; n = n->next)
		assert_int_equal(n->value, --value);
	assert_int_equal(value, 0);
	next = xmalloc(200);
	assert_ptr_equal(next, expected);
	heap_close();
	free(copy);
}

static void test_a_taken_address_is_an_error(void **unused)
{
	struct diag d = DIAG_INIT;
	void *base;

	(void)unused;
	open_heap();
	base = heap_image().base;
	heap_close();
	assert_ptr_equal(mmap(base, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), base);
	assert_int_equal(heap_open(&d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "no address space for checkpoints"));
	assert_false(heap_is_used());
	munmap(base, 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_blocks_do_not_overlap),        cmocka_unit_test(test_memory_is_used_again),
	    cmocka_unit_test(test_malloc_and_heap_side_by_side), cmocka_unit_test(test_an_image_is_taken_up),
	    cmocka_unit_test(test_a_taken_address_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
