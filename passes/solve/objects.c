/* Objects are made when an address first reaches them; their contents only grow, so the analysis ends. */
#include "passes/solve/objects.h"

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
}

void objects_release(struct objects *o)
{
	for (size_t i = 0; i < o->all.len; i++) {
		vec_release(&o->all.data[i].cells);
		vec_release(&o->all.data[i].copies);
	}
	vec_release(&o->all);
	map_release(&o->by_key);
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

uint32_t object_private(struct objects *o, enum object_kind kind, uint32_t instance, uint32_t op, int64_t bytes)
{
	return find_or_add(o, object_key(kind, instance, op), (struct object){.kind = kind}, bytes);
}

static void take_as_address(struct objects *o, uint32_t object)
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
		take_as_address(o, id);
	return id;
}

static uint32_t object_pointee(struct objects *o, uint32_t holder, bool as_pointer)
{
	struct object object = {.kind = OBJECT_POINTEE, .holder = holder, .is_number = true};
	uint32_t id = find_or_add(o, object_key(OBJECT_POINTEE, 0, holder), object, 0);

	if (as_pointer)
		take_as_address(o, id);
	return id;
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

static bool has_address(const struct objects *o, set_id set)
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
		take_as_address(o, s->origins[i].object);
}

set_id either_origins(struct objects *o, set_id a, set_id b)
{
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
		object_store(o, object, offset, (int64_t)LLVMStoreSizeOfType(layout, type), constant_origins(o, init),
			     DEP_NONE);
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
static bool is_dynamic_shared(const struct objects *o, LLVMValueRef variable)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(variable);

	return variable_kind(variable) == OBJECT_SHARED && LLVMIsDeclaration(variable) &&
	       (!LLVMTypeIsSized(type) || LLVMABISizeOfType(o->program->layout, type) == 0);
}

static uint32_t object_variable(struct objects *o, LLVMValueRef variable)
{
	uint64_t key = (is_dynamic_shared(o, variable) ? 0 : map_pointer_key(variable)) | (uint64_t)15 << 60;
	LLVMTypeRef type = LLVMGlobalGetValueType(variable);
	LLVMValueRef init = LLVMGetInitializer(variable);
	struct object object = {.kind = (uint8_t)variable_kind(variable), .value = variable};
	int64_t size = LLVMTypeIsSized(type) ? (int64_t)LLVMABISizeOfType(o->program->layout, type) : 0;
	uint32_t id = map_get(&o->by_key, key);

	if (id != MAP_NONE)
		return id;
	/* A variable without a size here, as `extern __shared__ x[]`, gets one at the launch. */
	id = find_or_add(o, key, object, size ? size : INT32_MAX);
	if (init)
		add_initializer(o, id, init, 0);
	return id;
}

