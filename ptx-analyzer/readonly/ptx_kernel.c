/*
 * A kernel: the structures that its instructions, and its functions' instructions, touch.
 *
 * Functions are visited callers first. Each root of a function gets the set of the kernel's structures that it may be,
 * over all calls in this kernel.
 */
#include "ptx-analyzer/readonly/collect.h"

#include "ptx-analyzer/language/module/ptx_access.h"

/* --- Structures --- */

static uint32_t add_structure(struct kernel *k, struct structure s)
{
	struct structure_notes notes = {.writer = PTX_NONE};

	s.why_inst = s.why_function = PTX_NONE;
	vec_push(&k->structures, s);
	vec_push(&k->notes, notes);
	return (uint32_t)k->structures.len - 1;
}

uint32_t collect_unknown(struct collector *c)
{
	if (!c->unknown)
		c->unknown = 1 + add_structure(c->k, (struct structure){.id = STRUCTURE_ID_UNKNOWN,
									.kind = STRUCTURE_UNKNOWN,
									.symbol = PTX_NONE});
	return c->unknown - 1;
}

static uint32_t heap_structure(struct collector *c)
{
	if (!c->heap)
		c->heap =
		    1 + add_structure(c->k, (struct structure){
						.id = STRUCTURE_ID_HEAP, .kind = STRUCTURE_HEAP, .symbol = PTX_NONE});
	return c->heap - 1;
}

static uint32_t param_structure(struct collector *c, uint32_t param, int64_t offset, bool any)
{
	const struct ptx_function *f = kernel_function(c->k);
	const struct ptx_symbol *symbol = &c->fm->module->symbols[f->params[param]];
	struct arena *arena = &c->k->owner->arena;
	struct structure s = {.param = param, .symbol = PTX_NONE, .param_bytes = any ? symbol->size : 8};
	uint32_t index;

	s.kind = any || symbol->is_array ? STRUCTURE_FIELD : STRUCTURE_PARAM;
	s.param_offset = symbol->param_offset + (any ? 0 : (uint64_t)offset);
	if (any)
		s.id = structure_id_of_any_field(arena, param);
	else if (s.kind == STRUCTURE_FIELD)
		s.id = structure_id_of_field(arena, param, offset);
	else
		s.id = structure_id_of_param(arena, param);
	index = add_structure(c->k, s);
	c->k->notes.data[index].any_field = any;
	return index;
}

static uint32_t variable_structure(struct collector *c, uint32_t symbol)
{
	const struct ptx_symbol *s = &c->fm->module->symbols[symbol];
	uint32_t index =
	    add_structure(c->k, (struct structure){.id = s->name, .kind = STRUCTURE_VARIABLE, .symbol = symbol});

	c->k->notes.data[index].constant = s->space == PTX_SPACE_CONST;
	return index;
}

static uint32_t own_structure(struct collector *c, uint32_t root);

/*
 * The structure that pointers in memory of `holder_root` lead to, or only the one at byte `word`; unknown if the holder
 * is.
 */
static uint32_t pointee_structure(struct collector *c, uint32_t holder_root, int64_t word)
{
	uint32_t holder = own_structure(c, holder_root);
	struct structure s = {.kind = STRUCTURE_POINTEE, .holder = holder, .symbol = PTX_NONE};

	if (c->k->structures.data[holder].kind == STRUCTURE_UNKNOWN)
		return holder;
	s.at_word = word != OFFSET_ANY;
	s.word = s.at_word ? (uint64_t)word : 0;
	s.id = c->k->structures.data[holder].id;
	s.id = s.at_word ? structure_id_of_word(&c->k->owner->arena, s.id, s.word)
			 : structure_id_of_pointee(&c->k->owner->arena, s.id);
	return add_structure(c->k, s);
}

