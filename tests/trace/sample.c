/* Random kernels, masks and addresses of every kind that the encoder treats in its own way. */
#include "tests/trace/sample.h"

#include <string.h>

uint32_t sample_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static uint32_t below(uint32_t *state, uint32_t limit)
{
	return sample_random(state) % limit;
}

static void make_inst(struct trace_inst *inst, uint32_t *state, uint32_t nregisters, uint32_t nstructures)
{
	inst->cls = (uint8_t)below(state, TRACE_CLASS_COUNT);
	inst->ndst = (uint8_t)below(state, TRACE_MAX_DESTINATIONS + 1);
	inst->nsrc = (uint8_t)below(state, TRACE_MAX_SOURCES + 1);
	for (unsigned i = 0; i < inst->ndst; i++)
		inst->dst[i] = (uint16_t)below(state, nregisters);
	for (unsigned i = 0; i < inst->nsrc; i++)
		inst->src[i] = below(state, 5) ? (uint16_t)below(state, nregisters) : TRACE_NO_REGISTER;
	inst->structure = below(state, 2) ? (uint16_t)below(state, nstructures) : TRACE_NO_STRUCTURE;
	inst->ptx_line = below(state, 100000);
	inst->source_line = below(state, 1000);
	if (below(state, 3))
		return;
	inst->flags = (uint8_t)(TRACE_HAS_ACCESS | below(state, 32));
	inst->space = (uint8_t)below(state, TRACE_SPACE_COUNT);
	inst->access_bytes = (uint8_t)(1u << below(state, 5));
}

/* Only rows of barriers have the two numbers. */
static void make_barrier(struct trace_inst *inst)
{
	if (!trace_is_barrier(inst))
		return;
	inst->barrier = (uint8_t)(inst->ptx_line % (TRACE_BARRIERS + 1));
	if (inst->barrier == TRACE_BARRIERS)
		inst->barrier = TRACE_ANY_BARRIER;
	inst->barrier_warps = (uint8_t)(inst->source_line % (TRACE_MAX_CTA_WARPS + 1));
	inst->flags = inst->ptx_line % 2 ? TRACE_ARRIVES : 0;
}

static void make_kernel(struct sample *s, uint32_t *state)
{
	uint32_t ninsts = 5 + below(state, 300), nblocks = 1 + below(state, 70), nstructures = 1 + below(state, 5);
	struct trace_inst *insts = arena_array(&s->arena, struct trace_inst, ninsts);
	struct trace_block *blocks = arena_array(&s->arena, struct trace_block, nblocks);
	const char **structures = arena_array(&s->arena, const char *, nstructures);
	unsigned number = (unsigned)s->kernels.len;

	for (uint32_t i = 0; i < ninsts; i++) {
		make_inst(&insts[i], state, 200, nstructures);
		make_barrier(&insts[i]);
	}
	for (uint32_t i = 0; i < nblocks; i++) {
		blocks[i].first = below(state, ninsts);
		blocks[i].count = below(state, ninsts - blocks[i].first < 12 ? ninsts - blocks[i].first : 12);
	}
	for (uint32_t i = 0; i < nstructures; i++)
		structures[i] = arena_printf(&s->arena, "p%u", i);
	vec_push(&s->kernels,
		 (struct trace_kernel){.name = arena_printf(&s->arena, "kernel%u", number),
				       .module = "sample.cu",
				       .insts = insts,
				       .ninsts = ninsts,
				       .blocks = blocks,
				       .nblocks = nblocks,
				       .structures = structures,
				       .nstructures = nstructures,
				       .ptx = number % 3 ? arena_printf(&s->arena, ".version 7.0 // %u", number) : NULL,
				       .registers_per_thread = 32,
				       .nregisters = 200});
}

/* One of the shapes that real kernels have, and some that they should not. */
static void make_addresses(struct sample_access *access, uint32_t *state)
{
	uint64_t base = (uint64_t)sample_random(state) << below(state, 33);
	unsigned kind = below(state, 8), rows_log2 = below(state, 6);
	int64_t stride = (int64_t)below(state, 64) - 16, row = (int64_t)below(state, 100000) - 5000;

	for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++) {
		unsigned width = 32u >> rows_log2;
		uint64_t *address = &access->address[lane];

		if (kind < 2)
			*address = base + lane * (uint64_t)(kind * 4);
		else if (kind < 4)
			*address = base + lane * (uint64_t)stride;
		else if (kind < 6)
			*address = base + lane % width * (uint64_t)stride + lane / width * (uint64_t)row;
		else if (kind < 7)
			*address = base + 4 * (uint64_t)below(state, 1u << below(state, 24));
		else
			*address = (uint64_t)sample_random(state) << 32 | sample_random(state);
	}
}

