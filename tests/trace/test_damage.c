/* A trace cut at any byte, or with any bit turned, is an error with its place; what stands before stays right. */
#include "common/file.h"
#include "tests/trace/sample.h"
#include "trace/chunk.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static const char path[] = "damage.romtrace";

struct damaged_sample {
	struct sample sample;
	struct file_data file;
};

static void make(struct damaged_sample *s)
{
	struct diag d = DIAG_INIT;
	struct trace_writer *w = trace_create(path, &d);

	sample_make(&s->sample, 9, 2, 2);
	sample_write(&s->sample, w);
	assert_int_equal(trace_finish(w, &d), 0);
	assert_int_equal(file_read(path, &s->file, &d), 0);
	unlink(path);
}

static void release(struct damaged_sample *s)
{
	file_data_release(&s->file);
	sample_release(&s->sample);
}

static struct trace_reader *open_bytes(const void *data, size_t size, struct diag *d)
{
	int fd = memfd_create("damage", 0);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, size), (ssize_t)size);
	lseek(fd, 0, SEEK_SET);
	return trace_open_fd(fd, "damaged.romtrace", d);
}

static struct sample_result check_bytes(const struct sample *s, const void *data, size_t size)
{
	struct sample_result result = {.status = DIAG_ERROR};
	struct trace_reader *r = open_bytes(data, size, &result.diag);

	return r ? sample_check(s, r) : result;
}

static void test_cut_at_every_byte(void **state)
{
	struct damaged_sample s;
	size_t ctas = 0;

	(void)state;
	make(&s);
	for (size_t size = 0; size < s.file.size; size++) {
		struct sample_result result = check_bytes(&s.sample, s.file.data, size);

		assert_int_equal(result.status, DIAG_ERROR);
		assert_false(result.wrong);
		assert_non_null(strstr(result.diag.message, "byte "));
		assert_true(result.ctas >= ctas);
		ctas = result.ctas;
	}
	assert_int_equal(ctas, s.sample.ctas.len);
	release(&s);
}

/* A reader that accepts the cut gives what stands before it and no error, and tells the place. */
static void test_a_cut_may_be_accepted(void **state)
{
	struct damaged_sample s;
	size_t ctas = 0;

	(void)state;
	make(&s);
	for (size_t size = 0; size <= s.file.size; size++) {
		struct sample_result strict = check_bytes(&s.sample, s.file.data, size);
		struct diag d = DIAG_INIT;
		struct trace_reader *r = open_bytes(s.file.data, size, &d);
		struct trace_launch launch;
		struct trace_cta cta;

		if (!r)
			continue;
		trace_accept_cut(r);
		assert_null(trace_cut(r));
		for (ctas = 0; trace_next_launch(r, &launch, &d) > 0;)
			for (; trace_next_cta(r, &cta, &d) > 0; ctas++)
				trace_cta_release(&cta);
		assert_false(diag_is_set(&d));
		assert_int_equal(ctas, strict.ctas);
		assert_int_equal(trace_cut(r) != NULL, size < s.file.size);
		if (size < s.file.size)
			assert_string_equal(trace_cut(r)->message, strict.diag.message);
		assert_int_equal(trace_next_launch(r, &launch, &d), 0);
		trace_close(r);
	}
	assert_int_equal(ctas, s.sample.ctas.len);
	release(&s);
}

static void test_every_byte_is_protected(void **state)
{
	struct damaged_sample s;

	(void)state;
	make(&s);
	for (size_t i = 0; i < s.file.size; i++) {
		struct sample_result result;

		s.file.data[i] ^= (char)(1 << i % 8);
		result = check_bytes(&s.sample, s.file.data, s.file.size);
		assert_int_equal(result.status, DIAG_ERROR);
		assert_false(result.wrong);
		assert_true(diag_is_set(&result.diag));
		s.file.data[i] ^= (char)(1 << i % 8);
	}
	release(&s);
}

static void test_data_behind_the_end(void **state)
{
	struct damaged_sample s;
	struct sample_result result;

	(void)state;
	make(&s);
	/* file_data ends in a NUL that is not counted: one byte too many. */
	result = check_bytes(&s.sample, s.file.data, s.file.size + 1);
	assert_int_equal(result.status, DIAG_ERROR);
	assert_int_equal(result.ctas, s.sample.ctas.len);
	release(&s);
}

/* The same file with one byte of chunk `number`'s content changed and all checksums right. */
static void repack(struct bytes *out, const struct file_data *file, unsigned number, uint32_t *random)
{
	FILE *in = fmemopen(file->data, file->size, "rb");
	struct chunk_packer packer = {0};
	struct chunk_source source;
	enum chunk_type type;
	struct diag d = DIAG_INIT;

	chunk_source_open(&source, in, "original");
	assert_int_equal(chunk_read_file_header(&source, &d), 0);
	out->len = 0;
	chunk_put_file_header(out);
	for (unsigned i = 0; chunk_next(&source, &type, &d) > 0; i++) {
		struct chunk_data *data = chunk_unpack(&source, &d);

		if (i == number && data->size)
			data->bytes[sample_random(random) % data->size] = (uint8_t)sample_random(random);
		chunk_pack(&packer, type, data->bytes, data->size);
		put_bytes(out, packer.packed.data, packer.packed.len);
		chunk_data_drop(data);
	}
	chunk_source_release(&source);
	chunk_packer_release(&packer);
	fclose(in);
}

