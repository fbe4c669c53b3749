/* Traces, access by access. */
#include "library/library_call.h"

#include "common/arena.h"
#include "common/xalloc.h"
#include "trace/trace.h"

#include <string.h>

_Static_assert(sizeof(struct romark_trace_access) == 296, "programs rely on the layout");
_Static_assert((int)ROMARK_OTHER_OP + 1 == (int)TRACE_CLASS_COUNT, "the classes of the header are the trace's");
_Static_assert((int)ROMARK_PARAM + 1 == (int)TRACE_SPACE_COUNT, "the spaces of the header are the trace's");

struct romark_trace {
	struct trace_reader *reader;
	struct trace_launch launch;
	const struct trace_kernel *kernel; /* NULL: no launch is open */
	struct romark_launch shown;
	struct arena arena; /* of the launch */
	struct trace_cta cta;
	bool in_cta, in_warp;
	uint32_t warp;
	struct trace_warp_cursor cursor;
	uint64_t instructions;
	uint32_t launches;
};

/* One call, and its answer. */
struct reading {
	struct romark_trace *t;
	const char *path;
	struct romark_trace_access *out;
	size_t room, count;
	struct diag d;
	int status;
};

static void open_trace(void *arg)
{
	struct reading *r = arg;

	r->t->reader = trace_open(r->path, &r->d);
}

struct romark_trace *romark_trace_open(const char *path, struct romark_error *error)
{
	struct reading r = {.path = path, .t = xcalloc(1, sizeof *r.t)};

	if (library_call(open_trace, &r, error) && r.t->reader)
		return r.t;
	if (diag_is_set(&r.d))
		library_error(&r.d, error);
	xfree(r.t);
	return NULL;
}

static void leave_cta(struct romark_trace *t)
{
	if (t->in_cta)
		trace_cta_release(&t->cta);
	t->in_cta = t->in_warp = false;
}

void romark_trace_close(struct romark_trace *t)
{
	if (!t)
		return;
	leave_cta(t);
	trace_close(t->reader);
	arena_release(&t->arena);
	xfree(t);
}

static void show_launch(struct romark_trace *t)
{
	const struct trace_launch *l = &t->launch;
	const struct trace_kernel *k = t->kernel;
	struct romark_launch_structure *structures;

	arena_release(&t->arena);
	structures = arena_alloc(&t->arena, (k->nstructures + 1) * sizeof *structures);
	for (uint32_t i = 0; i < k->nstructures; i++)
		structures[i] =
		    (struct romark_launch_structure){.id = k->structures[i],
						     .verdict = trace_verdict_name(l->structures[i].verdict),
						     .address = l->structures[i].address,
						     .marked = l->structures[i].marked};
	t->shown = (struct romark_launch){.kernel = k->name,
					  .module = k->module,
					  .number = t->launches++,
					  .shared_bytes = l->shared_bytes,
					  .registers = k->registers_per_thread,
					  .stream = l->stream,
					  .marks = trace_marks_name(l->marks),
					  .marks_in_force = l->marks_in_force,
					  .nstructures = k->nstructures,
					  .structures = structures};
	memcpy(t->shown.grid, l->grid, sizeof t->shown.grid);
	memcpy(t->shown.block, l->block, sizeof t->shown.block);
}

static void next_launch(void *arg)
{
	struct reading *r = arg;
	struct romark_trace *t = r->t;

	leave_cta(t);
	t->kernel = NULL;
	t->instructions = 0;
	r->status = trace_next_launch(t->reader, &t->launch, &r->d);
	if (r->status <= 0)
		return;
	t->kernel = trace_kernel_of(t->reader, t->launch.kernel);
	show_launch(t);
}

int romark_trace_next_launch(struct romark_trace *t, const struct romark_launch **launch, struct romark_error *error)
{
	struct reading r = {.t = t};

	*launch = NULL;
	if (!library_call(next_launch, &r, error))
		return -1;
	if (r.status > 0)
		*launch = &t->shown;
	if (r.status < 0)
		library_error(&r.d, error);
	return r.status < 0 ? -1 : r.status;
}

static void put_access(const struct romark_trace *t, struct trace_op *op, struct romark_trace_access *out)
{
	*out = (struct romark_trace_access){.cta = {t->cta.x, t->cta.y, t->cta.z},
					    .warp = t->warp,
					    .lanes = op->access_mask,
					    .instruction = op->inst_index,
					    .ptx_line = op->inst->ptx_line,
					    .source_line = op->inst->source_line,
					    .structure = op->inst->structure,
					    .op = op->inst->cls,
					    .space = op->space,
					    .bytes = op->inst->access_bytes,
					    .read_only = trace_is_marked(&t->launch, op->inst, op->inst_index)};
	for (uint32_t lanes = op->access_mask; lanes; lanes &= lanes - 1) {
		int lane = __builtin_ctz(lanes);

		out->addresses[lane] = op->address[lane];
	}
}

/* The next instruction with an access, of this CTA's warps; false: there is none. */
static bool next_in_cta(struct reading *r)
{
	struct romark_trace *t = r->t;
	struct trace_op op;

	while (t->warp < t->cta.nwarps) {
		if (!t->in_warp)
			trace_warp_start(&t->cursor, t->kernel, &t->cta, t->warp);
		t->in_warp = true;
		while (trace_warp_next(&t->cursor, &op)) {
			t->instructions += !(op.inst->flags & TRACE_PART);
			if (op.access_mask) {
				put_access(t, &op, &r->out[r->count++]);
				return true;
			}
		}
		if (t->cursor.bad) {
			r->status =
			    diag_file(&r->d, trace_name(t->reader), "the trace is damaged: a warp's stream ends early");
			return false;
		}
		t->in_warp = false;
		t->warp++;
	}
	return false;
}

static void read_accesses(void *arg)
{
	struct reading *r = arg;
	struct romark_trace *t = r->t;

	while (r->count < r->room && r->status >= 0) {
		if (t->in_cta && next_in_cta(r))
			continue;
		if (r->status < 0)
			return;
		leave_cta(t);
		r->status = trace_next_cta(t->reader, &t->cta, &r->d);
		if (r->status <= 0)
			return;
		t->in_cta = true;
		t->warp = 0;
	}
}

ptrdiff_t romark_trace_read(struct romark_trace *t, struct romark_trace_access *out, size_t room,
			    struct romark_error *error)
{
	struct reading r = {.t = t, .out = out, .room = room};

	if (!t->kernel)
		return library_wrong(error, "no launch is open: call romark_trace_next_launch first");
	if (!library_call(read_accesses, &r, error))
		return -1;
	if (r.count == 0 && r.status < 0) {
		library_error(&r.d, error);
		return -1;
	}
	return (ptrdiff_t)r.count;
}

uint64_t romark_trace_warp_instructions(const struct romark_trace *t)
{
	return t->instructions;
}
