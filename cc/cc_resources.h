/* `-Xptxas -v`: registers, shared memory, stack and constants of each kernel. */
#ifndef ROMARK_CC_RESOURCES_H
#define ROMARK_CC_RESOURCES_H

#include "common/diag.h"
#include "common/file.h"

#include <stdio.h>

/* One block of lines for each kernel in `ptx`, of code for sm_`arch`. 0 or DIAG_ERROR. Registers are an estimate. */
int cc_print_resources(const char *source, const struct file_data *ptx, unsigned arch, FILE *out, struct diag *d);

#endif
