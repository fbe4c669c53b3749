/*
 * Verdicts: from the accesses of a kernel to read-only, read-write, write-only or unused, and to the loads that may
 * be marked, under one of the three alias levels. docs/soundness.md has the argument.
 */
#include "ptx-analyzer/readonly/kernel.h"

const struct ptx_inst *access_inst(const struct kernel *k, const struct kernel_access *a)
{
	return &k->owner->module->functions[a->function].insts[a->inst];
}

bool is_promised(const struct ptx_inst *inst)
{
	return inst->opcode->op == PTX_OP_ld && ptx_has_mod(inst->opcode, PTX_MOD_nc);
}

/* --- Who writes what --- */

static void note_store(struct kernel *k, uint32_t access, uint32_t structure)
{
	struct ptx_structure *s = &k->facts.structures[structure];
	struct structure_notes *n = &k->notes.data[structure];

	if (n->writer == PTX_NONE)
		n->writer = access;
	if (k->unknown_writer == PTX_NONE && (s->kind == PTX_STRUCTURE_UNKNOWN || s->kind == PTX_STRUCTURE_POINTEE))
		k->unknown_writer = access;
	n->store_deps |= k->work.data[access].deps;
}

static bool is_surface_access(const struct ptx_inst *inst)
{
	enum ptx_op op = inst->opcode->op;

	return op == PTX_OP_suld || op == PTX_OP_sust || op == PTX_OP_sured;
}

static void note_access(struct kernel *k, uint32_t access, uint32_t structure)
{
	const struct kernel_access *a = &k->work.data[access];
	struct ptx_structure *s = &k->facts.structures[structure];
	struct structure_notes *n = &k->notes.data[structure];

	if (a->flags & ACCESS_STORE)
		note_store(k, access, structure);
	if (is_surface_access(access_inst(k, a)))
		n->by_surface = true;
	if (access_inst(k, a)->opcode->cls == PTX_CLASS_TEXTURE)
		s->is_image = true;
	else
		n->by_pointer = true;
	if (a->flags & ACCESS_LOAD)
		n->load_deps |= a->deps;
	if (a->flags & (ACCESS_CALL | ACCESS_DEPENDENCY))
		return;
	if (a->flags & ACCESS_ATOMIC) {
		s->atomics++;
		return;
	}
	s->loads += (a->flags & ACCESS_LOAD) != 0;
	s->stores += (a->flags & ACCESS_STORE) != 0;
	n->plain += (a->flags & ACCESS_LOAD) && !is_promised(access_inst(k, a));
}

/* "p2+*" may be any pointer of parameter 2: who writes the one writes the other. */
static void join_fields(struct kernel *k, uint32_t any)
{
	const struct ptx_structure *s = k->facts.structures;
	struct structure_notes *n = k->notes.data;
	uint32_t first = PTX_NONE;

	for (uint32_t i = 0; i < k->facts.nstructures; i++)
		if (s[i].kind == PTX_STRUCTURE_FIELD && s[i].param == s[any].param && n[i].writer < first)
			first = n[i].writer;
	if (n[any].writer == PTX_NONE)
		n[any].writer = first;
	for (uint32_t i = 0; i < k->facts.nstructures; i++)
		if (s[i].kind == PTX_STRUCTURE_FIELD && s[i].param == s[any].param && n[i].writer == PTX_NONE)
			n[i].writer = n[any].writer;
}

static void note_all(struct kernel *k)
{
	k->unknown_writer = k->any_writer = PTX_NONE;
	for (uint32_t i = 0; i < k->work.len; i++) {
		const struct kernel_access *a = &k->work.data[i];
		const struct set *s = set_get(k->owner->sets, a->set);

		if ((a->flags & ACCESS_STORE) && k->any_writer == PTX_NONE)
			k->any_writer = i;
		for (uint32_t j = 0; j < s->count; j++)
			if (s->elems[j] != STRUCT_WINDOW)
				note_access(k, i, STRUCT_INDEX(s->elems[j]));
	}
	for (uint32_t i = 0; i < k->facts.nstructures; i++)
		if (k->notes.data[i].any_field)
			join_fields(k, i);
}

/* --- Levels --- */

/* A surface is a CUDA array, which no pointer addresses. */
static bool is_array_beside_pointer(const struct structure_notes *a, const struct structure_notes *b)
{
	return a->by_surface && !a->by_pointer && b->by_pointer && !b->by_surface;
}

bool may_overlap(const struct kernel *k, uint32_t x, uint32_t y)
{
	enum ptx_structure_kind a = k->facts.structures[x].kind, b = k->facts.structures[y].kind;

	if (x == y || a == PTX_STRUCTURE_UNKNOWN || b == PTX_STRUCTURE_UNKNOWN)
		return true;
	if (k->notes.data[x].constant || k->notes.data[y].constant)
		return false;
	if (is_array_beside_pointer(&k->notes.data[x], &k->notes.data[y]) ||
	    is_array_beside_pointer(&k->notes.data[y], &k->notes.data[x]))
		return false;
	if (a == PTX_STRUCTURE_HEAP || b == PTX_STRUCTURE_HEAP)
		return false;
	/* A reference to a texture or a surface is bound to any memory. */
	return a != PTX_STRUCTURE_VARIABLE || b != PTX_STRUCTURE_VARIABLE || !k->notes.data[x].by_pointer ||
	       !k->notes.data[y].by_pointer;
}

