/* Checks for a program that goes on after a failed check: each prints its line, and `wrong` counts them. */
#ifndef ROMARK_TEST_EXPECT_H
#define ROMARK_TEST_EXPECT_H

#include <cstdio>

static int wrong;

#define EXPECT(condition)                                                                                              \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			printf("line %d: %s\n", __LINE__, #condition);                                                 \
			wrong++;                                                                                       \
		}                                                                                                      \
	} while (0)

#endif
