/* Which structures a kernel may mark: each is held against everything that the kernel writes. */
#include "passes/readonly/facts.h"

#include "passes/readonly/access.h"

#include <string.h>

const char *verdict_name(enum verdict v)
{
	static const char *const names[] = {"unused", "read-only", "write-only", "read-write"};

	return names[v];
}

const char *sharing_name(enum sharing s)
{
	static const char *const names[] = {"unknown", "grid", "cta", "thread", "indirect"};

	return names[s];
}

const char *alias_name(enum pass_alias a)
{
	static const char *const names[] = {"guarded", "strict", "distinct"};

	return names[a];
}

/* --- What a kernel does to each structure --- */

/*
 * CTAs share addresses that depend on none of the CTA's coordinates, or leave out one that the kernel uses: the rows of
 * `a` in c = a * b depend on ctaid.y alone, so that all CTAs of a row of the grid share them.
 */
static enum sharing sharing_of(uint8_t deps, uint8_t reads)
{
	if (deps & DEP_UNKNOWN)
		return SHARING_UNKNOWN;
	if (deps & DEP_MEMORY)
		return SHARING_INDIRECT;
	if (!(deps & (DEP_CTA | DEP_THREAD)) || (deps & DEP_CTA) != (reads & DEP_CTA))
		return SHARING_GRID;
	return deps & DEP_THREAD ? SHARING_THREAD : SHARING_CTA;
}

static bool is_written(const struct structure *s)
{
	return s->stores + s->atomics + s->calls > 0;
}

static void decide_verdict(struct structure *s)
{
	if (s->kind == OBJECT_CONSTANT)
		s->verdict = VERDICT_READ_ONLY;
	else if (is_written(s))
		s->verdict = s->loads || s->atomics || s->calls ? VERDICT_READ_WRITE : VERDICT_WRITE_ONLY;
	else
		s->verdict = s->loads ? VERDICT_READ_ONLY : VERDICT_UNUSED;
}

/* A first atomic outranks a first store as the reason only by standing earlier. */
static void note_reason(struct structure *s, const struct access *a, const char *why)
{
	if (s->why_op == NO_OP) {
		s->why_op = a->op;
		s->why = why;
	}
}

/* What the addresses of each structure's loads and of its stores depend on. */
struct address_deps {
	uint8_t loads, stores;
};

static void count_access(struct kernel_facts *k, const struct access *a, struct address_deps *deps)
{
	const char *through = a->nstructures > 1 ? "written through a pointer that may be this one" : "written here";

	k->loads += a->is_load;
	for (uint32_t i = 0; i < a->nstructures; i++) {
		struct structure *s = &k->structures.data[a->structures[i]];

		s->listed = true;
		s->by_fetch |= a->by_fetch;
		s->by_surface |= a->by_surface;
		s->by_pointer |= !a->by_fetch && !a->by_surface;
		s->loads += a->is_load;
		s->plain_loads += a->is_load && !a->is_marked_input;
		s->stores += a->is_store;
		s->atomics += a->is_atomic;
		s->ambiguous += a->nstructures > 1;
		s->calls += a->is_call;
		if (a->is_call)
			note_reason(s, a, "code that is not in the module may write anything from here");
		else if (a->is_atomic)
			note_reason(s, a, "updated by an atomic operation here");
		else if (a->is_store)
			note_reason(s, a, through);
		*(a->is_load ? &deps[a->structures[i]].loads : &deps[a->structures[i]].stores) |= a->dep;
	}
}

static void count_accesses(struct kernel_facts *k)
{
	struct address_deps *deps = xcalloc(k->structures.len + 1, sizeof *deps);

	for (size_t i = 0; i < k->accesses.len; i++)
		count_access(k, &k->accesses.data[i], deps);
	for (size_t i = 0; i < k->structures.len; i++) {
		struct structure *s = &k->structures.data[i];

		if (s->loads || is_written(s))
			s->sharing = sharing_of(s->loads ? deps[i].loads : deps[i].stores, k->reads);
		s->listed |= s->kind == OBJECT_PARAM && !s->is_number;
		if (s->kind == OBJECT_POINTEE && s->listed)
			k->structures.data[s->holder].listed = true;
		decide_verdict(s);
	}
	free(deps);
}

