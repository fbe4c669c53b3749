/*
 * Abstract memory of a function: what each root's memory may hold, by place where the place is constant.
 *
 * Stores only ever add. Memory that a caller or the host can reach starts with unknown contents (a DEREF of its
 * root); memory of the thread and CTA starts empty.
 */
#include "ptx-analyzer/flow/flow.h"

/* Limits of the places that are told apart in one root's memory: recursion could make more and more of them. */
enum { MANY_FIELDS = 256, MANY_SLOTS = 1 << 16 };

static size_t slot_place(const struct flow *fl, uint32_t root, int64_t index)
{
	uint64_t h = ((uint64_t)root << 40 ^ (uint64_t)index) * 0x9e3779b97f4a7c15u;
	size_t at = (h ^ h >> 31) & (fl->slot_cap - 1);

	for (; fl->slot_index[at]; at = (at + 1) & (fl->slot_cap - 1)) {
		const struct slot *s = &fl->slots.data[fl->slot_index[at] - 1];

		if (s->root == root && s->index == index)
			break;
	}
	return at;
}

static void slot_index_grow(struct flow *fl)
{
	free(fl->slot_index);
	fl->slot_cap = fl->slot_cap ? fl->slot_cap * 2 : 32;
	fl->slot_index = xcalloc(fl->slot_cap, sizeof *fl->slot_index);
	for (size_t i = 0; i < fl->slots.len; i++) {
		const struct slot *s = &fl->slots.data[i];

		fl->slot_index[slot_place(fl, s->root, s->index)] = (uint32_t)i + 1;
	}
}

/* NULL when it does not exist and `make` is false. */
static struct value *slot_value(struct flow *fl, uint32_t root, int64_t index, bool make)
{
	size_t at;

	if (fl->slots.len * 2 >= fl->slot_cap) {
		if (!make && fl->slot_cap == 0)
			return NULL;
		slot_index_grow(fl);
	}
	at = slot_place(fl, root, index);
	if (fl->slot_index[at])
		return &fl->slots.data[fl->slot_index[at] - 1].value;
	if (!make)
		return NULL;
	vec_push(&fl->slots, (struct slot){root, index, {.set = SET_EMPTY}});
	fl->slot_index[at] = (uint32_t)fl->slots.len;
	fl->roots.data[root].nslots++;
	return &fl->slots.data[fl->slots.len - 1].value;
}

static int64_t floor_slot(int64_t offset)
{
	return (offset - (offset < 0 ? GRAIN - 1 : 0)) / GRAIN;
}

static void load_stored(struct flow *fl, uint32_t root, int64_t offset, unsigned size, struct value *into)
{
	struct root *r = &fl->roots.data[root];

	if (offset == OFFSET_ANY) {
		value_gather(fl, into, r->all);
		return;
	}
	value_gather(fl, into, r->any);
	if (r->nslots == 0)
		return;
	for (int64_t i = floor_slot(offset); i <= floor_slot(offset + size - 1); i++) {
		const struct value *v = slot_value(fl, root, i, false);

		if (v)
			value_gather(fl, into, *v);
	}
}

/*
 * A load of a whole pointer belongs to the pointer at its offset. A narrow load from a struct may belong to any of the
 * struct's pointers, since a packed struct need not align them.
 */
static uint32_t param_root(struct flow *fl, uint32_t param, int64_t offset, unsigned size)
{
	bool aggregate = fl->owner->module->symbols[fl->function->params[param]].is_array;

	if (aggregate && (offset == OFFSET_ANY || size != 8))
		return flow_root(fl, ROOT_PARAM_ANY, param, 0);
	return flow_root(fl, ROOT_PARAM, param, aggregate ? offset : 0);
}

static struct value load_param(struct flow *fl, uint32_t param, int64_t offset, unsigned size)
{
	struct value v = value_root(fl, param_root(fl, param, offset, size));
	unsigned bit = DEP_PARAM_BIT + param;

	if (size != 8)
		v = value_unplaced(v);
	if (!fl->function->is_kernel)
		v.deps = (uint64_t)1 << (bit < DEP_PARAM_LAST ? bit : DEP_PARAM_LAST);
	return v;
}

/* Addresses that a variable's initialiser holds. */
static void load_initial(struct flow *fl, const struct ptx_symbol *s, struct value *into)
{
	const struct ptx_module *m = fl->owner->module;

	for (size_t i = 0; i < s->nrelocs; i++) {
		const struct ptx_symbol *target = &m->symbols[s->relocs[i].symbol];
		bool function = target->kind == PTX_SYMBOL_FUNCTION;
		uint32_t root = flow_root(fl, function ? ROOT_FUNCTION : ROOT_VARIABLE,
					  function ? target->callee : s->relocs[i].symbol, 0);
		struct value v = value_root(fl, root);

		v = value_unplaced(v);
		value_gather(fl, into, v);
	}
}

