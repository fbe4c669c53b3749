/* One reading of a source: its directives, and in them pragmas that Clang would not take. */
#include "cc/pragmas.h"

#include "cc/source_text.h"
#include "common/ascii.h"

#include <string.h>

struct reading {
	const char *text;
	struct strbuf *out;
	size_t copied; /* how much of `text` is in `out` */
	bool changed;
};

/* All up to `at` is copied, and up to `next` left out. */
static void cut(struct reading *r, size_t at, size_t next)
{
	strbuf_add(r->out, r->text + r->copied, at - r->copied);
	r->copied = next;
	r->changed = true;
}

static size_t skip_blanks(const char *t, size_t i)
{
	while (t[i] == ' ' || t[i] == '\t' || (t[i] == '\\' && t[i + 1] == '\n'))
		i += t[i] == '\\' ? 2 : 1;
	return i;
}

/* The place after the word at `i` and the blanks behind it; 0 if another word is there. */
static size_t after_word(const char *t, size_t i, const char *word)
{
	size_t len = strlen(word);

	return strncmp(t + i, word, len) == 0 && !cc_is_word(t[i + len]) ? skip_blanks(t, i + len) : 0;
}

static size_t line_end(const char *t, size_t i)
{
	for (; t[i] && t[i] != '\n'; i++)
		if ((t[i] == '\\' && t[i + 1]) || (t[i] == '/' && (t[i + 1] == '/' || t[i + 1] == '*')))
			i = t[i] == '\\' ? i + 1 : cc_skip_text(t, i) - 1;
	return i;
}

/* A pragma's words, up to a comment or the line's end, as the string that _Pragma takes. */
static void add_operator(struct strbuf *out, const char *t, size_t i, size_t end)
{
	strbuf_adds(out, "_Pragma(\"");
	for (; i < end && !(t[i] == '/' && (t[i + 1] == '/' || t[i + 1] == '*')); i++) {
		if (t[i] == '\\' && t[i + 1] == '\n')
			break;
		if (t[i] == '"' || t[i] == '\\')
			strbuf_addc(out, '\\');
		strbuf_addc(out, t[i]);
	}
	strbuf_adds(out, "\")");
}

/* "NAME #pragma WORDS" behind "#define". */
static void read_define(struct reading *r, size_t i)
{
	const char *t = r->text;
	size_t end = line_end(t, i), words;

	while (cc_is_word(t[i]))
		i++;
	i = skip_blanks(t, i);
	words = t[i] == '#' ? after_word(t, skip_blanks(t, i + 1), "pragma") : 0;
	if (!words || words > end || memchr(t + words, '\n', end - words))
		return;
	cut(r, i, end);
	add_operator(r->out, t, words, end);
}

/* The next thing that is neither blank nor comment nor another pragma. */
static size_t next_token(const char *t, size_t i)
{
	for (;;) {
		size_t pragma;

		while (ascii_is_space(t[i]))
			i++;
		if (t[i] == '/' && (t[i + 1] == '/' || t[i + 1] == '*')) {
			i = cc_skip_text(t, i);
			continue;
		}
		pragma = t[i] == '#' ? after_word(t, skip_blanks(t, i + 1), "pragma") : 0;
		if (!pragma)
			return i;
		i = line_end(t, pragma);
	}
}

/* Only sure cases: a name may be a macro that expands to a loop. */
static bool is_no_loop(const char *t, size_t i)
{
	static const char *const statements[] = {"if",       "switch", "return", "break",    "continue", "int",
						 "unsigned", "float",  "double", "const",    "auto",     "bool",
						 "char",     "long",   "static", "constexpr"};

	if (t[i] == '{' || t[i] == '}' || t[i] == ';' || t[i] == '*' || t[i] == '(')
		return true;
	for (size_t n = 0; n < sizeof statements / sizeof *statements; n++)
		if (after_word(t, i, statements[n]))
			return true;
	while (cc_is_word(t[i]))
		i++;
	i = skip_blanks(t, i);
	return t[i] && strchr("=+-*/%&|^.[", t[i]); /* an assignment */
}

static size_t read_directive(struct reading *r, size_t i)
{
	const char *t = r->text;
	size_t word = skip_blanks(t, i + 1), end = line_end(t, i);
	size_t define = after_word(t, word, "define"), pragma = after_word(t, word, "pragma");

	if (define)
		read_define(r, define);
	else if (pragma && after_word(t, pragma, "unroll") && is_no_loop(t, next_token(t, end)))
		cut(r, i, end);
	return end;
}

static bool starts_line(const char *t, size_t i)
{
	while (i && (t[i - 1] == ' ' || t[i - 1] == '\t'))
		i--;
	return i == 0 || t[i - 1] == '\n';
}

bool cc_pragmas_rewrite(const char *text, struct strbuf *out)
{
	struct reading r = {.text = text, .out = out};

	if (!strstr(text, "pragma"))
		return false;
	for (size_t i = 0; text[i];) {
		size_t next = cc_skip_text(text, i);

		if (next == i && text[i] == '#' && starts_line(text, i))
			next = read_directive(&r, i);
		i = next > i ? next : i + 1;
	}
	if (r.changed)
		strbuf_adds(out, text + r.copied);
	return r.changed;
}
