/*
 * Both analyses see the same kernel with different means: IR has types, restrict and objects, PTX has what code
 * generation left. So a difference is explained by what one of the two says that it rests on, or by accesses that the
 * other one cannot pin down; each rule below names one such ground and looks for it in the facts.
 */
#include "cli/cross_check.h"

#include "common/strbuf.h"
#include "common/xalloc.h"
#include "ptx-analyzer/readonly/analysis.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* One kernel under comparison. */
struct pair {
	const json_t *kernel; /* of the pass */
	const struct kernel_facts *ptx;
	const struct access *accesses;
	size_t naccesses;
};

/* A structure on which they differ; either is NULL where only the other one has it. */
struct difference {
	const char *id;
	const json_t *pass;
	const struct structure *ptx;
};

struct counts {
	unsigned structures, same, explained, unexplained;
};

/* --- Looking things up --- */

static const json_t *pass_structure(const struct pair *p, const char *id)
{
	const json_t *s;
	size_t i;

	json_array_foreach(json_object_get(p->kernel, "structures"), i,
			   s) if (strcmp(json_string_value(json_object_get(s, "id")), id) == 0) return s;
	return NULL;
}

static const struct structure *ptx_structure(const struct pair *p, const char *id)
{
	for (uint32_t i = 0; i < p->ptx->nstructures; i++)
		if (strcmp(p->ptx->structures[i].id, id) == 0)
			return &p->ptx->structures[i];
	return NULL;
}

static int number(const json_t *s, const char *key)
{
	return (int)json_integer_value(json_object_get(s, key));
}

static const char *pass_verdict(const json_t *s)
{
	return s ? json_string_value(json_object_get(s, "verdict")) : "unused";
}

static const char *ptx_verdict(const struct structure *s)
{
	return verdict_name(s ? s->verdict : VERDICT_UNUSED);
}

static bool pass_accesses(const json_t *s)
{
	return s && number(s, "loads") + number(s, "stores") + number(s, "atomics") > 0;
}

static bool pass_writes(const json_t *s)
{
	return s && number(s, "stores") + number(s, "atomics") > 0;
}

static bool ptx_writes(const struct structure *s)
{
	return s && s->stores + s->atomics > 0;
}

static bool touches(const struct access *a, uint32_t structure)
{
	for (uint32_t i = 0; i < a->nstructures; i++)
		if (a->structures[i] == structure)
			return true;
	return false;
}

/* --- Grounds --- */

static bool rests_on(const struct difference *d, const char *what)
{
	const char *said = json_string_value(json_object_get(d->pass, "rests_on"));

	return said && strcmp(said, what) == 0;
}

static bool by_noalias(const struct pair *p, const struct difference *d)
{
	(void)p;
	return rests_on(d, "noalias");
}

static bool by_constant(const struct pair *p, const struct difference *d)
{
	(void)p;
	return rests_on(d, "constant");
}

/* "p4+8", "*p4+8" and "p4+*" are about the pointers in parameter 4. */
static bool by_computed_member(const struct pair *p, const struct difference *d)
{
	const char *id = d->id + (d->id[0] == '*'), *plus = strchr(id, '+');
	struct strbuf any = STRBUF_INIT;
	bool found;

	if (!plus)
		return false;
	strbuf_addf(&any, "%.*s+*", (int)(plus - id), id);
	found = ptx_structure(p, any.data);
	strbuf_release(&any);
	return found;
}

/* Every access that the PTX analyser counts for it may be to something else, and the pass says that it is. */
static bool by_ambiguous_ptx(const struct pair *p, const struct difference *d)
{
	uint32_t index = d->ptx ? (uint32_t)(d->ptx - p->ptx->structures) : 0;

	if (!d->ptx || pass_accesses(d->pass))
		return false;
	for (size_t i = 0; i < p->naccesses; i++)
		if (touches(&p->accesses[i], index) && p->accesses[i].nstructures < 2)
			return false;
	return true;
}

