/* Records are rows of LEB128 numbers; every count is checked against the bytes left before anything is allocated. */
#include "trace/tables.h"

#include "common/integer.h"
#include "trace/format.h"

/* Cursor in a record; `wrong` keeps the first complaint, and after it every number reads as 0. */
struct record {
	const uint8_t *at, *end;
	struct arena *arena;
	uint32_t version;
	const char *wrong;
};

static uint64_t number(struct record *r, uint64_t most, const char *complaint)
{
	uint64_t value;

	if (r->wrong)
		return 0;
	if (!get_varint(&r->at, r->end, &value)) {
		r->wrong = "a record ends too early";
		return 0;
	}
	if (value > most) {
		r->wrong = complaint;
		return 0;
	}
	return value;
}

static uint32_t number32(struct record *r)
{
	return (uint32_t)number(r, UINT32_MAX, "a number is out of range");
}

/* Reads a count of things that take at least `least_bytes` each. */
static uint32_t count_of(struct record *r, size_t least_bytes)
{
	return (uint32_t)number(r, (size_t)(r->end - r->at) / least_bytes, "a count is larger than its record");
}

static const char *text(struct record *r)
{
	uint32_t len = count_of(r, 1);
	const uint8_t *at = r->at;

	if (len > (size_t)(r->end - r->at)) {
		r->wrong = "a name is longer than its record";
		len = 0;
	}
	if (!r->wrong && memchr(at, 0, len))
		r->wrong = "a name holds a zero byte";
	r->at += len;
	return arena_strndup(r->arena, (const char *)at, len);
}

static const char *finish(const struct record *r)
{
	return r->wrong ? r->wrong : r->at != r->end ? "a record is longer than its content" : NULL;
}

static void put_text(struct bytes *out, const char *string)
{
	size_t len = string ? strlen(string) : 0;

	put_varint(out, len);
	put_bytes(out, string, len);
}

/* Rows are in the order of the source, so lines are written as differences. */
static void put_inst(struct bytes *out, const struct trace_inst *inst, const struct trace_inst *previous)
{
	put_byte(out, inst->cls);
	put_byte(out, inst->space);
	put_byte(out, inst->flags);
	put_byte(out, inst->access_bytes);
	put_byte(out, inst->ndst);
	put_byte(out, inst->nsrc);
	for (unsigned i = 0; i < inst->ndst; i++)
		put_varint(out, inst->dst[i]);
	for (unsigned i = 0; i < inst->nsrc; i++)
		put_varint(out, inst->src[i]);
	put_varint(out, inst->structure == TRACE_NO_STRUCTURE ? 0 : inst->structure + 1u);
	put_signed(out, (int64_t)inst->ptx_line - previous->ptx_line);
	put_signed(out, (int64_t)inst->source_line - previous->source_line);
	if (trace_is_barrier(inst)) {
		put_varint(out, inst->barrier == TRACE_ANY_BARRIER ? 0 : inst->barrier + 1u);
		put_varint(out, inst->barrier_warps);
	}
}

enum { LEAST_INST_BYTES = 9, LEAST_BLOCK_BYTES = 2, LEAST_ALLOCATION_BYTES = 3 };

void put_kernel(struct bytes *out, const struct trace_kernel *kernel)
{
	const struct trace_inst none = {0}, *previous = &none;

	put_text(out, kernel->name);
	put_text(out, kernel->module);
	put_varint(out, kernel->registers_per_thread);
	put_varint(out, kernel->nregisters);
	put_varint(out, kernel->nstructures);
	for (uint32_t i = 0; i < kernel->nstructures; i++)
		put_text(out, kernel->structures[i]);
	put_varint(out, kernel->ninsts);
	for (uint32_t i = 0; i < kernel->ninsts; previous = &kernel->insts[i++])
		put_inst(out, &kernel->insts[i], previous);
	put_varint(out, kernel->nblocks);
	for (uint32_t i = 0; i < kernel->nblocks; i++) {
		put_varint(out, kernel->blocks[i].first);
		put_varint(out, kernel->blocks[i].count);
	}
	put_text(out, kernel->ptx);
}

static void get_registers(struct record *r, uint16_t *registers, unsigned count, uint32_t nregisters)
{
	for (unsigned i = 0; i < count; i++) {
		registers[i] = (uint16_t)number(r, TRACE_NO_REGISTER, "a register number is out of range");
		if (!r->wrong && registers[i] >= nregisters && registers[i] != TRACE_NO_REGISTER)
			r->wrong = "a register number is out of range";
	}
}

static uint32_t get_line(struct record *r, uint32_t previous)
{
	int64_t difference;

	if (r->wrong)
		return 0;
	if (!get_signed(&r->at, r->end, &difference)) {
		r->wrong = "a record ends too early";
		return 0;
	}
	return previous + (uint32_t)difference;
}

static void get_barrier(struct record *r, struct trace_inst *inst)
{
	if (!trace_is_barrier(inst))
		return;
	inst->barrier = TRACE_ANY_BARRIER;
	if (r->version == TRACE_OLDEST_VERSION)
		return;
	inst->barrier = (uint8_t)(number(r, TRACE_BARRIERS, "a barrier's number is out of range") - 1);
	inst->barrier_warps = (uint8_t)number(r, TRACE_MAX_CTA_WARPS, "a barrier takes too many warps");
}

