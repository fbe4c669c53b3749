/* Loads first, then copies; each becomes the same load in a form that the next tool prints as marked. */
#include "passes/mark.h"

#include "passes/copy.h"
#include "passes/mark_load.h"
#include "passes/objects.h"

#include <string.h>

/* ldg and ldu intrinsics have the alignment as their second argument. */
static unsigned load_align(LLVMValueRef load)
{
	if (LLVMIsALoadInst(load))
		return LLVMGetAlignment(load);
	return (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(load, 1));
}

bool load_can_be_marked(LLVMTargetDataRef layout, LLVMValueRef load)
{
	return marked_load_exists(layout, LLVMTypeOf(load), load_align(load));
}

struct marking {
	struct facts *facts;
	enum mark_form form;
	struct load_builder loads;
	unsigned ro_kind, invariant_kind;
	unsigned count;
};

static void add_metadata(struct marking *m, LLVMValueRef inst, unsigned kind)
{
	LLVMSetMetadata(inst, kind, LLVMMetadataAsValue(m->loads.context,
							LLVMMDNodeInContext2(m->loads.context, NULL, 0)));
}

/* An invariant load prints as ld.global.nc once its address is a global one. */
static void mark_invariant(struct marking *m, LLVMValueRef load)
{
	LLVMPositionBuilderBefore(m->loads.builder, load);
	LLVMSetOperand(load, 0, build_global_pointer(&m->loads, LLVMGetOperand(load, 0)));
	add_metadata(m, load, m->invariant_kind);
}

static void replace_load(struct marking *m, LLVMValueRef load)
{
	LLVMValueRef value;

	LLVMPositionBuilderBefore(m->loads.builder, load);
	value = build_marked_load(&m->loads, LLVMTypeOf(load), LLVMGetOperand(load, 0), load_align(load));
	LLVMReplaceAllUsesWith(load, value);
	LLVMInstructionEraseFromParent(load);
}

static void mark_load(struct marking *m, LLVMValueRef load, enum proof proof)
{
	add_metadata(m, load, m->ro_kind);
	/* An intrinsic is its own mark for other code generators. */
	if (LLVMIsACallInst(load) && m->form != MARK_OWN)
		return;
	if (proof == PROOF_CODE && m->form != MARK_OWN)
		mark_invariant(m, load);
	else if (m->form != MARK_METADATA && m->loads.intrinsic)
		replace_load(m, load);
}

static void mark_copy(struct marking *m, LLVMValueRef copy)
{
	add_metadata(m, copy, m->ro_kind);
	if (m->form == MARK_METADATA || !m->loads.intrinsic)
		return;
	expand_copy(&m->loads, copy);
}

static void mark_operations(struct marking *m)
{
	for (size_t i = 0; i < m->facts->program.ops.len; i++) {
		struct op *op = &m->facts->program.ops.data[i];
		enum proof proof = m->facts->op_proof[i];

		if (proof == PROOF_NONE)
			continue;
		m->count++;
		if (op->kind == OP_COPY)
			mark_copy(m, op->inst);
		else
			mark_load(m, op->inst, proof);
	}
}

/* NVPTX has had ldg intrinsics up to LLVM 19; ldu ones it still has. */
static const char *intrinsic_of(enum mark_form form)
{
	if (form == MARK_OWN)
		return "llvm.nvvm.ldu.global";
	return LLVMLookupIntrinsicID("llvm.nvvm.ldg.global.i", 22) ? "llvm.nvvm.ldg.global" : NULL;
}

unsigned marks_apply(struct facts *facts, enum mark_form form)
{
	LLVMContextRef context = LLVMGetModuleContext(facts->program.module);
	struct marking m = {
		.facts = facts,
		.form = form,
		.loads = {facts->program.module, context, facts->program.layout, LLVMCreateBuilderInContext(context),
			  intrinsic_of(form)},
		.ro_kind = LLVMGetMDKindIDInContext(context, "romark.ro", 9),
		.invariant_kind = LLVMGetMDKindIDInContext(context, "invariant.load", 14),
	};

	mark_operations(&m);
	if (form != MARK_METADATA)
		inline_copies(facts->program.module);
	LLVMDisposeBuilder(m.loads.builder);
	return m.count;
}

/* --- Attributes -------------------------------------------------------------------------------------------------- */

static void drop_read_only(LLVMValueRef kernel, uint32_t param)
{
	static const char *const names[] = {"readonly", "readnone"};

	for (size_t i = 0; i < 2; i++)
		LLVMRemoveEnumAttributeAtIndex(kernel, param + 1,
					       LLVMGetEnumAttributeKindForName(names[i], strlen(names[i])));
}

static bool is_ordered_load(const struct facts *facts, const struct access *a)
{
	const struct op *op = &facts->program.ops.data[a->op];

	return a->is_load && op->kind == OP_LOAD && !(op->flags & (OP_SIMPLE | OP_INVARIANT));
}

static void tame_structure(const struct facts *facts, const struct kernel_facts *k, const struct structure *s)
{
	if (s->kind == OBJECT_PARAM)
		drop_read_only(facts->program.functions.data[k->function].value, s->param);
	if (s->kind == OBJECT_VARIABLE && s->is_constant)
		LLVMSetGlobalConstant(s->variable, false);
}

void attributes_tame(struct facts *facts, bool all)
{
	for (size_t i = 0; i < facts->kernels.len; i++) {
		const struct kernel_facts *k = &facts->kernels.data[i];
		const struct function_code *code = &facts->program.functions.data[k->function];

		for (uint32_t param = 0; all && param < code->nargs; param++)
			drop_read_only(code->value, param);
		for (size_t j = 0; j < k->accesses.len; j++)
			if (is_ordered_load(facts, &k->accesses.data[j]))
				for (uint32_t n = 0; n < k->accesses.data[j].nstructures; n++)
					tame_structure(facts, k, &k->structures.data[k->accesses.data[j].structures[n]]);
	}
}
