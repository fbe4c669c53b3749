/* The keys of a study file, table by table. check_study.c checks that they fit together. */
#include "study/file/mapping_reader.h"

#include "common/c_locale.h"
#include "common/file.h"
#include "sim-backend/run/sampling.h"
#include "study/file/check_study.h"
#include "study/file/measured.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const dimension_names[DIM_COUNT] = {
    [DIM_PROGRAM] = "program", [DIM_SIZE] = "size",     [DIM_GPU] = "gpu",
    [DIM_VARIANT] = "variant", [DIM_POLICY] = "policy", [DIM_SEED] = "seed"};

enum dimension dimension_find(const char *name)
{
	enum dimension i = 0;

	while (i < DIM_COUNT && strcmp(dimension_names[i], name) != 0)
		i++;
	return i;
}

/* --- Overrides and choices --- */

/* `section.key: value`. */
static int read_sets(struct reader *r, const struct yaml_tree *value, void *target)
{
	study_sets *sets = target;

	if (value->kind != YAML_MAP)
		return wrong_value(r, value, "`set` is a mapping such as {llc.ways: 8}");
	for (size_t i = 0; i < value->count; i++) {
		const struct yaml_child *child = &value->children[i];
		const char *dot = strchr(child->key, '.');

		if (!dot)
			return diag_set(r->d, r->s->path, child->line, child->column,
					"'%s' is not of the form section.key; 'romark gpus NAME' lists the keys",
					child->key);
		if (child->value->kind != YAML_TEXT)
			return wrong_value(r, child->value, "%s takes a single value", child->key);
		vec_push(sets, (struct study_set){arena_strndup(&r->s->arena, child->key, (size_t)(dot - child->key)),
						  arena_strdup(&r->s->arena, dot + 1),
						  child->value->text,
						  {child->value->line, child->value->column}});
	}
	return 0;
}

static const struct field choice_fields[] = {{"label", read_text, offsetof(struct study_choice, label)},
					     {"gpu", read_placed, offsetof(struct study_choice, gpu)},
					     {"llc", read_placed, offsetof(struct study_choice, llc)},
					     {"l1", read_placed, offsetof(struct study_choice, l1)},
					     {"set", read_sets, offsetof(struct study_choice, sets)},
					     {NULL, NULL, 0}};

static int add_choice(struct reader *r, study_choices *choices, const char *name, struct study_place place,
		      const struct yaml_tree *value)
{
	struct study_choice *choice;

	vec_grow(choices);
	choice = &vec_last(choices);
	choice->name = choice->label = name;
	choice->place = place;
	return value ? read_fields(r, value, choice_fields, choice, "a choice") : 0;
}

/* A list of names, or a mapping from names to texts. */
static int read_choices(struct reader *r, const struct yaml_tree *value, void *target)
{
	if (value->kind == YAML_TEXT)
		return add_choice(r, target, value->text, (struct study_place){value->line, value->column}, NULL);
	for (size_t i = 0; i < value->count; i++) {
		const struct yaml_child *child = &value->children[i];
		const struct study_place place = {child->line, child->column};
		bool is_map = value->kind == YAML_MAP;

		if (!is_map && child->value->kind != YAML_TEXT)
			return wrong_value(r, child->value, "a name is expected here");
		if (add_choice(r, target, is_map ? child->key : child->value->text, place,
			       is_map ? child->value : NULL) < 0)
			return DIAG_ERROR;
	}
	return 0;
}

/* --- Programs --- */

struct program_words {
	struct study_program program;
	study_texts arguments;
	const struct yaml_tree *sizes;
};

static int keep_tree(struct reader *r, const struct yaml_tree *value, void *target)
{
	if (value->kind != YAML_MAP)
		return wrong_value(r, value, "`sizes` is a mapping such as {small: [64], large: [256]}");
	*(const struct yaml_tree **)target = value;
	return 0;
}

static const struct field program_fields[] = {
    {"label", read_text, offsetof(struct program_words, program.label)},
    {"source", read_texts, offsetof(struct program_words, program.sources)},
    {"flags", read_texts, offsetof(struct program_words, program.flags)},
    {"program", read_placed, offsetof(struct program_words, program.program)},
    {"kernels", read_pattern, offsetof(struct program_words, program.kernels)},
    {"arguments", read_texts, offsetof(struct program_words, arguments)},
    {"sizes", keep_tree, offsetof(struct program_words, sizes)},
    {NULL, NULL, 0}};

struct trace_words {
	const char *label;
	struct study_text trace;
	const struct yaml_tree *sizes;
};

static const struct field trace_fields[] = {{"label", read_text, offsetof(struct trace_words, label)},
					    {"trace", read_placed, offsetof(struct trace_words, trace)},
					    {"sizes", keep_tree, offsetof(struct trace_words, sizes)},
					    {NULL, NULL, 0}};

