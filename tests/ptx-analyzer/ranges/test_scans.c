/* Gathers: the interval of a loaded index is that of the numbers in memory, unless the launch may write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/diag.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "ptx-analyzer/ranges/ranges.h"
#include "verdict/guard_scan.h"

#include <stdio.h>
#include <string.h>

/* One allocation: numbers from the start, data at DATA, an output at OUT. */
enum { ARENA_BYTES = 1 << 20, DATA = 4096, OUT = 1 << 16, TAPS = 1 << 18, THREADS = 64 };
static const uint64_t arena_at = 0x100000000000;
static unsigned char arena[ARENA_BYTES];
static uint64_t bytes_seen;

static bool find(void *device, uint64_t address, uint64_t *base, size_t *size)
{
	(void)device;
	*base = arena_at;
	*size = ARENA_BYTES;
	return address - arena_at < ARENA_BYTES;
}

static const void *view(void *device, uint64_t address, size_t size)
{
	(void)device;
	bytes_seen += size;
	return arena + (address - arena_at);
}

struct params {
	uint64_t index, data, out;
};

/* "k" of 64 threads; %rd3 is the address of the thread's own number in `index`, %rd4 that in `out`. */
static const char head[] = ".version 8.0\n.target sm_80\n.address_size 64\n.const .align 4 .b32 taps[64];\n"
			   ".visible .entry k(.param .u64 index, .param .u64 data, .param .u64 out)\n{\n"
			   "\t.reg .pred %p<4>; .reg .b16 %rs<4>; .reg .b32 %r<10>; .reg .b64 %rd<16>;\n"
			   "\tld.param.u64 %rd0, [index]; ld.param.u64 %rd1, [data]; ld.param.u64 %rd2, [out];\n"
			   "\tmov.u32 %r0, %tid.x; mul.wide.u32 %rd5, %r0, 4;\n"
			   "\tadd.s64 %rd3, %rd0, %rd5; add.s64 %rd4, %rd2, %rd5;\n";

/* The only one is in the arena, too. */
static bool variable_at(void *data, uint32_t symbol, uint64_t *address)
{
	(void)data;
	(void)symbol;
	*address = arena_at + TAPS;
	return true;
}

static const struct guard_context of_arena = {NULL, find, NULL, view, NULL}, *memory;

/* The range of the load in `body`'s line that is labelled so, from `data` on; `known` says whether it has one. */
static struct byte_range range_at(const char *body, unsigned nth, struct params params, bool *scanned)
{
	struct range_launch launch = {.grid = {1, 1, 1},
				      .block = {THREADS, 1, 1},
				      .params = &params,
				      .param_bytes = sizeof params,
				      .variable = variable_at};
	struct byte_range range = {RANGE_UNKNOWN, 0, 0};
	struct launch_ranges *without, *with;
	struct diag d = DIAG_INIT;
	char text[4096];
	struct kernel_ranges *k;
	struct ptx_function *f;
	struct ptx_module *m;

	snprintf(text, sizeof text, "%s%s\n\tret;\n}\n", head, body);
	m = ptx_parse("test", text, strlen(text), &d);
	if (!m)
		fail_msg("line %u: %s", d.line, d.message);
	f = ptx_find_function(m, "k");
	k = ptx_ranges_prepare(f);
	without = ptx_ranges_evaluate(k, &launch);
	bytes_seen = 0;
	with = ptx_ranges_scan(k, &launch, without, memory, NULL);
	*scanned = with != NULL;
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].opcode->op == PTX_OP_ld && f->insts[i].opcode->space == PTX_SPACE_GLOBAL && nth-- == 0)
			range = ptx_ranges_of(with ? with : without, i);
	ptx_ranges_release(with);
	ptx_ranges_release(without);
	ptx_ranges_free(k);
	ptx_module_free(m);
	return range;
}

static const struct params usual = {arena_at, arena_at + DATA, arena_at + OUT};

