/* One rule a function; docs/soundness.md argues each of them. */
#include "passes/solve/pointer_bits.h"

static set_id member(struct objects *o, uint32_t object)
{
	return origins_single(o->sets, object, OFFSET_ANY);
}

static bool holds(const struct objects *o, set_id bits, uint32_t object)
{
	return origins_include(o->sets, bits, object);
}

/* True if the object's address is a pointer of the kernel, not a number that may be one. */
static bool is_pointer(const struct object *object)
{
	switch (object->kind) {
	case OBJECT_PARAM:
	case OBJECT_FIELD: return !object->is_number || object->is_base;
	case OBJECT_VARIABLE:
	case OBJECT_HEAP:
	case OBJECT_WORKSPACE:
	case OBJECT_MIXED: return true;
	case OBJECT_POINTEE: return object->is_kin;
	default: return false;
	}
}

/* A word of memory whose words are used as addresses. */
static bool is_address_word(const struct object *object)
{
	return object->kind == OBJECT_POINTEE && (!object->is_number || object->is_base);
}

/* The member of a set of bits for an object's address; NULL_OBJECT: there is no such member. */
static uint32_t bits_member(const struct objects *o, uint32_t object)
{
	switch (o->all.data[object].kind) {
	case OBJECT_UNKNOWN:
	case OBJECT_PART: return UNKNOWN_OBJECT;
	case OBJECT_CONSTANT:
	case OBJECT_FUNCTION: return NULL_OBJECT;
	default: return object;
	}
}

set_id bits_of(struct objects *o, set_id set)
{
	struct origin_set all = *origins_get(o->sets, set);
	set_id bits = map_get(&o->bits, set);

	if (bits != MAP_NONE)
		return bits;
	bits = SET_EMPTY;
	for (uint32_t i = 0; i < all.count; i++) {
		uint32_t object = bits_member(o, all.origins[i].object);

		if (object != NULL_OBJECT)
			bits = origins_join(o->sets, bits, member(o, object));
	}
	map_put(&o->bits, set, bits);
	return bits;
}

set_id bits_all(struct objects *o, struct ir_value v)
{
	return origins_join(o->sets, v.beside, bits_of(o, v.set));
}

/* --- Sums, differences, joins --- */

static bool has_kind(const struct objects *o, set_id set, bool (*of_kind)(const struct object *object))
{
	const struct origin_set *s = origins_get(o->sets, set);

	for (uint32_t i = 0; i < s->count; i++)
		if (of_kind(&o->all.data[s->origins[i].object]))
			return true;
	return false;
}

/* True if a pointer of the kernel is among the objects of a set. */
static bool has_pointer(const struct objects *o, set_id set)
{
	return has_kind(o, set, is_pointer);
}

/* Numbers in an operand that is an address or part of one. If it has a pointer, numbers beside that are offsets. */
static set_id numbers_in(struct objects *o, struct ir_value v)
{
	struct origin_set s = *origins_get(o->sets, v.set);
	set_id numbers = SET_EMPTY;

	if (!has_pointer(o, v.set))
		return bits_all(o, v);
	for (uint32_t i = 0; i < s.count; i++) {
		const struct object *object = &o->all.data[s.origins[i].object];

		if (object->kind == OBJECT_UNKNOWN || (object->kind == OBJECT_POINTEE && !object->is_number))
			numbers = origins_join(o->sets, numbers, member(o, s.origins[i].object));
	}
	return numbers;
}

void bits_take_words(struct objects *o, set_id set)
{
	struct origin_set s = *origins_get(o->sets, set);

	for (uint32_t i = 0; i < s.count; i++) {
		struct object *object = &o->all.data[s.origins[i].object];

		if (!is_address_word(object) || object->is_kin)
			continue;
		object->is_kin = o->changed = true;
	}
}

/* The numbers with a name are pointers from now on. Returns whether there are others. */
static bool take_numbers(struct objects *o, set_id bits)
{
	struct origin_set s = *origins_get(o->sets, bits);
	bool others = false;

	bits_take_words(o, bits);
	for (uint32_t i = 0; i < s.count; i++) {
		const struct object *object = &o->all.data[s.origins[i].object];

		if (object->kind == OBJECT_PARAM || object->kind == OBJECT_FIELD)
			object_take_as_address(o, s.origins[i].object);
		others |= object->kind == OBJECT_UNKNOWN || (object->kind == OBJECT_POINTEE && !object->is_kin);
	}
	return others;
}

/* Both operands are addresses or parts of one, so numbers in them are, too. Returns bits that have no name. */
static set_id note_kin(struct objects *o, struct ir_value a, struct ir_value b)
{
	set_id numbers = origins_join(o->sets, numbers_in(o, a), numbers_in(o, b));

	return take_numbers(o, numbers) ? member(o, MIXED_OBJECT) : SET_EMPTY;
}

