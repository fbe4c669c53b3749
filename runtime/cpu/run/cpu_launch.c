/*
 * A launch: checks the shape, lets those look at it who want to, then runs the CTAs in the order of their index.
 *
 * Usually a single CTA is resident at a time. A cooperative launch has all CTAs resident, and they take turns. If all
 * resident CTAs wait in loops for what others write (see spin.h), the next CTA joins them. It also joins if a CTA runs
 * so long that it may be waiting. An interleaved launch has as many resident CTAs as a large GPU. Grids that the grid
 * launched run after it, see nested.h.
 */
#include "runtime/cpu/run/cpu_launch.h"

#include "common/integer.h"
#include "common/kernel_names.h"
#include "runtime/cpu/decode/program.h"
#include "runtime/cpu/engine/checks.h"
#include "runtime/cpu/run/cta.h"
#include "runtime/cpu/run/interrupt.h"
#include "runtime/cpu/run/load_module.h"
#include "runtime/cpu/run/nested.h"
#include "runtime/cpu/run/observation.h"
#include "runtime/cpu/observe/observe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t max_grid[3] = MAX_GRID, max_block[3] = MAX_BLOCK;
enum { PATIENT_ROUNDS = 4096, ROUNDS_AMONG_OTHERS = 16, MAX_WAITING_CTAS = 1024, WORKSPACE_BYTES = 256 };
/* Threads that take turns where launches are interleaved: as many as a large GPU has resident. */
enum { INTERLEAVED_THREADS = 1 << 18 };
/*
 * How many branches backward a warp takes before a look begins; and how often restless loops go on before waiting joins
 * are released.
 */
enum { FIRST_PATIENCE = 32, RESTLESS_ROUNDS = 8 };

/* --- Shape --- */

static int check_shape(const struct device_kernel *k, const struct launch_params *s, struct diag *d)
{
	const struct ptx_function *f = k->function;
	uint64_t threads = (uint64_t)s->block[0] * s->block[1] * s->block[2], most = 1;

	for (int i = 0; i < 3; i++)
		if (s->grid[i] == 0 || s->grid[i] > max_grid[i] || s->block[i] == 0 || s->block[i] > max_block[i])
			return diag_file(
			    d, k->module->name,
			    "kernel '%s': a grid of %ux%ux%u CTAs of %ux%ux%u threads is outside the limits",
			    short_title(f->name).text, s->grid[0], s->grid[1], s->grid[2], s->block[0], s->block[1],
			    s->block[2]);
	if (threads > MAX_CTA_THREADS)
		return diag_file(d, k->module->name, "kernel '%s': a CTA of %" PRIu64 " threads; %d is the most",
				 short_title(f->name).text, threads, MAX_CTA_THREADS);
	for (int i = 0; i < 3; i++)
		if (f->reqntid[0] && s->block[i] != (f->reqntid[i] ? f->reqntid[i] : 1))
			return diag_file(d, k->module->name,
					 "kernel '%s': it was compiled for CTAs of %ux%ux%u threads only",
					 short_title(f->name).text, f->reqntid[0], f->reqntid[1], f->reqntid[2]);
	for (int i = 0; i < 3; i++)
		most *= f->maxntid[i] ? f->maxntid[i] : 1;
	if (f->maxntid[0] && threads > most)
		return diag_file(d, k->module->name,
				 "kernel '%s': a CTA of %" PRIu64 " threads, but it was compiled for at most %" PRIu64,
				 short_title(f->name).text, threads, most);
	return 0;
}

static uint64_t shared_bytes(const struct program *p, const struct launch_params *shape)
{
	if (!shape->dynamic_shared)
		return p->static_shared;
	return round_up(p->static_shared, p->dynamic_align) + shape->dynamic_shared;
}