/*
 * A DEREF at a constant offset is one word: a load of two words may bring any word. Numbers that the kernel has stored
 * by another name may be there as well. They are not bases, so a launch need not keep the names apart for them. In a
 * device function the DEREF includes these numbers, as it includes pointers.
 */
static struct value load_outside(struct flow *fl, uint32_t root, int64_t offset, unsigned size)
{
	struct value v = value_root(fl, flow_deref(fl, root, size > 8 ? OFFSET_ANY : offset));

	if (fl->function->is_kernel)
		v.beside = set_change(fl->owner->sets, value_beside(fl->owner, fl->published), CHANGE_NARROW);
	v.deps = DEP_MEMORY;
	return v;
}

/*
 * Addresses of this function's own memory, stored where others can read them. A load from outside needs no other stored
 * values: its DEREF means the caller's memory after these stores were made in it.
 */
static struct value published_locals(struct flow *fl)
{
	struct set_table *t = fl->owner->sets;
	struct value v = value_unplaced(fl->published);

	v.set = SET_EMPTY;
	for (uint32_t i = 0; i < set_get(t, fl->published.set)->count; i++) {
		uint32_t elem = set_get(t, fl->published.set)->elems[i];

		if (elem & ELEM_LOCAL)
			v.set = set_union(t, v.set, set_single(t, elem));
	}
	return v;
}

/* Whether the root is shared memory. A local root without a symbol is an alloca, which is not. */
static bool is_shared(const struct flow *fl, const struct root *r)
{
	return r->kind == ROOT_LOCAL && r->index < fl->owner->module->nsymbols &&
	       fl->owner->module->symbols[r->index].space == PTX_SPACE_SHARED;
}

/* Memory that no other thread sees, in which bounds may tell places apart. */
static bool is_private(const struct flow *fl, const struct root *r)
{
	return r->kind == ROOT_LOCAL && !is_shared(fl, r);
}

int64_t flow_local_align(const struct flow *fl, uint32_t root)
{
	const struct root *r = &fl->roots.data[root];
	const struct ptx_symbol *s;

	if (r->kind != ROOT_LOCAL || r->index >= fl->owner->module->nsymbols)
		return 0;
	s = &fl->owner->module->symbols[r->index];
	if ((s->space != PTX_SPACE_LOCAL && s->space != PTX_SPACE_SHARED) || s->linkage == PTX_LINK_EXTERN)
		return 0;
	return s->align;
}

static void load_root(struct flow *fl, uint32_t root, int64_t offset, unsigned size, struct value *into)
{
	bool kernel = fl->function->is_kernel;
	struct root r = fl->roots.data[root];

	load_stored(fl, root, offset, size, into);
	switch (r.kind) {
	case ROOT_UNKNOWN:
		value_gather(fl, into, value_unknown(fl->owner));
		value_gather(fl, into, fl->published);
		break;
	case ROOT_PARAM_SPACE: value_gather(fl, into, load_param(fl, r.index, offset, size)); break;
	case ROOT_LOCAL:
	case ROOT_RETURN:
		value_gather(fl, into, fl->unplaced);
		if (is_shared(fl, &r) && !kernel)
			value_gather(fl, into, load_outside(fl, root, offset, size));
		if (r.escaped) {
			value_gather(fl, into, value_unknown(fl->owner));
			value_gather(fl, into, fl->published);
		}
		break;
	case ROOT_VARIABLE:
		load_initial(fl, &fl->owner->module->symbols[r.index], into);
		value_gather(fl, into, load_outside(fl, root, offset, size));
		break;
	case ROOT_FUNCTION:
	case ROOT_INTEGER: value_gather(fl, into, value_integer(fl->owner, OFFSET_ANY)); break;
	default:
		value_gather(fl, into, load_outside(fl, root, offset, size));
		if (r.kind == ROOT_HEAP)
			value_gather(fl, into, fl->published);
		else if (!kernel)
			value_gather(fl, into, published_locals(fl));
	}
}

static int64_t add_offsets(int64_t a, int64_t b)
{
	int64_t sum;

	if (a == OFFSET_ANY || b == OFFSET_ANY || __builtin_add_overflow(a, b, &sum) || sum > INT32_MAX ||
	    sum < INT32_MIN)
		return OFFSET_ANY;
	return sum;
}