/* True if the value is not a whole address, but a part or multiple of one. */
static bool is_in_parts(struct objects *o, struct ir_value v)
{
	struct origin_set s = *origins_get(o->sets, v.set);

	for (uint32_t i = 0; i < s.count; i++)
		if (is_pointer(&o->all.data[s.origins[i].object]) && holds(o, v.beside, s.origins[i].object))
			return true;
	return false;
}

/* True if the value may be a number without any change. */
static bool has_whole_number(struct objects *o, struct ir_value v)
{
	struct origin_set s = *origins_get(o->sets, v.set);

	for (uint32_t i = 0; i < s.count; i++)
		if (o->all.data[s.origins[i].object].is_number && !holds(o, v.beside, s.origins[i].object))
			return true;
	return false;
}

/*
 * True if an operand is a part of an address, and the other may be the other part: programs add to a lower half that
 * was loaded alone.
 */
static bool is_half_with_half(struct objects *o, struct ir_value a, struct ir_value b)
{
	return (is_in_parts(o, a) && b.set != SET_EMPTY) || (is_in_parts(o, b) && a.set != SET_EMPTY);
}

set_id bits_of_sum(struct objects *o, struct ir_value a, struct ir_value b, bool is_narrow)
{
	bool address_a = has_address(o, a.set), address_b = has_address(o, b.set);
	/* Among numbers, the base is a number that was not multiplied. */
	bool base_a = address_a || (!address_b && has_whole_number(o, a));
	bool base_b = address_b || (!address_a && has_whole_number(o, b));
	set_id bits = origins_join(o->sets, a.beside, b.beside);

	if (!base_a || base_b)
		bits = origins_join(o->sets, bits, bits_of(o, a.set));
	if (!base_b || base_a)
		bits = origins_join(o->sets, bits, bits_of(o, b.set));
	if ((has_pointer(o, a.set) && address_b) || (has_pointer(o, b.set) && address_a) ||
	    (!is_narrow && is_half_with_half(o, a, b)))
		bits = origins_join(o->sets, bits, note_kin(o, a, b));
	return bits;
}

set_id bits_of_difference(struct objects *o, struct ir_value a, struct ir_value b)
{
	bool address_a = has_address(o, a.set), address_b = has_address(o, b.set);
	set_id subtracted = bits_all(o, b), bits = origins_join(o->sets, a.beside, subtracted);

	if (subtracted == SET_EMPTY)
		return bits;
	if (!address_a || address_b)
		bits = origins_join(o->sets, bits, bits_of(o, a.set));
	if (has_pointer(o, b.set) || has_kind(o, b.set, is_address_word) || (address_b && has_pointer(o, a.set)))
		bits = origins_join(o->sets, bits, note_kin(o, a, b));
	return bits;
}

set_id bits_of_join(struct objects *o, struct ir_value a, struct ir_value b)
{
	set_id bits_a = bits_all(o, a), bits_b = bits_all(o, b), bits = origins_join(o->sets, bits_a, bits_b);

	if ((has_pointer(o, a.set) && bits_b != SET_EMPTY) || (has_pointer(o, b.set) && bits_a != SET_EMPTY))
		bits = origins_join(o->sets, bits, note_kin(o, a, b));
	return bits;
}

/* The only object of a set, or NULL_OBJECT; of those that are numbers or are not. */
static uint32_t only_object(const struct objects *o, set_id set, bool number)
{
	const struct origin_set *s = origins_get(o->sets, set);
	uint32_t only = NULL_OBJECT;

	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t object = s->origins[i].object;

		if (object == PART_OBJECT || object == only || o->all.data[object].is_number != number)
			continue;
		if (only != NULL_OBJECT)
			return NULL_OBJECT;
		only = object;
	}
	return only;
}

/* The object that all bases of an address are, or NULL_OBJECT. Numbers are offsets where a base is at hand. */
static uint32_t only_base(const struct objects *o, set_id set)
{
	return only_object(o, set, !has_address(o, set));
}

/*
 * True if there is only one such object, or one for each thread. Then a difference within it does not reveal its
 * address.
 */
static bool has_one_address(const struct object *object)
{
	return object->kind == OBJECT_PARAM || object->kind == OBJECT_FIELD || object->kind == OBJECT_VARIABLE ||
	       object_is_private(object);
}

/* Bits of plain numbers alone: no pointer's, and no low bits cut off. */
static bool are_numbers(const struct objects *o, set_id bits)
{
	const struct origin_set *s = origins_get(o->sets, bits);

	for (uint32_t i = 0; i < s->count; i++) {
		const struct object *object = &o->all.data[s->origins[i].object];

		if (object->kind == OBJECT_POINTEE ? object->is_kin
						   : object->kind != OBJECT_UNKNOWN && !object->is_number)
			return false;
	}
	return true;
}

