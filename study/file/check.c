/* Defaults of what a study file leaves out, and names that one part of it takes from another. */
#include "study/file/check.h"

#include <string.h>

static void add_choice(study_choices *choices, const char *name)
{
	vec_push(choices, (struct study_choice){.name = name, .label = name, .place = {1, 1}});
}

/* A policy that says neither is the LLC policy of its name. */
static void name_policy(struct study_choice *c)
{
	if (c->name[0] && !c->llc.text && !c->l1.text)
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
	int ways = (p->sources.len > 0) + (p->program.text != NULL) + (p->trace.text != NULL);

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
				return study_wrong(s, p->place, r->d,
						   "'%s' stands here again; it is on line %u already", p->name,
						   s->programs.data[k].place.line);
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
				return study_wrong(r->s, c->place, r->d, "'%s' stands here again", c->name);
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
				return study_wrong(r->s, seeds->data[i].place, r->d, "seed %s stands here again", seed);
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
	return check_seeds(r);
}
