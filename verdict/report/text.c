/* The report as text: a table per kernel, then why. */
#include "verdict/report/parts.h"

#include "common/demangle.h"

#include <stdlib.h>
#include <string.h>

bool report_wants(const struct report *r, const struct kernel_facts *facts)
{
	char *plain;
	bool wanted;

	if (!r->kernels || regexec(r->kernels, facts->name, 0, NULL, 0) == 0)
		return true;
	plain = demangle(facts->name);
	wanted = regexec(r->kernels, plain, 0, NULL, 0) == 0;
	free(plain);
	return wanted;
}

const struct report_kernel *report_next(const struct report *r, struct report_position *at,
					const struct report_module **module)
{
	for (; at->module < r->nmodules; at->module++, at->kernel = 0) {
		*module = &r->modules[at->module];
		while (at->kernel < (*module)->nkernels) {
			const struct report_kernel *k = &(*module)->kernels[at->kernel++];

			if (report_wants(r, k->facts))
				return k;
		}
	}
	return NULL;
}

static int id_width(const struct kernel_facts *f)
{
	size_t width = strlen("structure");

	for (uint32_t i = 0; i < f->nstructures; i++)
		if (strlen(f->structures[i].id) > width)
			width = strlen(f->structures[i].id);
	return (int)width;
}

static void add_table(const struct kernel_facts *f, struct strbuf *out)
{
	int width = id_width(f);

	if (f->nstructures)
		strbuf_addf(out, "  %-*s  %-10s  %-8s  %6s  %6s  %6s  %7s\n", width, "structure", "verdict", "sharing",
			    "loads", "marked", "stores", "atomics");
	for (uint32_t i = 0; i < f->nstructures; i++) {
		const struct structure *s = &f->structures[i];

		strbuf_addf(out, "  %-*s  %-10s  %-8s  %6u  %6u  %6u  %7u\n", width, s->id, verdict_name(s->verdict),
			    sharing_name(s->sharing), s->loads, s->loads_marked, s->stores, s->atomics);
	}
}

static void add_reasons(const struct kernel_facts *f, struct strbuf *out)
{
	for (uint32_t i = 0; i < f->nstructures; i++)
		if (f->structures[i].why)
			strbuf_addf(out, "  why %s: line %u: %s\n", f->structures[i].id, f->structures[i].why_line,
				    f->structures[i].why);
}

/* "p0, p1 must not share memory with p2", one line for each structure written. */
static void add_guards(const struct kernel_facts *f, struct strbuf *out)
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

static void add_kernel(const struct kernel_facts *f, struct strbuf *out)
{
	char *plain = demangle(f->name);

	strbuf_addf(out, "\nkernel %s: %u of %u loads marked\n", f->name, f->loads_marked, f->loads);
	if (strcmp(plain, f->name) != 0)
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
	const struct report_kernel *k;
	size_t kernels = 0, loads = 0, marked = 0;

	while ((k = report_next(r, &at, &module))) {
		kernels++;
		loads += k->facts->loads;
		marked += k->facts->loads_marked;
	}
	strbuf_addf(out, "%s: %zu kernel%s, %zu of %zu global loads marked read-only (alias level %s)\n", r->file,
		    kernels, kernels == 1 ? "" : "s", marked, loads, alias_level_name(r->alias));
	at = (struct report_position){0, 0};
	while ((k = report_next(r, &at, &module))) {
		if (module != last && module->name)
			strbuf_addf(out, "\nmodule %s\n", module->name);
		last = module;
		add_kernel(k->facts, out);
		if (r->loads)
			report_text_loads(k, out);
	}
}
