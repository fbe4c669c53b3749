/* Calls: each has facts of its own for its callee, as if it were inlined, until the budget is spent. */
#include "passes/solve/eval.h"

enum {
	MAX_CONTEXT_DEPTH = 48,
	MAX_EVAL_DEPTH = 512, /* deeper callees are evaluated in the second part of the round */
};

uint32_t add_instance(struct solution *s, uint32_t function, uint32_t caller)
{
	const struct function_code *code = &s->program->functions.data[function];
	struct instance instance = {
	    .function = function,
	    .caller = caller,
	    .first_caller = NO_INSTANCE,
	    .depth = caller == NO_INSTANCE ? 0 : s->instances.data[caller].depth + 1,
	    .values = arena_array(&s->arena, struct ir_value, code->nvalues),
	    .deps = arena_array(&s->arena, uint8_t, code->nvalues),
	    .changes = arena_array(&s->arena, uint8_t, code->nvalues),
	    .dirty = true,
	};

	s->values += code->nvalues;
	vec_push(&s->instances, instance);
	s->changed = true;
	return (uint32_t)s->instances.len - 1;
}

static uint32_t outer_call_of(const struct solution *s, uint32_t instance, uint32_t function)
{
	while (instance != NO_INSTANCE && s->instances.data[instance].function != function)
		instance = s->instances.data[instance].caller;
	return instance;
}

static uint32_t choose_instance(struct solution *s, uint32_t caller, uint32_t function)
{
	uint64_t values = s->values + s->program->functions.data[function].nvalues;
	uint32_t instance = outer_call_of(s, caller, function);

	if (instance != NO_INSTANCE)
		return instance;
	if (values <= s->budget && s->instances.data[caller].depth < MAX_CONTEXT_DEPTH)
		return add_instance(s, function, caller);
	instance = map_get(&s->shared, function);
	if (instance == MAP_NONE) {
		instance = add_instance(s, function, NO_INSTANCE);
		/* At this depth the calls that it makes are shared too. */
		s->instances.data[instance].depth = MAX_CONTEXT_DEPTH;
		map_put(&s->shared, function, instance);
	}
	return instance;
}

static uint32_t callee_instance(struct solution *s, uint32_t caller, uint32_t call, uint32_t function)
{
	uint64_t key = (uint64_t)caller << 32 | call;
	uint32_t first = map_get(&s->children, key), instance;
	size_t known;

	for (uint32_t at = first; at != MAP_NONE; at = s->calls.data[at].next)
		if (s->instances.data[s->calls.data[at].instance].function == function)
			return s->calls.data[at].instance;
	known = s->instances.len;
	instance = choose_instance(s, caller, function);
	if (s->instances.len > known) {
		s->instances.data[instance].first_caller = caller;
		s->instances.data[instance].first_call = call;
	}
	vec_push(&s->calls, (struct solved_call){instance, first});
	map_put(&s->children, key, (uint32_t)s->calls.len - 1);
	return instance;
}

static void pass_argument(const struct eval *e, struct instance *callee, uint32_t n)
{
	struct solution *s = e->s;
	struct ir_value v = value_at(e, n + 1);

	v.set = either_origins(&s->objects, callee->values[n].set, v.set);
	callee->dirty |= add_to_value(s, callee, n, v, dep_at(e, n + 1));
}

static void call_function(const struct eval *e, uint32_t function)
{
	struct solution *s = e->s;
	uint32_t id = callee_instance(s, e->instance, e->op_index, function);
	uint32_t nargs = s->program->functions.data[function].nargs;
	struct instance *callee = &s->instances.data[id];

	for (uint32_t i = 0; i < nargs && i + 1 < e->op->count; i++)
		pass_argument(e, callee, i);
	/* A variadic callee reads these arguments through memory. */
	for (uint32_t i = nargs + 1; i < e->op->count; i++)
		eval_escape(e, i);
	if ((callee->dirty || callee->round != s->round) && !callee->running && e->depth < MAX_EVAL_DEPTH)
		eval_instance(s, id, e->depth + 1);
	callee = &s->instances.data[id];
	add_to_value(s, self(e), e->op->result, callee->result, callee->result_dep);
}

/*
 * Calls every function of the call's type whose address is taken. If there is none, or if other modules are linked in,
 * the callee may also be code that is not visible.
 */
static void call_any(const struct eval *e)
{
	const struct ir *p = e->s->program;
	LLVMTypeRef type = LLVMGetCalledFunctionType(e->op->inst);
	bool found = false;

	for (uint32_t f = 0; f < p->functions.len; f++) {
		const struct function_code *code = &p->functions.data[f];

		if (!code->address_taken || !code->has_body || code->is_kernel ||
		    LLVMGlobalGetValueType(code->value) != type)
			continue;
		call_function(e, f);
		found = true;
	}
	if (found && !p->relocatable)
		return;
	for (uint32_t i = 1; i < e->op->count; i++)
		eval_escape(e, i);
	eval_opaque(e);
}

void eval_call(const struct eval *e)
{
	struct origin_set callee = *origins_get(&e->s->sets, address_origins(&e->s->objects, origins_at(e, 0)));
	bool known = callee.count > 0;

	for (uint32_t i = 0; i < callee.count; i++) {
		const struct object *object = &e->s->objects.all.data[callee.origins[i].object];
		uint32_t function = object->param;

		if (object->kind != OBJECT_FUNCTION || !e->s->program->functions.data[function].has_body)
			known = false;
		else
			call_function(e, function);
	}
	if (!known)
		call_any(e);
}

void eval_return(const struct eval *e)
{
	struct instance *i = self(e);
	struct ir_value v = value_at(e, 0);
	uint8_t dep = i->result_dep | dep_at(e, 0);

	v = (struct ir_value){either_origins(&e->s->objects, i->result.set, v.set),
			      origins_join(&e->s->sets, i->result.beside, v.beside)};
	e->s->changed |= v.set != i->result.set || v.beside != i->result.beside || dep != i->result_dep;
	i->result = v;
	i->result_dep = dep;
}
