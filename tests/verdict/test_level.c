/*
 * The rule of the alias levels, on evidence made by hand. A mark on data that is written is the one thing that must
 * never happen: each test that expects CONFLICT_ALWAYS guards against one.
 */
#include "verdict/level.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define PLAIN(k) {.kind = STRUCTURE_##k, .by_pointer = true, .holder = STRUCTURE_NONE}
#define WRITTEN(k) {.kind = STRUCTURE_##k, .by_pointer = true, .written = true, .holder = STRUCTURE_NONE}
#define POINTEE_OF(h) {.kind = STRUCTURE_POINTEE, .by_pointer = true, .holder = (h)}
#define WRITTEN_POINTEE_OF(h)                                                                                          \
	{.kind = STRUCTURE_POINTEE, .by_pointer = true, .written = true, .exact = true, .holder = (h)}
#define SURFACE(k) {.kind = STRUCTURE_##k, .by_surface = true, .written = true, .holder = STRUCTURE_NONE}
#define TEXTURE(k) {.kind = STRUCTURE_##k, .by_texture = true, .holder = STRUCTURE_NONE}

/* Reads of structure 0 against the writes of the others. */
static enum conflict conflict(struct evidence *all, uint32_t count, enum alias_level level)
{
	uint32_t writer = STRUCTURE_NONE;
	enum conflict found;

	for (uint32_t i = 0; i < count; i++) {
		all[i].position = i;
		all[i].unsettled = false;
	}
	level_unsettle(all, count, level);
	found = level_conflict(all, count, 0, level, &writer);
	assert_true(found == CONFLICT_NONE || (writer < count && all[writer].written));
	return found;
}

