/* The report as text: a table per kernel, then why. */
#include "verdict/report/report.h"

#include "common/demangle.h"

#include <stdlib.h>
#include <string.h>

bool report_wants(const struct report *r, const struct ptx_kernel_facts *facts)
{
	char *plain;
	bool wanted;

	if (!r->kernels || regexec(r->kernels, facts->kernel->name, 0, NULL, 0) == 0)
		return true;
	plain = demangle(facts->kernel->name);
	wanted = regexec(r->kernels, plain, 0, NULL, 0) == 0;
	free(plain);
	return wanted;
}

const struct ptx_kernel_facts *report_next(const struct report *r, struct report_position *at,
					   const struct report_module **module)
{
	for (; at->module < r->nmodules; at->module++, at->kernel = 0) {
		*module = &r->modules[at->module];
		while (at->kernel < ptx_analysis_kernels((*module)->analysis)) {
			const struct ptx_kernel_facts *f = ptx_analysis_kernel((*module)->analysis, at->kernel++);

			if (report_wants(r, f))
				return f;
		}
	}
	return NULL;
}

static int id_width(const struct ptx_kernel_facts *f)
{
	size_t width = strlen("structure");

	for (uint32_t i = 0; i < f->nstructures; i++)
		if (strlen(f->structures[i].id) > width)
			width = strlen(f->structures[i].id);
	return (int)width;
}

static void add_table(const struct ptx_kernel_facts *f, struct strbuf *out)
{
	int width = id_width(f);

	if (f->nstructures)
		strbuf_addf(out, "  %-*s  %-10s  %-8s  %6s  %6s  %6s  %7s\n", width, "structure", "verdict", "sharing",
			    "loads", "marked", "stores", "atomics");
	for (uint32_t i = 0; i < f->nstructures; i++) {
		const struct ptx_structure *s = &f->structures[i];

		strbuf_addf(out, "  %-*s  %-10s  %-8s  %6u  %6u  %6u  %7u\n", width, s->id,
			    ptx_verdict_name(s->verdict), ptx_sharing_name(s->sharing), s->loads, s->loads_marked,
			    s->stores, s->atomics);
	}
}

static void add_reasons(const struct ptx_kernel_facts *f, struct strbuf *out)
{
	for (uint32_t i = 0; i < f->nstructures; i++)
		if (f->structures[i].why)
			strbuf_addf(out, "  why %s: line %u: %s\n", f->structures[i].id, f->structures[i].why_line,
				    f->structures[i].why);
}

/* "p0, p1 must not share memory with p2", one line for each structure written. */
static void add_guards(const struct ptx_kernel_facts *f, struct strbuf *out)
{
	for (uint32_t w = 0; w < f->nstructures; w++) {
		const char *separator = "  guard: ";

		for (uint32_t i = 0; i < f->nguards; i++) {
			if (f->guards[i].writes != w)
				continue;
			strbuf_addf(out, "%s%s", separator, f->structures[f->guards[i].reads].id);
			separator = ", ";
		}
		if (separator[0] == ',')
			strbuf_addf(out, " in other allocations than %s\n", f->structures[w].id);
	}
}

static void add_kernel(const struct ptx_kernel_facts *f, struct strbuf *out)
{
	char *plain = demangle(f->kernel->name);

	strbuf_addf(out, "\nkernel %s: %u of %u loads marked\n", f->kernel->name, f->loads_marked, f->loads);
	if (strcmp(plain, f->kernel->name) != 0)
		strbuf_addf(out, "  %s\n", plain);
	free(plain);
	add_table(f, out);
	add_reasons(f, out);
	add_guards(f, out);
}

void report_text(const struct report *r, struct strbuf *out)
{
	struct report_position at = {0, 0};
	const struct report_module *module, *last = NULL;
	const struct ptx_kernel_facts *f;
	size_t kernels = 0, loads = 0, marked = 0;

	while ((f = report_next(r, &at, &module))) {
		kernels++;
		loads += f->loads;
		marked += f->loads_marked;
	}
	strbuf_addf(out, "%s: %zu kernel%s, %zu of %zu global loads marked read-only (alias level %s)\n", r->file,
		    kernels, kernels == 1 ? "" : "s", marked, loads, ptx_alias_name(r->alias));
	at = (struct report_position){0, 0};
	while ((f = report_next(r, &at, &module))) {
		if (module != last && module->name)
			strbuf_addf(out, "\nmodule %s\n", module->name);
		last = module;
		add_kernel(f, out);
		if (r->loads)
			report_text_loads(module, at.kernel - 1, out);
	}
}
