/* Operations, the values that they join and the objects that these point to, as text. */
#include "passes/solve/solution_dump.h"

#include <inttypes.h>
#include <string.h>

/* --- Objects and sets --- */

static void add_name(struct strbuf *out, LLVMValueRef value)
{
	size_t len = 0;
	const char *name = value ? LLVMGetValueName2(value, &len) : NULL;

	strbuf_adds(out, len ? "@" : "a constant");
	if (len)
		strbuf_add(out, name, len);
}

static void add_object(struct strbuf *out, const struct objects *all, uint32_t index)
{
	const struct object *o = &all->all.data[index];

	switch ((enum object_kind)o->kind) {
	case OBJECT_UNKNOWN: strbuf_adds(out, "unknown"); break;
	case OBJECT_PARAM: strbuf_addf(out, "p%" PRIu32, o->param); break;
	case OBJECT_FIELD: strbuf_addf(out, "p%" PRIu32 "[%" PRId64 "]", o->param, o->offset); break;
	case OBJECT_VARIABLE:
	case OBJECT_CONSTANT: add_name(out, o->value); break;
	case OBJECT_POINTEE:
		strbuf_adds(out, "*(");
		add_object(out, all, o->holder);
		if (o->offset != OFFSET_ANY)
			strbuf_addf(out, "+%" PRId64, o->offset);
		strbuf_addc(out, ')');
		break;
	case OBJECT_HEAP: strbuf_adds(out, "heap"); break;
	case OBJECT_BYVAL: strbuf_addf(out, "&p%" PRIu32, o->param); break;
	case OBJECT_LOCAL: strbuf_addf(out, "local %" PRIu32, index); break;
	case OBJECT_SHARED:
		strbuf_adds(out, "shared ");
		add_name(out, o->value);
		break;
	case OBJECT_FUNCTION: strbuf_adds(out, "a function"); break;
	case OBJECT_PART: strbuf_adds(out, "a part of an address"); break;
	case OBJECT_NULL: strbuf_adds(out, "null"); break;
	case OBJECT_MIXED: strbuf_adds(out, "bits of some pointer"); break;
	case OBJECT_WORKSPACE: strbuf_adds(out, "the grid barrier's counter"); break;
	}
}

/* The offset, if the object is memory. */
static void add_offset(struct strbuf *out, const struct object *o, int32_t offset)
{
	if (o->kind == OBJECT_UNKNOWN || (!object_is_global(o) && !object_is_private(o)))
		return;
	if (offset == OFFSET_ANY)
		strbuf_adds(out, "+*");
	else if (offset)
		strbuf_addf(out, "%+" PRId32, offset);
}

static void add_set(struct strbuf *out, const struct solution *s, set_id set)
{
	const struct origin_set *all = origins_get(&s->sets, set);

	strbuf_addc(out, '{');
	for (uint32_t i = 0; i < all->count; i++) {
		strbuf_adds(out, i ? ", " : "");
		add_object(out, &s->objects, all->origins[i].object);
		add_offset(out, &s->objects.all.data[all->origins[i].object], all->origins[i].offset);
	}
	strbuf_addc(out, '}');
}

static void add_dependences(struct strbuf *out, uint8_t deps)
{
	strbuf_adds(out, " by");
	for (unsigned bit = 1; bit <= DEPENDS_LAST; bit *= 2)
		if (deps & bit)
			strbuf_addf(out, " %s", dependence_name(bit));
	if (deps & DEP_UNKNOWN)
		strbuf_adds(out, " anything");
}

/* --- Operations --- */

static const char *const kinds[] = {
    [OP_MOVE] = "move",           [OP_ALLOCA] = "alloca",
    [OP_MALLOC] = "malloc",       [OP_NULL] = "null",
    [OP_OPAQUE] = "opaque",       [OP_WORKSPACE] = "workspace",
    [OP_LOAD] = "load",           [OP_STORE] = "store",
    [OP_ATOMIC] = "atomic",       [OP_READ] = "read",
    [OP_WRITE] = "write",         [OP_COPY] = "copy",
    [OP_ESCAPE] = "escape",       [OP_UNKNOWN_WRITE] = "unknown write",
    [OP_GRID_WAIT] = "grid wait", [OP_LISTEN] = "listen",
    [OP_KEEP] = "keep",           [OP_CALL] = "call",
    [OP_RETURN] = "return",
};

static const struct {
	uint16_t flag;
	const char *name;
} flags[] = {
    {OP_SIMPLE, "simple"}, {OP_PRIVATE, "private"}, {OP_INVARIANT, "invariant"}, {OP_POINTER, "pointer"},
    {OP_FILL, "fill"},     {OP_UNSEEN, "unseen"},   {OP_FETCH, "fetch"},         {OP_SURFACE, "surface"},
    {OP_PIECE, "piece"},   {OP_WHOLE, "whole"},     {OP_EITHER, "either"},       {OP_PACKED, "packed"},
    {OP_PARTS, "parts"},   {OP_NUMBER, "number"},   {OP_STATE, "state"},
};

