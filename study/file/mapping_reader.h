/*
 * Reads a tree into structs by tables: a row names a key, the function that reads its value, and the field for it.
 *
 *   static const struct field fields[] = {{"name", read_text, offsetof(struct thing, name)}, {NULL}};
 *   if (read_fields(r, tree, fields, &thing, "a thing") < 0) ...      // for an unknown key it names the nearest key
 */
#ifndef ROMARK_STUDY_FILE_MAPPING_READER_H
#define ROMARK_STUDY_FILE_MAPPING_READER_H

#include "study/file/yaml_tree.h"
#include "study/study.h"

struct reader {
	struct study *s;
	struct diag *d;
};

struct field {
	const char *name;
	int (*read)(struct reader *r, const struct yaml_tree *value, void *target);
	size_t offset;
};

int read_fields(struct reader *r, const struct yaml_tree *tree, const struct field *fields, void *target,
		const char *what);
int wrong_value(struct reader *r, const struct yaml_tree *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Fails with a message that `word` is not among `names`, which end with NULL, and that suggests the nearest name. */
int wrong_name(struct reader *r, unsigned line, unsigned column, const char *what, const char *word,
	       const char *const *names);
struct study_text placed(const struct yaml_tree *tree);

/* Each reads a field of the type in the comment after it. */
int read_text(struct reader *r, const struct yaml_tree *value, void *target);   /* const char * */
int read_placed(struct reader *r, const struct yaml_tree *value, void *target); /* struct study_text */
/* A text that is a regular expression. */
int read_pattern(struct reader *r, const struct yaml_tree *value, void *target);
int read_texts(struct reader *r, const struct yaml_tree *value, void *target);  /* study_texts: one text or a list */
int read_count(struct reader *r, const struct yaml_tree *value, void *target);  /* uint64_t */
int read_number(struct reader *r, const struct yaml_tree *value, void *target); /* double */
int read_flag(struct reader *r, const struct yaml_tree *value, void *target);   /* bool */
int read_at(struct reader *r, const struct yaml_tree *value, void *target);     /* struct study_at */

/* The figures, tables and references of a study; `target` is the study's list. */
int read_figures(struct reader *r, const struct yaml_tree *value, void *target);
int read_tables(struct reader *r, const struct yaml_tree *value, void *target);
int read_references(struct reader *r, const struct yaml_tree *value, void *target);

#endif