#define ALL(x) (x), (uint32_t)(sizeof(x) / sizeof *(x))
#define EXPECT(all, guarded, strict, distinct)                                                                         \
	do {                                                                                                           \
		assert_int_equal(conflict(ALL(all), ALIAS_GUARDED), CONFLICT_##guarded);                               \
		assert_int_equal(conflict(ALL(all), ALIAS_STRICT), CONFLICT_##strict);                                 \
		assert_int_equal(conflict(ALL(all), ALIAS_DISTINCT), CONFLICT_##distinct);                             \
	} while (0)

static void test_two_parameters_are_what_the_levels_differ_on(void **state)
{
	struct evidence all[] = {PLAIN(PARAM), WRITTEN(PARAM)};

	(void)state;
	EXPECT(all, LAUNCH, ALWAYS, NONE);
}

static void test_its_own_write_decides_at_each_level(void **state)
{
	struct evidence all[] = {WRITTEN(PARAM)}, constant[] = {WRITTEN(PARAM)};

	(void)state;
	EXPECT(all, ALWAYS, ALWAYS, ALWAYS);
	constant[0].noalias = true;
	EXPECT(constant, ALWAYS, ALWAYS, ALWAYS);
}

static void test_variables_are_different_memory_but_for_images(void **state)
{
	struct evidence all[] = {PLAIN(VARIABLE), WRITTEN(VARIABLE)},
			texture[] = {TEXTURE(VARIABLE), WRITTEN(VARIABLE)};
	struct evidence both[] = {PLAIN(VARIABLE), WRITTEN(VARIABLE)};

	(void)state;
	EXPECT(all, NONE, NONE, NONE);
	EXPECT(texture, LAUNCH, ALWAYS, NONE);
	/* Fetched from and read by address: what it is bound to counts. */
	both[0].by_texture = true;
	EXPECT(both, LAUNCH, ALWAYS, NONE);
}

static void test_a_write_to_anywhere_decides_unless_names_are_believed(void **state)
{
	struct evidence param[] = {PLAIN(PARAM), WRITTEN(UNKNOWN)}, unknown[] = {PLAIN(UNKNOWN), WRITTEN(VARIABLE)};

	(void)state;
	EXPECT(param, ALWAYS, ALWAYS, NONE);
	EXPECT(unknown, ALWAYS, ALWAYS, ALWAYS);
}

/* Device malloc's memory is reached by no name. An address of unknown origin may still be one of it. */
static void test_heap_is_apart_from_names_and_not_from_unknown_addresses(void **state)
{
	struct evidence named[] = {PLAIN(PARAM), WRITTEN(HEAP)}, heap[] = {PLAIN(HEAP), WRITTEN(PARAM)};
	struct evidence unknown[] = {PLAIN(UNKNOWN), WRITTEN(HEAP)}, back[] = {PLAIN(HEAP), WRITTEN(UNKNOWN)};
	struct evidence unsettled[] = {POINTEE_OF(1), WRITTEN(PARAM), WRITTEN(HEAP)};

	(void)state;
	EXPECT(named, NONE, NONE, NONE);
	EXPECT(heap, NONE, NONE, NONE);
	EXPECT(unknown, ALWAYS, ALWAYS, ALWAYS);
	EXPECT(back, ALWAYS, ALWAYS, ALWAYS);
	/* The holder's own write says nothing, so that only the heap's is left. */
	unsettled[1].noalias = true;
	EXPECT(unsettled, ALWAYS, ALWAYS, ALWAYS);
}

static void test_arrays_behind_surfaces_are_apart_from_pointers(void **state)
{
	struct evidence param[] = {PLAIN(PARAM), SURFACE(PARAM)},
			pointee[] = {PLAIN(PARAM), PLAIN(PARAM), SURFACE(POINTEE)};
	struct evidence unknown[] = {PLAIN(UNKNOWN), SURFACE(PARAM)}, origin[] = {PLAIN(PARAM), SURFACE(UNKNOWN)};
	struct evidence texture[] = {TEXTURE(PARAM), SURFACE(PARAM)}, mixed[] = {PLAIN(PARAM), SURFACE(PARAM)};

	(void)state;
	EXPECT(param, NONE, NONE, NONE);
	pointee[2].holder = 1;
	EXPECT(pointee, NONE, NONE, NONE);
	/* The handle's memory is written, so that the handle may be any. */
	pointee[1].written = true;
	EXPECT(pointee, ALWAYS, ALWAYS, NONE);
	EXPECT(unknown, ALWAYS, ALWAYS, ALWAYS);
	EXPECT(origin, ALWAYS, ALWAYS, NONE);
	/* A texture may be of the array that the surface is. */
	EXPECT(texture, LAUNCH, ALWAYS, NONE);
	mixed[1].by_pointer = true;
	EXPECT(mixed, LAUNCH, ALWAYS, NONE);
}

static void test_noalias_excludes_what_is_not_derived(void **state)
{
	struct evidence read[] = {PLAIN(PARAM), WRITTEN(PARAM)}, written[] = {PLAIN(PARAM), WRITTEN(PARAM)};
	struct evidence unknown[] = {PLAIN(PARAM), WRITTEN(UNKNOWN)}, surface[] = {TEXTURE(PARAM), SURFACE(PARAM)};

	(void)state;
	read[0].noalias = written[1].noalias = unknown[0].noalias = surface[0].noalias = true;
	EXPECT(read, NONE, NONE, NONE);
	EXPECT(written, NONE, NONE, NONE);
	EXPECT(unknown, NONE, NONE, NONE);
	unknown[0].escaped = true;
	EXPECT(unknown, ALWAYS, ALWAYS, NONE);
	EXPECT(surface, LAUNCH, ALWAYS, NONE);
}

static void test_constants_are_read_only_whatever_is_written(void **state)
{
	struct evidence all[] = {PLAIN(VARIABLE), WRITTEN(UNKNOWN), WRITTEN(PARAM)};

	(void)state;
	all[0].constant = true;
	EXPECT(all, NONE, NONE, NONE);
}

static void test_a_pointee_is_as_good_as_its_holder(void **state)
{
	struct evidence settled[] = {POINTEE_OF(1), PLAIN(PARAM), WRITTEN(PARAM)};
	struct evidence written[] = {POINTEE_OF(1), WRITTEN(PARAM)};
	/* 0 = **p, 1 = *p, 2 = p: a write to p makes *p any memory, and so **p. */
	struct evidence chain[] = {POINTEE_OF(1), POINTEE_OF(2), WRITTEN(PARAM)};

	(void)state;
	EXPECT(settled, LAUNCH, ALWAYS, NONE);
	EXPECT(written, ALWAYS, ALWAYS, ALWAYS);
	EXPECT(chain, ALWAYS, ALWAYS, ALWAYS);
}

/* 0 = **p, all that pointers in *p lead to; 1 = *p, 2 = p. */
static void test_what_leads_to_itself_is_its_own_holder(void **state)
{
	struct evidence list[] = {POINTEE_OF(1), POINTEE_OF(2), PLAIN(PARAM), WRITTEN(PARAM)};
	struct evidence other[] = {PLAIN(PARAM), PLAIN(PARAM), POINTEE_OF(1), WRITTEN_POINTEE_OF(2)};
	struct evidence unknown[] = {POINTEE_OF(1), POINTEE_OF(2), PLAIN(PARAM), WRITTEN(UNKNOWN)};

	(void)state;
	list[0].closed = other[3].closed = unknown[0].closed = true;
	EXPECT(list, LAUNCH, ALWAYS, NONE);
	/* The pointers that lead further may change with what is written. */
	EXPECT(other, ALWAYS, ALWAYS, NONE);
	EXPECT(unknown, ALWAYS, ALWAYS, NONE);
	list[1].written = true;
	EXPECT(list, ALWAYS, ALWAYS, ALWAYS);
}

/* A launch sees the pointers in memory, as long as the kernel leaves that memory alone. */
static void test_a_launch_decides_of_a_written_pointee(void **state)
{
	struct evidence all[] = {PLAIN(PARAM), PLAIN(PARAM), WRITTEN_POINTEE_OF(1)};
	struct evidence holder[] = {PLAIN(PARAM), WRITTEN_POINTEE_OF(0)};
	struct evidence pointees[] = {POINTEE_OF(1), PLAIN(PARAM), PLAIN(PARAM), WRITTEN_POINTEE_OF(2)};

	(void)state;
	EXPECT(all, LAUNCH, ALWAYS, NONE);
	EXPECT(holder, LAUNCH, ALWAYS, NONE);
	EXPECT(pointees, LAUNCH, ALWAYS, NONE);
	/* The kernel stores to the memory that holds the pointers. */
	all[1].written = pointees[2].written = true;
	EXPECT(all, ALWAYS, ALWAYS, NONE);
	EXPECT(pointees, ALWAYS, ALWAYS, NONE);
	/* Handles of surfaces in memory are no addresses. */
	all[1].written = false;
	all[2].by_surface = true;
	EXPECT(all, ALWAYS, ALWAYS, NONE);
	/* The address may be made of more than a loaded pointer. */
	all[2].by_surface = all[2].exact = false;
	EXPECT(all, ALWAYS, ALWAYS, NONE);
}

/* It may have been stored by another name to the memory that it is loaded from. */
static void test_noalias_that_escaped_may_come_back_from_memory(void **state)
{
	struct evidence all[] = {PLAIN(PARAM), PLAIN(PARAM), WRITTEN_POINTEE_OF(1), WRITTEN(PARAM)};

	(void)state;
	all[0].noalias = true;
	EXPECT(all, NONE, NONE, NONE);
	all[0].escaped = true;
	EXPECT(all, LAUNCH, ALWAYS, NONE);
}

static void test_of_equal_conflicts_the_first_write_is_named(void **state)
{
	struct evidence all[] = {PLAIN(PARAM), WRITTEN(PARAM), WRITTEN(PARAM), WRITTEN(UNKNOWN)};
	uint32_t writer;

	(void)state;
	all[1].position = 30;
	all[2].position = 20;
	all[3].position = 40;
	assert_int_equal(level_conflict(ALL(all), 0, ALIAS_STRICT, &writer), CONFLICT_ALWAYS);
	assert_int_equal(writer, 2);
	/* At this level only the unknown one may be the same. */
	assert_int_equal(level_conflict(ALL(all), 0, ALIAS_GUARDED, &writer), CONFLICT_ALWAYS);
	assert_int_equal(writer, 3);
}

/* --- Guards --- */

struct listed {
	struct guard guards[8];
	unsigned count;
};

static void list(void *context, struct guard guard)
{
	struct listed *l = context;

	assert_true(l->count < 8);
	l->guards[l->count++] = guard;
}

static void test_guards_cover_holders_and_only_what_a_launch_decides(void **state)
{
	/* 0 = *p1, 1 = p1, 2 = p2 (written), 3 = a variable (written), 4 = heap (written), 5 = p5, not marked */
	struct evidence all[] = {POINTEE_OF(1),     PLAIN(PARAM),  WRITTEN(PARAM),
				 WRITTEN(VARIABLE), WRITTEN(HEAP), PLAIN(PARAM)};
	static const struct guard wanted[] = {{0, 2}, {0, 3}, {1, 2}, {1, 3}};
	bool marked[] = {true, false, false, false, false, false};
	struct listed l = {.count = 0};

	(void)state;
	level_guards(ALL(all), ALIAS_GUARDED, marked, list, &l);
	assert_int_equal(l.count, 4);
	assert_memory_equal(l.guards, wanted, sizeof wanted);
	l.count = 0;
	level_guards(ALL(all), ALIAS_DISTINCT, marked, list, &l);
	level_guards(ALL(all), ALIAS_STRICT, marked, list, &l);
	assert_int_equal(l.count, 0);
}

static void test_guards_cover_the_holders_of_what_is_written(void **state)
{
	/* 0 = p0, 1 = p1, 2 = *p1 (written), 3 = p3 (written) */
	struct evidence all[] = {PLAIN(PARAM), PLAIN(PARAM), WRITTEN_POINTEE_OF(1), WRITTEN(PARAM)};
	static const struct guard wanted[] = {{0, 2}, {0, 3}, {1, 2}, {1, 3}};
	bool marked[] = {true, false, false, false}, none[] = {false, false, false, false};
	struct listed l = {.count = 0};

	(void)state;
	level_guards(ALL(all), ALIAS_GUARDED, none, list, &l);
	assert_int_equal(l.count, 0);
	level_guards(ALL(all), ALIAS_GUARDED, marked, list, &l);
	assert_int_equal(l.count, 4);
	assert_memory_equal(l.guards, wanted, sizeof wanted);
}

static void test_what_a_verdict_rests_on(void **state)
{
	struct evidence all[] = {PLAIN(PARAM), WRITTEN(PARAM), POINTEE_OF(0)};

	(void)state;
	assert_null(level_rests_on(ALL(all), 0));
	all[0].noalias = true;
	assert_string_equal(level_rests_on(ALL(all), 0), "noalias");
	assert_string_equal(level_rests_on(ALL(all), 2), "noalias");
	all[0].constant = true;
	assert_string_equal(level_rests_on(ALL(all), 0), "constant");
	all[1].written = false;
	assert_null(level_rests_on(ALL(all), 0));
}

static void test_the_code_alone_shows_it_or_not(void **state)
{
	struct evidence all[] = {PLAIN(PARAM), WRITTEN(PARAM), POINTEE_OF(0)};

	(void)state;
	assert_false(level_is_proven(ALL(all), 0));
	all[2].noalias = true;
	assert_false(level_is_proven(ALL(all), 2));
	all[0].noalias = true;
	assert_true(level_is_proven(ALL(all), 0));
	assert_true(level_is_proven(ALL(all), 2));
}

/* Different words of a struct lead to different memory as far as a launch can tell; any word may be each of them. */
static void test_words_of_one_holder(void **state)
{
	struct evidence all[] = {POINTEE_OF(2), WRITTEN_POINTEE_OF(2), PLAIN(VARIABLE)};

	(void)state;
	all[0].at_word = all[1].at_word = true;
	all[1].word = 8;
	EXPECT(all, LAUNCH, ALWAYS, NONE);
	all[0].at_word = false;
	EXPECT(all, ALWAYS, ALWAYS, ALWAYS);
	all[0].at_word = true;
	all[1].at_word = false;
	EXPECT(all, ALWAYS, ALWAYS, ALWAYS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_two_parameters_are_what_the_levels_differ_on),
	    cmocka_unit_test(test_its_own_write_decides_at_each_level),
	    cmocka_unit_test(test_variables_are_different_memory_but_for_images),
	    cmocka_unit_test(test_a_write_to_anywhere_decides_unless_names_are_believed),
	    cmocka_unit_test(test_heap_is_apart_from_names_and_not_from_unknown_addresses),
	    cmocka_unit_test(test_arrays_behind_surfaces_are_apart_from_pointers),
	    cmocka_unit_test(test_noalias_excludes_what_is_not_derived),
	    cmocka_unit_test(test_constants_are_read_only_whatever_is_written),
	    cmocka_unit_test(test_a_pointee_is_as_good_as_its_holder),
	    cmocka_unit_test(test_a_launch_decides_of_a_written_pointee),
	    cmocka_unit_test(test_what_leads_to_itself_is_its_own_holder),
	    cmocka_unit_test(test_noalias_that_escaped_may_come_back_from_memory),
	    cmocka_unit_test(test_guards_cover_the_holders_of_what_is_written),
	    cmocka_unit_test(test_of_equal_conflicts_the_first_write_is_named),
	    cmocka_unit_test(test_guards_cover_holders_and_only_what_a_launch_decides),
	    cmocka_unit_test(test_what_a_verdict_rests_on),
	    cmocka_unit_test(test_the_code_alone_shows_it_or_not),
	    cmocka_unit_test(test_words_of_one_holder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