/*
 * The bytes of root `root` that an access of `size` bytes at `address` + `offset` may touch: at `count` places, that
 * are `step` bytes apart.
 */
struct extent {
	int64_t offset; /* OFFSET_ANY = any */
	unsigned size, step, count;
};

/*
 * Bytes of memory of which places are told apart between bounds. An access beyond its variable is none of the
 * program's.
 */
enum { WIDEST_EXTENT = 1 << 13 };

/* The places in bytes `low` to `high` at which the address may be, as a multiple of its step and a rest. */
static struct extent places_between(struct value address, int64_t offset, unsigned size, int64_t low, int64_t high)
{
	int64_t step = address.step, first = low + ((address.rest + offset - low) % step + step) % step;

	if (first + size > high)
		return (struct extent){low, (unsigned)(high - low), 0, 1};
	return (struct extent){first, size, address.step, (unsigned)((high - size - first) / step) + 1};
}

/* The bytes of an address with bounds: `low` to `high`, as far as its variable goes. */
static void keep_to_bounds(struct value address, int64_t offset, unsigned size, int64_t *low, int64_t *high)
{
	int64_t first = (int64_t)address.low + offset, end = first + address.span + size;

	*low = first > *low ? first : *low;
	if (address.span != SPAN_OPEN && end < *high)
		*high = end;
}

static struct extent extent_of(const struct flow *fl, uint32_t root, struct value address, int64_t offset,
			       unsigned size)
{
	const struct extent anywhere = {OFFSET_ANY, size, 0, 1};
	struct extent e = {add_offsets(address.offset, offset), size, 0, 1};
	const struct root *r = &fl->roots.data[root];
	int64_t low = 0, high = INT32_MAX;
	bool bounded = address.span && !address.number && offset != OFFSET_ANY, known;

	if (address.offset != OFFSET_ANY || !is_private(fl, r))
		return e;
	if (r->index < fl->owner->module->nsymbols)
		high = (int64_t)fl->owner->module->symbols[r->index].size;
	known = object_extent(fl, root, address, offset, &low, &high);
	if (!known && (!bounded || (address.span == SPAN_OPEN && r->index >= fl->owner->module->nsymbols)))
		return anywhere;
	if (bounded)
		keep_to_bounds(address, offset, size, &low, &high);
	if (low >= high || high - low > WIDEST_EXTENT)
		return anywhere;
	if (address.step > 1 && address.step >= size && !address.counts && offset != OFFSET_ANY)
		return places_between(address, offset, size, low, high);
	return (struct extent){low, (unsigned)(high - low), 0, 1};
}

static int64_t at_place(const struct extent *e, unsigned n)
{
	return e->offset == OFFSET_ANY ? OFFSET_ANY : e->offset + (int64_t)n * e->step;
}

/* Joins the contents of all shared, local and parameter memory, for a load at an unknown address. */
static void load_unplaced(struct flow *fl, struct value *into)
{
	value_gather(fl, into, fl->unplaced);
	for (size_t i = 0; i < fl->roots.len; i++)
		if (root_is_local(&fl->roots.data[i]))
			value_gather(fl, into, fl->roots.data[i].all);
}

/*
 * Loads a pointer at an index in a kernel's struct parameter: any pointer between the bounds. A load of 8 bytes is
 * aligned, so only multiples of 8 count. Returns false, and does nothing, for other loads.
 */
static bool load_field(struct flow *fl, uint32_t root, struct value address, int64_t offset, unsigned size,
		       struct value *into)
{
	const struct root r = fl->roots.data[root];
	const struct ptx_symbol *s;
	int64_t low = add_offsets(address.low, offset);

	if (r.kind != ROOT_PARAM_SPACE || !fl->function->is_kernel || address.offset != OFFSET_ANY || !address.span ||
	    address.number || size != 8)
		return false;
	s = &fl->owner->module->symbols[fl->function->params[r.index]];
	if (!s->is_array || s->align % 8 || low < 0 || (uint64_t)low + address.span + size > s->size)
		return false;
	load_stored(fl, root, OFFSET_ANY, size, into);
	for (int64_t at = (low + 7) / 8 * 8; at <= low + address.span; at += 8)
		value_gather(fl, into, load_param(fl, r.index, at, size));
	return true;
}

/* The bits in an access's address. The element that a load reads from a table tells something of the index. */
static set_id bits_of_place(const struct flow *fl, struct value address)
{
	return set_change(fl->owner->sets, value_beside(fl->owner, address), CHANGE_NARROW);
}

