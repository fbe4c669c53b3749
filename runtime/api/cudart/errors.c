/* Names and texts of errors, from the rows of romark_errors.def. */
#include "runtime/api/state/state.h"
#include "runtime/api/unsupported.h"

static const struct {
	cudaError_t error;
	const char *name, *text;
} errors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
#define ERROR(name, number, driver_name, text) {cudaError##name, "cudaError" #name, text},
#define RUNTIME_ERROR(name, number, text) {cudaError##name, "cudaError" #name, text},
#include "runtime/include/romark_errors.def"
#undef ERROR
#undef RUNTIME_ERROR
};

const char *cudaGetErrorName(cudaError_t error)
{
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].error == error)
			return errors[i].name;
	return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].error == error)
			return errors[i].text;
	return "unrecognized error code";
}

/* --- Functions that are not there --- */

int unsupported_by_runtime(void)
{
	return (int)runtime_remember(cudaErrorNotSupported);
}

int unsupported_by_driver(void)
{
	return (int)cudaErrorNotSupported; /* the driver's number is the same */
}
