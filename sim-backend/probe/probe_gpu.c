/* A benchmark writes a trace of up to three launches, `warm`, `short` and `long`, into memory, and simulates it. */
#include "sim-backend/probe/probe_gpu.h"

#include "common/integer.h"
#include "sim-backend/base/random.h"
#include "sim-backend/run/sim.h"
#include "trace/trace.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	LINE = 128,
	WORD = 8,   /* bytes of a lane's element: a double */
	UNROLL = 8, /* loads of a loop's body in the bandwidth benchmarks */
	BIG_CTA_WARPS = 32,
	CHASE_LOADS = 2048,        /* of the measured part where the set is larger */
	CHASE_SMALL = 4096,        /* lines up to which one warp warms its set by itself */
	STREAM_ELEMENTS = 1 << 19, /* of each array in the short run */
	STREAM_MORE = 1 << 20,     /* in the long run */
	STREAM_WARM = 1 << 25,     /* from there on what is stored first */
	KEPT_NOTHING = 4,          /* of a buffer that is so many times larger than the LLC */
	PIECE = 128,               /* rows of 8 KB */
};

static const uint64_t BASE = UINT64_C(1) << 32, ARRAY = UINT64_C(1) << 31;

struct run_of {
	const struct sim_config *config;
	struct trace_writer *w;
	uint32_t kernels[3]; /* warm, short, long */
};

static const char *const kernel_names[] = {"warm", "short", "long"};

/* --- Kernels --- */

static struct trace_inst inst(enum trace_class cls, int dst, int src, int more)
{
	struct trace_inst made = {.cls = (uint8_t)cls, .structure = TRACE_NO_STRUCTURE, .barrier = TRACE_ANY_BARRIER};

	if (dst >= 0)
		made.dst[made.ndst++] = (uint16_t)dst;
	if (src >= 0)
		made.src[made.nsrc++] = (uint16_t)src;
	if (more >= 0)
		made.src[made.nsrc++] = (uint16_t)more;
	return made;
}

static struct trace_inst memory(enum trace_class cls, unsigned bytes, int dst, int src)
{
	struct trace_inst made = inst(cls, dst, src, -1);

	made.space = TRACE_GLOBAL;
	made.access_bytes = (uint8_t)bytes;
	made.flags = TRACE_HAS_ACCESS;
	return made;
}

/* A kernel of two blocks: the loop's body, and the end. The same code under the three names. */
static void add_kernels(struct run_of *r, const struct trace_inst *body, uint32_t count)
{
	struct trace_inst insts[3 * UNROLL + 8];
	const struct trace_block blocks[] = {{0, count}, {count, 1}};

	memcpy(insts, body, count * sizeof *body);
	insts[count] = inst(TRACE_EXIT, -1, -1, -1);
	for (unsigned i = 0; i < 3; i++)
		r->kernels[i] = trace_add_kernel(r->w, &(struct trace_kernel){.name = kernel_names[i],
									      .module = "probe",
									      .insts = insts,
									      .ninsts = count + 1,
									      .blocks = blocks,
									      .nblocks = 2,
									      .registers_per_thread = 32,
									      .nregisters = 64});
}

enum { BODY, END };

static void begin_launch(struct run_of *r, unsigned which, uint32_t ctas, uint32_t threads)
{
	trace_begin_launch(r->w, &(struct trace_launch){.kernel = r->kernels[which],
							.grid = {ctas, 1, 1},
							.block = {threads, 1, 1},
							.marks = TRACE_MARKS_OWN});
}

/* Lane l at base + l * bytes. */
static void access_row(struct run_of *r, uint32_t warp, uint64_t base, unsigned bytes)
{
	uint64_t addresses[TRACE_WARP_LANES];

	for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
		addresses[lane] = base + (uint64_t)lane * bytes;
	trace_access(r->w, warp, TRACE_GLOBAL, UINT32_MAX, addresses);
}

/* --- Pointer chase --- */

static uint32_t *random_order(uint32_t count)
{
	uint32_t *order = xcalloc(count, sizeof *order);
	uint64_t random = 1;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t other = (uint32_t)(random_next(&random) % (i + 1));

		order[i] = order[other];
		order[other] = i;
	}
	return order;
}