/* The nth load is known to be from byte `first` to byte `last` of the arena. */
static void expect(const char *body, unsigned nth, struct params params, int64_t first, int64_t last)
{
	bool scanned;
	struct byte_range r = range_at(body, nth, params, &scanned);

	assert_true(scanned);
	assert_int_equal(r.kind, RANGE_KNOWN);
	assert_int_equal(r.first - arena_at, first);
	assert_int_equal(r.last - arena_at, last);
}

static void expect_nothing(const char *body, struct params params)
{
	bool scanned;

	range_at(body, 1, params, &scanned);
	assert_false(scanned);
}

static void put(unsigned place, int32_t number)
{
	memcpy(arena + 4 * (size_t)place, &number, 4);
}

static int clear(void **state)
{
	(void)state;
	memset(arena, 0, sizeof arena);
	memory = &of_arena;
	return 0;
}

#define GATHER(type, widen)                                                                                            \
	"ld.global." type " %r1, [%rd3]; " widen " add.s64 %rd7, %rd1, %rd6;\n"                                        \
	"ld.global.u32 %r2, [%rd7]; st.global.u32 [%rd4], %r2;"

static void test_a_gather(void **state)
{
	static const char body[] = GATHER("u32", "mul.wide.s32 %rd6, %r1, 4;");

	(void)state;
	for (unsigned i = 0; i < THREADS; i++)
		put(i, (int32_t)(10 + i * 7 % 64));
	expect(body, 1, usual, DATA + 40, DATA + 4 * 73 + 3);
	assert_int_equal(bytes_seen, 4 * THREADS);
	/* What no thread reads does not count. */
	put(THREADS, 5000);
	expect(body, 1, usual, DATA + 40, DATA + 4 * 73 + 3);
	put(3, -2);
	expect(body, 1, usual, DATA - 8, DATA + 4 * 73 + 3);
}

/* The number is what the instruction makes of the bytes. */
static void test_signs_and_sizes(void **state)
{
	(void)state;
	memset(arena, 0xFF, 4 * THREADS);
	expect(GATHER("s8", "cvt.s64.s32 %rd6, %r1;"), 1, usual, DATA - 1, DATA + 2);
	expect(GATHER("u8", "cvt.s64.s32 %rd6, %r1;"), 1, usual, DATA + 255, DATA + 258);
	expect(GATHER("u16", "cvt.s64.s32 %rd6, %r1;"), 1, usual, DATA + 65535, DATA + 65538);
	expect(GATHER("u32", "cvt.s64.s32 %rd6, %r1;"), 1, usual, DATA - 1, DATA + 2);
	expect(GATHER("u32", "shr.u32 %r1, %r1, 24; cvt.u64.u32 %rd6, %r1;"), 1, usual, DATA + 255, DATA + 258);
	/* -1 .. 1 goes around the end of unsigned numbers. */
	put(0, 1);
	expect(GATHER("u32", "cvt.s64.s32 %rd6, %r1;"), 1, usual, DATA - 1, DATA + 4);
}

/* An interval that goes around the end of signed numbers does not go around that of unsigned ones. */
static void test_the_smaller_interval(void **state)
{
	static const char body[] =
	    GATHER("u32", "sub.u32 %r1, %r1, 0x7ffffff0; shl.b32 %r1, %r1, 2; cvt.s64.s32 %rd6, %r1;");

	(void)state;
	for (unsigned i = 0; i < THREADS; i++)
		put(i, (int32_t)(0x7ffffff0u + i));
	expect(body, 1, usual, DATA, DATA + 4 * THREADS - 1);
}

