/* One basic block per instruction (a texture fetch with its parts), so that any sequence can be written. */
#include "tests/sim-backend/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

void program_begin(struct program *p, uint32_t ctas, uint32_t warps)
{
	*p = (struct program){.ctas = ctas, .warps = warps, .launches = 1, .registers = 16, .marked = true};
}

unsigned program_inst(struct program *p, enum trace_class cls, int dst, int src)
{
	struct trace_inst *inst = &p->insts[p->ninsts];

	*inst = (struct trace_inst){.cls = (uint8_t)cls, .structure = TRACE_NO_STRUCTURE};
	if (dst >= 0)
		inst->dst[inst->ndst++] = (uint16_t)dst;
	if (src >= 0)
		inst->src[inst->nsrc++] = (uint16_t)src;
	return p->ninsts++;
}

unsigned program_memory(struct program *p, enum trace_class cls, enum trace_space space, unsigned bytes, int dst)
{
	unsigned at = program_inst(p, cls, dst, -1);

	p->insts[at].space = (uint8_t)space;
	p->insts[at].access_bytes = (uint8_t)bytes;
	p->insts[at].flags = TRACE_HAS_ACCESS;
	p->insts[at].structure = 0;
	return at;
}

struct program_step *program_emit(struct program *p, unsigned inst, uint64_t base, uint64_t stride)
{
	struct program_step *step = &p->steps[p->nsteps++];

	*step =
	    (struct program_step){.inst = inst, .base = base, .stride = stride, .mask = UINT32_MAX, .only_warp = -1};
	return step;
}

/* `pad`: rows in front of the program's. */
static void write_step(const struct program *p, struct trace_writer *w, const struct program_step *step, uint32_t cta,
		       uint32_t warp, uint32_t pad)
{
	uint64_t addresses[TRACE_WARP_LANES];

	if (step->only_warp >= 0 && (uint32_t)step->only_warp != warp)
		return;
	if (!(p->insts[step->inst].flags & TRACE_PART))
		trace_block(w, warp, pad + step->inst, UINT32_MAX);
	if (!(p->insts[step->inst].flags & TRACE_HAS_ACCESS))
		return;
	for (uint32_t lane = 0; lane < TRACE_WARP_LANES; lane++)
		addresses[lane] = step->base + lane * step->stride + warp * step->per_warp + cta * step->per_cta;
	trace_access(w, warp, (enum trace_space)p->insts[step->inst].space, step->mask, addresses);
}

static void write_launch(const struct program *p, struct trace_writer *w, const uint32_t *kernels, uint32_t number)
{
	bool second = p->second_kernel && number % 2;
	uint32_t pad = second ? PROGRAM_PAD : 0;
	unsigned nsteps = p->more_steps ? (number + 1) * p->more_steps : p->nsteps;
	uint32_t warps = p->warps + number * p->more_warps;
	static const struct trace_allocation allocation = {0x1000, 1 << 24, "s0"};
	const struct trace_structure structure = {0x1000, 0, p->marked ? TRACE_IS_READ_ONLY : TRACE_IS_READ_WRITE,
						  p->marked};
	struct trace_launch launch = {.kernel = kernels[second],
				      .grid = {p->ctas, 1, 1},
				      .block = {warps * TRACE_WARP_LANES, 1, 1},
				      .shared_bytes = p->shared_bytes,
				      .local_bytes = p->local_bytes,
				      .stream = p->streams[number % PROGRAM_STREAMS],
				      .allocations = &allocation,
				      .nallocations = 1,
				      .structures = &structure,
				      .marks_in_force = p->marked};

	trace_begin_launch(w, &launch);
	for (uint32_t cta = 0; cta < p->ctas; cta++) {
		trace_begin_cta(w, cta, 0, 0, warps);
		for (uint32_t warp = 0; warp < warps; warp++)
			for (unsigned i = 0; i < nsteps && i < p->nsteps; i++)
				write_step(p, w, &p->steps[i], cta, warp, pad);
		trace_end_cta(w);
	}
	trace_end_launch(w);
}

