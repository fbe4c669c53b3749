/*
 * Command-line options as a table, one row an option; --help is printed from the same rows.
 *
 *   const char *out = NULL; bool quiet = false;
 *   const struct option_row rows[] = {
 *       {'o', "output", OPT_STRING, &out, "FILE", "write here"},
 *       {0, "quiet", OPT_FLAG, &quiet, NULL, "no progress"},
 *       {0}};
 *   int n = options_parse(&usage, argc, argv);  // n operands are now argv[0..n), or an OPTIONS_ code
 */
#ifndef ROMARK_COMMON_OPTIONS_H
#define ROMARK_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum option_kind {
	OPT_FLAG,   /* bool *: --name */
	OPT_STRING, /* const char **: --name=VALUE, --name VALUE, -nVALUE, -n VALUE; the last value wins */
	OPT_UINT,   /* unsigned *: a decimal number */
	OPT_COUNT,  /* the same, from 1 on: 0 says that the option was not given */
	OPT_LONG,   /* uint64_t *: a decimal number */
	OPT_SIZE,   /* unsigned *: the same in bytes, or with a unit: 48K */
	OPT_CHOICE, /* int *: index of the value in `choices` */
	OPT_LIST,   /* struct option_list *: every occurrence, in order */
};

struct option_list {
	const char **data; /* malloc'ed array; release with xfree(data) */
	size_t len, cap;
};

/* The type of the field that a row of this kind fills: OPTION_TYPE(OPT_COUNT) threads; */
#define OPTION_TYPE(kind) OPTION_TYPE_##kind
#define OPTION_TYPE_OPT_FLAG bool
#define OPTION_TYPE_OPT_STRING const char *
#define OPTION_TYPE_OPT_UINT unsigned
#define OPTION_TYPE_OPT_COUNT unsigned
#define OPTION_TYPE_OPT_SIZE unsigned
#define OPTION_TYPE_OPT_LONG uint64_t
#define OPTION_TYPE_OPT_CHOICE int
#define OPTION_TYPE_OPT_LIST struct option_list

struct option_row {
	char letter;      /* 0 = none */
	const char *name; /* without the dashes; NULL ends the table */
	enum option_kind kind;
	void *value;             /* see enum option_kind */
	const char *placeholder; /* "FILE"; for OPT_CHOICE the choices "a|b|c" */
	const char *help;
};

struct usage {
	const char *command;  /* "ptx" */
	const char *operands; /* "IN.ptx" */
	const char *summary;  /* one sentence */
	const struct option_row *rows;
	const char *epilogue; /* printed below the options, or NULL */
};

enum { OPTIONS_HELP = -1, OPTIONS_WRONG = -2 };

/*
 * Parses argv[1..argc), moves the operands to argv[0..n) and returns n. "--" ends the options.
 * OPTIONS_HELP after printing --help to stdout; OPTIONS_WRONG after saying what is wrong on stderr.
 * options_parse_leading ends the options at the first operand too (for `run PROG ARGS`). No two rows may have the same
 * name or letter: the second could not be given.
 */
int options_parse(const struct usage *usage, int argc, char **argv);
int options_parse_leading(const struct usage *usage, int argc, char **argv);
/* Whether a value differs from zero, which is what the command line gives where the values begin as zeros. */
bool options_given(const struct option_row *rows);
void options_help(const struct usage *usage, FILE *out);

/*
 * What --help prints: its usual text; the sections of a manual page from SYNOPSIS on; or a table for programs, with a
 * line `operands OPERANDS` and a line for each spelling of an option: `--json FILE HELP`, columns separated by tabs.
 * --help goes to `out`, which is stdout at first.
 */
enum options_form { OPTIONS_TEXT, OPTIONS_MANUAL, OPTIONS_TABLE };
void options_help_as(enum options_form form, FILE *out);
/* For a command that reads its words itself: lines of --help, words in any form with what they do. */
struct option_text {
	const char *words, *help; /* NULL, NULL ends the table */
};

struct option_words {
	const struct option_text *texts;
	const char *const *spellings; /* each option, as "-c" or "--load=" (takes a value); NULL ends them */
};

/* Prints in that form. `words` have what the rows of `usage` do not have; or NULL. */
void options_help_print(const struct usage *usage, const struct option_words *words);

#endif
