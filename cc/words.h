/*
 * The words of a command line. Response files (@FILE, --options-file FILE[,FILE]) are replaced by their words; the
 * words of NVCC_PREPEND_FLAGS come first, the words of NVCC_APPEND_FLAGS last.
 */
#ifndef ROMARK_CC_WORDS_H
#define ROMARK_CC_WORDS_H

#include "common/arena.h"
#include "common/diag.h"
#include "cc/cc_options.h"

/*
 * Appends the words of argv[1..argc) to `words`; the strings live in the arena. A file is split at white space, with
 * quotes and backslashes as in a shell. An @FILE that is not there stays a word. DIAG_ERROR for a file that cannot be
 * read or that includes itself.
 */
int cc_words_expand(int argc, char **argv, struct arena *arena, cc_words *words, struct diag *d);

#endif