/* The structure of a root of the kernel itself; only for roots in global memory. */
static uint32_t own_structure(struct collector *c, uint32_t root)
{
	const struct root *r = &c->fm->flows[c->k->facts.function].roots.data[root];
	uint32_t *memo = &c->bounds[0].structure[root], base;

	if (*memo)
		return *memo - 1;
	switch (r->kind) {
	case ROOT_PARAM:
	case ROOT_PARAM_ANY:
		*memo = 1 + param_structure(c, r->index, r->offset, r->kind == ROOT_PARAM_ANY);
		c->k->notes.data[*memo - 1].assumed = r->assumed;
		break;
	case ROOT_VARIABLE: *memo = 1 + variable_structure(c, r->index); break;
	case ROOT_DEREF:
		base = c->fm->flows[c->k->facts.function].roots.data[r->index].kind;
		if (base == ROOT_PARAM || base == ROOT_PARAM_ANY || base == ROOT_VARIABLE || base == ROOT_DEREF)
			*memo = 1 + pointee_structure(c, r->index, r->offset);
		else
			*memo = 1 + collect_unknown(c);
		break;
	case ROOT_HEAP: *memo = 1 + heap_structure(c); break;
	default: *memo = 1 + collect_unknown(c); break;
	}
	return *memo - 1;
}

/* --- Roots to structures --- */

bool collect_is_constant(const struct collector *c, const struct root *r)
{
	return r->kind == ROOT_VARIABLE && c->fm->module->symbols[r->index].space == PTX_SPACE_CONST;
}

/* The kernel's root for a variable, the heap or the workspace, as seen from any function. Made if it is new. */
uint32_t collect_kernel_root(struct collector *c, const struct root *r)
{
	struct flow *kernel = &c->fm->flows[c->k->facts.function];
	size_t before = kernel->roots.len;
	uint32_t root = flow_root(kernel, r->kind, r->index, r->offset);
	struct bound *b = &c->bounds[0];

	if (kernel->roots.len != before) {
		b->structure = xrealloc(b->structure, kernel->roots.len * sizeof *b->structure);
		b->structure[root] = 0;
	}
	return root;
}

static set_id fixed_root(struct collector *c, const struct root *r)
{
	if (root_is_local(r) || collect_is_constant(c, r))
		return set_single(c->sets, STRUCT_WINDOW);
	switch (r->kind) {
	case ROOT_INTEGER:
	case ROOT_FUNCTION: return set_single(c->sets, STRUCT_INTEGER);
	case ROOT_UNKNOWN: return set_single(c->sets, STRUCT_ELEM(collect_unknown(c)));
	case ROOT_HEAP: return set_single(c->sets, STRUCT_ELEM(heap_structure(c)));
	case ROOT_WORKSPACE: return set_single(c->sets, STRUCT_WORKSPACE);
	default: return set_single(c->sets, STRUCT_ELEM(own_structure(c, collect_kernel_root(c, r))));
	}
}

/* The structures of root `root` of the function at `position`; computed at the first use. */
static set_id root_structures(struct collector *c, uint32_t position, uint32_t root)
{
	const struct flow *fl = &c->fm->flows[c->k->functions.data[position]];
	struct bound *b = &c->bounds[position];

	if (root >= b->nroots)
		return set_single(c->sets, STRUCT_ELEM(collect_unknown(c)));
	if (b->roots[root] != SET_EMPTY)
		return b->roots[root];
	if (root_is_fixed(&fl->roots.data[root]))
		b->roots[root] = fixed_root(c, &fl->roots.data[root]);
	else if (position == 0)
		b->roots[root] = set_single(c->sets, STRUCT_ELEM(own_structure(c, root)));
	return c->bounds[position].roots[root];
}

/* Whole pointers of what a caller passes, as structures. */
static set_id passed_structures(struct collector *c, uint32_t position, set_id passed)
{
	const struct set *s = set_get(c->fm->sets, passed);
	set_id result = SET_EMPTY;
	bool whole = false;

	for (uint32_t i = 0; i < s->count; i++) {
		if ((s->elems[i] & ELEM_STATE) != ELEM_WHOLE || s->elems[i] == ELEM_INTEGER)
			continue;
		whole = true;
		result = set_union(c->sets, result, root_structures(c, position, ELEM_ROOT(s->elems[i])));
		s = set_get(c->fm->sets, passed);
	}
	return whole ? result : set_single(c->sets, STRUCT_INTEGER);
}