static const char *const mixes[] = {
    [MIX_COPY] = "as it is",   [MIX_SUM] = "sum",     [MIX_DIFFERENCE] = "difference", [MIX_JOIN] = "bits joined",
    [MIX_COMPARE] = "compare", [MIX_ROUND] = "round", [MIX_PARTS] = "parts",
};

static void add_operand(struct strbuf *out, const struct ir *p, uint32_t operand)
{
	if (operand == OPERAND_NONE)
		strbuf_adds(out, "-");
	else if (operand & OPERAND_CONSTANT)
		add_name(out, p->constants.data[operand & ~OPERAND_CONSTANT]);
	else
		strbuf_addf(out, "v%" PRIu32, operand);
}

static void add_value(struct strbuf *out, struct solution *s, const struct instance *i, uint32_t operand)
{
	struct ir_value v = solution_value(s, i, operand);
	uint8_t deps;

	if (operand == OPERAND_NONE || (v.set == SET_EMPTY && v.beside == SET_EMPTY))
		return;
	strbuf_adds(out, "            ");
	add_operand(out, s->program, operand);
	strbuf_addc(out, ' ');
	add_set(out, s, v.set);
	if (v.beside != SET_EMPTY) {
		strbuf_adds(out, " beside bits of ");
		add_set(out, s, v.beside);
	}
	deps = solution_dep(i, operand);
	if (deps)
		add_dependences(out, deps);
	strbuf_addc(out, '\n');
}

/* As LLVM prints it, without metadata. */
static void add_instruction(struct strbuf *out, LLVMValueRef inst)
{
	char *text = inst ? LLVMPrintValueToString(inst) : NULL;
	const char *from = text, *end;

	if (!text)
		return;
	from += strspn(from, " ");
	end = strstr(from, ", !");
	strbuf_adds(out, "  ; ");
	strbuf_add(out, from, end ? (size_t)(end - from) : strcspn(from, "\n"));
	LLVMDisposeMessage(text);
}

static void add_op(struct strbuf *out, const struct ir *p, const struct op *op)
{
	strbuf_adds(out, "    ");
	if (op->result != NO_RESULT)
		strbuf_addf(out, "v%" PRIu32 " = ", op->result);
	strbuf_adds(out, kinds[op->kind]);
	for (uint32_t n = 0; n < op->count; n++) {
		strbuf_adds(out, n ? ", " : " ");
		add_operand(out, p, p->operands.data[op->first + n]);
	}
	if (op->kind == OP_MOVE)
		strbuf_addf(out, ", %s", mixes[op->mix]);
	if (op->bytes == OFFSET_ANY)
		strbuf_adds(out, ", anywhere");
	else if (op->bytes)
		strbuf_addf(out, ", %" PRId64 " bytes", op->bytes);
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (op->flags & flags[i].flag)
			strbuf_addf(out, ", %s", flags[i].name);
	add_instruction(out, op->inst);
	strbuf_addc(out, '\n');
}

/* Each value once, the result last. */
static void add_values(struct strbuf *out, struct solution *s, const struct instance *i, const struct op *op)
{
	const uint32_t *operands = s->program->operands.data + op->first;

	for (uint32_t n = 0; n < op->count; n++) {
		bool again = false;

		for (uint32_t before = 0; before < n; before++)
			again |= operands[before] == operands[n];
		if (!again)
			add_value(out, s, i, operands[n]);
	}
	if (op->result != NO_RESULT)
		add_value(out, s, i, op->result);
}

static void add_instance(struct strbuf *out, struct solution *s, uint32_t number)
{
	const struct instance *i = &s->instances.data[number];
	const struct function_code *code = &s->program->functions.data[i->function];

	strbuf_addf(out, "  context %" PRIu32 ": %s", number, code->name);
	if (i->caller != NO_INSTANCE)
		strbuf_addf(out, ", called in context %" PRIu32, i->caller);
	strbuf_addf(out, ", %" PRIu32 " arguments, %" PRIu32 " values\n", code->nargs, code->nvalues);
	for (uint32_t op = 0; op < code->nops; op++) {
		const struct op *o = &s->program->ops.data[code->first_op + op];

		add_op(out, s->program, o);
		add_values(out, s, i, o);
	}
}

void solution_dump(struct solution *s, struct strbuf *out)
{
	size_t count = s->instances.len;

	strbuf_addf(out, "kernel %s: %zu calling context%s, %zu objects\n", s->program->functions.data[s->kernel].name,
		    count, count == 1 ? "" : "s", (size_t)s->objects.all.len);
	for (uint32_t i = 0; i < count; i++)
		add_instance(out, s, i);
}
