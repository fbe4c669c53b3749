/*
 * Each ground names a fact that IR shows and PTX does not, or the other way round. Its check removes that fact. Then
 * the two must agree, or the analyser that does not mark must confirm the fact for the other.
 */
#include "cli/cross_check_grounds.h"

#include "ptx-analyzer/language/module/ptx_access.h"

/* --- Other conditions --- */

static const struct view *other_view(struct conditions *c, struct other_view *other, const struct pass_options *options)
{
	struct diag d = DIAG_INIT;

	if (!other->tried) {
		other->tried = true;
		other->made = view_make(&other->view, c->file, c->data, c->size, options, &d) == 0;
	}
	return other->made ? &other->view : NULL;
}

static const struct view *without_promises(struct conditions *c)
{
	struct pass_options options = c->options;

	options.bare = true;
	return other_view(c, &c->bare, &options);
}

static const struct view *optimised(struct conditions *c)
{
	struct pass_options options = c->options;

	options.optimise = 3;
	return other_view(c, &c->optimised, &options);
}

static const struct view *at_guarded(struct conditions *c)
{
	struct pass_options options = c->options;

	options.alias = ALIAS_GUARDED;
	return other_view(c, &c->guarded, &options);
}

static const struct view *at_distinct(struct conditions *c)
{
	struct pass_options options = c->options;

	options.alias = ALIAS_DISTINCT;
	return other_view(c, &c->distinct, &options);
}

static void other_release(struct other_view *other)
{
	if (other->made)
		view_release(&other->view);
	*other = (struct other_view){.tried = false};
}

void conditions_release(struct conditions *c)
{
	other_release(&c->bare);
	other_release(&c->optimised);
	other_release(&c->guarded);
	other_release(&c->distinct);
}

/* --- Facts of a kernel --- */

static const json_t *named(const json_t *list, const char *key, const char *name)
{
	const json_t *item;
	size_t i;

	json_array_foreach(list, i,
			   item) if (strcmp(json_string_value(json_object_get(item, key)), name) == 0) return item;
	return NULL;
}

static const json_t *pass_structures(const struct view *v, const char *kernel)
{
	return json_object_get(named(json_object_get(v->report, "kernels"), "name", kernel), "structures");
}

static int number(const json_t *s, const char *key)
{
	return (int)json_integer_value(json_object_get(s, key));
}

static bool is_only_read(const json_t *s)
{
	return s && strcmp(json_string_value(json_object_get(s, "verdict")), verdict_name(VERDICT_READ_ONLY)) == 0;
}

static bool ptx_may_write(const struct kernel_facts *k, const char *id)
{
	for (uint32_t i = 0; i < k->nstructures; i++)
		if (strcmp(k->structures[i].id, id) == 0)
			return k->structures[i].verdict != VERDICT_UNUSED &&
			       k->structures[i].verdict != VERDICT_READ_ONLY;
	return false;
}

/* --- Grounds --- */

/* Without noalias and constant both say the same. */
static bool by_promises(struct conditions *c, const struct view *v, const struct seen_load *load)
{
	const struct view *bare = without_promises(c);
	const struct seen_load *twin = bare ? view_twin(bare, v, load) : NULL;

	return twin && seen_the_same(twin);
}

static bool by_assembly(struct conditions *c, const struct view *v, const struct seen_load *load)
{
	(void)c, (void)v;
	return load->in_assembly && !load->by_pass;
}

/*
 * The pass has marked every load of every structure that this load may read, in every kernel that reaches it: a mark
 * was lost later.
 */
static bool by_lost_mark(struct conditions *c, const struct view *v, const struct seen_load *load)
{
	size_t kernels = ptx_analysis_kernels(judging(v, load)->analysis);
	bool seen = false;

	(void)c;
	for (size_t k = 0; k < kernels; k++) {
		const struct kernel_facts *facts = ptx_analysis_kernel(judging(v, load)->analysis, k);
		const struct access *a = judged_access(v, load, k);

		for (uint32_t i = 0; a && i < a->nstructures; i++) {
			const json_t *s =
			    named(pass_structures(v, facts->name), "id", facts->structures[a->structures[i]].id);

			if (!is_only_read(s) || number(s, "loads") != number(s, "loads_marked"))
				return false;
			seen = true;
		}
	}
	return seen && !load->by_pass;
}

/*
 * The number of stores that the analyser finds through loaded pointers for which the pass has seen more loads: it saw
 * the parts of these pointers loaded separately.
 */
static unsigned stores_through_merged(const struct view *v, const struct kernel_facts *facts)
{
	unsigned stores = 0;

	for (uint32_t i = 0; i < facts->nstructures; i++) {
		const struct structure *s = &facts->structures[i], *holder = NULL;
		const json_t *seen;

		if (s->kind == STRUCTURE_POINTEE)
			holder = &facts->structures[s->holder];
		seen = holder ? named(pass_structures(v, facts->name), "id", holder->id) : NULL;
		if (seen && number(seen, "loads") > (int)holder->loads)
			stores += s->stores;
	}
	return stores;
}

