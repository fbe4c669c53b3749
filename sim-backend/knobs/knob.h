/*
 * Knobs: every parameter of the model is a row in a file of its own, beside the module that reads it, with its type,
 * unit, range, default and source. The field, YAML keys, `--set key=value`, `romark gpus`, `romark policies` and the
 * "config" section of the results all come from these rows:
 *
 *   KNOB(UINT, banks, "banks", 1, 64, 16, "banks per channel", "SelRep Table I")         // in dram_knobs.def
 *
 *   struct dram_config {                                                                 // in dram_config.h
 *   #define KNOB KNOB_FIELD
 *   #include "sim-backend/dram/dram_knobs.def"
 *   };
 *
 *   const struct knob dram_knobs[] = {                                                   // in dram_config.c
 *   #define KNOB(...) KNOB_ROW(struct dram_config, __VA_ARGS__)
 *   #include "sim-backend/dram/dram_knobs.def"
 *       KNOB_END};
 *
 *   for (uint32_t i = 0; i < config->banks; i++) ...                                     // where it is used
 *
 * The first word is UINT, REAL, BOOL, CHOICE or NAME, as in the macros below. Policies have struct and rows in their
 * own file, with these macros.
 */
#ifndef ROMARK_SIM_KNOB_H
#define ROMARK_SIM_KNOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum knob_type { KNOB_TYPE_UINT, KNOB_TYPE_REAL, KNOB_TYPE_BOOL, KNOB_TYPE_CHOICE, KNOB_TYPE_NAME };

/* In place, so that structs with knobs can be copied. */
enum { KNOB_NAME_BYTES = 256 };
struct knob_name {
	char text[KNOB_NAME_BYTES];
};

struct knob {
	const char *name;    /* key inside its section: "channels" */
	enum knob_type type; /* field type: uint32_t, double, bool, uint32_t index into `choices`, struct knob_name */
	size_t offset;       /* of the field in the section's struct */
	const char *unit;    /* "cycles", "bytes", "GB/s", "" */
	double min, max, initial;
	const char *choices; /* "open|closed" for KNOB_TYPE_CHOICE; "lru|random|FILE.so" for KNOB_TYPE_NAME */
	const char *help;
	const char *source; /* paper and table, or KNOB_OPEN */
};

#define KNOB_UINT(type, field, unit, min, max, initial, help, source)                                                  \
	{#field, KNOB_TYPE_UINT, offsetof(type, field), unit, min, max, initial, NULL, help, source}
#define KNOB_REAL(type, field, unit, min, max, initial, help, source)                                                  \
	{#field, KNOB_TYPE_REAL, offsetof(type, field), unit, min, max, initial, NULL, help, source}
#define KNOB_BOOL(type, field, initial, help, source)                                                                  \
	{#field, KNOB_TYPE_BOOL, offsetof(type, field), "", 0, 1, initial, NULL, help, source}
#define KNOB_CHOICE(type, field, choices, initial, help, source)                                                       \
	{#field, KNOB_TYPE_CHOICE, offsetof(type, field), "", 0, 0, initial, choices, help, source}
/* One of the choices by its name, or a file's, which has a '/' or ends in .so. */
#define KNOB_NAME(type, field, choices, initial, help, source)                                                         \
	{#field, KNOB_TYPE_NAME, offsetof(type, field), "", 0, 0, initial, choices, help, source}
/* What a row of a table makes in a struct, and in a list of rows. */
#define KNOB_FIELD(kind, field, ...) KNOB_FIELD_##kind field;
#define KNOB_FIELD_UINT uint32_t
#define KNOB_FIELD_REAL double
#define KNOB_FIELD_BOOL bool
#define KNOB_FIELD_CHOICE uint32_t
#define KNOB_FIELD_NAME struct knob_name
#define KNOB_ROW(type, kind, ...) KNOB_##kind(type, __VA_ARGS__),

/* The source of a value that no paper gives. */
#define KNOB_OPEN "not confirmed against the paper"

#define KNOB_END {NULL, KNOB_TYPE_UINT, 0, NULL, 0, 0, 0, NULL, NULL, NULL}

/* Every field of `values` gets its row's default. */
void knob_defaults(const struct knob *knobs, void *values);
/* The row called `name`, or NULL. */
const struct knob *knob_find(const struct knob *knobs, const char *name);
/* Sets one field from text. Returns 0, or -1 with one sentence in `why` (what the value must be). */
int knob_set(const struct knob *knob, void *values, const char *text, char *why, size_t why_size);
/* The field's value as text that knob_set takes; a choice by its name. */
void knob_format(const struct knob *knob, const void *values, char *text, size_t size);
/* The same for the row's default. */
void knob_format_default(const struct knob *knob, char *text, size_t size);
uint32_t knob_uint(const struct knob *knob, const void *values);
double knob_real(const struct knob *knob, const void *values);
bool knob_bool(const struct knob *knob, const void *values);
const char *knob_name(const struct knob *knob, const void *values);
/* Whether a name is a file's of a policy from outside the tree. */
bool knob_is_file(const char *name);
/* Name of the `index`-th of "a|b|c" into `text`; false past the last. */
bool knob_choice_name(const char *choices, uint32_t index, char *text, size_t size);
const char *knob_type_name(enum knob_type type);

#endif
