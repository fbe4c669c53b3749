/* Objects are made when an address first reaches them. */
#include "passes/solve/pointer_bits.h"

void objects_init(struct objects *o, const struct ir *program, struct sets *sets)
{
	*o = (struct objects){.program = program, .sets = sets};
	vec_push(&o->all, (struct object){.kind = OBJECT_UNKNOWN, .escaped = true});
	sets_add_object(sets, 0);
	vec_push(&o->all, (struct object){.kind = OBJECT_PART, .escaped = true});
	sets_add_object(sets, 0);
	vec_push(&o->all, (struct object){.kind = OBJECT_NULL});
	sets_add_object(sets, 0);
	vec_push(&o->all, (struct object){.kind = OBJECT_MIXED});
	sets_add_object(sets, 0);
}

void objects_release(struct objects *o)
{
	for (size_t i = 0; i < o->all.len; i++) {
		vec_release(&o->all.data[i].cells);
		vec_release(&o->all.data[i].copies);
	}
	vec_release(&o->all);
	map_release(&o->by_key);
	map_release(&o->bits);
	vec_release(&o->answers);
}

/* Key of the kinds that two numbers identify. */
static uint64_t object_key(enum object_kind kind, uint32_t a, uint32_t b)
{
	return (uint64_t)kind << 60 | (uint64_t)(a & 0xfffffff) << 32 | b;
}

static uint32_t find_or_add(struct objects *o, uint64_t key, struct object object, int64_t extent)
{
	uint32_t id = map_get(&o->by_key, key);

	if (id != MAP_NONE)
		return id;
	id = sets_add_object(o->sets, extent > INT32_MAX ? INT32_MAX : (uint32_t)extent);
	vec_push(&o->all, object);
	map_put(&o->by_key, key, id);
	o->changed = true;
	return id;
}

uint32_t object_param(struct objects *o, uint32_t param, bool noalias, bool is_number)
{
	struct object object = {.kind = OBJECT_PARAM, .param = param, .noalias = noalias, .is_number = is_number};

	return find_or_add(o, object_key(OBJECT_PARAM, 0, param), object, 0);
}

uint32_t object_byval(struct objects *o, uint32_t param, LLVMTypeRef type)
{
	struct object object = {.kind = OBJECT_BYVAL, .param = param};
	int64_t size = (int64_t)LLVMABISizeOfType(o->program->layout, type);
	uint32_t id = find_or_add(o, object_key(OBJECT_BYVAL, 0, param), object, size);

	o->all.data[id].offset = size;
	o->all.data[id].type = type;
	return id;
}

uint32_t object_workspace(struct objects *o)
{
	return find_or_add(o, object_key(OBJECT_WORKSPACE, 0, 0), (struct object){.kind = OBJECT_WORKSPACE}, 0);
}

uint32_t object_private(struct objects *o, enum object_kind kind, uint32_t instance, uint32_t op, int64_t bytes)
{
	return find_or_add(o, object_key(kind, instance, op), (struct object){.kind = kind}, bytes);
}

void object_take_as_address(struct objects *o, uint32_t object)
{
	o->changed |= o->all.data[object].is_number;
	o->all.data[object].is_number = false;
}

uint32_t object_field(struct objects *o, uint32_t byval, int64_t offset, bool as_pointer)
{
	uint32_t param = o->all.data[byval].param, id;
	struct object object = {.kind = OBJECT_FIELD, .param = param, .offset = offset, .is_number = true};

	id = find_or_add(o, object_key(OBJECT_FIELD, param, (uint32_t)offset), object, 0);
	if (as_pointer)
		object_take_as_address(o, id);
	return id;
}

/* Further words of a constant are not told apart. */
enum { LARGEST_WORD = 4096 };

static bool holds_several(const struct objects *o, const struct object *constant)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(constant->value);

	return LLVMTypeIsSized(type) && LLVMABISizeOfType(o->program->layout, type) > 8;
}

/* The pointer that a load brings from a constant, if that has several; OFFSET_ANY: any pointer. */
static int64_t word_of(const struct objects *o, const struct object *holder, struct span at)
{
	if (holder->kind != OBJECT_CONSTANT || at.offset == OFFSET_ANY || at.offset < 0 || at.offset % 8 ||
	    at.offset >= LARGEST_WORD || at.bytes != 8 || !holds_several(o, holder))
		return OFFSET_ANY;
	return at.offset;
}

static uint32_t object_pointee(struct objects *o, uint32_t holder, int64_t word, bool as_pointer)
{
	struct object object = {.kind = OBJECT_POINTEE, .holder = holder, .offset = word, .is_number = true};
	uint32_t place = word == OFFSET_ANY ? 0 : 1 + (uint32_t)word / 8;
	uint32_t id = find_or_add(o, object_key(OBJECT_POINTEE, place, holder), object, 0);

	if (as_pointer)
		object_take_as_address(o, id);
	return id;
}