int launch_check(struct device_kernel *k, const struct launch_params *shape, struct diag *d)
{
	const struct program *p = kernel_program(k, d);

	if (!p || check_shape(k, shape, d) < 0)
		return DIAG_ERROR;
	if (shared_bytes(p, shape) > MAX_SHARED_BYTES)
		return diag_file(d, k->module->name,
				 "kernel '%s': %" PRIu64 " bytes of shared memory; a CTA has at most %d",
				 short_title(p->kernel->name).text, shared_bytes(p, shape), MAX_SHARED_BYTES);
	return 0;
}

/* Frames have no saved registers here, but parameters that hardware keeps in registers; so the usual size is generous.
 */
static uint32_t stack_bytes(const struct cpu_device *dev)
{
	return dev->stack ? dev->stack : USUAL_STACK_BYTES;
}

static int64_t turn_length(const struct settings *s)
{
	return s->interleave && s->interleave < TIME_SLICE ? s->interleave : TIME_SLICE;
}

static void init_launch(struct launch *l, struct cpu_device *dev, struct program *p, const struct launch_params *shape)
{
	*l = (struct launch){.device = dev, .program = p, .memory = &dev->memory, .shape = shape, .arena = ARENA_INIT};
	l->param_bytes = p->kernel->param_bytes;
	l->params = aligned_alloc(64, (l->param_bytes + 127) / 64 * 64);
	if (!l->params)
		BUG("no memory for %zu bytes of parameters", l->param_bytes);
	memset(l->params, 0, (l->param_bytes + 127) / 64 * 64);
	if (shape->param_bytes)
		memcpy(l->params, shape->params,
		       shape->param_bytes < l->param_bytes ? shape->param_bytes : l->param_bytes);
	l->threads = shape->block[0] * shape->block[1] * shape->block[2];
	l->nwarps = (uint32_t)divide_up(l->threads, LANES);
	l->shared_bytes = (uint32_t)shared_bytes(p, shape);
	l->local_stride = (uint32_t)round_up(p->local_bytes + (p->recursive ? stack_bytes(dev) : 0), 16);
	l->max_instructions = dev->settings.max_instructions ? dev->settings.max_instructions : UINT64_MAX;
	l->interleaved = dev->settings.interleave != 0;
	l->turn = turn_length(&dev->settings);
	l->patience = xcalloc(p->nbackward + 1, sizeof *l->patience);
	for (uint32_t i = 0; i < p->nbackward; i++)
		l->patience[i] = FIRST_PATIENCE;
	l->id = ++dev->launches;
}

/* --- CTAs --- */

/* Resident CTAs, oldest first, and CTAs not in use. */
struct residents {
	struct launch *launch;
	VEC(struct cta *) running, spare;
	uint64_t started, total;
	uint64_t together;         /* so many begin without waiting for each other's end */
	bool newest;               /* only the youngest runs, which has just started */
	unsigned rounds, patience; /* rounds: since the newest started; after `patience` of them the next one joins,
				      even if not all wait */
	unsigned tries;            /* to go on where all wait */
};

static void start_next(struct residents *r)
{
	struct cta *cta = r->spare.len ? vec_pop(&r->spare) : cta_new(r->launch);

	cta_start(cta, r->started++);
	observe_cta_start(cta, r->running.len == 0);
	r->rounds = 0;
	vec_push(&r->running, cta);
}

/* Takes finished CTAs from the front; then the trace gets what younger CTAs recorded meanwhile. */
static void retire(struct residents *r)
{
	size_t n = 0;

	while (n < r->running.len && r->running.data[n]->unfinished == 0) {
		observe_cta_oldest(r->running.data[n]);
		observe_cta_end(r->running.data[n]);
		vec_push(&r->spare, r->running.data[n]);
		n++;
	}
	memmove(r->running.data, r->running.data + n, (r->running.len - n) * sizeof *r->running.data);
	r->running.len -= n;
	if (n && r->running.len)
		observe_cta_oldest(r->running.data[0]);
}

