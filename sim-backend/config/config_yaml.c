/* GPU files: libyaml's events, so that every message has the line and column of the word that is wrong. */
#include "sim-backend/config/config.h"

#include "common/c_locale.h"
#include "common/guess.h"
#include "common/vec.h"
#include "common/xalloc.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct yaml_source {
	yaml_parser_t parser;
	const char *file;
	struct sim_config *config;
	struct diag *d;
};

/* The keys of a mapping so far. */
struct yaml_name {
	char *name;
	yaml_mark_t mark;
};
typedef VEC(struct yaml_name) yaml_names;

static int wrong_at(struct yaml_source *s, yaml_mark_t mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int wrong_at(struct yaml_source *s, yaml_mark_t mark, const char *format, ...)
{
	char message[512];
	va_list args;

	va_start(args, format);
	c_vsnprintf(message, sizeof message, format, args);
	va_end(args);
	return diag_set(s->d, s->file, (unsigned)mark.line + 1, (unsigned)mark.column + 1, "%s", message);
}

/* A name that is written a second time is a mistake, of which only one value could count. */
static int note_name(struct yaml_source *s, yaml_names *names, const char *name, yaml_mark_t mark)
{
	for (size_t i = 0; i < names->len; i++)
		if (strcmp(names->data[i].name, name) == 0)
			return wrong_at(s, mark, "'%s' is here again; it is on line %zu already", name,
					names->data[i].mark.line + 1);
	vec_push(names, (struct yaml_name){xstrdup(name), mark});
	return 0;
}

static void release_names(yaml_names *names)
{
	for (size_t i = 0; i < names->len; i++)
		xfree(names->data[i].name);
	vec_release(names);
}

static bool has_nul(const yaml_event_t *event)
{
	return event->type == YAML_SCALAR_EVENT &&
	       memchr(event->data.scalar.value, '\0', event->data.scalar.length) != NULL;
}

static int next_event(struct yaml_source *s, yaml_event_t *event)
{
	if (!yaml_parser_parse(&s->parser, event))
		return wrong_at(s, s->parser.problem_mark, "%s",
				s->parser.problem ? s->parser.problem : "not valid YAML");
	if (event->type != YAML_ALIAS_EVENT && !has_nul(event))
		return 0;
	wrong_at(s, event->start_mark, "%s",
		 has_nul(event) ? "a text must not have a NUL in it" : "aliases have no place in a GPU file");
	yaml_event_delete(event);
	return DIAG_ERROR;
}

/* The next event's type, for events of which nothing else matters; YAML_NO_EVENT after an error. */
static yaml_event_type_t next_type(struct yaml_source *s, yaml_mark_t *mark)
{
	yaml_event_t event;
	yaml_event_type_t type;

	if (next_event(s, &event) < 0)
		return YAML_NO_EVENT;
	*mark = event.start_mark;
	type = event.type;
	yaml_event_delete(&event);
	return type;
}

/* The next key of a mapping (malloc'ed) and its place; NULL with *end when the mapping ends instead. */
static char *next_key(struct yaml_source *s, yaml_mark_t *mark, bool *end, yaml_names *names)
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
		wrong_at(s, event.start_mark, "a key is expected here, not a list or a mapping");
	yaml_event_delete(&event);
	if (text && note_name(s, names, text, *mark) < 0) {
		xfree(text);
		return NULL;
	}
	return text;
}

static int set_key(struct yaml_source *s, const char *section, const char *key, const char *value, yaml_mark_t mark)
{
	const struct config_place place = {section, key, s->file, (unsigned)mark.line + 1, (unsigned)mark.column + 1};

	return sim_config_set_key(s->config, &place, value, s->d);
}

/* The entries of a mapping up to its end, each by `entry`, which gets its key and reads what follows that. */
static int parse_mapping(struct yaml_source *s, const char *section,
			 int (*entry)(struct yaml_source *s, const char *section, const char *key, yaml_mark_t mark))
{
	yaml_names names = VEC_INIT;
	yaml_mark_t mark;
	int status = 0;
	bool end = false;

	while (status == 0 && !end) {
		char *key = next_key(s, &mark, &end, &names);

		if (key)
			status = entry(s, section, key, mark);
		else if (!end)
			status = DIAG_ERROR;
		xfree(key);
	}
	release_names(&names);
	return status;
}

/* An entry of a section. */
static int parse_value(struct yaml_source *s, const char *section, const char *key, yaml_mark_t mark)
{
	yaml_event_t event;
	int status;

	if (next_event(s, &event) < 0)
		return DIAG_ERROR;
	if (event.type == YAML_SCALAR_EVENT)
		status = set_key(s, section, key, (const char *)event.data.scalar.value, mark);
	else
		status = wrong_at(s, event.start_mark, "%s.%s takes a single value", section, key);
	yaml_event_delete(&event);
	return status;
}

