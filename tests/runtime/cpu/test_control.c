/* Control flow: the kernels of control.cu against the same computations in C, a thread at a time. */
#include "tests/runtime/cpu/harness.h"

#include <stdio.h>

enum { MOST = 256 };

static struct device_module *module;
static int *in, *out;

static void run(const char *kernel, unsigned ctas, unsigned threads, uint64_t a, uint64_t b, uint64_t c)
{
	const struct harness_launch launch = {.grid = {ctas}, .block = {threads}};
	const uint64_t params[] = {a, b, c};

	harness_run_ok(module, kernel, &launch, params, 3);
}

#define IN DEVICE_POINTER(in)
#define OUT DEVICE_POINTER(out)

static int setup(void **state)
{
	(void)state;
	harness_open();
	module = harness_load_file("control.ptx");
	in = harness_alloc(MOST * 64, "in");
	out = harness_alloc(MOST * 64, "out");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	harness_close();
	return 0;
}

static void random_inputs(unsigned modulo)
{
	for (int i = 0; i < MOST; i++)
		in[i] = (int)(harness_random() % modulo);
	memset(out, 0xee, MOST * 64);
}

static int nested(int v)
{
	int r = 0;

	if (v & 1) {
		if (v & 2)
			r = v * 3;
		else if (v & 4)
			r = v - 7;
		for (int k = 0; k < (v & 15) && k != 9; k++)
			r += k & 1 ? 0 : k * v;
	} else {
		for (; v > 0; r++)
			v = v & 4 ? v >> 1 : v - 1 - (v >> 2);
	}
	return r;
}

static void test_nested(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= 64; threads += 21) {
		random_inputs(100);
		run("nested", 4, threads, IN, OUT, 0);
		for (unsigned i = 0; i < 4 * threads; i++)
			assert_int_equal(out[i], nested(in[i]));
	}
}

static void test_early_exit(void **state)
{
	(void)state;
	for (int n = 1; n <= 100; n += 9) {
		int sum = 0;

		random_inputs(1000);
		for (int i = 0; i < n; i++)
			sum += in[i];
		run("early_exit", 1, 128, IN, OUT, (uint64_t)n);
		for (int i = 0; i < n; i++)
			assert_int_equal(out[i], sum);
	}
}

static void test_split_barrier(void **state)
{
	(void)state;
	run("split_barrier", 1, 64, OUT, 0, 0);
	for (int i = 0; i < 64; i++)
		assert_int_equal(out[i], 63 - i + (i & 1 ? 1000 : 2000));
}

