/* Knobs and statistics of a policy from outside, checked and turned into the simulator's rows. */
#include "sim-backend/outside/outside_parts.h"

#include "common/c_locale.h"
#include "common/xalloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int wrong_row(const struct outside_policy *p, struct diag *d, const char *what, const char *name,
		     const char *reason)
{
	return diag_file(d, p->file->path, "%s '%s' of the policy %s", what, name ? name : "(no name)", reason);
}

static bool is_word(const char *text)
{
	return text && *text && strlen(text) <= 40 &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(text);
}

/* Keys may have large letters too, as the model's own have. */
static bool is_key(const char *text)
{
	return text && *text && strlen(text) <= 40 &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(text);
}

/* --- Knobs --- */

static const struct {
	enum knob_type type;
	size_t size;
} knob_types[] = {
    [ROMARK_UINT] = {KNOB_TYPE_UINT, sizeof(uint32_t)},
    [ROMARK_REAL] = {KNOB_TYPE_REAL, sizeof(double)},
    [ROMARK_BOOL] = {KNOB_TYPE_BOOL, sizeof(bool)},
    [ROMARK_CHOICE] = {KNOB_TYPE_CHOICE, sizeof(uint32_t)},
};

static bool is_number(const struct romark_knob *k)
{
	return k->type == ROMARK_UINT || k->type == ROMARK_REAL;
}

static int check_knob(const struct outside_policy *p, const struct outside_head *head, const struct romark_knob *k,
		      struct diag *d)
{
	char choice[64];

	if (!is_key(k->name))
		return wrong_row(p, d, "knob", k->name, "must have a name of letters, digits and _, 40 at most");
	if (k->type > ROMARK_CHOICE)
		return wrong_row(p, d, "knob", k->name, "has a type that <romark/policy.h> does not know");
	if (k->offset % knob_types[k->type].size || k->offset + knob_types[k->type].size > head->knobs_size)
		return wrong_row(p, d, "knob", k->name, "lies outside the struct, whose size is knobs_size");
	if (!k->unit || !k->help)
		return wrong_row(p, d, "knob", k->name, "must have a unit, which may be \"\", and a help text");
	if (is_number(k) && !(k->min <= k->initial && k->initial <= k->max))
		return wrong_row(p, d, "knob", k->name, "has a default that is not within its range");
	if (k->type == ROMARK_UINT && (k->min < 0 || k->max > UINT32_MAX))
		return wrong_row(p, d, "knob", k->name, "has a range that is not of uint32_t");
	if (k->type == ROMARK_CHOICE && (!k->choices || k->initial < 0 ||
					 !knob_choice_name(k->choices, (uint32_t)k->initial, choice, sizeof choice)))
		return wrong_row(p, d, "knob", k->name, "must have choices, and a default that is the number of one");
	return 0;
}

static struct knob knob_from(const struct romark_knob *k, const char *source)
{
	return (struct knob){.name = k->name,
			     .type = knob_types[k->type].type,
			     .offset = k->offset + offsetof(struct outside_values, theirs),
			     .unit = k->unit,
			     .min = k->min,
			     .max = k->max,
			     .initial = k->initial,
			     .choices = k->choices,
			     .help = k->help,
			     .source = source};
}

static int take_knobs(struct outside_policy *p, const struct outside_head *head, const char *source, struct diag *d)
{
	size_t count = 0;

	while (head->knobs && head->knobs[count].name)
		if (check_knob(p, head, &head->knobs[count++], d) < 0)
			return DIAG_ERROR;
	p->knobs = xcalloc(count + 1, sizeof *p->knobs);
	for (size_t i = 0; i < count; i++)
		p->knobs[i] = knob_from(&head->knobs[i], source);
	return 0;
}

/* --- Statistics --- */

static int check_stat(const struct outside_policy *p, const struct outside_head *head, const struct romark_stat *s,
		      struct diag *d)
{
	if (!is_key(s->name))
		return wrong_row(p, d, "statistic", s->name, "must have a name of letters, digits and _, 40 at most");
	if (s->type > ROMARK_LEVEL)
		return wrong_row(p, d, "statistic", s->name, "has a type that <romark/policy.h> does not know");
	if (s->offset % sizeof(uint64_t) || s->offset + sizeof(uint64_t) > head->stats_size)
		return wrong_row(p, d, "statistic", s->name, "lies outside the struct, whose size is stats_size");
	if (!s->unit || !s->help)
		return wrong_row(p, d, "statistic", s->name, "must have a unit, which may be \"\", and a help text");
	return 0;
}

static int take_stats(struct outside_policy *p, const struct outside_head *head, struct diag *d)
{
	size_t count = 0;

	if ((head->stats != NULL) != head->has_statistics)
		return diag_file(d, p->file->path,
				 "policy '%s' must have both stats and a function statistics, or neither", head->name);
	while (head->stats && head->stats[count].name)
		if (check_stat(p, head, &head->stats[count++], d) < 0)
			return DIAG_ERROR;
	if (!count)
		return 0;
	p->stats = xcalloc(count + 1, sizeof *p->stats);
	for (size_t i = 0; i < count; i++) {
		const struct romark_stat *s = &head->stats[i];

		p->stats[i] = (struct stat_row){.name = s->name,
						.type = STAT_TYPE_COUNT,
						.flags = s->type == ROMARK_LEVEL ? STAT_IS_LEVEL : 0,
						.offset = s->offset,
						.unit = s->unit,
						.help = s->help};
	}
	return 0;
}

int outside_take_rows(struct outside_policy *p, const struct outside_head *head, struct diag *d)
{
	if (!is_word(head->name))
		return diag_file(d, p->file->path,
				 "the policy's name must be small letters, digits and _, 40 at most; it is '%s'",
				 head->name ? head->name : "");
	if (!head->summary)
		return diag_file(d, p->file->path, "policy '%s' must have a summary: one sentence", head->name);
	if (take_knobs(p, head, head->source ? head->source : p->file->path, d) < 0)
		return DIAG_ERROR;
	return take_stats(p, head, d);
}

void outside_note_fault(struct outside_policy *p, const char *format, ...)
{
	va_list args;

	if (atomic_flag_test_and_set(&p->fault_is_taken))
		return;
	va_start(args, format);
	c_vsnprintf(p->fault, sizeof p->fault, format, args);
	va_end(args);
	atomic_store(&p->is_faulty, true);
}