static void get_inst(struct record *r, const struct trace_kernel *kernel, const struct trace_inst *previous,
		     struct trace_inst *inst)
{
	uint8_t *const fields[] = {&inst->cls,          &inst->space, &inst->flags,
				   &inst->access_bytes, &inst->ndst,  &inst->nsrc};
	static const uint8_t most[] = {TRACE_CLASS_COUNT - 1,  TRACE_SPACE_COUNT - 1, UINT8_MAX, UINT8_MAX,
				       TRACE_MAX_DESTINATIONS, TRACE_MAX_SOURCES};

	for (unsigned i = 0; i < sizeof most; i++) {
		if (r->wrong || r->at == r->end || *r->at > most[i]) {
			r->wrong = r->wrong ? r->wrong : "an instruction's row is damaged";
			return;
		}
		*fields[i] = *r->at++;
	}
	get_registers(r, inst->dst, inst->ndst, kernel->nregisters);
	get_registers(r, inst->src, inst->nsrc, kernel->nregisters);
	inst->structure = (uint16_t)(number(r, kernel->nstructures, "a structure's index is out of range") - 1);
	inst->ptx_line = get_line(r, previous->ptx_line);
	inst->source_line = get_line(r, previous->source_line);
	get_barrier(r, inst);
}

static void get_insts(struct record *r, struct trace_kernel *kernel)
{
	const struct trace_inst none = {0}, *previous = &none;
	struct trace_inst *insts;

	kernel->ninsts = count_of(r, LEAST_INST_BYTES);
	kernel->insts = insts = arena_array(r->arena, struct trace_inst, kernel->ninsts);
	for (uint32_t i = 0; i < kernel->ninsts && !r->wrong; previous = &insts[i++])
		get_inst(r, kernel, previous, &insts[i]);
}

static void get_blocks(struct record *r, struct trace_kernel *kernel)
{
	struct trace_block *blocks;

	kernel->nblocks = count_of(r, LEAST_BLOCK_BYTES);
	kernel->blocks = blocks = arena_array(r->arena, struct trace_block, kernel->nblocks);
	for (uint32_t i = 0; i < kernel->nblocks; i++) {
		blocks[i].first = (uint32_t)number(r, kernel->ninsts, "a block lies outside its kernel");
		blocks[i].count =
		    (uint32_t)number(r, kernel->ninsts - blocks[i].first, "a block lies outside its kernel");
		if (!r->wrong && blocks[i].count && kernel->insts[blocks[i].first].flags & TRACE_PART)
			r->wrong = "a block begins inside a texture fetch";
	}
}

const uint32_t *count_first_accesses(const struct trace_kernel *kernel, struct arena *arena)
{
	uint32_t *first = arena_array(arena, uint32_t, kernel->nblocks);
	uint32_t *before = xcalloc((size_t)kernel->ninsts + 1, sizeof *before);

	for (uint32_t i = 0; i < kernel->ninsts; i++)
		before[i + 1] = before[i] + (kernel->insts[i].flags & TRACE_HAS_ACCESS ? 1 : 0);
	for (uint32_t i = 0; i < kernel->nblocks; i++)
		first[i] = before[kernel->blocks[i].first];
	xfree(before);
	return first;
}

static const uint8_t *count_plain(const struct trace_kernel *kernel, struct arena *arena)
{
	uint8_t *plain = arena_array(arena, uint8_t, kernel->ninsts + 1);
	unsigned run = 0;

	for (uint32_t i = kernel->ninsts; i-- > 0;) {
		run = kernel->insts[i].flags & TRACE_HAS_ACCESS ? 0 : run + (run < UINT8_MAX);
		plain[i] = (uint8_t)run;
	}
	return plain;
}

const char *get_kernel(const uint8_t *data, size_t size, uint32_t version, struct arena *arena,
		       struct trace_kernel *kernel)
{
	struct record r = {.at = data, .end = data + size, .arena = arena, .version = version};
	const char **structures;

	*kernel = (struct trace_kernel){.name = text(&r)};
	kernel->module = text(&r);
	kernel->registers_per_thread = number32(&r);
	kernel->nregisters = (uint32_t)number(&r, TRACE_NO_REGISTER, "too many registers");
	kernel->nstructures = count_of(&r, 1);
	if (kernel->nstructures >= TRACE_NO_STRUCTURE)
		r.wrong = "too many structures";
	kernel->structures = structures = arena_array(arena, const char *, kernel->nstructures);
	for (uint32_t i = 0; i < kernel->nstructures; i++)
		structures[i] = text(&r);
	get_insts(&r, kernel);
	get_blocks(&r, kernel);
	kernel->ptx = version < TRACE_PTX_VERSION ? NULL : text(&r);
	if (!r.wrong) {
		kernel->first_access = count_first_accesses(kernel, arena);
		kernel->plain = count_plain(kernel, arena);
	}
	return finish(&r);
}

