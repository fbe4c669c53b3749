/*
 * Finds bits of pointers beside pointers: the kernel's pointers whose bits are in an address beside its base.
 *
 * Such an address, as p + (int)(q - p), may lead anywhere. The whole kernel decides what is a pointer and what a
 * number: a parameter of 64 bits is a pointer if any instruction uses it as an address.
 */
#include "ptx-analyzer/readonly/collect.h"

/* The kernel's roots whose bits root `root` of the function at `position` may hold. */
static set_id bits_of(struct collector *c, uint32_t position, uint32_t root)
{
	const struct flow *fl = &c->fm->flows[c->k->functions.data[position]];
	const struct bound *b = &c->bounds[position];
	const struct root r = fl->roots.data[root];

	if (r.kind == ROOT_HEAP || r.kind == ROOT_WORKSPACE || (r.kind == ROOT_VARIABLE && !collect_is_constant(c, &r)))
		return set_single(c->sets, collect_kernel_root(c, &r));
	if (root == ROOT_ID_UNKNOWN)
		return set_single(c->sets, ROOT_ID_UNKNOWN);
	if (root_is_local(&r))
		return set_single(c->sets, BITS_OF_WINDOW);
	if (root >= b->nroots || root_is_fixed(&r))
		return SET_EMPTY;
	if (position == 0)
		return set_single(c->sets, root);
	return b->bits[root];
}

static set_id beside_of(const struct collector *c, uint32_t position, uint32_t root)
{
	const struct bound *b = &c->bounds[position];

	return root < b->nroots ? b->beside[root] : SET_EMPTY;
}

/* All bits of the elements of `set`, and what is beside them; of whole pointers only the latter if `whole` is false. */
set_id collect_bits(struct collector *c, uint32_t position, set_id set, bool whole)
{
	set_id bits = SET_EMPTY;

	for (uint32_t i = 0; i < set_get(c->fm->sets, set)->count; i++) {
		uint32_t elem = set_get(c->fm->sets, set)->elems[i];

		bits = set_union(c->sets, bits, beside_of(c, position, ELEM_ROOT(elem)));
		if (whole || (elem & ELEM_STATE) != ELEM_WHOLE)
			bits = set_union(c->sets, bits, bits_of(c, position, ELEM_ROOT(elem)));
	}
	return bits;
}

/* Callee's root `b` may hold these bits; true if that is new. */
bool collect_bind_bits(struct collector *c, uint32_t position, struct bound *callee, const struct flow_binding *b)
{
	set_id all = collect_bits(c, position, b->beside, true);
	set_id beside = set_union(c->sets, all, collect_bits(c, position, b->set, false));
	set_id old_bits = callee->bits[b->root], old_beside = callee->beside[b->root];

	all = set_union(c->sets, all, collect_bits(c, position, b->set, true));
	callee->bits[b->root] = set_union(c->sets, old_bits, all);
	callee->beside[b->root] = set_union(c->sets, old_beside, beside);
	return callee->bits[b->root] != old_bits || callee->beside[b->root] != old_beside;
}

/* --- Roots that are pointers --- */

/* Structures that some access reaches by name. */
static bool *find_accessed(const struct collector *c)
{
	bool *accessed = xcalloc(c->k->structures.len + 1, sizeof *accessed);

	for (size_t i = 0; i < c->k->work.len; i++) {
		const struct set *s = set_get(c->sets, c->k->work.data[i].set);

		for (uint32_t j = 0; j < s->count; j++)
			if (s->elems[j] >= STRUCT_ELEM(0))
				accessed[STRUCT_INDEX(s->elems[j])] = true;
	}
	return accessed;
}

/*
 * If a root of a difference is a pointer, the others become pointers; a root of `loaded` counts as a pointer here, too.
 * True if that changes anything. Between words of the same memory a difference is a number.
 */
static bool spread_to_kin(struct collector *c, uint32_t position, set_id kin, const bool *loaded, bool *pointer)
{
	const struct set *s = set_get(c->sets, collect_bits(c, position, kin, true));
	bool some = false, all = true;

	uint32_t first = s->count && s->elems[0] == BITS_OF_WINDOW;

	for (uint32_t i = first; i < s->count; i++) {
		some |= pointer[s->elems[i]] || loaded[s->elems[i]];
		all &= pointer[s->elems[i]];
	}
	some &= s->count > 1 + first;
	for (uint32_t i = first; some && i < s->count; i++)
		pointer[s->elems[i]] = true;
	return some && !all;
}

/*
 * Decides which of the kernel's roots are pointers: variables, the heap, parameters used as pointers, and their kin.
 * Words that were in memory when the kernel started are data, unless they are the kin of a pointer. If such words are
 * used as addresses, their kin are pointers.
 */
