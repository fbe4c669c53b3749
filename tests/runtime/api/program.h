/* A program as its start-up code registers it: one fat binary with two kernels and a variable. */
#ifndef ROMARK_TESTS_PROGRAM_H
#define ROMARK_TESTS_PROGRAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/api/cudart/registration.h"
#include "runtime/include/cuda_runtime_api.h"
#include "tests/runtime/api/mock_device.h"

/* Handles: the addresses that host code would use. scale(float *data, float factor, char c); broken has no PTX. */
extern char scale_stub, missing_stub, broken_stub, table;

/* Forgets what earlier tests did and registers the program if it is not registered yet. A cmocka setup function. */
int program_setup(void **state);

/* Arguments for `scale` that live as long as the test. */
void **scale_arguments(void);

#endif
