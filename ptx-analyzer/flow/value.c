/* Values and roots of the origin analysis: making, joining and narrowing them. */
#include "ptx-analyzer/flow/flow.h"

/*
 * The depth of DEREF chains. A kernel's pointers are followed twice, and the second DEREF includes all memory that it
 * leads to. A device function's pointers are followed further, since its caller is unknown; memory behind the last is
 * unknown.
 */
enum { KERNEL_DEPTH = 2, FUNCTION_DEPTH = 3 };
/*
 * A device function's pointer has a root for each offset below LARGEST_FIELD, until the function has MANY_ROOTS roots.
 */
enum { LARGEST_FIELD = 4096, MANY_ROOTS = 512 };

struct value value_unknown(const struct flow_module *fm)
{
	return (struct value){.set = fm->unknown, .deps = DEP_MEMORY, .offset = OFFSET_ANY};
}

bool root_is_local(const struct root *root)
{
	return root->kind == ROOT_LOCAL || root->kind == ROOT_RETURN || root->kind == ROOT_PARAM_SPACE;
}

bool root_is_fixed(const struct root *root)
{
	return root->kind != ROOT_PARAM && root->kind != ROOT_PARAM_ANY && root->kind != ROOT_DEREF;
}

struct value value_root(struct flow *fl, uint32_t root)
{
	unsigned flags = root_is_local(&fl->roots.data[root]) ? ELEM_LOCAL : 0;

	return (struct value){.set = set_single(fl->owner->sets, ELEM(root, flags))};
}

void flow_note_drift(struct flow *fl, struct value v)
{
	const struct set *s = set_get(fl->owner->sets, v.set);
	int64_t bias = value_bias(v);

	for (uint32_t i = 0; bias && i < s->count; i++) {
		struct root *r = &fl->roots.data[ELEM_ROOT(s->elems[i])];

		if (bias < r->drift_low)
			r->drift_low = bias;
		if (bias > r->drift_high)
			r->drift_high = bias;
	}
}

/*
 * The bias of a value that joins two with different biases. If both have the same roots, the older value's bias is
 * kept: it is the one before a loop's first round. If the roots differ, no single bias is right.
 */
static int64_t joined_bias(struct flow *fl, struct value old, struct value v)
{
	if (v.set == old.set || v.set == fl->owner->integer)
		return value_bias(old);
	if (old.set == fl->owner->integer)
		return value_bias(v);
	flow_note_drift(fl, old);
	flow_note_drift(fl, v);
	return 0;
}

bool value_join(struct flow *fl, struct value *into, struct value v)
{
	struct value old = *into;

	if (v.set == SET_EMPTY)
		return false;
	if (old.set == SET_EMPTY) {
		*into = v;
	} else {
		into->set = set_union(fl->owner->sets, old.set, v.set);
		into->beside = set_union(fl->owner->sets, old.beside, v.beside);
		into->deps |= v.deps;
		into->wide = v.wide > old.wide ? v.wide : old.wide;
		if (old.offset != v.offset)
			*into = value_unplaced(*into);
		if (into->offset == OFFSET_ANY && (old.span || v.span || old.offset != v.offset))
			*into = range_join(fl, old, v, *into);
		*into = object_join(fl, old, v, steps_join(fl, old, v, *into));
		if (value_bias(old) != value_bias(v))
			into->bias = joined_bias(fl, old, v);
	}
	if (into->set == old.set && into->deps == old.deps && into->offset == old.offset &&
	    into->beside == old.beside && into->low == old.low && into->span == old.span && into->wide == old.wide &&
	    into->step == old.step && into->small == old.small && into->object == old.object && into->edge == old.edge)
		return false;
	fl->changed = fl->grown = true;
	return true;
}

void value_gather(struct flow *fl, struct value *into, struct value v)
{
	bool changed = fl->changed, grown = fl->grown;

	value_join(fl, into, v);
	fl->changed = changed;
	fl->grown = grown;
}

