/* Import of packed Accel-Sim text: every packing gives the trace of the plain file, and a damaged file is an error. */
#include "tests/trace/operations.h"
#include "common/file.h"
#include "common/xalloc.h"
#include "trace/import/accelsim.h"

#include <lzma.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

static const char list[] = "packed.g", plain[] = "kernel-packed.traceg", output[] = "packed.romtrace";

struct bytes {
	unsigned char *data;
	size_t len;
};

static void pack_xz(const void *data, size_t len, struct bytes *out)
{
	assert_int_equal(
	    lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, data, len, out->data, &out->len, len + 1000), LZMA_OK);
}

static void pack_zstd(const void *data, size_t len, struct bytes *out)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();

	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	out->len = ZSTD_compress2(context, out->data, len + 1000, data, len);
	assert_false(ZSTD_isError(out->len));
	ZSTD_freeCCtx(context);
}

static void pack_gzip(const void *data, size_t len, struct bytes *out)
{
	z_stream s = {.next_in = (unsigned char *)(uintptr_t)data,
		      .avail_in = (unsigned)len,
		      .next_out = out->data,
		      .avail_out = (unsigned)len + 1000};

	assert_int_equal(deflateInit2(&s, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&s, Z_FINISH), Z_STREAM_END);
	out->len = s.total_out;
	deflateEnd(&s);
}

static const struct packing {
	const char *name, *suffix;
	void (*pack)(const void *data, size_t len, struct bytes *out);
} packings[] = {{"xz", ".xz", pack_xz}, {"zstd", ".zst", pack_zstd}, {"gzip", ".gz", pack_gzip}};
enum { PACKINGS = sizeof packings / sizeof *packings };

static struct bytes pack(const struct packing *p, const void *data, size_t len)
{
	struct bytes out = {xmalloc(len + 1000), 0};

	p->pack(data, len, &out);
	return out;
}

static struct file_data sample(void)
{
	struct file_data file;

	assert_int_equal(file_read(SAMPLES "/kernel-1.traceg", &file, NULL), 0);
	return file;
}

/* Imports what `list` names. Leaves `output` only on success. */
static int import(struct diag *d)
{
	struct trace_writer *w = trace_create(output, d);
	int status;

	*d = (struct diag)DIAG_INIT;
	assert_non_null(w);
	status = accelsim_import(list, w, NULL, d);
	if (status == 0)
		return trace_finish(w, d);
	trace_abandon(w);
	return status;
}

static void write_list(const char *name)
{
	assert_int_equal(file_write(list, name, strlen(name), NULL), 0);
}

/* The sum of the sample's import from `file`, which the list calls `named`. */
static uint64_t import_file(const char *file, const char *named, const void *data, size_t len)
{
	struct diag d;

	assert_int_equal(file_write(file, data, len, NULL), 0);
	write_list(named);
	if (import(&d) < 0)
		fail_msg("%s: %s", file, d.message);
	unlink(file);
	return sum_of_operations(output);
}

static void test_packed_files_are_read_as_plain_ones(void **state)
{
	struct file_data text = sample();
	uint64_t wanted = import_file(plain, plain, text.data, text.size);

	(void)state;
	for (unsigned i = 0; i < PACKINGS; i++) {
		struct bytes packed = pack(&packings[i], text.data, text.size);
		char name[64];

		snprintf(name, sizeof name, "%s%s", plain, packings[i].suffix);
		assert_true(import_file(name, name, packed.data, packed.len) == wanted);
		/* The list's name may lack the suffix or have it too much, and the first bytes count, not the name. */
		assert_true(import_file(name, plain, packed.data, packed.len) == wanted);
		assert_true(import_file(plain, name, text.data, text.size) == wanted);
		assert_true(import_file(plain, plain, packed.data, packed.len) == wanted);
		free(packed.data);
	}
	file_data_release(&text);
	unlink(list);
}

static void test_streams_behind_each_other_are_one_file(void **state)
{
	struct file_data text = sample();
	uint64_t wanted = import_file(plain, plain, text.data, text.size);

	(void)state;
	for (unsigned i = 0; i < PACKINGS; i++) {
		struct bytes first = pack(&packings[i], text.data, 700);
		struct bytes second = pack(&packings[i], text.data + 700, text.size - 700);

		first.data = xrealloc(first.data, first.len + second.len);
		memcpy(first.data + first.len, second.data, second.len);
		assert_true(import_file(plain, plain, first.data, first.len + second.len) == wanted);
		free(first.data);
		free(second.data);
	}
	file_data_release(&text);
	unlink(list);
}

