/* Regions of allocations: which there are, which may not be, and what a pointer leads to. */
#include "runtime/device/regions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { BASE = 0x10000, SIZE = 0x4000, OTHER = 0x20000 };

static const struct region_holder whole = {.base = BASE, .size = SIZE, .name = "arena"},
				  other = {.base = OTHER, .size = SIZE, .name = "other"};

static void add(struct regions *r, uint64_t address, uint64_t size)
{
	struct diag d = DIAG_INIT;

	assert_int_equal(regions_add(r, address < OTHER ? &whole : &other, address, size, "part", &d), 0);
}

/* `says` is in the sentence. */
static void refuse(struct regions *r, uint64_t address, uint64_t size, const char *says)
{
	struct diag d = DIAG_INIT;
	uint64_t changes = r->changes;

	assert_int_equal(regions_add(r, &whole, address, size, "part", &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, says));
	assert_int_equal(r->changes, changes);
}

static void leads_to(const struct regions *r, uint64_t seen, uint64_t address, uint64_t base, size_t size)
{
	uint64_t got_base = BASE;
	size_t got_size = SIZE;

	regions_narrow(r, seen, address, &got_base, &got_size);
	assert_int_equal(got_base, base);
	assert_int_equal(got_size, size);
}

static void test_a_pointer_leads_to_its_region(void **state)
{
	struct regions r = {0};

	(void)state;
	leads_to(NULL, 0, BASE, BASE, SIZE);
	leads_to(&r, r.changes, BASE, BASE, SIZE);
	add(&r, BASE + 0x1000, 0x180);
	add(&r, BASE, 0x100);
	add(&r, BASE + 0x100, 0x80);
	leads_to(&r, r.changes, BASE, BASE, 0x100);
	leads_to(&r, r.changes, BASE + 0xff, BASE, 0x100);
	leads_to(&r, r.changes, BASE + 0x100, BASE + 0x100, 0x80);
	leads_to(&r, r.changes, BASE + 0x1179, BASE + 0x1000, 0x180);
	/* The rest may lead anywhere. */
	leads_to(&r, r.changes, BASE + 0x180, BASE, SIZE);
	leads_to(&r, r.changes, BASE + 0x1180, BASE, SIZE);
	leads_to(&r, r.changes, BASE + SIZE - 1, BASE, SIZE);
	assert_true(regions_end(&r, BASE));
	leads_to(&r, r.changes, BASE, BASE, SIZE);
	leads_to(&r, r.changes, BASE + 0x100, BASE + 0x100, 0x80);
	regions_release(&r);
}

static void test_what_is_no_region(void **state)
{
	struct regions r = {0};

	(void)state;
	add(&r, BASE + 0x1000, 0x200);
	refuse(&r, BASE + 0x1000, 0x100, "overlap part (512 bytes at 0x11000), which has not ended");
	refuse(&r, BASE + 0x1100, 0x1000, "overlap part");
	refuse(&r, BASE + 0xf00, 0x101, "overlap part");
	refuse(&r, BASE, SIZE, "overlap part");
	refuse(&r, BASE + 0x1280, 0x10, "multiples of 256");
	refuse(&r, BASE + 0x2000, 0, "0 bytes");
	refuse(&r, BASE + 0x3f00, 0x101, "leave arena (16384 bytes at 0x10000)");
	refuse(&r, BASE + 0x2000, UINT64_MAX, "leave arena");
	assert_false(regions_end(&r, BASE));
	assert_false(regions_end(&r, BASE + 0x1100));
	assert_false(regions_end(&r, OTHER));
	add(&r, BASE + 0xf00, 0x100);
	add(&r, BASE + 0x1200, 0x2e00);
	assert_true(regions_end(&r, BASE + 0x1000));
	assert_false(regions_end(&r, BASE + 0x1000));
	add(&r, BASE + 0x1000, 0x100);
	regions_release(&r);
}

/* A pointer that was kept while regions began or ended may have been made for others. */
static void test_old_pointers_lead_to_the_allocation(void **state)
{
	struct regions r = {0};
	uint64_t seen;

	(void)state;
	add(&r, BASE, 0x200);
	seen = r.changes;
	add(&r, OTHER, 0x200);
	leads_to(&r, seen, BASE, BASE, 0x200);
	assert_true(regions_end(&r, BASE));
	add(&r, BASE, 0x100);
	add(&r, BASE + 0x100, 0x100);
	leads_to(&r, seen, BASE, BASE, SIZE);
	leads_to(&r, seen, BASE + 0x100, BASE, SIZE);
	leads_to(&r, r.changes, BASE + 0x100, BASE + 0x100, 0x100);
	regions_release(&r);
}

static void test_freed_memory_has_no_regions(void **state)
{
	struct regions r = {0};
	uint64_t seen;

	(void)state;
	add(&r, BASE, 0x200);
	add(&r, BASE + 0x200, 0x200);
	add(&r, OTHER, 0x200);
	seen = r.changes;
	regions_forget(&r, BASE);
	regions_forget(&r, BASE);
	assert_true(r.changes > seen);
	assert_null(regions_find(&r, BASE));
	assert_null(regions_holder(&r, BASE));
	assert_non_null(regions_find(&r, OTHER));
	add(&r, BASE + 0x100, 0x200);
	leads_to(&r, seen, BASE + 0x100, BASE, SIZE);
	regions_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_pointer_leads_to_its_region),
	    cmocka_unit_test(test_what_is_no_region),
	    cmocka_unit_test(test_old_pointers_lead_to_the_allocation),
	    cmocka_unit_test(test_freed_memory_has_no_regions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