static uint64_t map_deps(const struct bound *b, uint64_t deps)
{
	uint64_t mapped = 0;

	for (; deps; deps &= deps - 1)
		mapped |= b->deps[__builtin_ctzll(deps)];
	return mapped;
}

/* True if the callee learns something new. */
static bool bind_callee(struct collector *c, uint32_t position, const struct flow_call *call, uint32_t which)
{
	uint32_t to = c->position[call->callees[which]] - 1;
	struct bound *callee = &c->bounds[to];
	bool changed = false;

	for (uint32_t i = 0; i < call->nbindings[which]; i++) {
		const struct flow_binding *b = &call->bindings[which][i];
		set_id old = callee->roots[b->root];

		callee->roots[b->root] = set_union(c->sets, old, passed_structures(c, position, b->set));
		changed |= callee->roots[b->root] != old;
		changed |= collect_bind_bits(c, position, callee, b);
	}
	for (uint32_t i = 0; i < call->ndeps; i++) {
		uint64_t *deps = &callee->deps[DEP_PARAM_BIT + i], old = *deps;

		*deps |= map_deps(&c->bounds[position], call->deps[i]);
		changed |= *deps != old;
	}
	return changed;
}

static bool bind_calls(struct collector *c, uint32_t position)
{
	const struct flow *fl = &c->fm->flows[c->k->functions.data[position]];
	bool changed = false;

	for (size_t i = 0; i < fl->calls.len; i++)
		for (uint32_t j = 0; j < fl->calls.data[i].ncallees; j++)
			changed |= bind_callee(c, position, &fl->calls.data[i], j);
	return changed;
}

/* --- Reachable functions --- */

static void reach(struct collector *c, uint32_t function)
{
	if (c->position[function])
		return;
	vec_push(&c->k->functions, function);
	c->position[function] = (uint32_t)c->k->functions.len;
}

static int compare_groups(const void *a, const void *b, void *context)
{
	const struct flow *flows = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (flows[x].group != flows[y].group)
		return flows[x].group < flows[y].group ? 1 : -1;
	return x < y ? -1 : x > y;
}

/* Does the function make a generic address of memory that is not global? No other instruction does. */
static bool makes_windows(const struct flow *fl)
{
	for (uint32_t i = 0; i < fl->function->ninsts; i++) {
		const struct ptx_opcode *o = fl->function->insts[i].opcode;

		if (o->op == PTX_OP_cvta && is_windowed(o->space) && !ptx_has_mod(o, PTX_MOD_to) &&
		    !(fl->dead && fl->dead[i]))
			return true;
	}
	return false;
}

static bool listens(const struct flow *fl)
{
	for (uint32_t i = 0; i < fl->function->ninsts; i++)
		if (ptx_listens(fl->function->insts[i].opcode) && !(fl->dead && fl->dead[i]))
			return true;
	return false;
}

static void find_functions(struct collector *c)
{
	struct kernel *k = c->k;

	reach(c, k->facts.function);
	for (size_t i = 0; i < k->functions.len; i++) {
		const struct flow *fl = &c->fm->flows[k->functions.data[i]];

		c->windows |= makes_windows(fl);
		k->listens |= listens(fl);
		for (size_t j = 0; j < fl->calls.len; j++) {
			k->calls_unknown |= fl->calls.data[j].unknown;
			for (uint32_t n = 0; n < fl->calls.data[j].ncallees; n++)
				reach(c, fl->calls.data[j].callees[n]);
		}
	}
	qsort_r(k->functions.data + 1, k->functions.len - 1, sizeof *k->functions.data, compare_groups, c->fm->flows);
	for (size_t i = 0; i < k->functions.len; i++)
		c->position[k->functions.data[i]] = (uint32_t)i + 1;
}

