/*
 * Makes the evidence for verdict/level.h from a kernel's accesses, and from its answers the verdicts, the loads that
 * may be marked, and the guards. docs/soundness.md has the argument.
 */
#include "ptx-analyzer/readonly/ptx_kernel.h"

#include "ptx-analyzer/language/module/ptx_access.h"

const struct ptx_inst *access_inst(const struct kernel *k, const struct kernel_access *a)
{
	return &k->owner->module->functions[a->function].insts[a->inst];
}

const struct ptx_function *kernel_function(const struct kernel *k)
{
	return &k->owner->module->functions[k->facts.function];
}

/* --- Evidence --- */

static bool is_surface_access(const struct ptx_inst *inst)
{
	enum ptx_op op = inst->opcode->op;

	return op == PTX_OP_suld || op == PTX_OP_sust || op == PTX_OP_sured;
}

static void note_bias(struct structure *s, struct structure_notes *n, int64_t bias)
{
	if (!n->placed || bias < s->bias_low)
		s->bias_low = bias;
	if (!n->placed || bias > s->bias_high)
		s->bias_high = bias;
	n->placed = true;
}

static void note_added(struct structure *s, const struct kernel_access *a)
{
	s->added.words |= a->added.words;
	s->added.any |= a->added.any;
	if (s->added.wide < a->added.wide)
		s->added.wide = a->added.wide;
	if (a->bias > 0 && s->added.constant < (uint64_t)a->bias)
		s->added.constant = (uint64_t)a->bias;
}

static void note_access(struct kernel *k, uint32_t access, uint32_t structure)
{
	const struct kernel_access *a = &k->work.data[access];
	const struct ptx_inst *inst = access_inst(k, a);
	struct structure *s = &k->facts.structures[structure];
	struct structure_notes *n = &k->notes.data[structure];

	if ((a->flags & ACCESS_STORE) && n->writer == PTX_NONE)
		n->writer = access;
	if (a->flags & ACCESS_STORE)
		n->store_deps |= a->deps;
	if (a->flags & ACCESS_LOAD)
		n->load_deps |= a->deps;
	note_bias(s, n, a->bias);
	note_added(s, a);
	if (inst->opcode->cls == PTX_CLASS_TEXTURE)
		s->is_image = true;
	else
		k->evidence[structure].by_pointer = true;
	k->evidence[structure].by_surface |= is_surface_access(inst);
	if (a->flags & (ACCESS_CALL | ACCESS_DEPENDENCY)) {
		n->by_strangers = true;
		return;
	}
	if (a->flags & ACCESS_ATOMIC) {
		s->atomics++;
		return;
	}
	s->loads += (a->flags & ACCESS_LOAD) != 0;
	s->stores += (a->flags & ACCESS_STORE) != 0;
	n->plain += (a->flags & ACCESS_LOAD) && !ptx_is_promised(inst->opcode);
}

/* "p2+*" may be any pointer of parameter 2, so a write to it counts for each of them, and the other way round. */
static void join_fields(struct kernel *k, uint32_t any)
{
	const struct structure *s = k->facts.structures;
	struct structure_notes *n = k->notes.data;
	uint32_t first = PTX_NONE;

	for (uint32_t i = 0; i < k->facts.nstructures; i++)
		if (s[i].kind == STRUCTURE_FIELD && s[i].param == s[any].param && n[i].writer < first)
			first = n[i].writer;
	if (n[any].writer == PTX_NONE)
		n[any].writer = first;
	for (uint32_t i = 0; i < k->facts.nstructures; i++)
		if (s[i].kind == STRUCTURE_FIELD && s[i].param == s[any].param && n[i].writer == PTX_NONE)
			n[i].writer = n[any].writer;
}

/*
 * An access at distance 0 shows that the pointer is where it is used. But it shows nothing about accesses whose
 * distance was lost on the way. A launch looks at the ends of the range, so nothing is added to these.
 */