static uint32_t first_overlapping_writer(const struct kernel *k, uint32_t index)
{
	uint32_t first = PTX_NONE;

	for (uint32_t i = 0; i < k->facts.nstructures; i++)
		if (k->notes.data[i].writer < first && may_overlap(k, index, i))
			first = k->notes.data[i].writer;
	return first;
}

uint32_t kernel_killer(const struct kernel *k, uint32_t index)
{
	const struct ptx_structure *s = &k->facts.structures[index];
	const struct structure_notes *n = &k->notes.data[index];
	uint32_t killer = PTX_NONE;

	if (n->constant || (s->loads > 0 && n->plain == 0))
		return PTX_NONE;
	if (s->kind == PTX_STRUCTURE_UNKNOWN || s->kind == PTX_STRUCTURE_HEAP || k->owner->alias == PTX_ALIAS_STRICT)
		killer = first_overlapping_writer(k, index);
	else if (k->owner->alias == PTX_ALIAS_GUARDED)
		killer = k->unknown_writer;
	if (s->kind == PTX_STRUCTURE_POINTEE && killer == PTX_NONE) {
		killer = k->notes.data[s->holder].writer;
		if (killer == PTX_NONE)
			killer = kernel_killer(k, s->holder);
	}
	return killer;
}

static enum ptx_verdict judge(const struct kernel *k, uint32_t index)
{
	const struct ptx_structure *s = &k->facts.structures[index];
	bool read = s->loads || s->atomics;

	if (k->notes.data[index].constant)
		return PTX_READ_ONLY;
	if (k->notes.data[index].writer != PTX_NONE)
		return read || !s->stores ? PTX_READ_WRITE : PTX_WRITE_ONLY;
	if (!read)
		return PTX_UNUSED;
	return kernel_killer(k, index) == PTX_NONE ? PTX_READ_ONLY : PTX_READ_WRITE;
}

/* --- Marks --- */

static bool allows(const struct kernel *k, const struct kernel_access *a)
{
	const struct set *s = set_get(k->owner->sets, a->set);
	bool promised = is_promised(access_inst(k, a));

	if (a->flags != ACCESS_LOAD || mark_obstacle(access_inst(k, a)->opcode))
		return false;
	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t index = STRUCT_INDEX(s->elems[i]);

		if (s->elems[i] == STRUCT_WINDOW || k->notes.data[index].constant)
			return false;
		if (!k->facts.structures[index].marked && !(promised && k->notes.data[index].writer == PTX_NONE))
			return false;
	}
	return true;
}

static uint8_t *mark_of(struct ptx_analysis *a, uint32_t function, uint32_t inst)
{
	if (!a->marks[function])
		a->marks[function] = arena_array(&a->arena, uint8_t, a->module->functions[function].ninsts);
	return &a->marks[function][inst];
}

void kernel_judge(struct kernel *k)
{
	note_all(k);
	for (uint32_t i = 0; i < k->facts.nstructures; i++) {
		struct ptx_structure *s = &k->facts.structures[i];
		const struct structure_notes *n = &k->notes.data[i];
		uint64_t deps = s->loads ? n->load_deps : n->load_deps | n->store_deps;

		s->verdict = judge(k, i);
		s->marked = s->verdict == PTX_READ_ONLY && s->kind != PTX_STRUCTURE_HEAP;
		s->depends = (unsigned)(deps & (PTX_DEPENDS_MEMORY * 2 - 1));
		s->sharing = s->verdict == PTX_UNUSED ? PTX_SHARING_UNKNOWN : sharing_class(deps, k->reads);
	}
	for (size_t i = 0; i < k->work.len; i++) {
		const struct kernel_access *a = &k->work.data[i];
		uint8_t *mark = mark_of(k->owner, a->function, a->inst);

		if (*mark != MARK_DENIED)
			*mark = allows(k, a) ? MARK_ALLOWED : MARK_DENIED;
	}
}

static void deny(struct ptx_analysis *a, uint32_t function)
{
	for (uint32_t i = 0; a->marks[function] && i < a->module->functions[function].ninsts; i++)
		if (a->marks[function][i] == MARK_ALLOWED)
			a->marks[function][i] = MARK_DENIED;
}