static void test_a_packed_list_is_read(void **state)
{
	static const char names[] = "kernel-packed.traceg\n";
	struct file_data text = sample();

	(void)state;
	assert_int_equal(file_write(plain, text.data, text.size, NULL), 0);
	for (unsigned i = 0; i < PACKINGS; i++) {
		struct bytes packed = pack(&packings[i], names, sizeof names - 1);
		struct diag d;

		assert_int_equal(file_write(list, packed.data, packed.len, NULL), 0);
		assert_int_equal(import(&d), 0);
		unlink(output);
		free(packed.data);
	}
	file_data_release(&text);
	unlink(plain);
	unlink(list);
}

/* Imports damaged bytes: an error of one line that names the file and says `says`. */
static void assert_refused(const void *data, size_t len, const char *says)
{
	struct diag d;

	assert_int_equal(file_write(plain, data, len, NULL), 0);
	assert_int_equal(import(&d), DIAG_ERROR);
	assert_string_equal(d.file, plain);
	assert_null(strchr(d.message, '\n'));
	if (!strstr(d.message, says))
		fail_msg("%s", d.message);
}

static void test_a_cut_file_is_refused(void **state)
{
	struct file_data text = sample();

	(void)state;
	write_list(plain);
	for (unsigned i = 0; i < PACKINGS; i++) {
		struct bytes packed = pack(&packings[i], text.data, text.size);

		for (size_t len = 6; len < packed.len; len += 5)
			assert_refused(packed.data, len, "cut off");
		free(packed.data);
	}
	file_data_release(&text);
	unlink(plain);
	unlink(list);
}

/* A changed byte is an error, or one that says the same in another way, as there is one in the gzip file. */
static void assert_refused_or_harmless(const void *data, size_t len, uint64_t wanted)
{
	struct diag d;

	assert_int_equal(file_write(plain, data, len, NULL), 0);
	if (import(&d) == 0)
		assert_true(sum_of_operations(output) == wanted);
	else
		assert_string_equal(d.file, plain);
}

/* Bytes amid the packed text, and what stands behind it. */
static void test_a_damaged_file_is_refused(void **state)
{
	struct file_data text = sample();
	uint64_t wanted = import_file(plain, plain, text.data, text.size);

	(void)state;
	write_list(plain);
	for (unsigned i = 0; i < PACKINGS; i++) {
		struct bytes packed = pack(&packings[i], text.data, text.size);

		for (size_t at = packed.len / 4; at < packed.len * 3 / 4; at += 5) {
			packed.data[at] ^= 0x55;
			assert_refused_or_harmless(packed.data, packed.len, wanted);
			packed.data[at] ^= 0x55;
		}
		memcpy(packed.data + packed.len, "rubbish!", 8);
		assert_refused(packed.data, packed.len + 8, packings[i].name);
		free(packed.data);
	}
	file_data_release(&text);
	unlink(plain);
	unlink(list);
}

static void test_archives_and_endless_lines_are_refused(void **state)
{
	enum { LONG = (1 << 20) + 100 };
	char *data = xcalloc(1, LONG);

	(void)state;
	write_list(plain);
	strcpy(data, "traces/kernelslist.g");
	memcpy(data + 257, "ustar", 5);
	assert_refused(data, 1024, "tar -xf");
	memset(data, 'x', LONG);
	assert_refused(data, LONG, "1 MiB");
	for (unsigned i = 0; i < PACKINGS; i++) {
		struct bytes packed = pack(&packings[i], data, LONG);

		assert_refused(packed.data, packed.len, "1 MiB");
		free(packed.data);
	}
	free(data);
	unlink(plain);
	unlink(list);
}

/* Lines that do not fit into what is read at once. */
static void test_long_files_are_read_in_blocks(void **state)
{
	enum { HEADER_LINES = 200000 };
	struct file_data text = sample();
	uint64_t wanted = import_file(plain, plain, text.data, text.size);
	char *data = xmalloc(text.size + (size_t)HEADER_LINES * 24), *at = data;

	(void)state;
	for (unsigned i = 0; i < HEADER_LINES; i++)
		at += sprintf(at, "-remark = %u\n", i);
	memcpy(at, text.data, text.size);
	at += text.size;
	assert_true(import_file(plain, plain, data, (size_t)(at - data)) == wanted);
	for (unsigned i = 0; i < PACKINGS; i++) {
		struct bytes packed = pack(&packings[i], data, (size_t)(at - data));

		assert_true(import_file(plain, plain, packed.data, packed.len) == wanted);
		free(packed.data);
	}
	free(data);
	file_data_release(&text);
	unlink(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_packed_files_are_read_as_plain_ones),
	    cmocka_unit_test(test_streams_behind_each_other_are_one_file),
	    cmocka_unit_test(test_a_packed_list_is_read),
	    cmocka_unit_test(test_a_cut_file_is_refused),
	    cmocka_unit_test(test_a_damaged_file_is_refused),
	    cmocka_unit_test(test_archives_and_endless_lines_are_refused),
	    cmocka_unit_test(test_long_files_are_read_in_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