uint32_t object_pointee_of(struct objects *o, uint32_t holder, struct span at)
{
	const struct object *object = &o->all.data[holder];

	if (object->kind != OBJECT_POINTEE || o->all.data[object->holder].kind != OBJECT_POINTEE)
		return object_pointee(o, holder, word_of(o, object, at), at.is_pointer);
	if (at.is_pointer)
		object_take_as_address(o, holder);
	return holder;
}

set_id unknown_origins(struct objects *o)
{
	return origins_single(o->sets, UNKNOWN_OBJECT, 0);
}

set_id part_origins(struct objects *o)
{
	return origins_single(o->sets, PART_OBJECT, 0);
}

/* True if some origin is a number, and all others are numbers or parts. */
static bool only_numbers(const struct objects *o, set_id set)
{
	const struct origin_set *s = origins_get(o->sets, set);
	bool some = false;

	for (uint32_t i = 0; i < s->count; i++) {
		if (s->origins[i].object != PART_OBJECT && !o->all.data[s->origins[i].object].is_number)
			return false;
		some |= s->origins[i].object != PART_OBJECT;
	}
	return some;
}

bool has_address(const struct objects *o, set_id set)
{
	const struct origin_set *s = origins_get(o->sets, set);

	for (uint32_t i = 0; i < s->count; i++)
		if (s->origins[i].object != PART_OBJECT && !o->all.data[s->origins[i].object].is_number)
			return true;
	return false;
}

static void take_as_addresses(struct objects *o, set_id set)
{
	const struct origin_set *s = origins_get(o->sets, set);

	for (uint32_t i = 0; i < s->count; i++)
		object_take_as_address(o, s->origins[i].object);
}

/* True for a value that was put together from parts. Where an address is expected, it may be any address. */
static bool only_parts(const struct objects *o, set_id set)
{
	return set != SET_EMPTY && origins_include(o->sets, set, PART_OBJECT) && origins_get(o->sets, set)->count == 1;
}

set_id either_origins(struct objects *o, set_id a, set_id b)
{
	if ((only_parts(o, a) && has_address(o, b)) || (only_parts(o, b) && has_address(o, a)))
		return origins_join(o->sets, origins_join(o->sets, a, b), unknown_origins(o));
	if (only_numbers(o, a) && has_address(o, b))
		take_as_addresses(o, a);
	if (only_numbers(o, b) && has_address(o, a))
		take_as_addresses(o, b);
	return origins_join(o->sets, a, b);
}

set_id address_origins(struct objects *o, set_id set)
{
	if (!origins_include(o->sets, set, PART_OBJECT))
		return set;
	set = origins_without(o->sets, set, PART_OBJECT);
	return set == SET_EMPTY ? unknown_origins(o) : set;
}

set_id whole_origins(struct objects *o, set_id set)
{
	if (!origins_include(o->sets, set, PART_OBJECT))
		return set;
	return origins_join(o->sets, set, unknown_origins(o));
}

/* True if a launch finds the object by a word of memory or of the parameters. */
static bool is_found_by_word(const struct object *object, bool params)
{
	return object->kind == OBJECT_POINTEE ||
	       (params && (object->kind == OBJECT_PARAM || object->kind == OBJECT_FIELD));
}

set_id recoded_origins(struct objects *o, set_id set, unsigned flags)
{
	struct origin_set all = *origins_get(o->sets, set);
	bool others = false, words = false;

	for (uint32_t i = 0; i < all.count; i++) {
		uint32_t object = all.origins[i].object;

		if (is_found_by_word(&o->all.data[object], flags & OP_ENCODED)) {
			words = true;
			set = origins_without(o->sets, set, object);
		} else {
			others |= object != PART_OBJECT && ((flags & OP_JOINED) || !o->all.data[object].is_number);
		}
	}
	if (!words)
		return set;
	return origins_join(o->sets, set, others ? unknown_origins(o) : part_origins(o));
}

/* --- Constants --- */

static void add_initializer(struct objects *o, uint32_t object, LLVMValueRef init, int64_t offset)
{
	LLVMTargetDataRef layout = o->program->layout;
	LLVMTypeRef type = LLVMTypeOf(init);

	if (LLVMIsAConstantStruct(init)) {
		for (int i = 0; i < LLVMGetNumOperands(init); i++)
			add_initializer(o, object, LLVMGetOperand(init, (unsigned)i),
					offset + (int64_t)LLVMOffsetOfElement(layout, type, (unsigned)i));
	} else if (LLVMIsAConstantArray(init) || LLVMIsAConstantVector(init)) {
		int64_t step = (int64_t)LLVMABISizeOfType(layout, LLVMGetElementType(type));

		for (int i = 0; i < LLVMGetNumOperands(init); i++)
			add_initializer(o, object, LLVMGetOperand(init, (unsigned)i), offset + i * step);
	} else if (LLVMIsAGlobalValue(init) || LLVMIsAConstantExpr(init)) {
		object_store(o, object,
			     (struct cell){
				 .at = {.offset = offset,
					.bytes = (int64_t)LLVMStoreSizeOfType(layout, type),
					.is_pointer = type_is_pointer(type)},
				 .value = {constant_origins(o, init), constant_bits(o, init)},
				 .dep = DEP_NONE,
			     });
	}
}