bool bits_are_of_one_object(struct objects *o, struct ir_value a, struct ir_value b)
{
	uint32_t object = only_base(o, a.set);

	return object == only_base(o, b.set) && has_one_address(&o->all.data[object]) && are_numbers(o, a.beside) &&
	       are_numbers(o, b.beside);
}

set_id bits_of_numbers(struct objects *o, struct ir_value a, struct ir_value b)
{
	uint32_t base = only_base(o, a.set);
	set_id bits = origins_join(o->sets, bits_all(o, a), bits_all(o, b));

	return origins_without(o->sets, bits, base);
}

set_id bits_of_compared(struct objects *o, set_id bits)
{
	return has_kind(o, bits, is_address_word) ? origins_join(o->sets, bits, member(o, MIXED_OBJECT)) : bits;
}

set_id bits_of_rounding(struct objects *o)
{
	return member(o, PART_OBJECT);
}

set_id bits_looked_up(struct objects *o, set_id beside)
{
	struct origin_set s = *origins_get(o->sets, beside);
	set_id bits = SET_EMPTY;

	for (uint32_t i = 0; i < s.count; i++)
		if (is_pointer(&o->all.data[s.origins[i].object]))
			bits = origins_join(o->sets, bits, member(o, s.origins[i].object));
	return bits;
}

/* --- Addresses --- */

/* Bits beside the base that the predicate holds of. */
static bool has_foreign(const struct objects *o, struct ir_value address, bool (*of_kind)(const struct object *object))
{
	const struct origin_set *s = origins_get(o->sets, address.beside);
	uint32_t base = only_base(o, address.set);

	for (uint32_t i = 0; i < s->count; i++)
		if (s->origins[i].object != base && of_kind(&o->all.data[s->origins[i].object]))
			return true;
	return false;
}

bool has_private(const struct objects *o, set_id set)
{
	return has_kind(o, set, object_is_private);
}

set_id bits_reach(struct objects *o, struct ir_value address)
{
	set_id set = address_origins(o, address.set);

	return has_foreign(o, address, is_pointer) ? origins_join(o->sets, set, unknown_origins(o)) : set;
}

/*
 * A number becomes a pointer if memory is accessed through it. Among several numbers, only those that were not
 * multiplied do, if there are any.
 */
static void take_bases(struct objects *o, struct ir_value address)
{
	struct origin_set s = *origins_get(o->sets, address.set);
	bool some = has_whole_number(o, address);

	if (has_address(o, address.set))
		return;
	for (uint32_t i = 0; i < s.count; i++) {
		struct object *object = &o->all.data[s.origins[i].object];

		if (!object->is_number || object->is_base || (some && holds(o, address.beside, s.origins[i].object)))
			continue;
		object->is_base = o->changed = true;
	}
}

void bits_use(struct objects *o, struct ir_value address)
{
	bool lost = has_foreign(o, address, is_pointer);

	take_bases(o, address);
	if (lost) {
		objects_escape(o, address.set);
		objects_escape(o, address.beside);
	}
	/* Locals and shared variables lie beside each other, so an address of one can reach all. */
	if ((lost && (has_private(o, address.set) || has_private(o, address.beside))) ||
	    ((has_private(o, address.set) || !has_address(o, address.set)) &&
	     has_foreign(o, address, object_is_private)))
		objects_escape_private(o);
}

void bits_use_private(struct objects *o, set_id reached)
{
	const struct origin_set *s = origins_get(o->sets, reached);

	for (uint32_t i = 0; i < s->count; i++)
		if (object_is_global(&o->all.data[s->origins[i].object])) {
			objects_escape_private(o);
			return;
		}
}

/* --- Constants --- */

/* True if operand `n` of a constant expression equals the whole expression, or points to the same object. */
static bool is_carried_whole(LLVMValueRef value, int n)
{
	if (!LLVMIsAConstantExpr(value))
		return true;
	switch (LLVMGetConstOpcode(value)) {
	case LLVMGetElementPtr: return n == 0;
	case LLVMPtrToInt: return LLVMGetIntTypeWidth(LLVMTypeOf(value)) >= 64;
	case LLVMIntToPtr:
	case LLVMBitCast:
	case LLVMAddrSpaceCast: return true;
	default: return false;
	}
}

set_id constant_bits(struct objects *o, LLVMValueRef value)
{
	set_id bits = SET_EMPTY;

	if (!LLVMIsAConstantExpr(value) && !LLVMIsAConstantStruct(value) && !LLVMIsAConstantArray(value) &&
	    !LLVMIsAConstantVector(value))
		return SET_EMPTY;
	for (int i = 0; i < LLVMGetNumOperands(value); i++) {
		LLVMValueRef operand = LLVMGetOperand(value, (unsigned)i);

		bits = origins_join(o->sets, bits, constant_bits(o, operand));
		if (!is_carried_whole(value, i))
			bits = origins_join(o->sets, bits, bits_of(o, constant_origins(o, operand)));
	}
	return bits;
}
