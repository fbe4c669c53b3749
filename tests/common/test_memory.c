/* Memory that grows: arenas, vectors, string buffers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/arena.h"
#include "common/strbuf.h"
#include "common/vec.h"

static void test_arena_keeps_what_it_gave(void **state)
{
	struct arena arena = ARENA_INIT;
	uint64_t *numbers[2000];
	char *large;

	(void)state;
	for (uint64_t i = 0; i < 2000; i++) {
		numbers[i] = arena_alloc(&arena, 8 + i % 300);
		assert_int_equal((uintptr_t)numbers[i] % 16, 0);
		*numbers[i] = i;
	}
	large = arena_zalloc(&arena, 5 << 20);
	assert_int_equal(large[(5 << 20) - 1], 0);
	for (uint64_t i = 0; i < 2000; i++)
		assert_int_equal(*numbers[i], i);
	assert_string_equal(arena_printf(&arena, "%s-%d", "x", 42), "x-42");
	arena_release(&arena);
	assert_int_equal(arena.total, 0);
}

static void test_vec_and_strbuf_grow(void **state)
{
	VEC(int) v = VEC_INIT;
	struct strbuf sb = STRBUF_INIT;
	char *text;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		vec_push(&v, i);
		strbuf_addf(&sb, "%d,", i % 10);
	}
	assert_int_equal(v.len, 1000);
	assert_int_equal(vec_pop(&v), 999);
	assert_int_equal(vec_last(&v), 998);
	assert_int_equal(sb.len, 2000);
	text = strbuf_detach(&sb);
	assert_memory_equal(text, "0,1,2,", 6);
	assert_null(sb.data);
	free(text);
	vec_release(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_arena_keeps_what_it_gave),
	    cmocka_unit_test(test_vec_and_strbuf_grow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
