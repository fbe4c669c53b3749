/* The reader goes forward once: it holds the kernels' tables, one launch record and the chunk that CTAs come from. */
#include "common/arena.h"
#include "trace/chunk.h"
#include "trace/tables.h"
#include "trace/trace.h"

#include <errno.h>
#include <inttypes.h>

struct trace_reader {
	struct chunk_source source;
	char *name;
	bool close_stream;
	struct arena kernel_arena, launch_arena;
	VEC(const struct trace_kernel *) kernels;
	struct trace_launch launch; /* the open one */
	struct chunk_data *batch;
	const uint8_t *at; /* next CTA in the batch */
	uint64_t ctas;     /* of the open launch, given so far */
	uint64_t launches;
	uint64_t passed;         /* unpacked bytes of the batches of CTAs before `batch` */
	bool in_launch, skipped; /* skipped: chunks of the open launch were passed over */
	bool ended, accept_cut;
	bool failed;         /* the trace has ended with a launch that failed */
	struct diag failure; /* the first error, repeated to every later call */
};

/* A CTA's own copy of its streams: a CTA that runs long does not keep the chunk with its neighbours in memory. */
struct cta_storage {
	const uint8_t *streams[TRACE_MAX_CTA_WARPS];
	uint32_t stream_bytes[TRACE_MAX_CTA_WARPS];
	uint8_t bytes[]; /* the streams one behind the other, and TRACE_STREAM_SLACK zeros */
};

static struct trace_reader *open_stream(FILE *in, const char *name, bool close_stream, struct diag *d)
{
	struct trace_reader *r = xcalloc(1, sizeof *r);

	r->name = xstrdup(name);
	r->close_stream = close_stream;
	chunk_source_open(&r->source, in, r->name);
	if (chunk_read_file_header(&r->source, d) == 0)
		return r;
	trace_close(r);
	return NULL;
}

struct trace_reader *trace_open(const char *path, struct diag *d)
{
	FILE *in;

	if (strcmp(path, "-") == 0)
		return open_stream(stdin, path, false, d);
	in = fopen(path, "rb");
	if (in)
		return open_stream(in, path, true, d);
	diag_file(d, path, "cannot open: %s%s", strerror(errno),
		  errno == ENOENT ? "; 'romark trace' and 'romark import' make a trace" : "");
	return NULL;
}

struct trace_reader *trace_open_fd(int fd, const char *name, struct diag *d)
{
	FILE *in = fdopen(fd, "rb");

	if (in)
		return open_stream(in, name, true, d);
	diag_file(d, name, "cannot read: %s", strerror(errno));
	return NULL;
}

static void drop_batch(struct trace_reader *r)
{
	r->passed += r->batch ? r->batch->size : 0;
	chunk_data_drop(r->batch);
	r->batch = NULL;
}

void trace_close(struct trace_reader *r)
{
	drop_batch(r);
	if (r->close_stream)
		fclose(r->source.in);
	chunk_source_release(&r->source);
	arena_release(&r->kernel_arena);
	arena_release(&r->launch_arena);
	vec_release(&r->kernels);
	xfree(r->name);
	xfree(r);
}

void trace_accept_cut(struct trace_reader *r)
{
	r->accept_cut = true;
}

const struct diag *trace_cut(const struct trace_reader *r)
{
	return diag_is_set(&r->failure) ? &r->failure : NULL;
}

bool trace_has_failed_launch(const struct trace_reader *r)
{
	return r->failed;
}

const char *trace_name(const struct trace_reader *r)
{
	return r->name;
}

/* Returns the remembered error, or ends the trace before it where the user accepts that. */
static int fail(struct trace_reader *r, struct diag *d)
{
	if (r->accept_cut)
		return 0;
	if (d && !diag_is_set(d))
		*d = r->failure;
	return DIAG_ERROR;
}

static int damaged(struct trace_reader *r, uint64_t offset, const char *what)
{
	return chunk_error_at(&r->source, offset, &r->failure, "%s; copy or record the trace again", what);
}

static int take_kernel(struct trace_reader *r, const struct chunk_data *data)
{
	struct trace_kernel *kernel = arena_new(&r->kernel_arena, struct trace_kernel);
	const char *wrong = get_kernel(data->bytes, data->size, r->source.version, &r->kernel_arena, kernel);

	if (!wrong && r->in_launch)
		wrong = "a kernel's table inside a launch";
	if (wrong)
		return damaged(r, data->offset, wrong);
	vec_push(&r->kernels, kernel);
	return 0;
}