static bool is_done(const struct cta *cta)
{
	return cta->unfinished == 0 || cta->waits;
}

static bool all_wait(const struct residents *r)
{
	for (size_t i = 0; i < r->running.len; i++)
		if (!is_done(r->running.data[i]))
			return false;
	return true;
}

/* Runs those that can, from resident `first` on. *ran: some did. */
static bool run_ready(struct residents *r, size_t first, unsigned rounds, bool *ran)
{
	for (size_t i = first; i < r->running.len; i++) {
		struct cta *cta = r->running.data[i];

		if (cta->unfinished == 0 || (cta->waits && !cta_wakes(cta)))
			continue;
		*ran = true;
		if (!cta_run(cta, rounds))
			return false;
	}
	return true;
}

static bool on_all(struct residents *r, bool (*does)(struct cta *cta))
{
	bool any = false;

	for (size_t i = 0; i < r->running.len; i++)
		if (r->running.data[i]->unfinished && does(r->running.data[i])) {
			r->running.data[i]->waits = false;
			any = true;
		}
	return any;
}

/*
 * All wait for good. A CTA that runs on may have undone what others waited for before they looked; a fast CTA on a GPU
 * could do the same.
 */
static bool deadlock(struct residents *r)
{
	bool order_matters = r->total > 1 && !r->launch->interleaved;
	char what[200];

	snprintf(what, sizeof what,
		 "deadlock, all of the %" PRIu64 " CTAs that have started (of %" PRIu64
		 ") wait in loops for values that no CTA will write%s",
		 r->started, r->total, order_matters ? "; where a GPU ends this, --interleave=32 may, too" : "");
	for (size_t i = 0; i < r->running.len; i++)
		if (r->running.data[i]->unfinished) {
			cta_fault(r->running.data[i], what);
			break;
		}
	return false;
}

/* All wait, nothing has changed, and every CTA has started. */
static bool go_on(struct residents *r)
{
	if (++r->tries % RESTLESS_ROUNDS && on_all(r, cta_wakes_restless))
		return true;
	return on_all(r, cta_release_joins) || on_all(r, cta_wakes_restless) || deadlock(r);
}

static unsigned rounds_of_turn(const struct residents *r)
{
	if (r->running.len == 1)
		return PATIENT_ROUNDS;
	return r->launch->interleaved ? 1 : ROUNDS_AMONG_OTHERS;
}

/*
 * Waiting CTAs are woken only when no further CTA can start. At a barrier of the whole grid each would otherwise look
 * at every arrival. A CTA that ends may have been waited for, so the others look then.
 */
static bool run_residents(struct residents *r)
{
	unsigned rounds = rounds_of_turn(r);
	size_t first = r->newest ? r->running.len - 1 : 0;
	bool ran = false, room, wait, joins;

	if (!run_ready(r, first, rounds, &ran))
		return false;
	room = r->started < r->total && r->running.len < MAX_WAITING_CTAS;
	wait = all_wait(r);
	r->rounds += rounds;
	joins = room && (wait ? !ran || vec_last(&r->running)->unfinished : r->rounds >= r->patience);
	r->newest = joins && wait;
	if (joins && !wait)
		r->patience = 1;
	retire(r);
	if (joins && r->running.len)
		start_next(r);
	return ran || joins || go_on(r);
}

static void fill(struct residents *r)
{
	while (r->started < r->total && r->running.len < r->together) {
		start_next(r);
		r->newest = false;
	}
}

static bool run_grid(struct residents *r)
{
	while (r->started < r->total || r->running.len) {
		fill(r);
		if (!run_residents(r))
			return false;
	}
	return true;
}

static struct residents no_residents(struct launch *l)
{
	const uint32_t *grid = l->shape->grid;
	struct residents r = {.launch = l,
			      .total = (uint64_t)grid[0] * grid[1] * grid[2],
			      .together = l->interleaved ? INTERLEAVED_THREADS / l->threads : 1,
			      .patience = (unsigned)((int64_t)PATIENT_ROUNDS * TIME_SLICE / l->turn)};

