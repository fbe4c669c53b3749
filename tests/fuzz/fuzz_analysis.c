/*
 * The read-only analysis on any module that parses: it ends, its facts are consistent, and marked text parses.
 */
#include "ptx-analyzer/language/text/ptx_text.h"
#include "ptx-analyzer/readonly/describe.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void check_kernel(const struct ptx_analysis *a, size_t index)
{
	const struct kernel_facts *f = ptx_analysis_kernel(a, index);
	size_t count;
	const struct access *all = ptx_kernel_accesses(a, index, &count);

	check(f->loads_marked <= f->loads);
	for (uint32_t i = 0; i < f->nguards; i++)
		check(f->guards[i].reads < f->nstructures && f->guards[i].writes < f->nstructures);
	for (size_t i = 0; i < count; i++)
		for (uint32_t j = 0; j < all[i].nstructures; j++) {
			check(all[i].structures[j] < f->nstructures);
			/* A structure that the kernel writes has no marked loads. */
			check(!all[i].is_store || !f->structures[all[i].structures[j]].marked);
		}
	for (uint32_t i = 0; i < f->nstructures; i++) {
		const struct structure *s = &f->structures[i];

		check(s->loads_marked <= s->loads);
		check(s->why);
	}
}

static void check_level(const char *data, size_t size, enum alias_level alias)
{
	struct diag d = DIAG_INIT;
	struct strbuf text = STRBUF_INIT;
	struct report_module described = {.name = NULL};
	struct ptx_module *m = ptx_parse("fuzz", data, size, &d);
	struct ptx_analysis *a;

	if (!m)
		return;
	a = ptx_analyze(m, alias);
	for (size_t i = 0; i < ptx_analysis_kernels(a); i++)
		check_kernel(a, i);
	ptx_describe(a, &described);
	ptx_mark_loads(a, LOAD_RO);
	ptx_print(m, &text);
	ptx_analysis_free(a);
	ptx_module_free(m);
	m = ptx_parse("marked", text.data, text.len, &d);
	check(m);
	ptx_module_free(m);
	strbuf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (int alias = ALIAS_GUARDED; alias <= ALIAS_DISTINCT; alias++)
		check_level((const char *)data, size, alias);
	return 0;
}