static int ackermann(int m, int n)
{
	return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static void test_recursion(void **state)
{
	(void)state;
	random_inputs(1000);
	run("recursion", 1, 128, IN, OUT, 0);
	for (int i = 0; i < 128; i++) {
		int want = 1;

		for (int k = 2; k <= in[i] % 11; k++)
			want *= k;
		assert_int_equal(out[i], in[i] & 1 ? want : ackermann(in[i] % 3, in[i] % 5));
	}
}

struct pair {
	double a;
	int b[3];
};

static struct pair swirl(struct pair p, int k)
{
	struct pair r = {p.b[k % 3] + 0.5, {0}};

	for (int i = 0; i < 3; i++)
		r.b[i] = p.b[(i + k) % 3] + (int)p.a;
	return r;
}

static void test_structs(void **state)
{
	(void)state;
	random_inputs(1000);
	run("structs", 1, 64, IN, OUT, 0);
	for (int i = 0; i < 64; i++) {
		struct pair p = {in[i] * 0.25, {i, i * 2, i * 3}};

		p = swirl(p, i & 7);
		if (i & 2)
			p = swirl(p, i & 3);
		assert_int_equal(out[i], (int)(p.a * 10) + p.b[0] + p.b[1] * 3 + p.b[2] * 7);
	}
}

static void test_indirect(void **state)
{
	(void)state;
	random_inputs(1000);
	run("indirect", 1, 96, IN, OUT, 0);
	for (int i = 0; i < 96; i++) {
		int which = in[i] % 3, want = which == 0 ? 2 * i : which == 1 ? i * i : -i;

		if (which == 2 && i % 5 == 0)
			want = (int)0xeeeeeeee;
		assert_int_equal(out[i], want);
	}
}

static void test_jumps(void **state)
{
	(void)state;
	random_inputs(10);
	run("jumps", 1, 128, IN, OUT, 0);
	for (int i = 0; i < 128; i++) {
		const int want[] = {i + 5, i * i, i ^ 21, i ^ 21, i << 3, i % 7, 1000 - i, i * 100, -1, -1};

		/* Case 2 falls into case 3, which overwrites its result. */
		assert_int_equal(out[i], want[in[i]]);
	}
}

static void test_spin_locks(void **state)
{
	static const char *const kernels[] = {"spin_lock", "spin_lock_outside"};

	(void)state;
	for (int k = 0; k < 2; k++) {
		memset(out, 0, 8);
		run(kernels[k], 2, 64, OUT, OUT + 4, 0);
		assert_int_equal(out[0], 0);
		assert_int_equal(out[1], 128);
	}
}

static void test_waiting(void **state)
{
	(void)state;
	memset(in, 0, MOST * 4);
	run("ping_pong", 1, 64, IN, OUT, 0);
	assert_int_equal(out[0], 100);
	memset(in, 0, MOST * 4);
	run("wait_for_cta", 5, 1, IN, OUT, 5);
	assert_int_equal(out[0], 10 + 20 + 30 + 40);
}

static void test_warp_sync(void **state)
{
	(void)state;
	run("warp_sync", 1, 32, OUT, 0, 0);
	for (int i = 0; i < 32; i++)
		assert_int_equal(out[i], i < 16 ? i + 216 : i + 84);
}

static void test_producer(void **state)
{
	(void)state;
	run("producer", 1, 64, OUT, 10, 0);
	for (int i = 0; i < 32; i++)
		assert_int_equal(out[i], (31 - i) * 45);
}

static void test_votes(void **state)
{
	int odd = 0;

	(void)state;
	random_inputs(60);
	for (int i = 0; i < 80; i++)
		odd += in[i] & 1;
	run("votes", 1, 80, IN, OUT, 0);
	for (int i = 0; i < 80; i++)
		assert_int_equal(out[i], odd * 4 + 2);
	in[70] = 77;
	in[3] = -1;
	run("votes", 1, 80, IN, OUT, 0);
	odd = 0;
	for (int i = 0; i < 80; i++)
		odd += in[i] & 1;
	for (int i = 0; i < 80; i++)
		assert_int_equal(out[i], odd * 4 + 1);
}

static void test_warp_functions(void **state)
{
	unsigned ballot = 0;
	int any = 0, third = 0;

	(void)state;
	random_inputs(20);
	for (int i = 0; i < 32; i++) {
		ballot |= (unsigned)(in[i] & 1) << i;
		any |= in[i] == 3;
		third += i % 3 == 0 && in[i] & 2;
	}
	run("warp_functions", 1, 32, IN, OUT, 0);
	for (int i = 0; i < 32; i++) {
		const int *o = out + i * 16;
		unsigned same = 0;

		for (int k = 0; k < 32; k++)
			same |= (unsigned)((in[k] & 3) == (in[i] & 3)) << k;
		assert_int_equal(o[0], in[(i + 3) & 31]);
		assert_int_equal(o[1], in[i < 3 ? i : i - 3]);
		assert_int_equal(o[2], in[(i & 15) + 5 < 16 ? i + 5 : i]);
		assert_int_equal(o[3], in[i ^ 9]);
		assert_int_equal(o[4], in[(i & 24) | (i * 7 & 7)]);
		assert_int_equal((unsigned)o[5], ballot);
		assert_int_equal(o[6], any);
		assert_int_equal(o[7], 1);
		assert_int_equal((unsigned)o[8], same);
		assert_int_equal(o[9], i % 3 == 0 ? 0x49249249 : 0);
		assert_int_equal(o[10], i % 3 == 0 ? in[9] : 0);
		assert_int_equal(o[11], i % 3 == 0 ? third : 0);
		assert_int_equal(o[12], -1);
		assert_int_equal(o[13], 1);
	}
}

static void test_divergent_return(void **state)
{
	(void)state;
	random_inputs(120);
	run("divergent_return", 1, 96, IN, OUT, 0);
	for (int i = 0; i < 96; i++) {
		int want = in[i] < 4 ? 1 : in[i] >= 100 ? 3 : 2 + in[i] * (in[i] - 1) / 2;

		assert_int_equal(out[i], want);
	}
}

static void test_deadlock(void **state)
{
	const struct harness_launch launch = {.block = {64}};

	(void)state;
	assert_int_equal(harness_run(module, "deadlock", &launch, NULL, 0), DEVICE_HANG);
	assert_non_null(strstr(harness_diag.message, "barrier 1, where 32 of 64 threads are"));
	assert_non_null(strstr(harness_diag.message, "barrier 2, where 32 of 64 threads are"));
}

static void test_endless(void **state)
{
	const struct harness_launch launch = {.block = {64}};
	struct device_module *own;

	(void)state;
	setenv("ROMARK_MAX_INSTRUCTIONS", "1000000", 1);
	harness_open();
	unsetenv("ROMARK_MAX_INSTRUCTIONS");
	own = harness_load(".visible .entry endless()\n{\nL:\nbra L;\n}\n");
	assert_int_equal(harness_run(own, "endless", &launch, NULL, 0), DEVICE_HANG);
	assert_non_null(strstr(harness_diag.message, "--max-instructions"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_nested),         cmocka_unit_test(test_early_exit),
	    cmocka_unit_test(test_split_barrier),  cmocka_unit_test(test_recursion),
	    cmocka_unit_test(test_structs),        cmocka_unit_test(test_indirect),
	    cmocka_unit_test(test_jumps),          cmocka_unit_test(test_spin_locks),
	    cmocka_unit_test(test_waiting),        cmocka_unit_test(test_warp_sync),
	    cmocka_unit_test(test_producer),       cmocka_unit_test(test_votes),
	    cmocka_unit_test(test_warp_functions), cmocka_unit_test(test_divergent_return),
	    cmocka_unit_test(test_deadlock),       cmocka_unit_test(test_endless)};

	return cmocka_run_group_tests(tests, setup, teardown);
}
