/* Traces from a program's own events. What the writer takes for granted is checked here. */
#include "library/library_call.h"

#include "common/arena.h"
#include "common/vec.h"
#include "common/xalloc.h"
#include "trace/trace.h"

#include <string.h>

/* What calls must fit to. */
struct written_kernel {
	uint32_t nblocks, nstructures, shared_bytes;
	const uint32_t *first; /* per block, and one more: ordinal of its first memory instruction */
	const uint8_t *spaces; /* per memory instruction */
};

struct romark_trace_writer {
	struct trace_writer *writer;
	VEC(struct written_kernel) kernels;
	struct arena arena;
	const struct written_kernel *kernel; /* of the open launch */
	uint32_t grid[3], nwarps;
	bool in_cta, failed;
	struct {
		uint32_t next, end; /* memory instructions of the block that it is in */
	} warps[TRACE_MAX_CTA_WARPS];
};

/* One call. */
struct writing {
	struct romark_trace_writer *w;
	const char *path;
	const struct romark_kernel *kernel;
	const struct trace_kernel *given;
	const struct trace_launch *launch;
	uint32_t at[3], warp, block, lanes;
	const uint64_t *addresses;
	struct diag d;
	int status;
};

static int wrong(struct romark_trace_writer *w, struct romark_error *error, const char *message)
{
	w->failed = true;
	return library_wrong(error, "%s", message);
}

static int call(void (*function)(void *), struct writing *a, struct romark_error *error)
{
	if (a->w->failed)
		return library_wrong(error, "an earlier call for this trace has failed; give it up");
	if (library_call(function, a, error))
		return 0;
	a->w->failed = true;
	return -1;
}

static void create(void *arg)
{
	struct writing *a = arg;

	a->w->writer = trace_create(a->path, &a->d);
}

struct romark_trace_writer *romark_trace_create(const char *path, struct romark_error *error)
{
	struct writing a = {.path = path, .w = xcalloc(1, sizeof *a.w)};

	if (library_call(create, &a, error) && a.w->writer)
		return a.w;
	if (diag_is_set(&a.d))
		library_error(&a.d, error);
	xfree(a.w);
	return NULL;
}

/* --- Kernels --- */

static bool has_access(const struct romark_instruction *i)
{
	return i->op == ROMARK_LOAD_OP || i->op == ROMARK_STORE_OP || i->op == ROMARK_ATOMIC_OP;
}

static const char *wrong_instruction(const struct romark_instruction *i, uint32_t nstructures)
{
	if (i->op > ROMARK_OTHER_OP)
		return "an instruction has an op that there is not";
	if (i->op == ROMARK_ASYNC_COPY_OP || i->op == ROMARK_TEXTURE_OP)
		return "asynchronous copies and textures cannot be written; take loads and stores";
	if (has_access(i) && (i->space == ROMARK_NO_SPACE || i->space > ROMARK_PARAM || !i->bytes))
		return "a memory instruction needs a space and the bytes of a lane";
	if (has_access(i) && i->structure != ROMARK_NO_STRUCTURE && i->structure >= nstructures)
		return "an instruction names a structure that its kernel does not have";
	return NULL;
}

static const char *wrong_kernel(const struct romark_kernel *k)
{
	if (!k->name || !k->ninstructions || !k->instructions || (k->nstructures && !k->structures))
		return "a kernel needs a name, instructions, and the ids of its structures";
	if (k->blocks && (!k->nblocks || k->blocks[0] != 0))
		return "the first block of a kernel begins at instruction 0";
	for (uint32_t i = 1; k->blocks && i < k->nblocks; i++)
		if (k->blocks[i] <= k->blocks[i - 1] || k->blocks[i] >= k->ninstructions)
			return "blocks begin at rising instructions of the kernel";
	for (uint32_t i = 0; i < k->ninstructions; i++) {
		const char *message = wrong_instruction(&k->instructions[i], k->nstructures);

		if (message)
			return message;
	}
	return NULL;
}

