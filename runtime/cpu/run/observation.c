/*
 * What looks at a launch: the guards are evaluated for its pointers, the checks are told that it begins, and the trace
 * gets its record.
 */
#include "runtime/cpu/run/observation.h"

#include "common/integer.h"
#include "common/kernel_names.h"
#include "ptx-analyzer/readonly/guard_ranges.h"
#include "ptx-analyzer/readonly/guarded.h"
#include "runtime/cpu/engine/checks.h"
#include "runtime/cpu/images/image.h"
#include "runtime/cpu/observe/apart.h"
#include "runtime/cpu/observe/observe.h"
#include "runtime/cpu/observe/write_bounds.h"
#include "runtime/device/launch_guard.h"
#include "runtime/device/regions.h"

#include <stdlib.h>
#include <string.h>

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

/* The guards view what lies in an allocation, which is the host's memory. */
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

/* True when the marks hold for this launch. `told`: whether the user knows when they do not. `targets` may be NULL. */
static bool marks_hold(struct device_kernel *k, const struct launch *l, const struct kernel_facts *facts,
		       struct guard_memo *memo, struct guard_target *targets, bool *told)
{
	struct lookup lookup = {l->device, k->module};
	const struct guard_context context = {&lookup, find_allocation, find_variable, view_allocation, NULL};
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
					   .informs = !l->program->observed,
					   .targets = targets};
	bool holds;

	launch.params = l->params;
	launch.param_bytes = l->param_bytes;
	holds = launch_guard_ask(&guard, l->device->settings.quiet || l->device->apart, told);
	guard_ranges_release(&ranges);
	return holds;
}

/*
 * True if the marks that a module for hardware already has hold. Their guards belong to the plain copy of the kernel in
 * the module.
 */
static bool copy_holds(struct device_kernel *k, const struct launch *l, const struct kernel_facts *facts, bool *told)
{
	const struct kernel_facts *plain = ptx_guarded_facts(k->module->analysis, k->function->name);

	return plain == facts || marks_hold(k, l, plain, &k->copy_guards, NULL, told);
}

