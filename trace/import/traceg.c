/* A line at a time: each starts with a word that says what it is, or with the address of an instruction. */
#include "trace/import/traceg.h"

#include "common/xalloc.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_ALL, BASE_STRIDE, BASE_DELTA };

static int wrong(const struct traceg *t, struct diag *d, const char *what)
{
	return diag_set(d, t->path, t->line_number, 0, "%s", what);
}

/* The next line without its newline; NULL at the end. */
static char *next_line(struct traceg *t)
{
	ssize_t len = getline(&t->line, &t->line_cap, t->in);

	if (len < 0)
		return NULL;
	t->line_number++;
	while (len > 0 && (t->line[len - 1] == '\n' || t->line[len - 1] == '\r' || t->line[len - 1] == ' '))
		t->line[--len] = '\0';
	return t->line;
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
	    !take_number(line, "cuda stream id", &t->stream) || !take_number(line, "enable lineinfo", &has_lines) ||
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

	while (t->body = ftell(t->in), t->body_line = t->line_number, (line = next_line(t)) != NULL) {
		if (strncmp(line, "#BEGIN_TB", 9) == 0)
			break;
		if (line[0] == '-' && take_header_line(t, line, d) < 0)
			return DIAG_ERROR;
	}
	threads = (uint64_t)t->block[0] * t->block[1] * t->block[2];
	if (!t->name || !t->grid[0] || !t->grid[1] || !t->grid[2])
		return wrong(t, d, "no '-kernel name' or '-grid dim' before the first CTA");
	if (!threads || threads > TRACE_MAX_CTA_WARPS * TRACE_WARP_LANES || t->block[0] > threads ||
	    t->block[1] > threads)
		return wrong(t, d, "no '-block dim' before the first CTA, or too many threads in it");
	traceg_rewind(t);
	return 0;
}

int traceg_open(struct traceg *t, const char *path, struct diag *d)
{
	size_t len = strlen(path);

	*t = (struct traceg){.path = xstrdup(path)};
	if (len > 3 && strcmp(path + len - 3, ".xz") == 0) {
		diag_file(d, path, "compressed; unpack it with 'xz -d' and name the plain files in the list");
	} else if (!(t->in = fopen(path, "r"))) {
		diag_file(d, path, "cannot open: %s", strerror(errno));
	} else if (read_header(t, d) == 0) {
		return 0;
	}
	traceg_close(t);
	return DIAG_ERROR;
}

void traceg_rewind(struct traceg *t)
{
	fseek(t->in, t->body, SEEK_SET);
	t->line_number = t->body_line;
	t->in_cta = t->in_warp = false;
}

void traceg_close(struct traceg *t)
{
	if (t->in)
		fclose(t->in);
	free(t->path);
	free(t->line);
	free(t->name);
	free(t->text);
	*t = (struct traceg){0};
}

/* --- Instructions --- */

/* Cuts the next word off; "" at the end. */
static char *word(char **at)
{
	char *start = *at + strspn(*at, " \t");
	size_t len = strcspn(start, " \t");

	*at = start + len + (start[len] != '\0');
	start[len] = '\0';
	return start;
}

static bool number_word(char **at, int base, uint64_t *value)
{
	char *text = word(at), *end;

	*value = strtoull(text, &end, base);
	return *text && !*end;
}

static bool signed_word(char **at, int64_t *value)
{
	char *text = word(at), *end;

	*value = strtoll(text, &end, 10);
	return *text && !*end;
}

/* R0 .. R254 are 0 .. 254, R255 is the zero register; uniform registers and predicates have numbers of their own. */
static bool register_number(const char *text, uint16_t *number)
{
	size_t letters = strspn(text, "URP");
	unsigned value = (unsigned)atoi(text + letters);

	if (!letters || value > 255)
		return false;
	if (text[0] == 'R')
		*number = value == 255 ? TRACE_NO_REGISTER : (uint16_t)value;
	else
		*number = (uint16_t)((text[0] == 'U' ? 256 : 512) + value);
	return true;
}

/* Reads a count and that many registers. Registers beyond `most` are read and dropped. */
static bool registers(char **at, unsigned *count, uint16_t *numbers, unsigned most)
{
	uint64_t n;

	if (!number_word(at, 10, &n) || n > 64)
		return false;
	*count = 0;
	for (uint64_t i = 0; i < n; i++) {
		uint16_t number;

		if (!register_number(word(at), &number))
			return false;
		if (*count < most)
			numbers[(*count)++] = number;
	}
	return true;
}

/* The tracer uses a stride only where the active lanes follow each other. */
static bool strided_addresses(char **at, struct traceg_inst *inst)
{
	uint64_t base;
	int64_t stride;

	if (!number_word(at, 16, &base) || !signed_word(at, &stride))
		return false;
	for (uint32_t rest = inst->mask; rest; rest &= rest - 1, base += (uint64_t)stride)
		inst->address[__builtin_ctz(rest)] = base;
	return true;
}

