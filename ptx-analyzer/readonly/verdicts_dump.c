/* An analysis as text: the functions that the wanted kernels reach, then each kernel's verdicts with what led there. */
#include "ptx-analyzer/readonly/ptx_dump.h"

#include "common/kernel_names.h"
#include "ptx-analyzer/flow/cfg.h"
#include "ptx-analyzer/flow/flow_dump.h"
#include "ptx-analyzer/language/module/ptx_places.h"
#include "ptx-analyzer/readonly/describe.h"
#include "ptx-analyzer/readonly/ptx_kernel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool wants(const struct ptx_dump_request *q, const struct kernel *k)
{
	return !q->kernels || kernel_matches(q->kernels, k->facts.name);
}

/* --- Functions --- */

/* The module's functions that a wanted kernel reaches. */
static bool *find_reached(const struct ptx_analysis *a, const struct ptx_dump_request *q)
{
	bool *reached = xcalloc(a->module->nfunctions + 1, sizeof *reached);

	for (size_t i = 0; i < a->nkernels; i++)
		for (size_t f = 0; wants(q, &a->kernels[i]) && f < a->kernels[i].functions.len; f++)
			reached[a->kernels[i].functions.data[f]] = true;
	return reached;
}

static int dump_functions(const struct ptx_analysis *a, const struct ptx_dump_request *q, struct strbuf *out,
			  struct diag *d)
{
	bool *reached = find_reached(a, q);
	int status = 0;

	for (uint32_t f = 0; f < a->module->nfunctions && status == 0; f++) {
		struct ptx_function *function = &a->module->functions[f];

		if (!reached[f] || function->is_declaration)
			continue;
		if (q->parts & PTX_DUMP_CFG) {
			status = ptx_build_cfg(function, d);
			if (status == 0)
				dump_cfg(function, out);
		}
		if (q->parts & PTX_DUMP_ORIGINS && f < a->flow->nflows)
			dump_origins(&a->flow->flows[f], out);
	}
	free(reached);
	return status;
}

/* --- Verdicts --- */

static void add_name(const struct structure *s, struct strbuf *out)
{
	strbuf_adds(out, s->id);
	if (s->name && strcmp(s->name, s->id) != 0)
		strbuf_addf(out, " (%s)", s->name);
}

/* Adds the address as the dataflow left it, in terms of the function that contains it. */
static void add_origins(const struct kernel *k, const struct access *a, struct strbuf *out)
{
	const struct flow *fl = &k->owner->flow->flows[a->function];

	for (size_t i = 0; i < fl->accesses.len; i++)
		if (fl->accesses.data[i].inst == a->inst) {
			strbuf_adds(out, "address from ");
			dump_roots(fl, fl->accesses.data[i].set, out);
			break;
		}
	if (a->function != k->facts.function)
		strbuf_addf(out, " in %s", short_title(fl->function->name).text);
}

static void add_structures(const struct kernel *k, const struct access *a, struct strbuf *out)
{
	strbuf_adds(out, ", so it reaches ");
	for (uint32_t i = 0; i < a->nstructures; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "", k->facts.structures[a->structures[i]].id);
	if (!a->nstructures)
		strbuf_adds(out, "no structure");
}

static void add_mark(const struct access *a, struct strbuf *out)
{
	if (!a->is_load || a->is_atomic)
		return;
	strbuf_adds(out, a->marked ? "; marked" : "; not marked");
	if (a->why)
		strbuf_addf(out, ": %s", a->why);
}

/* " (k.cu:6)", where the text tells the line of the source; with the lines that it was inlined at. */
static void add_place(const struct place_chain *chain, struct strbuf *out)
{
	for (uint32_t i = chain->own; i < chain->count; i++)
		strbuf_addf(out, "%s%s:%" PRIu32, i == chain->own ? " (" : " into ",
			    place_base_name(chain->places[i].file), chain->places[i].line);
	strbuf_adds(out, chain->count ? ")" : "");
}

static void add_access(const struct kernel *k, const struct access *a, struct strbuf *out)
{
	const struct ptx_module *m = k->owner->module;
	struct place_chain places = ptx_places(m, &m->functions[a->function].insts[a->inst], &k->owner->arena);

	dump_inst(&m->functions[a->function], a->inst, out);
	add_place(&places, out);
	strbuf_adds(out, "\n            ");
	add_origins(k, a, out);
	add_structures(k, a, out);
	add_mark(a, out);
	strbuf_addc(out, '\n');
}

static bool reaches(const struct access *a, uint32_t structure)
{
	for (uint32_t i = 0; i < a->nstructures; i++)
		if (a->structures[i] == structure)
			return true;
	return false;
}

static void add_structure(const struct kernel *k, uint32_t index, struct strbuf *out)
{
	const struct structure *s = &k->facts.structures[index];

	strbuf_adds(out, "  ");
	add_name(s, out);
	strbuf_addf(out, ": %s", verdict_name(s->verdict));
	if (s->verdict != VERDICT_UNUSED) {
		strbuf_addf(out, ", sharing %s, addresses depend on ", sharing_name(s->sharing));
		dump_dependences(s->depends, out);
	}
	strbuf_adds(out, "\n    because ");
	strbuf_adds(out, s->why ? s->why : "nothing is known of it");
	if (s->why_line)
		strbuf_addf(out, " (line %" PRIu32 ")", s->why_line);
	strbuf_addc(out, '\n');
	for (size_t i = 0; i < k->naccesses; i++)
		if (reaches(&k->accesses[i], index))
			add_access(k, &k->accesses[i], out);
}

static void dump_verdicts(const struct kernel *k, enum alias_level alias, struct strbuf *out)
{
	const struct kernel_facts *facts = &k->facts;

	const struct short_title plain = short_title(facts->name);

	dump_function_name(&k->owner->module->functions[facts->function], out);
	if (strcmp(plain.text, facts->name) != 0)
		strbuf_addf(out, ", %s", plain.text);
	strbuf_addf(out, ": %" PRIu32 " structure%s at level %s, %" PRIu32 " of %" PRIu32 " loads marked\n",
		    facts->nstructures, facts->nstructures == 1 ? "" : "s", alias_level_name(alias),
		    facts->loads_marked, facts->loads);
	for (uint32_t i = 0; i < facts->nstructures; i++)
		add_structure(k, i, out);
	for (uint32_t i = 0; i < facts->nguards; i++)
		strbuf_addf(out, "  a launch checks that %s is other memory than %s\n",
			    facts->structures[facts->guards[i].reads].id,
			    facts->structures[facts->guards[i].writes].id);
}

int ptx_dump(struct ptx_module *m, const struct ptx_dump_request *q, struct strbuf *out, struct diag *d)
{
	struct ptx_analysis *a = analysis_make(m, q->alias, q->relocatable, q->mark != LOAD_KEEP);
	struct report_module described;
	int status = 0;

	ptx_describe(a, &described);
	if (q->parts & (PTX_DUMP_CFG | PTX_DUMP_ORIGINS))
		status = dump_functions(a, q, out, d);
	for (size_t i = 0; status == 0 && q->parts & PTX_DUMP_VERDICTS && i < a->nkernels; i++)
		if (wants(q, &a->kernels[i]))
			dump_verdicts(&a->kernels[i], q->alias, out);
	analysis_release_scratch(a);
	ptx_analysis_free(a);
	return status;
}
