/*
 * Makes the evidence for verdict/level.h from a kernel's accesses, and from its answers the verdicts, the loads that
 * may be marked, and the guards.
 */
#include "passes/readonly/ir_judge.h"

#include "passes/solve/objects.h"
#include "verdict/reason.h"

/* --- Accesses to each structure --- */

static enum sharing sharing_of(uint8_t deps, uint8_t reads)
{
	return deps & DEP_UNKNOWN ? SHARING_UNKNOWN : sharing_class(deps, reads);
}

static bool is_written(const struct ir_structure *s)
{
	return s->pub.stores + s->pub.atomics + s->calls > 0;
}

static void decide_verdict(struct ir_structure *s)
{
	bool is_read = s->pub.loads || s->pub.atomics || s->calls;

	s->pub.verdict = s->object == OBJECT_CONSTANT ? VERDICT_READ_ONLY : verdict_of_accesses(is_read, is_written(s));
}

/* A first atomic outranks a first store as the reason only by standing earlier. */
static void note_reason(struct ir_structure *s, const struct ir_access *a, uint32_t way, enum reason_kind kind,
			const char *why)
{
	if (s->why_op == NO_OP) {
		s->why_op = a->op;
		s->why_way = way;
		s->pub.why_kind = kind;
		s->pub.why = why;
	}
}

/* The dependences of the addresses of each structure's loads and stores. */
struct address_deps {
	uint8_t loads, stores;
};

static void count_access(struct ir_kernel *k, const struct ir_access *a, struct address_deps *deps)
{
	const char *through =
	    a->nstructures > 1 ? "a store writes through a pointer that may be this one" : "a store writes it";

	k->loads += a->is_load;
	for (uint32_t i = 0; i < a->nstructures; i++) {
		struct ir_structure *s = &k->structures.data[a->structures[i]];

		s->listed = true;
		s->by_fetch |= a->by_fetch;
		s->by_surface |= a->by_surface;
		s->by_pointer |= !a->by_fetch && !a->by_surface;
		s->pub.loads += a->is_load;
		s->plain_loads += a->is_load && !a->is_marked_input;
		s->pub.stores += a->is_store;
		s->pub.atomics += a->is_atomic;
		s->pub.ambiguous += a->nstructures > 1;
		s->calls += a->is_call;
		if (a->is_call)
			note_reason(s, a, a->ways[i], REASON_UNKNOWN_CODE,
				    "code that is not in this module may write anything");
		else if (a->is_atomic)
			note_reason(s, a, a->ways[i], REASON_WRITTEN, "an atomic operation updates it");
		else if (a->is_store)
			note_reason(s, a, a->ways[i], REASON_WRITTEN, through);
		*(a->is_load ? &deps[a->structures[i]].loads : &deps[a->structures[i]].stores) |= a->dep;
	}
}

static void count_accesses(struct ir_kernel *k)
{
	struct address_deps *deps = xcalloc(k->structures.len + 1, sizeof *deps);

	for (size_t i = 0; i < k->accesses.len; i++)
		count_access(k, &k->accesses.data[i], deps);
	for (size_t i = 0; i < k->structures.len; i++) {
		struct ir_structure *s = &k->structures.data[i];

		if (s->pub.loads || is_written(s))
			s->pub.sharing = sharing_of(s->pub.loads ? deps[i].loads : deps[i].stores, k->reads);
		s->listed |= s->object == OBJECT_PARAM && !s->is_number;
		decide_verdict(s);
	}
	/* Holders come before the structures that they hold. */
	for (size_t i = k->structures.len; i-- > 0;)
		if (k->structures.data[i].object == OBJECT_POINTEE && k->structures.data[i].listed)
			k->structures.data[k->structures.data[i].pub.holder].listed = true;
	free(deps);
}

/* --- Marks --- */

static void gather_evidence(struct ir_kernel *k, enum alias_level level)
{
	k->evidence = xcalloc(k->structures.len + 1, sizeof *k->evidence);
	for (uint32_t i = 0; i < k->structures.len; i++) {
		const struct ir_structure *s = &k->structures.data[i];

		k->evidence[i] = (struct evidence){
		    .kind = (uint8_t)s->pub.kind,
		    .written = is_written(s),
		    .constant = s->is_constant,
		    .noalias = s->noalias,
		    .escaped = s->escaped,
		    .by_pointer = s->by_pointer,
		    .by_texture = s->by_fetch,
		    .by_surface = s->by_surface,
		    .exact = s->object == OBJECT_POINTEE,
		    .closed = s->object == OBJECT_POINTEE && k->structures.data[s->pub.holder].object == OBJECT_POINTEE,
		    .holder = s->pub.holder,
		    .at_word = s->pub.at_word,
		    .word = s->pub.word,
		    .position = i,
		};
	}
	level_unsettle(k->evidence, (uint32_t)k->structures.len, level);
}

