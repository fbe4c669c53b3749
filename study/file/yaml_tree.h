/*
 * A YAML document as a tree in which every word knows its line and column.
 *
 *   struct yaml_tree *tree = yaml_tree_parse(text, size, "study.yaml", &arena, &diag);    // NULL: not YAML
 *
 * Keys of a mapping are unique, aliases are refused, and no text has a NUL in it.
 */
#ifndef ROMARK_STUDY_FILE_YAML_TREE_H
#define ROMARK_STUDY_FILE_YAML_TREE_H

#include "common/arena.h"
#include "common/diag.h"

#include <stddef.h>

enum yaml_kind { YAML_TEXT, YAML_LIST, YAML_MAP };

struct yaml_tree {
	enum yaml_kind kind;
	unsigned line, column; /* from 1; of a text in quotes where it begins behind them */
	const char *text;      /* of YAML_TEXT */
	size_t count;          /* children of the others, in order */
	struct yaml_child *children;
};

struct yaml_child {
	const char *key; /* NULL in a list */
	unsigned line, column;
	struct yaml_tree *value;
};

struct yaml_tree *yaml_tree_parse(const char *text, size_t size, const char *file, struct arena *arena, struct diag *d);

#endif
