/* Each workload is a table of instructions, one basic block per piece of straight code, and a walk over the warps. */
#include "tests/bench/sim_workloads.h"

enum { LANES = TRACE_WARP_LANES, FLOAT = 4, MAX_INSTS = 160 };

static const uint64_t base_a = 0x700000000, base_b = 0x740000000, base_c = 0x780000000;

/* --- A kernel under construction --- */

struct kernel_text {
	struct trace_inst insts[MAX_INSTS];
	struct trace_block blocks[8];
	uint32_t ninsts, nblocks;
};

static void begin_block(struct kernel_text *k)
{
	k->blocks[k->nblocks++] = (struct trace_block){k->ninsts, 0};
}

static struct trace_inst *add(struct kernel_text *k, enum trace_class cls, int dst, int src0, int src1)
{
	struct trace_inst *inst = &k->insts[k->ninsts++];

	k->blocks[k->nblocks - 1].count++;
	*inst = (struct trace_inst){.cls = (uint8_t)cls, .structure = TRACE_NO_STRUCTURE};
	if (dst >= 0)
		inst->dst[inst->ndst++] = (uint16_t)dst;
	if (src0 >= 0)
		inst->src[inst->nsrc++] = (uint16_t)src0;
	if (src1 >= 0)
		inst->src[inst->nsrc++] = (uint16_t)src1;
	return inst;
}

static void add_memory(struct kernel_text *k, enum trace_class cls, enum trace_space space, int dst, int src0, int src1,
		       int structure)
{
	struct trace_inst *inst = add(k, cls, dst, src0, src1);

	inst->space = (uint8_t)space;
	inst->access_bytes = FLOAT;
	inst->flags = TRACE_HAS_ACCESS;
	if (structure >= 0) {
		inst->structure = (uint16_t)structure;
		inst->flags |= cls == TRACE_LOAD ? TRACE_READ_ONLY : 0;
	}
}

/* Structures 0 and 1 are read-only and marked, 2 is written. */
static void begin_launch(struct trace_writer *w, const struct kernel_text *k, const char *name, uint32_t grid_x,
			 uint32_t grid_y, uint32_t block_x, uint32_t block_y, uint32_t shared_bytes)
{
	static const char *const names[] = {"p0", "p1", "p2"};
	static const struct trace_allocation allocations[] = {
	    {0x700000000, 1 << 26, "a"}, {0x740000000, 1 << 26, "b"}, {0x780000000, 1 << 26, "c"}};
	static const struct trace_structure structures[] = {{0x700000000, 0, TRACE_IS_READ_ONLY, true},
							    {0x740000000, 1, TRACE_IS_READ_ONLY, true},
							    {0x780000000, 2, TRACE_IS_WRITE_ONLY, false}};
	const struct trace_kernel kernel = {.name = name,
					    .module = "synthetic",
					    .insts = k->insts,
					    .ninsts = k->ninsts,
					    .blocks = k->blocks,
					    .nblocks = k->nblocks,
					    .structures = names,
					    .nstructures = 3,
					    .registers_per_thread = 32,
					    .nregisters = 128};
	const struct trace_launch launch = {.kernel = trace_add_kernel(w, &kernel),
					    .grid = {grid_x, grid_y, 1},
					    .block = {block_x, block_y, 1},
					    .shared_bytes = shared_bytes,
					    .allocations = allocations,
					    .nallocations = 3,
					    .structures = structures,
					    .marks_in_force = true};

	trace_begin_launch(w, &launch);
}

/* --- Matrix product, operands from global memory --- */

enum { UNROLL = 4 };

static void naive_text(struct kernel_text *k)
{
	begin_block(k);
	for (int i = 0; i < 8; i++)
		add(k, TRACE_INT, i, i ? i - 1 : -1, -1);
	begin_block(k);
	for (int i = 0; i < UNROLL; i++) {
		add_memory(k, TRACE_LOAD, TRACE_GLOBAL, 10 + 2 * i, 6, -1, 0);
		add_memory(k, TRACE_LOAD, TRACE_GLOBAL, 11 + 2 * i, 7, -1, 1);
	}
	for (int i = 0; i < UNROLL; i++)
		add(k, TRACE_FP32, 30, 10 + 2 * i, 11 + 2 * i)->src[2] = 30;
	add(k, TRACE_INT, 6, 6, -1);
	add(k, TRACE_INT, 7, 7, -1);
	add(k, TRACE_INT, 9, 6, -1);
	add(k, TRACE_BRANCH, -1, 9, -1);
	begin_block(k);
	add_memory(k, TRACE_STORE, TRACE_GLOBAL, -1, 30, 0, 2);
	add(k, TRACE_EXIT, -1, -1, -1);
}

static void access_rows(struct trace_writer *w, uint32_t warp, enum trace_space space, uint64_t base,
			const uint32_t *rows, const uint32_t *columns, uint32_t pitch)
{
	uint64_t addresses[LANES];

	for (unsigned lane = 0; lane < LANES; lane++)
		addresses[lane] = base + FLOAT * ((uint64_t)rows[lane] * pitch + columns[lane]);
	trace_access(w, warp, space, UINT32_MAX, addresses);
}

