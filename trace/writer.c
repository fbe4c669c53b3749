/* The writer gathers finished CTAs into batches; each goes out as one chunk, so memory stays small. */
#include "common/arena.h"
#include "common/file.h"
#include "common/held.h"
#include "trace/chunk.h"
#include "trace/encode.h"
#include "trace/spool.h"
#include "trace/tables.h"
#include "trace/trace.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

/* The parts of a kernel's table that the encoder uses. */
struct kernel_shape {
	uint32_t nblocks, nstructures, ninsts;
	const uint32_t *first_access, *accesses; /* per block: ordinal of the first, and how many */
	const uint8_t *space;                    /* per memory instruction */
};

struct trace_writer {
	struct outfile file; /* `temporary` is set when it has a name */
	FILE *stream;
	struct held held;  /* the file behind it */
	bool close_stream; /* the stream is an open descriptor's */
	char *name;
	int error;   /* errno of the first failed write */
	bool lost;   /* the program has closed our descriptor, whose number may be a file of its own by now */
	bool failed; /* a launch has failed: nothing more is written */
	struct chunk_packer packer;
	struct bytes record; /* kernel, launch and end records */
	struct bytes batch;  /* encoded CTAs */
	bool holds;          /* the open launch: its CTAs go into the spool */
	struct bytes begun;  /* .. and its record, should it fail */
	struct spool spool;
	VEC(struct kernel_shape) kernels;
	struct arena arena;
	const struct kernel_shape *kernel; /* of the open launch */
	uint64_t launches, ctas;           /* CTAs: of the open launch */
	struct warp_encoder *warps;        /* grows to the largest CTA */
	uint32_t nwarps, warp_capacity;
	uint32_t launch_warps; /* that every CTA of the open launch has */
	uint32_t cta[3];
};

/*
 * A reader that goes away must not kill the traced program: SIGPIPE is held back while we write, and taken off the
 * pending signals if it was ours.
 */
struct held_sigpipe {
	sigset_t before;
	bool was_pending;
};

static void hold_sigpipe(struct held_sigpipe *held, sigset_t *pipe_only)
{
	sigset_t pending;

	sigemptyset(pipe_only);
	sigaddset(pipe_only, SIGPIPE);
	sigpending(&pending);
	held->was_pending = sigismember(&pending, SIGPIPE) != 0;
	pthread_sigmask(SIG_BLOCK, pipe_only, &held->before);
}

static void let_sigpipe_go(const struct held_sigpipe *held, const sigset_t *pipe_only)
{
	const struct timespec at_once = {0, 0};
	int error = errno;

	if (!held->was_pending)
		while (sigtimedwait(pipe_only, NULL, &at_once) < 0 && errno == EINTR)
			continue;
	pthread_sigmask(SIG_SETMASK, &held->before, NULL);
	errno = error;
}

static bool write_all(FILE *stream, const void *data, size_t size)
{
	struct held_sigpipe held;
	sigset_t pipe_only;
	bool complete;

	hold_sigpipe(&held, &pipe_only);
	errno = 0;
	complete = !size || fwrite(data, 1, size, stream) == size;
	let_sigpipe_go(&held, &pipe_only);
	return complete;
}

static bool close_all(FILE *stream)
{
	struct held_sigpipe held;
	sigset_t pipe_only;
	bool complete;

	hold_sigpipe(&held, &pipe_only);
	complete = fflush(stream) == 0;
	complete = fclose(stream) == 0 && complete;
	let_sigpipe_go(&held, &pipe_only);
	return complete;
}

/* We live in somebody else's program. */
static bool is_lost(struct trace_writer *w)
{
	w->lost = w->lost || !held_still(&w->held, fileno(w->stream));
	return w->lost;
}

static void write_bytes(struct trace_writer *w, const struct bytes *bytes)
{
	if (w->error || is_lost(w))
		return;
	if (!write_all(w->stream, bytes->data, bytes->len))
		w->error = errno ? errno : EIO;
}

/* The CTAs of a launch that is held wait in the spool. */
static void write_packed(struct trace_writer *w, enum chunk_type type)
{
	if (w->holds && type == CHUNK_CTAS)
		spool_add(&w->spool, w->packer.packed.data, w->packer.packed.len);
	else
		write_bytes(w, &w->packer.packed);
}

static void write_chunk(struct trace_writer *w, enum chunk_type type, struct bytes *content)
{
	if (content->len > TRACE_MAX_CHUNK_BYTES)
		w->error = w->error ? w->error : EFBIG;
	if (w->error || w->lost || w->failed) {
		content->len = 0;
		return;
	}
	chunk_pack(&w->packer, type, content->data, content->len);
	write_packed(w, type);
	content->len = 0;
}

static struct trace_writer *start(const char *name)
{
	struct trace_writer *w = xcalloc(1, sizeof *w);

	w->name = xstrdup(name);
	return w;
}

/*
 * No buffer: written data must be in the file at once, since a program may end without warning, or fork. Chunks are
 * large enough for this.
 */
