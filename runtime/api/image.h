/* PTX out of what a program registers: plain text, or a fat binary. */
#ifndef ROMARK_API_IMAGE_H
#define ROMARK_API_IMAGE_H

#include "common/diag.h"

#include <stddef.h>

/* Finds the PTX in `image`; *ptx is malloc'ed and NUL-terminated. 0 or DIAG_ERROR. */
int image_ptx(const void *image, char **ptx, size_t *size, struct diag *d);
/* The program's name, for messages and the trace. */
const char *image_name(void);

#endif
