/* The machine code of the trace's kernels, each made when it is first launched. */
#include "sim-backend/run/sim_internal.h"

#include "common/xalloc.h"

static const char *const code_names[] = {"ptx", "volta", "ampere", "hopper"};

static int cannot_lower(const struct sim *s, const struct trace_kernel *kernel, struct diag *d)
{
	return diag_file(
	    d, NULL,
	    "kernel %s: sm.code is %s, which needs the kernel's PTX, and a trace of this version has none; "
	    "trace the program again, or set sm.code to ptx",
	    kernel->name, code_names[s->config->sm.code]);
}

static void need_slot(struct sim *s, uint32_t kernel)
{
	if (kernel < s->ncodes)
		return;
	s->codes = xrealloc(s->codes, sizeof *s->codes * (kernel + 1));
	while (s->ncodes <= kernel)
		s->codes[s->ncodes++] = NULL;
}

int sim_find_code(struct sim *s, uint32_t id, const struct machine_code **code, struct diag *d)
{
	const struct trace_kernel *kernel = trace_kernel_of(s->trace, id);

	*code = NULL;
	if (s->config->sm.code == CODE_PTX)
		return 0;
	if (kernel->ptx && !*kernel->ptx)
		return 0; /* the rows are machine instructions */
	if (!kernel->ptx || !s->options->lower)
		return cannot_lower(s, kernel, d);
	need_slot(s, id);
	if (!s->codes[id])
		s->codes[id] = s->options->lower(kernel, (enum sm_code)s->config->sm.code, d);
	*code = s->codes[id];
	return *code ? 0 : DIAG_ERROR;
}

void sim_free_codes(struct sim *s)
{
	for (uint32_t i = 0; i < s->ncodes; i++)
		machine_code_free(s->codes[i]);
	xfree(s->codes);
}
