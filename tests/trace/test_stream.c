/* Traces through pipes, writers that fail, and files that appear complete or not at all. */
#include "common/file.h"
#include "tests/trace/matmul.h"
#include "tests/trace/sample.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char path[] = "stream.romtrace";

static bool exists(const char *name)
{
	struct stat st;

	return stat(name, &st) == 0;
}

struct pipe_writer {
	const struct sample *sample;
	int fd, status;
};

static void *write_into_pipe(void *argument)
{
	struct pipe_writer *p = argument;
	struct diag d = DIAG_INIT;
	struct trace_writer *w = trace_create_fd(p->fd, "pipe", &d);

	sample_write(p->sample, w);
	p->status = trace_finish(w, &d);
	return NULL;
}

static void test_through_a_pipe(void **state)
{
	struct sample_result result;
	struct pipe_writer p;
	struct diag d = DIAG_INIT;
	struct sample s;
	pthread_t thread;
	int ends[2];

	(void)state;
	sample_make(&s, 21, 4, 50);
	assert_int_equal(pipe(ends), 0);
	p = (struct pipe_writer){&s, ends[1], -1};
	assert_int_equal(pthread_create(&thread, NULL, write_into_pipe, &p), 0);
	result = sample_check(&s, trace_open_fd(ends[0], "pipe", &d));
	pthread_join(thread, NULL);
	assert_int_equal(p.status, 0);
	assert_false(result.wrong);
	assert_int_equal(result.status, 0);
	assert_int_equal(result.ctas, s.ctas.len);
	sample_release(&s);
}

/* The reader that goes away is an error at the end, not a signal that ends the program. */
static void test_reader_goes_away(void **state)
{
	struct pipe_writer p;
	struct sample s;
	int ends[2];

	(void)state;
	sample_make(&s, 21, 4, 50);
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	p = (struct pipe_writer){&s, ends[1], 0};
	write_into_pipe(&p);
	assert_int_equal(p.status, DIAG_ERROR);
	sample_release(&s);
}

static void test_full_disk(void **state)
{
	struct diag d = DIAG_INIT;
	struct trace_writer *w;
	struct sample s;

	(void)state;
	if (!exists("/dev/full"))
		skip();
	sample_make(&s, 3, 3, 30);
	w = trace_create_fd(open("/dev/full", O_WRONLY), "/dev/full", &d);
	assert_non_null(w);
	sample_write(&s, w);
	assert_int_equal(trace_finish(w, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "No space left"));
	sample_release(&s);
}

static void test_appears_when_finished(void **state)
{
	struct diag d = DIAG_INIT;
	struct trace_writer *w;
	struct sample s;

	(void)state;
	unlink(path);
	sample_make(&s, 3, 2, 3);
	w = trace_create(path, &d);
	sample_write(&s, w);
	assert_false(exists(path));
	trace_abandon(w);
	assert_false(exists(path));
	w = trace_create(path, &d);
	sample_write(&s, w);
	assert_int_equal(trace_finish(w, &d), 0);
	assert_true(exists(path));
	assert_null(trace_create("no-such-folder/x.romtrace", &d));
	assert_true(diag_is_set(&d));
	sample_release(&s);
	unlink(path);
}

/* The promise of docs/trace-format.md on a tiled matrix product: well under two bytes per warp instruction. */
static void test_matmul_is_small(void **state)
{
	struct diag d = DIAG_INIT;
	struct trace_writer *w = trace_create(path, &d);
	uint64_t instructions = matmul_write(w, 128), bytes;
	struct stat st;

	(void)state;
	assert_int_equal(trace_finish(w, &d), 0);
	assert_int_equal(stat(path, &st), 0);
	bytes = (uint64_t)st.st_size;
	print_message("matmul 128: %.3f bytes per warp instruction\n", (double)bytes / (double)instructions);
	assert_true(bytes * 2 < instructions);
	unlink(path);
}

static struct trace_watch watch_pieces(const uint8_t *bytes, size_t size, size_t piece)
{
	struct trace_watch w = TRACE_WATCH_INIT;

	for (size_t at = 0; at < size; at += piece)
		trace_watch(&w, bytes + at, size - at < piece ? size - at : piece);
	return w;
}

/* Whoever passes a trace on sees its end, in whatever pieces it comes, and sees that one byte of it is missing. */
static void test_end_is_seen_in_passing(void **state)
{
	struct diag d = DIAG_INIT;
	struct sample s;
	struct trace_writer *w = trace_create(path, &d);
	struct file_data file;

	(void)state;
	sample_make(&s, 21, 4, 50);
	sample_write(&s, w);
	assert_int_equal(trace_finish(w, &d), 0);
	assert_int_equal(file_read(path, &file, &d), 0);
	for (size_t piece = 1; piece < 200; piece += 7) {
		struct trace_watch whole = watch_pieces((uint8_t *)file.data, file.size, piece);

		assert_true(whole.complete);
		assert_int_equal(whole.launches, s.launches.len);
		assert_false(watch_pieces((uint8_t *)file.data, file.size - 1, piece).complete);
		assert_false(watch_pieces((uint8_t *)file.data, file.size + 1, piece).complete); /* its NUL */
	}
	file_data_release(&file);
	sample_release(&s);
	unlink(path);
}

/* CTAs that were given and launches that were passed over add up to the total, which only a whole file has. */
static void test_a_file_tells_how_long_it_is(void **state)
{
	struct diag d = DIAG_INIT;
	struct trace_launch launch;
	struct trace_reader *r;
	struct trace_writer *w = trace_create(path, &d);
	struct trace_cta cta;
	uint64_t total, before;

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		matmul_write(w, 32);
	assert_int_equal(trace_finish(w, &d), 0);
	r = trace_open(path, &d);
	total = trace_stream_bytes_total(r);
	assert_true(total > 0);
	assert_int_equal(trace_stream_bytes(r), 0);
	assert_int_equal(trace_next_launch(r, &launch, &d), 1);
	assert_int_equal(trace_next_cta(r, &cta, &d), 1);
	trace_cta_release(&cta);
	before = trace_stream_bytes(r);
	assert_true(before > 0 && before < total / 3);
	assert_int_equal(trace_next_launch(r, &launch, &d), 1);
	assert_int_equal(trace_stream_bytes(r), total / 3);
	while (trace_next_cta(r, &cta, &d) > 0)
		trace_cta_release(&cta);
	assert_int_equal(trace_stream_bytes(r), total / 3 * 2);
	assert_int_equal(trace_next_launch(r, &launch, &d), 1);
	assert_int_equal(trace_next_launch(r, &launch, &d), 0);
	assert_int_equal(trace_stream_bytes(r), total);
	/* Without the mark of the trace's end, which is a chunk of more than 20 bytes. */
	assert_int_equal(truncate(path, (off_t)trace_bytes_read(r) - 25), 0);
	trace_close(r);
	r = trace_open(path, &d);
	assert_int_equal(trace_stream_bytes_total(r), 0);
	trace_close(r);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_file_tells_how_long_it_is),
	    cmocka_unit_test(test_end_is_seen_in_passing),
	    cmocka_unit_test(test_through_a_pipe),
	    cmocka_unit_test(test_reader_goes_away),
	    cmocka_unit_test(test_full_disk),
	    cmocka_unit_test(test_appears_when_finished),
	    cmocka_unit_test(test_matmul_is_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
