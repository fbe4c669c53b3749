/* Matrix, asynchronous-copy and video instructions: the kernels of matrix.cu against loops in C. */
#include "tests/runtime/cpu/harness.h"

#include <math.h>

static struct device_module *module;
static uint8_t *a, *b, *c, *d;

static int setup(void **state)
{
	(void)state;
	harness_open();
	module = harness_load_file("matrix.ptx");
	a = harness_alloc(8192, "a");
	b = harness_alloc(8192, "b");
	c = harness_alloc(8192, "c");
	d = harness_alloc(8192, "d");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	harness_close();
	return 0;
}

static void run(const char *kernel, unsigned threads, const uint64_t *params, size_t nparams)
{
	const struct harness_launch launch = {.block = {threads}};

	harness_run_ok(module, kernel, &launch, params, nparams);
}

/* Small whole numbers, exact in every type. */
enum element { HALF, BFLOAT, TF32, DOUBLE, BYTE, FLOAT, INT };

static int draw(void)
{
	return (int)(harness_random() % 31) - 15;
}

static void put(uint8_t *at, enum element type, unsigned index, int value)
{
	float f = (float)value;
	double wide = value;
	uint32_t bits;
	uint16_t narrow;
	int exponent;

	memcpy(&bits, &f, 4);
	switch (type) {
	case HALF:
		narrow = 0;
		if (value) {
			frexpf(f, &exponent);
			narrow =
			    (uint16_t)((bits >> 16 & 0x8000) | (unsigned)(exponent + 14) << 10 | (bits >> 13 & 0x3ff));
		}
		memcpy(at + 2 * index, &narrow, 2);
		break;
	case BFLOAT:
		narrow = (uint16_t)(bits >> 16);
		memcpy(at + 2 * index, &narrow, 2);
		break;
	case DOUBLE: memcpy(at + 8 * index, &wide, 8); break;
	case BYTE: at[index] = (uint8_t)value; break;
	case INT: memcpy(at + 4 * index, &value, 4); break;
	default: memcpy(at + 4 * index, &f, 4); break;
	}
}

static double get(const uint8_t *at, enum element type, unsigned index)
{
	double wide;
	float f;
	int whole;

	switch (type) {
	case DOUBLE: memcpy(&wide, at + 8 * index, 8); return wide;
	case INT: memcpy(&whole, at + 4 * index, 4); return whole;
	default: memcpy(&f, at + 4 * index, 4); return f;
	}
}

struct product {
	const char *kernel;
	unsigned m, n, k;
	enum element in, out;
	int c_factor;
};

static void check_product(const struct product *p)
{
	const uint64_t params[] = {DEVICE_POINTER(a), DEVICE_POINTER(b), DEVICE_POINTER(p->c_factor ? c : d),
				   DEVICE_POINTER(d)};
	int va[32][32], vb[32][32], vc[32][32];

	for (unsigned i = 0; i < p->m; i++)
		for (unsigned k = 0; k < p->k; k++)
			put(a, p->in, i * p->k + k, va[i][k] = draw());
	for (unsigned j = 0; j < p->n; j++)
		for (unsigned k = 0; k < p->k; k++)
			put(b, p->in, j * p->k + k, vb[k][j] = draw());
	for (unsigned i = 0; i < p->m; i++)
		for (unsigned j = 0; j < p->n; j++)
			put(c, p->out, i * p->n + j, vc[i][j] = draw());
	run(p->kernel, 32, params, p->c_factor ? 4 : 3);
	for (unsigned i = 0; i < p->m; i++)
		for (unsigned j = 0; j < p->n; j++) {
			int want = p->c_factor * vc[i][j];

			for (unsigned k = 0; k < p->k; k++)
				want += va[i][k] * vb[k][j];
			if (strcmp(p->kernel, "mma_s8") == 0)
				want += (int)(i / 8 * 2 + j % 2 + 1);
			if (get(d, p->out, i * p->n + j) != want)
				fail_msg("%s: element %u, %u is %g, expected %d", p->kernel, i, j,
					 get(d, p->out, i * p->n + j), want);
		}
}