static void settle_bias(struct structure *s, const struct structure_notes *n)
{
	if (s->bias_low <= 0 && s->bias_high >= 0)
		s->bias_low = s->bias_high = 0;
	if (n->drift_low < 0 && n->drift_low < s->bias_low)
		s->bias_low = n->drift_low;
	if (n->drift_high > 0 && n->drift_high > s->bias_high)
		s->bias_high = n->drift_high;
	if (n->drift_high > 0 && s->added.constant < (uint64_t)n->drift_high)
		s->added.constant = (uint64_t)n->drift_high;
}

static void fill_evidence(struct kernel *k)
{
	for (uint32_t i = 0; i < k->facts.nstructures; i++) {
		struct structure *s = &k->facts.structures[i];
		struct evidence *e = &k->evidence[i];

		settle_bias(s, &k->notes.data[i]);
		e->kind = (uint8_t)s->kind;
		e->written = k->notes.data[i].writer != PTX_NONE;
		e->position = k->notes.data[i].writer;
		e->constant = k->notes.data[i].constant;
		e->by_texture = s->is_image;
		e->holder = s->holder;
		e->at_word = s->at_word;
		e->word = s->word;
		e->exact = s->kind == STRUCTURE_POINTEE;
		e->closed = s->kind == STRUCTURE_POINTEE && k->facts.structures[s->holder].kind == STRUCTURE_POINTEE;
	}
}

static void gather_evidence(struct kernel *k)
{
	k->evidence = arena_array(&k->owner->arena, struct evidence, k->facts.nstructures);
	k->grid_wait = PTX_NONE;
	for (uint32_t i = 0; i < k->work.len; i++) {
		const struct set *s = set_get(k->owner->sets, k->work.data[i].set);

		if (k->work.data[i].flags & ACCESS_DEPENDENCY && k->grid_wait == PTX_NONE)
			k->grid_wait = i;
		for (uint32_t j = 0; j < s->count; j++)
			if (s->elems[j] != STRUCT_WINDOW)
				note_access(k, i, STRUCT_INDEX(s->elems[j]));
	}
	for (uint32_t i = 0; i < k->facts.nstructures; i++)
		if (k->notes.data[i].any_field)
			join_fields(k, i);
	fill_evidence(k);
	kernel_find_words(k);
	level_unsettle(k->evidence, k->facts.nstructures, k->owner->alias);
}

/* --- Verdicts --- */

static uint32_t conflicting_write(const struct kernel *k, uint32_t index)
{
	uint32_t writer;

	/* No level takes another kernel's writes on trust. */
	if (k->grid_wait != PTX_NONE)
		return k->grid_wait;
	if (level_conflict(k->evidence, k->facts.nstructures, index, k->owner->alias, &writer) != CONFLICT_ALWAYS)
		return PTX_NONE;
	return k->notes.data[writer].writer;
}

/*
 * For a pointee that is not settled: the write that would decide if it were, else the write that unsettles its holder.
 */
static uint32_t unsettling_write(const struct kernel *k, uint32_t index)
{
	uint32_t holder = k->facts.structures[index].holder, write;

	k->evidence[index].unsettled = false;
	write = conflicting_write(k, index);
	k->evidence[index].unsettled = true;
	if (write == PTX_NONE)
		write = k->notes.data[holder].writer;
	return write == PTX_NONE ? deciding_write(k, holder) : write;
}

uint32_t deciding_write(const struct kernel *k, uint32_t index)
{
	const struct structure *s = &k->facts.structures[index];
	uint32_t write;

	if (k->notes.data[index].constant || (s->loads > 0 && k->notes.data[index].plain == 0))
		return PTX_NONE;
	write = k->evidence[index].unsettled ? unsettling_write(k, index) : PTX_NONE;
	return write == PTX_NONE ? conflicting_write(k, index) : write;
}

static enum verdict judge(const struct kernel *k, uint32_t index)
{
	const struct structure *s = &k->facts.structures[index];
	const struct structure_notes *n = &k->notes.data[index];
	bool is_read = s->loads || s->atomics || n->by_strangers, is_written = n->writer != PTX_NONE;

	if (n->constant)
		return VERDICT_READ_ONLY;
	if (is_written || !is_read)
		return verdict_of_accesses(is_read, is_written);
	return deciding_write(k, index) == PTX_NONE ? VERDICT_READ_ONLY : VERDICT_READ_WRITE;
}

/* --- Marks --- */