static struct trace_inst inst_of(const struct romark_instruction *i, uint32_t *registers)
{
	struct trace_inst to = {.cls = i->op,
				.space = has_access(i) ? i->space : TRACE_SPACE_NONE,
				.flags = has_access(i) ? TRACE_HAS_ACCESS : 0,
				.access_bytes = has_access(i) ? i->bytes : 0,
				.structure = has_access(i) ? i->structure : TRACE_NO_STRUCTURE,
				.source_line = i->line};

	if (i->read_only && i->op == ROMARK_LOAD_OP)
		to.flags |= TRACE_READ_ONLY;
	if (i->op == ROMARK_ATOMIC_OP && i->target == ROMARK_NO_REGISTER)
		to.flags |= TRACE_NO_RETURN;
	if (i->target != ROMARK_NO_REGISTER)
		to.dst[to.ndst++] = i->target;
	for (size_t s = 0; s < sizeof i->sources / sizeof *i->sources; s++)
		if (i->sources[s] != ROMARK_NO_REGISTER)
			to.src[to.nsrc++] = i->sources[s];
	for (uint32_t r = 0; r < to.ndst; r++)
		*registers = to.dst[r] >= *registers ? to.dst[r] + 1u : *registers;
	for (uint32_t r = 0; r < to.nsrc; r++)
		*registers = to.src[r] >= *registers ? to.src[r] + 1u : *registers;
	return to;
}

static struct written_kernel shape_of(struct romark_trace_writer *w, const struct trace_kernel *k, uint32_t shared)
{
	uint32_t *first = arena_alloc(&w->arena, (k->nblocks + 1) * sizeof *first), count = 0;
	uint8_t *spaces = arena_alloc(&w->arena, k->ninsts);

	for (uint32_t b = 0; b < k->nblocks; b++) {
		first[b] = count;
		for (uint32_t i = 0; i < k->blocks[b].count; i++)
			if (k->insts[k->blocks[b].first + i].flags & TRACE_HAS_ACCESS)
				spaces[count++] = k->insts[k->blocks[b].first + i].space;
	}
	first[k->nblocks] = count;
	return (struct written_kernel){k->nblocks, k->nstructures, shared, first, spaces};
}

static void add_kernel(void *arg)
{
	struct writing *a = arg;
	const struct romark_kernel *k = a->kernel;
	uint32_t nblocks = k->blocks ? k->nblocks : 1, registers = 0;
	struct trace_inst *insts = xcalloc(k->ninstructions, sizeof *insts);
	struct trace_block *blocks = xcalloc(nblocks, sizeof *blocks);
	struct trace_kernel to = {.name = k->name,
				  .module = k->module ? k->module : "",
				  .insts = insts,
				  .ninsts = k->ninstructions,
				  .blocks = blocks,
				  .nblocks = nblocks,
				  .structures = k->structures,
				  .nstructures = k->nstructures};

	for (uint32_t i = 0; i < k->ninstructions; i++)
		insts[i] = inst_of(&k->instructions[i], &registers);
	for (uint32_t b = 0; b < nblocks; b++) {
		uint32_t first = k->blocks ? k->blocks[b] : 0;
		uint32_t end = b + 1 < nblocks ? k->blocks[b + 1] : k->ninstructions;

		blocks[b] = (struct trace_block){first, end - first};
	}
	to.nregisters = registers ? registers : 1;
	to.registers_per_thread = k->registers ? k->registers : to.nregisters;
	a->status = (int)trace_add_kernel(a->w->writer, &to);
	vec_push(&a->w->kernels, shape_of(a->w, &to, k->shared_bytes));
	xfree(insts);
	xfree(blocks);
}

int romark_trace_add_kernel(struct romark_trace_writer *w, const struct romark_kernel *kernel,
			    struct romark_error *error)
{
	struct romark_kernel taken;
	struct writing a = {.w = w, .kernel = &taken};
	const char *message;

