/* Fills in defaults for keys that a study file leaves out, and checks names with which one part refers to another. */
#include "study/file/check_study.h"

#include "sim-backend/outside/outside.h"
#include "study/expression/expression.h"
#include "study/file/measured.h"
#include "study/report/run_parts.h"

#include <string.h>

static void add_choice(study_choices *choices, const char *name)
{
	vec_push(choices, (struct study_choice){.name = name, .label = name, .place = {1, 1}});
}

static bool names_replacement(const struct study_choice *c)
{
	for (size_t i = 0; i < c->sets.len; i++)
		if (strcmp(c->sets.data[i].section, "llc") == 0 && strcmp(c->sets.data[i].key, "replacement") == 0)
			return true;
	return false;
}

/* A policy that says neither of all three is the LLC policy of its name. */
static void name_policy(struct study_choice *c)
{
	if (c->name[0] && !c->llc.text && !c->l1.text && !names_replacement(c))
		c->llc = (struct study_text){c->name, c->place};
}

/* A dimension that the file does not mention has one value. */
static void fill(struct study *s)
{
	if (!s->gpus.len)
		add_choice(&s->gpus, "selrep64");
	if (!s->variants.len)
		add_choice(&s->variants, "");
	if (!s->policies.len)
		add_choice(&s->policies, "");
	if (!s->seeds.len)
		vec_push(&s->seeds, (struct study_text){"1", {1, 1}});
	if (!s->seed_keys.len)
		vec_push(&s->seed_keys, (struct study_text){"map.seed", {1, 1}});
	for (size_t i = 0; i < s->policies.len; i++)
		name_policy(&s->policies.data[i]);
	for (size_t i = 0; i < s->gpus.len; i++)
		if (!s->gpus.data[i].gpu.text)
			s->gpus.data[i].gpu = (struct study_text){s->gpus.data[i].name, s->gpus.data[i].place};
}

static int check_name(struct reader *r, const char *name, struct study_place place)
{
	if (strpbrk(name, "\"'\n\r\t"))
		return study_wrong(r->s, place, r->d, "a name must have no quotes, tabs or line ends in it");
	return 0;
}

static int check_program(struct reader *r, const struct study_program *p)
{
	bool is_traced = p->sizes.len && p->sizes.data[0].trace.text;
	int ways = (p->sources.len > 0) + (p->program.text != NULL) + is_traced;

	if (ways != 1)
		return study_wrong(r->s, p->place, r->d,
				   "'%s' needs `source`, for what is to be compiled, or `program`, for what is already",
				   p->name);
	return check_name(r, p->name, p->place);
}

static int check_programs(struct reader *r, const struct yaml_tree *top)
{
	struct study *s = r->s;

	if (!s->programs.len)
		return wrong_value(r, top, "there is nothing to simulate; `programs` or `traces` is needed");
	for (size_t i = 0; i < s->programs.len; i++) {
		const struct study_program *p = &s->programs.data[i];

		if (check_program(r, p) < 0)
			return DIAG_ERROR;
		for (size_t k = 0; k < i; k++)
			if (strcmp(s->programs.data[k].name, p->name) == 0)
				return study_wrong(s, p->place, r->d, "'%s' is here again; it is on line %u already",
						   p->name, s->programs.data[k].place.line);
	}
	return 0;
}

static int check_choices(struct reader *r, const study_choices *choices)
{
	for (size_t i = 0; i < choices->len; i++) {
		const struct study_choice *c = &choices->data[i];

		if (check_name(r, c->name, c->place) < 0)
			return DIAG_ERROR;
		for (size_t k = 0; k < i; k++)
			if (strcmp(choices->data[k].name, c->name) == 0)
				return study_wrong(r->s, c->place, r->d, "'%s' is here again", c->name);
	}
	return 0;
}

static int check_seeds(struct reader *r)
{
	const study_texts *seeds = &r->s->seeds;

	for (size_t i = 0; i < seeds->len; i++) {
		const char *seed = seeds->data[i].text;

		if (!*seed || seed[strspn(seed, "0123456789")])
			return study_wrong(r->s, seeds->data[i].place, r->d, "a seed is a whole number, not '%s'",
					   seed);
		for (size_t k = 0; k < i; k++)
			if (strcmp(seeds->data[k].text, seed) == 0)
				return study_wrong(r->s, seeds->data[i].place, r->d, "seed %s is here again", seed);
	}
	return 0;
}

