/* PTX of any kind is lowered, or is an error, for each generation; each kernel in it is tried. */
#include "lowering/machine_kernel.h"
#include "ptx-analyzer/language/text/ptx_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ptx_module *m = ptx_parse("fuzz", (const char *)data, size, NULL);

	for (uint32_t i = 0; m && i < m->nfunctions; i++)
		for (unsigned g = 0; m->functions[i].is_kernel && g < MACHINE_GENERATION_COUNT; g++)
			machine_kernel_free(
			    machine_kernel_create(&(struct lowering_request){.ptx = (const char *)data,
									     .size = size,
									     .kernel = m->functions[i].name,
									     .generation = (enum machine_generation)g},
						  NULL));
	if (m)
		ptx_module_free(m);
	return 0;
}