/* Numbers between those that threads load do not count, unless the loads would be at no multiple of their size. */
static void test_places_of_numbers(void **state)
{
	static const char pairs[] =
	    "mul.wide.u32 %rd5, %r0, 8; add.s64 %rd3, %rd0, %rd5; ld.global.u32 %r1, [%rd3];\n"
	    "mul.wide.s32 %rd6, %r1, 4; add.s64 %rd7, %rd1, %rd6; ld.global.u32 %r2, [%rd7]; st.global.u32 [%rd4], %r2;";
	static const char halves[] =
	    "mul.wide.u32 %rd5, %r0, 2; add.s64 %rd3, %rd0, %rd5; ld.global.u32 %r1, [%rd3];\n"
	    "mul.wide.s32 %rd6, %r1, 4; add.s64 %rd7, %rd1, %rd6; ld.global.u32 %r2, [%rd7]; st.global.u32 [%rd4], %r2;";

	(void)state;
	for (unsigned i = 0; i < 2 * THREADS; i++)
		put(i, i % 2 ? 5000 : (int32_t)i);
	expect(pairs, 1, usual, DATA, DATA + 4 * (2 * THREADS - 2) + 3);
	assert_int_equal(bytes_seen, 8 * (THREADS - 1) + 4);
	/* Every second thread would load from between two numbers. So only multiples of 4 are looked at. */
	for (unsigned i = 0; i < THREADS; i++)
		put(i, 0x10001);
	expect(halves, 1, usual, DATA + 0x40004, DATA + 0x40007);
	assert_int_equal(bytes_seen, 2 * THREADS);
}

/* Memory of any size, whose numbers are all 0 and of which nothing is seen. */
static bool find_anything(void *device, uint64_t address, uint64_t *base, size_t *size)
{
	(void)device;
	(void)address;
	*base = arena_at;
	*size = (size_t)1 << 40;
	return true;
}

static bool scan_zeros(void *device, const struct guard_scan *scan, struct guard_scanned *found)
{
	(void)device;
	bytes_seen += scan->count * scan->step;
	*found = (struct guard_scanned){0};
	return true;
}

static const struct guard_context endless = {NULL, find_anything, NULL, NULL, scan_zeros};

/* A launch scans 64 MiB and no more: 64 numbers of which one is each `step` bytes, for each load. */
static bool is_scanned(unsigned step, unsigned loads)
{
	static const struct params far = {arena_at, arena_at + ((uint64_t)1 << 36), arena_at + ((uint64_t)1 << 37)};
	char body[1024];
	struct byte_range r;
	bool scanned;
	int n = snprintf(body, sizeof body, "mul.wide.u32 %%rd5, %%r0, %u; add.s64 %%rd3, %%rd0, %%rd5;\n", step);

	for (unsigned i = 0; i < loads; i++)
		n += snprintf(body + n, sizeof body - (size_t)n,
			      "ld.global.u32 %%r1, [%%rd3+%llu]; mul.wide.s32 %%rd6, %%r1, 4;\n"
			      "add.s64 %%rd1, %%rd1, %%rd6;\n",
			      (unsigned long long)i << 32);
	snprintf(body + n, sizeof body - (size_t)n, "ld.global.u32 %%r2, [%%rd1]; st.global.u32 [%%rd4], %%r2;");
	memory = &endless;
	r = range_at(body, loads, far, &scanned);
	return scanned && r.kind == RANGE_KNOWN && r.last - r.first == 3;
}

static void test_most_bytes(void **state)
{
	(void)state;
	assert_true(is_scanned(1 << 20, 1));
	assert_int_equal(bytes_seen, 64 << 20);
	assert_false(is_scanned((1 << 20) + 4, 1));
	assert_int_equal(bytes_seen, 0);
	/* All of them together. */
	assert_true(is_scanned(1 << 19, 2));
	assert_false(is_scanned((1 << 19) + 4, 2));
	assert_int_equal(bytes_seen, 64 * ((1 << 19) + 4));
}

