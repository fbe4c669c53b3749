/* Turns characters into words and numbers. The text ends in NULs, so looking one character ahead is always allowed. */
#include "ptx-analyzer/language/text/parser.h"

#include "common/c_locale.h"

#include <errno.h>
#include <stdarg.h>

#define L (CHAR_IDENT | CHAR_START)
#define D (CHAR_IDENT | CHAR_DIGIT)
const uint8_t char_classes[256] = {
    ['\t'] = CHAR_SPACE, [' '] = CHAR_SPACE, ['\r'] = CHAR_SPACE, ['\v'] = CHAR_SPACE, ['\f'] = CHAR_SPACE, ['0'] = D,
    ['1'] = D,           ['2'] = D,          ['3'] = D,           ['4'] = D,           ['5'] = D,           ['6'] = D,
    ['7'] = D,           ['8'] = D,          ['9'] = D,           ['A'] = L,           ['B'] = L,           ['C'] = L,
    ['D'] = L,           ['E'] = L,          ['F'] = L,           ['G'] = L,           ['H'] = L,           ['I'] = L,
    ['J'] = L,           ['K'] = L,          ['L'] = L,           ['M'] = L,           ['N'] = L,           ['O'] = L,
    ['P'] = L,           ['Q'] = L,          ['R'] = L,           ['S'] = L,           ['T'] = L,           ['U'] = L,
    ['V'] = L,           ['W'] = L,          ['X'] = L,           ['Y'] = L,           ['Z'] = L,           ['a'] = L,
    ['b'] = L,           ['c'] = L,          ['d'] = L,           ['e'] = L,           ['f'] = L,           ['g'] = L,
    ['h'] = L,           ['i'] = L,          ['j'] = L,           ['k'] = L,           ['l'] = L,           ['m'] = L,
    ['n'] = L,           ['o'] = L,          ['p'] = L,           ['q'] = L,           ['r'] = L,           ['s'] = L,
    ['t'] = L,           ['u'] = L,          ['v'] = L,           ['w'] = L,           ['x'] = L,           ['y'] = L,
    ['z'] = L,           ['_'] = L,          ['$'] = L,           ['%'] = CHAR_START,
};
#undef L
#undef D

/* Line and column of `at`, which may lie before the line that the lexer is in. */
static void locate(const struct lexer *lx, const char *at, unsigned *line, unsigned *column)
{
	const char *start = lx->line_start;

	*line = lx->line;
	while (at < start) {
		start--;
		(*line)--;
		while (start > lx->start && start[-1] != '\n')
			start--;
	}
	*column = (unsigned)(at - start) + 1;
}

void lex_fail(struct lexer *lx, const char *at, const char *format, ...)
{
	char message[sizeof(lx->d->message)];
	unsigned line, column;
	va_list args;

	va_start(args, format);
	c_vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	if (at > lx->end)
		at = lx->end;
	locate(lx, at, &line, &column);
	diag_set(lx->d, lx->file, line, column, "%s", message);
	diag_excerpt(lx->d, lx->start, (size_t)(lx->end - lx->start), (size_t)(at - lx->start));
	longjmp(lx->failed, 1);
}

static void skip_comment(struct lexer *lx)
{
	const char *open = lx->p;

	for (lx->p += 2; lx->p[0] != '*' || lx->p[1] != '/'; lx->p++) {
		if (lx->p >= lx->end)
			lex_fail(lx, open, "this comment has no end; expected */");
		if (*lx->p == '\n') {
			lx->line++;
			lx->line_start = lx->p + 1;
		}
	}
	lx->p += 2;
}

static void skip_line_comment(struct lexer *lx)
{
	const char *newline = memchr(lx->p, '\n', (size_t)(lx->end - lx->p));

	lx->p = newline ? newline : lx->end;
}

void lex_skip_slow(struct lexer *lx)
{
	for (;;) {
		char c = *lx->p;

		if (is_char(c, CHAR_SPACE)) {
			lx->p++;
		} else if (c == '\n') {
			lx->line_start = ++lx->p;
			lx->line++;
		} else if (c == '/' && lx->p[1] == '/') {
			skip_line_comment(lx);
		} else if (c == '/' && lx->p[1] == '*') {
			skip_comment(lx);
		} else {
			return;
		}
	}
}

void lex_expect(struct lexer *lx, char c, const char *where)
{
	if (!lex_take(lx, c))
		lex_fail(lx, lx->p, "expected '%c' %s", c, where);
}

bool lex_at_name(struct lexer *lx)
{
	lex_skip(lx);
	return is_char(*lx->p, CHAR_START);
}

struct text lex_name(struct lexer *lx, const char *what)
{
	const char *start;

