/* The product of a study's dimensions, and each combination's configuration as text. */
#include "study/plan.h"

#include "common/c_locale.h"
#include "common/strbuf.h"
#include "sim-backend/config/config.h"
#include "sim-backend/l1/l1_policy.h"
#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/outside/outside.h"

#include <inttypes.h>
#include <string.h>
#include <uthash.h>

/* The index of the run with this key. */
struct plan_key {
	struct hash key;
	size_t run;
	UT_hash_handle hh;
};

const char *const run_state_names[RUN_STATES] = {
    [RUN_PLANNED] = "planned", [RUN_RUNNING] = "running", [RUN_DONE] = "done", [RUN_FAILED] = "failed"};

const char *plan_value(const struct plan *p, const struct plan_point *point, enum dimension dimension)
{
	const struct study *s = p->study;
	const struct plan_trace *trace = &p->traces.data[point->trace];
	const struct study_program *program = &s->programs.data[trace->program];

	switch (dimension) {
	case DIM_PROGRAM: return program->name;
	case DIM_SIZE: return program->sizes.data[trace->size].name;
	case DIM_GPU: return s->gpus.data[point->gpu].name;
	case DIM_VARIANT: return s->variants.data[point->variant].name;
	case DIM_POLICY: return s->policies.data[point->policy].name;
	default: return s->seeds.data[point->seed].text;
	}
}

/* --- Points --- */

static void add_traces(struct plan *p)
{
	const struct study *s = p->study;

	for (size_t i = 0; i < s->programs.len; i++)
		for (size_t k = 0; k < s->programs.data[i].sizes.len; k++)
			vec_push(&p->traces, (struct plan_trace){.program = i, .size = k});
}

static bool is_meant(const struct plan *p, const struct plan_point *point, const struct expression *condition)
{
	const char *values[DIM_COUNT];

	for (enum dimension i = 0; i < DIM_COUNT; i++)
		values[i] = plan_value(p, point, i);
	return !condition || expression_holds(condition, values);
}

static void keep_meant(struct plan *p, const struct expression *where, const struct expression *filter)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->points.len; i++)
		if (is_meant(p, &p->points.data[i], where) && is_meant(p, &p->points.data[i], filter))
			p->points.data[kept++] = p->points.data[i];
	p->points.len = kept;
}

static void add_points(struct plan *p)
{
	const struct study *s = p->study;

	for (size_t t = 0; t < p->traces.len; t++)
		for (size_t g = 0; g < s->gpus.len; g++)
			for (size_t v = 0; v < s->variants.len; v++)
				for (size_t c = 0; c < s->policies.len; c++)
					for (size_t n = 0; n < s->seeds.len; n++)
						vec_push(&p->points, (struct plan_point){t, g, v, c, n, SIZE_MAX});
}

static void add_options(struct plan *p, struct plan_trace *t)
{
	const struct study_simulation *simulation = &p->study->simulation;
	uint64_t size_cycles = p->study->programs.data[t->program].sizes.data[t->size].max_cycles;
	uint64_t max_cycles = size_cycles ? size_cycles : simulation->max_cycles;
	VEC(const char *) words = VEC_INIT;
	struct strbuf text = STRBUF_INIT;

	if (simulation->kernels)
		vec_push(&words, arena_printf(&p->arena, "--kernel=%s", simulation->kernels));
	if (simulation->sample)
		vec_push(&words, arena_printf(&p->arena, "--sample=%s", simulation->sample));
	if (max_cycles)
		vec_push(&words, arena_printf(&p->arena, "--max-cycles=%" PRIu64, max_cycles));
	if (simulation->keep_epochs && simulation->epoch_cycles)
		vec_push(&words, arena_printf(&p->arena, "--series-cycles=%" PRIu64, simulation->epoch_cycles));
	if (simulation->keep_sharing)
		vec_push(&words, "--detail");
	strbuf_adds(&text, simulation->keep_epochs ? "--series" : "");
	for (size_t i = 0; i < words.len; i++)
		strbuf_addf(&text, "%s%s", text.len ? " " : "", words.data[i]);
	vec_push(&words, NULL);
	t->options = arena_memdup(&p->arena, words.data, words.len * sizeof *words.data);
	t->option_text = arena_strdup(&p->arena, text.data ? text.data : "");
	strbuf_release(&text);
	vec_release(&words);
}

struct plan *plan_create(struct study *s, const struct expression *filter)
{
	struct plan *p = xcalloc(1, sizeof *p);
	const struct expression *where =
	    s->where.text ? expression_parse(s, &s->where, EXPRESSION_CONDITION, NULL) : NULL;

	p->study = s;
	add_traces(p);
	add_points(p);
	keep_meant(p, where, filter);
	for (size_t i = 0; i < p->points.len; i++)
		p->traces.data[p->points.data[i].trace].wanted = true;
	for (size_t t = 0; t < p->traces.len; t++)
		add_options(p, &p->traces.data[t]);
	return p;
}

