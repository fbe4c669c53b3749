/*
 * Completion of a command line:
 *
 *   char *words[] = {"romark", "sim", "--llc=s"};
 *   complete_line(3, words);   // prints "--llc=shared", a tab, "one LLC of all SMs ..", and so on
 */
#ifndef ROMARK_CLI_COMPLETE_LINE_H
#define ROMARK_CLI_COMPLETE_LINE_H

#include <stddef.h>

/* At least two words: the last is what was typed of the word to complete. To stdout, as `romark complete --help` says.
 */
void complete_line(size_t n, char *const *words);

#endif
