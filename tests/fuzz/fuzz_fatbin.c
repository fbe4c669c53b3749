/* Fat binaries and ELF files of any content: entries are listed and unpacked, or refused. */
#include "ptx-analyzer/containers/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ptx_input in;
	struct file_data text;
	struct diag d = DIAG_INIT;

	if (ptx_input_memory("fuzz", data, size, &in, &d) < 0)
		return 0;
	for (size_t i = 0; i < in.count; i++)
		if (ptx_input_text(&in, i, &text, NULL) == 0)
			file_data_release(&text);
	ptx_input_release(&in);
	return 0;
}