static void make_access(struct sample *s, uint32_t *state, uint32_t block_mask, unsigned space)
{
	struct sample_access *access;

	vec_grow(&s->accesses);
	access = &vec_last(&s->accesses);
	access->mask = below(state, 4) ? block_mask : block_mask & sample_random(state);
	access->space = (uint8_t)(space && below(state, 8) ? space : 1 + below(state, TRACE_SPACE_COUNT - 1));
	/* A repeated access one step further is the common case. */
	if (s->accesses.len > 9 && below(state, 2)) {
		memcpy(access->address, access[-9].address, sizeof access->address);
		for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
			access->address[lane] += 128;
	} else {
		make_addresses(access, state);
	}
}

static void make_executed_block(struct sample *s, uint32_t *state, const struct trace_kernel *kernel, uint32_t warp)
{
	uint32_t block = below(state, 3) ? below(state, kernel->nblocks) : below(state, 2) % kernel->nblocks;
	uint32_t mask = below(state, 3) ? UINT32_MAX : sample_random(state);

	vec_push(&s->blocks, (struct sample_block){warp, block, mask, (uint32_t)s->accesses.len});
	for (uint32_t i = 0; i < kernel->blocks[block].count; i++) {
		const struct trace_inst *inst = &kernel->insts[kernel->blocks[block].first + i];

		if (inst->flags & TRACE_HAS_ACCESS)
			make_access(s, state, mask, inst->space);
	}
}

/* Of any kind; some have rows of their own. */
static void make_marks(struct sample *s, uint32_t *state, const struct trace_kernel *kernel,
		       struct trace_launch *launch)
{
	size_t size = (kernel->ninsts + 7) / 8;
	uint8_t *rows = arena_array(&s->arena, uint8_t, size + 1);

	launch->marks = (uint8_t)below(state, TRACE_MARKS_COUNT);
	for (size_t i = 0; i < size; i++)
		rows[i] = (uint8_t)sample_random(state);
	launch->marked_rows = trace_lists_rows(launch->marks) ? rows : NULL;
}

static void make_launch(struct sample *s, uint32_t *state, unsigned ctas)
{
	uint32_t k = below(state, (uint32_t)s->kernels.len);
	const struct trace_kernel *kernel = &s->kernels.data[k];
	struct trace_allocation *allocations = arena_array(&s->arena, struct trace_allocation, 3);
	struct trace_structure *structures = arena_array(&s->arena, struct trace_structure, kernel->nstructures);
	uint32_t threads = 1 + below(state, 200);

	for (unsigned i = 0; i < 3; i++)
		allocations[i] =
		    (struct trace_allocation){(uint64_t)sample_random(state) << 20, 1 + below(state, 99999),
					      arena_printf(&s->arena, "cudaMalloc#%u", i)};
	for (uint32_t i = 0; i < kernel->nstructures; i++)
		structures[i] =
		    (struct trace_structure){sample_random(state), below(state, 4) ? below(state, 3) : UINT32_MAX,
					     (uint8_t)below(state, 4), below(state, 2) != 0};
	for (unsigned i = 0; i < ctas; i++) {
		uint32_t nwarps = (threads + 31) / 32, nblocks = below(state, 60);

		vec_push(&s->ctas,
			 (struct sample_cta){
			     (uint32_t)s->launches.len, {i % 3, i / 3, 0}, nwarps, (uint32_t)s->blocks.len, nblocks});
		for (uint32_t j = 0; j < nblocks; j++)
			make_executed_block(s, state, kernel, below(state, nwarps));
	}
	vec_push(&s->launches, (struct trace_launch){.kernel = k,
						     .grid = {3, ctas / 3 + 1, 1},
						     .block = {threads, 1, 1},
						     .shared_bytes = below(state, 49152),
						     .local_bytes = below(state, 1024),
						     .stream = below(state, 4),
						     .allocations = allocations,
						     .nallocations = 3,
						     .structures = structures,
						     .marks_in_force = below(state, 2) != 0});
	make_marks(s, state, kernel, &vec_last(&s->launches));
}

