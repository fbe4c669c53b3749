/*
 * The values of options of `romark cc`. Functions that return int return 0, or CC_OPTIONS_WRONG after a message on
 * stderr.
 */
#ifndef ROMARK_CC_OPTION_VALUES_H
#define ROMARK_CC_OPTION_VALUES_H

#include "cc/cc_options.h"

/* The lowest and highest compute capability for device code: the lowest, unless an option names a higher. */
enum { CC_LOWEST_ARCH = 75, CC_HIGHEST_ARCH = 90 };

int cc_wrong(const char *what, const char *word);
int cc_usage(const char *what);
/* Index of `value` in the NULL-terminated `names`, or CC_OPTIONS_WRONG; `option` is for the message. */
int cc_take_choice(const char *option, const char *value, const char *const *names);
int cc_take_arch(struct cc_options *options, const char *value);
int cc_take_load(struct cc_options *options, const char *value);
int cc_take_alias(struct cc_options *options, const char *value);
int cc_take_runtime(struct cc_options *options, const char *value);
int cc_take_stream(struct cc_options *options, struct arena *arena, const char *value);
/* "true" or "false"; no value (NULL) is true. */
int cc_take_flag(const char *option, const char *value, bool *flag);
/* A line "KIND_80" for each compute capability. */
void cc_print_arches(const char *kind);

#endif
