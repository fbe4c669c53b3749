/* Reasons: a sentence for each verdict, or for the first load of a read-only structure that is not marked. */
#include "ptx-analyzer/readonly/ptx_kernel.h"

#include "common/kernel_names.h"
#include "ptx-analyzer/language/module/ptx_access.h"
#include "ptx-analyzer/language/module/ptx_places.h"
#include "verdict/reason.h"

/* Adds " (saxpy.cu:12)", " in f", both, or nothing. */
static void add_place(struct strbuf *sb, const struct kernel *k, const struct kernel_access *a)
{
	struct place_chain places = ptx_places(k->owner->module, access_inst(k, a), &k->owner->arena);
	const struct source_place *shown = place_shown(&places);

	if (a->function != k->facts.function)
		strbuf_addf(sb, " in %s", short_title(k->owner->module->functions[a->function].name).text);
	if (shown)
		strbuf_addf(sb, " (%s:%u)", place_base_name(shown->file), shown->line);
}

static const char *finish(struct kernel *k, struct strbuf *sb)
{
	const char *text = arena_strdup(&k->owner->arena, sb->data);

	strbuf_release(sb);
	return text;
}

static void set_why(struct kernel *k, uint32_t index, const struct kernel_access *a, enum reason_kind kind,
		    const char *text)
{
	struct structure *s = &k->facts.structures[index];
	const struct ptx_inst *inst = access_inst(k, a);

	s->why_inst = a->inst;
	s->why_function = a->function;
	s->why_line = inst->line;
	s->why = text;
	s->why_kind = kind;
	s->why_symbol = k->owner->module->functions[a->function].name;
	s->why_instruction = inst->opcode->text;
	s->why_places = ptx_places(k->owner->module, inst, &k->owner->arena);
	s->why_calls = call_path(k, a, &s->nwhy_calls);
}

static const char *callee_name(const struct ptx_inst *inst, const struct ptx_module *m)
{
	for (unsigned i = 0; i < inst->noperands; i++)
		if (inst->operands[i].kind == PTX_OPERAND_SYMBOL)
			return m->symbols[inst->operands[i].id].name;
	return "a function pointer";
}

/* "`st.global.f32` in f (k.cu:3) writes it" or the like. */
static void add_what_it_does(struct strbuf *sb, const struct kernel *k, const struct kernel_access *a,
			     const char *object)
{
	const struct ptx_inst *inst = access_inst(k, a);

	if (a->flags & ACCESS_CALL) {
		strbuf_addf(sb, "the call of `%s`", short_title(callee_name(inst, k->owner->module)).text);
		add_place(sb, k, a);
		strbuf_adds(sb, ", whose code is not in this module, may write anything");
		return;
	}
	strbuf_addf(sb, "`%s`", inst->opcode->text);
	add_place(sb, k, a);
	if (a->flags & ACCESS_DEPENDENCY)
		strbuf_adds(sb, ": until then the kernel before may write anything");
	else if (a->flags & ACCESS_HIDDEN)
		strbuf_adds(sb, " writes memory that its address does not name");
	else
		strbuf_addf(sb, " %s %s", a->flags & ACCESS_ATOMIC ? "updates" : "writes", object);
}

/* The reason's kind for a write: by a name of the structure (`named`), or by another name. */
static enum reason_kind kind_of_write(const struct kernel_access *a, bool named)
{
	if (a->flags & ACCESS_CALL)
		return REASON_UNKNOWN_CODE;
	if (a->flags & ACCESS_DEPENDENCY)
		return REASON_GRID_WAIT;
	if (a->flags & ACCESS_HIDDEN)
		return REASON_HIDDEN_WRITE;
	return named ? REASON_WRITTEN : REASON_ALIAS;
}

static uint32_t written_of(const struct kernel *k, const struct kernel_access *a)
{
	const struct set *s = set_get(k->owner->sets, a->set);
	uint32_t last = 0;

	for (uint32_t i = 0; i < s->count; i++)
		if (s->elems[i] != STRUCT_WINDOW)
			last = STRUCT_INDEX(s->elems[i]);
	return last;
}

static void explain_writer(struct kernel *k, uint32_t index, uint32_t access)
{
	const struct kernel_access *a = &k->work.data[access];
	struct strbuf sb = STRBUF_INIT;

	add_what_it_does(&sb, k, a, "it");
	set_why(k, index, a, kind_of_write(a, true), finish(k, &sb));
}

static const char *shown(const struct kernel *k, uint32_t structure)
{
	return structure_shown(&k->owner->arena, k->facts.structures[structure].id);
}

