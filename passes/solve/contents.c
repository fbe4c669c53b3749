/*
 * The contents of objects: what is stored in them, and what a load may find there. Contents only grow, so the analysis
 * ends.
 */
#include "passes/solve/pointer_bits.h"

/* MAX_LOOKUPS: objects that a question may visit, since copies lead from an object to many others and back. */
enum { MAX_CELLS = 256, MAX_COPIES = 64, MAX_COPY_DEPTH = 8, MAX_LOOKUPS = 512, POINTER_BYTES = 8 };

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

/* The state of a question: what memory may hold. */
struct question {
	struct objects *o;
	uint8_t dep;
};

static struct ir_value content_at_depth(struct question *q, uint32_t object, struct span at, unsigned depth);

static struct ir_value either_value(struct objects *o, struct ir_value a, struct ir_value b)
{
	return (struct ir_value){either_origins(o, a.set, b.set), origins_join(o->sets, a.beside, b.beside)};
}

/* A value that is only partly taken, or that is part of a larger one. */
static struct ir_value in_parts(struct objects *o, struct ir_value v)
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

/* True if a value of `type` has a pointer at byte `offset`. */
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

/* The target of the pointer at byte `offset` of a by-value parameter. */
static set_id field_at(struct objects *o, uint32_t byval, int64_t offset, bool as_pointer)
{
	return origins_single(o->sets, object_field(o, byval, offset, as_pointer), 0);
}

/*
 * True if a by-value parameter may have a pointer at this offset: where its type has one, or else at every eight bytes.
 */
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
	/* The type may have no pointers at all (an array of bytes, say). Then any eight bytes may be a pointer. */
	return typed == SET_EMPTY || at.is_number ? all : typed;
}

/* True if an address fits into so many bytes. */
static bool has_room_for_address(int64_t bytes)
{
	return bytes == OFFSET_ANY || bytes >= POINTER_BYTES;
}

/* The contents of a by-value parameter at the kernel's start. */
static struct ir_value field_content(struct objects *o, uint32_t byval, struct span at)
{
	int64_t size = o->all.data[byval].offset, end;
	struct ir_value v = {SET_EMPTY, SET_EMPTY};

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
		struct ir_value field = {SET_EMPTY, SET_EMPTY};

		if (!is_field(o, byval, f))
			continue;
		field.set = field_at(o, byval, f, at.is_pointer && whole);
		v = whole ? either_value(o, v, field)
			  : (struct ir_value){origins_join(o->sets, v.set, field.set),
					      origins_join(o->sets, v.beside, bits_of(o, field.set))};
	}
	/* A pointer across two members also has a name of its own. */
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
 * True if the bytes `at` hold the value at `cell` unchanged: they are the same bytes, or both hold whole addresses. At
 * unknown offsets, values are at the places that their alignment allows.
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

/* The part of the value in `cell` that bytes `at` hold. The two may overlap. */
static struct ir_value cell_content(struct objects *o, const struct cell *cell, struct span at)
{
	struct ir_value v = cell->value;

	/* A number. As far as is known, it lies beside the pointer. */
	if (cell->at.is_pointer && (!is_placed(cell->at) || !is_placed(at)) &&
	    (at.is_number || !has_room_for_address(at.bytes))) {
		set_id parted = origins_join(o->sets, o->parted, v.set);

		o->changed |= parted != o->parted;
		o->parted = parted;
		return (struct ir_value){has_room_for_address(at.bytes) ? SET_EMPTY : part_origins(o),
					 origins_single(o->sets, UNKNOWN_OBJECT, OFFSET_ANY)};
	}
	if (cell->at.bytes != POINTER_BYTES && has_room_for_address(at.bytes))
		v.set = whole_origins(o, v.set);
	return are_same_places(cell->at, at) ? v : in_parts(o, v);
}

/* The part of copied bytes that bytes `at` hold. */
static struct ir_value copied_content(struct question *q, const struct copied *c, struct span at, unsigned depth)
{
	bool placed = at.offset != OFFSET_ANY && c->to != OFFSET_ANY && c->from != OFFSET_ANY && at.offset >= c->to;
	bool covered = c->bytes == OFFSET_ANY || !placed
			   ? !c->is_packed
			   : at.bytes != OFFSET_ANY && at.offset + at.bytes <= c->to + c->bytes;
	struct span from = at;
	struct ir_value v;