static void write_file_header(struct trace_writer *w)
{
	setvbuf(w->stream, NULL, _IONBF, 0);
	w->held = held_note(fileno(w->stream));
	chunk_put_file_header(&w->record);
	write_bytes(w, &w->record);
	w->record.len = 0;
}

static void release(struct trace_writer *w)
{
	chunk_packer_release(&w->packer);
	vec_release(&w->record);
	vec_release(&w->batch);
	vec_release(&w->begun);
	spool_release(&w->spool);
	vec_release(&w->kernels);
	arena_release(&w->arena);
	for (uint32_t i = 0; i < w->warp_capacity; i++)
		vec_release(&w->warps[i].out);
	xfree(w->warps);
	xfree(w->name);
	xfree(w);
}

struct trace_writer *trace_create(const char *path, struct diag *d)
{
	struct trace_writer *w = start(path);

	if (outfile_open(&w->file, path, d) < 0) {
		release(w);
		return NULL;
	}
	w->stream = w->file.stream;
	write_file_header(w);
	return w;
}

struct trace_writer *trace_create_fd(int fd, const char *name, struct diag *d)
{
	struct trace_writer *w = start(name);

	w->stream = fdopen(fd, "wb");
	if (!w->stream) {
		diag_file(d, name, "cannot write: %s", strerror(errno));
		release(w);
		return NULL;
	}
	w->close_stream = true;
	write_file_header(w);
	return w;
}

static struct kernel_shape shape_of(struct trace_writer *w, const struct trace_kernel *kernel)
{
	uint32_t *accesses = arena_array(&w->arena, uint32_t, kernel->nblocks);
	uint8_t *space = arena_alloc(&w->arena, kernel->ninsts);
	uint32_t total = 0;

	for (uint32_t i = 0; i < kernel->ninsts; i++)
		if (kernel->insts[i].flags & TRACE_HAS_ACCESS)
			space[total++] = kernel->insts[i].space;
	for (uint32_t i = 0; i < kernel->nblocks; i++)
		for (uint32_t j = 0; j < kernel->blocks[i].count; j++)
			accesses[i] += kernel->insts[kernel->blocks[i].first + j].flags & TRACE_HAS_ACCESS ? 1 : 0;
	return (struct kernel_shape){.nblocks = kernel->nblocks,
				     .nstructures = kernel->nstructures,
				     .ninsts = kernel->ninsts,
				     .first_access = count_first_accesses(kernel, &w->arena),
				     .accesses = accesses,
				     .space = space};
}

/* Checks the kernel's table as the reader does: here the error can be reported to its author. */
static void check_kernel(const struct trace_writer *w)
{
	struct arena arena = ARENA_INIT;
	struct trace_kernel kernel;
	const char *wrong = get_kernel(w->record.data, w->record.len, TRACE_VERSION, &arena, &kernel);

	if (wrong)
		BUG("trace_add_kernel(%s): %s", kernel.name, wrong);
	arena_release(&arena);
}

uint32_t trace_add_kernel(struct trace_writer *w, const struct trace_kernel *kernel)
{
	if (w->kernel)
		BUG("trace_add_kernel inside a launch");
	put_kernel(&w->record, kernel);
	check_kernel(w);
	write_chunk(w, CHUNK_KERNEL, &w->record);
	vec_push(&w->kernels, shape_of(w, kernel));
	return (uint32_t)w->kernels.len - 1;
}

static void open_launch(struct trace_writer *w, const struct trace_launch *launch)
{
	if (w->kernel || launch->kernel >= w->kernels.len)
		BUG("trace_begin_launch of kernel %u inside a launch or before trace_add_kernel", launch->kernel);
	if (warps_per_cta(launch) - 1 >= TRACE_MAX_CTA_WARPS)
		BUG("trace_begin_launch with %u warps in a CTA", warps_per_cta(launch));
	w->kernel = &w->kernels.data[launch->kernel];
	w->launch_warps = warps_per_cta(launch);
	w->launches++;
	w->ctas = 0;
}

static void put_open_launch(const struct trace_writer *w, const struct trace_launch *launch, struct bytes *out)
{
	put_launch(out, launch, w->kernel->nstructures, w->kernel->ninsts);
}

void trace_begin_launch(struct trace_writer *w, const struct trace_launch *launch)
{
	open_launch(w, launch);
	put_open_launch(w, launch, &w->record);
	write_chunk(w, CHUNK_LAUNCH, &w->record);
}

void trace_begin_held_launch(struct trace_writer *w, const struct trace_launch *launch)
{
	open_launch(w, launch);
	put_open_launch(w, launch, &w->begun);
	w->holds = true;
}

void trace_begin_cta(struct trace_writer *w, uint32_t x, uint32_t y, uint32_t z, uint32_t nwarps)
{
	if (!w->kernel || w->nwarps || nwarps != w->launch_warps)
		BUG("trace_begin_cta outside a launch, inside a CTA, or with %u warps", nwarps);
	if (nwarps > w->warp_capacity) {
		w->warps = xrealloc(w->warps, nwarps * sizeof *w->warps);
		memset(w->warps + w->warp_capacity, 0, (nwarps - w->warp_capacity) * sizeof *w->warps);
		w->warp_capacity = nwarps;
	}
	for (uint32_t i = 0; i < nwarps; i++)
		encoder_start(&w->warps[i]);
	w->nwarps = nwarps;
	w->cta[0] = x;
	w->cta[1] = y;
	w->cta[2] = z;
}

