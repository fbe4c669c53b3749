/* The PTX parser on any text; what parses must print, parse again and print the same, and have a control-flow graph. */
#include "ptx-analyzer/language/module/ptx.h"
#include "ptx-analyzer/flow/cfg.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct strbuf print(const struct ptx_module *m)
{
	struct strbuf text = STRBUF_INIT;

	ptx_print(m, &text);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse("fuzz", (const char *)data, size, &d), *again;
	struct strbuf first, second;

	if (!m) {
		if (!d.message[0] || !d.line)
			abort();
		return 0;
	}
	first = print(m);
	again = ptx_parse("printed", first.data, first.len, &d);
	if (!again)
		abort();
	second = print(again);
	if (first.len != second.len || memcmp(first.data, second.data, first.len))
		abort();
	for (uint32_t i = 0; i < m->nfunctions; i++)
		ptx_build_cfg(&m->functions[i], &d);
	strbuf_release(&first);
	strbuf_release(&second);
	ptx_module_free(m);
	ptx_module_free(again);
	return 0;
}
