/* Finds out what the last word of a command line is: a command, an option, an option's value or an operand. */
#include "cli/complete_line.h"

#include "cli/complete_values.h"
#include "cli/subcommands.h"
#include "common/arena.h"
#include "common/options.h"
#include "common/vec.h"
#include "common/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One spelling of an option. */
struct spelling {
	char *word, *value, *help; /* value: "" for none */
};

/* What --help says of a command. */
struct command_table {
	char *text, *operands;
	VEC(struct spelling) spellings;
};

/* --- The table of a command --- */

/* The next column of a line; ends it. */
static char *column(char **at)
{
	char *start = *at, *end = start + strcspn(start, "\t\n");

	*at = *end ? end + 1 : end;
	*end = '\0';
	return start;
}

static void read_table(const struct subcommand *command, struct command_table *table)
{
	size_t size = 0;
	FILE *out;
	char *at;

	*table = (struct command_table){.operands = ""};
	out = open_memstream(&table->text, &size);
	if (!out)
		return;
	options_help_as(OPTIONS_TABLE, out);
	subcommand_help(command);
	fclose(out);
	for (at = table->text; at && *at;) {
		char *end = at + strcspn(at, "\n"), *word, *value;

		word = column(&at);
		value = column(&at);
		if (strcmp(word, "operands") == 0)
			table->operands = value;
		else
			vec_push(&table->spellings, (struct spelling){word, value, column(&at)});
		at = at > end ? at : end;
	}
}

static void release_table(struct command_table *table)
{
	xfree(table->spellings.data);
	free(table->text);
}

static const struct spelling *find(const struct command_table *table, const char *word, size_t length)
{
	for (size_t i = 0; i < table->spellings.len; i++)
		if (strlen(table->spellings.data[i].word) == length &&
		    memcmp(table->spellings.data[i].word, word, length) == 0)
			return &table->spellings.data[i];
	return NULL;
}

/* --- Kinds of words --- */

static void complete_option(const struct completion *c, const struct command_table *table)
{
	for (size_t i = 0; i < table->spellings.len; i++) {
		const struct spelling *s = &table->spellings.data[i];
		char word[256];

		if (find(table, s->word, strlen(s->word)) != s)
			continue; /* listed before */
		snprintf(word, sizeof word, "%s%s", s->word, *s->value && s->word[1] == '-' ? "=" : "");
		complete_offer(c, word, s->help);
	}
}

/* "dram|noc|gpu [NAME]": small words as they are, others by what they mean. */
static void complete_operand(const struct completion *c, const char *operands)
{
	for (const char *at = operands; *at;) {
		size_t length = strcspn(at, " |[]");
		char word[64];

		snprintf(word, sizeof word, "%.*s", (int)length, at);
		if (*word >= 'a' && *word <= 'z' && !strchr(word, '.'))
			complete_offer(c, word, "");
		else if (*word)
			complete_value(c, "", word);
		at += length;
		at += strspn(at, " |[]");
	}
}

/* Whether the words so far name a program whose own words follow. */
static bool is_in_program(const struct completion *c, const struct command_table *table)
{
	if (strncmp(table->operands, "-- PROG", 7) != 0)
		return false;
	for (size_t i = 2; i + 1 < c->n; i++) {
		const struct spelling *s = find(table, c->words[i], strlen(c->words[i]));

		if (strcmp(c->words[i], "--") == 0)
			return i + 2 < c->n;
		if (*c->words[i] != '-')
			return true;
		i += s && *s->value; /* its value is the next word */
	}
	return false;
}

static void complete_in_command(struct completion *c, const struct command_table *table)
{
	const char *last = c->words[c->n - 1], *before = c->words[c->n - 2], *equals = strchr(last, '=');
	const struct spelling *s = c->n > 3 || *before == '-' ? find(table, before, strlen(before)) : NULL;

	if (is_in_program(c, table)) {
		complete_files(c, "");
	} else if (*last == '-' && equals && (s = find(table, last, (size_t)(equals - last)))) {
		c->kept = (size_t)(equals + 1 - last);
		complete_value(c, s->word, s->value);
	} else if (s && *s->value) {
		complete_value(c, s->word, s->value);
	} else if (*last == '-') {
		complete_option(c, table);
	} else {
		complete_operand(c, table->operands);
	}
}

static void complete_command(const struct completion *c, bool for_help)
{
	for (const struct subcommand *command = subcommands; command->name; command++)
		complete_offer(c, command->name, command->summary);
	if (for_help) {
		complete_offer(c, "--man", "the manual page");
		return;
	}
	complete_offer(c, "help", "list the commands, or the options of one");
	complete_offer(c, "version", "print the version");
	complete_offer(c, "--help", "list the commands");
	complete_offer(c, "--version", "print the version");
}

void complete_line(size_t n, char *const *words)
{
	struct completion c = {words, n, 0};
	const struct subcommand *command = n > 2 ? subcommand_find(words[1]) : NULL;
	struct command_table table;

	if (n == 2) {
		complete_command(&c, false);
	} else if (strcmp(words[1], "help") == 0) {
		complete_command(&c, true);
	} else if (strcmp(words[1], "version") == 0) {
		complete_offer(&c, "--json", "in parts, as JSON");
	} else if (command) {
		read_table(command, &table);
		complete_in_command(&c, &table);
		release_table(&table);
	}
}