/* --- The top of the file --- */

static int copy(struct yaml_source *s, char *to, size_t size, const char *key, const char *text, yaml_mark_t mark)
{
	if (strlen(text) >= size)
		return wrong_at(s, mark, "%s has %zu bytes; %zu is the most", key, strlen(text), size - 1);
	memcpy(to, text, strlen(text) + 1);
	return 0;
}

static int pick(struct yaml_source *s, const char *llc, const char *l1, yaml_mark_t mark)
{
	struct diag why = DIAG_INIT;

	llc = llc ? sim_config_beside(s->config, s->file, llc) : NULL;
	l1 = l1 ? sim_config_beside(s->config, s->file, l1) : NULL;
	if (sim_config_policies(s->config, llc, l1, &why) == 0)
		return 0;
	return wrong_at(s, mark, "%s%s%s", why.file, why.file[0] ? ": " : "", why.message);
}

/* Keys outside all sections. */
static const char *const top_keys[] = {"name", "description", "llc_policy", "l1_policy"};
enum { TOP_NAME, TOP_DESCRIPTION, TOP_LLC, TOP_L1, TOP_KEYS };

static int top_key(const char *key)
{
	for (int i = 0; i < TOP_KEYS; i++)
		if (strcmp(top_keys[i], key) == 0)
			return i;
	return -1;
}

static int unknown_top(struct yaml_source *s, const char *key, yaml_mark_t mark)
{
	struct guess g = guess_start(key, strlen(key));

	for (size_t i = 0; i < s->config->nsections; i++)
		guess_try(&g, s->config->sections[i].name);
	for (int i = 0; i < TOP_KEYS; i++)
		guess_try(&g, top_keys[i]);
	return wrong_at(s, mark, "no section or key '%s' in a GPU configuration%s", key, guess_hint(&g).text);
}

/* `name: text` at the top of the file. */
static int parse_top_value(struct yaml_source *s, const char *key, const char *value, yaml_mark_t mark)
{
	struct sim_config *c = s->config;

	switch (top_key(key)) {
	case TOP_NAME: return copy(s, c->name, sizeof c->name, key, value, mark);
	case TOP_DESCRIPTION: return copy(s, c->description, sizeof c->description, key, value, mark);
	case TOP_LLC: return pick(s, value, NULL, mark);
	case TOP_L1: return pick(s, NULL, value, mark);
	default: return wrong_at(s, mark, "section '%s' takes keys with values, not one value", key);
	}
}

/* An entry of the file: of no section. */
static int parse_top_entry(struct yaml_source *s, const char *section, const char *key, yaml_mark_t mark)
{
	bool is_key = top_key(key) >= 0;
	yaml_event_t event;
	int status;

	(void)section;
	if (!is_key && !sim_config_section(s->config, key))
		return unknown_top(s, key, mark);
	if (next_event(s, &event) < 0)
		return DIAG_ERROR;
	if (event.type == YAML_SCALAR_EVENT)
		status = parse_top_value(s, key, (const char *)event.data.scalar.value, mark);
	else if (is_key || event.type != YAML_MAPPING_START_EVENT)
		status = wrong_at(s, event.start_mark, "'%s' takes %s; lists have no place in a GPU file", key,
				  is_key ? "a single value" : "keys with values");
	else
		status = parse_mapping(s, key, parse_value);
	yaml_event_delete(&event);
	return status;
}

/* The events of `types`, else the message. */
static int parse_frame(struct yaml_source *s, const yaml_event_type_t *types, size_t count, const char *message)
{
	yaml_mark_t mark;

	for (size_t i = 0; i < count; i++) {
		yaml_event_type_t type = next_type(s, &mark);

		if (type == YAML_NO_EVENT)
			return DIAG_ERROR;
		if (type != types[i])
			return wrong_at(s, mark, "%s", message);
	}
	return 0;
}

static int parse_document(struct yaml_source *s)
{
	static const yaml_event_type_t opening[] = {YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT,
						    YAML_MAPPING_START_EVENT};
	static const yaml_event_type_t closing[] = {YAML_DOCUMENT_END_EVENT, YAML_STREAM_END_EVENT};
	int status = parse_frame(s, opening, 3, "a GPU file is a mapping of sections");

	if (status == 0)
		status = parse_mapping(s, NULL, parse_top_entry);
	if (status == 0)
		status = parse_frame(s, closing, 2, "a GPU file is a single document; a second document begins here");
	return status;
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
