/* A value for every parameter of the API: a valid one, and wrong ones. */
#ifndef ROMARK_TESTS_ARGUMENTS_H
#define ROMARK_TESTS_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_PARAMETERS = 12, MOST_WRONG = 4 };

struct parameter {
	const char *type, *name;
};

/* One function of the API, with its parameters as numbers: addresses are the numbers they are. */
struct call {
	const char *name;
	int (*run)(const uint64_t *values);
	int n;
	struct parameter parameters[MOST_PARAMETERS];
};

/* Makes an object of every kind, once. */
void arguments_make(void);
/* A valid argument, with which the call succeeds if the CPU device can do it. */
uint64_t argument_valid(const struct call *call, int at);
/* True for addresses, of host or device, which may be NULL; not for handles. */
bool argument_is_pointer(const struct call *call, int at);
/*
 * True for a handle of an object. Wrong handles are one that is gone, one of another kind, and two addresses. Streams
 * may be NULL.
 */
bool argument_is_handle(const struct call *call, int at);
/* Numbers or handles that are not valid; how many. */
size_t argument_wrong(const struct call *call, int at, uint64_t wrong[MOST_WRONG]);
bool argument_is_enum(const struct call *call, int at);

#endif