	if (l->shape->cooperative)
		r.together = r.total;
	else if (r.together > MAX_WAITING_CTAS)
		r.together = MAX_WAITING_CTAS;
	return r;
}

static void release_residents(struct residents *r)
{
	for (size_t i = 0; i < r->running.len; i++) {
		if (i == 0)
			observe_cta_end(r->running.data[i]);
		vec_push(&r->spare, r->running.data[i]);
	}
	for (size_t i = 0; i < r->spare.len; i++)
		cta_free(r->spare.data[i]);
	vec_release(&r->running);
	vec_release(&r->spare);
}

/* --- All together --- */

/* Cooperative groups keep the grid's barrier here: its size, then a counter. */
static void open_workspace(struct launch *l)
{
	const uint32_t size = WORKSPACE_BYTES;

	if (!l->shape->cooperative || !memory_alloc(&l->device->memory, size, "grid workspace", &l->workspace))
		return;
	memset(memory_host(l->workspace), 0, size);
	memcpy(memory_host(l->workspace), &size, sizeof size);
}

static void end_launch(struct launch *l, struct nested_queue *nested)
{
	struct cpu_device *dev = l->device;

	if (l->workspace)
		memory_release(&dev->memory, l->workspace);
	if (l->observer)
		observation_end(l);
	if (l->fault.status)
		program_reset(l->program);
	nested_end(&l->nested, &dev->memory, nested);
	free(l->params);
	free(l->patience);
	arena_release(&l->arena);
}

/* One grid, without what it launches: that is put in front of `nested`. */
static enum device_status run_alone(struct cpu_device *device, struct device_kernel *k,
				    const struct launch_params *shape, uint32_t depth, struct nested_queue *nested,
				    struct diag *d)
{
	struct residents residents;
	struct observer observer = {0};
	enum device_status status;
	struct launch l;

	init_launch(&l, device, kernel_program(k, d), shape);
	l.nested.depth = depth;
	open_workspace(&l);
	observation_begin(k, &l, &observer);
	residents = no_residents(&l);
	interrupt_begin();
	if (!run_grid(&residents) && !report_fault(&l))
		fault_describe(&l, d);
	interrupt_end(d);
	status = l.fault.status;
	device->checks.kernel_failed |= status != DEVICE_OK;
	device->instructions += l.instructions - l.asleep;
	release_residents(&residents);
	end_launch(&l, nested);
	return status;
}

/* Kernels launched by kernels, and what these launch; copies between them. */
static enum device_status run_nested(struct cpu_device *device, struct nested_queue *queue, struct diag *d)
{
	enum device_status status = DEVICE_OK;
	struct nested_launch *n;

	while (!status && (n = nested_take(queue))) {
		status = n->kernel ? run_alone(device, n->kernel, &n->shape, n->depth, queue, d)
				   : nested_copy_run(device, &n->copy, d);
		free(n);
	}
	nested_queue_free(queue);
	return status;
}

enum device_status launch_children(struct launch *parent, uint64_t cta, struct diag *d)
{
	struct nested_queue children = nested_take_children(&parent->nested, cta);

	return run_nested(parent->device, &children, d);
}

enum device_status launch_run(struct cpu_device *device, struct device_kernel *k, const struct launch_params *shape,
			      struct diag *d)
{
	struct nested_queue nested = {NULL, NULL};
	enum device_status status;

	if (!kernel_program(k, d))
		return DEVICE_BAD_PTX;
	if (launch_check(k, shape, d) < 0)
		return DEVICE_BAD_LAUNCH;
	status = run_alone(device, k, shape, 0, &nested, d);
	if (status) {
		nested_queue_free(&nested);
		return status;
	}
	return run_nested(device, &nested, d);
}
