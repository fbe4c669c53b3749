/* PTX out of a registered image, through the reader that `romark ptx` uses on files. */
#include "runtime/api/cudart/registered_image.h"

#include "ptx-analyzer/containers/input.h"

#include <errno.h>

const char *image_name(void)
{
	return program_invocation_short_name;
}

int image_ptx(const void *image, unsigned sm, struct file_data *ptx, struct diag *d)
{
	struct ptx_input in;
	int best, result;

	if (ptx_input_image(image_name(), image, &in, d) < 0)
		return DIAG_ERROR;
	best = ptx_input_best(&in, sm);
	if (best < 0)
		best = ptx_input_best(&in, 0);
	if (best >= 0)
		result = ptx_input_text(&in, (size_t)best, ptx, d);
	else
		result = diag_file(d, image_name(), "holds machine code only: compile it with PTX (-code=compute_NN)");
	ptx_input_release(&in);
	return result;
}
