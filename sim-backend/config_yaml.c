/* GPU files: libyaml's events, so that every message has the line and column of the word that is wrong. */
#include "sim-backend/config.h"

#include "common/file.h"
#include "common/guess.h"
#include "common/vec.h"
#include "common/xalloc.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>

struct yaml_source {
	yaml_parser_t parser;
	const char *file;
	struct sim_config *config;
	struct diag *d;
};

static int wrong_at(struct yaml_source *s, yaml_mark_t mark, const char *message)
{
	return diag_set(s->d, s->file, (unsigned)mark.line + 1, (unsigned)mark.column + 1, "%s", message);
}

static int next_event(struct yaml_source *s, yaml_event_t *event)
{
	if (yaml_parser_parse(&s->parser, event)) {
		if (event->type != YAML_ALIAS_EVENT)
			return 0;
		wrong_at(s, event->start_mark, "aliases have no place in a GPU file");
		yaml_event_delete(event);
		return DIAG_ERROR;
	}
	return wrong_at(s, s->parser.problem_mark, s->parser.problem ? s->parser.problem : "not valid YAML");
}

/* The next event as a scalar's text (malloc'ed) and its place; NULL with *end when a mapping ends instead. */
static char *next_scalar(struct yaml_source *s, yaml_mark_t *mark, bool *end, const char *wanted)
{
	yaml_event_t event;
	char *text = NULL;

	*end = false;
	if (next_event(s, &event) < 0)
		return NULL;
	*mark = event.start_mark;
	if (event.type == YAML_SCALAR_EVENT)
		text = xstrdup((const char *)event.data.scalar.value);
	else if (event.type == YAML_MAPPING_END_EVENT)
		*end = true;
	else
		wrong_at(s, event.start_mark, wanted);
	yaml_event_delete(&event);
	return text;
}

static int parse_pair(struct yaml_source *s, const char *section, const char *key, yaml_mark_t key_mark)
{
	yaml_mark_t mark;
	bool end;
	char *value = next_scalar(s, &mark, &end, "a section's key takes a single value");
	int status = DIAG_ERROR;

	if (!value)
		return end ? wrong_at(s, key_mark, "this key has no value") : DIAG_ERROR;
	status = sim_config_set_key(s->config, section, key, value, s->file, (unsigned)key_mark.line + 1,
				    (unsigned)key_mark.column + 1, s->d);
	free(value);
	return status;
}

static int parse_section(struct yaml_source *s, const char *section)
{
	yaml_mark_t mark;
	bool end;

	for (;;) {
		char *key = next_scalar(s, &mark, &end, "a key is expected here");
		int status;

		if (!key)
			return end ? 0 : DIAG_ERROR;
		status = parse_pair(s, section, key, mark);
		free(key);
		if (status < 0)
			return DIAG_ERROR;
	}
}

static void copy(char *to, size_t size, const char *text)
{
	snprintf(to, size, "%s", text);
}

/* `name: text` at the top of the file. */
static int parse_top_value(struct yaml_source *s, const char *key, const char *value, yaml_mark_t mark)
{
	struct diag policy = DIAG_INIT;

	if (strcmp(key, "name") == 0)
		copy(s->config->name, sizeof s->config->name, value);
	else if (strcmp(key, "description") == 0)
		copy(s->config->description, sizeof s->config->description, value);
	else if (strcmp(key, "llc_policy") == 0)
		sim_config_policies(s->config, value, NULL, &policy);
	else if (strcmp(key, "l1_policy") == 0)
		sim_config_policies(s->config, NULL, value, &policy);
	else if (sim_config_section(s->config, key))
		return wrong_at(s, mark, "a section takes keys with values, not one value");
	else
		return sim_config_set_key(s->config, key, "", value, s->file, (unsigned)mark.line + 1,
					  (unsigned)mark.column + 1, s->d);
	return diag_is_set(&policy) ? wrong_at(s, mark, policy.message) : 0;
}

static int parse_top_entry(struct yaml_source *s, const char *key, yaml_mark_t mark)
{
	yaml_event_t event;
	int status = 0;

	if (next_event(s, &event) < 0)
		return DIAG_ERROR;
	if (event.type == YAML_SCALAR_EVENT)
		status = parse_top_value(s, key, (const char *)event.data.scalar.value, mark);
	else if (event.type != YAML_MAPPING_START_EVENT)
		status = wrong_at(s, event.start_mark, "lists have no place in a GPU file");
	else if (!sim_config_section(s->config, key))
		status = sim_config_set_key(s->config, key, "", "", s->file, (unsigned)mark.line + 1,
					    (unsigned)mark.column + 1, s->d);
	else
		status = parse_section(s, key);
	yaml_event_delete(&event);
	return status;
}

