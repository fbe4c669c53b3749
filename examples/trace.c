/*
 * Writes a trace of a kernel that adds two arrays, and reads it again.
 *
 *   cc trace.c $(pkg-config --cflags --libs romark) -o trace
 *   ./trace add.romtrace && romark info add.romtrace && romark sim add.romtrace
 */
#include <romark/romark.h>
#include <stdio.h>
#include <stdlib.h>

enum { CTAS = 64, WARPS = 4, LANES = 32, A = 0x10000000, B = 0x20000000, C = 0x30000000 };

static struct romark_error error;

static void check(bool good)
{
	if (good)
		return;
	fprintf(stderr, "trace: %s%s%s\n", error.file, error.file[0] ? ": " : "", error.message);
	exit(1);
}

/* r0 = a[i]; r1 = b[i]; r2 = r0 + r1; c[i] = r2; exit */
#define NONE ROMARK_NO_REGISTER
static const struct romark_instruction instructions[] = {
    {ROMARK_LOAD_OP, ROMARK_GLOBAL, 4, true, 0, {NONE, NONE, NONE}, 0, 1},
    {ROMARK_LOAD_OP, ROMARK_GLOBAL, 4, true, 1, {NONE, NONE, NONE}, 1, 1},
    {ROMARK_FP32_OP, ROMARK_NO_SPACE, 0, false, 2, {0, 1, NONE}, ROMARK_NO_STRUCTURE, 1},
    {ROMARK_STORE_OP, ROMARK_GLOBAL, 4, false, NONE, {2, NONE, NONE}, 2, 1},
    {ROMARK_EXIT_OP, ROMARK_NO_SPACE, 0, false, NONE, {NONE, NONE, NONE}, ROMARK_NO_STRUCTURE, 1},
};

static void write_warp(struct romark_trace_writer *w, uint32_t cta, uint32_t warp)
{
	static const uint64_t arrays[] = {A, B, C};
	uint64_t addresses[LANES];

	check(romark_trace_block(w, warp, 0, UINT32_MAX, &error) == 0);
	for (unsigned array = 0; array < 3; array++) {
		for (uint32_t lane = 0; lane < LANES; lane++)
			addresses[lane] = arrays[array] + 4 * ((cta * WARPS + warp) * LANES + lane);
		check(romark_trace_access(w, warp, UINT32_MAX, addresses, &error) == 0);
	}
}

static void write_trace(const char *path)
{
	static const char *const ids[] = {"a", "b", "c"};
	const struct romark_launch_structure structures[] = {
	    {"a", "read-only", A, true}, {"b", "read-only", B, true}, {"c", "write-only", C, false}};
	const uint32_t grid[] = {CTAS, 1, 1}, block[] = {WARPS * LANES, 1, 1};
	struct romark_kernel add = ROMARK_INIT(struct romark_kernel);
	struct romark_trace_writer *w = romark_trace_create(path, &error);
	int kernel;

	check(w);
	add.name = "add";
	add.instructions = instructions;
	add.ninstructions = sizeof instructions / sizeof *instructions;
	add.structures = ids;
	add.nstructures = 3;
	kernel = romark_trace_add_kernel(w, &add, &error);
	check(kernel >= 0 && romark_trace_begin_launch(w, kernel, grid, block, structures, &error) == 0);
	for (uint32_t cta = 0; cta < CTAS; cta++) {
		check(romark_trace_begin_cta(w, cta, 0, 0, &error) == 0);
		for (uint32_t warp = 0; warp < WARPS; warp++)
			write_warp(w, cta, warp);
		check(romark_trace_end_cta(w, &error) == 0);
	}
	check(romark_trace_end_launch(w, &error) == 0);
	check(romark_trace_finish(w, &error) == 0);
}

static void read_trace(const char *path)
{
	struct romark_trace *t = romark_trace_open(path, &error);
	const struct romark_launch *launch;
	struct romark_trace_access accesses[100];
	ptrdiff_t n;
	int more;

	check(t);
	while ((more = romark_trace_next_launch(t, &launch, &error)) > 0) {
		size_t loads = 0, marked = 0, all = 0;

		while ((n = romark_trace_read(t, accesses, 100, &error)) > 0)
			for (ptrdiff_t i = 0; i < n; i++) {
				all++;
				loads += accesses[i].op == ROMARK_LOAD_OP;
				marked += accesses[i].read_only;
			}
		check(n == 0);
		printf("%s<<<%u, %u>>>: %zu accesses, %zu loads, %zu of them marked\n", launch->kernel, launch->grid[0],
		       launch->block[0], all, loads, marked);
	}
	check(more == 0);
	romark_trace_close(t);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return fprintf(stderr, "usage: %s FILE.romtrace\n", argv[0]), 2;
	write_trace(argv[1]);
	read_trace(argv[1]);
	return 0;
}
