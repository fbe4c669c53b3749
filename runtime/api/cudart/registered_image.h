/* PTX out of what a program registers: plain text, or a fat binary. */
#ifndef ROMARK_API_IMAGE_H
#define ROMARK_API_IMAGE_H

#include "common/file.h"

/*
 * The PTX in `image` for compute capability `sm` (80 = 8.0) or less, or the highest if there is none such. Release
 * with file_data_release. 0 or DIAG_ERROR.
 */
int image_ptx(const void *image, unsigned sm, struct file_data *ptx, struct diag *d);
/*
 * The same for the images of a program's files, an array up to NULL, whose modules are joined into one. `ptx` stays
 * empty when all hold machine code only.
 */
int image_parts_ptx(const void *const *parts, unsigned sm, struct file_data *ptx, struct diag *d);
/* The program's name, for messages and the trace. */
const char *image_name(void);

#endif