set_id constant_origins(struct objects *o, LLVMValueRef value)
{
	set_id set = SET_EMPTY;
	bool is_gep;

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

static bool overlap(int64_t a, int64_t a_bytes, int64_t b, int64_t b_bytes)
{
	if (a == OFFSET_ANY || b == OFFSET_ANY || a_bytes == OFFSET_ANY || b_bytes == OFFSET_ANY)
		return true;
	return a < b + b_bytes && b < a + a_bytes;
}

static set_id content_at_depth(struct objects *o, uint32_t object, int64_t offset, int64_t bytes, bool as_pointer,
			       uint8_t *dep, unsigned depth);

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

/* At an offset that is not known any of a by-value parameter's pointers may be found. */
static set_id any_field(struct objects *o, uint32_t byval, bool as_pointer)
{
	LLVMTypeRef type = o->all.data[byval].type;
	int64_t size = o->all.data[byval].offset;
	set_id typed = SET_EMPTY, all = SET_EMPTY;

	for (int64_t at = 0; at + POINTER_BYTES <= size; at += POINTER_BYTES)
		if (has_pointer_at(o->program->layout, type, at))
			typed = origins_join(o->sets, typed, field_at(o, byval, at, as_pointer));
	if (typed != SET_EMPTY)
		return typed;
	/* The type names no pointer (an array of bytes, say), so any eight bytes may be one. */
	for (int64_t at = 0; at + POINTER_BYTES <= size; at += POINTER_BYTES)
		all = origins_join(o->sets, all, field_at(o, byval, at, as_pointer));
	return all;
}

/* What the pointers in a by-value parameter point to when the kernel starts. */
static set_id field_content(struct objects *o, uint32_t byval, int64_t offset, int64_t bytes, bool as_pointer)
{
	int64_t size = o->all.data[byval].offset, end;
	set_id set = SET_EMPTY;

	if (offset == OFFSET_ANY || bytes == OFFSET_ANY)
		return any_field(o, byval, as_pointer);
	end = offset + bytes < size ? offset + bytes : size;
	if (bytes < POINTER_BYTES)
		offset &= -(int64_t)POINTER_BYTES;
	for (; offset < end; offset += POINTER_BYTES)
		set = origins_join(o->sets, set, field_at(o, byval, offset, as_pointer));
	return set;
}

/* Whether so many bytes have room for an address. */
static bool has_room_for_address(int64_t bytes)
{
	return bytes == OFFSET_ANY || bytes >= POINTER_BYTES;
}

static set_id stored_content(struct objects *o, uint32_t object, int64_t offset, int64_t bytes, bool as_pointer,
			     uint8_t *dep, unsigned depth)
{
	set_id set = SET_EMPTY;

	for (size_t i = 0; i < o->all.data[object].cells.len; i++) {
		struct cell cell = o->all.data[object].cells.data[i];

		if (!overlap(offset, bytes, cell.offset, cell.bytes))
			continue;
		if (cell.bytes != POINTER_BYTES && has_room_for_address(bytes))
			cell.set = whole_origins(o, cell.set);
		set = either_origins(o, set, cell.set);
		*dep |= cell.dep;
	}
	for (size_t i = 0; i < o->all.data[object].copies.len; i++) {
		struct copied c = o->all.data[object].copies.data[i];
		bool placed = offset != OFFSET_ANY && c.to != OFFSET_ANY && c.from != OFFSET_ANY && offset >= c.to;

		if (overlap(offset, bytes, c.to, c.bytes))
			set =
			    either_origins(o, set,
					   content_at_depth(o, c.source, placed ? c.from + (offset - c.to) : OFFSET_ANY,
							    bytes, as_pointer, dep, depth + 1));
	}
	return set;
}

static set_id content_at_depth(struct objects *o, uint32_t object, int64_t offset, int64_t bytes, bool as_pointer,
			       uint8_t *dep, unsigned depth)
{
	set_id unknown = unknown_origins(o), set = SET_EMPTY;

	if (depth > MAX_COPY_DEPTH || o->lookups_left == 0)
		return unknown;
	o->lookups_left--;
	switch (o->all.data[object].kind) {
	case OBJECT_UNKNOWN:
	case OBJECT_POINTEE:
		*dep |= DEP_MEMORY;
		if (!has_room_for_address(bytes))
			return part_origins(o);
		set = stored_content(o, object, offset, bytes, as_pointer, dep, depth);
		return origins_join(o->sets, set, unknown);
	case OBJECT_PARAM:
	case OBJECT_FIELD:
	case OBJECT_VARIABLE:
	case OBJECT_CONSTANT:
		*dep |= DEP_MEMORY;
		if (!has_room_for_address(bytes))
			return part_origins(o);
		if (o->all.data[object].value && LLVMIsGlobalConstant(o->all.data[object].value) &&
		    !LLVMIsExternallyInitialized(o->all.data[object].value))
			return stored_content(o, object, offset, bytes, as_pointer, dep, depth);
		set = stored_content(o, object, offset, bytes, as_pointer, dep, depth);
		return either_origins(o, set, origins_single(o->sets, object_pointee(o, object, as_pointer), 0));
	case OBJECT_BYVAL: set = field_content(o, object, offset, bytes, as_pointer); break;
	case OBJECT_SHARED:
	case OBJECT_HEAP: *dep |= DEP_MEMORY; break;
	case OBJECT_FUNCTION: return SET_EMPTY;
	default: break;
	}
	set = either_origins(o, set, stored_content(o, object, offset, bytes, as_pointer, dep, depth));
	if (!o->all.data[object].escaped)
		return set;
	return origins_join(o->sets, set, has_room_for_address(bytes) ? unknown : part_origins(o));
}

set_id object_content(struct objects *o, uint32_t object, int64_t offset, int64_t bytes, bool as_pointer, uint8_t *dep)
{
	o->lookups_left = MAX_LOOKUPS;
	return content_at_depth(o, object, offset, bytes, as_pointer, dep, 0);
}

void object_store(struct objects *o, uint32_t id, int64_t offset, int64_t bytes, set_id set, uint8_t dep)
{
	struct object *object = &o->all.data[id];
	size_t i;

	if (object->cells.len >= MAX_CELLS)
		offset = bytes = OFFSET_ANY;
	for (i = 0; i < object->cells.len; i++)
		if (object->cells.data[i].offset == offset && object->cells.data[i].bytes == bytes)
			break;
	if (i == object->cells.len) {
		vec_push(&object->cells, (struct cell){offset, bytes, set, dep});
		o->changed = true;
		return;
	}
	set = either_origins(o, object->cells.data[i].set, set);
	dep |= object->cells.data[i].dep;
	o->changed |= set != object->cells.data[i].set || dep != object->cells.data[i].dep;
	object->cells.data[i].set = set;
	object->cells.data[i].dep = dep;
}

static bool same_copy(const struct copied *a, const struct copied *b)
{
	return a->to == b->to && a->bytes == b->bytes && a->from == b->from && a->source == b->source;
}

void object_copy(struct objects *o, uint32_t to, int64_t to_offset, uint32_t from, int64_t from_offset, int64_t bytes)
{
	struct copied copied = {to_offset, bytes, from_offset, from};
	struct object *object = &o->all.data[to];
	uint8_t dep = DEP_NONE;

	for (size_t i = 0; i < object->copies.len; i++)
		if (same_copy(&object->copies.data[i], &copied))
			return;
	if (object->copies.len >= MAX_COPIES) {
		set_id set = object_content(o, from, OFFSET_ANY, OFFSET_ANY, true, &dep);

		object_store(o, to, OFFSET_ANY, OFFSET_ANY, set, dep);
		return;
	}
	vec_push(&object->copies, copied);
	o->changed = true;
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

void objects_close_escapes(struct objects *o)
{
	for (uint32_t i = 0; i < o->all.len; i++) {
		uint8_t dep = DEP_NONE;

		if (o->all.data[i].escaped && o->all.data[i].kind >= OBJECT_HEAP)
			objects_escape(o, object_content(o, i, OFFSET_ANY, OFFSET_ANY, false, &dep));
	}
}
