/* The distance of two words: Damerau's and Levenshtein's, where no letter is changed twice. */
#include "common/guess.h"

#include "common/strbuf.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = sizeof((struct guess *)NULL)->best - 1, MOST_NAMES = 8 };

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

/*
 * Rows of the usual table: the letters of `a` up to the second before, up to the previous, and up to the present
 * letter.
 */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *now = rows[2];

	for (size_t j = 0; j <= nb; j++)
		last[j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned *free_row = before;

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			now[j] = least(last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
		before = last;
		last = now;
		now = free_row;
	}
	return last[nb];
}

/* The largest distance between two words that count as alike. */
static unsigned most_changes(size_t longer)
{
	return longer == 2 ? 1 : (unsigned)(longer / 3);
}

struct guess guess_start(const char *word, size_t length)
{
	return (struct guess){.word = word, .length = length, .distance = UINT_MAX};
}

static bool is_kept(const struct guess *g, const char *name, size_t length)
{
	for (const char *at = g->names; *at; at += strcspn(at, "\n") + 1)
		if (strncmp(at, name, length) == 0 && at[length] == '\n')
			return true;
	return false;
}

static void keep_name(struct guess *g, const char *name, size_t length)
{
	size_t used = strlen(g->names);

	if (g->count > MOST_NAMES || is_kept(g, name, length))
		return;
	g->count = used + length + 2 > sizeof g->names ? MOST_NAMES + 1 : g->count + 1;
	if (g->count <= MOST_NAMES)
		snprintf(g->names + used, sizeof g->names - used, "%s\n", name);
}

/* UINT_MAX: they are not alike. */
static unsigned likeness(const struct guess *g, const char *name)
{
	size_t length = strlen(name);
	unsigned changes = distance(g->word, g->length, name, length);

	return changes <= most_changes(g->length > length ? g->length : length) ? changes : UINT_MAX;
}

void guess_try(struct guess *g, const char *name)
{
	size_t length = strlen(name);
	const char *dot = memchr(g->word, '.', g->length) ? NULL : strrchr(name, '.');
	unsigned found;

	keep_name(g, name, length);
	if (g->length > LONGEST || length > LONGEST)
		return;
	found = likeness(g, name);
	if (found == UINT_MAX && dot)
		found = likeness(g, dot + 1);
	if (found >= g->distance)
		return;
	g->distance = found;
	snprintf(g->best, sizeof g->best, "%s", name);
}

/* "a", "a and b", "a, b and c" of lines. */
static void add_names(struct strbuf *out, const char *names, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		int length = (int)strcspn(names, "\n");

		strbuf_addf(out, "%s%.*s", i == 0 ? "" : i + 1 == count ? " and " : ", ", length, names);
		names += length + 1;
	}
}

struct guess_hint guess_hint(const struct guess *g)
{
	struct strbuf out = STRBUF_INIT;
	struct guess_hint hint = {""};

	if (*g->best) {
		strbuf_addf(&out, "; did you mean '%s'?", g->best);
	} else if (g->count && g->count <= MOST_NAMES) {
		strbuf_adds(&out, g->count == 1 ? "; there is " : "; there are ");
		add_names(&out, g->names, g->count);
	}
	snprintf(hint.text, sizeof hint.text, "%s", out.len ? out.data : "");
	strbuf_release(&out);
	return hint;
}