/*
 * Code generation joins two loads beside each other into a single load. If the two are parts of an address, the pass
 * sees a store through an unknown pointer, which ends its marks at guarded. The analyser sees a store through a loaded
 * pointer.
 */
static bool by_merged_address(struct conditions *c, const struct view *v, const struct seen_load *load)
{
	const struct view *distinct = v->level == ALIAS_GUARDED && load->by_ptx ? at_distinct(c) : NULL;
	const struct seen_load *twin = distinct ? view_twin(distinct, v, load) : NULL;
	size_t kernels = ptx_analysis_kernels(judging(v, load)->analysis);
	bool seen = false;

	if (!twin || !twin->by_ptx || (!twin->by_pass && !by_lost_mark(c, distinct, twin)))
		return false;
	for (size_t k = 0; k < kernels; k++) {
		const struct kernel_facts *facts = ptx_analysis_kernel(judging(v, load)->analysis, k);
		const json_t *unknown = named(pass_structures(v, facts->name), "id", "unknown");

		if (!judged_access(v, load, k))
			continue;
		if (!unknown || number(unknown, "stores") == 0 || number(unknown, "atomics") > 0 ||
		    ptx_may_write(facts, "unknown") ||
		    stores_through_merged(v, facts) != (unsigned)number(unknown, "stores"))
			return false;
		seen = true;
	}
	return seen;
}

/* The analyser finds every structure whose loads the pass marks in kernel `name` unwritten in the optimised PTX. */
static bool ptx_agrees_optimised(const struct view *best, const struct view *v, const char *name)
{
	const struct kernel_facts *facts = ptx_kernel_facts(best->plain.analysis, name);
	const json_t *s, *structures = pass_structures(v, name);
	size_t i;

	if (!facts || !structures)
		return false;
	json_array_foreach(structures, i,
			   s) if (number(s, "loads_marked") > 0 &&
				  ptx_may_write(facts, json_string_value(json_object_get(s, "id")))) return false;
	return true;
}

/* The pass finds the structures that, by the analyser, the load reads unwritten in the optimised module. */
static bool pass_agrees_optimised(const struct view *best, const struct kernel_facts *facts, const struct access *a)
{
	for (uint32_t i = 0; i < a->nstructures; i++) {
		const json_t *s =
		    named(pass_structures(best, facts->name), "id", facts->structures[a->structures[i]].id);

		if (!is_only_read(s) || number(s, "loads_marked") == 0)
			return false;
	}
	return a->nstructures > 0;
}

/* Values that go through local memory without optimisation are in registers with optimisation. */
static bool by_local_memory(struct conditions *c, const struct view *v, const struct seen_load *load)
{
	const struct view *best = optimised(c);
	size_t kernels = ptx_analysis_kernels(judging(v, load)->analysis);
	bool seen = false;

	for (size_t k = 0; best && k < kernels; k++) {
		const struct kernel_facts *facts = ptx_analysis_kernel(judging(v, load)->analysis, k);
		const struct access *a = judged_access(v, load, k);

		if (!a)
			continue;
		if (load->by_pass ? !ptx_agrees_optimised(best, v, facts->name)
				  : !pass_agrees_optimised(best, facts, a))
			return false;
		seen = true;
	}
	return seen;
}

static bool space_is_known_guarded(struct conditions *c, const struct view *v, const struct seen_load *load)
{
	const struct view *guarded = at_guarded(c);
	const struct seen_load *twin = guarded ? view_twin(guarded, v, load) : NULL;

	return twin && twin->space_is_known;
}

/* clang-format off */
static const struct {
	bool (*holds)(struct conditions *c, const struct view *v, const struct seen_load *load);
	const char *sentence;
} grounds[] = {
	{by_assembly, "it stands in inline assembly, whose loads only the PTX analyser marks"},
	{by_promises, "restrict or a constant variable says so; without these both say the same"},
	{by_lost_mark, "the pass marks all loads of what it reads, and code generation has dropped this one's mark"},
	{by_merged_address, "code generation loads at once the parts of an address that is written; at distinct both mark it"},
	{by_local_memory, "unoptimised code hides it; on the optimised module both find what it reads unwritten"},
};
/* clang-format on */

const char *ground_of(struct conditions *c, const struct view *v, const struct seen_load *load)
{
	/*
	 * With few marks it may be open whether a generic load is global; at level guarded, with more marks, it may be
	 * known.
	 */
	if (!load->space_is_known && !space_is_known_guarded(c, v, load))
		return NULL;
	for (size_t i = 0; i < sizeof grounds / sizeof *grounds; i++)
		if (grounds[i].holds(c, v, load))
			return grounds[i].sentence;
	return NULL;
}
