/*
 * Kernels' names for people.
 *
 * For a pattern that no kernel matches: lists the kernels, and the kernel that may be meant.
 *
 *   struct kernel_names names = KERNEL_NAMES_INIT;
 *   kernel_names_add(&names, "_Z5saxpyPKfPf");            // once for each kernel; copies are dropped
 *   kernel_names_hint(&names, pattern, text, sizeof text); // "; there is saxpy; did you mean 'saxpy'?"
 *   kernel_names_release(&names);
 */
#ifndef ROMARK_COMMON_KERNEL_NAMES_H
#define ROMARK_COMMON_KERNEL_NAMES_H

#include "common/vec.h"

#include <regex.h>
#include <stdbool.h>

struct kernel_names {
	VEC(char *) plain; /* plain names, without C++'s additions: a pattern equal to such a name finds the kernel */
};

/*
 * Whether a user's pattern finds the kernel: by its name in PTX, by its name in C++, or by the plain name in messages,
 * so that "^saxpy$" finds "_Z5saxpyPKfPf".
 */
bool kernel_matches(const regex_t *pattern, const char *name);
/*
 * For tables and messages, of "void ns::scale<float>(float *)": "ns::scale<float>", and of the copy of a function that
 * a kernel has, "_Z1fPf$_Z1kPf": "f$k"; malloc'ed.
 */
char *kernel_title(const char *name);
/* The same inside a message, with an end of three dots where it is longer: short_title(symbol).text. */
struct short_title {
	char text[256];
};
struct short_title short_title(const char *name);

#define KERNEL_NAMES_INIT {VEC_INIT}

void kernel_names_add(struct kernel_names *names, const char *name);
/* An empty text without kernels. */
void kernel_names_hint(const struct kernel_names *names, const char *pattern, char *text, size_t size);
void kernel_names_release(struct kernel_names *names);

#endif