/* --- What may be one memory under two names --- */

enum conflict {
	CONFLICT_NONE,
	CONFLICT_LAUNCH, /* taken as different memory; a launch can tell */
	CONFLICT_ALWAYS, /* taken as the same */
};

/* May be any memory. */
static bool is_unknown(const struct structure *s)
{
	return s->kind == OBJECT_UNKNOWN || s->unsettled;
}

/* Written through an address that a launch can see. */
static bool is_named(const struct structure *s)
{
	return s->kind == OBJECT_PARAM || s->kind == OBJECT_FIELD || s->kind == OBJECT_VARIABLE;
}

/* A texture or a surface, whose handle or reference is bound to any memory. */
static bool is_image(const struct structure *s)
{
	return s->by_fetch || s->by_surface;
}

/* Whether `s` is noalias and `other` is no pointer derived from it. Of images noalias says nothing. */
static bool excludes(const struct structure *s, const struct structure *other)
{
	return s->noalias && !is_image(other) && (!is_unknown(other) || !s->escaped);
}

/* A surface is a CUDA array, which no pointer addresses. */
static bool is_array_beside_pointer(const struct structure *a, const struct structure *b)
{
	return a->by_surface && !a->by_pointer && b->by_pointer && !b->by_surface && !is_unknown(a) && !is_unknown(b);
}

/* Their kinds say that these two are different memory. */
static bool different_kinds(const struct structure *a, const struct structure *b)
{
	if (a->kind == OBJECT_HEAP || b->kind == OBJECT_HEAP)
		return true;
	if (a->kind == OBJECT_VARIABLE && b->kind == OBJECT_VARIABLE && !is_image(a) && !is_image(b))
		return true;
	return is_array_beside_pointer(a, b) || is_array_beside_pointer(b, a);
}

/* The code alone says that `r` is not what is written through `w`. */
static bool proven_apart(const struct structure *r, const struct structure *w)
{
	return r->is_constant || different_kinds(r, w) || excludes(r, w) || excludes(w, r);
}

/* What a write to `w` means for reads of `r`. */
static enum conflict conflict(const struct structure *r, const struct structure *w, enum pass_alias alias)
{
	if (r == w)
		return CONFLICT_ALWAYS;
	if (proven_apart(r, w))
		return CONFLICT_NONE;
	if (alias == PASS_ALIAS_DISTINCT && !is_unknown(r))
		return CONFLICT_NONE;
	if (alias == PASS_ALIAS_GUARDED && is_named(w) && !is_unknown(r))
		return CONFLICT_LAUNCH;
	return CONFLICT_ALWAYS;
}

/* The strongest conflict of `r` with anything the kernel writes; *culprit is the first that has it. */
static enum conflict worst_conflict(const struct kernel_facts *k, const struct structure *r, enum pass_alias alias,
				    const struct structure **culprit)
{
	enum conflict worst = CONFLICT_NONE;

	for (size_t i = 0; i < k->structures.len; i++) {
		const struct structure *w = &k->structures.data[i];
		enum conflict c = is_written(w) ? conflict(r, w, alias) : CONFLICT_NONE;

		if (c > worst) {
			worst = c;
			*culprit = w;
		}
	}
	return worst;
}

/* --- Marks
 * ------------------------------------------------------------------------------------------------------------ */

/*
 * A pointer that was loaded is known only as long as what holds it is not written: else it may be any memory, as a
 * store through it may. One more such store may unsettle further holders, so this runs until it is quiet.
 */
static bool unsettle_pointees(struct kernel_facts *k, enum pass_alias alias)
{
	bool changed = false;

	for (size_t i = 0; i < k->structures.len; i++) {
		struct structure *s = &k->structures.data[i];
		const struct structure *culprit;

		if (s->kind != OBJECT_POINTEE || s->unsettled ||
		    worst_conflict(k, &k->structures.data[s->holder], alias, &culprit) != CONFLICT_ALWAYS)
			continue;
		s->unsettled = changed = true;
	}
	return changed;
}

static void add_guard(struct kernel_facts *k, uint32_t reads, uint32_t writes)
{
	for (size_t i = 0; i < k->guards.len; i++)
		if (k->guards.data[i].reads == reads && k->guards.data[i].writes == writes)
			return;
	vec_push(&k->guards, (struct guard){reads, writes});
}

