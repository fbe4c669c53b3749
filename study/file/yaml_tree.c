/* libyaml's events become a tree, by recursion that is bounded. */
#include "study/file/yaml_tree.h"

#include "common/vec.h"
#include "common/xalloc.h"

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

/* The entries of a list or mapping, as they are read. */
struct entries {
	VEC(struct yaml_child) list;
	size_t *slots; /* a hash table of the keys: 0, or the number of the entry from 1 */
	size_t nslots; /* a power of two; 0 in a list */
};

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

static size_t hash_of_key(const char *key)
{
	size_t hash = 5381;

	for (; *key; key++)
		hash = hash * 33 + (unsigned char)*key;
	return hash;
}

/* Where the key is in the table, or may be entered. */
static size_t *slot_of(const struct entries *e, const char *key)
{
	size_t at = hash_of_key(key) & (e->nslots - 1);

	while (e->slots[at] && strcmp(e->list.data[e->slots[at] - 1].key, key) != 0)
		at = (at + 1) & (e->nslots - 1);
	return &e->slots[at];
}

/* Room for one more key: half of the table stays free. */
static void reserve_slot(struct entries *e)
{
	if (2 * (e->list.len + 1) <= e->nslots)
		return;
	xfree(e->slots);
	e->nslots = e->nslots ? 2 * e->nslots : 16;
	e->slots = xcalloc(e->nslots, sizeof *e->slots);
	for (size_t i = 0; i < e->list.len; i++)
		*slot_of(e, e->list.data[i].key) = i + 1;
}

/* Enters the key of the next entry. */
static bool enter_key(struct source *s, struct entries *e, const struct yaml_tree *key)
{
	size_t *slot;

	reserve_slot(e);
	slot = slot_of(e, key->text);
	if (*slot) {
		diag_set(s->d, s->file, key->line, key->column, "'%s' is here again; it is on line %u already",
			 key->text, e->list.data[*slot - 1].line);
		return false;
	}
	*slot = e->list.len + 1;
	return true;
}

/* One entry; false at the end and after an error. */
static bool entry(struct source *s, struct entries *e, bool is_map, bool *end, unsigned depth)
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
		if (!enter_key(s, e, first))
			return false;
		child.key = first->text;
		child.value = next_value(s, YAML_NO_EVENT, &no_end, depth);
	}
	if (child.value)
		vec_push(&e->list, child);
	return child.value != NULL;
}

static struct yaml_tree *collection(struct source *s, const yaml_event_t *event, bool is_map, unsigned depth)
{
	struct yaml_tree *tree = node(s, is_map ? YAML_MAP : YAML_LIST, event);
	struct entries e = {.list = VEC_INIT};
	bool end = false;

	if (depth == MAX_DEPTH)
		return wrong(s, event->start_mark, "lists and mappings are nested too deeply here");
	while (entry(s, &e, is_map, &end, depth + 1))
		;
	tree->count = e.list.len;
	tree->children = e.list.len ? arena_memdup(s->arena, e.list.data, e.list.len * sizeof *e.list.data) : NULL;
	vec_release(&e.list);
	xfree(e.slots);
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
	return frame(s, YAML_STREAM_END_EVENT, "a study file is a single document; a second document begins here")
		   ? tree
		   : NULL;
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