static bool by_ambiguous_ir(const struct pair *p, const struct difference *d)
{
	(void)p;
	if (!pass_accesses(d->pass) || (d->ptx && d->ptx->verdict != VERDICT_UNUSED))
		return false;
	return number(d->pass, "ambiguous") ==
	       number(d->pass, "loads") + number(d->pass, "stores") + number(d->pass, "atomics");
}

/* What decided on PTX is a store that may go elsewhere, or to memory without a name that the pass has not written. */
static bool by_ambiguous_ptx_writer(const struct pair *p, const struct difference *d)
{
	if (!d->ptx || d->ptx->verdict != VERDICT_READ_WRITE || pass_writes(d->pass))
		return false;
	for (size_t i = 0; i < p->naccesses; i++) {
		const struct access *a = &p->accesses[i];
		const struct structure *written = a->nstructures ? &p->ptx->structures[a->structures[0]] : NULL;

		if (a->function != d->ptx->why_function || a->inst != d->ptx->why_inst ||
		    !(a->is_store || a->is_atomic))
			continue;
		if (a->nstructures != 1 || !pass_writes(pass_structure(p, written->id)))
			return true;
	}
	return false;
}

static bool by_ambiguous_ir_writer(const struct pair *p, const struct difference *d)
{
	const char *writer = json_string_value(json_object_get(json_object_get(d->pass, "why"), "culprit"));

	if (writer)
		return !ptx_writes(ptx_structure(p, writer));
	return pass_writes(d->pass) && !ptx_writes(d->ptx) && number(d->pass, "ambiguous") > 0;
}

/* The pass takes a store through a loaded pointer for one to any memory; on PTX a guard holds it against this one. */
static bool by_loaded_writer(const struct pair *p, const struct difference *d)
{
	const char *writer = json_string_value(json_object_get(json_object_get(d->pass, "why"), "culprit"));

	if (!writer || writer[0] != '*' || !d->ptx || d->ptx->verdict != VERDICT_READ_ONLY)
		return false;
	for (uint32_t i = 0; i < p->ptx->nguards; i++)
		if (&p->ptx->structures[p->ptx->guards[i].reads] == d->ptx &&
		    strcmp(p->ptx->structures[p->ptx->guards[i].writes].id, writer) == 0)
			return true;
	return false;
}

/* Behind two pointers in memory everything is unknown to the pass, and `**p` on PTX. */
static bool by_reach(const struct pair *p, const struct difference *d)
{
	bool found = strncmp(d->id, "**", 2) == 0 && d->ptx && !d->pass;

	for (uint32_t i = 0; strcmp(d->id, STRUCTURE_ID_UNKNOWN) == 0 && i < p->ptx->nstructures; i++)
		found |= strncmp(p->ptx->structures[i].id, "**", 2) == 0;
	return found;
}

/* Loads whose values code generation knows are gone, and that is all. */
static bool by_lost_loads(const struct pair *p, const struct difference *d)
{
	(void)p;
	return pass_accesses(d->pass) && number(d->pass, "loads") > 0 && (!d->ptx || d->ptx->loads == 0) &&
	       pass_writes(d->pass) == ptx_writes(d->ptx);
}

/* clang-format off */
static const struct {
	bool (*holds)(const struct pair *p, const struct difference *d);
	const char *reason;
} grounds[] = {
	{by_noalias, "restrict (noalias) says so, of which PTX knows nothing"},
	{by_constant, "the variable is constant, which PTX does not say"},
	{by_computed_member, "which pointer of the parameter it is depends on an index: the pass names those that the type has, the PTX "
			     "analyser calls them one"},
	{by_loaded_writer, "the pass takes a store through a loaded pointer for one to any memory, on PTX a launch tells where it goes"},
	{by_reach, "what is reached through several pointers in memory has a name on PTX only"},
	{by_lost_loads, "code generation has replaced the loads by values that were stored before"},
	{by_ambiguous_ptx, "each access of the PTX that may lead there may lead elsewhere, and on the IR they are told apart"},
	{by_ambiguous_ptx_writer, "the store that decides on PTX may go to several structures, which on the IR are told apart"},
	{by_ambiguous_ir, "each access of the IR that may lead there may lead elsewhere, and on the PTX they are told apart"},
	{by_ambiguous_ir_writer, "the store that decides on the IR may go to several structures, which on the PTX are told apart"},
};
/* clang-format on */