/* `loads` lines of the order, from the `from`-th on. */
static void chase(struct run_of *r, unsigned which, const uint32_t *order, uint32_t lines, uint64_t from,
		  uint64_t loads)
{
	begin_launch(r, which, 1, 1);
	trace_begin_cta(r->w, 0, 0, 0, 1);
	for (uint64_t i = 0; i < loads; i++) {
		uint64_t address[TRACE_WARP_LANES] = {BASE + (uint64_t)order[(from + i) % lines] * LINE};

		trace_block(r->w, 0, BODY, 1);
		trace_access(r->w, 0, TRACE_GLOBAL, 1, address);
	}
	trace_block(r->w, 0, END, 1);
	trace_end_cta(r->w);
	trace_end_launch(r->w);
}

/* All lines about in their order, by one CTA: what the LLC keeps then are the last, as after a chase. */
static void touch_all(struct run_of *r, const uint32_t *order, uint32_t lines)
{
	const uint32_t at_once = BIG_CTA_WARPS * TRACE_WARP_LANES;
	uint64_t addresses[TRACE_WARP_LANES];

	begin_launch(r, 0, 1, at_once);
	trace_begin_cta(r->w, 0, 0, 0, BIG_CTA_WARPS);
	for (uint32_t warp = 0; warp < BIG_CTA_WARPS; warp++) {
		for (uint64_t first = (uint64_t)warp * TRACE_WARP_LANES; first < lines; first += at_once) {
			for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
				addresses[lane] = BASE + (uint64_t)order[(first + lane) % lines] * LINE;
			trace_block(r->w, warp, BODY, UINT32_MAX);
			trace_access(r->w, warp, TRACE_GLOBAL, UINT32_MAX, addresses);
		}
		trace_block(r->w, warp, END, UINT32_MAX);
	}
	trace_end_cta(r->w);
	trace_end_launch(r->w);
}

/* The LLC is warm then. The L1 forgets at a kernel's end, so that a small set's first pass warms it. */
static uint64_t write_chase(struct run_of *r, struct bench_point p)
{
	const struct trace_inst body = memory(TRACE_LOAD, WORD, 1, 1);
	uint32_t lines = (uint32_t)fmax(1, p.x / LINE);
	uint32_t *order = random_order(lines);
	uint64_t first, more;

	add_kernels(r, &body, 1);
	touch_all(r, order, lines);
	first = lines <= CHASE_SMALL ? lines : CHASE_LOADS;
	more = lines <= CHASE_LOADS ? divide_up(CHASE_LOADS, lines) * lines : first;
	chase(r, 1, order, lines, 0, first);
	chase(r, 2, order, lines, first, first + more);
	xfree(order);
	return more;
}

/* --- Read bandwidth --- */

/* One CTA of 1,024 threads a SM, and the buffer, which it reads from its own place on or from the begin. */
struct reading {
	uint64_t bytes;
	bool apart;
};

static void read_cta(struct run_of *r, const struct reading *b, uint32_t cta, uint64_t rows)
{
	const uint64_t row = (uint64_t)TRACE_WARP_LANES * WORD, step = row * BIG_CTA_WARPS;
	const uint64_t start = b->apart ? cta * (b->bytes / r->config->gpu.sms) / step * step : 0;

	trace_begin_cta(r->w, cta, 0, 0, BIG_CTA_WARPS);
	for (uint32_t warp = 0; warp < BIG_CTA_WARPS; warp++) {
		for (uint64_t i = 0; i < rows; i += UNROLL) {
			trace_block(r->w, warp, BODY, UINT32_MAX);
			for (uint64_t u = i; u < i + UNROLL; u++)
				access_row(r, warp, BASE + (start + u * step + warp * row) % b->bytes, WORD);
		}
		trace_block(r->w, warp, END, UINT32_MAX);
	}
	trace_end_cta(r->w);
}

static void read_launch(struct run_of *r, unsigned which, const struct reading *b, uint64_t rows)
{
	begin_launch(r, which, r->config->gpu.sms, BIG_CTA_WARPS * TRACE_WARP_LANES);
	for (uint32_t cta = 0; cta < r->config->gpu.sms; cta++)
		read_cta(r, b, cta, rows);
	trace_end_launch(r->w);
}

