/*
 * A launch: checks the shape, evaluates the guards for these pointers, then runs the CTAs in the order of their index.
 *
 * Usually a single CTA is resident at a time. A cooperative launch has all CTAs resident, and they take turns. If all
 * resident CTAs wait in loops for what others write (see spin.h), the next CTA joins them. It also joins if a CTA runs
 * so long that it may be waiting. An interleaved launch has as many resident CTAs as a large GPU. Grids that the grid
 * launched run after it, see nested.h.
 */
#include "runtime/cpu/run/cpu_launch.h"

#include "common/integer.h"
#include "common/kernel_names.h"
#include "ptx-analyzer/readonly/guard_ranges.h"
#include "ptx-analyzer/readonly/guarded.h"
#include "runtime/cpu/decode/program.h"
#include "runtime/cpu/images/image.h"
#include "runtime/cpu/run/cta.h"
#include "runtime/cpu/run/load_module.h"
#include "runtime/cpu/run/nested.h"
#include "runtime/cpu/observe/apart.h"
#include "runtime/cpu/observe/observe.h"
#include "runtime/device/launch_guard.h"
#include "runtime/device/regions.h"

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
	l->max_instructions = dev->settings.max_instructions;
	l->interleaved = dev->settings.interleave != 0;
	l->turn = turn_length(&dev->settings);
	l->patience = xcalloc(p->nbackward + 1, sizeof *l->patience);
	for (uint32_t i = 0; i < p->nbackward; i++)
		l->patience[i] = FIRST_PATIENCE;
	l->id = ++dev->launches;
}

/* --- Guards --- */

/* The memory that the guards of a launch read: the device's, and the variables of a module. */
struct lookup {
	const struct cpu_device *device;
	const struct device_module *module;
};

/*
 * The memory behind the handle of a texture or surface. A mipmap's levels are in several allocations, so it has no such
 * memory.
 */
static uint64_t memory_behind(const struct cpu_device *dev, uint64_t address)
{
	const struct device_image *image = image_at(&dev->images, address);

	if (!image)
		return address;
	return image->nlevels == 1 ? image->levels[0].address : 0;
}

static const struct allocation *allocation_of(void *lookup, uint64_t address)
{
	const struct cpu_device *dev = ((const struct lookup *)lookup)->device;

	return memory_find(&dev->memory, memory_behind(dev, address));
}

static bool find_allocation(void *lookup, uint64_t address, uint64_t *base, size_t *size)
{
	const struct allocation *a = allocation_of(lookup, address);

	if (!a)
		return false;
	*base = a->address;
	*size = a->size;
	return true;
}

static bool find_variable(void *lookup, uint32_t symbol, uint64_t *address, size_t *size)
{
	const struct device_module *m = ((const struct lookup *)lookup)->module;
	uint64_t handle, base;

	*address = m->address[symbol];
	*size = m->ptx->symbols[symbol].size;
	if (!*address || ptx_type_kind(m->ptx->symbols[symbol].type) != PTX_KIND_OPAQUE)
		return *address != 0;
	memcpy(&handle, memory_host(*address), sizeof handle);
	if (!handle || !find_allocation(lookup, handle, &base, size))
		return false;
	*address = base;
	return true;
}

/* The guards view only whole allocations, which are the host's memory. */
static const void *view_allocation(void *lookup, uint64_t address, size_t size)
{
	(void)lookup;
	(void)size;
	return memory_host(address);
}

static const char *allocation_name(void *lookup, uint64_t address)
{
	const struct allocation *a = allocation_of(lookup, address);

	return a ? a->name : NULL;
}

/* What is asked of byte ranges at this launch. */
static struct guard_ranges ranges_of(const struct device_kernel *k, const struct launch *l,
				     const struct kernel_facts *facts)
{
	struct guard_ranges r = {.analysis = k->module->analysis,
				 .facts = facts,
				 .launch = {.params = l->params, .param_bytes = l->param_bytes}};

	memcpy(r.launch.grid, l->shape->grid, sizeof r.launch.grid);
	memcpy(r.launch.block, l->shape->block, sizeof r.launch.block);
	return r;
}

