/*
 * The words of a --dump option: what of a command's insides is printed.
 *
 *   static const struct dump_word words[] = {{"cfg", PTX_DUMP_CFG}, {"origins", PTX_DUMP_ORIGINS}, {NULL, 0}};
 *   if (!dump_words_parse("ptx", "cfg,origins", words, &parts)) return EXIT_WRONG_USAGE;
 */
#ifndef ROMARK_CLI_DUMP_WORDS_H
#define ROMARK_CLI_DUMP_WORDS_H

#include <stdbool.h>

struct dump_word {
	const char *word; /* NULL ends the list */
	unsigned part;
};

/* The parts that `text` names, words with commas between them; no part for NULL. Returns false after a message. */
bool dump_words_parse(const char *command, const char *text, const struct dump_word *words, unsigned *parts);

#endif
