/* The spool: what goes in comes out once and in order, from memory and from a file, and a failure is kept. */
#include "trace/spool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { WORDS = 1 << 16 };

struct taken {
	uint64_t words;
	bool wrong;
};

static void take(void *taken, const void *data, size_t size)
{
	struct taken *t = taken;
	const uint64_t *words = data;

	assert_int_equal(size % sizeof *words, 0);
	for (size_t i = 0; i < size / sizeof *words; i++)
		t->wrong |= words[i] != t->words++;
}

/* So many times half a megabyte of numbers that go on. */
static void fill(struct spool *s, unsigned times, uint64_t *next)
{
	uint64_t *words = malloc(WORDS * sizeof *words);

	for (unsigned n = 0; n < times; n++) {
		for (unsigned i = 0; i < WORDS; i++)
			words[i] = (*next)++;
		spool_add(s, words, WORDS * sizeof *words);
	}
	free(words);
}

/* 100 MiB are more than it keeps in memory. It is used again. */
static void test_all_comes_back(void **state)
{
	struct spool s = {0};

	(void)state;
	for (unsigned times = 200; times; times = times == 200 ? 1 : times == 1 ? 150 : 0) {
		struct taken t = {0};
		uint64_t next = 0;

		fill(&s, times, &next);
		spool_drain(&s, take, &t);
		assert_false(t.wrong);
		assert_int_equal(t.words, next);
		assert_int_equal(s.error, 0);
	}
	spool_release(&s);
}

static void test_a_folder_that_is_not_there(void **state)
{
	struct spool s = {0};
	struct taken t = {0};
	uint64_t next = 0;

	(void)state;
	setenv("TMPDIR", "/nowhere/at/all", 1);
	fill(&s, 1, &next);
	spool_drain(&s, take, &t);
	assert_int_equal(t.words, next);
	fill(&s, 200, &next);
	assert_int_not_equal(s.error, 0);
	t = (struct taken){0};
	spool_drain(&s, take, &t);
	assert_int_equal(t.words, 0);
	spool_release(&s);
	unsetenv("TMPDIR");
}

/* The program that we live in may close any descriptor: its file is not written to. */
static void test_a_closed_descriptor(void **state)
{
	struct spool s = {0};
	uint64_t next = 0;

	(void)state;
	fill(&s, 150, &next);
	assert_true(s.has_file);
	close(s.fd);
	fill(&s, 150, &next);
	assert_int_not_equal(s.error, 0);
	spool_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_all_comes_back),
	    cmocka_unit_test(test_a_folder_that_is_not_there),
	    cmocka_unit_test(test_a_closed_descriptor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