/* Follows every stream to its end; returns the operations, which any content keeps below the given bytes. */
static size_t read_all(struct trace_reader *r)
{
	struct trace_warp_cursor cursor;
	struct trace_launch launch;
	struct diag d = DIAG_INIT;
	size_t operations = 0;
	struct trace_cta cta;
	struct trace_op op;

	while (trace_next_launch(r, &launch, &d) > 0)
		while (trace_next_cta(r, &cta, &d) > 0) {
			for (uint32_t warp = 0; warp < cta.nwarps; warp++) {
				trace_warp_start(&cursor, trace_kernel_of(r, launch.kernel), &cta, warp);
				while (trace_warp_next(&cursor, &op))
					operations++;
			}
			trace_cta_release(&cta);
		}
	trace_close(r);
	return operations;
}

static void test_wrong_content_with_right_checksums(void **state)
{
	struct damaged_sample s;
	struct bytes changed = {0};
	uint32_t random = 4711;
	size_t operations = 0;

	(void)state;
	make(&s);
	for (unsigned i = 0; i < 2000; i++) {
		struct diag d = DIAG_INIT;
		struct trace_reader *r;

		repack(&changed, &s.file, i % 9, &random);
		r = open_bytes(changed.data, changed.len, &d);
		assert_non_null(r);
		operations += read_all(r);
	}
	assert_true(operations > 2000);
	vec_release(&changed);
	release(&s);
}

static void test_not_a_trace(void **state)
{
	static const char *const texts[] = {"", "ROMTRACE", "kernel-1.traceg\n", "ROMTRACE\6\0\0\0\0\0\0\0"};
	static const size_t sizes[] = {0, 8, 16, 16};
	struct diag d;

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		d = (struct diag)DIAG_INIT;
		assert_null(open_bytes(texts[i], sizes[i], &d));
		assert_true(diag_is_set(&d));
	}
	d = (struct diag)DIAG_INIT;
	assert_null(trace_open("no-such-file.romtrace", &d));
	assert_non_null(strstr(d.message, "cannot open"));
	assert_non_null(strstr(d.message, "'romark trace'"));
	d = (struct diag)DIAG_INIT;
	assert_null(trace_open(".", &d));
	assert_true(diag_is_set(&d));
}

/* The sample's first launch, which fails behind its first CTA, and what is given to the writer after it. */
static void write_failure(const struct sample *s)
{
	struct diag d = DIAG_INIT;
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	struct trace_writer *w = trace_create_fd(fd, path, &d);
	const struct trace_launch *launch = &s->launches.data[0];

	for (size_t i = 0; i < s->kernels.len; i++)
		trace_add_kernel(w, &s->kernels.data[i]);
	trace_begin_launch(w, launch);
	trace_begin_cta(w, 0, 0, 0, s->ctas.data[0].nwarps);
	trace_end_cta(w);
	trace_fail_launch(w);
	trace_begin_launch(w, launch);
	trace_end_launch(w);
	assert_int_equal(trace_finish(w, &d), 0);
}

static void test_a_failed_launch_ends_the_trace(void **state)
{
	struct trace_launch launch;
	struct diag d = DIAG_INIT;
	struct trace_reader *r;
	struct trace_cta cta;
	struct sample s;

	(void)state;
	sample_make(&s, 9, 2, 2);
	write_failure(&s);
	r = trace_open(path, &d);
	assert_int_equal(trace_next_launch(r, &launch, &d), 1);
	assert_int_equal(trace_next_cta(r, &cta, &d), 1);
	trace_cta_release(&cta);
	assert_int_equal(trace_next_cta(r, &cta, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "launch 1 failed when it was recorded"));
	assert_true(trace_has_failed_launch(r));
	assert_int_equal(trace_next_launch(r, &launch, &d), DIAG_ERROR);
	trace_close(r);
	unlink(path);
	sample_release(&s);
}

/* A file with a name of its own does not get it. */
static void test_a_failed_launch_leaves_no_file(void **state)
{
	struct diag d = DIAG_INIT;
	struct trace_writer *w = trace_create(path, &d);
	struct sample s;

	(void)state;
	sample_make(&s, 9, 2, 2);
	for (size_t i = 0; i < s.kernels.len; i++)
		trace_add_kernel(w, &s.kernels.data[i]);
	trace_begin_launch(w, &s.launches.data[0]);
	trace_fail_launch(w);
	assert_int_equal(trace_finish(w, &d), DIAG_ERROR);
	assert_int_not_equal(access(path, F_OK), 0);
	sample_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_cut_at_every_byte),
	    cmocka_unit_test(test_a_cut_may_be_accepted),
	    cmocka_unit_test(test_every_byte_is_protected),
	    cmocka_unit_test(test_data_behind_the_end),
	    cmocka_unit_test(test_wrong_content_with_right_checksums),
	    cmocka_unit_test(test_not_a_trace),
	    cmocka_unit_test(test_a_failed_launch_ends_the_trace),
	    cmocka_unit_test(test_a_failed_launch_leaves_no_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