/* Indices in constant memory. */
static void test_constants(void **state)
{
	static const char body[] = "mov.u64 %rd6, taps; add.s64 %rd6, %rd6, %rd5; ld.const.u32 %r1, [%rd6];\n"
				   "mul.wide.s32 %rd7, %r1, 4; add.s64 %rd7, %rd1, %rd7; ld.global.u32 %r2, [%rd7];\n"
				   "st.global.u32 [%rd4], %r2;";

	(void)state;
	for (unsigned i = 0; i < THREADS; i++)
		put(TAPS / 4 + i, (int32_t)(10 + i % 5));
	expect(body, 0, usual, DATA + 40, DATA + 4 * 14 + 3);
	/* The program has the address of the variable and writes there. */
	expect_nothing(body, (struct params){arena_at, arena_at + DATA, arena_at + TAPS});
}

/* x[a[b[i]]] */
static void test_levels(void **state)
{
	static const char body[] = "ld.global.u32 %r1, [%rd3]; mul.wide.u32 %rd6, %r1, 4; add.s64 %rd7, %rd0, %rd6;\n"
				   "ld.global.u32 %r2, [%rd7]; mul.wide.u32 %rd8, %r2, 4; add.s64 %rd9, %rd1, %rd8;\n"
				   "ld.global.u32 %r3, [%rd9]; st.global.u32 [%rd4], %r3;";

	(void)state;
	for (unsigned i = 0; i < THREADS; i++)
		put(i, (int32_t)(100 + i));
	for (unsigned i = 100; i < 100 + THREADS; i++)
		put(i, 7);
	expect(body, 1, usual, 400, 400 + 4 * THREADS - 1);
	expect(body, 2, usual, DATA + 28, DATA + 31);
}

/* A row ends where the next one begins. */
static void test_rows(void **state)
{
	static const char body[] =
	    "ld.global.u32 %r1, [%rd3]; ld.global.u32 %r2, [%rd3+4]; setp.ge.s32 %p0, %r1, %r2; @%p0 bra END;\n"
	    "ROUND: mul.wide.s32 %rd6, %r1, 4; add.s64 %rd7, %rd1, %rd6; ld.global.u32 %r3, [%rd7];\n"
	    "add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, %r2; @%p1 bra ROUND;\n"
	    "END: st.global.u32 [%rd4], %r0;";

	(void)state;
	for (unsigned i = 0; i <= THREADS; i++)
		put(i, (int32_t)(3 * i));
	expect(body, 2, usual, DATA, DATA + 4 * 3 * THREADS - 1);
}

/* The same as nvcc unrolls it: what four do not divide, then rounds of four, by pointers that move on. */
static void test_unrolled_rows(void **state)
{
	static const char body[] =
	    "ld.global.u32 %r1, [%rd3]; ld.global.u32 %r2, [%rd3+4]; setp.ge.s32 %p0, %r1, %r2; @%p0 bra END;\n"
	    "add.s32 %r4, %r1, 1; max.s32 %r4, %r2, %r4; sub.s32 %r5, %r4, %r1; and.b32 %r5, %r5, 3;\n"
	    "mov.u32 %r6, %r1; setp.eq.s32 %p1, %r5, 0; @%p1 bra WHOLE;\n"
	    "mul.wide.s32 %rd6, %r1, 4; add.s64 %rd7, %rd1, %rd6;\n"
	    "REST: ld.global.u32 %r3, [%rd7]; add.s32 %r6, %r6, 1; add.s64 %rd7, %rd7, 4; add.s32 %r5, %r5, -1;\n"
	    "setp.ne.s32 %p1, %r5, 0; @%p1 bra REST;\n"
	    "WHOLE: not.b32 %r7, %r1; add.s32 %r7, %r4, %r7; setp.lt.u32 %p2, %r7, 3; @%p2 bra END;\n"
	    "mul.wide.s32 %rd8, %r6, 4; add.s64 %rd8, %rd8, 8; add.s64 %rd9, %rd1, %rd8;\n"
	    "ROUND: ld.global.u32 %r3, [%rd9+-8]; ld.global.u32 %r3, [%rd9+4];\n"
	    "add.s64 %rd9, %rd9, 16; add.s32 %r6, %r6, 4; setp.lt.s32 %p3, %r6, %r2; @%p3 bra ROUND;\n"
	    "END: st.global.u32 [%rd4], %r0;";
	int32_t last = 0;

	(void)state;
	for (unsigned i = 0; i <= THREADS; i++) {
		put(i, last);
		last += (int32_t)(i % 9);
	}
	last -= THREADS % 9;
	expect(body, 2, usual, DATA, DATA + 4 * last - 1);
	expect(body, 3, usual, DATA, DATA + 4 * (last - 4) + 3);
	expect(body, 4, usual, DATA + 12, DATA + 4 * last - 1);
}