void sample_make(struct sample *s, uint32_t seed, unsigned launches, unsigned ctas)
{
	uint32_t state = seed * 2654435761u + 1;

	memset(s, 0, sizeof *s);
	for (unsigned i = 0; i < 1 + launches / 2; i++)
		make_kernel(s, &state);
	for (unsigned i = 0; i < launches; i++)
		make_launch(s, &state, ctas);
}

void sample_release(struct sample *s)
{
	vec_release(&s->kernels);
	vec_release(&s->launches);
	vec_release(&s->ctas);
	vec_release(&s->blocks);
	vec_release(&s->accesses);
	arena_release(&s->arena);
}

static void write_cta(const struct sample *s, const struct sample_cta *cta, struct trace_writer *w)
{
	const struct trace_kernel *kernel = &s->kernels.data[s->launches.data[cta->launch].kernel];

	trace_begin_cta(w, cta->place[0], cta->place[1], cta->place[2], cta->nwarps);
	for (uint32_t i = 0; i < cta->nblocks; i++) {
		const struct sample_block *b = &s->blocks.data[cta->first_block + i];
		const struct sample_access *access = s->accesses.data + b->first_access;
		const struct trace_block *block = &kernel->blocks[b->block];

		trace_block(w, b->warp, b->block, b->mask);
		for (uint32_t j = 0; j < block->count; j++)
			if (kernel->insts[block->first + j].flags & TRACE_HAS_ACCESS) {
				trace_access(w, b->warp, access->space, access->mask, access->address);
				access++;
			}
	}
	trace_end_cta(w);
}

/* The second half of the kernels comes after the first launch, as in a program that loads a module late. */
/* A held launch begins as another than it ends. */
static void begin_launch(const struct trace_launch *launch, struct trace_writer *w)
{
	struct trace_launch begun = *launch;

	begun.marks_in_force = !launch->marks_in_force;
	if (trace_lists_rows(launch->marks))
		trace_begin_held_launch(w, &begun);
	else
		trace_begin_launch(w, launch);
}

static void end_launch(const struct trace_launch *launch, struct trace_writer *w)
{
	if (trace_lists_rows(launch->marks))
		trace_end_held_launch(w, launch);
	else
		trace_end_launch(w);
}

void sample_write(const struct sample *s, struct trace_writer *w)
{
	size_t cta = 0, kernels = 0;

	for (size_t i = 0; i < s->launches.len; i++) {
		while (kernels <= s->launches.data[i].kernel)
			trace_add_kernel(w, &s->kernels.data[kernels++]);
		begin_launch(&s->launches.data[i], w);
		while (cta < s->ctas.len && s->ctas.data[cta].launch == i)
			write_cta(s, &s->ctas.data[cta++], w);
		end_launch(&s->launches.data[i], w);
	}
}

static bool same_inst(const struct trace_inst *a, const struct trace_inst *b)
{
	return a->cls == b->cls && a->space == b->space && a->flags == b->flags && a->access_bytes == b->access_bytes &&
	       a->ndst == b->ndst && a->nsrc == b->nsrc && !memcmp(a->dst, b->dst, a->ndst * sizeof *a->dst) &&
	       !memcmp(a->src, b->src, a->nsrc * sizeof *a->src) && a->structure == b->structure &&
	       a->ptx_line == b->ptx_line && a->source_line == b->source_line && a->barrier == b->barrier &&
	       a->barrier_warps == b->barrier_warps;
}

static bool same_kernel(const struct trace_kernel *a, const struct trace_kernel *b)
{
	bool same = !strcmp(a->name, b->name) && !strcmp(a->module, b->module) && a->ninsts == b->ninsts &&
		    a->nblocks == b->nblocks && a->nstructures == b->nstructures &&
		    a->registers_per_thread == b->registers_per_thread && a->nregisters == b->nregisters &&
		    !strcmp(a->ptx ? a->ptx : "", b->ptx ? b->ptx : "");

	for (uint32_t i = 0; same && i < a->ninsts; i++)
		same = same_inst(&a->insts[i], &b->insts[i]);
	for (uint32_t i = 0; same && i < a->nblocks; i++)
		same = a->blocks[i].first == b->blocks[i].first && a->blocks[i].count == b->blocks[i].count;
	for (uint32_t i = 0; same && i < a->nstructures; i++)
		same = !strcmp(a->structures[i], b->structures[i]);
	return same;
}

