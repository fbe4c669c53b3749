/* Reads a line at a time. A line starts with a word that names its kind, or with the address of an instruction. */
#include "trace/import/traceg.h"

#include "common/integer.h"
#include "common/xalloc.h"
#include "trace/import/scan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int wrong(const struct traceg *t, struct diag *d, const char *what)
{
	return diag_set(d, t->in.path, t->in.line_number, 0, "%s", what);
}

/* "-key = value": the value when `line` has that key. */
static const char *value_of(const char *line, const char *key)
{
	size_t len = strlen(key);

	if (line[0] != '-' || strncmp(line + 1, key, len) != 0)
		return NULL;
	line += 1 + len;
	line += strspn(line, " ");
	if (*line != '=')
		return NULL;
	return line + 1 + strspn(line + 1, " ");
}

static bool take_number(const char *line, const char *key, uint32_t *out)
{
	const char *value = value_of(line, key);

	return !value || sscanf(value, "%" SCNu32, out) == 1;
}

static bool take_triple(const char *line, const char *key, uint32_t out[3])
{
	const char *value = value_of(line, key);

	return !value || sscanf(value, "(%" SCNu32 ",%" SCNu32 ",%" SCNu32 ")", &out[0], &out[1], &out[2]) == 3;
}

static bool take_address(const char *line, const char *key, uint64_t *out)
{
	const char *value = value_of(line, key);

	return !value || sscanf(value, "%" SCNx64, out) == 1;
}

static int take_header_line(struct traceg *t, const char *line, struct diag *d)
{
	const char *name = value_of(line, "kernel name");
	uint32_t has_lines = t->has_source_lines;

	if (name && !t->name)
		t->name = xstrdup(name);
	if (!take_triple(line, "grid dim", t->grid) || !take_triple(line, "block dim", t->block) ||
	    !take_number(line, "shmem", &t->shared_bytes) || !take_number(line, "nregs", &t->registers) ||
	    !take_number(line, "cuda stream id", &t->stream) ||
	    !take_number(line, "accelsim tracer version", &t->version) ||
	    !take_number(line, "enable lineinfo", &has_lines) ||
	    !take_address(line, "shmem base_addr", &t->shared_base) ||
	    !take_address(line, "local mem base_addr", &t->local_base))
		return wrong(t, d, "cannot read this header line");
	t->has_source_lines = has_lines != 0;
	return 0;
}

static int read_header(struct traceg *t, struct diag *d)
{
	const char *line;
	uint64_t threads;

	while (t->body_line = t->in.line_number, (line = input_line(&t->in, d)) != NULL) {
		if (strncmp(line, "#BEGIN_TB", 9) == 0)
			break;
		if (line[0] == '-' && take_header_line(t, line, d) < 0)
			return DIAG_ERROR;
	}
	if (t->in.failed)
		return DIAG_ERROR;
	threads = (uint64_t)t->block[0] * t->block[1] * t->block[2];
	if (!t->name || !t->grid[0] || !t->grid[1] || !t->grid[2])
		return wrong(t, d, "no '-kernel name' or '-grid dim' before the first CTA");
	if (!threads || threads > TRACE_MAX_CTA_WARPS * TRACE_WARP_LANES || t->block[0] > threads ||
	    t->block[1] > threads)
		return wrong(t, d, "no '-block dim' before the first CTA, or too many threads in it");
	if (t->version < TRACEG_OLDEST || t->version > TRACEG_NEWEST)
		return diag_set(d, t->in.path, t->in.line_number, 0,
				"tracer version %" PRIu32
				"; romark reads versions %d to %d, so trace again with one of these",
				t->version, TRACEG_OLDEST, TRACEG_NEWEST);
	return traceg_rewind(t, d);
}

int traceg_open(struct traceg *t, const char *path, struct diag *d)
{
	*t = (struct traceg){.version = TRACEG_OLDEST};
	if (input_open(&t->in, path, d) == 0 && read_header(t, d) == 0)
		return 0;
	traceg_close(t);
	return DIAG_ERROR;
}