/* What a pointer from memory reaches rests on the memory that holds it, too. */
static enum proof proof_of(const struct facts *facts, const struct kernel_facts *k, const struct structure *s)
{
	const struct structure *culprit;

	/* Who may write while the kernel runs is known at the launch only. */
	if (k->listens && !s->noalias && !s->is_constant)
		return PROOF_LAUNCH;
	if (worst_conflict(k, s, PASS_ALIAS_STRICT, &culprit) != CONFLICT_NONE)
		return PROOF_LAUNCH;
	if (s->kind == OBJECT_POINTEE && facts->alias != PASS_ALIAS_STRICT &&
	    worst_conflict(k, &k->structures.data[s->holder], PASS_ALIAS_STRICT, &culprit) != CONFLICT_NONE)
		return PROOF_LAUNCH;
	return PROOF_CODE;
}

/* Whether a kernel that says no more than its accesses do would have another verdict here. */
static const char *what_it_rests_on(const struct kernel_facts *k, const struct structure *s)
{
	for (size_t i = 0; i < k->structures.len; i++) {
		const struct structure *w = &k->structures.data[i];

		if (!is_written(w) || different_kinds(s, w))
			continue;
		if (s->is_constant)
			return "constant";
		if (excludes(s, w) || excludes(w, s))
			return "noalias";
	}
	return s->kind == OBJECT_POINTEE ? what_it_rests_on(k, &k->structures.data[s->holder]) : NULL;
}

static void decide_mark(struct facts *facts, struct kernel_facts *k, struct structure *s)
{
	const struct structure *culprit = NULL;

	s->proof = PROOF_NONE;
	if (!s->plain_loads || is_written(s))
		return;
	if (k->waits_for_grid) {
		s->verdict = VERDICT_READ_WRITE;
		s->why = "the kernel waits for the one before it, which may have been writing this until then";
		return;
	}
	switch (worst_conflict(k, s, facts->alias, &culprit)) {
	case CONFLICT_NONE:
	case CONFLICT_LAUNCH:
		s->rests_on = what_it_rests_on(k, s);
		if (s->kind != OBJECT_HEAP && !(is_unknown(s) && k->private_escapes))
			s->proof = proof_of(facts, k, s);
		if (s->proof == PROOF_LAUNCH && facts->alias == PASS_ALIAS_STRICT) {
			s->proof = PROOF_NONE;
			s->why = "the kernel may be told while it runs that others have written this";
		}
		break;
	case CONFLICT_ALWAYS:
		s->verdict = VERDICT_READ_WRITE;
		s->culprit = culprit->id;
		s->why_op = culprit->why_op;
		s->why = arena_printf(&facts->arena, "%s is written here and may be the same memory", culprit->id);
		break;
	}
}

/* The launch conditions of a marked structure, and of the one that holds the pointer to it. */
static void list_guards(struct facts *facts, struct kernel_facts *k, uint32_t marked)
{
	uint32_t reads = marked;

	do {
		for (uint32_t w = 0; w < k->structures.len; w++)
			if (is_written(&k->structures.data[w]) &&
			    conflict(&k->structures.data[reads], &k->structures.data[w], facts->alias) ==
				CONFLICT_LAUNCH)
				add_guard(k, reads, w);
		reads =
		    k->structures.data[reads].kind == OBJECT_POINTEE ? k->structures.data[reads].holder : UINT32_MAX;
	} while (reads != UINT32_MAX);
}

static void decide_kernel(struct facts *facts, struct kernel_facts *k)
{
	count_accesses(k);
	while (unsettle_pointees(k, facts->alias))
		;
	for (size_t i = 0; i < k->structures.len; i++)
		decide_mark(facts, k, &k->structures.data[i]);
}

/* --- Loads
 * ------------------------------------------------------------------------------------------------------------ */

/* A load that the program itself calls read-only is taken at its word, unless the kernel plainly writes there. */
static enum proof structure_proof(const struct structure *s, bool promised)
{
	return promised && !is_written(s) ? PROOF_CODE : s->proof;
}