	from.offset = placed ? c->from + (at.offset - c->to) : OFFSET_ANY;
	v = content_at_depth(q, c->source, from, depth + 1);
	return covered ? v : in_parts(q->o, v);
}

static struct ir_value stored_content(struct question *q, uint32_t object, struct span at, unsigned depth)
{
	struct ir_value v = {SET_EMPTY, SET_EMPTY};

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

/* Contents of memory that others can write: values from before the kernel, and what the kernel stores. */
static struct ir_value outside_content(struct question *q, uint32_t object, struct span at, unsigned depth)
{
	struct objects *o = q->o;
	struct ir_value v = stored_content(q, object, at, depth);

	q->dep |= DEP_MEMORY;
	v.beside = origins_join(o->sets, v.beside, o->published);
	if (!has_room_for_address(at.bytes))
		v.set = origins_join(o->sets, v.set, part_origins(o));
	else if (object != UNKNOWN_OBJECT && o->all.data[object].kind != OBJECT_WORKSPACE)
		v.set = either_origins(o, v.set, origins_single(o->sets, object_pointee_of(o, object, at), 0));
	else
		v.set = origins_join(o->sets, v.set, unknown_origins(o));
	return v;
}

/* A constant that the module itself fills. */
static bool is_filled(const struct object *object)
{
	return object->value && LLVMIsGlobalConstant(object->value) && !LLVMIsExternallyInitialized(object->value);
}

static struct ir_value find_content(struct question *q, uint32_t object, struct span at, unsigned depth)
{
	struct objects *o = q->o;
	struct ir_value v = {SET_EMPTY, SET_EMPTY};

	if (depth > MAX_COPY_DEPTH || o->lookups_left == 0)
		return (struct ir_value){unknown_origins(o),
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

static bool is_same_place(struct span a, struct span b)
{
	return a.offset == b.offset && a.bytes == b.bytes && a.is_pointer == b.is_pointer && a.is_packed == b.is_packed;
}

static uint32_t first_answer(const struct objects *o, uint32_t object)
{
	return o->all.data[object].question == o->question ? o->all.data[object].first_answer : NO_ANSWER;
}

static const struct answer *find_answer(const struct objects *o, uint32_t object, struct span at, unsigned depth)
{
	for (uint32_t i = first_answer(o, object); i != NO_ANSWER; i = o->answers.data[i].next) {
		const struct answer *a = &o->answers.data[i];

		if (a->depth == depth && is_same_place(a->at, at) && a->at.is_number == at.is_number &&
		    a->at.has_parts == at.has_parts)
			return a;
	}
	return NULL;
}

static void add_answer(struct objects *o, uint32_t object, struct answer answer)
{
	answer.next = first_answer(o, object);
	vec_push(&o->answers, answer);
	o->all.data[object].question = o->question;
	o->all.data[object].first_answer = (uint32_t)o->answers.len - 1;
}

/* Several chains of copies lead to the same bytes. They are looked up only once. */
static struct ir_value content_at_depth(struct question *q, uint32_t object, struct span at, unsigned depth)
{
	const struct answer *known = depth ? find_answer(q->o, object, at, depth) : NULL;
	struct answer answer = {.depth = depth, .at = at};
	uint8_t dep = q->dep;

	if (known) {
		q->dep |= known->dep;
		return known->value;
	}
	q->dep = DEP_NONE;
	answer.value = find_content(q, object, at, depth);
	answer.dep = q->dep;
	q->dep |= dep;
	if (depth)
		add_answer(q->o, object, answer);
	return answer.value;
}

struct ir_value object_content(struct objects *o, uint32_t object, struct span at, uint8_t *dep)
{
	struct question q = {o, *dep};
	struct ir_value v;

	o->lookups_left = MAX_LOOKUPS;
	o->question++;
	o->answers.len = 0;
	v = content_at_depth(&q, object, at, 0);
	*dep |= q.dep;
	return at.has_parts ? in_parts(o, v) : v;
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
		struct ir_value v = in_parts(o, object_content(o, copied.source, all, &dep));

		object_store(o, to, (struct cell){{.offset = OFFSET_ANY, .bytes = OFFSET_ANY}, v, dep});
		return;
	}
	vec_push(&object->copies, copied);
	o->changed = true;
}
