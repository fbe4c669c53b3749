/*
 * A line of an instruction: [line] pc mask, registers and opcode, width and addresses, immediate. All executions of an
 * instruction have the same text except mask and addresses, and mostly follow each other as before. So a line is
 * compared with the line that followed the last instruction earlier, and parsed only where it differs.
 */
#include "trace/import/scan.h"
#include "trace/import/traceg.h"

#include <stddef.h>
#include <uthash.h>

enum { LIST_ALL, BASE_STRIDE, BASE_DELTA };

enum { GUESSES = 2 };

/* A spelling: the text in front of the mask, and the text behind it up to the width and the blank or NUL after it. */
struct traceg_form {
	const char *head, *tail;
	uint32_t head_len, tail_len;
	const struct traceg_code *code;
	unsigned width;
	struct traceg_form *next[GUESSES]; /* that followed last */
	UT_hash_handle hh;                 /* by head and tail */
};

struct traceg_code_entry {
	struct traceg_code code;
	UT_hash_handle hh; /* by the code's identity */
};

/* --- Registers, opcode, width --- */

/* R0 .. R254 are 0 .. 254, R255 is the zero register; uniform registers and predicates have numbers of their own. */
static bool register_number(const char *text, uint16_t *number)
{
	size_t letters = strspn(text, "URP");
	const char *digits = text + letters;
	uint64_t value = 0;

	if (!letters || (!scan_decimal_digits(&digits, &value) && digits > text + letters) || value > 255)
		return false;
	if (text[0] == 'R')
		*number = value == 255 ? TRACE_NO_REGISTER : (uint16_t)value;
	else
		*number = (uint16_t)((text[0] == 'U' ? 256 : 512) + value);
	return true;
}

/* Reads a count and that many registers. Registers beyond `most` are read and dropped. */
static bool registers(const char **at, uint8_t *count, uint16_t *numbers, unsigned most)
{
	uint64_t n;

	if (!scan_decimal(at, &n) || n > 64)
		return false;
	*count = 0;
	for (uint64_t i = 0; i < n; i++) {
		const char *name;
		uint16_t number;

		if (!scan_word(at, &name) || !register_number(name, &number))
			return false;
		if (*count < most)
			numbers[(*count)++] = number;
	}
	return true;
}

/* Reads the text between mask and addresses. Returns what is wrong with it, or NULL. */
static const char *take_code(const char **at, struct traceg_code *code)
{
	const char *opcode;
	uint64_t width;
	size_t len;

	if (!registers(at, &code->ndst, code->dst, TRACE_MAX_DESTINATIONS))
		return "cannot read the destination registers";
	len = scan_word(at, &opcode);
	if (len == 0 || len >= sizeof code->opcode)
		return "no opcode, or a longer opcode than any";
	memcpy(code->opcode, opcode, len);
	if (!registers(at, &code->nsrc, code->src, TRACE_MAX_SOURCES))
		return "cannot read the source registers";
	if (!scan_decimal(at, &width) || width > 255)
		return "cannot read the width in front of the memory addresses";
	code->width = (unsigned)width;
	return NULL;
}

/* --- Addresses --- */

/* The tracer uses a stride only where the active lanes follow each other. */
static bool strided_addresses(const char **at, struct traceg_inst *inst)
{
	uint64_t base, stride;

	if (!scan_hex(at, &base) || !scan_signed(at, &stride))
		return false;
	for (uint32_t rest = inst->mask; rest; rest &= rest - 1, base += stride)
		inst->address[__builtin_ctz(rest)] = base;
	return true;
}

static bool listed_addresses(const char **at, struct traceg_inst *inst, bool deltas)
{
	uint64_t address = 0, value;

	for (uint32_t rest = inst->mask; rest; rest &= rest - 1) {
		if (deltas && rest != inst->mask) {
			if (!scan_signed(at, &value))
				return false;
			address += value;
		} else if (!scan_hex(at, &address)) {
			return false;
		}
		inst->address[__builtin_ctz(rest)] = address;
	}
	return true;
}

static bool addresses(const char **at, struct traceg_inst *inst)
{
	uint64_t form;

	if (!inst->width)
		return true;
	if (!scan_decimal(at, &form) || form > BASE_DELTA)
		return false;
	if (!inst->mask)
		return true;
	return form == BASE_STRIDE ? strided_addresses(at, inst) : listed_addresses(at, inst, form == BASE_DELTA);
}

/* A lane that is off has no address; of an instruction without active lanes only the base is there. */
static const char *take_addresses(struct traceg *t, const char *at)
{
	const char *immediate;

	if (!t->wants_addresses)
		return NULL;
	if (!addresses(&at, &t->inst))
		return "cannot read the memory addresses";
	if (t->version < TRACEG_IMMEDIATES || (t->inst.width && !t->inst.mask))
		return NULL;
	return scan_word(&at, &immediate) ? NULL : "no immediate at the line's end, which tracer version 5 writes";
}

/* --- Spellings --- */