/* --- Values of dimensions --- */

/* `g` collects guesses; NULL: only compare, which takes far less time. */
static bool is_it(const char *name, const char *value, struct guess *g)
{
	if (g)
		guess_try(g, name);
	return strcmp(name, value) == 0;
}

static bool has_choice(const study_choices *choices, const char *value, struct guess *g)
{
	for (size_t i = 0; i < choices->len; i++)
		if (is_it(choices->data[i].name, value, g))
			return true;
	return false;
}

static bool has_program(const struct study *s, const char *value, struct guess *g)
{
	for (size_t i = 0; i < s->programs.len; i++)
		if (is_it(s->programs.data[i].name, value, g))
			return true;
	return false;
}

static bool has_size(const struct study *s, const char *value, struct guess *g)
{
	for (size_t i = 0; i < s->programs.len; i++)
		for (size_t k = 0; k < s->programs.data[i].sizes.len; k++)
			if (is_it(s->programs.data[i].sizes.data[k].name, value, g))
				return true;
	return false;
}

static bool has_seed(const struct study *s, const char *value, struct guess *g)
{
	for (size_t i = 0; i < s->seeds.len; i++)
		if (is_it(s->seeds.data[i].text, value, g))
			return true;
	return false;
}

static bool has_value(const struct study *s, enum dimension dimension, const char *value, struct guess *g)
{
	switch (dimension) {
	case DIM_PROGRAM: return has_program(s, value, g);
	case DIM_SIZE: return has_size(s, value, g);
	case DIM_GPU: return has_choice(&s->gpus, value, g);
	case DIM_VARIANT: return has_choice(&s->variants, value, g);
	case DIM_POLICY: return has_choice(&s->policies, value, g);
	default: return has_seed(s, value, g);
	}
}

bool study_has(const struct study *s, enum dimension dimension, const char *value, struct guess *g)
{
	return has_value(s, dimension, value, NULL) || has_value(s, dimension, value, g);
}

static int check_member(struct reader *r, enum dimension dimension, const char *value, struct study_place place)
{
	struct guess g = guess_start(value, strlen(value));

	if (study_has(r->s, dimension, value, &g))
		return 0;
	return study_wrong(r->s, place, r->d, "no %s '%s' in this study%s", dimension_names[dimension], value,
			   guess_hint(&g).text);
}

static int check_at(struct reader *r, const struct study_at *at)
{
	for (enum dimension i = 0; i < DIM_COUNT; i++)
		if (at->value[i] && check_member(r, i, at->value[i], at->place[i]) < 0)
			return DIAG_ERROR;
	return 0;
}

static int check_groups(struct reader *r)
{
	for (size_t i = 0; i < r->s->groups.len; i++) {
		const struct study_group *g = &r->s->groups.data[i];

		for (size_t k = 0; k < g->members.len; k++)
			if (check_member(r, g->dimension, g->members.data[k].text, g->members.data[k].place) < 0)
				return DIAG_ERROR;
	}
	return 0;
}

static int check_places(struct reader *r)
{
	if (check_at(r, &r->s->baseline) < 0)
		return DIAG_ERROR;
	for (size_t i = 0; i < r->s->references.len; i++)
		if (check_at(r, &r->s->references.data[i].at) < 0)
			return DIAG_ERROR;
	return 0;
}

static bool has_reference(const struct study *s, const char *name, struct guess *g)
{
	for (size_t i = 0; i < s->references.len; i++)
		if (is_it(s->references.data[i].name, name, g))
			return true;
	return false;
}

static int check_references(struct reader *r, const study_texts *names)
{
	for (size_t i = 0; i < names->len; i++) {
		struct guess g = guess_start(names->data[i].text, strlen(names->data[i].text));

		if (!has_reference(r->s, names->data[i].text, &g))
			return study_wrong(r->s, names->data[i].place, r->d, "no reference '%s'%s", names->data[i].text,
					   guess_hint(&g).text);
	}
	return 0;
}