/* The bytes that the long run reads more. */
static uint64_t write_read(struct run_of *r, struct bench_point p, bool apart)
{
	const uint64_t step = (uint64_t)TRACE_WARP_LANES * WORD * BIG_CTA_WARPS;
	const uint64_t llc = (uint64_t)r->config->memory.llc.kilobytes << 10;
	struct reading b = {(uint64_t)fmax(1, p.x / (double)step) * step, apart};
	uint64_t pass, most, more;
	struct trace_inst body[3 * UNROLL + 2];
	uint32_t count = 0;

	for (int i = 0; i < UNROLL; i++)
		body[count++] = memory(TRACE_LOAD, WORD, 8 + i, 1);
	for (int i = 0; i < UNROLL; i++)
		body[count++] = inst(TRACE_FP32, 32 + i, 8 + i, -1);
	body[count++] = inst(TRACE_INT, 1, 1, -1);
	body[count++] = inst(TRACE_BRANCH, -1, -1, -1);
	add_kernels(r, body, count);
	/* Each SM reads a share, and the LLC is warm. A piece that no L1 holds stands for a larger buffer. */
	pass = divide_up(b.bytes / step, r->config->gpu.sms);
	most = KEPT_NOTHING * llc / step / r->config->gpu.sms;
	read_launch(r, 0, &(struct reading){b.bytes, true}, divide_up(pass < most ? pass : most, UNROLL) * UNROLL);
	pass = b.bytes / step < PIECE ? divide_up(b.bytes / step, UNROLL) * UNROLL : PIECE;
	more = PIECE / pass * pass;
	read_launch(r, 1, &b, pass + more);
	read_launch(r, 2, &b, pass + 2 * more);
	return more * step * r->config->gpu.sms;
}

/* --- Streams --- */

struct stream_kind {
	unsigned loads, stores;
};

/* A thread for each element, from element `first` on, in CTAs of so many warps. */
static void stream_launch(struct run_of *r, unsigned which, const struct stream_kind *kind, uint32_t warps,
			  uint64_t first, uint64_t elements)
{
	const uint64_t row = TRACE_WARP_LANES;
	const uint32_t ctas = (uint32_t)divide_up(elements, warps * row);

	begin_launch(r, which, ctas, warps * TRACE_WARP_LANES);
	for (uint32_t cta = 0; cta < ctas; cta++) {
		trace_begin_cta(r->w, cta, 0, 0, warps);
		for (uint32_t warp = 0; warp < warps; warp++) {
			const uint64_t at = first + ((uint64_t)cta * warps + warp) * row;

			trace_block(r->w, warp, BODY, UINT32_MAX);
			for (unsigned i = 0; i < kind->loads + kind->stores; i++)
				access_row(r, warp, BASE + i * ARRAY + at * WORD, WORD);
			trace_block(r->w, warp, END, UINT32_MAX);
		}
		trace_end_cta(r->w);
	}
	trace_end_launch(r->w);
}

/* The index and its bound; the loads; the arithmetic; the stores. */
static uint64_t write_stream(struct run_of *r, struct bench_point p, struct stream_kind kind)
{
	uint32_t warps = (uint32_t)fmax(1, p.x / TRACE_WARP_LANES / r->config->gpu.sms), count = 0;
	const uint64_t llc = (uint64_t)r->config->memory.llc.kilobytes << 10;
	struct trace_inst body[12];

	body[count++] = inst(TRACE_INT, 1, 2, 3);
	body[count++] = inst(TRACE_INT, 4, 1, -1);
	body[count++] = inst(TRACE_BRANCH, -1, 4, -1);
	for (unsigned i = 0; i < kind.loads; i++)
		body[count++] = memory(TRACE_LOAD, WORD, 8 + (int)i, 1);
	body[count++] = inst(TRACE_FP64, 16, kind.loads ? 8 : -1, kind.loads > 1 ? 9 : -1);
	for (unsigned i = 0; i < kind.stores; i++)
		body[count++] = memory(TRACE_STORE, WORD, -1, 16);
	body[count++] = inst(TRACE_BRANCH, -1, 16, -1);
	add_kernels(r, body, count);
	warps = warps > BIG_CTA_WARPS ? BIG_CTA_WARPS : warps;
	/* Stores make the LLC write back from the begin on when it is full of what was stored before. */
	if (kind.stores)
		stream_launch(r, 0, &kind, BIG_CTA_WARPS, STREAM_WARM, llc / WORD);
	stream_launch(r, 1, &kind, warps, 0, STREAM_ELEMENTS);
	stream_launch(r, 2, &kind, warps, STREAM_ELEMENTS, STREAM_ELEMENTS + STREAM_MORE);
	return (uint64_t)STREAM_MORE * WORD * (kind.loads + kind.stores);
}

