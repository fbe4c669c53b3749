/*
 * A stand-in for the CUDA driver that runs kernels on the CPU device, as strict as hardware is where programs could get
 * it wrong:
 *
 * - a launch is only written down; it runs, and fails, when the host next waits or copies;
 * - `ld.global.nc` reads memory as it was when its kernel started, which the PTX manual allows: a wrong mark is a wrong
 *   result;
 * - the host faults when it touches device memory;
 * - a thread without a current context gets CUDA_ERROR_INVALID_CONTEXT, a child made by fork
 *   CUDA_ERROR_NOT_INITIALIZED, and after main everybody CUDA_ERROR_DEINITIALIZED;
 * - after a failed kernel every call fails until the process ends, also behind a reset of the context;
 * - the sizes of the heap and of printf's buffer stay once a module that needs them is loaded;
 * - PTX newer than the driver, or for another GPU, is refused with a log;
 * - managed memory beyond what is free hangs the GPU.
 *
 * Settings, from the environment: MOCK_CUDA_DEVICES=N (1), MOCK_CUDA_DRIVER=VERSION (13000), MOCK_CUDA_CAPABILITY=N
 * (90), MOCK_CUDA_FREE=MIB (512), MOCK_CUDA_RECOVERS=1 (a reset forgives a failed kernel),
 * MOCK_CUDA_FAIL=NAME=RESULT[,...] (these functions fail), MOCK_CUDA_HANG=WORD (kernels with it in their names never
 * end), MOCK_CUDA_LOG=FILE (kernels that ran, a line each).
 */
#ifndef ROMARK_TESTS_MOCK_LIBCUDA_H
#define ROMARK_TESTS_MOCK_LIBCUDA_H

#include "runtime/gpu/libcuda.h"

/* Name of the last kernel launched, "" before the first. */
const char *mock_last_launched(void);
/* Text of the last module loaded. */
const char *mock_last_module(void);
/* Bytes that were copied to the host so far. */
size_t mock_bytes_to_host(void);
/* The limit set with cuCtxSetLimit, 0 if none. */
size_t mock_limit(int which);
/* As a new process would find the GPU: failures of kernels are over. */
void mock_restart(void);
/* The device that was opened last, -1 if none. */
int mock_opened_device(void);

#define X(name, parameters) CUresult name parameters;
LIBCUDA_FUNCTIONS(X)
LIBCUDA_LATER_FUNCTIONS(X)
#undef X

#endif
