/* What the mock driver wrote down, and its functions' prototypes. */
#ifndef ROMARK_TESTS_MOCK_LIBCUDA_H
#define ROMARK_TESTS_MOCK_LIBCUDA_H

#include "runtime/cuda/libcuda.h"

const char *mock_last_launched(void); /* name of the kernel of the last launch */
uint64_t mock_first_param(void);      /* its first parameter */
const char *mock_last_module(void);   /* text of the last module loaded */

#define X(name, parameters) CUresult name parameters;
LIBCUDA_FUNCTIONS(X)
#undef X

#endif