int traceg_rewind(struct traceg *t, struct diag *d)
{
	t->in_cta = t->in_warp = false;
	if (input_rewind(&t->in, d) < 0)
		return DIAG_ERROR;
	while (t->in.line_number < t->body_line)
		if (!input_line(&t->in, d))
			return t->in.failed ? DIAG_ERROR
					    : diag_file(d, t->in.path, "the file changed while it was read");
	return 0;
}

void traceg_close(struct traceg *t)
{
	input_close(&t->in);
	traceg_codes_release(&t->codes);
	xfree(t->name);
	*t = (struct traceg){.in.fd = -1};
}

/* --- CTAs and warps --- */

static int end_warp(struct traceg *t, struct diag *d)
{
	if (t->in_warp && t->seen != t->announced)
		return diag_set(d, t->in.path, t->in.line_number, 0,
				"warp %u has %" PRIu32 " instructions, but 'insts' says %" PRIu32, t->warp, t->seen,
				t->announced);
	t->in_warp = false;
	return 0;
}

static int take_cta(struct traceg *t, const char *line, struct diag *d)
{
	if (!t->in_cta || !scan_numbers(line, "thread block", 3, t->cta))
		return wrong(t, d, "cannot read the CTA's coordinates");
	if (t->cta[0] >= t->grid[0] || t->cta[1] >= t->grid[1] || t->cta[2] >= t->grid[2])
		return wrong(t, d, "the CTA lies outside the grid");
	return TRACEG_CTA;
}

uint32_t traceg_warps(const struct traceg *t)
{
	return (uint32_t)divide_up((uint64_t)t->block[0] * t->block[1] * t->block[2], TRACE_WARP_LANES);
}

static int take_warp(struct traceg *t, const char *line, struct diag *d)
{
	uint32_t warps = traceg_warps(t);

	if (end_warp(t, d) < 0)
		return DIAG_ERROR;
	if (!t->in_cta || !scan_numbers(line, "warp", 1, &t->warp) || t->warp >= warps)
		return wrong(t, d, "a warp outside a CTA, or more warps than the block has");
	t->in_warp = true;
	t->announced = t->seen = 0;
	traceg_begin_warp(&t->codes);
	return TRACEG_WARP;
}

static int take_inst(struct traceg *t, const char *problem, struct diag *d)
{
	if (problem)
		return wrong(t, d, problem);
	t->seen++;
	return TRACEG_INST;
}

/* Returns an event, 0 for a line without information, or DIAG_ERROR. */
static int take_line(struct traceg *t, const char *line, struct diag *d)
{
	const char *problem;

	if (t->in_warp && traceg_guess_inst(t, line, t->in.line_len, &problem))
		return take_inst(t, problem, d);
	if (strncmp(line, "#BEGIN_TB", 9) == 0) {
		if (t->in_cta)
			return wrong(t, d, "a CTA begins inside a CTA");
		t->in_cta = true;
		return 0;
	}
	if (strncmp(line, "#END_TB", 7) == 0) {
		if (!t->in_cta || end_warp(t, d) < 0)
			return wrong(t, d, "the end of a CTA that was not begun");
		t->in_cta = false;
		return TRACEG_CTA_END;
	}
	if (!*line || *line == '#' || strncmp(line, "cluster", 7) == 0)
		return 0;
	if (strncmp(line, "thread block", 12) == 0)
		return take_cta(t, line, d);
	if (strncmp(line, "warp", 4) == 0)
		return take_warp(t, line, d);
	if (strncmp(line, "insts", 5) == 0)
		return scan_numbers(line, "insts", 1, &t->announced) ? 0 : wrong(t, d, "cannot read 'insts'");
	return take_inst(t, t->in_warp ? traceg_read_inst(t, line) : "an instruction outside a warp", d);
}

int traceg_next(struct traceg *t, struct diag *d)
{
	const char *line;

	while ((line = input_line(&t->in, d)) != NULL) {
		int event = take_line(t, line, d);

		if (event != 0)
			return event;
	}
	if (t->in.failed)
		return DIAG_ERROR;
	return t->in_cta ? wrong(t, d, "the file ends inside a CTA") : TRACEG_END;
}
