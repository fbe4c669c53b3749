/* Speed of the import of Accel-Sim's text: a made-up kernel, plain and packed with gzip, or the list that is named. */
#include "common/progress.h"
#include "trace/import/accelsim.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WARPS = 8, LOOPS = 40, RUNS = 5, PER_LOOP = 9 };

static const char text[] = "bench-import/kernel-1.traceg", list[] = "bench-import/kernelslist.g";

/* A row of a tile, as the tracer writes it: a base and the distance of each lane to the one before. */
static void write_row(FILE *out, const char *head, unsigned long base, int step)
{
	fprintf(out, "%s 2 0x%lx", head, base);
	for (int lane = 1; lane < TRACE_WARP_LANES; lane++)
		fprintf(out, " %d", lane == TRACE_WARP_LANES / 2 ? step : 4);
	fputs(" 0 \n", out);
}

static void write_warp(FILE *out, unsigned warp)
{
	fprintf(out, "\nwarp = %u\ninsts = %d\n", warp, LOOPS * PER_LOOP + 1);
	for (unsigned i = 0; i < LOOPS; i++) {
		write_row(out, "0000 ffffffff 1 R4 LDG.E.SYS 1 R2 4", 0x7f0000000000 + i * 4096 + warp * 64, 196);
		fprintf(out, "0010 ffffffff 1 R5 LDS.U 1 R3 4 1 0x%x 4 0 \n", i * 128);
		for (unsigned k = 0; k < 6; k++)
			fprintf(out, "%04x ffffffff 1 R%u FFMA 3 R4 R5 R%u 0 0 \n", 32 + k * 16, 8 + k, 8 + k);
		fputs("0080 ffffffff 0 BRA 0 0 0 \n", out);
	}
	fputs("0090 ffffffff 0 EXIT 0 0 0 \n", out);
}

static uint64_t write_kernel(unsigned ctas)
{
	FILE *out;

	mkdir("bench-import", 0777);
	out = fopen(text, "w");
	if (!out)
		return 0;
	fprintf(out,
		"-kernel name = bench\n-grid dim = (%u,1,1)\n-block dim = (%d,1,1)\n-accelsim tracer version = 5\n",
		ctas, WARPS * TRACE_WARP_LANES);
	for (unsigned cta = 0; cta < ctas; cta++) {
		fprintf(out, "\n#BEGIN_TB\n\nthread block = %u,0,0\n", cta);
		for (unsigned warp = 0; warp < WARPS; warp++)
			write_warp(out, warp);
		fputs("\n#END_TB\n", out);
	}
	fclose(out);
	out = fopen(list, "w");
	fputs("kernel-1.traceg\n", out);
	fclose(out);
	return (uint64_t)ctas * WARPS * (LOOPS * PER_LOOP + 1);
}

/* Seconds of the fastest of some runs; below 0 = it failed. */
static double import(const char *name)
{
	double best = 0;

	for (unsigned run = 0; run < RUNS; run++) {
		struct diag d = DIAG_INIT;
		double start = monotonic_seconds(), took;
		struct trace_writer *w = trace_create("bench-import.romtrace", &d);

		if (!w || accelsim_import(name, w, NULL, &d) < 0 || trace_finish(w, &d) < 0) {
			diag_print(&d, stderr);
			return -1;
		}
		took = monotonic_seconds() - start;
		best = run == 0 || took < best ? took : best;
	}
	unlink("bench-import.romtrace");
	return best;
}

static int show(const char *what, const char *name, uint64_t count, double bytes)
{
	double seconds = import(name);

	if (seconds < 0)
		return 1;
	printf("%-6s %8.3f s", what, seconds);
	if (count)
		printf(" %8.1f M warp instructions/s %8.1f MB of text/s", (double)count / seconds * 1e-6,
		       bytes / seconds * 1e-6);
	putchar('\n');
	return 0;
}

int main(int argc, char **argv)
{
	struct stat file;
	uint64_t count;
	int bad;

	if (argc > 1)
		return show("list", argv[1], 0, 0);
	count = write_kernel(500);
	if (!count || stat(text, &file) != 0) {
		fprintf(stderr, "usage: bench_import [kernelslist.g]; without a list it writes bench-import/ here\n");
		return 1;
	}
	bad = show("plain", list, count, (double)file.st_size);
	if (system("gzip -kf bench-import/kernel-1.traceg && rm bench-import/kernel-1.traceg") == 0)
		bad |= show("gzip", list, count, (double)file.st_size);
	return bad;
}