static bool listed_addresses(char **at, struct traceg_inst *inst, bool deltas)
{
	uint64_t address = 0;
	int64_t delta;

	for (uint32_t rest = inst->mask; rest; rest &= rest - 1) {
		if (deltas && rest != inst->mask) {
			if (!signed_word(at, &delta))
				return false;
			address += (uint64_t)delta;
		} else if (!number_word(at, 16, &address)) {
			return false;
		}
		inst->address[__builtin_ctz(rest)] = address;
	}
	return true;
}

static bool addresses(char **at, struct traceg_inst *inst)
{
	uint64_t width, form;

	if (!number_word(at, 10, &width) || width > 255)
		return false;
	inst->width = (unsigned)width;
	if (!width)
		return true;
	if (!number_word(at, 10, &form) || form > BASE_DELTA)
		return false;
	if (!inst->mask)
		return true;
	return form == BASE_STRIDE ? strided_addresses(at, inst) : listed_addresses(at, inst, form == BASE_DELTA);
}

/* Keeps what all executions share as the instruction's identity. */
static void keep_text(struct traceg *t)
{
	struct traceg_inst *i = &t->inst;
	char key[512];
	int len = snprintf(key, sizeof key, "%" PRIx64 " %s", i->pc, i->opcode);

	for (unsigned k = 0; k < i->ndst + i->nsrc && len < (int)sizeof key - 16; k++)
		len += snprintf(key + len, sizeof key - (size_t)len, " %c%u", k < i->ndst ? 'd' : 's',
				k < i->ndst ? i->dst[k] : i->src[k - i->ndst]);
	if ((size_t)len + 1 > t->text_cap)
		t->text = xrealloc(t->text, t->text_cap = sizeof key);
	memcpy(t->text, key, (size_t)len + 1);
	i->text = t->text;
	i->text_len = (size_t)len;
}

static int take_inst(struct traceg *t, char *line, struct diag *d)
{
	struct traceg_inst *inst = &t->inst;
	uint64_t source_line = 0, mask;
	char *at = line;

	if (!t->in_warp)
		return wrong(t, d, "an instruction outside a warp");
	if (t->has_source_lines && !number_word(&at, 10, &source_line))
		return wrong(t, d, "no source line in front of the instruction");
	if (!number_word(&at, 16, &inst->pc) || !number_word(&at, 16, &mask) || mask > UINT32_MAX)
		return wrong(t, d, "no address and mask of an instruction");
	inst->line = (uint32_t)source_line;
	inst->mask = (uint32_t)mask;
	if (!registers(&at, &inst->ndst, inst->dst, TRACE_MAX_DESTINATIONS))
		return wrong(t, d, "cannot read the destination registers");
	snprintf(inst->opcode, sizeof inst->opcode, "%s", word(&at));
	if (!registers(&at, &inst->nsrc, inst->src, TRACE_MAX_SOURCES))
		return wrong(t, d, "cannot read the source registers");
	if (!addresses(&at, inst))
		return wrong(t, d, "cannot read the memory addresses");
	keep_text(t);
	t->seen++;
	return TRACEG_INST;
}

/* --- CTAs and warps --- */

static int end_warp(struct traceg *t, struct diag *d)
{
	if (t->in_warp && t->seen != t->announced)
		return diag_set(d, t->path, t->line_number, 0, "warp %u has %llu instructions, but 'insts' says %llu",
				t->warp, (unsigned long long)t->seen, (unsigned long long)t->announced);
	t->in_warp = false;
	return 0;
}

static int take_cta(struct traceg *t, const char *line, struct diag *d)
{
	if (!t->in_cta ||
	    sscanf(line, "thread block = %" SCNu32 ",%" SCNu32 ",%" SCNu32, &t->cta[0], &t->cta[1], &t->cta[2]) != 3)
		return wrong(t, d, "cannot read the CTA's coordinates");
	if (t->cta[0] >= t->grid[0] || t->cta[1] >= t->grid[1] || t->cta[2] >= t->grid[2])
		return wrong(t, d, "the CTA lies outside the grid");
	return TRACEG_CTA;
}

static int take_warp(struct traceg *t, const char *line, struct diag *d)
{
	uint32_t warps = (t->block[0] * t->block[1] * t->block[2] + TRACE_WARP_LANES - 1) / TRACE_WARP_LANES;

	if (end_warp(t, d) < 0)
		return DIAG_ERROR;
	if (!t->in_cta || sscanf(line, "warp = %" SCNu32, &t->warp) != 1 || t->warp >= warps)
		return wrong(t, d, "a warp outside a CTA, or more warps than the block has");
	t->in_warp = true;
	t->announced = t->seen = 0;
	return TRACEG_WARP;
}

/* Returns an event, 0 for a line without information, or DIAG_ERROR. */
static int take_line(struct traceg *t, char *line, struct diag *d)
{
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
		return sscanf(line, "insts = %" SCNu64, &t->announced) == 1 ? 0 : wrong(t, d, "cannot read 'insts'");
	return take_inst(t, line, d);
}

int traceg_next(struct traceg *t, struct diag *d)
{
	char *line;

	while ((line = next_line(t)) != NULL) {
		int event = take_line(t, line, d);

		if (event != 0)
			return event;
	}
	if (ferror(t->in))
		return diag_file(d, t->path, "cannot read: %s", strerror(errno));
	return t->in_cta ? wrong(t, d, "the file ends inside a CTA") : TRACEG_END;
}