bool structure_allows(const struct kernel *k, uint32_t index, bool promised)
{
	return k->facts.structures[index].marked || (promised && k->notes.data[index].writer == PTX_NONE);
}

static bool allows(const struct kernel *k, const struct kernel_access *a)
{
	const struct set *s = set_get(k->owner->sets, a->set);
	bool promised = ptx_is_promised(access_inst(k, a)->opcode);

	if (a->flags != ACCESS_LOAD || ptx_mark_obstacle(access_inst(k, a)->opcode))
		return false;
	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t index = STRUCT_INDEX(s->elems[i]);

		if (s->elems[i] == STRUCT_WINDOW || k->notes.data[index].constant)
			return false;
		if (!structure_allows(k, index, promised))
			return false;
	}
	return true;
}

static uint8_t *mark_of(struct ptx_analysis *a, uint8_t **marks, uint32_t function, uint32_t inst)
{
	if (!marks[function])
		marks[function] = arena_array(&a->arena, uint8_t, a->module->functions[function].ninsts);
	return &marks[function][inst];
}

/* Only the analysis's own marks record who denied them. */
static void note_denier(struct ptx_analysis *a, uint8_t **marks, uint32_t function, uint32_t inst, uint32_t denier)
{
	if (marks != a->marks)
		return;
	if (!a->deniers[function])
		a->deniers[function] = arena_array(&a->arena, uint32_t, a->module->functions[function].ninsts);
	if (!a->deniers[function][inst])
		a->deniers[function][inst] = denier;
}

/* The kernel's own code is its own affair: who denies matters where others come, too. */
static void deny_load(const struct kernel *k, uint8_t **marks, const struct kernel_access *a, uint32_t how)
{
	*mark_of(k->owner, marks, a->function, a->inst) = MARK_DENIED;
	if (a->function != k->facts.function)
		note_denier(k->owner, marks, a->function, a->inst, (uint32_t)(k - k->owner->kernels) + 1 + how);
}

static void settle_mark(const struct kernel *k, uint8_t **marks, const struct kernel_access *a)
{
	uint8_t *mark = mark_of(k->owner, marks, a->function, a->inst);

	if (!allows(k, a))
		deny_load(k, marks, a, 0);
	else if (*mark != MARK_DENIED)
		*mark = MARK_ALLOWED;
}

void kernel_allow(const struct kernel *k, uint8_t **marks)
{
	for (size_t i = 0; i < k->work.len; i++)
		settle_mark(k, marks, &k->work.data[i]);
	for (size_t i = 0; i < k->window_loads.len; i++)
		deny_load(k, marks, &k->window_loads.data[i], DENIED_BY_WINDOW);
}

/* Notes the grounds of a read-only verdict beside accesses. */
static void note_ground(struct kernel *k, uint32_t index)
{
	struct structure *s = &k->facts.structures[index];

	if (s->verdict != VERDICT_READ_ONLY)
		return;
	if (k->notes.data[index].constant)
		s->rests_on = "constant";
	else if (s->loads > 0 && k->notes.data[index].plain == 0)
		s->rests_on = "promise";
	else
		s->assumed =
		    k->owner->alias == ALIAS_DISTINCT && !level_is_proven(k->evidence, k->facts.nstructures, index);
}

/*
 * Only a launch knows who may write while the kernel runs. So at `strict`, data that a listening kernel reads may
 * change. The program's own promises still hold.
 */
static bool may_be_told(const struct kernel *k, uint32_t index)
{
	const struct structure *s = &k->facts.structures[index];
	const struct structure_notes *n = &k->notes.data[index];

	return k->listens && k->owner->alias == ALIAS_STRICT && !n->constant && (!s->loads || n->plain);
}

void kernel_judge(struct kernel *k)
{
	gather_evidence(k);
	for (uint32_t i = 0; i < k->facts.nstructures; i++) {
		struct structure *s = &k->facts.structures[i];
		const struct structure_notes *n = &k->notes.data[i];
		uint64_t deps = s->loads ? n->load_deps : n->load_deps | n->store_deps;

		s->verdict = judge(k, i);
		s->marked = s->verdict == VERDICT_READ_ONLY && s->kind != STRUCTURE_HEAP && !may_be_told(k, i);
		note_ground(k, i);
		s->depends = (unsigned)(deps & (DEPENDS_LAST * 2 - 1));
		s->sharing =
		    s->verdict == VERDICT_UNUSED ? SHARING_UNKNOWN : sharing_class(s->depends, (unsigned)k->reads);
	}
	kernel_allow(k, k->owner->marks);
}

