/* What was written is what is read: random kernels, masks and addresses, and bytes that depend on nothing else. */
#include "common/file.h"
#include "tests/trace/sample.h"
#include "trace/chunk.h"
#include "trace/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char path[] = "roundtrip.romtrace", again[] = "roundtrip-again.romtrace";

static void write_sample(const struct sample *s, const char *to)
{
	struct diag d = DIAG_INIT;
	struct trace_writer *w = trace_create(to, &d);

	assert_non_null(w);
	sample_write(s, w);
	assert_int_equal(trace_finish(w, &d), 0);
}

static void check_complete(const struct sample *s, struct sample_result result)
{
	assert_false(result.wrong);
	assert_int_equal(result.status, 0);
	assert_int_equal(result.launches, s->launches.len);
	assert_int_equal(result.ctas, s->ctas.len);
}

static void test_random_traces(void **state)
{
	size_t operations = 0;

	(void)state;
	for (uint32_t seed = 1; seed <= 60; seed++) {
		struct diag d = DIAG_INIT;
		struct sample_result result;
		struct sample s;

		sample_make(&s, seed, seed % 5, seed % 17);
		write_sample(&s, path);
		result = sample_check(&s, trace_open(path, &d));
		check_complete(&s, result);
		operations += result.operations;
		sample_release(&s);
	}
	assert_true(operations > 50000);
	unlink(path);
}

static void test_same_bytes_each_time(void **state)
{
	struct file_data first, second;
	struct sample s;

	(void)state;
	sample_make(&s, 77, 4, 20);
	write_sample(&s, path);
	write_sample(&s, again);
	assert_int_equal(file_read(path, &first, NULL), 0);
	assert_int_equal(file_read(again, &second, NULL), 0);
	assert_int_equal(first.size, second.size);
	assert_memory_equal(first.data, second.data, first.size);
	file_data_release(&first);
	file_data_release(&second);
	sample_release(&s);
	unlink(path);
	unlink(again);
}

/* CTAs outlive the chunk that the reader holds, and may be released in any order. */
static void test_ctas_outlive_their_chunk(void **state)
{
	struct trace_cta ctas[64];
	struct trace_launch launch;
	struct diag d = DIAG_INIT;
	struct trace_reader *r;
	struct sample s;
	uint64_t sum = 0;
	int n = 0;

	(void)state;
	sample_make(&s, 5, 1, 64);
	write_sample(&s, path);
	r = trace_open(path, &d);
	assert_int_equal(trace_next_launch(r, &launch, &d), 1);
	while (trace_next_cta(r, &ctas[n], &d) > 0)
		n++;
	assert_int_equal(n, 64);
	assert_int_equal(trace_next_launch(r, &launch, &d), 0);
	for (int i = 0; i < n; i++) {
		const struct trace_cta *cta = &ctas[i % 2 ? i : 62 - i];

		for (uint32_t warp = 0; warp < cta->nwarps; warp++)
			for (uint32_t j = 0; j < cta->stream_bytes[warp]; j++)
				sum += cta->streams[warp][j];
		trace_cta_release(&ctas[i % 2 ? i : 62 - i]);
	}
	assert_true(sum > 0);
	trace_close(r);
	sample_release(&s);
	unlink(path);
}

static void test_launches_can_be_skipped(void **state)
{
	struct trace_launch launch;
	struct diag d = DIAG_INIT;
	struct trace_reader *r;
	struct trace_cta cta;
	struct sample s;
	size_t launches = 0;

	(void)state;
	sample_make(&s, 6, 5, 9);
	write_sample(&s, path);
	r = trace_open(path, &d);
	while (trace_next_launch(r, &launch, &d) > 0) {
		assert_int_equal(launch.kernel, s.launches.data[launches].kernel);
		if (launches++ % 2) {
			assert_int_equal(trace_next_cta(r, &cta, &d), 1);
			trace_cta_release(&cta);
		}
	}
	assert_false(diag_is_set(&d));
	assert_int_equal(launches, 5);
	trace_close(r);
	sample_release(&s);
	unlink(path);
}

/* An interrupted block reads as if its missing accesses touched nothing. */
static void test_interrupted_block(void **state)
{
	static const struct trace_inst insts[2] = {{.cls = TRACE_LOAD,
						    .space = TRACE_GLOBAL,
						    .flags = TRACE_HAS_ACCESS,
						    .access_bytes = 4,
						    .structure = TRACE_NO_STRUCTURE},
						   {.cls = TRACE_STORE,
						    .space = TRACE_GLOBAL,
						    .flags = TRACE_HAS_ACCESS,
						    .access_bytes = 4,
						    .structure = TRACE_NO_STRUCTURE}};
	static const struct trace_block block = {0, 2};
	const struct trace_kernel kernel = {
	    .name = "k", .module = "m", .insts = insts, .ninsts = 2, .blocks = &block, .nblocks = 1};
	const uint64_t addresses[TRACE_WARP_LANES] = {4096};
	struct trace_launch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
	struct diag d = DIAG_INIT;
	struct trace_writer *w = trace_create(path, &d);
	struct trace_warp_cursor cursor;
	struct trace_reader *r;
	struct trace_cta cta;
	struct trace_op op;

	(void)state;
	launch.kernel = trace_add_kernel(w, &kernel);
	trace_begin_launch(w, &launch);
	trace_begin_cta(w, 0, 0, 0, 1);
	trace_block(w, 0, 0, 1);
	trace_access(w, 0, TRACE_GLOBAL, 1, addresses);
	trace_end_cta(w);
	trace_end_launch(w);
	assert_int_equal(trace_finish(w, &d), 0);
	r = trace_open(path, &d);
	assert_int_equal(trace_next_launch(r, &launch, &d), 1);
	assert_int_equal(trace_next_cta(r, &cta, &d), 1);
	trace_warp_start(&cursor, trace_kernel_of(r, launch.kernel), &cta, 0);
	assert_true(trace_warp_next(&cursor, &op));
	assert_int_equal(op.address[0], 4096);
	assert_true(trace_warp_next(&cursor, &op));
	assert_int_equal(op.access_mask, 0);
	assert_false(trace_warp_next(&cursor, &op));
	assert_false(cursor.bad);
	trace_cta_release(&cta);
	trace_close(r);
	unlink(path);
}

