/* PTX out of what a program registers: plain text, or a fat binary. */
#ifndef ROMARK_API_REGISTERED_IMAGE_H
#define ROMARK_API_REGISTERED_IMAGE_H

#include "common/file.h"

/*
 * The PTX in `image` for the highest compute capability up to `sm` (80 = 8.0). If there is no such PTX, the PTX for the
 * highest one. Release with file_data_release. 0 or DIAG_ERROR.
 */
int image_ptx(const void *image, unsigned sm, struct file_data *ptx, struct diag *d);
/*
 * The same for several images, an array that ends with NULL, whose modules are linked into one. `ptx` stays empty when
 * all images hold machine code only.
 */
int image_parts_ptx(const void *const *parts, unsigned sm, struct file_data *ptx, struct diag *d);
/* The program's name, for messages and the trace. */
const char *image_name(void);

#endif
