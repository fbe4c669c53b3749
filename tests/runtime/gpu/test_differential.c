/*
 * Random kernels on the GPU device, once marked where the guards allow and once plain, over the mock driver whose
 * marked loads read memory as it was when the kernel started: whatever the pointers do, memory is the same afterwards.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtime/gpu/gpu.h"
#include "runtime/gpu/gpu_device.h"
#include "tests/runtime/gpu/mock_libcuda.h"
#include "tests/ptx-analyzer/readonly/random_kernels.h"

#include <stdlib.h>
#include <string.h>

enum { KERNELS = 150, LAUNCHES = 2, BYTES = 64 << 10, MIDDLE = BYTES / 2, MEMBERS = 2 };
enum { ALL_BUFFERS = RANDOM_BUFFERS + 2 + 2 * MEMBERS };

static const struct device_ops *const ops = &gpu_device_ops;

/* With the environment as it is now. */
static struct device *open_device(struct diag *d)
{
	struct settings settings;

	settings_read(&settings, NULL);
	return ops->open(&settings, d);
}

/* A launch's memory, with its contents before the launch, as the host has them. */
struct scene {
	struct device *dev;
	uint64_t buffers[ALL_BUFFERS], table, indices; /* addresses: a to d, two for the table, the structs' */
	uint64_t params[RANDOM_PARAMS], slots[RANDOM_SLOTS];
	unsigned char (*result)[BYTES]; /* of each buffer */
};

static void make_memory(struct scene *s)
{
	uint32_t indices[RANDOM_INDICES];

	for (int i = 0; i < ALL_BUFFERS; i++)
		assert_int_equal(ops->alloc(s->dev, BYTES, "buffer", &s->buffers[i]), DEVICE_OK);
	assert_int_equal(ops->alloc(s->dev, sizeof s->slots, "table", &s->table), DEVICE_OK);
	assert_int_equal(ops->alloc(s->dev, sizeof indices, "indices", &s->indices), DEVICE_OK);
	for (uint32_t i = 0; i < RANDOM_INDICES; i++)
		indices[i] = i * 3;
	assert_int_equal(ops->copy(s->dev, s->indices, (uintptr_t)indices, sizeof indices), DEVICE_OK);
	s->params[4] = s->table;
	s->params[5] = s->indices;
}

/* Mostly apart; now and then pointers that alias. */
static void choose_pointers(struct scene *s)
{
	const uint64_t *more = s->buffers + RANDOM_BUFFERS, *members = more + 2;

	for (unsigned i = 0; i < RANDOM_BUFFERS; i++)
		s->params[i] = s->buffers[random_below(6) ? i : random_below(RANDOM_BUFFERS)] + MIDDLE;
	for (unsigned i = 0; i < MEMBERS; i++)
		s->params[6 + i] = (random_below(6) ? members[i] : s->buffers[random_below(RANDOM_BUFFERS)]) + MIDDLE;
	random_pack(s->params, members[MEMBERS] + MIDDLE, s->buffers[random_below(RANDOM_BUFFERS)] + MIDDLE,
		    members[MEMBERS + 1] + MIDDLE, more[random_below(2)] + MIDDLE);
	for (unsigned i = 0; i < RANDOM_SLOTS; i++)
		s->slots[i] = random_slot(
		    i, (random_below(4) ? more[random_below(2)] : s->buffers[random_below(RANDOM_BUFFERS)]) + MIDDLE);
}

/* Small whole numbers, so that sums are exact in any order. */
static void fill_memory(const struct scene *s)
{
	static float numbers[BYTES / sizeof(float)];

	for (int i = 0; i < ALL_BUFFERS; i++) {
		for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
			numbers[k] = (float)((k * 7 + (size_t)i * 13) % 11);
		assert_int_equal(ops->copy(s->dev, s->buffers[i], (uintptr_t)numbers, sizeof numbers), DEVICE_OK);
	}
	assert_int_equal(ops->copy(s->dev, s->table, (uintptr_t)s->slots, sizeof s->slots), DEVICE_OK);
}

/* Runs kernel "k" of the text with these marks and fetches all buffers. */
static void run(struct scene *s, const char *text, enum load_mark mark)
{
	struct launch_params p = {.dynamic_shared = 64,
				  .grid = {2, 1, 1},
				  .block = {32, 1, 1},
				  .params = s->params,
				  .param_bytes = sizeof s->params};
	struct device_module *module;
	struct device_kernel *kernel;
	struct diag d = DIAG_INIT;

	s->dev->mark = mark;
	fill_memory(s);
	if (ops->load(s->dev, text, strlen(text), "random", &module, &d) != DEVICE_OK ||
	    ops->kernel(s->dev, module, "k", &kernel) != DEVICE_OK ||
	    ops->launch(s->dev, kernel, &p, &d) != DEVICE_OK || ops->synchronize(s->dev, &d) != DEVICE_OK)
		fail_msg("%s\n%s", d.message, text);
	for (int i = 0; i < ALL_BUFFERS; i++)
		assert_int_equal(ops->copy(s->dev, (uintptr_t)s->result[i], s->buffers[i], BYTES), DEVICE_OK);
	ops->unload(s->dev, module);
}

/* Where the mock wrote down that this version of a doubled kernel ran. */
static bool ran(const struct scene *s, enum gpu_version version)
{
	for (size_t i = 0; i < s->dev->times.len; i++)
		if (s->dev->times.data[i].version == version)
			return true;
	return false;
}

static void test_marked_is_plain(void **state)
{
	static unsigned char marked[ALL_BUFFERS][BYTES], plain[ALL_BUFFERS][BYTES];
	unsigned launches_marked = 0, launches_checked = 0;
	struct diag d = DIAG_INIT;
	struct scene s = {.dev = open_device(&d)};

	(void)state;
	assert_non_null(s.dev);
	make_memory(&s);
	for (int i = 0; i < KERNELS; i++) {
		struct strbuf text = random_kernel();

		for (int launch = 0; launch < LAUNCHES; launch++) {
			choose_pointers(&s);
			s.result = marked;
			s.dev->times_to = "1";
			run(&s, text.data, LOAD_NC);
			launches_marked += ran(&s, GPU_MARKED);
			launches_checked += ran(&s, GPU_CHECKED);
			gpu_times_release(s.dev);
			s.dev->times_to = NULL;
			s.result = plain;
			run(&s, text.data, LOAD_KEEP);
			if (memcmp(marked, plain, sizeof marked) != 0)
				fail_msg("kernel %d, launch %d: another result\n%s", i, launch, text.data);
		}
		strbuf_release(&text);
	}
	print_message("%u of %d launches ran marked, %u checked\n", launches_marked, KERNELS * LAUNCHES,
		      launches_checked);
	assert_true(launches_marked > KERNELS * LAUNCHES / 10);
	ops->close(s.dev);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_marked_is_plain)};

	setenv("ROMARK_QUIET", "1", 1);
	return cmocka_run_group_tests_name("differential", tests, NULL, NULL);
}