static const struct field size_fields[] = {{"arguments", read_texts, offsetof(struct study_size, arguments)},
					   {"set", read_sets, offsetof(struct study_size, sets)},
					   {"max_cycles", read_count, offsetof(struct study_size, max_cycles)},
					   {NULL, NULL, 0}};

/* A size's arguments follow the program's arguments. */
static int add_size(struct reader *r, struct program_words *words, const char *name, const struct yaml_tree *value)
{
	struct study_size empty = {.name = name, .arguments = VEC_INIT}, *size;

	for (size_t i = 0; i < words->arguments.len; i++)
		vec_push(&empty.arguments, words->arguments.data[i]);
	vec_push(&words->program.sizes, empty);
	size = &vec_last(&words->program.sizes);
	if (value && value->kind == YAML_MAP)
		return read_fields(r, value, size_fields, size, "a size");
	return value ? read_texts(r, value, &size->arguments) : 0;
}

static int add_sizes(struct reader *r, struct program_words *words)
{
	if (!words->sizes)
		return add_size(r, words, "", NULL);
	for (size_t i = 0; i < words->sizes->count; i++)
		if (add_size(r, words, words->sizes->children[i].key, words->sizes->children[i].value) < 0)
			return DIAG_ERROR;
	return 0;
}

static int read_program(struct reader *r, const struct yaml_child *child, struct study_program *program)
{
	struct program_words words = {.program = {.name = child->key, .label = child->key}};
	int status = read_fields(r, child->value, program_fields, &words, "a program");

	words.program.place = (struct study_place){child->line, child->column};
	if (status == 0)
		status = add_sizes(r, &words);
	vec_release(&words.arguments);
	*program = words.program;
	return status;
}

static int read_programs(struct reader *r, const struct yaml_tree *value, void *target)
{
	(void)target;
	if (value->kind != YAML_MAP)
		return wrong_value(r, value, "`programs` is a mapping from names to programs");
	for (size_t i = 0; i < value->count; i++) {
		vec_grow(&r->s->programs);
		if (read_program(r, &value->children[i], &vec_last(&r->s->programs)) < 0)
			return DIAG_ERROR;
	}
	return 0;
}

/* `name: file.romtrace`, or `name: {trace: file.romtrace, label: ...}`, or `name: {sizes: {small: file.romtrace}}`. */
static int read_trace(struct reader *r, const struct yaml_child *child)
{
	struct trace_words words = {.label = child->key};
	struct study_program *program;
	int status = child->value->kind == YAML_TEXT ? read_placed(r, child->value, &words.trace)
						     : read_fields(r, child->value, trace_fields, &words, "a trace");

	if (status < 0)
		return DIAG_ERROR;
	if (!words.trace.text == !words.sizes)
		return wrong_value(r, child->value,
				   "`trace: FILE.romtrace` or `sizes: {NAME: FILE.romtrace}` is needed, and not both");
	vec_grow(&r->s->programs);
	program = &vec_last(&r->s->programs);
	program->name = child->key;
	program->label = words.label;
	program->place = (struct study_place){child->line, child->column};
	if (words.trace.text)
		vec_push(&program->sizes, (struct study_size){.name = "", .trace = words.trace});
	for (size_t i = 0; words.sizes && i < words.sizes->count && status == 0; i++) {
		vec_push(&program->sizes, (struct study_size){.name = words.sizes->children[i].key});
		status = read_placed(r, words.sizes->children[i].value, &vec_last(&program->sizes).trace);
	}
	return status;
}

static int read_traces(struct reader *r, const struct yaml_tree *value, void *target)
{
	(void)target;
	if (value->kind != YAML_MAP)
		return wrong_value(r, value, "`traces` is a mapping from names to files");
	for (size_t i = 0; i < value->count; i++)
		if (read_trace(r, &value->children[i]) < 0)
			return DIAG_ERROR;
	return 0;
}

/* --- Groups, values, simulation --- */

static int read_group(struct reader *r, const struct yaml_child *child, struct study_group *group)
{
	struct study_at words = {.value = {NULL}};
	const struct yaml_tree *value = child->value;

	group->name = child->key;
	if (value->kind != YAML_MAP || value->count != 1)
		return wrong_value(r, value,
				   "a group lists values of one dimension, as in {policy: [shared, private]}");
	group->dimension = dimension_find(value->children[0].key);
	if (group->dimension == DIM_COUNT)
		return read_at(r, value, &words); /* says which dimensions there are */
	return read_texts(r, value->children[0].value, &group->members);
}

