/* The naive kernel as a compiler lays it out: entry block, loop block of four steps, store block. */
#include "tests/trace/matmul.h"

enum {
	UNROLL = 4,
	TILE = 16,
	ENTRY_INSTS = 12,
	LOOP_INSTS = 3 * UNROLL + 4,
	EXIT_INSTS = 3,
	NINSTS = ENTRY_INSTS + LOOP_INSTS + EXIT_INSTS
};

static const uint64_t a = 0x700000000, b = 0x710000000, c = 0x720000000;

static void make_table(struct trace_inst *insts)
{
	for (unsigned i = 0; i < NINSTS; i++)
		insts[i] = (struct trace_inst){.cls = TRACE_INT,
					       .ndst = 1,
					       .nsrc = 2,
					       .dst = {(uint16_t)i},
					       .src = {0, 1},
					       .structure = TRACE_NO_STRUCTURE,
					       .ptx_line = 20 + i};
	for (unsigned i = 0; i < UNROLL; i++) {
		struct trace_inst *step = &insts[ENTRY_INSTS + 3 * i];

		for (unsigned j = 0; j < 2; j++) {
			step[j].cls = TRACE_LOAD;
			step[j].space = TRACE_GLOBAL;
			step[j].flags = TRACE_HAS_ACCESS | TRACE_READ_ONLY;
			step[j].access_bytes = 4;
			step[j].structure = (uint16_t)j;
		}
		step[2].cls = TRACE_FP32;
	}
	insts[NINSTS - 2] = (struct trace_inst){.cls = TRACE_STORE,
						.space = TRACE_GLOBAL,
						.flags = TRACE_HAS_ACCESS,
						.access_bytes = 4,
						.nsrc = 2,
						.src = {3, 4},
						.structure = 2};
}

/* Lanes of warp `warp` are two rows of 16 columns of the CTA's tile of c. */
static void write_warp(struct trace_writer *w, uint32_t warp, uint32_t tile_row, uint32_t tile_column, uint32_t n)
{
	uint64_t row[TRACE_WARP_LANES], column[TRACE_WARP_LANES], address[TRACE_WARP_LANES];

	for (uint32_t lane = 0; lane < TRACE_WARP_LANES; lane++) {
		row[lane] = tile_row * TILE + warp * 2 + lane / TILE;
		column[lane] = tile_column * TILE + lane % TILE;
	}
	trace_block(w, warp, 0, UINT32_MAX);
	for (uint32_t k = 0; k < n; k++) {
		if (k % UNROLL == 0)
			trace_block(w, warp, 1, UINT32_MAX);
		for (uint32_t lane = 0; lane < TRACE_WARP_LANES; lane++)
			address[lane] = a + 4 * (row[lane] * n + k);
		trace_access(w, warp, TRACE_GLOBAL, UINT32_MAX, address);
		for (uint32_t lane = 0; lane < TRACE_WARP_LANES; lane++)
			address[lane] = b + 4 * ((uint64_t)k * n + column[lane]);
		trace_access(w, warp, TRACE_GLOBAL, UINT32_MAX, address);
	}
	trace_block(w, warp, 2, UINT32_MAX);
	for (uint32_t lane = 0; lane < TRACE_WARP_LANES; lane++)
		address[lane] = c + 4 * (row[lane] * n + column[lane]);
	trace_access(w, warp, TRACE_GLOBAL, UINT32_MAX, address);
}

uint64_t matmul_write_as(struct trace_writer *w, uint32_t n, bool marked)
{
	static const struct trace_block blocks[] = {
	    {0, ENTRY_INSTS}, {ENTRY_INSTS, LOOP_INSTS}, {ENTRY_INSTS + LOOP_INSTS, EXIT_INSTS}};
	static const char *const names[] = {"p0", "p1", "p2"};
	const uint64_t bytes = 4ull * n * n;
	const struct trace_allocation allocations[] = {{a, bytes, "a"}, {b, bytes, "b"}, {c, bytes, "c"}};
	const struct trace_structure structures[] = {
	    {a, 0, TRACE_IS_READ_ONLY, true}, {b, 1, TRACE_IS_READ_ONLY, true}, {c, 2, TRACE_IS_WRITE_ONLY, false}};
	struct trace_inst insts[NINSTS];
	struct trace_kernel kernel = {.name = "matmul",
				      .module = "matmul.cu",
				      .insts = insts,
				      .ninsts = NINSTS,
				      .blocks = blocks,
				      .nblocks = 3,
				      .structures = names,
				      .nstructures = 3,
				      .registers_per_thread = 32,
				      .nregisters = NINSTS};
	struct trace_launch launch = {.grid = {n / TILE, n / TILE, 1},
				      .block = {TILE, TILE, 1},
				      .allocations = allocations,
				      .nallocations = 3,
				      .structures = structures,
				      .marks_in_force = true};
	const uint32_t nwarps = TILE * TILE / TRACE_WARP_LANES;

	make_table(insts);
	for (unsigned i = 0; i < NINSTS && !marked; i++)
		insts[i].flags &= (uint8_t)~TRACE_READ_ONLY;
	launch.kernel = trace_add_kernel(w, &kernel);
	trace_begin_launch(w, &launch);
	for (uint32_t y = 0; y < n / TILE; y++)
		for (uint32_t x = 0; x < n / TILE; x++) {
			trace_begin_cta(w, x, y, 0, nwarps);
			for (uint32_t warp = 0; warp < nwarps; warp++)
				write_warp(w, warp, y, x, n);
			trace_end_cta(w);
		}
	trace_end_launch(w);
	return (uint64_t)(n / TILE) * (n / TILE) * nwarps * (ENTRY_INSTS + n / UNROLL * LOOP_INSTS + EXIT_INSTS);
}

uint64_t matmul_write(struct trace_writer *w, uint32_t n)
{
	return matmul_write_as(w, n, true);
}
