/* `romark cc --help`. */
#ifndef ROMARK_CC_HELP_H
#define ROMARK_CC_HELP_H

/* In the form that options_help_as asked for. `spellings` are those of struct usage. */
void cc_help_print(const char *const *spellings);

#endif