static enum proof access_proof(const struct kernel_facts *k, const struct access *a)
{
	enum proof weakest = a->markable ? PROOF_CODE : PROOF_NONE;

	for (uint32_t i = 0; i < a->nstructures; i++) {
		enum proof proof = structure_proof(&k->structures.data[a->structures[i]], a->is_marked_input);

		weakest = proof < weakest ? proof : weakest;
	}
	return weakest;
}

/* A function that other modules can call is reached from kernels that are not seen here. */
static bool reached_from_elsewhere(const struct facts *facts, const struct function_code *f)
{
	LLVMLinkage linkage = LLVMGetLinkage(f->value);

	return facts->program.relocatable && !f->is_kernel && linkage != LLVMInternalLinkage &&
	       linkage != LLVMPrivateLinkage;
}

/* The mark of each load is the weakest that any kernel reaching it allows. */
static void settle_loads(struct facts *facts)
{
	struct ir *p = &facts->program;
	uint8_t *blocked = xcalloc(p->ops.len + 1, 1);

	facts->op_proof = xcalloc(p->ops.len + 1, 1);
	for (size_t f = 0; f < p->functions.len; f++)
		if (reached_from_elsewhere(facts, &p->functions.data[f]))
			memset(blocked + p->functions.data[f].first_op, 1, p->functions.data[f].nops);
	for (size_t i = 0; i < facts->kernels.len; i++) {
		const struct kernel_facts *k = &facts->kernels.data[i];

		for (size_t j = 0; j < k->accesses.len; j++) {
			const struct access *a = &k->accesses.data[j];
			enum proof proof = access_proof(k, a);
			uint8_t *now = &facts->op_proof[a->op];

			if (!a->is_load)
				continue;
			blocked[a->op] |= proof == PROOF_NONE;
			*now = *now == PROOF_NONE || proof < *now ? (uint8_t)proof : *now;
		}
		for (size_t j = 0; j < k->private_loads.len; j++)
			blocked[k->private_loads.data[j]] = true;
	}
	for (size_t i = 0; i < p->ops.len; i++)
		if (blocked[i])
			facts->op_proof[i] = PROOF_NONE;
	free(blocked);
}

static void count_marks(struct facts *facts, struct kernel_facts *k)
{
	for (size_t j = 0; j < k->accesses.len; j++) {
		const struct access *a = &k->accesses.data[j];

		if (!a->is_load || facts->op_proof[a->op] == PROOF_NONE)
			continue;
		k->loads_marked++;
		for (uint32_t i = 0; i < a->nstructures; i++) {
			k->structures.data[a->structures[i]].loads_marked++;
			k->structures.data[a->structures[i]].new_marks += !a->is_marked_input;
		}
	}
	for (uint32_t i = 0; i < k->structures.len; i++)
		if (k->structures.data[i].new_marks)
			list_guards(facts, k, i);
}

void facts_make(struct facts *facts, LLVMModuleRef module, const struct pass_options *options, bool foreign)
{
	*facts = (struct facts){.arena = ARENA_INIT, .alias = options->alias};
	ir_read(&facts->program, module, options->relocatable, foreign);
	for (uint32_t f = 0; f < facts->program.functions.len; f++) {
		struct solution solution;

		if (!facts->program.functions.data[f].is_kernel)
			continue;
		vec_grow(&facts->kernels);
		solve_kernel(&solution, &facts->program, f);
		collect_accesses(&vec_last(&facts->kernels), &solution, &facts->arena);
		solution_release(&solution);
		decide_kernel(facts, &vec_last(&facts->kernels));
	}
	settle_loads(facts);
	for (size_t i = 0; i < facts->kernels.len; i++)
		count_marks(facts, &facts->kernels.data[i]);
}

void facts_release(struct facts *facts)
{
	for (size_t i = 0; i < facts->kernels.len; i++) {
		vec_release(&facts->kernels.data[i].structures);
		vec_release(&facts->kernels.data[i].accesses);
		vec_release(&facts->kernels.data[i].guards);
		vec_release(&facts->kernels.data[i].private_loads);
	}
	vec_release(&facts->kernels);
	arena_release(&facts->arena);
	ir_release(&facts->program);
	free(facts->op_proof);
}