static void fill(uint32_t *values, uint32_t value)
{
	for (unsigned lane = 0; lane < LANES; lane++)
		values[lane] = value;
}

static void naive_warp(struct trace_writer *w, uint32_t warp, struct matmul_shape shape, const uint32_t *rows,
		       const uint32_t *columns)
{
	uint32_t step[LANES];

	trace_block(w, warp, 0, UINT32_MAX);
	for (uint32_t k = 0; k < shape.inner; k += UNROLL) {
		trace_block(w, warp, 1, UINT32_MAX);
		for (uint32_t u = 0; u < UNROLL; u++) {
			fill(step, k + u);
			access_rows(w, warp, TRACE_GLOBAL, base_a, rows, step, shape.inner);
			access_rows(w, warp, TRACE_GLOBAL, base_b, step, columns, shape.columns);
		}
	}
	trace_block(w, warp, 2, UINT32_MAX);
	access_rows(w, warp, TRACE_GLOBAL, base_c, rows, columns, shape.columns);
}

void write_matmul_naive(struct trace_writer *w, struct matmul_shape shape, uint32_t width, uint32_t height)
{
	struct kernel_text k = {.ninsts = 0};
	uint32_t warps = width * height / LANES, rows[LANES], columns[LANES];

	naive_text(&k);
	begin_launch(w, &k, "matmul_naive", shape.columns / width, shape.rows / height, width, height, 0);
	for (uint32_t y = 0; y < shape.rows / height; y++)
		for (uint32_t x = 0; x < shape.columns / width; x++) {
			trace_begin_cta(w, x, y, 0, warps);
			for (uint32_t warp = 0; warp < warps; warp++) {
				for (uint32_t lane = 0; lane < LANES; lane++) {
					rows[lane] = y * height + (warp * LANES + lane) / width;
					columns[lane] = x * width + (warp * LANES + lane) % width;
				}
				naive_warp(w, warp, shape, rows, columns);
			}
			trace_end_cta(w);
		}
	trace_end_launch(w);
}

/* --- Matrix product through shared memory --- */

static void tiled_text(struct kernel_text *k, uint32_t tile)
{
	begin_block(k);
	for (int i = 0; i < 8; i++)
		add(k, TRACE_INT, i, i ? i - 1 : -1, -1);
	begin_block(k);
	add_memory(k, TRACE_LOAD, TRACE_GLOBAL, 10, 6, -1, 0);
	add_memory(k, TRACE_LOAD, TRACE_GLOBAL, 11, 7, -1, 1);
	add_memory(k, TRACE_STORE, TRACE_SHARED, -1, 10, 0, -1);
	add_memory(k, TRACE_STORE, TRACE_SHARED, -1, 11, 0, -1);
	add(k, TRACE_BARRIER, -1, -1, -1);
	for (uint32_t i = 0; i < tile; i++) {
		add_memory(k, TRACE_LOAD, TRACE_SHARED, (int)(20 + 2 * i), 0, -1, -1);
		add_memory(k, TRACE_LOAD, TRACE_SHARED, (int)(21 + 2 * i), 0, -1, -1);
		add(k, TRACE_FP32, 12, (int)(20 + 2 * i), (int)(21 + 2 * i))->src[2] = 12;
	}
	add(k, TRACE_BARRIER, -1, -1, -1);
	add(k, TRACE_INT, 6, 6, -1);
	add(k, TRACE_INT, 7, 7, -1);
	add(k, TRACE_INT, 9, 6, -1);
	add(k, TRACE_BRANCH, -1, 9, -1);
	begin_block(k);
	add_memory(k, TRACE_STORE, TRACE_GLOBAL, -1, 12, 0, 2);
	add(k, TRACE_EXIT, -1, -1, -1);
}

static void tiled_warp(struct trace_writer *w, uint32_t warp, struct matmul_shape shape, uint32_t tile, uint32_t x,
		       uint32_t y)
{
	uint32_t tx[LANES], ty[LANES], rows[LANES], columns[LANES], a_columns[LANES], b_rows[LANES], step[LANES];

	for (uint32_t lane = 0; lane < LANES; lane++) {
		tx[lane] = (warp * LANES + lane) % tile;
		ty[lane] = (warp * LANES + lane) / tile;
		rows[lane] = y * tile + ty[lane];
		columns[lane] = x * tile + tx[lane];
	}
	trace_block(w, warp, 0, UINT32_MAX);
	for (uint32_t first = 0; first < shape.inner; first += tile) {
		for (uint32_t lane = 0; lane < LANES; lane++) {
			a_columns[lane] = first + tx[lane];
			b_rows[lane] = first + ty[lane];
		}
		trace_block(w, warp, 1, UINT32_MAX);
		access_rows(w, warp, TRACE_GLOBAL, base_a, rows, a_columns, shape.inner);
		access_rows(w, warp, TRACE_GLOBAL, base_b, b_rows, columns, shape.columns);
		access_rows(w, warp, TRACE_SHARED, 0, ty, tx, tile);
		access_rows(w, warp, TRACE_SHARED, FLOAT * tile * tile, ty, tx, tile);
		for (uint32_t i = 0; i < tile; i++) {
			fill(step, i);
			access_rows(w, warp, TRACE_SHARED, 0, ty, step, tile);
			access_rows(w, warp, TRACE_SHARED, FLOAT * tile * tile, step, tx, tile);
		}
	}
	trace_block(w, warp, 2, UINT32_MAX);
	access_rows(w, warp, TRACE_GLOBAL, base_c, rows, columns, shape.columns);
}