/* True when the marks hold for this launch. Says so once per kernel when they do not. `targets` may be NULL. */
static bool marks_hold(struct device_kernel *k, const struct launch *l, const struct kernel_facts *facts,
		       struct guard_memo *memo, struct guard_target *targets)
{
	struct lookup lookup = {l->device, k->module};
	const struct guard_context context = {&lookup, find_allocation, find_variable, view_allocation};
	struct launch_params launch = *l->shape;
	struct guard_ranges ranges = ranges_of(k, l, facts);
	const struct launch_ranges_ask ask = {guard_ranges_hold, &ranges};
	const struct launch_guard guard = {.kernel = k->function->name,
					   .facts = facts,
					   .launch = &launch,
					   .memory = &context,
					   .name = allocation_name,
					   .ranges = &ask,
					   .memo = memo,
					   .epoch = l->device->memory.changes + l->device->images.changes,
					   .targets = targets};
	bool holds;

	launch.params = l->params;
	launch.param_bytes = l->param_bytes;
	holds = launch_guard_ask(&guard, l->device->settings.quiet || l->device->apart, &k->told);
	guard_ranges_release(&ranges);
	return holds;
}

/*
 * True if the marks that a module for hardware already has hold. Their guards belong to the plain copy of the kernel in
 * the module.
 */
static bool copy_holds(struct device_kernel *k, const struct launch *l, const struct kernel_facts *facts)
{
	const struct kernel_facts *plain = ptx_guarded_facts(k->module->analysis, k->function->name);

	return plain == facts || marks_hold(k, l, plain, &k->copy_guards, NULL);
}

/*
 * True if the marks stay whatever the guards find: they are in the module's own text, and there is no plain copy to run
 * instead.
 */
static bool marks_stay(const struct device_kernel *k, const struct kernel_facts *facts)
{
	return k->module->device->mark == LOAD_KEEP &&
	       ptx_guarded_facts(k->module->analysis, k->function->name) == facts;
}

/* --- The trace --- */

/* Lists an allocation with regions as its regions, and the pieces before, between and behind them. */
static struct trace_allocation *list_regions(struct launch *l, const struct region_holder *h, const char *name,
					     struct trace_allocation *out)
{
	const char *rest = arena_printf(&l->arena, "rest of %s", name);
	uint64_t at = h->base;

	for (size_t i = 0; i < h->parts.len; i++) {
		const struct region *part = &h->parts.data[i];

		if (at < part->address)
			*out++ = (struct trace_allocation){at, part->address - at, rest};
		*out++ = (struct trace_allocation){part->address, part->size, part->name};
		at = part->address + part->size;
	}
	if (at < h->base + h->size)
		*out++ = (struct trace_allocation){at, h->base + h->size - at, rest};
	return out;
}

/* Every allocation there is, by address, each region as one of its own. Returns how many. */
static uint32_t list_allocations(struct launch *l, struct trace_allocation *out)
{
	struct trace_allocation *first = out;

	for (const struct allocation *a = memory_above(l->memory, 0); a; a = memory_above(l->memory, a->address)) {
		const struct region_holder *h = regions_holder(l->shape->regions, a->address);

		if (h)
			out = list_regions(l, h, a->name, out);
		else
			*out++ = (struct trace_allocation){a->address, a->size, a->name};
	}
	return (uint32_t)(out - first);
}

/* No fewer than will be listed. */
static size_t most_allocations(const struct launch *l)
{
	const struct regions *r = l->shape->regions;
	size_t n = l->memory->live.count;

	for (size_t i = 0; r && i < r->holders.len; i++)
		n += 2 * r->holders.data[i].parts.len;
	return n;
}