/* clang-format off */
static const uint8_t changes[CHANGE_COUNT][ELEM_STATE + 1] = {
    [CHANGE_NARROW] = {[ELEM_WHOLE] = ELEM_PIECE, [ELEM_PIECE] = ELEM_PIECE, [ELEM_SCALED] = ELEM_PIECE,
		       [ELEM_SHIFTED] = ELEM_PIECE},
    [CHANGE_ASSEMBLE] = {[ELEM_WHOLE] = ELEM_WHOLE, [ELEM_PIECE] = ELEM_WHOLE, [ELEM_SCALED] = ELEM_WHOLE,
			 [ELEM_SHIFTED] = ELEM_WHOLE},
    [CHANGE_MULTIPLY] = {[ELEM_WHOLE] = ELEM_SCALED, [ELEM_PIECE] = ELEM_PIECE, [ELEM_SCALED] = ELEM_SCALED,
			 [ELEM_SHIFTED] = ELEM_WHOLE},
    [CHANGE_SHIFT] = {[ELEM_WHOLE] = ELEM_SHIFTED, [ELEM_PIECE] = ELEM_PIECE, [ELEM_SCALED] = ELEM_WHOLE,
		      [ELEM_SHIFTED] = ELEM_SHIFTED},
    [CHANGE_SPILL] = {[ELEM_WHOLE] = ELEM_WHOLE, [ELEM_PIECE] = ELEM_SCALED, [ELEM_SCALED] = ELEM_SCALED,
		      [ELEM_SHIFTED] = ELEM_SHIFTED},
    [CHANGE_RELOAD] = {[ELEM_WHOLE] = ELEM_WHOLE, [ELEM_PIECE] = ELEM_WHOLE, [ELEM_SCALED] = ELEM_SCALED,
		       [ELEM_SHIFTED] = ELEM_SHIFTED},
};
/* clang-format on */

set_id set_change(struct set_table *t, set_id s, enum elem_change change)
{
	uint32_t few[32], *elems = few;
	const struct set *v = set_get(t, s);
	set_id result;

	if (v->mapped[change] != SET_UNMAPPED)
		return v->mapped[change];
	if (v->count > 32)
		elems = xmalloc(v->count * sizeof *elems);
	for (uint32_t i = 0; i < v->count; i++) {
		uint32_t elem = v->elems[i];
		bool fixed = elem == ELEM_INTEGER || (elem & ELEM_LOCAL);

		elems[i] = fixed ? elem : (elem & ~(uint32_t)ELEM_STATE) | changes[change][elem & ELEM_STATE];
	}
	result = set_of(t, elems, v->count);
	if (elems != few)
		free(elems);
	set_get(t, s)->mapped[change] = result;
	return result;
}

set_id flow_assemble(const struct flow *fl, set_id s, enum elem_change change)
{
	const struct set *v = set_get(fl->owner->sets, s);
	uint32_t pieces = 0, kind;
	bool words = false;
	set_id whole;

	for (uint32_t i = 0; i < v->count; i++) {
		if ((v->elems[i] & ELEM_STATE) != ELEM_PIECE || (v->elems[i] & ELEM_LOCAL))
			continue;
		pieces++;
		kind = fl->roots.data[ELEM_ROOT(v->elems[i])].kind;
		words |= kind == ROOT_DEREF || (kind == ROOT_PARAM_ANY && change == CHANGE_ASSEMBLE);
	}
	whole = set_change(fl->owner->sets, s, change);
	return pieces > 1 || words ? set_union(fl->owner->sets, whole, fl->owner->unknown) : whole;
}

/* Whether a launch looks up this element's value as a word. Pieces from memory are unknown once they are assembled. */
static bool is_word(const struct flow *fl, uint32_t elem, bool params)
{
	const struct root *r = &fl->roots.data[ELEM_ROOT(elem)];
	bool whole = (elem & ELEM_STATE) == ELEM_WHOLE, piece = (elem & ELEM_STATE) == ELEM_PIECE;

	switch (r->kind) {
	case ROOT_DEREF: return whole;
	case ROOT_PARAM_ANY: return whole || (piece && params);
	case ROOT_PARAM:
		return params && (whole || piece) &&
		       fl->owner->module->symbols[fl->function->params[r->index]].size >= 8;
	default: return false;
	}
}