void trace_block(struct trace_writer *w, uint32_t warp, uint32_t block, uint32_t mask)
{
	struct warp_encoder *e = &w->warps[warp];

	if (warp >= w->nwarps || block >= w->kernel->nblocks)
		BUG("trace_block: warp %u or block %u does not exist", warp, block);
	if (e->expect.access != e->access_end)
		BUG("trace_block: the block before has memory accesses that were not recorded");
	encode_block(e, block, mask);
	e->expect.access = w->kernel->first_access[block];
	e->access_end = e->expect.access + w->kernel->accesses[block];
}

void trace_access(struct trace_writer *w, uint32_t warp, enum trace_space space, uint32_t mask,
		  const uint64_t addresses[TRACE_WARP_LANES])
{
	struct warp_encoder *e = &w->warps[warp];

	if (warp >= w->nwarps || e->expect.access == e->access_end)
		BUG("trace_access: warp %u has no memory instruction open", warp);
	encode_access(e, w->kernel->space[e->expect.access], space, mask, addresses);
}

static void flush_batch(struct trace_writer *w)
{
	if (w->batch.len)
		write_chunk(w, CHUNK_CTAS, &w->batch);
}

void trace_end_cta(struct trace_writer *w)
{
	for (uint32_t i = 0; i < w->nwarps; i++)
		while (w->warps[i].expect.access != w->warps[i].access_end)
			encode_access(&w->warps[i], 0, TRACE_SPACE_NONE, 0, NULL);
	for (unsigned i = 0; i < 3; i++)
		put_varint(&w->batch, w->cta[i]);
	put_varint(&w->batch, w->nwarps);
	for (uint32_t i = 0; i < w->nwarps; i++)
		put_varint(&w->batch, w->warps[i].out.len);
	for (uint32_t i = 0; i < w->nwarps; i++)
		put_bytes(&w->batch, w->warps[i].out.data, w->warps[i].out.len);
	w->nwarps = 0;
	w->ctas++;
	if (w->batch.len >= TRACE_BATCH_BYTES)
		flush_batch(w);
}

static void take_spooled(void *writer, const void *data, size_t size)
{
	struct trace_writer *w = writer;

	if (!w->error && !w->failed && !is_lost(w) && !write_all(w->stream, data, size))
		w->error = errno ? errno : EIO;
}

/* The record of the held launch, in `begun`, and its CTAs. */
static void write_held(struct trace_writer *w)
{
	w->holds = false;
	write_chunk(w, CHUNK_LAUNCH, &w->begun);
	spool_drain(&w->spool, take_spooled, w);
	w->error = w->error ? w->error : w->spool.error;
}

static void close_launch(struct trace_writer *w, enum chunk_type type)
{
	if (w->nwarps)
		BUG("the end of a launch inside a CTA");
	flush_batch(w);
	if (w->holds)
		write_held(w);
	put_varint(&w->record, w->ctas);
	write_chunk(w, type, &w->record);
	w->kernel = NULL;
}

void trace_end_launch(struct trace_writer *w)
{
	close_launch(w, CHUNK_LAUNCH_END);
}

void trace_end_held_launch(struct trace_writer *w, const struct trace_launch *launch)
{
	if (!w->holds)
		BUG("the end of a launch that is not held");
	w->begun.len = 0;
	put_open_launch(w, launch, &w->begun);
	close_launch(w, CHUNK_LAUNCH_END);
}

void trace_fail_launch(struct trace_writer *w)
{
	close_launch(w, CHUNK_FAILURE);
	w->failed = true;
}

/* Without a complete trace. A stream whose descriptor is lost stays open: to close it would close the program's file.
 */
static void give_up(struct trace_writer *w)
{
	if (!w->close_stream)
		outfile_abort(&w->file);
	else if (!is_lost(w))
		close_all(w->stream);
}

static int commit(struct trace_writer *w, struct diag *d)
{
	if (w->error || is_lost(w)) {
		give_up(w);
		return diag_file(d, w->name, "cannot write the trace: %s",
				 w->lost ? "the program has closed its descriptor" : strerror(w->error));
	}
	if (w->failed && !w->close_stream) {
		outfile_abort(&w->file);
		return diag_file(d, w->name, "a launch failed, so the trace is not complete, and is not kept");
	}
	if (!w->close_stream)
		return outfile_commit(&w->file, d);
	return close_all(w->stream) ? 0 : diag_file(d, w->name, "cannot write the trace: %s", strerror(errno));
}

int trace_finish(struct trace_writer *w, struct diag *d)
{
	int status;

	if (w->kernel)
		BUG("trace_finish inside a launch");
	put_varint(&w->record, w->launches);
	write_chunk(w, CHUNK_TRACE_END, &w->record);
	status = commit(w, d);
	release(w);
	return status;
}

void trace_abandon(struct trace_writer *w)
{
	give_up(w);
	release(w);
}
