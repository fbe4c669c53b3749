/* The resources that the kernels of a source need, in the lines that `ptxas -v` prints and scripts read. */
#include "cc/cc_resources.h"

#include "common/integer.h"
#include "ptx-analyzer/flow/cfg.h"
#include "ptx-analyzer/flow/resources.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <inttypes.h>

static const char begin[] = "ptxas info    : ";

/* Where the parameters begin in constant bank 0; from sm_90 on ptxas does not count them. */
enum { PARAM_OFFSET = 0x160, NO_PARAM_COUNT = 90 };

static void print_module(const struct ptx_module *m, FILE *out)
{
	uint64_t global = 0, constant = 0;

	for (uint32_t i = 0; i < m->nsymbols; i++) {
		const struct ptx_symbol *s = &m->symbols[i];

		if (s->kind != PTX_SYMBOL_VARIABLE || s->linkage == PTX_LINK_EXTERN)
			continue;
		global += s->space == PTX_SPACE_GLOBAL ? s->size : 0;
		constant += s->space == PTX_SPACE_CONST ? s->size : 0;
	}
	fprintf(out, "%s%" PRIu64 " bytes gmem", begin, global);
	if (constant)
		fprintf(out, ", %" PRIu64 " bytes cmem[3]", constant);
	fputc('\n', out);
}

static void print_properties(const struct ptx_function *f, FILE *out)
{
	fprintf(out, "%sFunction properties for %s\n", begin, f->name);
	fprintf(out, "    %" PRIu64 " bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n",
		ptx_frame_bytes(f));
}

static void print_use(struct ptx_function *f, const struct ptx_reach *r, unsigned arch, FILE *out)
{
	uint32_t align;
	uint64_t shared = ptx_shared_bytes(r, NULL, &align);
	bool bounded;
	uint64_t stack = ptx_stack_bytes(f, &bounded);

	if (align) /* dynamic shared memory begins there */
		shared = round_up(shared, align);

	fprintf(out, "%sUsed %u registers, used %u barriers", begin, ptx_registers(f), ptx_barriers(r));
	if (stack)
		fprintf(out, ", %" PRIu64 " bytes cumulative stack size", stack);
	if (shared)
		fprintf(out, ", %" PRIu64 " bytes smem", shared);
	if (arch < NO_PARAM_COUNT)
		fprintf(out, ", %" PRIu64 " bytes cmem[0]", PARAM_OFFSET + f->param_bytes);
	fputc('\n', out);
	if (!bounded)
		fprintf(out, "ptxas warning : Stack size for entry function '%s' cannot be statically determined\n",
			f->name);
}

static int print_kernel(struct ptx_function *f, unsigned arch, FILE *out, struct diag *d)
{
	struct ptx_reach r;

	if (ptx_build_cfg(f, d) < 0)
		return DIAG_ERROR;
	ptx_reach(f->module, (uint32_t)(f - f->module->functions), &r);
	fprintf(out, "%sCompiling entry function '%s' for 'sm_%u'\n", begin, f->name, arch);
	print_properties(f, out);
	print_use(f, &r, arch, out);
	ptx_reach_release(&r);
	return 0;
}

int cc_print_resources(const char *source, const struct file_data *ptx, unsigned arch, FILE *out, struct diag *d)
{
	struct ptx_module *m = ptx_parse(source, ptx->data, ptx->size, d);
	int status = 0;

	if (!m)
		return DIAG_ERROR;
	print_module(m, out);
	for (uint32_t i = 0; i < m->nfunctions && status == 0; i++)
		if (m->functions[i].is_kernel && !m->functions[i].is_declaration)
			status = print_kernel(&m->functions[i], arch, out, d);
	for (uint32_t i = 0; i < m->nfunctions && status == 0; i++)
		if (!m->functions[i].is_kernel && !m->functions[i].is_declaration)
			print_properties(&m->functions[i], out);
	ptx_module_free(m);
	return status;
}