static enum object_kind variable_kind(LLVMValueRef variable)
{
	switch (LLVMGetPointerAddressSpace(LLVMTypeOf(variable))) {
	case AS_SHARED: return OBJECT_SHARED;
	case AS_CONST: return OBJECT_CONSTANT;
	case AS_LOCAL:
	case AS_PARAM: return OBJECT_LOCAL;
	default: return OBJECT_VARIABLE;
	}
}

/* `extern __shared__ x[]`: all variables declared so begin at the same address. */
static bool is_dynamic_shared(LLVMValueRef variable)
{
	return variable_kind(variable) == OBJECT_SHARED && LLVMIsDeclaration(variable);
}

static uint32_t object_variable(struct objects *o, LLVMValueRef variable)
{
	uint64_t key = (is_dynamic_shared(variable) ? 0 : map_pointer_key(variable)) | (uint64_t)15 << 60;
	LLVMTypeRef type = LLVMGlobalGetValueType(variable);
	LLVMValueRef init = LLVMGetInitializer(variable);
	struct object object = {.kind = (uint8_t)variable_kind(variable), .value = variable};
	int64_t size = LLVMTypeIsSized(type) ? (int64_t)LLVMABISizeOfType(o->program->layout, type) : 0;
	uint32_t id = map_get(&o->by_key, key);

	if (id != MAP_NONE)
		return id;
	/* A variable without a size here, such as `extern __shared__ x[]`, gets its size at the launch. */
	id = find_or_add(o, key, object, size && !is_dynamic_shared(variable) ? size : INT32_MAX);
	if (init)
		add_initializer(o, id, init, 0);
	return id;
}

set_id constant_origins(struct objects *o, LLVMValueRef value)
{
	set_id set = SET_EMPTY;
	bool is_gep;

	if (ir_is_shared_zero(value))
		return private_origins(o);
	if (LLVMIsAGlobalVariable(value))
		return origins_single(o->sets, object_variable(o, value), 0);
	if (LLVMIsAFunction(value)) {
		uint32_t function = ir_function(o->program, value);
		struct object object = {.kind = OBJECT_FUNCTION, .param = function};

		return origins_single(o->sets, find_or_add(o, object_key(OBJECT_FUNCTION, 0, function), object, 0), 0);
	}
	if (LLVMIsAGlobalAlias(value))
		return constant_origins(o, LLVMAliasGetAliasee(value));
	if (!LLVMIsAConstantExpr(value) && !LLVMIsAConstantStruct(value) && !LLVMIsAConstantArray(value) &&
	    !LLVMIsAConstantVector(value))
		return SET_EMPTY;
	is_gep = LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr;
	if (is_gep)
		return origins_shift(o->sets, constant_origins(o, LLVMGetOperand(value, 0)),
				     ir_gep_offset(o->program, value));
	for (int i = 0; i < LLVMGetNumOperands(value); i++)
		set = origins_join(o->sets, set, constant_origins(o, LLVMGetOperand(value, (unsigned)i)));
	/* Constants with several operands compute an address, such as &a - &b; casts have one and keep the offset. */
	if (LLVMIsAConstantExpr(value) && LLVMGetNumOperands(value) > 1)
		set = origins_shift(o->sets, set, OFFSET_ANY);
	return set;
}

/* --- Escapes --- */

void objects_publish(struct objects *o, set_id bits)
{
	set_id published = origins_join(o->sets, o->published, bits);

	o->changed |= published != o->published;
	o->published = published;
}

void objects_escape(struct objects *o, set_id set)
{
	const struct origin_set *origins = origins_get(o->sets, set);

	for (uint32_t i = 0; i < origins->count; i++) {
		struct object *object = &o->all.data[origins->origins[i].object];

		o->changed |= !object->escaped;
		object->escaped = true;
	}
}

void objects_escape_private(struct objects *o)
{
	o->changed |= !o->private_lost;
	o->private_lost = true;
	for (uint32_t i = 0; i < o->all.len; i++)
		if (object_is_private(&o->all.data[i])) {
			o->changed |= !o->all.data[i].escaped;
			o->all.data[i].escaped = true;
		}
}

set_id private_origins(struct objects *o)
{
	uint32_t any = object_private(o, OBJECT_SHARED, 0, 0, INT32_MAX);

	objects_escape_private(o);
	return origins_join(o->sets, unknown_origins(o), origins_single(o->sets, any, OFFSET_ANY));
}

void objects_close_escapes(struct objects *o)
{
	struct span all = {.offset = OFFSET_ANY, .bytes = OFFSET_ANY};

	if (o->private_lost)
		objects_escape_private(o);
	for (uint32_t i = 0; i < o->all.len; i++) {
		uint8_t dep = DEP_NONE;
		struct ir_value v;

		if (!o->all.data[i].escaped || object_is_open(&o->all.data[i]))
			continue;
		v = object_content(o, i, all, &dep);
		objects_escape(o, v.set);
		objects_escape(o, v.beside);
		objects_publish(o, v.beside);
	}
}
