/* The origins of a function's addresses as text: what each access may reach, and what each call hands down. */
#include "ptx-analyzer/flow/flow_dump.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- Roots --- */

static const char *symbol_name(const struct flow *fl, uint32_t symbol)
{
	return symbol < fl->owner->module->nsymbols ? fl->owner->module->symbols[symbol].name : "alloca";
}

static void add_offset(struct strbuf *out, int64_t offset)
{
	if (offset == OFFSET_ANY)
		strbuf_adds(out, "+*");
	else if (offset)
		strbuf_addf(out, "%+" PRId64, offset);
}

/* `*p0` is what the pointers at the start of p0's memory lead to, `*(p0+8)` those at byte 8, `*(p0+*)` any there. */
static void add_root(struct strbuf *out, const struct flow *fl, uint32_t index)
{
	const struct root *r = &fl->roots.data[index];

	switch ((enum root_kind)r->kind) {
	case ROOT_INTEGER: strbuf_adds(out, "a number"); break;
	case ROOT_UNKNOWN: strbuf_adds(out, "unknown"); break;
	case ROOT_PARAM:
		strbuf_addf(out, "p%" PRIu32, r->index);
		add_offset(out, r->offset);
		break;
	case ROOT_PARAM_ANY: strbuf_addf(out, "p%" PRIu32 "+*", r->index); break;
	case ROOT_PARAM_SPACE: strbuf_addf(out, "&p%" PRIu32, r->index); break;
	case ROOT_VARIABLE: strbuf_adds(out, symbol_name(fl, r->index)); break;
	case ROOT_LOCAL: strbuf_addf(out, "local %s", symbol_name(fl, r->index)); break;
	case ROOT_RETURN: strbuf_addf(out, "&result %" PRIu32, r->index); break;
	case ROOT_FUNCTION: strbuf_addf(out, "function %s", fl->owner->module->functions[r->index].name); break;
	case ROOT_DEREF:
		strbuf_adds(out, "*(");
		add_root(out, fl, r->index);
		add_offset(out, r->offset);
		strbuf_addc(out, ')');
		break;
	case ROOT_HEAP: strbuf_adds(out, "heap"); break;
	case ROOT_WORKSPACE: strbuf_adds(out, "the grid barrier's counter"); break;
	}
}

static void add_element(struct strbuf *out, const struct flow *fl, uint32_t elem)
{
	static const char *const states[] = {[ELEM_WHOLE] = "",
					     [ELEM_PIECE] = "a piece of ",
					     [ELEM_SCALED] = "a multiple of ",
					     [ELEM_SHIFTED] = "a shifted "};

	strbuf_adds(out, states[elem & ELEM_STATE]);
	add_root(out, fl, ELEM_ROOT(elem));
}

void dump_roots(const struct flow *fl, set_id set, struct strbuf *out)
{
	const struct set *s = set_get(fl->owner->sets, set);

	strbuf_addc(out, '{');
	for (uint32_t i = 0; i < s->count; i++) {
		strbuf_adds(out, i ? ", " : "");
		add_element(out, fl, s->elems[i]);
	}
	strbuf_addc(out, '}');
}

void dump_dependences(uint64_t deps, struct strbuf *out)
{
	const char *between = "";

	for (unsigned bit = 0; bit <= DEP_PARAM_LAST; bit++) {
		if (!(deps >> bit & 1))
			continue;
		if (bit < DEP_PARAM_BIT)
			strbuf_addf(out, "%s%s", between, dependence_name(1u << bit));
		else
			strbuf_addf(out, "%sparameter %u", between, bit - DEP_PARAM_BIT);
		between = " ";
	}
	if (!deps)
		strbuf_adds(out, "nothing");
}

/* --- Accesses --- */

static const struct {
	uint8_t flag;
	const char *name;
} kinds[] = {{ACCESS_LOAD, "load"},
	     {ACCESS_STORE, "store"},
	     {ACCESS_ATOMIC, "atomic"},
	     {ACCESS_CALL, "call of code that is not known"},
	     {ACCESS_CONST, "constant"},
	     {ACCESS_DEPENDENCY, "wait for the kernel before"},
	     {ACCESS_HIDDEN, "address that is not known"}};

static void add_access(struct strbuf *out, const struct flow *fl, const struct flow_access *a)
{
	const char *between = "";

	dump_inst(fl->function, a->inst, out);
	strbuf_adds(out, "\n            ");
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (a->flags & kinds[i].flag) {
			strbuf_addf(out, "%s%s", between, kinds[i].name);
			between = ", ";
		}
	strbuf_adds(out, ": address from ");
	dump_roots(fl, a->set, out);
	if (a->bias)
		strbuf_addf(out, " at %+" PRId64, a->bias);
	if (a->beside != SET_EMPTY) {
		strbuf_adds(out, ", beside bits of ");
		dump_roots(fl, a->beside, out);
	}
	strbuf_adds(out, "; depends on ");
	dump_dependences(a->deps, out);
	strbuf_addc(out, '\n');
}

static void add_bindings(struct strbuf *out, const struct flow *fl, const struct flow_call *call, uint32_t which)
{
	const struct flow *callee = &fl->owner->flows[call->callees[which]];

	strbuf_addf(out, "            %s", callee->function->name);
	for (uint32_t i = 0; call->bindings && i < call->nbindings[which]; i++) {
		const struct flow_binding *b = &call->bindings[which][i];

		strbuf_adds(out, i ? ", " : ": its ");
		add_root(out, callee, b->root);
		strbuf_adds(out, " is ");
		dump_roots(fl, set_union(fl->owner->sets, b->set, b->beside), out);
	}
	strbuf_addc(out, '\n');
}

static void add_call(struct strbuf *out, const struct flow *fl, const struct flow_call *call)
{
	dump_inst(fl->function, call->inst, out);
	strbuf_addf(out, "\n            call%s%s%s\n", call->unknown ? " of code that is not known" : "",
		    call->heap ? ", returns heap" : "", call->frees ? ", frees" : "");
	for (uint32_t i = 0; i < call->ncallees; i++)
		add_bindings(out, fl, call, i);
}

static int by_position(const void *a, const void *b)
{
	const struct flow_access *const *x = a, *const *y = b;

	if ((*x)->inst != (*y)->inst)
		return (*x)->inst < (*y)->inst ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

void dump_origins(const struct flow *fl, struct strbuf *out)
{
	size_t n = fl->accesses.len;
	const struct flow_access **sorted = xcalloc(n + 1, sizeof *sorted);

	for (size_t i = 0; i < n; i++)
		sorted[i] = &fl->accesses.data[i];
	qsort(sorted, n, sizeof *sorted, by_position);
	dump_function_name(fl->function, out);
	strbuf_addf(out, ": %zu access%s, %zu call%s\n", n, n == 1 ? "" : "es", (size_t)fl->calls.len,
		    fl->calls.len == 1 ? "" : "s");
	for (size_t i = 0; i < n; i++)
		add_access(out, fl, sorted[i]);
	for (size_t i = 0; i < fl->calls.len; i++)
		add_call(out, fl, &fl->calls.data[i]);
	free(sorted);
}