static const char *reason_for(const struct pair *p, const struct difference *d)
{
	for (size_t i = 0; i < sizeof grounds / sizeof *grounds; i++)
		if (grounds[i].holds(p, d))
			return grounds[i].reason;
	return NULL;
}

/* --- Comparing --- */

static void compare(const struct pair *p, const struct difference *d, json_t *differences, struct counts *c)
{
	const char *on_ir = pass_verdict(d->pass), *on_ptx = ptx_verdict(d->ptx), *reason;
	json_t *json;

	c->structures++;
	if (strcmp(on_ir, on_ptx) == 0) {
		c->same++;
		return;
	}
	reason = reason_for(p, d);
	c->explained += reason != NULL;
	c->unexplained += reason == NULL;
	json = json_pack("{s:s, s:s, s:s, s:s?}", "id", d->id, "pass", on_ir, "ptx", on_ptx, "reason", reason);
	if (d->ptx && d->ptx->why)
		json_object_set_new(json, "ptx_why", json_string(d->ptx->why));
	json_array_append_new(differences, json);
}

static json_t *compare_kernel(const struct pair *p, struct counts *c)
{
	json_t *differences = json_array();
	const json_t *s;
	size_t i;

	json_array_foreach(json_object_get(p->kernel, "structures"), i, s)
	{
		const char *id = json_string_value(json_object_get(s, "id"));
		struct difference d = {id, s, ptx_structure(p, id)};

		compare(p, &d, differences, c);
	}
	for (uint32_t n = 0; n < p->ptx->nstructures; n++) {
		struct difference d = {p->ptx->structures[n].id, NULL, &p->ptx->structures[n]};

		if (!pass_structure(p, d.id))
			compare(p, &d, differences, c);
	}
	return differences;
}

static void compare_module(json_t *report, const struct ptx_analysis *a)
{
	struct counts sum = {0, 0, 0, 0};
	json_t *kernel;
	size_t i;

	json_array_foreach(json_object_get(report, "kernels"), i, kernel)
	{
		const char *name = json_string_value(json_object_get(kernel, "name"));

		for (size_t k = 0; k < ptx_analysis_kernels(a); k++) {
			struct pair p = {.kernel = kernel, .ptx = ptx_analysis_kernel(a, k)};

			if (strcmp(p.ptx->name, name) != 0)
				continue;
			p.accesses = ptx_kernel_accesses(a, k, &p.naccesses);
			json_object_set_new(kernel, "cross_check", compare_kernel(&p, &sum));
		}
	}
	json_object_set_new(report, "cross_check",
			    json_pack("{s:i, s:i, s:i, s:i}", "structures", (int)sum.structures, "same", (int)sum.same,
				      "explained", (int)sum.explained, "unexplained", (int)sum.unexplained));
}

char *cross_check(const char *report, const char *ptx, size_t size, const struct pass_options *options, struct diag *d)
{
	struct ptx_module *m = ptx_parse("PTX of the module", ptx, size, d);
	struct ptx_analysis *a;
	struct strbuf text = STRBUF_INIT;
	json_t *json;
	char *dump;

	if (!m)
		return NULL;
	a = (options->relocatable ? ptx_analyze_relocatable : ptx_analyze)(m, options->alias);
	json = json_loads(report, 0, NULL);
	compare_module(json, a);
	dump = json_dumps(json, JSON_INDENT(2));
	strbuf_addf(&text, "%s\n", dump);
	free(dump);
	json_decref(json);
	ptx_analysis_free(a);
	ptx_module_free(m);
	return strbuf_detach(&text);
}
