/* Why a read-only structure has a load without a mark: the first such load decides the message. */
#include "passes/readonly/ir_why.h"

#include "passes/solve/objects.h"
#include "verdict/reason.h"

static bool has(const struct ir_access *a, uint32_t structure)
{
	for (uint32_t i = 0; i < a->nstructures; i++)
		if (a->structures[i] == structure)
			return true;
	return false;
}

/* The instruction itself, whatever it loads. */
static const char *obstacle(const struct facts *facts, const struct ir_access *a, enum reason_kind *kind)
{
	const struct op *op = &facts->program.ops.data[a->op];

	*kind = REASON_INSTRUCTION;
	if (a->markable)
		return NULL;
	if ((op->kind == OP_LOAD || op->kind == OP_COPY) && !(op->flags & (OP_SIMPLE | OP_INVARIANT)))
		return "a volatile or atomic load is never marked";
	if (op->kind != OP_LOAD && op->kind != OP_COPY)
		return "only loads and texture fetches can carry the mark";
	*kind = REASON_OTHER_SPACE;
	return "its address may also lie in shared, local or constant memory";
}

/* The reason from a structure that forbids the mark, in this kernel. */
static const char *forbidding(struct facts *facts, const struct ir_kernel *k, const struct ir_access *a,
			      enum reason_kind *kind)
{
	for (uint32_t i = 0; i < a->nstructures; i++) {
		const struct ir_structure *s = &k->structures.data[a->structures[i]];

		if (s->proof != PROOF_NONE || (a->is_marked_input && s->pub.verdict == VERDICT_READ_ONLY))
			continue;
		*kind = REASON_HEAP;
		if (s->object == OBJECT_HEAP)
			return "memory of device-side malloc carries no marks";
		*kind = s->pub.verdict == VERDICT_READ_ONLY ? REASON_OTHER_SPACE : REASON_OTHER_STRUCTURE;
		if (s->pub.verdict == VERDICT_READ_ONLY)
			return "its address may also lie in local or shared memory";
		return arena_printf(&facts->arena, "its address may also lie in %s, which is %s",
				    structure_shown(&facts->arena, s->pub.id), verdict_name(s->pub.verdict));
	}
	return NULL;
}

static bool loads_privately(const struct ir_kernel *k, uint32_t op)
{
	for (size_t i = 0; i < k->private_loads.len; i++)
		if (k->private_loads.data[i] == op)
			return true;
	return false;
}

/* Another kernel, or code that is not known, forbids what this kernel allows. */
static const char *denied(struct facts *facts, const struct ir_access *a, struct denial *by, enum reason_kind *kind)
{
	uint32_t denier = facts->op_denier[a->op], nkernels = (uint32_t)facts->kernels.len;
	const struct function_code *functions = facts->program.functions.data;

	*kind = denier == 0 ? REASON_INSTRUCTION : denier > nkernels ? REASON_OTHER_MODULE : REASON_OTHER_KERNEL;
	if (denier == 0)
		return "its instruction cannot carry a mark";
	if (denier > nkernels) {
		by->function = functions[denier - 1 - nkernels].name;
		return reason_of_denial(&facts->arena, by, false);
	}
	by->kernel = functions[facts->kernels.data[denier - 1].function].name;
	return reason_of_denial(&facts->arena, by, loads_privately(&facts->kernels.data[denier - 1], a->op));
}

const char *unmarked_load_reason(struct facts *facts, const struct ir_kernel *k, const struct ir_access *a,
				 struct denial *by, enum reason_kind *kind)
{
	const char *why = obstacle(facts, a, kind);

	*by = (struct denial){NULL, NULL};
	if (!why)
		why = forbidding(facts, k, a, kind);
	return why ? why : denied(facts, a, by, kind);
}

static uint32_t way_to(const struct ir_access *a, uint32_t structure)
{
	for (uint32_t i = 0; i < a->nstructures; i++)
		if (a->structures[i] == structure)
			return a->ways[i];
	return 0;
}

static void explain(struct facts *facts, struct ir_kernel *k, uint32_t index)
{
	struct ir_structure *s = &k->structures.data[index];

	for (size_t i = 0; i < k->accesses.len; i++) {
		const struct ir_access *a = &k->accesses.data[i];
		const char *why;

		if (!a->is_load || facts->op_proof[a->op] != PROOF_NONE || !has(a, index))
			continue;
		why = unmarked_load_reason(facts, k, a, &s->pub.denied_by, &s->pub.why_kind);
		s->why_op = a->op;
		s->why_way = way_to(a, index);
		s->pub.why = arena_printf(&facts->arena, "read-only, but a load is not marked: %s", why);
		return;
	}
}

void explain_unmarked(struct facts *facts)
{
	for (size_t i = 0; i < facts->kernels.len; i++) {
		struct ir_kernel *k = &facts->kernels.data[i];

		for (uint32_t s = 0; s < k->structures.len; s++) {
			const struct structure *pub = &k->structures.data[s].pub;

			if (pub->verdict == VERDICT_READ_ONLY && !pub->why && pub->loads_marked < pub->loads)
				explain(facts, k, s);
		}
	}
}