set_id flow_recode(const struct flow *fl, set_id s, bool params)
{
	struct set_table *t = fl->owner->sets;
	const uint32_t *elems = set_get(t, s)->elems;

	for (uint32_t i = 0, n = set_get(t, s)->count; i < n; i++)
		if (is_word(fl, elems[i], params))
			s = set_union(t, s, set_single(t, ELEM(ROOT_ID_UNKNOWN, elems[i] & ELEM_STATE)));
	return s;
}

set_id set_roots(const struct flow_module *fm, set_id s)
{
	const struct set *v = set_get(fm->sets, s);
	uint32_t few[32], *elems = few, n = 0;

	if (!set_has(fm->sets, s, ELEM_INTEGER))
		return s;
	if (v->count > 32)
		elems = xmalloc(v->count * sizeof *elems);
	for (uint32_t i = 0; i < v->count; i++)
		if (v->elems[i] != ELEM_INTEGER)
			elems[n++] = v->elems[i];
	s = set_of(fm->sets, elems, n);
	if (elems != few)
		free(elems);
	return s;
}

set_id set_bits(const struct flow_module *fm, set_id s)
{
	return set_roots(fm, set_change(fm->sets, s, CHANGE_NARROW));
}

set_id value_bits(const struct flow_module *fm, struct value v)
{
	return set_union(fm->sets, set_change(fm->sets, v.beside, CHANGE_NARROW), set_bits(fm, v.set));
}

set_id value_beside(const struct flow_module *fm, struct value v)
{
	const struct set *s = set_get(fm->sets, v.set);
	set_id beside = v.beside;

	for (uint32_t i = 0; i < s->count; i++) {
		if ((s->elems[i] & ELEM_STATE) != ELEM_WHOLE)
			beside = set_union(fm->sets, beside, set_single(fm->sets, s->elems[i]));
		s = set_get(fm->sets, v.set);
	}
	return beside;
}

void flow_note_kin(struct flow *fl, set_id s)
{
	for (size_t i = 0; i < fl->kin.len; i++)
		if (fl->kin.data[i] == s)
			return;
	vec_push(&fl->kin, s);
}

static size_t root_place(const struct flow *fl, enum root_kind kind, uint32_t index, int64_t offset)
{
	uint64_t h = ((uint64_t)kind << 56 ^ (uint64_t)index << 24 ^ (uint64_t)offset) * 0x9e3779b97f4a7c15u;
	size_t at = (h ^ h >> 31) & (fl->root_cap - 1);

	for (; fl->root_index[at]; at = (at + 1) & (fl->root_cap - 1)) {
		const struct root *r = &fl->roots.data[fl->root_index[at] - 1];

		if (r->kind == kind && r->index == index && r->offset == offset)
			break;
	}
	return at;
}

static void root_index_grow(struct flow *fl)
{
	free(fl->root_index);
	fl->root_cap = fl->root_cap ? fl->root_cap * 2 : 32;
	fl->root_index = xcalloc(fl->root_cap, sizeof *fl->root_index);
	for (size_t i = 0; i < fl->roots.len; i++) {
		const struct root *r = &fl->roots.data[i];

		fl->root_index[root_place(fl, r->kind, r->index, r->offset)] = (uint32_t)i + 1;
	}
}

