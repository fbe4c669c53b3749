/* Accesses are counted once per instruction, whatever the number of calling contexts it was seen in. */
#include "passes/readonly/ir_access.h"

#include "passes/readonly/ir_mark.h"

#include "common/strbuf.h"

#include <string.h>

struct first_touch {
	uint32_t object, instance;
};

/* One instruction's access while contexts are being merged. */
struct merged {
	uint32_t op;
	uint8_t dep;
	bool is_load, is_store, is_atomic, is_call, private_too;
	set_id set;
	VEC(struct first_touch) touches; /* of each object in `set`, in the order in which contexts came to them */
};

struct collection {
	struct solution *s;
	struct ir_kernel *k;
	struct arena *arena;
	VEC(struct merged) merged;
	struct map by_op;      /* (operation, which half of a copy) -> merged */
	struct map structures; /* object -> structure */
};

static struct merged *merged_access(struct collection *c, uint32_t op, bool second_half)
{
	uint64_t key = (uint64_t)op << 1 | second_half;
	uint32_t id = map_get(&c->by_op, key);

	if (id == MAP_NONE) {
		id = (uint32_t)c->merged.len;
		vec_push(&c->merged, (struct merged){.op = op});
		map_put(&c->by_op, key, id);
	}
	return &c->merged.data[id];
}

static uint32_t instance_index(const struct collection *c, const struct instance *instance)
{
	return (uint32_t)(instance - c->s->instances.data);
}

static set_id unknown(struct collection *c)
{
	return unknown_origins(&c->s->objects);
}

/* The origins in global memory; an address from nowhere may be anything, in any memory. */
static set_id global_origins(struct collection *c, set_id set, bool *private_too)
{
	struct origin_set all = *origins_get(&c->s->sets, set);
	set_id global = SET_EMPTY;

	for (uint32_t i = 0; i < all.count; i++)
		if (object_is_global(&c->s->objects.all.data[all.origins[i].object]))
			global =
			    origins_join(&c->s->sets, global, origins_single(&c->s->sets, all.origins[i].object, 0));
		else
			*private_too |= all.origins[i].object != NULL_OBJECT;
	if (all.count)
		return global;
	*private_too = true;
	return unknown(c);
}

static bool is_number(const struct collection *c, struct origin o)
{
	return c->s->objects.all.data[o.object].is_number;
}

/*
 * Removes numbers that may be addresses, if the set has a real address: beside that they are indices. This is done for
 * each call, since an index in one call may be the address in another.
 */
static set_id without_indices(struct collection *c, set_id set)
{
	struct origin_set all = *origins_get(&c->s->sets, set);
	set_id addresses = SET_EMPTY;

	for (uint32_t i = 0; i < all.count; i++)
		if (!is_number(c, all.origins[i]))
			addresses =
			    origins_join(&c->s->sets, addresses, origins_single(&c->s->sets, all.origins[i].object, 0));
	return addresses == SET_EMPTY ? set : addresses;
}

static bool is_image_access(const struct op *op)
{
	return op->flags & (OP_FETCH | OP_SURFACE);
}

static bool is_touched(const struct merged *m, uint32_t object)
{
	for (size_t i = 0; i < m->touches.len; i++)
		if (m->touches.data[i].object == object)
			return true;
	return false;
}

/* Adds the structures that the instruction touches in a context. */
static void touch(struct collection *c, struct merged *m, uint32_t instance, set_id set)
{
	set_id joined = origins_join(&c->s->sets, m->set, set);
	const struct origin_set *added = origins_get(&c->s->sets, set);

	if (joined == m->set && m->touches.len)
		return;
	m->set = joined;
	for (uint32_t i = 0; i < added->count; i++)
		if (!is_touched(m, added->origins[i].object))
			vec_push(&m->touches, (struct first_touch){added->origins[i].object, instance});
}

