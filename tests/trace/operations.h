/* A sum over all operations of a trace: its bytes also hold the name of the file that was imported. */
#ifndef ROMARK_TESTS_TRACE_OPERATIONS_H
#define ROMARK_TESTS_TRACE_OPERATIONS_H

#include <stdint.h>

/* Fails the test if the trace has no operations. Removes the file. */
uint64_t sum_of_operations(const char *path);

#endif
