/* Objects are made when an address first reaches them; their contents only grow, so the analysis ends. */
#include "passes/solve/bits.h"

#include <string.h>

/* MAX_LOOKUPS: objects that one question may visit, since copies lead from one object to many and back. */
enum { MAX_CELLS = 256, MAX_COPIES = 64, MAX_COPY_DEPTH = 8, MAX_LOOKUPS = 512, POINTER_BYTES = 8 };

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

static uint32_t object_field(struct objects *o, uint32_t byval, int64_t offset, bool as_pointer)
{
	uint32_t param = o->all.data[byval].param, id;
	struct object object = {.kind = OBJECT_FIELD, .param = param, .offset = offset, .is_number = true};

	id = find_or_add(o, object_key(OBJECT_FIELD, param, (uint32_t)offset), object, 0);
	if (as_pointer)
		object_take_as_address(o, id);
	return id;
}

static uint32_t object_pointee(struct objects *o, uint32_t holder, bool as_pointer)
{
	struct object object = {.kind = OBJECT_POINTEE, .holder = holder, .is_number = true};
	uint32_t id = find_or_add(o, object_key(OBJECT_POINTEE, 0, holder), object, 0);

	if (as_pointer)
		object_take_as_address(o, id);
	return id;
}

/* What the pointers in `holder` point to. A second level stands for all that can be reached from it. */
static uint32_t pointee_of(struct objects *o, uint32_t holder, bool as_pointer)
{
	const struct object *object = &o->all.data[holder];

	if (object->kind != OBJECT_POINTEE || o->all.data[object->holder].kind != OBJECT_POINTEE)
		return object_pointee(o, holder, as_pointer);
	if (as_pointer)
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

/* Whether some origin is a number, and all are numbers or parts. */
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

/* Put together from parts by whatever means, if it stands where an address does. */
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

/* Whether a launch finds what the object is by a word of memory or of the parameters. */
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
				 .at = {offset, (int64_t)LLVMStoreSizeOfType(layout, type), type_is_pointer(type)},
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
	/* A variable without a size here, as `extern __shared__ x[]`, gets one at the launch. */
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

/* --- Contents --- */

static bool is_placed(struct span s)
{
	return s.offset != OFFSET_ANY && s.bytes != OFFSET_ANY;
}

static bool overlap(struct span a, struct span b)
{
	if (!is_placed(a) || !is_placed(b))
		return true;
	return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

/* What is found along the way of one question. */
struct question {
	struct objects *o;
	uint8_t dep;
};

static struct value content_at_depth(struct question *q, uint32_t object, struct span at, unsigned depth);

static struct value either_value(struct objects *o, struct value a, struct value b)
{
	return (struct value){either_origins(o, a.set, b.set), origins_join(o->sets, a.beside, b.beside)};
}

/* A value of which only a part is taken, or that is a part of what is taken. */
static struct value in_parts(struct objects *o, struct value v)
{
	v.beside = bits_all(o, v);
	return v;
}

static bool has_pointer_at(LLVMTargetDataRef layout, LLVMTypeRef type, int64_t offset);

static bool element_has_pointer_at(LLVMTargetDataRef layout, LLVMTypeRef type, int64_t offset)
{
	LLVMTypeRef element = LLVMGetElementType(type);
	int64_t size = (int64_t)LLVMABISizeOfType(layout, element);

	return size && has_pointer_at(layout, element, offset % size);
}

/* Whether a pointer stands at byte `offset` of a value of `type`. */
static bool has_pointer_at(LLVMTargetDataRef layout, LLVMTypeRef type, int64_t offset)
{
	unsigned field;

	switch (LLVMGetTypeKind(type)) {
	case LLVMPointerTypeKind: return offset == 0;
	case LLVMStructTypeKind:
		if (LLVMCountStructElementTypes(type) == 0)
			return false;
		field = LLVMElementAtOffset(layout, type, (unsigned long long)offset);
		return has_pointer_at(layout, LLVMStructGetTypeAtIndex(type, field),
				      offset - (int64_t)LLVMOffsetOfElement(layout, type, field));
	case LLVMArrayTypeKind:
	case LLVMVectorTypeKind: return element_has_pointer_at(layout, type, offset);
	default: return false;
	}
}

/* What the pointer at byte `offset` of a by-value parameter points to. */
static set_id field_at(struct objects *o, uint32_t byval, int64_t offset, bool as_pointer)
{
	return origins_single(o->sets, object_field(o, byval, offset, as_pointer), 0);
}

/* Where the pointers of a by-value parameter stand: by its type, else every eight bytes. */
static bool is_field(struct objects *o, uint32_t byval, int64_t offset)
{
	LLVMTargetDataRef layout = o->program->layout;
	LLVMTypeRef type = o->all.data[byval].type;
	int64_t size = o->all.data[byval].offset;

	if (offset < 0 || offset >= size || has_pointer_at(layout, type, offset))
		return offset >= 0 && offset < size;
	for (int64_t at = offset - POINTER_BYTES + 1; at < offset + POINTER_BYTES; at++)
		if (at >= 0 && at < size && has_pointer_at(layout, type, at))
			return false;
	return offset % POINTER_BYTES == 0;
}

/*
 * At an offset that is not known any of a by-value parameter's pointers may be found; if a number is read, any of its
 * numbers.
 */
static set_id any_field(struct objects *o, uint32_t byval, struct span at)
{
	LLVMTypeRef type = o->all.data[byval].type;
	int64_t size = o->all.data[byval].offset;
	set_id typed = SET_EMPTY, all = SET_EMPTY;

	for (int64_t f = 0; f + POINTER_BYTES <= size; f++) {
		if (has_pointer_at(o->program->layout, type, f))
			typed = origins_join(o->sets, typed, field_at(o, byval, f, at.is_pointer));
		else if (is_field(o, byval, f))
			all = origins_join(o->sets, all, field_at(o, byval, f, at.is_pointer));
	}
	/* The type may name no pointer (an array of bytes, say), so that any eight bytes may be one. */
	return typed == SET_EMPTY || at.is_number ? all : typed;
}

/* Whether so many bytes have room for an address. */
static bool has_room_for_address(int64_t bytes)
{
	return bytes == OFFSET_ANY || bytes >= POINTER_BYTES;
}

/* What the pointers in a by-value parameter point to when the kernel starts. */
static struct value field_content(struct objects *o, uint32_t byval, struct span at)
{
	int64_t size = o->all.data[byval].offset, end;
	struct value v = {SET_EMPTY, SET_EMPTY};

	if (!has_room_for_address(at.bytes))
		v.set = part_origins(o);
	if (!is_placed(at)) {
		if (has_room_for_address(at.bytes))
			v.set = any_field(o, byval, at);
		return at.is_packed ? in_parts(o, v) : v;
	}
	end = at.offset + at.bytes < size ? at.offset + at.bytes : size;
	for (int64_t f = at.offset - POINTER_BYTES + 1; f < end; f++) {
		bool whole =
		    f >= at.offset && f + POINTER_BYTES <= at.offset + at.bytes && (f - at.offset) % POINTER_BYTES == 0;
		struct value field = {SET_EMPTY, SET_EMPTY};

		if (!is_field(o, byval, f))
			continue;
		field.set = field_at(o, byval, f, at.is_pointer && whole);
		v = whole ? either_value(o, v, field)
			  : (struct value){origins_join(o->sets, v.set, field.set),
					   origins_join(o->sets, v.beside, bits_of(o, field.set))};
	}
	/* A pointer that stands across two members has a name of its own, besides. */
	if (at.bytes == POINTER_BYTES && at.offset >= 0 && at.offset + POINTER_BYTES <= size &&
	    !is_field(o, byval, at.offset))
		v.set = field_at(o, byval, at.offset, at.is_pointer);
	return v;
}

static bool has_whole_addresses(struct span s)
{
	return s.bytes == OFFSET_ANY || s.bytes % POINTER_BYTES == 0;
}

/*
 * Whether the bytes asked for hold what was written at `cell` as it was: the same bytes, or whole addresses of both. At
 * offsets that are not known values stand where their alignment puts them.
 */
static bool are_same_places(struct span cell, struct span at)
{
	bool placed = cell.offset != OFFSET_ANY && at.offset != OFFSET_ANY;

	if (cell.bytes == at.bytes && (placed ? cell.offset == at.offset : !cell.is_packed && !at.is_packed))
		return true;
	if (!has_whole_addresses(cell) || !has_whole_addresses(at))
		return false;
	return placed ? (cell.offset - at.offset) % POINTER_BYTES == 0 : !cell.is_packed && !at.is_packed;
}

/* What bytes `at` hold of what was stored in `cell`, which they may overlap. */
static struct value cell_content(struct objects *o, const struct cell *cell, struct span at)
{
	struct value v = cell->value;

	/* A number that stands, for all that is known, beside the pointer. */
	if (cell->at.is_pointer && (!is_placed(cell->at) || !is_placed(at)) &&
	    (at.is_number || !has_room_for_address(at.bytes))) {
		set_id parted = origins_join(o->sets, o->parted, v.set);

		o->changed |= parted != o->parted;
		o->parted = parted;
		return (struct value){has_room_for_address(at.bytes) ? SET_EMPTY : part_origins(o),
				      origins_single(o->sets, UNKNOWN_OBJECT, OFFSET_ANY)};
	}
	if (cell->at.bytes != POINTER_BYTES && has_room_for_address(at.bytes))
		v.set = whole_origins(o, v.set);
	return are_same_places(cell->at, at) ? v : in_parts(o, v);
}

/* What bytes `at` hold of what was copied. */
static struct value copied_content(struct question *q, const struct copied *c, struct span at, unsigned depth)
{
	bool placed = at.offset != OFFSET_ANY && c->to != OFFSET_ANY && c->from != OFFSET_ANY && at.offset >= c->to;
	bool covered = c->bytes == OFFSET_ANY || !placed
			   ? !c->is_packed
			   : at.bytes != OFFSET_ANY && at.offset + at.bytes <= c->to + c->bytes;
	struct span from = at;
	struct value v;

	from.offset = placed ? c->from + (at.offset - c->to) : OFFSET_ANY;
	v = content_at_depth(q, c->source, from, depth + 1);
	return covered ? v : in_parts(q->o, v);
}

static struct value stored_content(struct question *q, uint32_t object, struct span at, unsigned depth)
{
	struct value v = {SET_EMPTY, SET_EMPTY};

	for (size_t i = 0; i < q->o->all.data[object].cells.len; i++) {
		struct cell cell = q->o->all.data[object].cells.data[i];

		if (!overlap(at, cell.at))
			continue;
		v = either_value(q->o, v, cell_content(q->o, &cell, at));
		q->dep |= cell.dep;
	}
	for (size_t i = 0; i < q->o->all.data[object].copies.len; i++) {
		struct copied c = q->o->all.data[object].copies.data[i];

		if (overlap(at, (struct span){.offset = c.to, .bytes = c.bytes}))
			v = either_value(q->o, v, copied_content(q, &c, at, depth));
	}
	return v;
}

/* What was in memory that others wrote before the kernel, and what they find there of what the kernel stores. */
static struct value outside_content(struct question *q, uint32_t object, struct span at, unsigned depth)
{
	struct objects *o = q->o;
	struct value v = stored_content(q, object, at, depth);

	q->dep |= DEP_MEMORY;
	v.beside = origins_join(o->sets, v.beside, o->published);
	if (!has_room_for_address(at.bytes))
		v.set = origins_join(o->sets, v.set, part_origins(o));
	else if (object != UNKNOWN_OBJECT && o->all.data[object].kind != OBJECT_WORKSPACE)
		v.set = either_origins(o, v.set, origins_single(o->sets, pointee_of(o, object, at.is_pointer), 0));
	else
		v.set = origins_join(o->sets, v.set, unknown_origins(o));
	return v;
}

/* A constant that the module itself fills. */
static bool is_filled(const struct object *object)
{
	return object->value && LLVMIsGlobalConstant(object->value) && !LLVMIsExternallyInitialized(object->value);
}

static struct value content_at_depth(struct question *q, uint32_t object, struct span at, unsigned depth)
{
	struct objects *o = q->o;
	struct value v = {SET_EMPTY, SET_EMPTY};

	if (depth > MAX_COPY_DEPTH || o->lookups_left == 0)
		return (struct value){unknown_origins(o),
				      origins_join(o->sets, o->published, origins_single(o->sets, MIXED_OBJECT, 0))};
	o->lookups_left--;
	switch (o->all.data[object].kind) {
	case OBJECT_UNKNOWN:
	case OBJECT_WORKSPACE:
	case OBJECT_POINTEE:
	case OBJECT_PARAM:
	case OBJECT_FIELD: return outside_content(q, object, at, depth);
	case OBJECT_VARIABLE:
	case OBJECT_CONSTANT:
		if (!is_filled(&o->all.data[object]))
			return outside_content(q, object, at, depth);
		q->dep |= DEP_MEMORY;
		v = stored_content(q, object, at, depth);
		if (!has_room_for_address(at.bytes))
			v.set = origins_join(o->sets, v.set, part_origins(o));
		return v;
	case OBJECT_BYVAL: v = field_content(o, object, at); break;
	case OBJECT_SHARED:
	case OBJECT_HEAP: q->dep |= DEP_MEMORY; break;
	case OBJECT_FUNCTION: return v;
	default: break;
	}
	v = either_value(o, v, stored_content(q, object, at, depth));
	if (!o->all.data[object].escaped)
		return v;
	v.set = origins_join(o->sets, v.set, has_room_for_address(at.bytes) ? unknown_origins(o) : part_origins(o));
	v.beside = origins_join(o->sets, v.beside, o->published);
	return v;
}

struct value object_content(struct objects *o, uint32_t object, struct span at, uint8_t *dep)
{
	struct question q = {o, *dep};
	struct value v;

	o->lookups_left = MAX_LOOKUPS;
	v = content_at_depth(&q, object, at, 0);
	*dep |= q.dep;
	return at.has_parts ? in_parts(o, v) : v;
}

static bool is_same_place(struct span a, struct span b)
{
	return a.offset == b.offset && a.bytes == b.bytes && a.is_pointer == b.is_pointer && a.is_packed == b.is_packed;
}

void object_store(struct objects *o, uint32_t id, struct cell cell)
{
	struct object *object = &o->all.data[id];
	struct cell *now;
	size_t i;

	if (object->cells.len >= MAX_CELLS)
		cell.at.offset = cell.at.bytes = OFFSET_ANY;
	for (i = 0; i < object->cells.len; i++)
		if (is_same_place(object->cells.data[i].at, cell.at))
			break;
	if (i == object->cells.len) {
		vec_push(&object->cells, cell);
		o->changed = true;
		return;
	}
	cell.value = either_value(o, object->cells.data[i].value, cell.value);
	now = &o->all.data[id].cells.data[i];
	cell.dep |= now->dep;
	o->changed |=
	    cell.value.set != now->value.set || cell.value.beside != now->value.beside || cell.dep != now->dep;
	*now = cell;
}

static bool same_copy(const struct copied *a, const struct copied *b)
{
	return a->to == b->to && a->bytes == b->bytes && a->from == b->from && a->source == b->source &&
	       a->is_packed == b->is_packed;
}

void object_copy(struct objects *o, uint32_t to, struct copied copied)
{
	struct object *object = &o->all.data[to];
	struct span all = {.offset = OFFSET_ANY, .bytes = OFFSET_ANY, .is_pointer = true};
	uint8_t dep = DEP_NONE;

	for (size_t i = 0; i < object->copies.len; i++)
		if (same_copy(&object->copies.data[i], &copied))
			return;
	if (object->copies.len >= MAX_COPIES) {
		struct value v = in_parts(o, object_content(o, copied.source, all, &dep));

		object_store(o, to, (struct cell){{.offset = OFFSET_ANY, .bytes = OFFSET_ANY}, v, dep});
		return;
	}
	vec_push(&object->copies, copied);
	o->changed = true;
}

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
		struct value v;

		if (!o->all.data[i].escaped || object_is_open(&o->all.data[i]))
			continue;
		v = object_content(o, i, all, &dep);
		objects_escape(o, v.set);
		objects_escape(o, v.beside);
		objects_publish(o, v.beside);
	}
}
