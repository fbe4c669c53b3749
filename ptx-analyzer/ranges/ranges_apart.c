/* A guard by ranges: each marked load of one side against each write of the other. */
#include "ptx-analyzer/ranges/ranges.h"

static bool touches(const struct access *a, uint32_t structure)
{
	for (uint32_t i = 0; i < a->nstructures; i++)
		if (a->structures[i] == structure)
			return true;
	return false;
}

/* A kernel takes pointers out of it: what it reads there counts, marked or not. */
static bool is_holder(const struct kernel_facts *facts, uint32_t structure)
{
	for (uint32_t i = 0; i < facts->nstructures; i++)
		if (facts->structures[i].kind == STRUCTURE_POINTEE && facts->structures[i].holder == structure)
			return true;
	return false;
}

/* The range of an access of the kernel's own code is added to the list; false where it is not known. */
static bool add_range(const struct launch_ranges *l, const struct kernel_facts *facts, const struct access *a,
		      range_list *list)
{
	struct byte_range r;

	if (a->function != facts->function)
		return false;
	r = ptx_ranges_of(l, a->inst);
	if (r.kind == RANGE_KNOWN)
		vec_push(list, r);
	return r.kind != RANGE_UNKNOWN;
}

static bool meet(const range_list *reads, const range_list *writes)
{
	for (size_t i = 0; i < reads->len; i++)
		for (size_t j = 0; j < writes->len; j++)
			if (reads->data[i].first <= writes->data[j].last &&
			    writes->data[j].first <= reads->data[i].last)
				return true;
	return false;
}

/* A side without any access is one that is not understood here. */
bool ptx_ranges_apart(const struct launch_ranges *l, const struct kernel_facts *facts, const struct access *accesses,
		      size_t count, const struct guard *guard)
{
	bool all_reads = is_holder(facts, guard->reads), known = true, reads_any = false, writes_any = false;
	range_list reads = VEC_INIT, writes = VEC_INIT;

	for (size_t i = 0; i < count && known; i++) {
		const struct access *a = &accesses[i];

		if (touches(a, guard->reads) && a->is_load && (a->marked || all_reads)) {
			known = add_range(l, facts, a, &reads);
			reads_any = true;
		}
		if (known && touches(a, guard->writes) && (a->is_store || a->is_atomic)) {
			known = add_range(l, facts, a, &writes);
			writes_any = true;
		}
	}
	known = known && reads_any && writes_any && !meet(&reads, &writes);
	vec_release(&reads);
	vec_release(&writes);
	return known;
}