static void make_bounds(struct collector *c)
{
	size_t n = c->k->functions.len, nroots = 0;

	c->bounds = xcalloc(n, sizeof *c->bounds);
	for (size_t i = 0; i < n; i++) {
		c->bounds[i].nroots = (uint32_t)c->fm->flows[c->k->functions.data[i]].roots.len;
		nroots += c->bounds[i].nroots;
	}
	c->roots = xcalloc(3 * nroots + 1, sizeof *c->roots);
	nroots = 0;
	for (size_t i = 0; i < n; i++) {
		struct bound *b = &c->bounds[i];

		b->roots = c->roots + nroots;
		b->bits = b->roots + b->nroots;
		b->beside = b->bits + b->nroots;
		nroots += 3 * (size_t)b->nroots;
		for (unsigned bit = 0; bit < DEP_PARAM_BIT; bit++)
			b->deps[bit] = (uint64_t)1 << bit;
	}
	c->bounds[0].structure = xcalloc(c->bounds[0].nroots, sizeof(uint32_t));
}

/* Callers come first, so without recursion a single round is enough. */
static void bind_all(struct collector *c)
{
	bool again = true;

	while (again) {
		again = false;
		for (uint32_t i = 0; i < c->k->functions.len; i++) {
			const struct flow *fl = &c->fm->flows[c->k->functions.data[i]];
			bool cycle = fl->recursive;

			if (i + 1 < c->k->functions.len)
				cycle |= c->fm->flows[c->k->functions.data[i + 1]].group == fl->group;
			if (i > 0)
				cycle |= c->fm->flows[c->k->functions.data[i - 1]].group == fl->group;
			again |= bind_calls(c, i) && cycle;
		}
	}
}

/* Records the structures that each call hands on, for reasons that name the calls to a store. */
static void record_calls(struct collector *c)
{
	for (uint32_t i = 0; i < c->k->functions.len && c->k->functions.len > 1; i++) {
		const struct flow *fl = &c->fm->flows[c->k->functions.data[i]];

		for (size_t j = 0; j < fl->calls.len; j++)
			for (uint32_t n = 0; n < fl->calls.data[j].ncallees; n++) {
				const struct flow_call *call = &fl->calls.data[j];
				set_id passed = SET_EMPTY;

				for (uint32_t b = 0; b < call->nbindings[n]; b++)
					passed = set_union(c->sets, passed,
							   passed_structures(c, i, call->bindings[n][b].set));
				vec_push(&c->k->calls, (struct kernel_call){.caller = i,
									    .callee = c->position[call->callees[n]] - 1,
									    .inst = call->inst,
									    .passed = passed});
			}
	}
}

/* --- Accesses --- */

/* The structures of an access; SET_EMPTY when it reaches no global memory here. */
static set_id access_structures(struct collector *c, uint32_t position, const struct flow_access *a)
{
	const struct set *s = set_get(c->fm->sets, a->set);
	set_id all = SET_EMPTY, kept = SET_EMPTY;
	const struct set *v;
	bool integer = false;

	for (uint32_t i = 0; i < s->count; i++) {
		all = set_union(c->sets, all, root_structures(c, position, ELEM_ROOT(s->elems[i])));
		s = set_get(c->fm->sets, a->set);
	}
	v = set_get(c->sets, all);
	for (uint32_t i = 0; i < v->count; i++) {
		uint32_t elem = v->elems[i];

		integer |= elem == STRUCT_INTEGER;
		if (elem != STRUCT_INTEGER && !(elem == STRUCT_WINDOW && a->space == PTX_SPACE_GLOBAL))
			kept = set_union(c->sets, kept, set_single(c->sets, elem));
		v = set_get(c->sets, all);
	}
	if (kept == SET_EMPTY && (integer || (all != SET_EMPTY && a->space == PTX_SPACE_GLOBAL)))
		return set_single(c->sets, STRUCT_ELEM(collect_unknown(c)));
	return kept == set_single(c->sets, STRUCT_WINDOW) ? SET_EMPTY : kept;
}

