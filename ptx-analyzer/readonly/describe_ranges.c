/* For reports: the bytes that each access of a kernel may touch, as text. */
#include "ptx-analyzer/readonly/describe.h"

#include "ptx-analyzer/language/debug/dwarf.h"
#include "ptx-analyzer/ranges/range_text.h"
#include "ptx-analyzer/readonly/guard_ranges.h"
#include "ptx-analyzer/readonly/ptx_kernel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct namer {
	const struct kernel *k;
	const struct dwarf *d;
};

/* "n" where the source's name is known, else "p3"; "view.width" or "p4@8" for a member. */
static void name_param(void *data, uint64_t place, struct strbuf *out)
{
	const struct namer *n = data;
	const struct ptx_function *f = kernel_function(n->k);
	const struct ptx_symbol *symbols = f->module->symbols;
	uint32_t param = 0;
	const char *name;
	uint64_t offset;

	while (param + 1 < f->nparams && symbols[f->params[param + 1]].param_offset <= place)
		param++;
	offset = place - symbols[f->params[param]].param_offset;
	name = structure_name(&n->k->owner->arena,
			      offset ? dwarf_member(n->d, n->k->facts.function, param, offset, &n->k->owner->arena)
				     : dwarf_param(n->d, n->k->facts.function, param));
	if (name)
		strbuf_adds(out, name);
	else if (offset)
		strbuf_addf(out, "p%" PRIu32 "@%" PRIu64, param, offset);
	else
		strbuf_addf(out, "p%" PRIu32, param);
}

static void name_variable(void *data, uint32_t symbol, struct strbuf *out)
{
	const struct namer *n = data;

	strbuf_adds(out, n->k->owner->module->symbols[symbol].name);
}

enum { MOST_BASES = 16 };

/* The pointers of the structures that an access may reach. */
static size_t bases_of(const struct kernel *k, const struct access *a, struct range_base *bases)
{
	size_t n = 0;

	for (uint32_t i = 0; i < a->nstructures && n < MOST_BASES; i++) {
		const struct structure *s = &k->facts.structures[a->structures[i]];
		const char *shown = structure_shown(&k->owner->arena, s->id);

		if (s->kind == STRUCTURE_PARAM || s->kind == STRUCTURE_FIELD)
			bases[n++] = (struct range_base){.number = s->param_offset, .name = shown};
		else if (s->kind == STRUCTURE_VARIABLE)
			bases[n++] = (struct range_base){.is_variable = true, .number = s->symbol, .name = shown};
	}
	return n;
}

static void add_new(const char **list, size_t *count, const char *text)
{
	for (size_t i = 0; i < *count; i++)
		if (strcmp(list[i], text) == 0)
			return;
	list[(*count)++] = text;
}

static const struct access *access_at(const struct kernel *k, uint32_t inst)
{
	struct access place = {.function = k->facts.function, .inst = inst};

	return k->naccesses ? bsearch(&place, k->accesses, k->naccesses, sizeof *k->accesses, access_compare) : NULL;
}

/* "p2[0 .. 4*n)" of each load that an unknown range depends on, or the structures that the load may be of. */
static void describe_scans(const struct namer *n, const struct kernel_ranges *ranges, const struct range_texts *texts,
			   const struct sum_names *names, struct report_access *place)
{
	struct arena *arena = &n->k->owner->arena;
	inst_list loads = VEC_INIT;
	const char **list;

	if (place->access->function == n->k->facts.function && !place->bytes_known)
		ptx_ranges_depend_on(ranges, place->access->inst, &loads);
	list = arena_array(arena, const char *, loads.len + 1);
	for (size_t i = 0; i < loads.len; i++) {
		const struct access *a = access_at(n->k, loads.data[i]);
		struct range_base bases[MOST_BASES];
		struct strbuf text = STRBUF_INIT;

		if (!a) {
			add_new(list, &place->nscans, "constant memory");
			continue;
		}
		if (!ptx_range_text(texts, a->inst, bases, bases_of(n->k, a, bases), names, &text)) {
			text.len = 0;
			for (uint32_t s = 0; s < a->nstructures; s++)
				strbuf_addf(&text, "%s%s", s ? ", " : "",
					    structure_shown(arena, n->k->facts.structures[a->structures[s]].id));
		}
		add_new(list, &place->nscans, arena_strdup(arena, text.data));
		strbuf_release(&text);
	}
	place->scans = list;
	vec_release(&loads);
}

static void describe_bytes(const struct namer *n, const struct range_texts *texts, const struct sum_names *names,
			   struct report_access *place)
{
	struct range_base bases[MOST_BASES];
	struct strbuf text = STRBUF_INIT;
	size_t count = bases_of(n->k, place->access, bases);

	if (place->access->function != n->k->facts.function)
		strbuf_adds(&text, "unknown: it is in a function that the kernel calls");
	else
		place->bytes_known = ptx_range_text(texts, place->access->inst, bases, count, names, &text);
	place->bytes = arena_strdup(&n->k->owner->arena, text.data);
	strbuf_release(&text);
}

void describe_ranges(struct kernel *k, const struct dwarf *d, struct report_access *places, size_t count)
{
	struct namer n = {k, d};
	const struct sum_names names = {name_param, name_variable, &n};
	const struct kernel_ranges *ranges = ptx_kernel_ranges(k->owner, &k->facts);
	struct range_texts *texts = ranges ? ptx_range_texts(ranges) : NULL;

	for (size_t i = 0; texts && i < count; i++) {
		describe_bytes(&n, texts, &names, &places[i]);
		describe_scans(&n, ranges, texts, &names, &places[i]);
	}
	ptx_range_texts_free(texts);
}