static void test_products(void **state)
{
	static const struct product products[] = {
	    {"wmma_f16", 16, 16, 16, HALF, FLOAT, 2},   {"wmma_f16_wide", 32, 8, 16, HALF, FLOAT, 2},
	    {"wmma_bf16", 8, 32, 16, BFLOAT, FLOAT, 2}, {"wmma_s8", 16, 16, 16, BYTE, INT, 2},
	    {"wmma_f64", 8, 8, 4, DOUBLE, DOUBLE, 2},   {"wmma_tf32", 16, 16, 8, TF32, FLOAT, 2},
	    {"mma_f16", 16, 8, 16, HALF, FLOAT, 0},     {"mma_s8", 16, 8, 32, BYTE, INT, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof products / sizeof products[0]; i++)
		check_product(&products[i]);
}

static void test_transposed(void **state)
{
	const uint64_t params[] = {DEVICE_POINTER(a), DEVICE_POINTER(d)};
	const uint16_t *in = (const uint16_t *)a, *out = (const uint16_t *)d;

	(void)state;
	for (int i = 0; i < 64; i++)
		((uint16_t *)a)[i] = (uint16_t)(i * 7 + 1);
	run("transposed", 32, params, 2);
	for (int row = 0; row < 8; row++)
		for (int col = 0; col < 8; col++) {
			assert_int_equal(out[row * 8 + col], in[col * 8 + row]);
			assert_int_equal(out[64 + row * 8 + col], in[row * 8 + col]);
			assert_int_equal(out[128 + row * 8 + col], in[col * 8 + row]);
		}
}

static void test_pipeline(void **state)
{
	const uint64_t params[] = {DEVICE_POINTER(a), DEVICE_POINTER(d)};
	int expected[256];

	(void)state;
	for (int i = 0; i < 256; i++) {
		((int *)a)[i] = i * 3;
		/* Element i / 4 of the second half belongs to thread i / 4 - 32; odd threads read 8 bytes less. */
		expected[i] = i >= 128 && (i / 4 & 1) && i % 4 >= 2 ? 0 : i * 3;
	}
	run("pipeline", 32, params, 2);
	for (int i = 0; i < 32; i++)
		for (int k = 0; k < 8; k++)
			assert_int_equal(((int *)d)[i * 8 + k], expected[(31 - i) * 8 + k]);
}

static void test_transactions(void **state)
{
	const uint64_t params[] = {DEVICE_POINTER(a), DEVICE_POINTER(d)};

	(void)state;
	for (int i = 0; i < 192; i++)
		((int *)a)[i] = i * i;
	run("transactions", 64, params, 2);
	for (int i = 0; i < 192; i++) {
		int from = i / 64 * 64 + 63 - i % 64;

		assert_int_equal(((int *)d)[i], from * from);
	}
}

static int clamp16(int x)
{
	return x > 32767 ? 32767 : x < -32768 ? -32768 : x;
}

static void test_video(void **state)
{
	const uint64_t params[] = {DEVICE_POINTER(a), DEVICE_POINTER(d)};
	const uint32_t *in = (const uint32_t *)a, *out = (const uint32_t *)d;

	(void)state;
	for (int i = 0; i < 64; i++)
		((uint32_t *)a)[i] = (uint32_t)harness_random();
	run("video", 32, params, 2);
	for (int i = 0; i < 32; i++) {
		uint32_t x = in[i], y = in[i + 32], sum = 7, max = 0, average = 0;

		for (int k = 0; k < 32; k += 8) {
			int p = x >> k & 255, q = y >> k & 255;

			sum += (uint32_t)abs(p - q);
			max |= (uint32_t)(uint8_t)((int8_t)p > (int8_t)q ? p : q) << k;
			average |= (uint32_t)((p + q + 1) / 2) << k;
		}
		assert_int_equal(out[i], sum);
		assert_int_equal(out[i + 32], max);
		assert_int_equal(out[i + 64], (uint16_t)clamp16((int16_t)x + (int16_t)y) |
						  (uint32_t)clamp16((int16_t)(x >> 16) + (int16_t)(y >> 16)) << 16);
		assert_int_equal(out[i + 96], average);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_products), cmocka_unit_test(test_transposed),
					   cmocka_unit_test(test_pipeline), cmocka_unit_test(test_transactions),
					   cmocka_unit_test(test_video)};

	return cmocka_run_group_tests(tests, setup, teardown);
}