static bool *find_pointers(struct collector *c)
{
	const struct flow *kernel = &c->fm->flows[c->k->facts.function];
	bool *accessed = find_accessed(c), *loaded, *pointer, more = true;

	for (uint32_t i = 0; i < c->k->functions.len; i++)
		for (size_t j = 0; j < c->fm->flows[c->k->functions.data[i]].kin.len; j++)
			collect_bits(c, i, c->fm->flows[c->k->functions.data[i]].kin.data[j], true);
	pointer = xcalloc(kernel->roots.len + 1, sizeof *pointer);
	loaded = xcalloc(kernel->roots.len + 1, sizeof *loaded);
	for (uint32_t r = 0; r < kernel->roots.len; r++) {
		uint32_t structure = c->bounds[0].structure[r];
		bool is_address = structure && accessed[structure - 1];

		loaded[r] = is_address && kernel->roots.data[r].kind == ROOT_DEREF;
		pointer[r] = kernel->roots.data[r].definite || (is_address && !loaded[r]);
	}
	pointer[ROOT_ID_UNKNOWN] = pointer[BITS_OF_WINDOW] = false;
	while (more) {
		more = false;
		for (uint32_t i = 0; i < c->k->functions.len; i++) {
			const struct flow *fl = &c->fm->flows[c->k->functions.data[i]];

			for (size_t j = 0; j < fl->kin.len; j++)
				more |= spread_to_kin(c, i, fl->kin.data[j], loaded, pointer);
		}
	}
	free(accessed);
	free(loaded);
	return pointer;
}

/*
 * Finds memory whose words are in differences, or are joined with others bit by bit. PTX does not tell whether such
 * words are pointers that the kernel never follows.
 */
static bool *find_differences(struct collector *c)
{
	const struct flow *kernel = &c->fm->flows[c->k->facts.function];
	bool *differs = xcalloc(kernel->roots.len + 1, sizeof *differs);

	for (uint32_t i = 0; i < c->k->functions.len; i++) {
		const struct flow *fl = &c->fm->flows[c->k->functions.data[i]];

		for (size_t j = 0; j < fl->kin.len; j++) {
			const struct set *s = set_get(c->sets, collect_bits(c, i, fl->kin.data[j], true));

			for (uint32_t n = 0; n < s->count; n++)
				if (s->elems[n] != BITS_OF_WINDOW)
					differs[s->elems[n]] |= kernel->roots.data[s->elems[n]].kind == ROOT_DEREF;
		}
	}
	return differs;
}

/* Is the kernel's root `root` the only base that the access has? */
static bool is_only_base(const struct collector *c, const struct kernel_access *a, uint32_t root)
{
	uint32_t structure = c->bounds[0].structure[root];

	if (c->fm->flows[c->k->facts.function].roots.data[root].kind == ROOT_WORKSPACE)
		return a->set == set_single(c->sets, STRUCT_WORKSPACE);
	return structure && a->set == set_single(c->sets, STRUCT_ELEM(structure - 1));
}

/*
 * True if a generic load may read shared, local or parameter memory that is not among its bases. Without a generic
 * address of such memory in the kernel, no load can.
 */
static bool may_reach_window(const struct collector *c, const struct kernel_access *a)
{
	if (!c->windows || a->space != PTX_SPACE_GENERIC || a->set == SET_EMPTY)
		return false;
	return set_has(c->sets, a->beside, BITS_OF_WINDOW) ||
	       (c->unknown && set_has(c->sets, a->set, STRUCT_ELEM(c->unknown - 1)));
}

/*
 * An address that holds bits of another pointer beside its base may lead anywhere, so it is unknown as well. Bits of
 * the base itself, as when it is put together from its halves, lead nowhere else. A difference of words from memory
 * that is added unchanged, neither scaled nor narrowed, may be a difference of pointers.
 */
void collect_widen_accesses(struct collector *c)
{
	bool *pointer = find_pointers(c), *differs = find_differences(c);

	for (size_t i = 0; i < c->k->work.len; i++) {
		struct kernel_access *a = &c->k->work.data[i];
		const struct set *s = set_get(c->sets, a->beside);
		bool anywhere = false;

		for (uint32_t j = 0; j < s->count; j++)
			anywhere |= (pointer[s->elems[j]] ||
				     (differs[s->elems[j]] && set_has(c->sets, a->whole, s->elems[j]))) &&
				    !is_only_base(c, a, s->elems[j]);
		if (anywhere)
			a->set = set_union(c->sets, a->set, set_single(c->sets, STRUCT_ELEM(collect_unknown(c))));
		if (may_reach_window(c, a))
			a->set = set_union(c->sets, a->set, set_single(c->sets, STRUCT_WINDOW));
	}
	free(pointer);
	free(differs);
}
