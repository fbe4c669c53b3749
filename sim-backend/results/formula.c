/* A formula is computed as it is read, by one function for each line of its grammar. */
#include "sim-backend/results/formula.h"

#include "common/ascii.h"
#include "common/c_locale.h"
#include "sim-backend/knobs/stat.h"

#include <stdlib.h>
#include <string.h>

struct reader {
	const char *at;
	const struct stat_view *views;
	bool failed;
};

static double sum(struct reader *r);

static bool take(struct reader *r, char c)
{
	while (*r->at == ' ')
		r->at++;
	if (*r->at != c)
		return false;
	r->at++;
	return true;
}

static size_t word_length(const char *text)
{
	size_t n = 0;

	while (ascii_is_alnum(text[n]) || text[n] == '_')
		n++;
	return n;
}

static bool is_word(const char *name, const char *word, size_t length)
{
	return strncmp(name, word, length) == 0 && name[length] == '\0';
}

/* Returns false when there is no such counter. */
static double counter(struct reader *r)
{
	size_t section = word_length(r->at), name;
	const char *word = r->at;

	r->at += section;
	if (!take(r, '.')) {
		r->failed = true;
		return 0;
	}
	name = word_length(r->at);
	r->at += name;
	for (const struct stat_view *view = r->views; view->rows; view++)
		for (const struct stat_row *row = view->rows; row->name && is_word(view->section, word, section); row++)
			if (is_word(row->name, r->at - name, name))
				return stat_value(row, view->values);
	r->failed = true;
	return 0;
}

static double factor(struct reader *r)
{
	char *end;
	double value;

	if (take(r, '(')) {
		value = sum(r);
		r->failed |= !take(r, ')');
		return value;
	}
	if (!ascii_is_digit(*r->at))
		return counter(r);
	value = c_strtod(r->at, &end);
	r->at = end;
	return value;
}

static double product(struct reader *r)
{
	double value = factor(r), divisor;

	while (!r->failed) {
		if (take(r, '*')) {
			value *= factor(r);
		} else if (take(r, '/')) {
			divisor = factor(r);
			value = divisor != 0 ? value / divisor : 0;
		} else {
			break;
		}
	}
	return value;
}

static double sum(struct reader *r)
{
	double value = product(r);

	while (!r->failed) {
		if (take(r, '+'))
			value += product(r);
		else if (take(r, '-'))
			value -= product(r);
		else
			break;
	}
	return value;
}

bool formula_compute(const char *text, const struct stat_view *views, double *value)
{
	struct reader r = {.at = text, .views = views};

	*value = sum(&r);
	take(&r, ' ');
	return !r.failed && *r.at == '\0';
}
