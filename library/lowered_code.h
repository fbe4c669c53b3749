/* The machine code that a simulation asks for (sim_options.lower), made of what the lowering knows of a GPU. */
#ifndef ROMARK_LIBRARY_LOWERED_CODE_H
#define ROMARK_LIBRARY_LOWERED_CODE_H

#include "sim-backend/sm/machine_code.h"

struct machine_code *lowered_code(const struct trace_kernel *kernel, enum sm_code code, struct diag *d);

#endif