static void put_chunk(struct bytes *file, enum chunk_type type, const struct bytes *record)
{
	struct chunk_packer packer = {0};

	chunk_pack(&packer, type, record->data, record->len);
	put_bytes(file, packer.packed.data, packer.packed.len);
	chunk_packer_release(&packer);
}

/* Version 1 writes barriers as any other row: the number is not known then. Kernels of version 4 end with the blocks.
 */
static void test_old_traces_are_read(void **state)
{
	const struct trace_inst inst = {.cls = TRACE_FENCE, .structure = TRACE_NO_STRUCTURE, .ptx_line = 7};
	const struct trace_kernel kernel = {.name = "k", .module = "m", .insts = &inst, .ninsts = 1};
	/* In front of the row: "k", "m", 0 registers per thread, 0 registers, 0 structures, 1 instruction. */
	enum { CLASS_AT = 2 + 2 + 1 + 1 + 1 + 1, VERSION_AT = 8 };
	struct bytes file = {0}, record = {0};
	struct diag d = DIAG_INIT;
	struct trace_launch launch;
	struct trace_reader *r;

	(void)state;
	chunk_put_file_header(&file);
	file.data[VERSION_AT] = 1;
	put_kernel(&record, &kernel);
	assert_int_equal(record.data[CLASS_AT], TRACE_FENCE);
	record.data[CLASS_AT] = TRACE_BARRIER;
	assert_int_equal(record.data[--record.len], 0); /* no PTX */
	put_chunk(&file, CHUNK_KERNEL, &record);
	record.len = 0;
	put_varint(&record, 0);
	put_chunk(&file, CHUNK_TRACE_END, &record);
	assert_int_equal(file_write(path, file.data, file.len, &d), 0);
	r = trace_open(path, &d);
	assert_non_null(r);
	assert_int_equal(trace_next_launch(r, &launch, &d), 0);
	assert_int_equal(trace_kernel_of(r, 0)->insts[0].cls, TRACE_BARRIER);
	assert_int_equal(trace_kernel_of(r, 0)->insts[0].barrier, TRACE_ANY_BARRIER);
	assert_int_equal(trace_kernel_of(r, 0)->insts[0].ptx_line, 7);
	assert_null(trace_kernel_of(r, 0)->ptx);
	trace_close(r);
	unlink(path);
	vec_release(&file);
	vec_release(&record);
}

/*
 * A launch of version 2 has no local bytes: these follow the grid, the block and the shared bytes. One of version 3
 * does not say what its marks rest on: that follows the local bytes, the stream and whether the marks are in force.
 */
static void test_old_launches_are_read(void **state)
{
	const struct trace_kernel kernel = {.name = "k", .module = "m"};
	const struct trace_kernel *const kernels[] = {&kernel};
	const struct trace_launch written = {.grid = {1, 2, 3},
					     .block = {4, 5, 6},
					     .shared_bytes = 7,
					     .local_bytes = 8,
					     .stream = 9,
					     .marks_in_force = true,
					     .marks = TRACE_MARKS_GUARDED};
	enum { LOCAL_AT = 1 + 3 + 3 + 1, MARKS_AT = LOCAL_AT + 3 };
	struct arena arena = ARENA_INIT;
	struct trace_launch read;
	struct bytes record = {0};

	(void)state;
	put_launch(&record, &written, 0, 0);
	assert_int_equal(record.data[LOCAL_AT], 8);
	assert_null(get_launch(record.data, record.len, TRACE_VERSION, &arena, kernels, 1, &read));
	assert_int_equal(read.local_bytes, 8);
	assert_int_equal(read.marks, TRACE_MARKS_GUARDED);
	memmove(record.data + MARKS_AT, record.data + MARKS_AT + 1, record.len - MARKS_AT - 1);
	assert_null(get_launch(record.data, record.len - 1, 3, &arena, kernels, 1, &read));
	assert_int_equal(read.local_bytes, 8);
	assert_int_equal(read.marks, TRACE_MARKS_UNKNOWN);
	memmove(record.data + LOCAL_AT, record.data + LOCAL_AT + 1, record.len - LOCAL_AT - 1);
	assert_null(get_launch(record.data, record.len - 2, 2, &arena, kernels, 1, &read));
	assert_int_equal(read.shared_bytes, 7);
	assert_int_equal(read.local_bytes, 0);
	assert_int_equal(read.stream, 9);
	assert_true(read.marks_in_force);
	arena_release(&arena);
	vec_release(&record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_random_traces),           cmocka_unit_test(test_old_launches_are_read),
	    cmocka_unit_test(test_same_bytes_each_time),    cmocka_unit_test(test_ctas_outlive_their_chunk),
	    cmocka_unit_test(test_launches_can_be_skipped), cmocka_unit_test(test_interrupted_block),
	    cmocka_unit_test(test_old_traces_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
