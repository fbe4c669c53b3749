/* Loads first, then copies; each becomes the same load in a form that the next tool prints as marked. */
#include "passes/readonly/ir_mark.h"

#include "passes/ir/assembly_text.h"
#include "passes/readonly/expand_memcpy.h"
#include "passes/readonly/mark_load.h"
#include "passes/solve/objects.h"
#include "passes/readonly/location_marks.h"

#include "common/strbuf.h"
#include "ptx-analyzer/language/module/ptx_access.h"

#include <string.h>

/* ldg and ldu intrinsics have the alignment as their second argument. */
static unsigned load_align(LLVMValueRef load)
{
	if (LLVMIsALoadInst(load))
		return LLVMGetAlignment(load);
	return (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(load, 1));
}

bool load_can_be_foreign(LLVMTargetDataRef layout, LLVMValueRef load)
{
	return marked_load_exists(layout, LLVMTypeOf(load), load_align(load));
}

struct marking {
	struct facts *facts;
	enum mark_form form;
	enum load_mark load;
	struct load_builder loads;
	struct location_marker marker;
	unsigned ro_kind, invariant_kind;
	unsigned count;
};

static void add_metadata(struct marking *m, LLVMValueRef inst, unsigned kind)
{
	LLVMSetMetadata(inst, kind,
			LLVMMetadataAsValue(m->loads.context, LLVMMDNodeInContext2(m->loads.context, NULL, 0)));
}

static void make_global(struct marking *m, LLVMValueRef load)
{
	LLVMPositionBuilderBefore(m->loads.builder, load);
	LLVMSetOperand(load, 0, build_global_pointer(&m->loads, LLVMGetOperand(load, 0)));
}

static void replace_load(struct marking *m, LLVMValueRef load)
{
	LLVMValueRef value;

	LLVMPositionBuilderBefore(m->loads.builder, load);
	value = build_marked_load(&m->loads, LLVMTypeOf(load), LLVMGetOperand(load, 0), load_align(load));
	LLVMReplaceAllUsesWith(load, value);
	LLVMInstructionEraseFromParent(load);
}

/* The one instruction that uses `value`, or NULL. */
static LLVMValueRef only_user(LLVMValueRef value)
{
	LLVMUseRef use = LLVMGetFirstUse(value);

	return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

static bool is_floating(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind || kind == LLVMFloatTypeKind ||
	       kind == LLVMDoubleTypeKind;
}

/* Casts between integers and of bits, and shifts and masks by constants. */
static bool reshapes(LLVMValueRef inst)
{
	switch (LLVMGetInstructionOpcode(inst)) {
	case LLVMBitCast:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMTrunc: return true;
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
	case LLVMAnd: return LLVMIsConstant(LLVMGetOperand(inst, 1));
	default: return false;
	}
}

/*
 * Code generation makes one load of a load and what alone reshapes its value, and may take the location of any of them.
 */
static void mark_reshaping(struct marking *m, LLVMValueRef load)
{
	LLVMValueRef user = load;

	while ((user = only_user(user)) && LLVMIsAInstruction(user) && reshapes(user))
		mark_location(&m->marker, user);
}

static void copy_metadata(LLVMValueRef to, LLVMValueRef from)
{
	size_t count;
	LLVMValueMetadataEntry *entries = LLVMInstructionGetAllMetadataOtherThanDebugLoc(from, &count);
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(from));

	for (unsigned i = 0; i < count; i++)
		LLVMSetMetadata(to, LLVMValueMetadataEntriesGetKind(entries, i),
				LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(entries, i)));
	LLVMDisposeValueMetadataEntries(entries);
	LLVMInstructionSetDebugLoc(to, LLVMInstructionGetDebugLoc(from));
}

/*
 * Assembly takes some floats as integers, by a bit cast that code generation makes and gives the assembly's location. A
 * load of the integer needs no such cast.
 */
static LLVMValueRef load_as_assembly_does(struct marking *m, LLVMValueRef load)
{
	LLVMValueRef user = only_user(load), integer;
	LLVMTypeRef type = LLVMTypeOf(load);

	if (!user || !is_assembly(user) || !is_floating(type))
		return load;
	type = LLVMIntTypeInContext(m->loads.context, (unsigned)LLVMSizeOfTypeInBits(m->facts->program.layout, type));
	LLVMPositionBuilderBefore(m->loads.builder, load);
	integer = LLVMBuildLoad2(m->loads.builder, type, LLVMGetOperand(load, 0), "");
	LLVMSetAlignment(integer, LLVMGetAlignment(load));
	copy_metadata(integer, load);
	LLVMReplaceAllUsesWith(load, LLVMBuildBitCast(m->loads.builder, integer, LLVMTypeOf(load), ""));
	LLVMInstructionEraseFromParent(load);
	return integer;
}

static void mark_load(struct marking *m, LLVMValueRef load, enum proof proof)
{
	bool is_intrinsic = LLVMIsACallInst(load) != NULL;

	add_metadata(m, load, m->ro_kind);
	if (m->form == MARK_LOCATIONS) {
		if (!is_intrinsic) {
			make_global(m, load);
			load = load_as_assembly_does(m, load);
			mark_reshaping(m, load);
		}
		mark_location(&m->marker, load);
	} else if (is_intrinsic) {
		return; /* its own mark for other code generators */
	} else if (proof == PROOF_CODE) {
		make_global(m, load);
		add_metadata(m, load, m->invariant_kind);
	} else if (m->form == MARK_FOREIGN) {
		replace_load(m, load);
	}
}

