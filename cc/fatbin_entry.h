/* The container that carries PTX inside a program: the layout of CUDA's fat binaries, with one uncompressed entry. */
#ifndef ROMARK_CC_FATBIN_ENTRY_H
#define ROMARK_CC_FATBIN_ENTRY_H

#include "common/diag.h"

#include <stddef.h>

/* Writes `ptx` (text, `size` bytes) for compute capability `arch` (75 = 7.5) to `path`. 0 or DIAG_ERROR. */
int cc_fatbin_write(const char *path, const char *ptx, size_t size, unsigned arch, struct diag *d);

#endif