static void note_access(struct collection *c, const struct instance *instance, uint32_t op_index, uint32_t n)
{
	const struct op *op = &c->s->program->ops.data[op_index];
	uint32_t operand = c->s->program->operands.data[op->first + n];
	bool private_too = false,
	     is_load = op->kind == OP_LOAD || op->kind == OP_READ || (op->kind == OP_COPY && n == 1);
	set_id all = solution_address(c->s, instance, operand), global = global_origins(c, all, &private_too);
	struct merged *m;

	/* A library is given a null pointer to read. */
	if (all == SET_EMPTY && op->kind == OP_READ && !is_image_access(op))
		return;
	if (global == SET_EMPTY) {
		if ((op->kind == OP_LOAD || n == 1) && private_too)
			merged_access(c, op_index, n == 1)->private_too = true;
		return;
	}
	m = merged_access(c, op_index, n == 1);
	touch(c, m, instance_index(c, instance), is_load ? without_indices(c, global) : global);
	m->dep |= solution_dep(instance, operand);
	m->private_too |= private_too;
	m->is_load |= is_load;
	m->is_store |= op->kind == OP_STORE || op->kind == OP_WRITE || (op->kind == OP_COPY && n == 0);
	m->is_atomic |= op->kind == OP_ATOMIC;
}

static void note_unknown_write(struct collection *c, const struct instance *instance, uint32_t op_index, bool by_call)
{
	struct merged *m = merged_access(c, op_index, false);

	touch(c, m, instance_index(c, instance), unknown(c));
	m->is_call = by_call;
	m->is_store = !by_call;
}

/* True if a call through a pointer may reach a function that has no body here. */
static bool calls_unseen_code(struct collection *c, const struct instance *instance, uint32_t op_index)
{
	const struct ir *p = c->s->program;
	uint64_t key = (uint64_t)instance_index(c, instance) << 32 | op_index;
	uint32_t callee = p->operands.data[p->ops.data[op_index].first];
	struct origin_set set = *origins_get(&c->s->sets, solution_address(c->s, instance, callee));
	bool followed = set.count > 0;

	for (uint32_t i = 0; i < set.count; i++) {
		const struct object *object = &c->s->objects.all.data[set.origins[i].object];

		if (object->kind != OBJECT_FUNCTION)
			followed = false;
		else if (!p->functions.data[object->param].has_body)
			return true;
	}
	/* An address from memory is one of the functions whose address the module takes, unless others are linked in.
	 */
	return !followed && (p->relocatable || map_get(&c->s->children, key) == MAP_NONE);
}

static void note_op(struct collection *c, const struct instance *instance, uint32_t op_index)
{
	const struct op *op = &c->s->program->ops.data[op_index];

	c->k->reads |= op->dep;
	if (op->flags & OP_PRIVATE)
		return;
	switch ((enum op_kind)op->kind) {
	case OP_LOAD:
	case OP_STORE:
	case OP_ATOMIC:
	case OP_READ:
	case OP_WRITE: return note_access(c, instance, op_index, 0);
	case OP_COPY: note_access(c, instance, op_index, 0); return note_access(c, instance, op_index, 1);
	case OP_UNKNOWN_WRITE: return note_unknown_write(c, instance, op_index, op->flags & OP_UNSEEN);
	case OP_CALL:
		if (calls_unseen_code(c, instance, op_index))
			note_unknown_write(c, instance, op_index, true);
		return;
	case OP_GRID_WAIT: c->k->waits_for_grid = true; return;
	case OP_LISTEN: c->k->listens = true; return;
	default: return;
	}
}

/* --- Structures --- */

static uint32_t structure_of(struct collection *c, uint32_t object_id);

/* A variable's name in PTX, which has no dots. NVPTX renames variables that other modules cannot see. */
static const char *variable_name(struct collection *c, LLVMValueRef variable)
{
	LLVMLinkage linkage = LLVMGetLinkage(variable);
	struct strbuf name = STRBUF_INIT;
	const char *at, *kept;
	size_t len;

	at = LLVMGetValueName2(variable, &len);
	if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
		return arena_strdup(c->arena, at);
	for (; *at; at++)
		if (*at == '.' || *at == '@')
			strbuf_adds(&name, "_$_");
		else
			strbuf_addc(&name, *at);
	kept = arena_strndup(c->arena, name.len ? name.data : "", name.len);
	strbuf_release(&name);
	return kept;
}