void plan_free(struct plan *p)
{
	if (!p)
		return;
	HASH_CLEAR(hh, p->keys);
	vec_release(&p->traces);
	vec_release(&p->points);
	vec_release(&p->runs);
	arena_release(&p->arena);
	xfree(p);
}

/* --- Configurations --- */

/*
 * The key's value times a factor: x2 makes 8 of 4. Returns the text itself if it is no factor, or the key is no number.
 */
static const char *scaled(const struct sim_config *c, const struct study_set *set, char *text, size_t size)
{
	const struct config_section *section = sim_config_section(c, set->section);
	const struct knob *knob = section ? section->knobs : NULL;
	char *end, *value_end;
	double factor, value;

	if (set->value[0] != 'x')
		return set->value;
	factor = c_strtod(set->value + 1, &end);
	while (knob && knob->name && strcmp(knob->name, set->key) != 0)
		knob++;
	if (*end || end == set->value + 1 || !knob || !knob->name)
		return set->value;
	knob_format(knob, section->values, text, size);
	value = c_strtod(text, &value_end);
	if (value_end == text)
		return set->value;
	c_snprintf(text, size, "%.15g", value * factor);
	return text;
}

static int set_keys(const struct study *s, struct sim_config *c, const study_sets *sets, struct diag *d)
{
	for (size_t i = 0; i < sets->len; i++) {
		const struct study_set *set = &sets->data[i];
		const struct config_place place = {set->section, set->key, s->path, set->place.line, set->place.column};
		char text[64];

		if (sim_config_set_key(c, &place, scaled(c, set, text, sizeof text), d) < 0)
			return DIAG_ERROR;
	}
	return 0;
}

static int set_policies(const struct study *s, struct sim_config *c, const struct study_choice *choice, struct diag *d)
{
	struct diag why = DIAG_INIT;

	const char *llc = choice->llc.text ? sim_config_beside(c, s->path, choice->llc.text) : NULL;
	const char *l1 = choice->l1.text ? sim_config_beside(c, s->path, choice->l1.text) : NULL;

	if (sim_config_policies(c, llc, NULL, &why) < 0)
		return study_wrong(s, choice->llc.place, d, "%s%s%s", why.file, why.file[0] ? ": " : "", why.message);
	if (sim_config_policies(c, NULL, l1, &why) < 0)
		return study_wrong(s, choice->l1.place, d, "%s%s%s", why.file, why.file[0] ? ": " : "", why.message);
	return 0;
}

static int set_seed(const struct study *s, struct sim_config *c, const struct study_text *seed, struct diag *d)
{
	for (size_t i = 0; i < s->seed_keys.len; i++) {
		const struct study_text *key = &s->seed_keys.data[i];
		char assignment[256];
		struct diag why = DIAG_INIT;

		snprintf(assignment, sizeof assignment, "%s=%s", key->text, seed->text);
		if (sim_config_set(c, assignment, &why) < 0)
			return study_wrong(s, key->place, d, "%s", why.message);
	}
	return 0;
}

/* The GPU by its name or file, which begins in the study's folder. */
static int load_gpu(struct study *s, struct sim_config *c, const struct study_choice *gpu, struct diag *d)
{
	const char *name = gpu->gpu.text;
	struct diag why = DIAG_INIT;

	if (strchr(name, '/') || strstr(name, ".yaml"))
		name = study_path(s, name);
	if (sim_config_load(c, name, &why) == 0)
		return 0;
	if (!why.line)
		return study_wrong(s, gpu->gpu.place, d, "%s%s%s", why.file, why.file[0] ? ": " : "", why.message);
	*d = why;
	return DIAG_ERROR;
}

static int check(const struct study *s, struct sim_config *c, const struct study_choice *gpu, struct diag *d)
{
	struct diag why = DIAG_INIT;

	if (sim_config_check(c, &why) == 0)
		return 0;
	if (!why.line)
		return study_wrong(s, gpu->place, d, "%s", why.message);
	*d = why;
	return DIAG_ERROR;
}

static const struct study_size *size_of(const struct plan *p, const struct plan_point *point)
{
	const struct plan_trace *trace = &p->traces.data[point->trace];

	return &p->study->programs.data[trace->program].sizes.data[trace->size];
}

static int configure(const struct plan *p, struct sim_config *c, const struct plan_point *point, struct diag *d)
{
	struct study *s = p->study;
	const struct study_choice *choices[] = {&s->gpus.data[point->gpu], &s->variants.data[point->variant],
						&s->policies.data[point->policy]};

	if (load_gpu(s, c, choices[0], d) < 0)
		return DIAG_ERROR;
	for (size_t i = 0; i < 3; i++) {
		if (set_policies(s, c, choices[i], d) < 0 || set_keys(s, c, &choices[i]->sets, d) < 0)
			return DIAG_ERROR;
		if (i == 0 && set_keys(s, c, &size_of(p, point)->sets, d) < 0)
			return DIAG_ERROR;
	}
	if (set_seed(s, c, &s->seeds.data[point->seed], d) < 0)
		return DIAG_ERROR;
	return check(s, c, choices[0], d);
}