static void note_number(struct kernel *k, uint64_t place)
{
	for (size_t i = 0; i < k->numbers.len; i++)
		if (k->numbers.data[i] == place)
			return;
	vec_push(&k->numbers, place);
}

/* Adds to `added` how large a part of an offset may be that has bits of this element. */
static void measure(struct collector *c, const struct flow *fl, uint32_t elem, struct offset_size *added)
{
	const struct root *r = &fl->roots.data[ELEM_ROOT(elem)];
	const struct ptx_symbol *symbol;

	if (r->kind == ROOT_INTEGER || (elem & ELEM_LOCAL))
		return;
	if ((elem & ELEM_STATE) == ELEM_PIECE) {
		added->words = true;
		return;
	}
	if (r->kind != ROOT_PARAM) {
		added->any = true;
		return;
	}
	symbol = &c->fm->module->symbols[fl->function->params[r->index]];
	note_number(c->k, symbol->param_offset + (uint64_t)r->offset);
}

/*
 * How large a number the access adds to its base. Only the callers of a function know how they made its arguments. So
 * in functions other than the kernel an argument may be any number.
 */
static struct offset_size added_to_base(struct collector *c, uint32_t position, const struct flow_access *a,
					set_id beside)
{
	const struct flow *fl = &c->fm->flows[c->k->functions.data[position]];
	const struct set *s = set_get(c->fm->sets, a->beside);
	struct offset_size added = {.wide = a->wide};

	for (uint32_t i = 0; i < s->count && position == 0; i++)
		measure(c, fl, s->elems[i], &added);
	added.any |= (s->count && a->wide == WIDE_ANY) || (position > 0 && beside != SET_EMPTY);
	return added;
}

/* The roots in `beside` that are neither scaled nor parts. */
static set_id whole_elements(const struct collector *c, set_id beside)
{
	set_id whole = SET_EMPTY;

	for (uint32_t i = 0; i < set_get(c->fm->sets, beside)->count; i++) {
		uint32_t elem = set_get(c->fm->sets, beside)->elems[i];

		if ((elem & ELEM_STATE) == ELEM_WHOLE)
			whole = set_union(c->fm->sets, whole, set_single(c->fm->sets, elem));
	}
	return whole;
}

static void collect_function(struct collector *c, uint32_t position)
{
	uint32_t function = c->k->functions.data[position];
	const struct flow *fl = &c->fm->flows[function];

	for (size_t i = 0; i < fl->accesses.len; i++) {
		const struct flow_access *a = &fl->accesses.data[i];
		set_id beside = collect_bits(c, position, a->beside, true);

		if (a->space == PTX_SPACE_CONST)
			continue;
		beside = set_union(c->sets, beside, collect_bits(c, position, a->set, false));
		vec_push(&c->k->work,
			 (struct kernel_access){.function = function,
						.inst = a->inst,
						.flags = a->flags,
						.space = a->space,
						.set = access_structures(c, position, a),
						.beside = beside,
						.whole = collect_bits(c, position, whole_elements(c, a->beside), true),
						.deps = map_deps(&c->bounds[position], a->deps),
						.bias = a->bias,
						.step = position == 0 ? a->step : 1,
						.at = a->at,
						.added = added_to_base(c, position, a, beside)});
	}
}

/* Pointers of the structures may be at `low` and at `high`. */
static void add_drift(struct collector *c, set_id structures, int64_t low, int64_t high)
{
	const struct set *s = set_get(c->sets, structures);

	for (uint32_t i = 0; i < s->count; i++)
		if (s->elems[i] >= STRUCT_ELEM(0)) {
			struct structure_notes *n = &c->k->notes.data[STRUCT_INDEX(s->elems[i])];

			n->drift_low = low < n->drift_low ? low : n->drift_low;
			n->drift_high = high > n->drift_high ? high : n->drift_high;
		}
}