static int take_launch(struct trace_reader *r, const struct chunk_data *data)
{
	const char *wrong;

	arena_release(&r->launch_arena);
	wrong = get_launch(data->bytes, data->size, r->source.version, &r->launch_arena, r->kernels.data,
			   r->kernels.len, &r->launch);
	if (!wrong && r->in_launch)
		wrong = "a launch inside a launch";
	if (wrong)
		return damaged(r, data->offset, wrong);
	r->in_launch = true;
	r->skipped = false;
	r->ctas = 0;
	r->launches++;
	return 0;
}

static bool is_count(const struct chunk_data *data, uint64_t expected)
{
	const uint8_t *at = data->bytes, *end = at + data->size;
	uint64_t count;

	return get_varint(&at, end, &count) && at == end && count == expected;
}

static int take_launch_end(struct trace_reader *r, const struct chunk_data *data)
{
	if (!r->in_launch)
		return damaged(r, data->offset, "the end of a launch that was not begun");
	if (!r->skipped && !is_count(data, r->ctas))
		return damaged(r, data->offset, "CTAs are missing");
	r->in_launch = false;
	return 0;
}

static int take_trace_end(struct trace_reader *r, const struct chunk_data *data)
{
	if (r->in_launch || !is_count(data, r->launches))
		return damaged(r, data->offset, "launches are missing");
	r->ended = true;
	return chunk_expect_end(&r->source, &r->failure);
}

static int take_failure(struct trace_reader *r, const struct chunk_data *data)
{
	if (!r->in_launch || (!r->skipped && !is_count(data, r->ctas)))
		return damaged(r, data->offset,
			       "the failure of a launch that was not begun, or whose CTAs are missing");
	r->failed = true;
	return chunk_error_at(&r->source, data->offset, &r->failure,
			      "launch %" PRIu64
			      " failed when it was recorded, and the trace ends there; mend the program "
			      "and record it again",
			      r->launches);
}

static int take_record(struct trace_reader *r, enum chunk_type type)
{
	static int (*const takers[CHUNK_TYPE_END])(struct trace_reader *, const struct chunk_data *) = {
	    [CHUNK_KERNEL] = take_kernel,       [CHUNK_LAUNCH] = take_launch,   [CHUNK_LAUNCH_END] = take_launch_end,
	    [CHUNK_TRACE_END] = take_trace_end, [CHUNK_FAILURE] = take_failure,
	};
	struct chunk_data *data = chunk_unpack(&r->source, &r->failure);
	int status;

	if (!data)
		return DIAG_ERROR;
	status = takers[type](r, data);
	chunk_data_drop(data);
	return status;
}

static int take_batch(struct trace_reader *r)
{
	if (!r->in_launch)
		return damaged(r, r->source.chunk_offset, "CTAs outside a launch");
	r->batch = chunk_unpack(&r->source, &r->failure);
	if (!r->batch)
		return DIAG_ERROR;
	r->at = r->batch->bytes;
	return 0;
}

/* Reads one chunk; 1 with its type, or DIAG_ERROR. `skip`: batches are checked but not unpacked. */
static int step(struct trace_reader *r, bool skip, enum chunk_type *type)
{
	int status = chunk_next(&r->source, type, &r->failure);

	if (status == 0)
		return damaged(r, r->source.offset, "the trace is cut off here");
	if (status < 0)
		return DIAG_ERROR;
	if (*type != CHUNK_CTAS)
		return take_record(r, *type) < 0 ? DIAG_ERROR : 1;
	if (!skip)
		return take_batch(r) < 0 ? DIAG_ERROR : 1;
	r->passed += r->source.raw_size;
	r->skipped = true;
	return 1;
}

int trace_next_launch(struct trace_reader *r, struct trace_launch *launch, struct diag *d)
{
	enum chunk_type type;

	if (diag_is_set(&r->failure))
		return fail(r, d);
	if (r->batch && r->at < r->batch->bytes + r->batch->size)
		r->skipped = true;
	drop_batch(r);
	while (!r->ended) {
		if (step(r, true, &type) < 0)
			return fail(r, d);
		if (type == CHUNK_LAUNCH) {
			*launch = r->launch;
			return 1;
		}
	}
	return 0;
}

static bool inside_grid(const struct trace_launch *launch, const uint64_t *place)
{
	return place[0] < launch->grid[0] && place[1] < launch->grid[1] && place[2] < launch->grid[2];
}

static struct cta_storage *copy_streams(const uint8_t *from, const uint32_t *stream_bytes, size_t nwarps, size_t total)
{
	struct cta_storage *storage = xmalloc(sizeof *storage + total + TRACE_STREAM_SLACK);
	const uint8_t *at = storage->bytes;