static const char *structure_id(struct collection *c, const struct object *object, const struct ir_structure *s)
{
	const char *holder;

	switch (object->kind) {
	case OBJECT_PARAM: return structure_id_of_param(c->arena, object->param);
	case OBJECT_FIELD: return structure_id_of_field(c->arena, object->param, object->offset);
	case OBJECT_VARIABLE:
	case OBJECT_CONSTANT: return variable_name(c, object->value);
	case OBJECT_POINTEE:
		holder = c->k->structures.data[s->pub.holder].pub.id;
		return s->pub.at_word ? structure_id_of_word(c->arena, holder, s->pub.word)
				      : structure_id_of_pointee(c->arena, holder);
	case OBJECT_HEAP: return STRUCTURE_ID_HEAP;
	default: return STRUCTURE_ID_UNKNOWN;
	}
}

static enum structure_kind kind_of(enum object_kind object)
{
	switch (object) {
	case OBJECT_PARAM: return STRUCTURE_PARAM;
	case OBJECT_FIELD: return STRUCTURE_FIELD;
	case OBJECT_VARIABLE:
	case OBJECT_CONSTANT: return STRUCTURE_VARIABLE;
	case OBJECT_POINTEE: return STRUCTURE_POINTEE;
	case OBJECT_HEAP: return STRUCTURE_HEAP;
	default: return STRUCTURE_UNKNOWN;
	}
}

/* A constant variable holds pointers, but is itself not a structure: its name serves its pointees. */
static uint32_t add_structure(struct collection *c, uint32_t object_id)
{
	const struct object *object = &c->s->objects.all.data[object_id];
	struct ir_structure s = {
	    .pub = {.kind = kind_of(object->kind),
		    .param = object->param,
		    .symbol = STRUCTURE_NONE,
		    .holder = STRUCTURE_NONE},
	    .object = object->kind,
	    .noalias = object->noalias,
	    .escaped = object->escaped,
	    .is_number = object->is_number,
	    .is_constant = object->kind == OBJECT_CONSTANT ||
			   (object->kind == OBJECT_VARIABLE && LLVMIsGlobalConstant(object->value)),
	    .variable = object->value,
	    .why_op = NO_OP,
	};

	if (object->kind == OBJECT_POINTEE)
		s.pub.holder = structure_of(c, object->holder);
	s.pub.at_word = object->kind == OBJECT_POINTEE && object->offset != OFFSET_ANY;
	s.pub.word = s.pub.at_word ? (uint64_t)object->offset : 0;
	s.pub.id = structure_id(c, object, &s);
	vec_push(&c->k->structures, s);
	return (uint32_t)c->k->structures.len - 1;
}

static uint32_t structure_of(struct collection *c, uint32_t object_id)
{
	uint32_t id = map_get(&c->structures, object_id);

	if (id == MAP_NONE) {
		id = add_structure(c, object_id);
		map_put(&c->structures, object_id, id);
	}
	return id;
}

/* True if the input already marks this load as read-only, so that it will be printed as such. */
static bool is_marked(const struct op *op)
{
	if ((op->kind != OP_LOAD && op->kind != OP_READ) || !(op->flags & OP_INVARIANT))
		return false;
	return LLVMIsACallInst(op->inst) ||
	       LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(op->inst, 0))) == AS_GLOBAL;
}

static bool is_markable(const struct ir *p, const struct op *op)
{
	if (op->kind == OP_COPY)
		return op->flags & OP_SIMPLE;
	if (is_assembly(op->inst) && op->flags & OP_SIMPLE)
		return assembly_can_be_marked(op->inst);
	if (op->kind == OP_READ || is_assembly(op->inst))
		return op->flags & (OP_FETCH | OP_INVARIANT);
	return op->kind == OP_LOAD && (is_marked(op) || (op->flags & OP_SIMPLE)) &&
	       (!p->foreign || load_can_be_foreign(p->layout, op->inst));
}