	library_take(&taken, sizeof taken, kernel);
	message = w->kernel ? "a kernel is added between launches" : wrong_kernel(&taken);
	if (message)
		return wrong(w, error, message);
	return call(add_kernel, &a, error) < 0 ? -1 : a.status;
}

/* --- Launches --- */

static uint8_t verdict_of(const char *name)
{
	for (int i = 0; name && i < TRACE_VERDICT_COUNT; i++)
		if (strcmp(trace_verdict_name((enum trace_verdict)i), name) == 0)
			return (uint8_t)i;
	return TRACE_IS_READ_WRITE;
}

static void begin_launch(void *arg)
{
	struct writing *a = arg;

	trace_begin_launch(a->w->writer, a->launch);
}

static const char *wrong_launch(const struct romark_trace_writer *w, int kernel, const uint32_t grid[3],
				const uint32_t block[3])
{
	uint64_t threads = (uint64_t)block[0] * block[1];

	if (w->kernel)
		return "the launch before has not ended";
	if (kernel < 0 || (size_t)kernel >= w->kernels.len)
		return "there is no kernel of this number";
	if (!grid[0] || !grid[1] || !grid[2] || grid[0] > INT32_MAX || grid[1] > UINT16_MAX || grid[2] > UINT16_MAX)
		return "a grid has 1 to 2^31 - 1, 65535 and 65535 CTAs";
	if (!threads || !block[2] || threads > 1024 || threads * block[2] > 1024)
		return "a block has 1 to 1024 threads";
	return NULL;
}

int romark_trace_begin_launch(struct romark_trace_writer *w, int kernel, const uint32_t grid[3],
			      const uint32_t block[3], const struct romark_launch_structure *structures,
			      struct romark_error *error)
{
	const char *message = wrong_launch(w, kernel, grid, block);
	const struct written_kernel *k;
	struct trace_structure *known;
	struct trace_launch launch = {.kernel = (uint32_t)kernel, .marks_in_force = true, .marks = TRACE_MARKS_OWN};
	struct writing a = {.w = w, .launch = &launch};

	if (message)
		return wrong(w, error, message);
	k = &w->kernels.data[kernel];
	known = xcalloc(k->nstructures + 1, sizeof *known);
	for (uint32_t i = 0; i < k->nstructures; i++)
		known[i] = (struct trace_structure){.address = structures ? structures[i].address : 0,
						    .allocation = UINT32_MAX,
						    .verdict = structures ? verdict_of(structures[i].verdict)
									  : TRACE_IS_READ_WRITE,
						    .marked = structures ? structures[i].marked : true};
	memcpy(launch.grid, grid, sizeof launch.grid);
	memcpy(launch.block, block, sizeof launch.block);
	launch.shared_bytes = k->shared_bytes;
	launch.structures = known;
	if (call(begin_launch, &a, error) == 0) {
		w->kernel = k;
		w->nwarps = (block[0] * block[1] * block[2] + TRACE_WARP_LANES - 1) / TRACE_WARP_LANES;
		memcpy(w->grid, grid, sizeof w->grid);
	}
	xfree(known);
	return w->failed ? -1 : 0;
}

static void begin_cta(void *arg)
{
	struct writing *a = arg;

	trace_begin_cta(a->w->writer, a->at[0], a->at[1], a->at[2], a->w->nwarps);
}

int romark_trace_begin_cta(struct romark_trace_writer *w, uint32_t x, uint32_t y, uint32_t z,
			   struct romark_error *error)
{
	struct writing a = {.w = w, .at = {x, y, z}};

