/* Values of options and operands: names, choices, keys of GPUs, kernels of a trace or a program, files. */
#ifndef ROMARK_CLI_COMPLETE_VALUES_H
#define ROMARK_CLI_COMPLETE_VALUES_H

#include <stddef.h>

struct completion {
	char *const *words; /* romark, the command, ..., what was typed of the word to complete */
	size_t n;
	size_t kept; /* how much of the last word is before the value: the 6 bytes of "--gpu=" */
};

/* Prints the word with its meaning if it begins with what was typed. */
void complete_offer(const struct completion *c, const char *word, const char *help);
/* Files whose name has the ending, "" = any. */
void complete_files(const struct completion *c, const char *ending);
/* `option`: as it is spelled, or "" for an operand; `value`: its placeholder in --help. */
void complete_value(const struct completion *c, const char *option, const char *value);

#endif