static bool guards_hold(struct device_kernel *k, const struct launch *l, const struct kernel_facts *facts,
			struct guard_target *targets, bool *told)
{
	return !facts || (marks_hold(k, l, facts, &k->guards, targets, told) && copy_holds(k, l, facts, told));
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

/*
 * What it turns out to do is known at the end. Until then it has no marks, and device code may free memory, and its
 * name with it.
 */
static void begin_held(struct launch *l, struct trace_launch *t, const struct kernel_facts *facts)
{
	struct trace_allocation *allocations = (struct trace_allocation *)t->allocations;

	for (uint32_t i = 0; i < t->nallocations; i++)
		allocations[i].name = arena_strdup(&l->arena, allocations[i].name ? allocations[i].name : "");
	t->marked_rows = arena_array(&l->arena, uint8_t, divide_up(l->program->ninsts, 8) + 1);
	l->observer->held = t;
	l->observer->held_facts = facts;
	l->observer->apart = l->device->apart;
	if (l->device->apart)
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
	if (l->device->apart || l->observer->bounds)
		begin_held(l, t, facts);
	else
		trace_begin_launch(l->observer->trace, t);
	l->device->traced = l;
}

static void end_apart(struct observer *o)
{
	struct trace_structure *structures = (struct trace_structure *)o->held->structures;

	apart_end(o->apart);
	o->held->marks_in_force = true;
	o->held->marked_rows = apart_rows(o->apart);
	for (uint32_t i = 0; o->held_facts && i < o->held_facts->nstructures; i++)
		structures[i].marked = apart_structure(o->apart, i);
}

/* Where no load has passed, the launch is one whose guards failed. */
static void end_checked(struct observer *o)
{
	struct trace_structure *structures = (struct trace_structure *)o->held->structures;
	bool *marked = xcalloc(o->held_facts->nstructures + 1, sizeof *marked);

	o->held->marked_rows = write_bounds_rows(o->bounds);
	o->held->marks_in_force = o->held->marked_rows;
	if (o->held->marks_in_force)
		o->held->marks = TRACE_MARKS_CHECKED;
	write_bounds_structures(o->bounds, o->held_facts, marked);
	for (uint32_t i = 0; i < o->held_facts->nstructures; i++)
		structures[i].marked = marked[i] && o->held->marks_in_force;
	free(marked);
}

/* The held launch's marks are those that its accesses allow. */
static void end_held(struct observer *o)
{
	if (o->apart)
		end_apart(o);
	else
		end_checked(o);
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

/* What is known of byte ranges at this launch: each access is held against its range, marked loads against writes. */
static void begin_ranges(struct device_kernel *k, struct launch *l, const struct kernel_facts *facts,
			 bool checks_accesses, struct observer *o)
{
	struct lookup lookup = {l->device, k->module};
	const struct guard_context context = {&lookup, find_allocation, find_variable, view_allocation, NULL};
	struct guard_ranges ranges = facts ? ranges_of(k, l, facts) : (struct guard_ranges){0};
	const struct launch_ranges *evaluated = facts ? guard_ranges_best(&ranges, &context) : NULL;

	if (evaluated && l->device->marks)
		o->ranges = range_check_begin(l, evaluated);
	if (evaluated && checks_accesses)
		o->bounds = write_bounds_begin(l, evaluated);
	guard_ranges_release(&ranges);
}

/* If its guards fail, its loads may be checked one by one: somebody looks at marks, and they are the analysis's. */
static bool may_check_accesses(const struct device_kernel *k, const struct launch *l, const struct kernel_facts *facts)
{
	const struct cpu_device *dev = l->device;

	return facts && l->program->observed && l->program->marked && dev->alias == ALIAS_GUARDED &&
	       dev->mark != LOAD_KEEP && !dev->apart && (dev->marks || kernel_is_traced(dev, k->function->name));
}

/* True if nothing observes the launch: then guards only inform the user. */
static bool tells_of_guards(const struct device_kernel *k)
{
	const struct cpu_device *dev = k->module->device;

	return !dev->settings.quiet && !k->told && dev->mark != LOAD_KEEP;
}

/* The checks and the trace. */
static void begin_observer(struct device_kernel *k, struct launch *l, const struct kernel_facts *facts,
			   const struct guard_target *targets, bool in_force)
{
	struct cpu_device *dev = l->device;
	struct observer *o = l->observer;

	o->trace = kernel_is_traced(dev, k->function->name) && !is_inside_traced(dev, k) ? dev->trace : NULL;
	o->memcheck = check_is_on(dev, CHECK_MEMORY);
	o->sync = check_is_on(dev, CHECK_SYNC);
	if (dev->marks)
		mark_checker_begin(dev->marks, l, in_force || o->bounds || marks_stay(k, facts), o);
	o->regions = dev->marks ? begin_region_check(l, facts, targets) : NULL;
	if (dev->races)
		race_checker_begin(dev->races, l, o);
	if (o->trace)
		begin_trace(l, facts, targets, in_force);
	else if (dev->traced)
		o->apart = dev->apart; /* it runs inside the traced launch, and its writes are that one's */
}

void observation_begin(struct device_kernel *k, struct launch *l, struct observer *o)
{
	struct cpu_device *dev = l->device;
	const struct kernel_facts *facts = ptx_kernel_facts(k->module->analysis, k->function->name);
	bool may_check = may_check_accesses(k, l, facts), told = true, in_force;
	struct guard_target *targets;

	if (!l->program->observed && !tells_of_guards(k))
		return;
	targets = xcalloc(facts ? facts->nstructures + 1 : 1, sizeof *targets);
	in_force = guards_hold(k, l, facts, l->program->observed ? targets : NULL, may_check ? &told : &k->told);
	if (l->program->observed) {
		if (dev->marks || (may_check && !in_force))
			begin_ranges(k, l, facts, may_check && !in_force, o);
		if (may_check && !in_force && !(o->bounds && kernel_is_traced(dev, k->function->name)))
			guards_hold(k, l, facts, NULL, &k->told); /* the user learns that it has no marks */
		l->observer = o;
		begin_observer(k, l, facts, targets, in_force);
	}
	free(targets);
}

void observation_end(struct launch *l)
{
	struct observer *o = l->observer;

	if (o->trace && l->fault.status)
		trace_fail_launch(o->trace);
	else if (o->held)
		end_held(o);
	else if (o->trace)
		trace_end_launch(o->trace);
	if (l->device->traced == l)
		l->device->traced = NULL;
}