	if (!w->kernel || w->in_cta)
		return wrong(w, error, "a CTA begins in a launch, when the CTA before has ended");
	if (x >= w->grid[0] || y >= w->grid[1] || z >= w->grid[2])
		return wrong(w, error, "the CTA is not in its grid");
	if (call(begin_cta, &a, error) < 0)
		return -1;
	memset(w->warps, 0, sizeof w->warps);
	w->in_cta = true;
	return 0;
}

static void enter_block(void *arg)
{
	struct writing *a = arg;

	trace_block(a->w->writer, a->warp, a->block, a->lanes);
}

int romark_trace_block(struct romark_trace_writer *w, uint32_t warp, uint32_t block, uint32_t lanes,
		       struct romark_error *error)
{
	struct writing a = {.w = w, .warp = warp, .block = block, .lanes = lanes};

	if (!w->in_cta || warp >= w->nwarps || block >= w->kernel->nblocks)
		return wrong(w, error, "a block is of a warp of the open CTA, and of the launch's kernel");
	if (w->warps[warp].next != w->warps[warp].end)
		return wrong(w, error, "the warp's block before has memory instructions whose accesses are missing");
	if (call(enter_block, &a, error) < 0)
		return -1;
	w->warps[warp].next = w->kernel->first[block];
	w->warps[warp].end = w->kernel->first[block + 1];
	return 0;
}

static void write_access(void *arg)
{
	struct writing *a = arg;
	enum trace_space space = a->w->kernel->spaces[a->w->warps[a->warp].next];

	trace_access(a->w->writer, a->warp, space, a->lanes, a->addresses);
}

int romark_trace_access(struct romark_trace_writer *w, uint32_t warp, uint32_t lanes, const uint64_t addresses[32],
			struct romark_error *error)
{
	struct writing a = {.w = w, .warp = warp, .lanes = lanes, .addresses = addresses};

	if (!w->in_cta || warp >= w->nwarps || w->warps[warp].next == w->warps[warp].end)
		return wrong(w, error, "the warp is at no memory instruction: its block has no further one");
	if (call(write_access, &a, error) < 0)
		return -1;
	w->warps[warp].next++;
	return 0;
}

static void end_cta(void *arg)
{
	struct writing *a = arg;

	trace_end_cta(a->w->writer);
}

int romark_trace_end_cta(struct romark_trace_writer *w, struct romark_error *error)
{
	struct writing a = {.w = w};

	if (!w->in_cta)
		return wrong(w, error, "no CTA is open");
	w->in_cta = false;
	return call(end_cta, &a, error);
}

static void end_launch(void *arg)
{
	struct writing *a = arg;

	trace_end_launch(a->w->writer);
}

int romark_trace_end_launch(struct romark_trace_writer *w, struct romark_error *error)
{
	struct writing a = {.w = w};

	if (!w->kernel || w->in_cta)
		return wrong(w, error, "no launch is open, or a CTA of it is");
	w->kernel = NULL;
	return call(end_launch, &a, error);
}

/* --- The end --- */

static void release(struct romark_trace_writer *w)
{
	vec_release(&w->kernels);
	arena_release(&w->arena);
	xfree(w);
}

static void finish(void *arg)
{
	struct writing *a = arg;

	a->status = trace_finish(a->w->writer, &a->d);
}

int romark_trace_finish(struct romark_trace_writer *w, struct romark_error *error)
{
	struct writing a = {.w = w};
	int status;

	if (w->failed || w->kernel) {
		library_wrong(error, w->failed ? "an earlier call for this trace has failed" : "a launch is open");
		romark_trace_abandon(w);
		return -1;
	}
	status = call(finish, &a, error);
	if (status == 0 && a.status < 0) {
		library_error(&a.d, error);
		status = -1;
	}
	release(w);
	return status;
}

static void abandon(void *arg)
{
	struct writing *a = arg;

	trace_abandon(a->w->writer);
}

void romark_trace_abandon(struct romark_trace_writer *w)
{
	struct writing a = {.w = w};

	if (!w)
		return;
	library_call(abandon, &a, NULL);
	release(w);
}