/* A text of a JSON document. */
static void add_quoted(struct strbuf *text, const char *word)
{
	strbuf_adds(text, "\"");
	for (; *word; word++)
		if (*word == '"' || *word == '\\')
			strbuf_addf(text, "\\%c", *word);
		else
			strbuf_addc(text, (unsigned char)*word < ' ' ? ' ' : *word);
	strbuf_adds(text, "\"");
}

/* A policy as a run's configuration names it: from outside by its content. */
static const char *policy_word(const void *ops, const char *name, char text[KNOB_NAME_BYTES])
{
	const char *hash = outside_hash(ops);

	if (!hash)
		return name;
	snprintf(text, KNOB_NAME_BYTES, "./%s.so", hash);
	return text;
}

/* Every key in force. JSON is YAML, so this is a GPU file, and SQLite can look into it. */
static char *printed(const struct sim_config *c)
{
	struct strbuf text = STRBUF_INIT;
	char value[KNOB_NAME_BYTES];

	strbuf_adds(&text, "{\"name\": ");
	add_quoted(&text, c->name);
	strbuf_addf(&text, ", \"llc_policy\": \"%s\"", policy_word(c->llc_policy, c->llc_policy->name, value));
	strbuf_addf(&text, ", \"l1_policy\": \"%s\"", policy_word(c->l1_policy, c->l1_policy->name, value));
	for (size_t i = 0; i < c->nsections; i++) {
		const struct config_section *section = &c->sections[i];

		if (!sim_config_in_force(c, section) || !section->knobs->name)
			continue;
		strbuf_addf(&text, ",\n \"%s\": {", section->name);
		for (const struct knob *knob = section->knobs; knob->name; knob++) {
			knob_format(knob, section->values, value, sizeof value);
			strbuf_addf(&text, "%s\"%s\": ", knob == section->knobs ? "" : ", ", knob->name);
			if (knob->type == KNOB_TYPE_NAME)
				add_quoted(&text, policy_word(c->replacement, c->replacement->name, value));
			else if (knob->type == KNOB_TYPE_CHOICE)
				add_quoted(&text, value);
			else
				strbuf_adds(&text, value);
		}
		strbuf_adds(&text, "}");
	}
	strbuf_adds(&text, "}\n");
	return strbuf_detach(&text);
}

static struct hash key_of(const struct plan_trace *trace, struct hash config)
{
	struct strbuf text = STRBUF_INIT;
	struct hash key;

	strbuf_addf(&text, "%s %s %s", trace->hash.text, config.text, trace->option_text);
	key = hash_of(text.data, text.len);
	strbuf_release(&text);
	return key;
}

static size_t find_run(const struct plan *p, const struct hash *key)
{
	struct plan_key *found;

	HASH_FIND_STR(p->keys, key->text, found);
	return found ? found->run : SIZE_MAX;
}

static void note_run(struct plan *p, const struct hash *key, size_t run)
{
	struct plan_key *entry = arena_new(&p->arena, struct plan_key);

	entry->key = *key;
	entry->run = run;
	HASH_ADD_STR(p->keys, key.text, entry);
}

static void add_files(struct plan *p, struct plan_run *run, const struct sim_config *c)
{
	const void *const policies[PLAN_FILES] = {c->llc_policy, c->l1_policy, c->replacement};
	size_t count = 0;

	for (size_t i = 0; i < PLAN_FILES; i++) {
		struct plan_file *file = &run->files[count];

		if (!outside_path(policies[i]))
			continue;
		file->path = arena_strdup(&p->arena, outside_path(policies[i]));
		snprintf(file->hash.text, sizeof file->hash.text, "%s", outside_hash(policies[i]));
		count++;
	}
}

static void add_run(struct plan *p, struct plan_point *point, const struct sim_config *c)
{
	char *text = printed(c);
	struct hash config = hash_of_text(text), key = key_of(&p->traces.data[point->trace], config);

	point->run = find_run(p, &key);
	if (point->run == SIZE_MAX) {
		point->run = p->runs.len;
		note_run(p, &key, point->run);
		vec_push(&p->runs, (struct plan_run){.key = key,
						     .config_hash = config,
						     .config = arena_strdup(&p->arena, text),
						     .gpu = arena_strdup(&p->arena, c->name),
						     .llc = c->llc_policy->name,
						     .l1 = c->l1_policy->name,
						     .trace = point->trace});
		add_files(p, &vec_last(&p->runs), c);
	}
	xfree(text);
}

bool plan_is_settled(const struct plan_trace *t)
{
	return t->known || t->failure;
}

int plan_configure(struct plan *p, struct diag *d)
{
	for (size_t i = 0; i < p->points.len; i++) {
		struct sim_config *c = sim_config_create();
		int status = configure(p, c, &p->points.data[i], d);

		if (status == 0 && plan_is_settled(&p->traces.data[p->points.data[i].trace]))
			add_run(p, &p->points.data[i], c);
		sim_config_free(c);
		if (status < 0)
			return DIAG_ERROR;
	}
	return 0;
}