static enum conflict conflict_at(const struct ir_kernel *k, uint32_t index, enum alias_level level, uint32_t *writer)
{
	return level_conflict(k->evidence, (uint32_t)k->structures.len, index, level, writer);
}

/* May be any memory. */
static bool is_unknown(const struct ir_kernel *k, uint32_t index)
{
	return k->evidence[index].kind == STRUCTURE_UNKNOWN || k->evidence[index].unsettled;
}

/* For a pointer from memory, the proof also needs the memory that holds the pointer. */
static enum proof proof_of(const struct facts *facts, const struct ir_kernel *k, uint32_t index)
{
	const struct ir_structure *s = &k->structures.data[index];
	uint32_t writer;

	/* Only the launch knows who may write while the kernel runs. */
	if (k->listens && !s->noalias && !s->is_constant)
		return PROOF_LAUNCH;
	if (conflict_at(k, index, ALIAS_STRICT, &writer) != CONFLICT_NONE)
		return PROOF_LAUNCH;
	if (s->object == OBJECT_POINTEE && facts->alias != ALIAS_STRICT)
		return proof_of(facts, k, s->pub.holder);
	return PROOF_CODE;
}

/* No write forbids the mark. Decides whether the structure may have marks, and on what grounds. */
static void allow_mark(const struct facts *facts, const struct ir_kernel *k, uint32_t index)
{
	struct ir_structure *s = &k->structures.data[index];

	s->pub.rests_on = level_rests_on(k->evidence, (uint32_t)k->structures.len, index);
	if (s->object != OBJECT_HEAP && !(is_unknown(k, index) && k->private_escapes))
		s->proof = proof_of(facts, k, index);
	s->pub.assumed = s->proof == PROOF_LAUNCH && facts->alias == ALIAS_DISTINCT;
	if (s->proof == PROOF_LAUNCH && facts->alias == ALIAS_STRICT) {
		s->proof = PROOF_NONE;
		s->pub.why = reason_of_listening;
		s->pub.why_kind = REASON_LISTENS;
	}
}

static enum reason_kind kind_of_conflict(const struct ir_structure *writer)
{
	if (writer->calls)
		return REASON_UNKNOWN_CODE;
	if (writer->pub.kind == STRUCTURE_UNKNOWN || writer->pub.kind == STRUCTURE_POINTEE)
		return REASON_UNKNOWN_POINTER;
	return REASON_ALIAS;
}

static const char *reason_of_conflict(struct facts *facts, const struct ir_kernel *k, const struct structure *writer,
				      const struct ir_structure *s)
{
	if (writer->kind == STRUCTURE_UNKNOWN)
		return "the kernel writes through a pointer of unknown origin, which may reach it";
	if (writer->kind == STRUCTURE_POINTEE)
		return arena_printf(&facts->arena,
				    "the kernel writes through a pointer loaded from %s, which may reach it",
				    structure_shown(&facts->arena, k->structures.data[writer->holder].pub.id));
	return arena_printf(&facts->arena, "%s is written, and nothing in the IR shows that %s is other memory",
			    structure_shown(&facts->arena, writer->id), structure_shown(&facts->arena, s->pub.id));
}

static void decide_mark(struct facts *facts, const struct ir_kernel *k, uint32_t index)
{
	struct ir_structure *s = &k->structures.data[index];
	uint32_t writer;

	s->proof = PROOF_NONE;
	if (!s->plain_loads || is_written(s)) {
		s->pub.rests_on = s->pub.loads && !is_written(s) ? "promise" : NULL;
		return;
	}
	if (k->waits_for_grid) {
		s->pub.verdict = VERDICT_READ_WRITE;
		s->pub.why = "until the kernel waits for the one before, that may write anything";
		s->pub.why_kind = REASON_GRID_WAIT;
		return;
	}
	if (conflict_at(k, index, facts->alias, &writer) != CONFLICT_ALWAYS) {
		allow_mark(facts, k, index);
		return;
	}
	s->pub.verdict = VERDICT_READ_WRITE;
	s->pub.written = k->structures.data[writer].pub.id;
	s->why_op = k->structures.data[writer].why_op;
	s->why_way = k->structures.data[writer].why_way;
	s->pub.why_kind = kind_of_conflict(&k->structures.data[writer]);
	s->pub.why = reason_of_conflict(facts, k, &k->structures.data[writer].pub, s);
}