/* --- Empty kernels, chains --- */

static uint64_t write_empty(struct run_of *r, struct bench_point p)
{
	const struct trace_inst body = inst(TRACE_INT, 1, 1, -1);
	uint32_t threads = (uint32_t)fmin(fmax(p.y, 1), BIG_CTA_WARPS * TRACE_WARP_LANES);
	uint32_t warps = (uint32_t)divide_up(threads, TRACE_WARP_LANES), ctas = (uint32_t)fmax(p.x, 1);

	add_kernels(r, &body, 1);
	begin_launch(r, 2, ctas, threads);
	for (uint32_t cta = 0; cta < ctas; cta++) {
		trace_begin_cta(r->w, cta, 0, 0, warps);
		for (uint32_t warp = 0; warp < warps; warp++)
			trace_block(r->w, warp, END, UINT32_MAX);
		trace_end_cta(r->w);
	}
	trace_end_launch(r->w);
	return 1;
}

static void ffma_launch(struct run_of *r, unsigned which, uint64_t count)
{
	begin_launch(r, which, 1, TRACE_WARP_LANES);
	trace_begin_cta(r->w, 0, 0, 0, 1);
	while (count-- > 0)
		trace_block(r->w, 0, BODY, UINT32_MAX);
	trace_block(r->w, 0, END, UINT32_MAX);
	trace_end_cta(r->w);
	trace_end_launch(r->w);
}

static uint64_t write_ffma(struct run_of *r, struct bench_point p)
{
	const struct trace_inst body = inst(TRACE_FP32, 1, 1, -1);
	uint64_t count = (uint64_t)fmin(fmax(p.x, 1), 1e6);

	add_kernels(r, &body, 1);
	ffma_launch(r, 1, count);
	ffma_launch(r, 2, 2 * count);
	return count;
}

/* --- The table --- */

static uint64_t write_bench(struct run_of *r, enum bench bench, struct bench_point p)
{
	switch (bench) {
	case BENCH_CHASE: return write_chase(r, p);
	case BENCH_READ_SAME: return write_read(r, p, false);
	case BENCH_READ_SHARED: return write_read(r, p, true);
	case BENCH_STREAM_INIT: return write_stream(r, p, (struct stream_kind){0, 1});
	case BENCH_STREAM_READ: return write_stream(r, p, (struct stream_kind){1, 0});
	case BENCH_STREAM_SCALE: return write_stream(r, p, (struct stream_kind){1, 1});
	case BENCH_STREAM_TRIAD: return write_stream(r, p, (struct stream_kind){2, 1});
	case BENCH_EMPTY: return write_empty(r, p);
	case BENCH_FFMA: return write_ffma(r, p);
	case BENCH_COUNT: break;
	}
	BUG("no such benchmark");
}

/* CTAs of an SM at a time, where the benchmark says so. */
enum { STREAM_CTAS = 2 };

static bool is_stream(enum bench bench)
{
	return bench == BENCH_STREAM_INIT || bench == BENCH_STREAM_READ || bench == BENCH_STREAM_SCALE ||
	       bench == BENCH_STREAM_TRIAD;
}

#define KB 1024.0
static const struct bench_point sizes[] = {{1 * KB, 0},      {16 * KB, 0},   {64 * KB, 0},    {256 * KB, 0},
					   {1024 * KB, 0},   {4096 * KB, 0}, {16384 * KB, 0}, {65536 * KB, 0},
					   {131072 * KB, 0}, {0, 0}};