static const struct traceg_code *find_code(struct traceg_codes *codes, const struct traceg_code *like)
{
	const size_t identity = offsetof(struct traceg_code, opcode) + sizeof like->opcode;
	struct traceg_code_entry *entry;

	HASH_FIND(hh, codes->entries, like, identity, entry);
	if (!entry) {
		entry = arena_new(&codes->arena, struct traceg_code_entry);
		entry->code = *like;
		entry->code.id = codes->count++;
		HASH_ADD(hh, codes->entries, code, identity, entry);
	}
	return &entry->code;
}

/* The key of a spelling: head, newline, tail. */
static size_t make_key(struct traceg_codes *codes, const char *head, size_t head_len, const char *tail, size_t tail_len)
{
	size_t len = head_len + 1 + tail_len;

	vec_reserve(&codes->key, len);
	memcpy(codes->key.data, head, head_len);
	codes->key.data[head_len] = '\n';
	memcpy(codes->key.data + head_len + 1, tail, tail_len);
	return len;
}

/* The spelling whose head is `line` up to `mask` and whose tail goes from `tail` to `end`. */
static struct traceg_form *find_form(struct traceg_codes *codes, const char *line, const char *mask, const char *tail,
				     const char *end, const struct traceg_code *code)
{
	size_t head_len = (size_t)(mask - line), tail_len = (size_t)(end - tail) + 1;
	size_t key_len = make_key(codes, line, head_len, tail, tail_len);
	struct traceg_form *form;

	HASH_FIND(hh, codes->forms, codes->key.data, key_len, form);
	if (form)
		return form;
	form = arena_new(&codes->arena, struct traceg_form);
	form->head = arena_memdup(&codes->arena, codes->key.data, key_len);
	form->head_len = (uint32_t)head_len;
	form->tail = form->head + head_len + 1;
	form->tail_len = (uint32_t)tail_len;
	form->code = find_code(codes, code);
	form->width = code->width;
	HASH_ADD_KEYPTR(hh, codes->forms, form->head, key_len, form);
	return form;
}

/* `form` follows the last line, and is guessed first when that line comes again. */
static void follow(struct traceg_codes *codes, struct traceg_form *form)
{
	struct traceg_form *last = codes->last;

	if (last->next[0] != form) {
		last->next[1] = last->next[0];
		last->next[0] = form;
	}
	codes->last = form;
}

void traceg_begin_warp(struct traceg_codes *codes)
{
	if (!codes->begin)
		codes->begin = arena_new(&codes->arena, struct traceg_form);
	codes->last = codes->begin;
}

void traceg_codes_release(struct traceg_codes *codes)
{
	HASH_CLEAR(hh, codes->entries);
	HASH_CLEAR(hh, codes->forms);
	vec_release(&codes->key);
	arena_release(&codes->arena);
}

/* Where the addresses begin if `line` has this spelling, else NULL. */
static const char *match(const struct traceg_form *form, const char *line, size_t len, uint32_t *mask)
{
	const char *at = line + form->head_len, *end = line + len;
	uint64_t value;

	if (len <= form->head_len || memcmp(line, form->head, form->head_len) != 0)
		return NULL;
	if (!scan_hex_digits(&at, UINT32_MAX, &value))
		return NULL;
	if ((size_t)(end - at) + 1 < form->tail_len || memcmp(at, form->tail, form->tail_len) != 0)
		return NULL;
	*mask = (uint32_t)value;
	return at + form->tail_len - 1;
}

bool traceg_guess_inst(struct traceg *t, const char *line, size_t len, const char **wrong)
{
	for (unsigned i = 0; i < GUESSES; i++) {
		struct traceg_form *form = t->codes.last->next[i];
		const char *at = form ? match(form, line, len, &t->inst.mask) : NULL;

		if (!at)
			continue;
		follow(&t->codes, form);
		t->inst.code = form->code;
		t->inst.width = form->width;
		*wrong = take_addresses(t, at);
		return true;
	}
	return false;
}

const char *traceg_read_inst(struct traceg *t, const char *line)
{
	struct traceg_code code = {0};
	uint64_t source_line = 0, mask = 0;
	const char *at = line, *mask_at, *tail, *wrong;
	struct traceg_form *form;

	if (t->has_source_lines && !scan_decimal(&at, &source_line))
		return "no source line in front of the instruction";
	if (!scan_hex(&at, &code.pc))
		return "no address and mask of an instruction";
	scan_blanks(&at);
	mask_at = at;
	if (!scan_hex(&at, &mask) || mask > UINT32_MAX)
		return "no address and mask of an instruction";
	tail = at;
	code.line = (uint32_t)source_line;
	wrong = take_code(&at, &code);
	if (wrong)
		return wrong;
	form = find_form(&t->codes, line, mask_at, tail, at, &code);
	follow(&t->codes, form);
	t->inst.mask = (uint32_t)mask;
	t->inst.code = form->code;
	t->inst.width = form->width;
	return take_addresses(t, at);
}
