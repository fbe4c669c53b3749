/* One reading of a source: launches, and the arguments in their chevrons that are braced lists. */
#include "cc/braces.h"

#include "cc/source_text.h"
#include "common/ascii.h"

#include <string.h>

/* The functions that take a configuration's arguments in any form: grid, block, shared memory, stream. */
static const char *const takers[] = {"::romark_dim3(", "::romark_dim3(", "::romark_bytes(", "::romark_stream("};
enum { ARGUMENTS = sizeof takers / sizeof *takers };
static const size_t NO_MACRO = (size_t)-1;

struct reading {
	const char *text;
	struct strbuf *out;
	size_t copied; /* how much of `text` is in `out` */
	bool changed;
};

static void insert(struct reading *r, size_t at, const char *word)
{
	strbuf_add(r->out, r->text + r->copied, at - r->copied);
	strbuf_adds(r->out, word);
	r->copied = at;
	r->changed = true;
}

static size_t skip_blanks(const char *t, size_t i)
{
	while (ascii_is_space(t[i]) || (t[i] == '\\' && t[i + 1] == '\n'))
		i++;
	return i;
}

/* Past the template arguments that open at `i`, or `i` where "<" compares. */
static size_t skip_template_arguments(const char *t, size_t i, size_t end)
{
	int depth = 0;

	for (size_t k = i; k < end; k++) {
		depth += (t[k] == '<') - (t[k] == '>');
		if (depth == 0)
			return strchr("({:", t[skip_blanks(t, k + 1)]) ? k + 1 : i;
		if (strchr(";{}&|", t[k]))
			return i;
	}
	return i;
}

/* Where the argument that starts at `i` ends: a comma, or the configuration's end. */
static size_t argument_end(const char *t, size_t i, size_t end)
{
	int depth = 0;

	while (i < end) {
		size_t next = cc_skip_text(t, i);

		if (next == i && depth == 0 && t[i] == ',')
			return i;
		if (next == i && t[i] == '<' && i && cc_is_word(t[i - 1]))
			next = skip_template_arguments(t, i, end);
		if (next == i)
			depth += cc_bracket(t[i++]);
		else
			i = next;
	}
	return end;
}

/* One of the parameters of the macro whose definition is at `define`. */
static bool is_parameter(const char *t, size_t define, const char *word, size_t length)
{
	size_t i = define + 1;

	i = skip_blanks(t, skip_blanks(t, i) + strlen("define"));
	while (cc_is_word(t[i]))
		i++;
	for (length = t[i] == '(' ? length : 0; length && t[i] && t[i] != ')' && t[i] != '\n'; i++) {
		bool starts = cc_is_word(t[i]) && !cc_is_word(t[i - 1]);

		if (starts && strncmp(t + i, word, length) == 0 && !cc_is_word(t[i + length]))
			return strncmp(t + i + length, "...", 3) != 0;
	}
	return false;
}

/*
 * Reads a configuration, from after its <<< to its >>>; `define`: the start of the macro that contains it, or NO_MACRO.
 */
static void read_configuration(struct reading *r, size_t i, size_t end, size_t define)
{
	for (size_t n = 0; i < end && n < ARGUMENTS; n++) {
		size_t start = skip_blanks(r->text, i), next = argument_end(r->text, start, end), length = 0;
		bool taken = r->text[start] == '{';

		while (cc_is_word(r->text[start + length]))
			length++;
		if (!taken && define != NO_MACRO && start + length == next)
			taken = is_parameter(r->text, define, r->text + start, length);
		if (taken) {
			insert(r, start, takers[n]);
			insert(r, next, ")");
		}
		i = next + 1;
	}
}

static bool begins_define(const char *t, size_t i)
{
	if (t[i] != '#')
		return false;
	for (size_t k = i; k && t[k - 1] != '\n'; k--)
		if (t[k - 1] != ' ' && t[k - 1] != '\t')
			return false;
	i++;
	while (t[i] == ' ' || t[i] == '\t')
		i++;
	return strncmp(t + i, "define", 6) == 0;
}

static size_t line_end(const char *t, size_t i)
{
	for (; t[i] && t[i] != '\n'; i++)
		if (t[i] == '\\' && t[i + 1])
			i++;
	return i;
}

static void read_all(struct reading *r)
{
	const char *t = r->text;
	size_t define = NO_MACRO, macro_end = 0;

	for (size_t i = 0; t[i];) {
		size_t next = cc_skip_text(t, i), end = 0;

		if (next == i && begins_define(t, i)) {
			define = i;
			macro_end = line_end(t, i);
		}
		if (next == i && strncmp(t + i, "<<<", 3) == 0)
			end = cc_launch_end(t, i + 3);
		if (end && (i >= macro_end || end < macro_end)) {
			read_configuration(r, i + 3, end, i < macro_end ? define : NO_MACRO);
			next = end + 3;
		}
		i = next > i ? next : i + 1;
	}
}

bool cc_braces_rewrite(const char *text, struct strbuf *out)
{
	struct reading r = {.text = text, .out = out};

	if (strstr(text, "<<<"))
		read_all(&r);
	if (r.changed)
		strbuf_adds(out, text + r.copied);
	return r.changed;
}