static uint32_t first_instance(const struct merged *m, uint32_t object)
{
	for (size_t i = 0; i < m->touches.len; i++)
		if (m->touches.data[i].object == object)
			return m->touches.data[i].instance;
	return 0;
}

static void finish_access(struct collection *c, const struct merged *m)
{
	const struct op *op = &c->s->program->ops.data[m->op];
	struct origin_set set = *origins_get(&c->s->sets, m->set);
	uint32_t *list = arena_array(c->arena, uint32_t, set.count), *ways = arena_array(c->arena, uint32_t, set.count);
	struct ir_access access = {
	    .op = m->op,
	    .dep = m->dep,
	    .is_load = m->is_load,
	    .is_store = m->is_store,
	    .is_atomic = m->is_atomic,
	    .is_call = m->is_call,
	    .markable = m->is_load && (!m->private_too || is_image_access(op)) && is_markable(c->s->program, op),
	    .by_fetch = op->flags & OP_FETCH,
	    .by_surface = op->flags & OP_SURFACE,
	    .is_marked_input = m->is_load && is_marked(op),
	};

	if (set.count == 0) {
		vec_push(&c->k->private_loads, m->op);
		return;
	}
	for (uint32_t i = 0; i < set.count; i++) {
		list[i] = structure_of(c, set.origins[i].object);
		ways[i] = first_instance(m, set.origins[i].object);
	}
	access.structures = list;
	access.ways = ways;
	access.nstructures = set.count;
	vec_push(&c->k->accesses, access);
}

static int by_position(const void *a, const void *b)
{
	const struct ir_access *x = a, *y = b;

	if (x->op != y->op)
		return x->op < y->op ? -1 : 1;
	return (int)x->is_load - (int)y->is_load;
}

static void note_private_escapes(struct collection *c)
{
	for (size_t i = 0; i < c->s->objects.all.len; i++) {
		const struct object *object = &c->s->objects.all.data[i];

		c->k->private_escapes |=
		    object->escaped &&
		    (object->kind == OBJECT_BYVAL || object->kind == OBJECT_LOCAL || object->kind == OBJECT_SHARED);
	}
}

/* Pointer parameters are structures even if nothing touches them. */
static void list_parameters(struct collection *c)
{
	for (uint32_t i = 0; i < c->s->objects.all.len; i++) {
		const struct object *object = &c->s->objects.all.data[i];

		if (object->kind == OBJECT_PARAM && !object->is_number)
			structure_of(c, i);
	}
}

/* The contexts outlive the solution, for reasons to name the way to an access. */
static void keep_ways(struct collection *c)
{
	struct ir_way *ways = arena_array(c->arena, struct ir_way, c->s->instances.len);

	_Static_assert(NO_WAY == NO_INSTANCE, "a context that nobody calls is the kernel");
	for (size_t i = 0; i < c->s->instances.len; i++)
		ways[i] = (struct ir_way){.function = c->s->instances.data[i].function,
					  .caller = c->s->instances.data[i].first_caller,
					  .call = c->s->instances.data[i].first_call};
	c->k->ways = ways;
}

void collect_accesses(struct ir_kernel *k, struct solution *s, struct arena *arena)
{
	struct collection c = {.s = s, .k = k, .arena = arena};

	k->function = s->kernel;
	note_private_escapes(&c);
	list_parameters(&c);
	for (uint32_t i = 0; i < s->instances.len; i++) {
		const struct function_code *code = &s->program->functions.data[s->instances.data[i].function];

		for (uint32_t op = 0; op < code->nops; op++)
			note_op(&c, &s->instances.data[i], code->first_op + op);
	}
	keep_ways(&c);
	for (size_t i = 0; i < c.merged.len; i++) {
		finish_access(&c, &c.merged.data[i]);
		vec_release(&c.merged.data[i].touches);
	}
	if (k->accesses.len)
		qsort(k->accesses.data, k->accesses.len, sizeof *k->accesses.data, by_position);
	vec_release(&c.merged);
	map_release(&c.by_op);
	map_release(&c.structures);
}