static int read_groups(struct reader *r, const struct yaml_tree *value, void *target)
{
	(void)target;
	if (value->kind != YAML_MAP)
		return wrong_value(r, value, "`groups` is a mapping from names to lists");
	for (size_t i = 0; i < value->count; i++) {
		vec_grow(&r->s->groups);
		if (read_group(r, &value->children[i], &vec_last(&r->s->groups)) < 0)
			return DIAG_ERROR;
	}
	return 0;
}

static const struct field value_fields[] = {{"is", read_placed, offsetof(struct study_value, expression)},
					    {"label", read_text, offsetof(struct study_value, label)},
					    {"unit", read_text, offsetof(struct study_value, unit)},
					    {"help", read_text, offsetof(struct study_value, help)},
					    {NULL, NULL, 0}};

static int read_values(struct reader *r, const struct yaml_tree *value, void *target)
{
	(void)target;
	if (value->kind != YAML_MAP)
		return wrong_value(r, value, "`values` is a mapping from names to expressions");
	for (size_t i = 0; i < value->count; i++) {
		const struct yaml_child *child = &value->children[i];
		struct study_value v = {.name = child->key};
		int status = child->value->kind == YAML_TEXT
				 ? read_placed(r, child->value, &v.expression)
				 : read_fields(r, child->value, value_fields, &v, "a value");

		if (status == 0 && !v.expression.text)
			status = wrong_value(r, child->value, "`is: EXPRESSION` is missing");
		vec_push(&r->s->values, v);
		if (status < 0)
			return DIAG_ERROR;
	}
	return 0;
}

static int read_keep(struct reader *r, const struct yaml_tree *value, void *target)
{
	struct study_simulation *simulation = target;
	const char *const names[] = {"kernels", "structures", "slices", "epochs", "sharing", NULL};
	bool *const flags[] = {&simulation->keep_kernels, &simulation->keep_structures, &simulation->keep_slices,
			       &simulation->keep_epochs, &simulation->keep_sharing};
	study_texts texts = VEC_INIT;
	int status = read_texts(r, value, &texts);

	for (size_t i = 0; i < texts.len && status == 0; i++) {
		const struct study_text *t = &texts.data[i];
		size_t k = 0;

		while (names[k] && strcmp(names[k], t->text) != 0)
			k++;
		if (names[k])
			*flags[k] = true;
		else
			status = wrong_name(r, t->place.line, t->place.column, "thing to keep called", t->text, names);
	}
	vec_release(&texts);
	return status;
}

static int read_sample(struct reader *r, const struct yaml_tree *value, void *target)
{
	const char **sample = target;
	struct sampling_plan plan;
	struct diag d = DIAG_INIT;

	if (read_text(r, value, target) < 0)
		return DIAG_ERROR;
	return sampling_parse(*sample, &plan, &d) < 0 ? wrong_value(r, value, "%s", d.message) : 0;
}

static const struct field simulation_fields[] = {
    {"kernels", read_pattern, offsetof(struct study_simulation, kernels)},
    {"sample", read_sample, offsetof(struct study_simulation, sample)},
    {"max_cycles", read_count, offsetof(struct study_simulation, max_cycles)},
    {"epoch_cycles", read_count, offsetof(struct study_simulation, epoch_cycles)},
    {"keep", read_keep, 0},
    {NULL, NULL, 0}};

static int read_simulation(struct reader *r, const struct yaml_tree *value, void *target)
{
	return read_fields(r, value, simulation_fields, target, "`simulate`");
}

static const struct field slurm_fields[] = {{"partition", read_text, offsetof(struct study_slurm, partition)},
					    {"account", read_text, offsetof(struct study_slurm, account)},
					    {"time", read_text, offsetof(struct study_slurm, time)},
					    {"memory", read_text, offsetof(struct study_slurm, memory)},
					    {"constraint", read_text, offsetof(struct study_slurm, constraint)},
					    {"array", read_count, offsetof(struct study_slurm, array)},
					    {NULL, NULL, 0}};

static int read_slurm(struct reader *r, const struct yaml_tree *value, void *target)
{
	return read_fields(r, value, slurm_fields, target, "`slurm`");
}

/* --- The top of the file --- */

static const struct field top_fields[] = {{"study", read_text, offsetof(struct study, name)},
					  {"description", read_text, offsetof(struct study, description)},
					  {"programs", read_programs, 0},
					  {"traces", read_traces, 0},
					  {"gpus", read_choices, offsetof(struct study, gpus)},
					  {"variants", read_choices, offsetof(struct study, variants)},
					  {"policies", read_choices, offsetof(struct study, policies)},
					  {"seeds", read_texts, offsetof(struct study, seeds)},
					  {"seed_keys", read_texts, offsetof(struct study, seed_keys)},
					  {"where", read_placed, offsetof(struct study, where)},
					  {"baseline", read_at, offsetof(struct study, baseline)},
					  {"simulate", read_simulation, offsetof(struct study, simulation)},
					  {"slurm", read_slurm, offsetof(struct study, slurm)},
					  {"measured", read_texts, offsetof(struct study, measured.files)},
					  {"groups", read_groups, 0},
					  {"values", read_values, 0},
					  {"figures", read_figures, offsetof(struct study, figures)},
					  {"tables", read_tables, offsetof(struct study, tables)},
					  {"references", read_references, offsetof(struct study, references)},
					  {NULL, NULL, 0}};

