/*
 * Reads a source once, and finds in its asm statements two things that nvcc takes: single percent signs in the
 * templates, and missing commas between the operands.
 */
#include "cc/assembly.h"

#include "cc/source_text.h"
#include "common/ascii.h"
#include "common/vec.h"

#include <string.h>

/* A missing character, and its place. */
struct insertion {
	size_t at;
	char what;
};
typedef VEC(struct insertion) places;

static size_t skip_blanks(const char *t, size_t i)
{
	while (ascii_is_space(t[i]) || (t[i] == '\\' && t[i + 1] == '\n'))
		i++;
	return i;
}

/* Whether the word at `i` is among these; `length` is the word's length. */
static bool is_one_of(const char *t, size_t i, size_t length, const char *const *words)
{
	for (; *words; words++)
		if (strlen(*words) == length && memcmp(t + i, *words, length) == 0)
			return true;
	return false;
}

static size_t word_length(const char *t, size_t i)
{
	size_t length = 0;

	while (cc_is_word(t[i + length]))
		length++;
	return length;
}

/* "%smid"; but "%0", "%%", "%=", "%[name]" and, with a modifier, "%r0" are an operand or Clang's own. */
static bool is_lone(const char *percent)
{
	return ascii_is_alpha(percent[1]) && !ascii_is_digit(percent[2]) && percent[2] != '[';
}

static void note_lone(const char *t, size_t from, size_t to, places *found)
{
	for (size_t i = from; i + 1 < to; i++) {
		if (t[i] != '%')
			continue;
		if (is_lone(t + i))
			vec_push(found, ((struct insertion){i, '%'}));
		i += t[i + 1] == '%';
	}
}

/* Past blanks and comments. */
static size_t skip_to_code(const char *t, size_t i)
{
	for (size_t next = i;; i = next) {
		next = skip_blanks(t, i);
		if (t[next] == '/')
			next = cc_skip_text(t, next);
		if (next == i)
			return i;
	}
}

/* The operands from the colon at `i` to the end of the statement. An operand ends with the parenthesis of its value. */
static size_t read_operands(const char *t, size_t i, places *found)
{
	for (unsigned depth = 0; t[i];) {
		size_t next = cc_skip_text(t, i);

		if (next > i) {
			i = next;
			continue;
		}
		if (depth == 0 && (t[i] == ')' || t[i] == ';'))
			return i;
		depth += t[i] == '(';
		if (t[i++] == ')' && --depth == 0) {
			next = skip_to_code(t, i);
			if (t[next] == '"' || t[next] == '[')
				vec_push(found, ((struct insertion){i, ','}));
		}
	}
	return i;
}

/* The rest behind the parenthesis at `i`, up to its end. Only where operands follow a percent sign is special. */
static size_t read_parts(const char *t, size_t i, places *found)
{
	size_t before = found->len;

	for (i++; t[i] && t[i] != ':' && t[i] != ')' && t[i] != ';';) {
		size_t next = cc_skip_text(t, i);

		if (t[i] == '"')
			note_lone(t, i, next, found);
		i = next > i ? next : i + 1;
	}
	if (t[i] == ':')
		return read_operands(t, i, found);
	found->len = before;
	return i;
}

/* Behind the word asm at `i`; where reading goes on. */
static size_t read_statement(const char *t, size_t i, places *found)
{
	static const char *const qualifiers[] = {"volatile", "__volatile__", "__volatile", "inline", "goto", NULL};

	for (;;) {
		size_t length;

		i = skip_blanks(t, i);
		length = word_length(t, i);
		if (!is_one_of(t, i, length, qualifiers))
			break;
		i += length;
	}
	return t[i] == '(' ? read_parts(t, i, found) : i;
}

static void read_all(const char *t, places *found)
{
	static const char *const names[] = {"asm", "__asm__", "__asm", NULL};

	for (size_t i = 0; t[i];) {
		size_t next = cc_skip_text(t, i), length = next == i ? word_length(t, i) : 0;

		if (is_one_of(t, i, length, names))
			i = read_statement(t, i + length, found);
		else
			i = next > i ? next : i + (length ? length : 1);
	}
}

bool cc_assembly_rewrite(const char *text, struct strbuf *out)
{
	places found = VEC_INIT;
	size_t at = 0;
	bool any;

	if (strstr(text, "asm"))
		read_all(text, &found);
	for (size_t i = 0; i < found.len; i++) {
		strbuf_add(out, text + at, found.data[i].at - at);
		strbuf_addc(out, found.data[i].what);
		at = found.data[i].at;
	}
	any = found.len;
	if (any)
		strbuf_adds(out, text + at);
	vec_release(&found);
	return any;
}