/* Not read-only because of a write that names another structure, or none. */
static void explain_deciding_write(struct kernel *k, uint32_t index, uint32_t access)
{
	const struct kernel_access *a = &k->work.data[access];
	const struct structure *s = &k->facts.structures[index], *w = &k->facts.structures[written_of(k, a)];
	enum reason_kind kind = kind_of_write(a, false);
	struct strbuf sb = STRBUF_INIT;

	if (kind == REASON_ALIAS && (w->kind == STRUCTURE_UNKNOWN || w->kind == STRUCTURE_POINTEE))
		kind = REASON_UNKNOWN_POINTER;
	if (a->flags & (ACCESS_CALL | ACCESS_DEPENDENCY)) {
		add_what_it_does(&sb, k, a, "");
	} else if (s->kind == STRUCTURE_POINTEE && k->notes.data[s->holder].writer == access) {
		add_what_it_does(&sb, k, a, shown(k, s->holder));
		strbuf_adds(&sb, ", which holds the pointers");
	} else if (w->kind == STRUCTURE_UNKNOWN) {
		add_what_it_does(&sb, k, a, "through a pointer of unknown origin");
		strbuf_adds(&sb, ", which may reach it");
	} else if (w->kind == STRUCTURE_POINTEE) {
		add_what_it_does(&sb, k, a, "through a pointer loaded from ");
		strbuf_addf(&sb, "%s, which may reach it", shown(k, w->holder));
	} else if (s->kind == STRUCTURE_UNKNOWN) {
		add_what_it_does(&sb, k, a, shown(k, written_of(k, a)));
		strbuf_adds(&sb, ", which a pointer of unknown origin may reach");
	} else {
		add_what_it_does(&sb, k, a, shown(k, written_of(k, a)));
		strbuf_addf(&sb, ", and nothing in the PTX shows that %s is other memory", shown(k, index));
	}
	set_why(k, index, a, kind, finish(k, &sb));
}

/* Another kernel, or code that is not known, forbids what this kernel allows. */
static const char *denied_reason(const struct kernel *k, const struct kernel_access *a, struct denial *by,
				 enum reason_kind *kind)
{
	struct ptx_analysis *owner = k->owner;
	uint32_t denier = owner->deniers[a->function] ? owner->deniers[a->function][a->inst] : 0;
	uint32_t who = denier & ~DENIED_BY_WINDOW;

	*kind = REASON_INSTRUCTION;
	if (!who)
		return "this instruction cannot carry a mark";
	*kind = who > owner->nkernels ? REASON_OTHER_MODULE : REASON_OTHER_KERNEL;
	if (who > owner->nkernels) {
		by->function = owner->module->functions[who - 1 - owner->nkernels].name;
		return reason_of_denial(&owner->arena, by, false);
	}
	by->kernel = owner->kernels[who - 1].facts.name;
	return reason_of_denial(&owner->arena, by, denier & DENIED_BY_WINDOW);
}

const char *unmarked_reason(const struct kernel *k, const struct kernel_access *a, struct denial *by,
			    enum reason_kind *kind)
{
	const struct set *s = set_get(k->owner->sets, a->set);
	const char *obstacle = ptx_mark_obstacle(access_inst(k, a)->opcode);

	*by = (struct denial){NULL, NULL};
	*kind = REASON_INSTRUCTION;
	if (obstacle)
		return obstacle;
	for (uint32_t i = 0; i < s->count; i++) {
		const struct structure *other;

		*kind = REASON_OTHER_SPACE;
		if (s->elems[i] == STRUCT_WINDOW)
			return "its address may also lie in shared, local or constant memory";
		other = &k->facts.structures[STRUCT_INDEX(s->elems[i])];
		if (structure_allows(k, STRUCT_INDEX(s->elems[i]), ptx_is_promised(access_inst(k, a)->opcode)))
			continue;
		*kind = other->kind == STRUCTURE_HEAP ? REASON_HEAP : REASON_LISTENS;
		if (other->verdict == VERDICT_READ_ONLY)
			return other->kind == STRUCTURE_HEAP ? "memory of device-side malloc carries no marks"
							     : reason_of_listening;
		*kind = REASON_OTHER_STRUCTURE;
		return arena_printf(&k->owner->arena, "its address may also lie in %s, which is %s",
				    shown(k, STRUCT_INDEX(s->elems[i])), verdict_name(other->verdict));
	}
	return denied_reason(k, a, by, kind);
}

/* Read-only, but not every load is marked: the first such load and its reason. */
static void explain_unmarked(struct kernel *k, uint32_t index)
{
	for (uint32_t i = 0; i < k->work.len; i++) {
		const struct kernel_access *a = &k->work.data[i];
		struct strbuf sb = STRBUF_INIT;
		enum reason_kind kind;
		struct denial by;

		if (k->owner->marks[a->function][a->inst] == MARK_ALLOWED || !(a->flags & ACCESS_LOAD) ||
		    !set_has(k->owner->sets, a->set, STRUCT_ELEM(index)))
			continue;
		strbuf_addf(&sb, "read-only, but `%s`", access_inst(k, a)->opcode->text);
		add_place(&sb, k, a);
		strbuf_addf(&sb, " is not marked: %s", unmarked_reason(k, a, &by, &kind));
		set_why(k, index, a, kind, finish(k, &sb));
		k->facts.structures[index].denied_by = by;
		return;
	}
}

void kernel_explain(struct kernel *k)
{
	for (uint32_t i = 0; i < k->facts.nstructures; i++) {
		struct structure *s = &k->facts.structures[i];

		if (k->notes.data[i].writer != PTX_NONE) {
			explain_writer(k, i, k->notes.data[i].writer);
		} else if (s->verdict == VERDICT_UNUSED) {
			s->why = "no load or store reaches it";
			s->why_line = k->facts.line;
		} else if (s->verdict == VERDICT_READ_WRITE) {
			explain_deciding_write(k, i, deciding_write(k, i));
		} else if (s->loads_marked < s->loads) {
			explain_unmarked(k, i);
		} else {
			s->why = reason_of_read_only(&k->owner->arena, &k->facts, i);
		}
	}
}