static bool same_launch(const struct trace_launch *a, const struct trace_launch *b, const struct trace_kernel *kernel)
{
	bool same = a->kernel == b->kernel && !memcmp(a->grid, b->grid, sizeof a->grid) &&
		    !memcmp(a->block, b->block, sizeof a->block) && a->shared_bytes == b->shared_bytes &&
		    a->local_bytes == b->local_bytes && a->stream == b->stream && a->nallocations == b->nallocations &&
		    a->marks_in_force == b->marks_in_force && a->marks == b->marks &&
		    !a->marked_rows == !b->marked_rows;

	for (uint32_t i = 0; same && i < a->nallocations; i++)
		same = a->allocations[i].address == b->allocations[i].address &&
		       a->allocations[i].size == b->allocations[i].size &&
		       !strcmp(a->allocations[i].name, b->allocations[i].name);
	if (same && a->marked_rows)
		same = !memcmp(a->marked_rows, b->marked_rows, (kernel->ninsts + 7) / 8);
	for (uint32_t i = 0; same && i < kernel->nstructures; i++)
		same = a->structures[i].address == b->structures[i].address &&
		       a->structures[i].allocation == b->structures[i].allocation &&
		       a->structures[i].verdict == b->structures[i].verdict &&
		       a->structures[i].marked == b->structures[i].marked;
	return same;
}

static bool same_access(const struct sample_access *wanted, const struct trace_op *op)
{
	if (op->access_mask != wanted->mask || (wanted->mask && op->space != wanted->space))
		return false;
	for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
		if (wanted->mask >> lane & 1 && op->address[lane] != wanted->address[lane])
			return false;
	return true;
}

/* The operations of one warp, in order; `cursor` must give exactly them. */
static bool same_warp(const struct sample *s, const struct sample_cta *cta, uint32_t warp,
		      struct trace_warp_cursor *cursor, size_t *operations)
{
	const struct trace_kernel *kernel = &s->kernels.data[s->launches.data[cta->launch].kernel];
	struct trace_op op;

	for (uint32_t i = 0; i < cta->nblocks; i++) {
		const struct sample_block *b = &s->blocks.data[cta->first_block + i];
		const struct sample_access *access = s->accesses.data + b->first_access;
		const struct trace_block *block = &kernel->blocks[b->block];

		for (uint32_t j = block->first; b->warp == warp && j < block->first + block->count; j++) {
			if (!trace_warp_next(cursor, &op) || op.inst_index != j || op.mask != b->mask)
				return false;
			if (op.inst->flags & TRACE_HAS_ACCESS ? !same_access(access++, &op) : op.access_mask != 0)
				return false;
			++*operations;
		}
	}
	return !trace_warp_next(cursor, &op) && !cursor->bad;
}

static bool same_cta(const struct sample *s, const struct sample_cta *wanted, const struct trace_cta *got,
		     const struct trace_kernel *kernel, size_t *operations)
{
	struct trace_warp_cursor cursor;

	if (got->x != wanted->place[0] || got->y != wanted->place[1] || got->z != wanted->place[2] ||
	    got->nwarps != wanted->nwarps)
		return false;
	for (uint32_t warp = 0; warp < got->nwarps; warp++) {
		trace_warp_start(&cursor, kernel, got, warp);
		if (!same_warp(s, wanted, warp, &cursor, operations))
			return false;
	}
	return true;
}

static void check_ctas(const struct sample *s, struct trace_reader *r, uint32_t kernel, struct sample_result *result)
{
	struct trace_cta cta;

	while ((result->status = trace_next_cta(r, &cta, &result->diag)) > 0) {
		const struct sample_cta *wanted = &s->ctas.data[result->ctas];

		if (result->ctas >= s->ctas.len || wanted->launch != result->launches - 1 ||
		    !same_cta(s, wanted, &cta, trace_kernel_of(r, kernel), &result->operations))
			result->wrong = true;
		trace_cta_release(&cta);
		if (result->wrong)
			return;
		result->ctas++;
	}
}

struct sample_result sample_check(const struct sample *s, struct trace_reader *r)
{
	struct sample_result result = {0};
	struct trace_launch launch;

	while (!result.wrong && result.status == 0 &&
	       (result.status = trace_next_launch(r, &launch, &result.diag)) > 0) {
		const struct trace_kernel *kernel = trace_kernel_of(r, launch.kernel);

		if (result.launches >= s->launches.len || !same_kernel(&s->kernels.data[launch.kernel], kernel) ||
		    !same_launch(&s->launches.data[result.launches], &launch, kernel)) {
			result.wrong = true;
			break;
		}
		result.launches++;
		check_ctas(s, r, launch.kernel, &result);
	}
	trace_close(r);
	return result;
}