/* Numbers that the launch may write are not those that a thread finds. */
static void test_what_is_written_does_not_count(void **state)
{
	static const char body[] = GATHER("u32", "mul.wide.s32 %rd6, %r1, 4;");
	static const char scatter[] =
	    "ld.global.u32 %r1, [%rd3]; mul.wide.s32 %rd6, %r1, 4; add.s64 %rd7, %rd1, %rd6;\n"
	    "ld.global.u32 %r2, [%rd4]; st.global.u32 [%rd7], %r2;";

	(void)state;
	expect_nothing(body, (struct params){arena_at, arena_at + DATA, arena_at + 4 * THREADS - 4});
	expect_nothing(body, (struct params){arena_at, arena_at + DATA, arena_at});
	expect(body, 1, (struct params){arena_at, arena_at + DATA, arena_at + 4 * THREADS}, DATA, DATA + 3);
	/* The numbers say themselves that their kernel writes beside them, or among them. */
	expect(scatter, 1, usual, OUT, OUT + 4 * THREADS - 1);
	put(1, (int32_t)(-DATA / 4));
	expect_nothing(scatter, usual);
	/* A store at any place. */
	expect_nothing("ld.global.u32 %r1, [%rd3]; mul.wide.s32 %rd6, %r1, 4; add.s64 %rd7, %rd1, %rd6;\n"
		       "ld.global.u32 %r2, [%rd7]; ld.volatile.global.u64 %rd9, [%rd4]; st.global.u32 [%rd9], %r2;",
		       usual);
}

/* A load that may wait for others brings any number; so does one of memory that is not an allocation's. */
static void test_other_loads(void **state)
{
	(void)state;
	expect_nothing("ld.volatile.global.u32 %r1, [%rd3]; mul.wide.s32 %rd6, %r1, 4; add.s64 %rd7, %rd1, %rd6;\n"
		       "ld.global.u32 %r2, [%rd7]; st.global.u32 [%rd4], %r2;",
		       usual);
	expect_nothing(GATHER("u32", "mul.wide.s32 %rd6, %r1, 4;"),
		       (struct params){arena_at + ARENA_BYTES - 4, arena_at + DATA, arena_at + OUT});
}

/* Data that no address depends on is not looked at. */
static void test_data_is_not_looked_at(void **state)
{
	static const char body[] = "ld.global.u32 %r1, [%rd3]; setp.gt.s32 %p0, %r1, 0; @!%p0 bra END;\n"
				   "st.global.u32 [%rd4], %r1;\nEND:";

	(void)state;
	expect_nothing(body, usual);
	assert_int_equal(bytes_seen, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_a_gather, clear),
	    cmocka_unit_test_setup(test_signs_and_sizes, clear),
	    cmocka_unit_test_setup(test_the_smaller_interval, clear),
	    cmocka_unit_test_setup(test_places_of_numbers, clear),
	    cmocka_unit_test_setup(test_most_bytes, clear),
	    cmocka_unit_test_setup(test_constants, clear),
	    cmocka_unit_test_setup(test_levels, clear),
	    cmocka_unit_test_setup(test_rows, clear),
	    cmocka_unit_test_setup(test_unrolled_rows, clear),
	    cmocka_unit_test_setup(test_what_is_written_does_not_count, clear),
	    cmocka_unit_test_setup(test_other_loads, clear),
	    cmocka_unit_test_setup(test_data_is_not_looked_at, clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