static void mark_copy(struct marking *m, LLVMValueRef copy)
{
	add_metadata(m, copy, m->ro_kind);
	if (m->form == MARK_LOCATIONS)
		expand_memcpy(&m->loads, copy, &m->marker);
	else if (m->form == MARK_FOREIGN)
		expand_memcpy(&m->loads, copy, NULL);
}

/* --- Assembly --- */

/* The start of the text's only load, and the length of its spelling. NULL if the text is not simple enough. */
static const char *find_load(const char *text, size_t *len)
{
	const char *load = strstr(text, "ld.");

	if (!load || strstr(load + 1, "ld.") || strstr(text, "//") || strstr(text, "/*"))
		return NULL;
	*len = strcspn(load, " \t\n");
	return load;
}

/* The text of assembly with its only load spelt with the mark, to be freed; NULL if it cannot be. */
static char *marked_assembly(LLVMValueRef call, enum load_mark mark)
{
	char *constraints, *text = assembly_text(LLVMGetCalledValue(call), &constraints), *marked = NULL;
	struct strbuf out = STRBUF_INIT;
	size_t len;
	const char *load = find_load(text, &len);

	if (load)
		strbuf_add(&out, text, (size_t)(load - text));
	if (load && ptx_spell_load(load, len, mark, &out)) {
		strbuf_adds(&out, load + len);
		marked = strbuf_detach(&out);
	}
	strbuf_release(&out);
	free(text);
	free(constraints);
	return marked;
}

bool assembly_can_be_marked(LLVMValueRef call)
{
	char *marked = marked_assembly(call, LOAD_RO);
	bool can = marked != NULL;

	free(marked);
	return can;
}

static void mark_assembly(struct marking *m, LLVMValueRef call)
{
	char *marked = marked_assembly(call, m->load);

	add_metadata(m, call, m->ro_kind);
	if (m->form != MARK_METADATA)
		assembly_set_text(call, marked);
	free(marked);
}

static void mark_operations(struct marking *m)
{
	for (size_t i = 0; i < m->facts->program.ops.len; i++) {
		struct op *op = &m->facts->program.ops.data[i];
		enum proof proof = m->facts->op_proof[i];

		/* Texture fetches and what is marked in the program's own assembly are spelt as they were. */
		bool assembly = is_assembly(op->inst) && op->flags & OP_SIMPLE;

		if (proof == PROOF_NONE || (!assembly && (op->kind == OP_READ || is_assembly(op->inst))))
			continue;
		m->count++;
		if (assembly)
			mark_assembly(m, op->inst);
		else if (op->kind == OP_COPY)
			mark_copy(m, op->inst);
		else
			mark_load(m, op->inst, proof);
	}
}

unsigned marks_apply(struct facts *facts, enum mark_form form, enum load_mark load)
{
	LLVMContextRef context = LLVMGetModuleContext(facts->program.module);
	struct marking m = {
	    .facts = facts,
	    .form = form,
	    .load = load,
	    .loads = {facts->program.module, context, LLVMCreateBuilderInContext(context)},
	    .ro_kind = LLVMGetMDKindIDInContext(context, "romark.ro", 9),
	    .invariant_kind = LLVMGetMDKindIDInContext(context, "invariant.load", 14),
	};

	if (form == MARK_LOCATIONS)
		location_marker_init(&m.marker, facts->program.module);
	mark_operations(&m);
	if (form == MARK_LOCATIONS)
		location_marker_finish(&m.marker);
	if (form != MARK_METADATA)
		inline_copies(facts->program.module);
	LLVMDisposeBuilder(m.loads.builder);
	return m.count;
}

/* --- Attributes --- */

static void drop_read_only(LLVMValueRef kernel, uint32_t param)
{
	static const char *const names[] = {"readonly", "readnone"};

	for (size_t i = 0; i < 2; i++)
		LLVMRemoveEnumAttributeAtIndex(kernel, param + 1,
					       LLVMGetEnumAttributeKindForName(names[i], strlen(names[i])));
}

static bool is_ordered_load(const struct facts *facts, const struct ir_access *a)
{
	const struct op *op = &facts->program.ops.data[a->op];

	return a->is_load && op->kind == OP_LOAD && !(op->flags & (OP_SIMPLE | OP_INVARIANT));
}

static void tame_structure(const struct facts *facts, const struct ir_kernel *k, const struct ir_structure *s)
{
	if (s->object == OBJECT_PARAM)
		drop_read_only(facts->program.functions.data[k->function].value, s->pub.param);
	if (s->object == OBJECT_VARIABLE && s->is_constant)
		LLVMSetGlobalConstant(s->variable, false);
}

void attributes_tame(struct facts *facts, bool all)
{
	for (size_t i = 0; i < facts->kernels.len; i++) {
		const struct ir_kernel *k = &facts->kernels.data[i];
		const struct function_code *code = &facts->program.functions.data[k->function];

		for (uint32_t param = 0; all && param < code->nargs; param++)
			drop_read_only(code->value, param);
		for (size_t j = 0; j < k->accesses.len; j++)
			if (is_ordered_load(facts, &k->accesses.data[j]))
				for (uint32_t n = 0; n < k->accesses.data[j].nstructures; n++)
					tame_structure(facts, k,
						       &k->structures.data[k->accesses.data[j].structures[n]]);
	}
}