/* Checks the names in figures and tables: each must be a dimension's, or with `parts` a part's of a run. */
static int check_dimensions(struct reader *r, const study_texts *names, bool parts)
{
	for (size_t i = 0; i < names->len; i++) {
		const struct study_text *name = &names->data[i];
		struct guess g = guess_start(name->text, strlen(name->text));

		if (dimension_find(name->text) != DIM_COUNT || (parts && part_find(name->text) != PART_KINDS))
			continue;
		for (enum dimension k = 0; k < DIM_COUNT; k++)
			guess_try(&g, dimension_names[k]);
		for (enum part_kind k = 0; parts && k < PART_KINDS; k++)
			guess_try(&g, part_names[k]);
		return study_wrong(r->s, name->place, r->d, "no dimension '%s'%s", name->text, guess_hint(&g).text);
	}
	return 0;
}

/* A scatter has a point for each run, whose x is a number of the run. */
static int check_scatter(struct reader *r, const struct study_figure *f)
{
	if (f->kind != FIGURE_SCATTER || (f->x.len == 1 && dimension_find(f->x.data[0].text) == DIM_COUNT))
		return 0;
	return study_wrong(r->s, f->place, r->d, "a scatter needs one expression as `x`, such as measured.cycles");
}

static int check_outputs(struct reader *r)
{
	const struct study *s = r->s;

	for (size_t i = 0; i < s->figures.len; i++)
		if (check_scatter(r, &s->figures.data[i]) < 0 ||
		    check_dimensions(r, &s->figures.data[i].bars, true) < 0 ||
		    check_dimensions(r, &s->figures.data[i].over, false) < 0 ||
		    check_references(r, &s->figures.data[i].references) < 0)
			return DIAG_ERROR;
	for (size_t i = 0; i < s->tables.len; i++)
		if (check_dimensions(r, &s->tables.data[i].rows, true) < 0 ||
		    check_dimensions(r, &s->tables.data[i].columns, true) < 0 ||
		    check_dimensions(r, &s->tables.data[i].over, false) < 0 ||
		    check_references(r, &s->tables.data[i].references) < 0)
			return DIAG_ERROR;
	return 0;
}

/* --- Policies from outside, whose statistics expressions may name --- */

static int load_policy(struct reader *r, const struct study_text *text)
{
	struct diag why = DIAG_INIT;
	struct outside_found found;

	if (!text->text || !knob_is_file(text->text) || outside_load(study_path(r->s, text->text), &found, &why) == 0)
		return 0;
	return study_wrong(r->s, text->place, r->d, "%s: %s", why.file, why.message);
}

static int load_policies(struct reader *r, const study_choices *choices)
{
	for (size_t i = 0; i < choices->len; i++) {
		const struct study_choice *c = &choices->data[i];

		if (load_policy(r, &c->llc) < 0 || load_policy(r, &c->l1) < 0)
			return DIAG_ERROR;
		for (size_t k = 0; k < c->sets.len; k++) {
			const struct study_set *set = &c->sets.data[k];

			if (strcmp(set->section, "llc") == 0 && strcmp(set->key, "replacement") == 0 &&
			    load_policy(r, &(struct study_text){set->value, set->place}) < 0)
				return DIAG_ERROR;
		}
	}
	return 0;
}

int study_complete(struct reader *r, const struct yaml_tree *top)
{
	if (!r->s->name)
		return wrong_value(r, top, "`study: NAME` is missing");
	fill(r->s);
	if (check_programs(r, top) < 0 || check_choices(r, &r->s->gpus) < 0 || check_choices(r, &r->s->variants) < 0 ||
	    check_choices(r, &r->s->policies) < 0)
		return DIAG_ERROR;
	if (load_policies(r, &r->s->gpus) < 0 || load_policies(r, &r->s->variants) < 0 ||
	    load_policies(r, &r->s->policies) < 0)
		return DIAG_ERROR;
	if (check_seeds(r) < 0 || check_groups(r) < 0 || check_places(r) < 0 || check_outputs(r) < 0)
		return DIAG_ERROR;
	return measured_load(r->s, r->d) < 0 ? DIAG_ERROR : expressions_check(r->s, r->d);
}