/* Code that is not known may come to `function` through `entry`. */
static void deny(struct ptx_analysis *a, uint8_t **marks, uint32_t function, uint32_t entry)
{
	for (uint32_t i = 0; marks[function] && i < a->module->functions[function].ninsts; i++)
		if (marks[function][i] == MARK_ALLOWED) {
			marks[function][i] = MARK_DENIED;
			note_denier(a, marks, function, i, 1 + (uint32_t)a->nkernels + entry);
		}
}

void deny_open_functions(struct ptx_analysis *a, uint8_t **marks)
{
	VEC(uint32_t) open = VEC_INIT;
	bool unknown = a->relocatable;
	uint32_t *entries; /* of each function: the function through which it was found, + 1 */

	for (size_t i = 0; i < a->nkernels; i++)
		unknown |= a->kernels[i].calls_unknown;
	if (!unknown)
		return;
	entries = xcalloc(a->module->nfunctions, sizeof *entries);
	for (uint32_t f = 0; f < a->module->nfunctions; f++) {
		const struct ptx_function *function = &a->module->functions[f];

		if (!a->flow->flows[f].taken && (function->is_kernel || function->linkage == PTX_LINK_NONE))
			continue;
		entries[f] = f + 1;
		vec_push(&open, f);
	}
	while (open.len) {
		const struct flow *fl = &a->flow->flows[vec_pop(&open)];

		deny(a, marks, fl->index, entries[fl->index] - 1);
		for (size_t c = 0; c < fl->calls.len; c++)
			for (uint32_t i = 0; i < fl->calls.data[c].ncallees; i++) {
				uint32_t callee = fl->calls.data[c].callees[i];

				if (entries[callee])
					continue;
				entries[callee] = entries[fl->index];
				vec_push(&open, callee);
			}
	}
	vec_release(&open);
	free(entries);
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
		k->notes.data[index].new_marks += !ptx_is_promised(access_inst(k, a)->opcode);
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

int access_compare(const void *a, const void *b)
{
	const struct access *x = a, *y = b;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	return (x->inst > y->inst) - (x->inst < y->inst);
}

static void publish_accesses(struct kernel *k)
{
	k->accesses = arena_array(&k->owner->arena, struct access, k->work.len);
	for (size_t i = 0; i < k->work.len; i++) {
		const struct kernel_access *a = &k->work.data[i];
		struct access *p = &k->accesses[i];

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
			p->why = unmarked_reason(k, a, &p->denied_by, &p->why_kind);
	}
	k->naccesses = k->work.len;
	if (k->functions.len > 1)
		qsort(k->accesses, k->naccesses, sizeof *k->accesses, access_compare);
}

typedef VEC(struct guard) guard_list;

static void add_guard(void *list, struct guard guard)
{
	vec_push((guard_list *)list, guard);
}

static void list_guards(struct kernel *k)
{
	guard_list guards = VEC_INIT;
	bool *marked;

	if (!k->facts.loads_marked)
		return;
	marked = xcalloc(k->facts.nstructures + 1, sizeof *marked);
	for (uint32_t i = 0; i < k->facts.nstructures; i++)
		marked[i] = k->notes.data[i].new_marks > 0 || k->notes.data[i].assumed;
	level_guards(k->evidence, k->facts.nstructures, k->owner->alias, marked, add_guard, &guards);
	k->facts.nguards = (uint32_t)guards.len;
	if (guards.len)
		k->facts.guards = arena_memdup(&k->owner->arena, guards.data, guards.len * sizeof *guards.data);
	vec_release(&guards);
	free(marked);
}

void kernel_conclude(struct kernel *k)
{
	for (size_t i = 0; i < k->work.len; i++)
		count_marks(k, &k->work.data[i]);
	publish_accesses(k);
	list_guards(k);
	list_copies(k);
	kernel_explain(k);
}