	memcpy(storage->bytes, from, total);
	memset(storage->bytes + total, 0, TRACE_STREAM_SLACK);
	for (size_t i = 0; i < nwarps; i++) {
		storage->streams[i] = at;
		storage->stream_bytes[i] = stream_bytes[i];
		at += stream_bytes[i];
	}
	return storage;
}

/* The numbers in front of a CTA's streams. */
struct cta_head {
	uint64_t place[3], nwarps, total; /* total: bytes of its streams */
	uint32_t stream_bytes[TRACE_MAX_CTA_WARPS];
};

static bool parse_head(struct trace_reader *r, struct cta_head *head)
{
	const uint8_t *end = r->batch->bytes + r->batch->size;
	uint64_t bytes;

	head->total = 0;
	for (unsigned i = 0; i < 3; i++)
		if (!get_varint(&r->at, end, &head->place[i]))
			return false;
	if (!get_varint(&r->at, end, &head->nwarps) || head->nwarps != warps_per_cta(&r->launch) ||
	    !inside_grid(&r->launch, head->place))
		return false;
	for (unsigned i = 0; i < head->nwarps; i++) {
		if (!get_varint(&r->at, end, &bytes) || bytes > r->batch->size)
			return false;
		head->stream_bytes[i] = (uint32_t)bytes;
		head->total += bytes;
	}
	return head->total <= (uint64_t)(end - r->at);
}

/* Takes the next CTA out of the batch; `cta` NULL: passes over it. */
static bool parse_cta(struct trace_reader *r, struct trace_cta *cta)
{
	struct cta_head head;
	struct cta_storage *storage;

	if (!parse_head(r, &head))
		return false;
	if (cta) {
		storage = copy_streams(r->at, head.stream_bytes, head.nwarps, head.total);
		*cta = (struct trace_cta){.x = (uint32_t)head.place[0],
					  .y = (uint32_t)head.place[1],
					  .z = (uint32_t)head.place[2],
					  .index = r->ctas,
					  .nwarps = (uint32_t)head.nwarps,
					  .streams = storage->streams,
					  .stream_bytes = storage->stream_bytes,
					  .storage = storage};
	}
	r->at += head.total;
	r->ctas++;
	return true;
}

static int take_cta(struct trace_reader *r, struct trace_cta *cta)
{
	if (!parse_cta(r, cta))
		return damaged(r, r->batch->offset, "a CTA's record is damaged");
	return 1;
}

static int next_cta(struct trace_reader *r, struct trace_cta *cta, struct diag *d)
{
	enum chunk_type type;

	if (diag_is_set(&r->failure))
		return fail(r, d);
	while (r->in_launch) {
		if (r->batch && r->at < r->batch->bytes + r->batch->size)
			return take_cta(r, cta) < 0 ? fail(r, d) : 1;
		drop_batch(r);
		if (step(r, false, &type) < 0)
			return fail(r, d);
	}
	return 0;
}

int trace_next_cta(struct trace_reader *r, struct trace_cta *cta, struct diag *d)
{
	return next_cta(r, cta, d);
}

int trace_skip_cta(struct trace_reader *r, struct diag *d)
{
	return next_cta(r, NULL, d);
}

void trace_cta_release(struct trace_cta *cta)
{
	xfree(cta->storage);
	*cta = (struct trace_cta){0};
}

const struct trace_kernel *trace_kernel_of(const struct trace_reader *r, uint32_t kernel)
{
	return kernel < r->kernels.len ? r->kernels.data[kernel] : NULL;
}

uint64_t trace_bytes_read(const struct trace_reader *r)
{
	return r->source.offset;
}

uint64_t trace_stream_bytes(const struct trace_reader *r)
{
	return r->passed + (r->batch ? (uint64_t)(r->at - r->batch->bytes) : 0);
}

uint64_t trace_stream_bytes_total(const struct trace_reader *r)
{
	return chunk_sum(&r->source, CHUNK_CTAS);
}

int trace_identity(const struct trace_reader *r, uint64_t *identity, struct diag *d)
{
	return chunk_identity(&r->source, identity, d);
}

int trace_resume(struct trace_reader *r, struct trace_reader *opened, struct diag *d)
{
	int status;

	xfree(r->name);
	r->name = xstrdup(opened->name);
	r->close_stream = opened->close_stream;
	opened->close_stream = false;
	status = chunk_source_resume(&r->source, opened->source.in, r->name, d);
	trace_close(opened);
	return status;
}