/* The distances that any function lost. */
static void collect_drifts(struct collector *c)
{
	for (uint32_t i = 0; i < c->k->functions.len; i++) {
		const struct flow *fl = &c->fm->flows[c->k->functions.data[i]];
		const struct bound *b = &c->bounds[i];

		for (uint32_t r = 0; r < b->nroots; r++) {
			const struct root *root = &fl->roots.data[r];

			if (i == 0 && b->structure[r])
				add_drift(c, set_single(c->sets, STRUCT_ELEM(b->structure[r] - 1)), root->drift_low,
					  root->drift_high);
			else if (i > 0 && !root_is_fixed(root))
				add_drift(c, b->roots[r], root->drift_low, root->drift_high);
		}
	}
}

/* Like a window, the workspace is memory that no structure has, and that no load is marked for. */
static set_id without_workspace(struct set_table *t, set_id set)
{
	set_id rest = SET_EMPTY;

	if (set == set_single(t, STRUCT_WORKSPACE))
		return SET_EMPTY;
	if (!set_has(t, set, STRUCT_WORKSPACE))
		return set;
	for (uint32_t i = 0; i < set_get(t, set)->count; i++) {
		uint32_t elem = set_get(t, set)->elems[i];

		rest = set_union(t, rest, set_single(t, elem == STRUCT_WORKSPACE ? STRUCT_WINDOW : elem));
	}
	return rest;
}

/*
 * Accesses that reach no global memory in this kernel leave the table. The function may be another kernel's too, so
 * loads among them are remembered: this kernel forbids their mark, which would make them loads of global memory.
 */
static void drop_window_accesses(struct kernel *k)
{
	size_t n = 0;

	for (size_t i = 0; i < k->work.len; i++) {
		struct kernel_access *a = &k->work.data[i];

		a->set = without_workspace(k->owner->sets, a->set);
		if (a->set != SET_EMPTY)
			k->work.data[n++] = *a;
		else if (a->flags & ACCESS_LOAD)
			vec_push(&k->window_loads, *a);
	}
	k->work.len = n;
}

/* `structure` may have just been made, which moves the notes. So this looks them up afterwards. */
static void show(struct collector *c, uint32_t structure)
{
	c->k->notes.data[structure].shown = true;
}

/* Pointer parameters that no access reaches: those written .ptr, converted by cvta, or never loaded at all. */
static void add_unused(struct collector *c)
{
	const struct ptx_function *f = kernel_function(c->k);
	const struct flow *fl = &c->fm->flows[c->k->facts.function];
	bool *loaded = xcalloc(f->nparams + 1, sizeof *loaded);

	for (uint32_t r = 0; r < c->bounds[0].nroots; r++) {
		const struct root *root = &fl->roots.data[r];

		if (root->kind != ROOT_PARAM && root->kind != ROOT_PARAM_ANY)
			continue;
		loaded[root->index] = true;
		if (root->kind == ROOT_PARAM && root->definite)
			show(c, own_structure(c, r));
	}
	for (uint32_t p = 0; p < f->nparams; p++) {
		const struct ptx_symbol *s = &c->fm->module->symbols[f->params[p]];

		if (!loaded[p] && (s->is_pointer || (!s->is_array && (s->type == PTX_u64 || s->type == PTX_b64))))
			show(c, param_structure(c, p, 0, false));
	}
	free(loaded);
}

/* --- Order --- */

static int compare_structures(const void *a, const void *b, void *context)
{
	const struct structure *all = context;

	return structure_compare(&all[*(const uint32_t *)a], &all[*(const uint32_t *)b]);
}

static set_id remap(struct set_table *t, set_id set, const uint32_t *place)
{
	const struct set *s = set_get(t, set);
	uint32_t *elems = xmalloc((s->count + 1) * sizeof *elems);
	set_id result;

	for (uint32_t i = 0; i < s->count; i++) {
		elems[i] = s->elems[i];
		if (elems[i] >= STRUCT_ELEM(0))
			elems[i] = STRUCT_ELEM(place[STRUCT_INDEX(elems[i])]);
	}
	result = set_of(t, elems, s->count);
	free(elems);
	return result;
}