void write_matmul_tiled(struct trace_writer *w, struct matmul_shape shape, uint32_t tile)
{
	struct kernel_text k = {.ninsts = 0};
	uint32_t warps = tile * tile / LANES;

	tiled_text(&k, tile);
	begin_launch(w, &k, "matmul_tiled", shape.columns / tile, shape.rows / tile, tile, tile,
		     2 * FLOAT * tile * tile);
	for (uint32_t y = 0; y < shape.rows / tile; y++)
		for (uint32_t x = 0; x < shape.columns / tile; x++) {
			trace_begin_cta(w, x, y, 0, warps);
			for (uint32_t warp = 0; warp < warps; warp++)
				tiled_warp(w, warp, shape, tile, x, y);
			trace_end_cta(w);
		}
	trace_end_launch(w);
}

/* --- Fully connected layer --- */

enum { LAYER_WARPS = 8 };

void write_neural_layer(struct trace_writer *w, uint32_t batch, uint32_t inputs, uint32_t outputs)
{
	struct kernel_text k = {.ninsts = 0};
	uint32_t element[LANES], step[LANES], columns[LANES];

	naive_text(&k);
	begin_launch(w, &k, "neural_layer", batch, 1, LAYER_WARPS * LANES, 1, 0);
	for (uint32_t b = 0; b < batch; b++) {
		trace_begin_cta(w, b, 0, 0, LAYER_WARPS);
		fill(element, b);
		for (uint32_t warp = 0; warp < LAYER_WARPS; warp++)
			for (uint32_t first = warp * LANES; first < outputs; first += LAYER_WARPS * LANES) {
				for (uint32_t lane = 0; lane < LANES; lane++)
					columns[lane] = first + lane;
				trace_block(w, warp, 0, UINT32_MAX);
				for (uint32_t i = 0; i < inputs; i += UNROLL) {
					trace_block(w, warp, 1, UINT32_MAX);
					for (uint32_t u = 0; u < UNROLL; u++) {
						fill(step, i + u);
						access_rows(w, warp, TRACE_GLOBAL, base_a, element, step, inputs);
						access_rows(w, warp, TRACE_GLOBAL, base_b, step, columns, outputs);
					}
				}
				trace_block(w, warp, 2, UINT32_MAX);
				access_rows(w, warp, TRACE_GLOBAL, base_c, element, columns, outputs);
			}
		trace_end_cta(w);
	}
	trace_end_launch(w);
}

/* --- Vector addition --- */

void write_vector_add(struct trace_writer *w, uint32_t ctas)
{
	struct kernel_text k = {.ninsts = 0};
	uint32_t rows[LANES], columns[LANES];

	begin_block(&k);
	add(&k, TRACE_INT, 0, -1, -1);
	add_memory(&k, TRACE_LOAD, TRACE_GLOBAL, 1, 0, -1, 0);
	add_memory(&k, TRACE_LOAD, TRACE_GLOBAL, 2, 0, -1, 1);
	add(&k, TRACE_FP32, 3, 1, 2);
	add_memory(&k, TRACE_STORE, TRACE_GLOBAL, -1, 3, 0, 2);
	add(&k, TRACE_EXIT, -1, -1, -1);
	begin_launch(w, &k, "vector_add", ctas, 1, LAYER_WARPS * LANES, 1, 0);
	for (uint32_t cta = 0; cta < ctas; cta++) {
		trace_begin_cta(w, cta, 0, 0, LAYER_WARPS);
		for (uint32_t warp = 0; warp < LAYER_WARPS; warp++) {
			fill(rows, cta * LAYER_WARPS + warp);
			for (uint32_t lane = 0; lane < LANES; lane++)
				columns[lane] = lane;
			trace_block(w, warp, 0, UINT32_MAX);
			access_rows(w, warp, TRACE_GLOBAL, base_a, rows, columns, LANES);
			access_rows(w, warp, TRACE_GLOBAL, base_b, rows, columns, LANES);
			access_rows(w, warp, TRACE_GLOBAL, base_c, rows, columns, LANES);
		}
		trace_end_cta(w);
	}
	trace_end_launch(w);
}
