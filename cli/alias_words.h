/* The answer to those who ask an analysis for what only a trace can tell. */
#ifndef ROMARK_CLI_ALIAS_WORDS_H
#define ROMARK_CLI_ALIAS_WORDS_H

#include <stdbool.h>

/* False, with a sentence on stderr, if the words ask for the alias level observed. argv[0] is the sub-command's name.
 */
bool alias_words_check(int argc, char **argv);

#endif