static int parse_document(struct yaml_source *s)
{
	static const yaml_event_type_t opening[] = {YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT,
						    YAML_MAPPING_START_EVENT};
	yaml_mark_t mark;
	bool end;

	for (size_t i = 0; i < sizeof opening / sizeof opening[0]; i++) {
		yaml_event_t event;
		yaml_event_type_t type;

		if (next_event(s, &event) < 0)
			return DIAG_ERROR;
		mark = event.start_mark;
		type = event.type;
		yaml_event_delete(&event);
		if (type != opening[i])
			return wrong_at(s, mark, "a GPU file is a mapping of sections");
	}
	for (;;) {
		char *key = next_scalar(s, &mark, &end, "a section's name is expected here");
		int status;

		if (!key)
			return end ? 0 : DIAG_ERROR;
		status = parse_top_entry(s, key, mark);
		free(key);
		if (status < 0)
			return DIAG_ERROR;
	}
}

/* Replaces line ends that come from quoted words of the file: a message is one line. */
static void flatten(char *message)
{
	for (; *message; message++)
		if ((unsigned char)*message < ' ')
			*message = ' ';
}

int sim_config_parse(struct sim_config *c, const char *text, size_t size, const char *file, struct diag *d)
{
	struct yaml_source s = {.file = file, .config = c, .d = d};
	int status;

	if (!yaml_parser_initialize(&s.parser))
		return diag_file(d, file, "out of memory");
	yaml_parser_set_input_string(&s.parser, (const unsigned char *)text, size);
	status = parse_document(&s);
	yaml_parser_delete(&s.parser);
	if (d)
		flatten(d->message);
	return status;
}

/* --- Where GPU files are --- */

/* Folder of the GPU files: beside the running program (PREFIX/bin -> PREFIX/share), else in the source tree. */
static bool gpu_folder(char *path, size_t size)
{
	static const char tail[] = "/../share/romark/gpus";
	char program[PATH_MAX - sizeof tail];

	if (file_program_folder(program, sizeof program)) {
		snprintf(path, size, "%s%s", program, tail);
		if (access(path, R_OK) == 0)
			return true;
	}
	snprintf(path, size, "%s", ROMARK_GPU_SOURCE_DIR);
	return access(path, R_OK) == 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

enum { ENDING = sizeof ".yaml" - 1 };

static bool ends_in_yaml(const char *name)
{
	size_t len = strlen(name);

	return len > ENDING && strcmp(name + len - ENDING, ".yaml") == 0;
}

char **sim_gpu_list(void)
{
	char folder[PATH_MAX], path[2 * PATH_MAX];
	VEC(char *) list = VEC_INIT;
	DIR *dir = gpu_folder(folder, sizeof folder) ? opendir(folder) : NULL;
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (ends_in_yaml(entry->d_name)) {
			snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
			vec_push(&list, xstrdup(path));
		}
	if (dir)
		closedir(dir);
	if (list.len)
		qsort(list.data, list.len, sizeof *list.data, by_name);
	vec_push(&list, NULL);
	return list.data;
}

void sim_gpu_list_free(char **list)
{
	for (size_t i = 0; list[i]; i++)
		free(list[i]);
	free(list);
}

static int load_file(struct sim_config *c, const char *path, struct diag *d)
{
	struct file_data text;
	int status;

	if (file_read(path, &text, d) < 0)
		return DIAG_ERROR;
	status = sim_config_parse(c, text.data, text.size, path, d);
	file_data_release(&text);
	if (status == 0 && !c->name[0])
		return diag_file(d, path, "a GPU file needs a `name`");
	return status;
}

int sim_config_load(struct sim_config *c, const char *gpu, struct diag *d)
{
	char **list;
	int status = DIAG_ERROR;
	bool found = false;
	struct guess g = guess_nearest(gpu);

	if (strchr(gpu, '/') || ends_in_yaml(gpu))
		return load_file(c, gpu, d);
	list = sim_gpu_list();
	for (size_t i = 0; list[i] && !found; i++) {
		const char *file = strrchr(list[i], '/') + 1;

		found = strlen(file) == strlen(gpu) + ENDING && strncmp(file, gpu, strlen(gpu)) == 0;
		guess_try(&g, file);
		if (found)
			status = load_file(c, list[i], d);
	}
	if (!found)
		diag_file(
		    d, NULL,
		    "no GPU '%s'; did you mean '%.*s'? 'romark gpus' lists those known, or give a path to a YAML file",
		    gpu, g.best ? (int)strlen(g.best) - ENDING : 0, g.best);
	sim_gpu_list_free(list);
	return status;
}