/*
 * The structures to show, in `order`: structures that an access reaches, their holders, and unused pointers. Binding
 * calls may have made others.
 */
static size_t shown_structures(struct kernel *k, const struct set_table *sets, uint32_t *order)
{
	size_t n = 0;

	for (size_t i = 0; i < k->work.len; i++) {
		const struct set *s = set_get(sets, k->work.data[i].set);

		for (uint32_t j = 0; j < s->count; j++)
			if (s->elems[j] >= STRUCT_ELEM(0))
				k->notes.data[STRUCT_INDEX(s->elems[j])].shown = true;
	}
	/* A holder is made before what it leads to. */
	for (size_t i = k->structures.len; i-- > 0;)
		if (k->notes.data[i].shown && k->structures.data[i].kind == STRUCTURE_POINTEE)
			k->notes.data[k->structures.data[i].holder].shown = true;
	for (uint32_t i = 0; i < k->structures.len; i++)
		if (k->notes.data[i].shown)
			order[n++] = i;
	return n;
}

static void sort_structures(struct kernel *k, struct set_table *sets)
{
	size_t n = k->structures.len;
	uint32_t *order = xcalloc(n + 1, sizeof *order), *place = xcalloc(n + 1, sizeof *place);
	struct structure *structures = arena_array(&k->owner->arena, struct structure, n);
	struct structure_notes *notes = xcalloc(n + 1, sizeof *notes);

	n = shown_structures(k, sets, order);
	qsort_r(order, n, sizeof *order, compare_structures, k->structures.data);
	for (uint32_t i = 0; i < n; i++) {
		place[order[i]] = i;
		structures[i] = k->structures.data[order[i]];
		notes[i] = k->notes.data[order[i]];
	}
	for (size_t i = 0; i < n; i++)
		if (structures[i].kind == STRUCTURE_POINTEE)
			structures[i].holder = place[structures[i].holder];
	for (size_t i = 0; i < k->work.len; i++)
		k->work.data[i].set = remap(sets, k->work.data[i].set, place);
	for (size_t i = 0; i < k->calls.len; i++)
		k->calls.data[i].passed = remap(sets, k->calls.data[i].passed, place);
	memcpy(k->structures.data, structures, n * sizeof *structures);
	memcpy(k->notes.data, notes, n * sizeof *notes);
	k->facts.structures = structures;
	k->facts.nstructures = (uint32_t)n;
	free(order);
	free(place);
	free(notes);
}

static int compare_places(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void publish_numbers(struct kernel *k)
{
	if (!k->numbers.len)
		return;
	qsort(k->numbers.data, k->numbers.len, sizeof *k->numbers.data, compare_places);
	k->facts.numbers = arena_memdup(&k->owner->arena, k->numbers.data, k->numbers.len * sizeof *k->numbers.data);
	k->facts.nnumbers = (uint32_t)k->numbers.len;
}

void kernel_collect(struct kernel *k)
{
	struct collector c = {.k = k, .fm = k->owner->flow, .sets = k->owner->sets};

	c.position = k->owner->positions;
	find_functions(&c);
	make_bounds(&c);
	bind_all(&c);
	record_calls(&c);
	for (uint32_t i = 0; i < k->functions.len; i++)
		collect_function(&c, i);
	collect_widen_accesses(&c);
	collect_drifts(&c);
	drop_window_accesses(k);
	add_unused(&c);
	k->reads = c.fm->flows[k->facts.function].reads;
	publish_numbers(k);
	if (k->structures.len)
		sort_structures(k, c.sets);
	for (size_t i = 0; i < k->functions.len; i++)
		c.position[k->functions.data[i]] = 0;
	free(c.roots);
	free(c.bounds[0].structure);
	free(c.bounds);
}
