/* Parses a module for its kernels' names alone, and keeps quiet about what is wrong with it. */
#include "cli/module_kernels.h"

#include "ptx-analyzer/language/module/ptx.h"
#include "ptx-analyzer/language/text/ptx_text.h"

void module_kernels(const struct ptx_input *in, size_t entry, void (*take)(void *arg, const char *name), void *arg)
{
	struct diag ignored = DIAG_INIT;
	struct file_data text;
	struct ptx_module *m;

	if (in->entries[entry].kind != PTX_ENTRY_PTX || ptx_input_text(in, entry, &text, &ignored) < 0)
		return;
	m = ptx_parse(in->entries[entry].name, text.data, text.size, &ignored);
	for (uint32_t i = 0; m && i < m->nfunctions; i++)
		if (m->functions[i].is_kernel)
			take(arg, m->functions[i].name);
	if (m)
		ptx_module_free(m);
	file_data_release(&text);
}