static size_t bytes_of_rows(uint32_t ninsts)
{
	return divide_up(ninsts, 8);
}

void put_launch(struct bytes *out, const struct trace_launch *launch, uint32_t nstructures, uint32_t ninsts)
{
	put_varint(out, launch->kernel);
	for (unsigned i = 0; i < 3; i++)
		put_varint(out, launch->grid[i]);
	for (unsigned i = 0; i < 3; i++)
		put_varint(out, launch->block[i]);
	put_varint(out, launch->shared_bytes);
	put_varint(out, launch->local_bytes);
	put_varint(out, launch->stream);
	put_varint(out, launch->marks_in_force);
	put_varint(out, launch->marks);
	put_varint(out, launch->nallocations);
	for (uint32_t i = 0; i < launch->nallocations; i++) {
		put_varint(out, launch->allocations[i].address);
		put_varint(out, launch->allocations[i].size);
		put_text(out, launch->allocations[i].name);
	}
	for (uint32_t i = 0; i < nstructures; i++) {
		put_varint(out, launch->structures[i].address);
		put_varint(out, (uint32_t)(launch->structures[i].allocation + 1));
		put_varint(out, launch->structures[i].verdict);
		put_varint(out, launch->structures[i].marked);
	}
	if (trace_lists_rows(launch->marks))
		put_bytes(out, launch->marked_rows, bytes_of_rows(ninsts));
}

uint32_t warps_per_cta(const struct trace_launch *launch)
{
	uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];

	return (uint32_t)(divide_up(threads, TRACE_WARP_LANES));
}

static void get_shape(struct record *r, struct trace_launch *launch)
{
	const uint64_t most_threads = TRACE_MAX_CTA_WARPS * TRACE_WARP_LANES;
	uint64_t threads = 1;

	for (unsigned i = 0; i < 3; i++)
		launch->grid[i] = number32(r);
	for (unsigned i = 0; i < 3; i++) {
		launch->block[i] = (uint32_t)number(r, most_threads, "a CTA has too many threads");
		threads *= launch->block[i];
	}
	if (!r->wrong && (threads == 0 || threads > most_threads))
		r->wrong = "a CTA has no threads or too many";
}

static void get_allocations(struct record *r, struct trace_launch *launch)
{
	struct trace_allocation *allocations;

	launch->nallocations = count_of(r, LEAST_ALLOCATION_BYTES);
	launch->allocations = allocations = arena_array(r->arena, struct trace_allocation, launch->nallocations);
	for (uint32_t i = 0; i < launch->nallocations; i++) {
		allocations[i].address = number(r, UINT64_MAX, NULL);
		allocations[i].size = number(r, UINT64_MAX, NULL);
		allocations[i].name = text(r);
	}
}

static void get_structures(struct record *r, struct trace_launch *launch, uint32_t count)
{
	struct trace_structure *structures = arena_array(r->arena, struct trace_structure, count);

	launch->structures = structures;
	for (uint32_t i = 0; i < count; i++) {
		structures[i].address = number(r, UINT64_MAX, NULL);
		structures[i].allocation =
		    (uint32_t)number(r, launch->nallocations, "an allocation's index is out of range") - 1;
		structures[i].verdict = (uint8_t)number(r, TRACE_IS_READ_WRITE, "a verdict is out of range");
		structures[i].marked = number(r, 1, "a mark is neither 0 nor 1") != 0;
	}
}

static const uint8_t *get_marked_rows(struct record *r, const struct trace_launch *launch, uint32_t ninsts)
{
	size_t size = bytes_of_rows(ninsts);
	const uint8_t *rows = r->at;

	if (r->wrong || !trace_lists_rows(launch->marks))
		return NULL;
	if (size > (size_t)(r->end - r->at)) {
		r->wrong = "a record ends too early";
		return NULL;
	}
	r->at += size;
	return arena_memdup(r->arena, rows, size);
}

const char *get_launch(const uint8_t *data, size_t size, uint32_t version, struct arena *arena,
		       const struct trace_kernel *const *kernels, size_t nkernels, struct trace_launch *launch)
{
	struct record r = {.at = data, .end = data + size, .arena = arena, .version = version};

	*launch = (struct trace_launch){.kernel = number32(&r)};
	if (!r.wrong && launch->kernel >= nkernels)
		return "a launch of a kernel without a table";
	get_shape(&r, launch);
	launch->shared_bytes = number32(&r);
	launch->local_bytes = version < TRACE_LOCAL_VERSION ? 0 : number32(&r);
	launch->stream = number32(&r);
	launch->marks_in_force = number(&r, 1, "a mark is neither 0 nor 1") != 0;
	if (version >= TRACE_MARKS_VERSION)
		launch->marks = (uint8_t)number(&r, TRACE_MARKS_COUNT - 1, "a kind of marks is out of range");
	get_allocations(&r, launch);
	if (!r.wrong)
		get_structures(&r, launch, kernels[launch->kernel]->nstructures);
	if (!r.wrong)
		launch->marked_rows = get_marked_rows(&r, launch, kernels[launch->kernel]->ninsts);
	return finish(&r);
}