	if (!lex_at_name(lx))
		lex_fail(lx, lx->p, "expected %s", what);
	start = lx->p++;
	while (is_char(*lx->p, CHAR_IDENT))
		lx->p++;
	return (struct text){start, (uint32_t)(lx->p - start)};
}

struct text lex_dotted(struct lexer *lx)
{
	const char *start = ++lx->p;

	while (is_char(*lx->p, CHAR_IDENT) || (lx->p[0] == ':' && lx->p[1] == ':'))
		lx->p += *lx->p == ':' ? 2 : 1;
	if (lx->p == start)
		lex_fail(lx, start, "expected a word behind '.'");
	return (struct text){start, (uint32_t)(lx->p - start)};
}

struct text lex_string(struct lexer *lx, const char *what)
{
	const char *start;

	if (!lex_take(lx, '"'))
		lex_fail(lx, lx->p, "expected %s in quotes", what);
	start = lx->p;
	while (*lx->p != '"') {
		if (*lx->p == '\\' && lx->p[1] != '\n')
			lx->p++;
		if (lx->p >= lx->end || *lx->p == '\n')
			lex_fail(lx, start - 1, "this string has no closing quote on its line");
		lx->p++;
	}
	lx->p++;
	return (struct text){start, (uint32_t)(lx->p - 1 - start)};
}

bool text_is(struct text t, const char *literal)
{
	return t.len && *t.data == *literal && !strncmp(literal, t.data, t.len) && !literal[t.len];
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

/* Digits of `base`; fails on none and on more than 64 bits. */
static uint64_t lex_digits(struct lexer *lx, int base, const char *start)
{
	const char *first = lx->p;
	uint64_t value = 0;
	int digit;

	for (; (digit = digit_value(*lx->p)) < base; lx->p++)
		if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
		    __builtin_add_overflow(value, (uint64_t)digit, &value))
			lex_fail(lx, start, "this number needs more than 64 bits");
	if (lx->p == first)
		lex_fail(lx, lx->p, "expected a digit of base %d", base);
	return value;
}

static uint64_t lex_float_bits(struct lexer *lx, unsigned digits, const char *start)
{
	const char *first;
	uint64_t bits;

	lx->p += 2;
	first = lx->p;
	bits = lex_digits(lx, 16, start);
	if ((unsigned)(lx->p - first) != digits)
		lex_fail(lx, start, "a floating-point number '0%c' has %u hexadecimal digits, not %u", start[1], digits,
			 (unsigned)(lx->p - first));
	return bits;
}

static uint64_t lex_decimal_float(struct lexer *lx, const char *start)
{
	char *stop;
	double value;
	uint64_t bits;

	errno = 0;
	value = c_strtod(start, &stop);
	lx->p = stop;
	if (errno == ERANGE && (value > 1 || value < -1))
		lex_fail(lx, start, "this number is beyond double precision");
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static bool is_decimal_float(const char *p)
{
	while (is_char(*p, CHAR_DIGIT))
		p++;
	return *p == '.' || *p == 'e' || *p == 'E';
}

static struct number lex_integer(struct lexer *lx)
{
	struct number n = {PTX_OPERAND_INT, 0, false};
	const char *start = lx->p;
	char second = start[0] == '0' ? start[1] : 0;
	int base = 10;

	if (second == 'x' || second == 'X')
		base = 16;
	else if (second == 'b' || second == 'B')
		base = 2;
	else if (is_char(second, CHAR_DIGIT))
		base = 8;
	lx->p += base == 16 || base == 2 ? 2 : base == 8;
	n.bits = lex_digits(lx, base, start);
	n.is_unsigned = n.bits > INT64_MAX;
	if (*lx->p == 'U') {
		n.is_unsigned = true;
		lx->p++;
	}
	return n;
}

struct number lex_number(struct lexer *lx)
{
	const char *start = lx->p;
	char second = start[0] == '0' ? start[1] : 0;
	struct number n = {PTX_OPERAND_INT, 0, false};

	if (!is_char(*start, CHAR_DIGIT))
		lex_fail(lx, start, "expected a number");
	if (second == 'f' || second == 'F')
		n = (struct number){PTX_OPERAND_F32, lex_float_bits(lx, 8, start), false};
	else if (second == 'd' || second == 'D')
		n = (struct number){PTX_OPERAND_F64, lex_float_bits(lx, 16, start), false};
	else if (is_decimal_float(start))
		n = (struct number){PTX_OPERAND_F64, lex_decimal_float(lx, start), false};
	else
		n = lex_integer(lx);
	if (is_char(*lx->p, CHAR_IDENT))
		lex_fail(lx, lx->p, "'%c' is not allowed inside a number", *lx->p);
	return n;
}