/* Block i begins with instruction i and has its TRACE_PART rows; a block that begins with such a row is empty. */
static void fill_blocks(const struct program *p, struct trace_block *blocks)
{
	uint32_t head = 0;

	for (uint32_t i = 0; i < p->ninsts; i++) {
		head = p->insts[i].flags & TRACE_PART ? head : i;
		blocks[i] = (struct trace_block){i, 0};
		blocks[head].count++;
	}
	if (p->long_block)
		blocks[p->long_block].count = p->ninsts - p->long_block;
}

/* Rows in front that nothing executes, and more registers. */
static void widen(const struct program *p, struct trace_inst *insts, struct trace_block *blocks)
{
	fill_blocks(p, blocks + PROGRAM_PAD);
	for (uint32_t i = 0; i < PROGRAM_PAD; i++) {
		insts[i] = (struct trace_inst){.cls = TRACE_FP64, .structure = TRACE_NO_STRUCTURE};
		blocks[i] = (struct trace_block){i, 1};
	}
	for (uint32_t i = 0; i < p->ninsts; i++) {
		struct trace_inst *inst = &insts[PROGRAM_PAD + i];

		blocks[PROGRAM_PAD + i].first += PROGRAM_PAD;
		*inst = p->insts[i];
		while (inst->ndst && inst->flags & TRACE_HAS_ACCESS && inst->ndst < PROGRAM_WIDE) {
			inst->dst[inst->ndst] = (uint16_t)(PROGRAM_REGISTERS + i * PROGRAM_WIDE + inst->ndst);
			inst->ndst++;
		}
	}
}

char *program_write(const struct program *p)
{
	static const char *const structures[] = {"s0"};
	char *path = strdup("/tmp/romark-program-XXXXXX");
	struct trace_block blocks[PROGRAM_INSTS], wide_blocks[PROGRAM_PAD + PROGRAM_INSTS];
	struct trace_inst wide[PROGRAM_PAD + PROGRAM_INSTS];
	struct trace_kernel kernel = {.name = "k",
				      .module = "test",
				      .insts = p->insts,
				      .ninsts = p->ninsts,
				      .blocks = blocks,
				      .nblocks = p->ninsts,
				      .structures = structures,
				      .nstructures = 1,
				      .registers_per_thread = p->registers,
				      .nregisters = PROGRAM_REGISTERS};
	struct diag d = DIAG_INIT;
	struct trace_writer *w;
	uint32_t ids[2];

	close(mkstemp(path));
	w = trace_create(path, &d);
	assert_non_null(w);
	fill_blocks(p, blocks);
	ids[0] = trace_add_kernel(w, &kernel);
	if (p->second_kernel) {
		widen(p, wide, wide_blocks);
		kernel.name = "wide";
		kernel.insts = wide;
		kernel.blocks = wide_blocks;
		kernel.ninsts = kernel.nblocks = PROGRAM_PAD + p->ninsts;
		kernel.nregisters = PROGRAM_REGISTERS + PROGRAM_INSTS * PROGRAM_WIDE;
		ids[1] = trace_add_kernel(w, &kernel);
	}
	for (uint32_t i = 0; i < p->launches; i++)
		write_launch(p, w, ids, i);
	assert_int_equal(trace_finish(w, &d), 0);
	return path;
}

int program_try(const struct program *p, struct sim_config *config, const struct sim_options *options,
		struct sim_result **result, struct diag *d)
{
	char *path = program_write(p);
	struct trace_reader *r = trace_open(path, d);
	int status;

	assert_non_null(r);
	assert_int_equal(sim_config_check(config, d), 0);
	status = sim_run(config, r, options, result, d);
	trace_close(r);
	unlink(path);
	free(path);
	return status;
}

struct sim_result *program_run(const struct program *p, struct sim_config *config)
{
	struct sim_options options = {.report = stderr};
	struct sim_result *result;
	struct diag d = DIAG_INIT;

	if (program_try(p, config, &options, &result, &d) < 0)
		fail_msg("%s", d.message);
	return result;
}

struct sim_config *one_sm(void)
{
	struct sim_config *c = sim_config_create();

	c->gpu.sms = 1;
	c->memory.noc.sm_routers = 1;
	return c;
}