uint32_t flow_root(struct flow *fl, enum root_kind kind, uint32_t index, int64_t offset)
{
	struct root r = {.kind = kind, .index = index, .offset = offset, .deref_any = PTX_NONE};
	size_t at;

	if (fl->roots.len * 2 >= fl->root_cap)
		root_index_grow(fl);
	at = root_place(fl, kind, index, offset);
	if (fl->root_index[at])
		return fl->root_index[at] - 1;
	if (kind == ROOT_DEREF)
		r.depth = (uint8_t)(fl->roots.data[index].depth + 1);
	r.definite = kind == ROOT_VARIABLE || kind == ROOT_HEAP || kind == ROOT_FUNCTION || kind == ROOT_WORKSPACE ||
		     root_is_local(&r);
	if (kind == ROOT_PARAM) {
		const struct ptx_symbol *s = &fl->owner->module->symbols[fl->function->params[index]];

		r.definite = s->is_pointer;
	}
	fl->root_index[at] = (uint32_t)fl->roots.len + 1;
	vec_push(&fl->roots, r);
	return (uint32_t)fl->roots.len - 1;
}

/* Does a kernel tell the root's words apart? Those of constant memory, if there are several. */
static bool has_words(const struct flow *fl, uint32_t root, int64_t offset)
{
	const struct root *r = &fl->roots.data[root];
	const struct ptx_symbol *s = &fl->owner->module->symbols[r->kind == ROOT_VARIABLE ? r->index : 0];

	return r->kind == ROOT_VARIABLE && s->space == PTX_SPACE_CONST && s->size > 8 && offset != OFFSET_ANY &&
	       offset % 8 == 0;
}

uint32_t flow_deref(struct flow *fl, uint32_t root, int64_t offset)
{
	bool kernel = fl->function->is_kernel;
	uint32_t deref;

	if (root == ROOT_ID_UNKNOWN || (kernel && fl->roots.data[root].depth == KERNEL_DEPTH))
		return root;
	if (fl->roots.data[root].depth == FUNCTION_DEPTH)
		return ROOT_ID_UNKNOWN;
	if ((kernel && !has_words(fl, root, offset)) || offset < 0 || offset >= LARGEST_FIELD ||
	    fl->roots.len > MANY_ROOTS)
		offset = OFFSET_ANY;
	if (offset != OFFSET_ANY)
		return flow_root(fl, ROOT_DEREF, root, offset);
	if (fl->roots.data[root].deref_any == PTX_NONE) {
		deref = flow_root(fl, ROOT_DEREF, root, OFFSET_ANY);
		fl->roots.data[root].deref_any = deref;
	}
	return fl->roots.data[root].deref_any;
}

bool is_windowed(enum ptx_space space)
{
	return space != PTX_SPACE_GLOBAL && space != PTX_SPACE_GENERIC && space != PTX_SPACE_CONST;
}

static bool reaches(const struct flow *fl, uint32_t elem, enum ptx_space space)
{
	const struct root *root = &fl->roots.data[ELEM_ROOT(elem)];

	if ((elem & ELEM_STATE) != ELEM_WHOLE || elem == ELEM_INTEGER || root->kind == ROOT_FUNCTION)
		return false;
	switch (space) {
	case PTX_SPACE_GENERIC: return true;
	case PTX_SPACE_GLOBAL:
	case PTX_SPACE_CONST: return !(elem & ELEM_LOCAL);
	default: return elem & ELEM_LOCAL;
	}
}

set_id flow_targets(struct flow *fl, struct value address, enum ptx_space space)
{
	struct set_table *t = fl->owner->sets;
	const struct set *v = set_get(t, address.set);
	uint32_t few[32], *elems = few, n = 0;
	set_id result;

	if (v->count == 1 && reaches(fl, v->elems[0], space))
		return address.set;
	if (address.set == fl->owner->integer && address.offset == 0 && !is_windowed(space))
		return SET_EMPTY;
	if (v->count > 32)
		elems = xmalloc(v->count * sizeof *elems);
	for (uint32_t i = 0; i < v->count; i++)
		if (reaches(fl, v->elems[i], space))
			elems[n++] = v->elems[i];
	result = n ? set_of(t, elems, n) : fl->owner->unknown;
	if (elems != few)
		free(elems);
	return result;
}
