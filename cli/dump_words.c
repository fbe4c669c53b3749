/* The words of --dump. */
#include "cli/dump_words.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static unsigned part_of(const struct dump_word *words, const char *text, size_t len)
{
	for (; words->word; words++)
		if (strlen(words->word) == len && memcmp(words->word, text, len) == 0)
			return words->part;
	return 0;
}

static bool refuse(const char *command, const char *text, size_t len, const struct dump_word *words)
{
	fprintf(stderr, "romark: %s: --dump has no '%.*s'; it takes", command, (int)len, text);
	for (size_t i = 0; words[i].word; i++)
		fprintf(stderr, "%s %s", i ? "," : "", words[i].word);
	fprintf(stderr, "; see 'romark %s --help'\n", command);
	return false;
}

bool dump_words_parse(const char *command, const char *text, const struct dump_word *words, unsigned *parts)
{
	*parts = 0;
	while (text) {
		size_t len = strcspn(text, ",");
		unsigned part = part_of(words, text, len);

		if (!part)
			return refuse(command, text, len, words);
		*parts |= part;
		text = text[len] ? text + len + 1 : NULL;
	}
	return true;
}