static const struct bench_point own_sizes[] = {{16 * KB, 0}, {64 * KB, 0}, {512 * KB, 0}, {2048 * KB, 0}, {0, 0}};
static const struct bench_point shared_sizes[] = {{1024 * KB, 0}, {4096 * KB, 0}, {65536 * KB, 0}, {0, 0}};
static const struct bench_point threads[] = {{2560, 0}, {10240, 0}, {40960, 0}, {81920, 0}, {0, 0}};
static const struct bench_point grids[] = {{1, 32}, {80, 256}, {1024, 32}, {1024, 1024}, {16384, 256}, {0, 0}};
static const struct bench_point chains[] = {{1000, 0}, {0, 0}};

const struct bench_info bench_infos[BENCH_COUNT] = {
    [BENCH_CHASE] = {"pointer-chase latency", "cycles", "kB", true, sizes},
    [BENCH_READ_SAME] = {"read bandwidth per-SM buffer (L1/L2/DRAM)", "GB/s", "kB per SM", false, own_sizes},
    [BENCH_READ_SHARED] = {"read bandwidth shared buffer (L2)", "GB/s", "kB", false, shared_sizes},
    [BENCH_STREAM_INIT] = {"stream init", "GB/s", "threads", false, threads},
    [BENCH_STREAM_READ] = {"stream read", "GB/s", "threads", false, threads},
    [BENCH_STREAM_SCALE] = {"stream scale", "GB/s", "threads", false, threads},
    [BENCH_STREAM_TRIAD] = {"stream triad", "GB/s", "threads", false, threads},
    [BENCH_EMPTY] = {"empty kernel", "cycles", "blocks, threads", true, grids},
    [BENCH_FFMA] = {"FFMA chain", "cycles", "operations", true, chains},
};

/* --- Running --- */

/* Writes the trace into memory; the descriptor, or -1. */
static int write_trace(struct run_of *r, enum bench bench, struct bench_point p, uint64_t *work, struct diag *d)
{
	int fd = memfd_create("probe", MFD_CLOEXEC), copy = fd < 0 ? -1 : dup(fd);

	r->w = copy < 0 ? NULL : trace_create_fd(copy, "probe", d);
	if (!r->w) {
		diag_file(d, "probe", "no memory for its trace: %s", strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	*work = write_bench(r, bench, p);
	if (trace_finish(r->w, d) == 0 && lseek(fd, 0, SEEK_SET) == 0)
		return fd;
	close(fd);
	return -1;
}

static uint64_t cycles_of(const struct sim_result *result, const char *kernel)
{
	struct sim_kernel row;

	for (size_t i = 0; sim_result_kernel(result, i, &row); i++)
		if (strcmp(row.name, kernel) == 0)
			return row.cycles;
	return 0;
}

static double value_of(const struct sim_config *config, enum bench bench, uint64_t cycles, uint64_t work)
{
	if (bench_infos[bench].latency)
		return (double)cycles / (double)work;
	return (double)work / (double)cycles * config->gpu.clock_mhz * 1e-3;
}

int probe_gpu(const struct sim_config *config, enum bench bench, struct bench_point point, double *value,
	      struct diag *d)
{
	struct sim_config limited = *config;
	struct run_of r = {.config = config};
	const struct sim_options options = {0};
	struct sim_result *result;
	struct trace_reader *trace;
	uint64_t work = 0;
	int fd = write_trace(&r, bench, point, &work, d), status;

	if (fd < 0)
		return DIAG_ERROR;
	trace = trace_open_fd(fd, "probe", d);
	if (!trace)
		return DIAG_ERROR;
	limited.sm.ctas = is_stream(bench) ? STREAM_CTAS : config->sm.ctas;
	status = sim_run(&limited, trace, &options, &result, d);
	trace_close(trace);
	if (status < 0)
		return status;
	*value = value_of(config, bench, cycles_of(result, "long") - cycles_of(result, "short"), work);
	sim_result_free(result);
	return 0;
}