void deny_open_functions(struct ptx_analysis *a)
{
	VEC(uint32_t) open = VEC_INIT;
	bool unknown = a->relocatable, *seen;

	for (size_t i = 0; i < a->nkernels; i++)
		unknown |= a->kernels[i].calls_unknown;
	if (!unknown)
		return;
	seen = xcalloc(a->module->nfunctions, sizeof *seen);
	for (uint32_t f = 0; f < a->module->nfunctions; f++) {
		const struct ptx_function *function = &a->module->functions[f];

		seen[f] = a->flow->flows[f].taken || (!function->is_kernel && function->linkage != PTX_LINK_NONE);
		if (seen[f])
			vec_push(&open, f);
	}
	while (open.len) {
		const struct flow *fl = &a->flow->flows[vec_pop(&open)];

		deny(a, fl->index);
		for (size_t c = 0; c < fl->calls.len; c++)
			for (uint32_t i = 0; i < fl->calls.data[c].ncallees; i++) {
				if (!seen[fl->calls.data[c].callees[i]])
					vec_push(&open, fl->calls.data[c].callees[i]);
				seen[fl->calls.data[c].callees[i]] = true;
			}
	}
	vec_release(&open);
	free(seen);
}

/* --- The public tables --- */

static void count_marks(struct kernel *k, const struct kernel_access *a)
{
	const struct set *s = set_get(k->owner->sets, a->set);
	bool marked = k->owner->marks[a->function][a->inst] == MARK_ALLOWED;

	if ((a->flags & (ACCESS_LOAD | ACCESS_ATOMIC | ACCESS_CALL)) != ACCESS_LOAD)
		return;
	k->facts.loads++;
	k->facts.loads_marked += marked;
	for (uint32_t i = 0; marked && i < s->count; i++) {
		uint32_t index = STRUCT_INDEX(s->elems[i]);

		k->facts.structures[index].loads_marked++;
		k->notes.data[index].new_marks += !is_promised(access_inst(k, a));
	}
}

static const uint32_t *public_set(struct kernel *k, set_id set, uint32_t *count)
{
	const struct set *s = set_get(k->owner->sets, set);
	uint32_t *indices = arena_array(&k->owner->arena, uint32_t, s->count);

	*count = 0;
	for (uint32_t i = 0; i < s->count; i++)
		if (s->elems[i] != STRUCT_WINDOW)
			indices[(*count)++] = STRUCT_INDEX(s->elems[i]);
	return indices;
}

static int compare_accesses(const void *a, const void *b)
{
	const struct ptx_access *x = a, *y = b;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	return (x->inst > y->inst) - (x->inst < y->inst);
}

static void publish_accesses(struct kernel *k)
{
	k->accesses = arena_array(&k->owner->arena, struct ptx_access, k->work.len);
	for (size_t i = 0; i < k->work.len; i++) {
		const struct kernel_access *a = &k->work.data[i];
		struct ptx_access *p = &k->accesses[i];

		if (i > 0 && a[-1].set == a->set) {
			p->structures = p[-1].structures;
			p->nstructures = p[-1].nstructures;
		} else {
			p->structures = public_set(k, a->set, &p->nstructures);
		}
		p->function = a->function;
		p->inst = a->inst;
		p->is_load = a->flags & ACCESS_LOAD;
		p->is_store = a->flags & ACCESS_STORE;
		p->is_atomic = a->flags & ACCESS_ATOMIC;
		p->marked = k->owner->marks[a->function][a->inst] == MARK_ALLOWED;
		if (p->is_load && !p->is_atomic && !p->marked)
			p->why = unmarked_reason(k, a);
	}
	k->naccesses = k->work.len;
	if (k->functions.len > 1)
		qsort(k->accesses, k->naccesses, sizeof *k->accesses, compare_accesses);
}

/* A followed pointer is as good as its holder, so the holder is guarded too. */
static void mark_holders(const struct kernel *k, bool *guarded)
{
	for (uint32_t i = 0; i < k->facts.nstructures; i++)
		if (guarded[i] && k->facts.structures[i].kind == PTX_STRUCTURE_POINTEE)
			guarded[k->facts.structures[i].holder] = true;
}

static void list_guards(struct kernel *k)
{
	uint32_t n = k->facts.nstructures;
	bool *guarded = xcalloc(n + 1, sizeof *guarded);
	VEC(struct ptx_guard) guards = VEC_INIT;

	for (uint32_t i = 0; i < n; i++)
		guarded[i] = k->notes.data[i].new_marks > 0;
	mark_holders(k, guarded);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; guarded[i] && j < n; j++)
			if (k->notes.data[j].writer != PTX_NONE && i != j && may_overlap(k, i, j))
				vec_push(&guards, (struct ptx_guard){i, j});
	k->facts.nguards = (uint32_t)guards.len;
	if (guards.len)
		k->facts.guards = arena_memdup(&k->owner->arena, guards.data, guards.len * sizeof *guards.data);
	vec_release(&guards);
	free(guarded);
}

void kernel_conclude(struct kernel *k)
{
	for (size_t i = 0; i < k->work.len; i++)
		count_marks(k, &k->work.data[i]);
	publish_accesses(k);
	if (k->owner->alias == PTX_ALIAS_GUARDED)
		list_guards(k);
	kernel_explain(k);
}
