/* libyaml's events become a tree, by recursion that is bounded. */
#include "study/file/tree.h"

#include "common/vec.h"

#include <stdbool.h>
#include <string.h>
#include <yaml.h>

enum { MAX_DEPTH = 32 };

struct source {
	yaml_parser_t parser;
	const char *file;
	struct arena *arena;
	struct diag *d;
};

typedef VEC(struct yaml_child) children;

static struct yaml_tree *wrong(struct source *s, yaml_mark_t mark, const char *what)
{
	diag_set(s->d, s->file, (unsigned)mark.line + 1, (unsigned)mark.column + 1, "%s", what);
	return NULL;
}

static bool next(struct source *s, yaml_event_t *event)
{
	if (!yaml_parser_parse(&s->parser, event)) {
		wrong(s, s->parser.problem_mark, s->parser.problem ? s->parser.problem : "not valid YAML");
		return false;
	}
	return true;
}

static struct yaml_tree *node(struct source *s, enum yaml_kind kind, const yaml_event_t *event)
{
	struct yaml_tree *tree = arena_new(s->arena, struct yaml_tree);

	tree->kind = kind;
	tree->line = (unsigned)event->start_mark.line + 1;
	tree->column = (unsigned)event->start_mark.column + 1;
	return tree;
}

static struct yaml_tree *text(struct source *s, const yaml_event_t *event)
{
	const char *value = (const char *)event->data.scalar.value;
	struct yaml_tree *tree;

	if (memchr(value, '\0', event->data.scalar.length))
		return wrong(s, event->start_mark, "a text must not have a NUL in it");
	tree = node(s, YAML_TEXT, event);
	tree->column += event->data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
			event->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
	tree->text = arena_strndup(s->arena, value, event->data.scalar.length);
	return tree;
}

static struct yaml_tree *value_of(struct source *s, const yaml_event_t *event, unsigned depth);

/* The next event as a value; NULL with *end when the list or mapping ends there. */
static struct yaml_tree *next_value(struct source *s, yaml_event_type_t ending, bool *end, unsigned depth)
{
	yaml_event_t event;
	struct yaml_tree *tree = NULL;

	if (!next(s, &event))
		return NULL;
	*end = event.type == ending;
	if (!*end)
		tree = value_of(s, &event, depth);
	yaml_event_delete(&event);
	return tree;
}

static bool is_new(struct source *s, const children *so_far, const struct yaml_tree *key)
{
	for (size_t i = 0; i < so_far->len; i++)
		if (strcmp(so_far->data[i].key, key->text) == 0) {
			diag_set(s->d, s->file, key->line, key->column,
				 "'%s' stands here again; it is on line %u already", key->text, so_far->data[i].line);
			return false;
		}
	return true;
}

/* One entry; false at the end and after an error. */
static bool entry(struct source *s, children *list, bool is_map, bool *end, unsigned depth)
{
	struct yaml_child child = {.key = NULL};
	struct yaml_tree *first = next_value(s, is_map ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT, end, depth);
	bool no_end;

	if (!first)
		return false;
	child.line = first->line;
	child.column = first->column;
	child.value = first;
	if (is_map && first->kind != YAML_TEXT) {
		diag_set(s->d, s->file, first->line, first->column, "a key is expected here, not a list or a mapping");
		return false;
	}
	if (is_map) {
		if (!is_new(s, list, first))
			return false;
		child.key = first->text;
		child.value = next_value(s, YAML_NO_EVENT, &no_end, depth);
	}
	if (child.value)
		vec_push(list, child);
	return child.value != NULL;
}

static struct yaml_tree *collection(struct source *s, const yaml_event_t *event, bool is_map, unsigned depth)
{
	struct yaml_tree *tree = node(s, is_map ? YAML_MAP : YAML_LIST, event);
	children list = VEC_INIT;
	bool end = false;

	if (depth == MAX_DEPTH)
		return wrong(s, event->start_mark, "lists and mappings stand too deep in each other here");
	while (entry(s, &list, is_map, &end, depth + 1))
		;
	tree->count = list.len;
	tree->children = list.len ? arena_memdup(s->arena, list.data, list.len * sizeof *list.data) : NULL;
	vec_release(&list);
	return end ? tree : NULL;
}

static struct yaml_tree *value_of(struct source *s, const yaml_event_t *event, unsigned depth)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT: return text(s, event);
	case YAML_SEQUENCE_START_EVENT: return collection(s, event, false, depth);
	case YAML_MAPPING_START_EVENT: return collection(s, event, true, depth);
	case YAML_ALIAS_EVENT: return wrong(s, event->start_mark, "aliases have no place in a study file");
	default: return wrong(s, event->start_mark, "a value is expected here");
	}
}

/* An event of this type and nothing else. */
static bool frame(struct source *s, yaml_event_type_t type, const char *message)
{
	yaml_event_t event;
	bool fits;

	if (!next(s, &event))
		return false;
	fits = event.type == type;
	if (!fits)
		wrong(s, event.start_mark, message);
	yaml_event_delete(&event);
	return fits;
}

static struct yaml_tree *document(struct source *s)
{
	struct yaml_tree *tree;
	bool end;

	if (!frame(s, YAML_STREAM_START_EVENT, "not valid YAML") ||
	    !frame(s, YAML_DOCUMENT_START_EVENT, "the file is empty; it must begin with `study: NAME`"))
		return NULL;
	tree = next_value(s, YAML_DOCUMENT_END_EVENT, &end, 0);
	if (!tree || !frame(s, YAML_DOCUMENT_END_EVENT, "the document ends here"))
		return NULL;
	return frame(s, YAML_STREAM_END_EVENT, "a study file is one document; a second one begins here") ? tree : NULL;
}

struct yaml_tree *yaml_tree_parse(const char *text, size_t size, const char *file, struct arena *arena, struct diag *d)
{
	struct source s = {.file = file, .arena = arena, .d = d};
	struct yaml_tree *tree;

	if (!yaml_parser_initialize(&s.parser)) {
		diag_file(d, file, "out of memory");
		return NULL;
	}
	yaml_parser_set_input_string(&s.parser, (const unsigned char *)text, size);
	tree = document(&s);
	yaml_parser_delete(&s.parser);
	return tree;
}