void judge_kernel(struct facts *facts, struct ir_kernel *k)
{
	count_accesses(k);
	gather_evidence(k, facts->alias);
	for (uint32_t i = 0; i < k->structures.len; i++)
		decide_mark(facts, k, i);
}

/* --- Loads --- */

/* If the program itself marks a load as read-only, this is believed unless the kernel clearly writes there. */
static enum proof structure_proof(const struct ir_structure *s, bool promised)
{
	return promised && !is_written(s) ? PROOF_CODE : s->proof;
}

enum proof access_proof(const struct ir_kernel *k, const struct ir_access *a)
{
	enum proof weakest = a->markable ? PROOF_CODE : PROOF_NONE;

	for (uint32_t i = 0; i < a->nstructures; i++) {
		enum proof proof = structure_proof(&k->structures.data[a->structures[i]], a->is_marked_input);

		weakest = proof < weakest ? proof : weakest;
	}
	return weakest;
}

/* A function that other modules can call is. */
bool reached_from_elsewhere(const struct facts *facts, const struct function_code *f)
{
	LLVMLinkage linkage = LLVMGetLinkage(f->value);

	return facts->program.relocatable && !f->is_kernel && linkage != LLVMInternalLinkage &&
	       linkage != LLVMPrivateLinkage;
}

/* The first to deny stays. */
static void deny(struct facts *facts, uint32_t op, uint32_t who)
{
	if (!facts->op_denier[op])
		facts->op_denier[op] = who + 1;
}

/* The mark of each load is the weakest that any kernel reaching it allows. */
static void settle_loads(struct facts *facts)
{
	struct ir *p = &facts->program;

	facts->op_proof = xcalloc(p->ops.len + 1, 1);
	facts->op_denier = xcalloc(p->ops.len + 1, sizeof *facts->op_denier);
	for (uint32_t f = 0; f < p->functions.len; f++)
		if (reached_from_elsewhere(facts, &p->functions.data[f]))
			for (uint32_t i = 0; i < p->functions.data[f].nops; i++)
				deny(facts, p->functions.data[f].first_op + i, (uint32_t)facts->kernels.len + f);
	for (size_t i = 0; i < facts->kernels.len; i++) {
		const struct ir_kernel *k = &facts->kernels.data[i];

		for (size_t j = 0; j < k->accesses.len; j++) {
			const struct ir_access *a = &k->accesses.data[j];
			enum proof proof = access_proof(k, a);
			uint8_t *now = &facts->op_proof[a->op];

			if (!a->is_load)
				continue;
			if (proof == PROOF_NONE)
				deny(facts, a->op, (uint32_t)i);
			*now = *now == PROOF_NONE || proof < *now ? (uint8_t)proof : *now;
		}
		for (size_t j = 0; j < k->private_loads.len; j++)
			deny(facts, k->private_loads.data[j], (uint32_t)i);
	}
	for (size_t i = 0; i < p->ops.len; i++)
		if (facts->op_denier[i])
			facts->op_proof[i] = PROOF_NONE;
}

static void count_marks(struct facts *facts, struct ir_kernel *k)
{
	for (size_t j = 0; j < k->accesses.len; j++) {
		const struct ir_access *a = &k->accesses.data[j];

		if (!a->is_load || facts->op_proof[a->op] == PROOF_NONE)
			continue;
		k->loads_marked++;
		for (uint32_t i = 0; i < a->nstructures; i++) {
			k->structures.data[a->structures[i]].pub.loads_marked++;
			k->structures.data[a->structures[i]].new_marks += !a->is_marked_input;
		}
	}
}

static void add_guard(void *kernel, struct guard guard)
{
	vec_push(&((struct ir_kernel *)kernel)->guards, guard);
}

static void list_guards(struct facts *facts, struct ir_kernel *k)
{
	bool *marked = xcalloc(k->structures.len + 1, sizeof *marked);

	for (size_t i = 0; i < k->structures.len; i++)
		marked[i] = k->structures.data[i].new_marks > 0;
	level_guards(k->evidence, (uint32_t)k->structures.len, facts->alias, marked, add_guard, k);
	free(marked);
}

void judge_loads(struct facts *facts)
{
	settle_loads(facts);
	for (size_t i = 0; i < facts->kernels.len; i++) {
		count_marks(facts, &facts->kernels.data[i]);
		list_guards(facts, &facts->kernels.data[i]);
	}
}