static int read_study(struct study *s, const char *text, size_t size, struct diag *d)
{
	struct reader r = {s, d};
	struct yaml_tree *tree = yaml_tree_parse(text, size, s->path, &s->arena, d);

	if (!tree || read_fields(&r, tree, top_fields, s, "a study file") < 0)
		return DIAG_ERROR;
	return study_complete(&r, tree);
}

static const char *folder_of(struct study *s)
{
	const char *slash = strrchr(s->path, '/');

	return slash ? arena_strndup(&s->arena, s->path, (size_t)(slash - s->path)) : ".";
}

struct study *study_parse(const char *text, size_t size, const char *path, struct diag *d)
{
	struct study *s = xcalloc(1, sizeof *s);

	s->path = arena_strdup(&s->arena, path);
	s->folder = folder_of(s);
	s->text = arena_strndup(&s->arena, text, size);
	if (read_study(s, text, size, d) == 0)
		return s;
	study_free(s);
	return NULL;
}

struct study *study_load(const char *path, struct diag *d)
{
	struct file_data text;
	struct study *s;

	if (file_read(path, &text, d) < 0)
		return NULL;
	s = study_parse(text.data, text.size, path, d);
	file_data_release(&text);
	return s;
}

static void release_choices(study_choices *choices)
{
	for (size_t i = 0; i < choices->len; i++)
		vec_release(&choices->data[i].sets);
	vec_release(choices);
}

static void release_programs(struct study *s)
{
	for (size_t i = 0; i < s->programs.len; i++) {
		struct study_program *p = &s->programs.data[i];

		for (size_t k = 0; k < p->sizes.len; k++) {
			vec_release(&p->sizes.data[k].arguments);
			vec_release(&p->sizes.data[k].sets);
		}
		vec_release(&p->sizes);
		vec_release(&p->sources);
		vec_release(&p->flags);
	}
	vec_release(&s->programs);
}

static void release_outputs(struct study *s)
{
	for (size_t i = 0; i < s->figures.len; i++) {
		struct study_figure *f = &s->figures.data[i];

		vec_release(&f->x);
		vec_release(&f->bars);
		vec_release(&f->over);
		vec_release(&f->values);
		vec_release(&f->references);
	}
	for (size_t i = 0; i < s->tables.len; i++) {
		struct study_table *t = &s->tables.data[i];

		vec_release(&t->rows);
		vec_release(&t->columns);
		vec_release(&t->over);
		vec_release(&t->values);
		vec_release(&t->formats);
		vec_release(&t->references);
	}
	vec_release(&s->figures);
	vec_release(&s->tables);
	vec_release(&s->references);
}

void study_free(struct study *s)
{
	if (!s)
		return;
	release_programs(s);
	release_choices(&s->gpus);
	release_choices(&s->variants);
	release_choices(&s->policies);
	release_outputs(s);
	for (size_t i = 0; i < s->groups.len; i++)
		vec_release(&s->groups.data[i].members);
	vec_release(&s->groups);
	vec_release(&s->values);
	measured_release(&s->measured);
	vec_release(&s->seeds);
	vec_release(&s->seed_keys);
	arena_release(&s->arena);
	xfree(s);
}

int study_wrong(const struct study *s, struct study_place place, struct diag *d, const char *format, ...)
{
	char message[512];
	va_list args;

	va_start(args, format);
	c_vsnprintf(message, sizeof message, format, args);
	va_end(args);
	return diag_set(d, s->path, place.line, place.column, "%s", message);
}

const char *study_path(struct study *s, const char *path)
{
	if (path[0] == '/' || strcmp(s->folder, ".") == 0)
		return path;
	return arena_printf(&s->arena, "%s/%s", s->folder, path);
}

bool study_is_outside(const char *path)
{
	return path[0] == '$' && strchr(path, '/');
}

const char *study_outside_path(struct study *s, const char *path)
{
	const char *rest = strchr(path, '/');
	const char *folder = getenv(arena_strndup(&s->arena, path + 1, (size_t)(rest - path - 1)));

	return folder && *folder ? arena_printf(&s->arena, "%s%s", folder, rest) : NULL;
}