struct value flow_load(struct flow *fl, struct value address, int64_t offset, unsigned size, enum ptx_space space)
{
	struct set_table *t = fl->owner->sets;
	set_id targets = flow_targets(fl, address, space);
	struct value v = {.set = SET_EMPTY};
	const uint32_t *elems = set_get(t, targets)->elems;

	if (address.set == SET_EMPTY)
		return v;
	for (uint32_t i = 0, n = set_get(t, targets)->count; i < n; i++) {
		struct extent e = extent_of(fl, ELEM_ROOT(elems[i]), address, offset, size);

		if (!load_field(fl, ELEM_ROOT(elems[i]), address, offset, size, &v))
			for (unsigned k = 0; k < e.count; k++)
				load_root(fl, ELEM_ROOT(elems[i]), at_place(&e, k), e.size, &v);
	}
	if (targets == fl->owner->unknown && is_windowed(space))
		load_unplaced(fl, &v);
	if (space == PTX_SPACE_CONST && address.deps == 0)
		v.deps &= ~(uint64_t)DEP_MEMORY;
	if (v.set != SET_EMPTY && space != PTX_SPACE_PARAM)
		v.deps |= address.deps;
	if (v.set != SET_EMPTY)
		v.beside = set_union(t, v.beside, bits_of_place(fl, address));
	v.set = size < 8 ? set_change(t, v.set, CHANGE_NARROW) : flow_assemble(fl, v.set, CHANGE_RELOAD);
	if (size != 8)
		v = value_unplaced(v);
	return v;
}

void flow_note_stored(struct flow *fl, set_id targets)
{
	const struct set *s = set_get(fl->owner->sets, targets);

	for (uint32_t i = 0; i < s->count; i++) {
		struct root *r = &fl->roots.data[ELEM_ROOT(s->elems[i])];

		fl->changed |= !r->stored;
		fl->grown |= !r->stored;
		r->stored = true;
	}
}

void flow_publish(struct flow *fl, struct value v)
{
	value_join(fl, &fl->published, v);
}

static void store_root(struct flow *fl, uint32_t root, int64_t offset, unsigned size, struct value v)
{
	bool outside = !root_is_local(&fl->roots.data[root]);

	if (outside) {
		if (v.set == fl->owner->integer)
			return;
		flow_publish(fl, v);
		if (fl->function->is_kernel)
			offset = OFFSET_ANY;
	}
	value_join(fl, &fl->roots.data[root].all, v);
	if (fl->roots.data[root].nslots >= (outside ? MANY_FIELDS : MANY_SLOTS))
		offset = OFFSET_ANY;
	if (offset == OFFSET_ANY) {
		value_join(fl, &fl->roots.data[root].any, v);
		return;
	}
	for (int64_t i = floor_slot(offset); i <= floor_slot(offset + size - 1); i++)
		value_join(fl, slot_value(fl, root, i, true), v);
}

void flow_store(struct flow *fl, struct value address, int64_t offset, unsigned size, struct value v,
		enum ptx_space space)
{
	struct set_table *t = fl->owner->sets;
	set_id targets = flow_targets(fl, address, space);
	const uint32_t *elems = set_get(t, targets)->elems;

	flow_note_stored(fl, targets);
	if (address.set == SET_EMPTY || v.set == SET_EMPTY)
		return;
	v.beside = set_union(t, v.beside, bits_of_place(fl, address));
	if (space != PTX_SPACE_GLOBAL && set_has(t, targets, ELEM_UNKNOWN))
		value_join(fl, &fl->unplaced, v);
	for (uint32_t i = 0, n = set_get(t, targets)->count; i < n; i++) {
		struct extent e = extent_of(fl, ELEM_ROOT(elems[i]), address, offset, size);

		for (unsigned k = 0; k < e.count; k++)
			store_root(fl, ELEM_ROOT(elems[i]), at_place(&e, k), e.size, v);
	}
}

void flow_close_escapes(struct flow *fl)
{
	bool more = true;

	while (more) {
		const struct set *seen = set_get(fl->owner->sets, fl->published.set);

		more = false;
		for (uint32_t i = 0; i < seen->count; i++) {
			struct root *r = &fl->roots.data[ELEM_ROOT(seen->elems[i])];

			if (!root_is_local(r))
				continue;
			if (!r->escaped)
				fl->changed = fl->grown = r->escaped = true;
			more |= value_join(fl, &fl->published, r->all);
			seen = set_get(fl->owner->sets, fl->published.set);
			if (more)
				break;
		}
	}
}
