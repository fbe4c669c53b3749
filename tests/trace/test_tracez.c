/* Import of .tracez: it becomes what its .traceg becomes, and a damaged one is an error. */
#include "tests/trace/operations.h"
#include "common/file.h"
#include "common/strbuf.h"
#include "common/vec.h"
#include "trace/import/accelsim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include <cmocka.h>

static const char list[] = "tracez.g", packed[] = "kernel-z.tracez", plain[] = "kernel-z.traceg";
static const char output[] = "tracez.romtrace";

/* A .tracez under construction. */
struct packer {
	struct strbuf file, index;
	struct strbuf part; /* text of the open part */
	uint32_t ctas, warps, parts;
	size_t warp_at, index_warp_at, index_warps_at;
};

static void add_word(struct strbuf *to, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		strbuf_addc(to, (char)(value >> (8 * i)));
}

static void set_word(struct strbuf *in, size_t at, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		in->data[at + i] = (char)(value >> (8 * i));
}

static void end_part(struct packer *p)
{
	char *frame = xmalloc(ZSTD_compressBound(p->part.len));
	size_t len = ZSTD_compress(frame, ZSTD_compressBound(p->part.len), p->part.data, p->part.len, 3);

	if (p->part.len) {
		add_word(&p->file, len, 4);
		strbuf_add(&p->file, frame, len);
		add_word(&p->index, 1, 4);
		p->parts++;
	}
	p->part.len = 0;
	free(frame);
}

static void end_warp(struct packer *p)
{
	if (!p->warps)
		return;
	end_part(p);
	set_word(&p->file, p->warp_at + 4, p->parts);
	set_word(&p->index, p->index_warp_at + 4, p->parts);
}

static void begin_warp(struct packer *p, unsigned insts)
{
	p->warp_at = p->file.len;
	p->index_warp_at = p->index.len;
	p->parts = 0;
	p->warps++;
	add_word(&p->file, insts, 4);
	add_word(&p->file, 0, 4);
	add_word(&p->index, insts, 4);
	add_word(&p->index, 0, 4);
	add_word(&p->index, p->warp_at, 8);
}

static void begin_cta(struct packer *p, const char *line)
{
	unsigned at[3];

	assert_int_equal(sscanf(line, "thread block = %u,%u,%u", &at[0], &at[1], &at[2]), 3);
	for (unsigned i = 0; i < 3; i++)
		add_word(&p->index, at[i], 4);
	for (unsigned i = 0; i < 7; i++)
		add_word(&p->index, 0, 4);
	p->index_warps_at = p->index.len;
	add_word(&p->index, 0, 4);
	p->ctas++;
	p->warps = 0;
}

/* A part has at most two lines, so that a warp has several. */
static void take_body_line(struct packer *p, const char *line)
{
	unsigned number;

	if (sscanf(line, "insts = %u", &number) == 1) {
		begin_warp(p, number);
	} else if (strncmp(line, "warp", 4) == 0 || strncmp(line, "#END", 4) == 0) {
		end_warp(p);
		set_word(&p->index, p->index_warps_at, p->warps);
	} else if (strncmp(line, "thread block", 12) == 0) {
		begin_cta(p, line);
	} else if (line[0] && line[0] != '#') {
		if (memchr(p->part.data ? p->part.data : "", '\n', p->part.len))
			end_part(p);
		if (p->part.len)
			strbuf_addc(&p->part, '\n');
		strbuf_adds(&p->part, line);
	}
}

/* The sample as a .tracez without dictionary. */
static struct strbuf pack(void)
{
	struct packer p = {.ctas = 0};
	struct file_data text;
	bool in_body = false;
	size_t index_at;

	assert_int_equal(file_read(SAMPLES "/kernel-1.traceg", &text, NULL), 0);
	for (char *at = (char *)text.data, *end; *at; at = end + 1) {
		end = strchr(at, '\n');
		*end = '\0';
		if (!in_body && strncmp(at, "#BEGIN", 6) == 0) {
			in_body = true;
			strbuf_addc(&p.file, '\0');
			add_word(&p.file, 0, 4);
			add_word(&p.file, 2, 4);
		}
		if (in_body)
			take_body_line(&p, at);
		else
			strbuf_addf(&p.file, "%s\n", at);
	}
	index_at = p.file.len;
	add_word(&p.file, p.ctas, 4);
	strbuf_add(&p.file, p.index.data, p.index.len);
	add_word(&p.file, index_at, 8);
	strbuf_release(&p.index);
	strbuf_release(&p.part);
	file_data_release(&text);
	return p.file;
}

static int import(const char *kernel, const void *data, size_t len, struct diag *d)
{
	struct trace_writer *w = trace_create(output, d);
	char line[64];
	int status;

	assert_int_equal(file_write(kernel, data, len, NULL), 0);
	snprintf(line, sizeof line, "%s\n", kernel);
	assert_int_equal(file_write(list, line, strlen(line), NULL), 0);
	*d = (struct diag)DIAG_INIT;
	status = accelsim_import(list, w, NULL, d);
	if (status == 0)
		return trace_finish(w, d);
	trace_abandon(w);
	return status;
}

static uint64_t plain_sum(void)
{
	struct file_data text;
	struct diag d;

	assert_int_equal(file_read(SAMPLES "/kernel-1.traceg", &text, NULL), 0);
	assert_int_equal(import(plain, text.data, text.size, &d), 0);
	file_data_release(&text);
	return sum_of_operations(output);
}

static void test_a_tracez_is_its_traceg(void **state)
{
	struct strbuf file = pack();
	struct diag d;

	(void)state;
	if (import(packed, file.data, file.len, &d) < 0)
		fail_msg("%s", d.message);
	assert_true(sum_of_operations(output) == plain_sum());
	strbuf_release(&file);
}

static void test_a_cut_tracez_is_refused(void **state)
{
	struct strbuf file = pack();
	struct diag d;

	(void)state;
	for (size_t len = 0; len < file.len; len += 3) {
		assert_int_equal(import(packed, file.data, len, &d), DIAG_ERROR);
		assert_string_equal(d.file, packed);
		assert_null(strchr(d.message, '\n'));
	}
	strbuf_release(&file);
}

/* A changed byte is an error, or changes nothing but what the model does not read. */
static void test_a_damaged_tracez_does_not_crash(void **state)
{
	struct strbuf file = pack();
	size_t body = strlen(file.data);
	unsigned refused = 0;
	struct diag d;

	(void)state;
	for (size_t at = body; at < file.len; at++) {
		file.data[at] ^= (char)0xa5;
		if (import(packed, file.data, file.len, &d) < 0)
			refused++;
		file.data[at] ^= (char)0xa5;
	}
	assert_true(refused > (file.len - body) / 2);
	strbuf_release(&file);
}

static int clean(void **state)
{
	(void)state;
	unlink(list);
	unlink(packed);
	unlink(plain);
	unlink(output);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_tracez_is_its_traceg),
	    cmocka_unit_test(test_a_cut_tracez_is_refused),
	    cmocka_unit_test(test_a_damaged_tracez_does_not_crash),
	};

	return cmocka_run_group_tests(tests, NULL, clean);
}