/* The index of the list's entry that holds `address`; UINT32_MAX if none does. */
static uint32_t allocation_index(const struct trace_launch *t, uint64_t address)
{
	uint32_t low = 0, high = t->nallocations;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (t->allocations[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address - t->allocations[low - 1].address < t->allocations[low - 1].size ? low - 1 : UINT32_MAX;
}

/* What the marks of the device's launches rest on. */
static enum trace_marks marks_of(const struct cpu_device *dev)
{
	static const enum trace_marks marks[ALIAS_LEVELS] = {[ALIAS_GUARDED] = TRACE_MARKS_GUARDED,
							     [ALIAS_STRICT] = TRACE_MARKS_STRICT,
							     [ALIAS_DISTINCT] = TRACE_MARKS_DISTINCT};

	if (dev->apart)
		return TRACE_MARKS_OBSERVED;
	return dev->mark == LOAD_KEEP ? TRACE_MARKS_OWN : marks[dev->alias];
}

static void fill_structures(const struct launch *l, const struct kernel_facts *facts,
			    const struct guard_target *targets, bool in_force, const struct trace_launch *t,
			    struct trace_structure *out)
{
	for (uint32_t i = 0; facts && i < facts->nstructures; i++)
		out[i] = (struct trace_structure){
		    targets[i].pointer, allocation_index(t, memory_behind(l->device, targets[i].pointer)),
		    (uint8_t)facts->structures[i].verdict, facts->structures[i].marked && in_force};
}

/* The launch's record, in its arena. */
static struct trace_launch *make_record(struct launch *l, const struct kernel_facts *facts,
					const struct guard_target *targets, bool in_force)
{
	struct trace_allocation *allocations = arena_array(&l->arena, struct trace_allocation, most_allocations(l) + 1);
	struct trace_structure *structures =
	    arena_array(&l->arena, struct trace_structure, facts ? facts->nstructures + 1 : 1);
	struct trace_launch *t = arena_new(&l->arena, struct trace_launch);

	*t = (struct trace_launch){.kernel = l->program->trace_kernel,
				   .shared_bytes = l->shared_bytes,
				   .local_bytes = l->program->local_bytes,
				   .stream = l->shape->stream,
				   .allocations = allocations,
				   .nallocations = list_allocations(l, allocations),
				   .structures = structures,
				   .marks_in_force = in_force,
				   .marks = (uint8_t)marks_of(l->device)};
	memcpy(t->grid, l->shape->grid, sizeof t->grid);
	memcpy(t->block, l->shape->block, sizeof t->block);
	fill_structures(l, facts, targets, in_force, t, structures);
	return t;
}

/* What it turns out to do is known at the end. Until then device code may free memory, and its name with it. */
static void begin_held(struct launch *l, struct trace_launch *t, const struct kernel_facts *facts)
{
	struct trace_allocation *allocations = (struct trace_allocation *)t->allocations;

	for (uint32_t i = 0; i < t->nallocations; i++)
		allocations[i].name = arena_strdup(&l->arena, allocations[i].name ? allocations[i].name : "");
	t->marked_rows = arena_array(&l->arena, uint8_t, divide_up(l->program->ninsts, 8) + 1);
	l->observer->held = t;
	l->observer->held_structures = facts ? facts->nstructures : 0;
	l->observer->apart = l->device->apart;
	apart_begin(l->device->apart, l, facts);
	trace_begin_held_launch(l->observer->trace, t);
}

static void begin_trace(struct launch *l, const struct kernel_facts *facts, const struct guard_target *targets,
			bool in_force)
{
	struct program *p = l->program;
	struct trace_launch *t;

	if (p->trace_kernel == PTX_NONE)
		p->trace_kernel = trace_program(l->observer->trace, p);
	t = make_record(l, facts, targets, in_force && !l->device->apart);
	if (l->device->apart)
		begin_held(l, t, facts);
	else
		trace_begin_launch(l->observer->trace, t);
	l->device->traced = l;
}

/* The held launch's marks are those that its accesses allow. */
static void end_held(struct observer *o)
{
	struct trace_structure *structures = (struct trace_structure *)o->held->structures;

	apart_end(o->apart);
	o->held->marks_in_force = true;
	o->held->marked_rows = apart_rows(o->apart);
	for (uint32_t i = 0; i < o->held_structures; i++)
		structures[i].marked = apart_structure(o->apart, i);
	trace_end_held_launch(o->trace, o->held);
}

/* A trace has a launch after another. A launch that runs while another waits for it cannot be in it. */
static bool is_inside_traced(struct cpu_device *dev, const struct device_kernel *k)
{
	if (dev->traced && !dev->left_out && !dev->settings.quiet)
		fprintf(
		    stderr,
		    "romark: kernel '%s' is not in the trace: kernel '%s' waits for it with cudaDeviceSynchronize\n",
		    short_title(k->function->name).text, short_title(dev->traced->program->kernel->name).text);
	dev->left_out = dev->left_out || dev->traced;
	return dev->traced;
}

/* A structure that one pointer leads to, or a variable; of others it is not known where they are. */
static bool is_in_one_place(const struct structure *s, const struct guard_target *t)
{
	return t->size && !t->pointers && !s->is_image && s->kind <= STRUCTURE_VARIABLE;
}

/* The range that each access must stay in, if allocations have regions. */
static const struct region_check *begin_region_check(struct launch *l, const struct kernel_facts *facts,
						     const struct guard_target *targets)
{
	const struct regions *r = l->shape->regions;
	struct region_check *check;
	struct region_span *spans;

	if (!facts || !r || !r->holders.len)
		return NULL;
	check = arena_alloc(&l->arena, sizeof *check);
	check->accesses = arena_alloc(&l->arena, (l->program->ninsts + 1) * sizeof *check->accesses);
	memset(check->accesses, 0, l->program->ninsts * sizeof *check->accesses);
	program_accesses(l->program, check->accesses);
	spans = arena_alloc(&l->arena, (facts->nstructures + 1) * sizeof *spans);
	for (uint32_t i = 0; i < facts->nstructures; i++)
		spans[i] = is_in_one_place(&facts->structures[i], &targets[i])
			       ? (struct region_span){targets[i].base, targets[i].size}
			       : (struct region_span){0, 0};
	check->structures = spans;
	return check;
}

/* Each access is held against its range, whatever that is needed for. */
static const struct range_check *begin_range_check(struct device_kernel *k, struct launch *l,
						   const struct kernel_facts *facts)
{
	struct lookup lookup = {l->device, k->module};
	const struct guard_context context = {&lookup, find_allocation, find_variable, view_allocation};
	struct guard_ranges ranges = facts ? ranges_of(k, l, facts) : (struct guard_ranges){0};
	const struct launch_ranges *evaluated = facts ? guard_ranges_evaluate(&ranges, &context) : NULL;
	const struct range_check *check = evaluated ? range_check_begin(l, evaluated) : NULL;

	guard_ranges_release(&ranges);
	return check;
}

/* True if nothing observes the launch: then guards only inform the user. */
static bool tells_of_guards(const struct device_kernel *k)
{
	const struct cpu_device *dev = k->module->device;

	return !dev->settings.quiet && !k->told && dev->mark != LOAD_KEEP;
}

/* Guards, checks and the trace's launch record. */
static void look_at_launch(struct device_kernel *k, struct launch *l, struct observer *o)
{
	struct cpu_device *dev = l->device;
	const struct kernel_facts *facts = ptx_kernel_facts(k->module->analysis, k->function->name);
	struct guard_target *targets;
	bool in_force;

	if (!l->program->observed && !tells_of_guards(k))
		return;
	targets = xcalloc(facts ? facts->nstructures + 1 : 1, sizeof *targets);
	in_force = !facts || (marks_hold(k, l, facts, &k->guards, l->program->observed ? targets : NULL) &&
			      copy_holds(k, l, facts));

	if (l->program->observed) {
		o->trace = kernel_is_traced(dev, k->function->name) && !is_inside_traced(dev, k) ? dev->trace : NULL;
		o->memcheck = dev->settings.memcheck;
		if (dev->marks)
			mark_checker_begin(dev->marks, l, in_force || marks_stay(k, facts), o);
		o->regions = dev->marks ? begin_region_check(l, facts, targets) : NULL;
		o->ranges = dev->marks ? begin_range_check(k, l, facts) : NULL;
		if (dev->races)
			race_checker_begin(dev->races, l, o);
		l->observer = o;
		if (o->trace)
			begin_trace(l, facts, targets, in_force);
		else if (dev->traced)
			o->apart = dev->apart; /* it runs inside the traced launch, and its writes are that one's */
	}
	free(targets);
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
	if (l->observer) {
		if (l->observer->trace && l->fault.status)
			trace_fail_launch(l->observer->trace);
		else if (l->observer->held)
			end_held(l->observer);
		else if (l->observer->trace)
			trace_end_launch(l->observer->trace);
		if (dev->traced == l)
			dev->traced = NULL;
	}
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
	look_at_launch(k, &l, &observer);
	residents = no_residents(&l);
	if (!run_grid(&residents))
		fault_describe(&l, d);
	status = l.fault.status;
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
