/* The memory system put together: networks, slices, controllers and the policy, and what happens in a cycle. */
#include "sim-backend/memsys_internal.h"

#include "sim-backend/values.h"

#include <string.h>

/* --- Creation --- */

static struct llc_geometry geometry_of(const struct memsys_config *c)
{
	unsigned slices = c->noc.mc_routers * c->llc.slices_per_mc;

	return (struct llc_geometry){
	    .clusters = c->noc.sm_routers,
	    .mcs = c->noc.mc_routers,
	    .slices = c->llc.slices_per_mc,
	    .sets = c->llc.kilobytes * 1024 / (slices * c->llc.ways * c->llc.line_bytes),
	    .ways = c->llc.ways,
	    .line_bytes = c->llc.line_bytes,
	    .line_shift = (unsigned)__builtin_ctz(c->llc.line_bytes),
	    .address_bits = c->map.address_bits,
	    .slice_bytes_per_cycle = c->llc.port_bytes,
	    .memory_bytes_per_cycle = dram_peak_gbs(c) * 1e3 / c->core_mhz,
	};
}

/* The slice of its controller that a request goes to, asked at the router in front of the controller's slices. */
static unsigned slice_of_request(void *context, uint32_t packet)
{
	struct memsys *ms = context;
	const struct transaction *x = &ms->pool.items[packet];
	const struct llc_policy_ops *policy = ms->common.policy;

	if (policy->observe)
		policy->observe(ms->common.policy_state, x->place.mc, x->cluster, x->place.slice, &x->request);
	return policy->route(ms->common.policy_state, x->cluster, x->place.slice, &x->request);
}

static unsigned sm_of_reply(void *context, uint32_t packet)
{
	const struct memsys *ms = context;

	return ms->pool.items[packet].request.sm % ms->sms_per_router;
}

static void create_slices(struct memsys *ms, const struct llc_policy_ops *policy, unsigned nstructures)
{
	struct llc_common *c = &ms->common;
	unsigned sectors = ms->config.llc.line_bytes / MEM_SECTOR_BYTES, per_mc = ms->config.llc.slices_per_mc;

	*c = (struct llc_common){.config = &ms->config,
				 .geometry = geometry_of(&ms->config),
				 .map = &ms->map,
				 .pool = &ms->pool,
				 .requests = &ms->requests,
				 .replies = &ms->replies,
				 .policy = policy,
				 .all_sectors = (uint8_t)((1u << sectors) - 1),
				 .line_bursts = (uint8_t)(ms->config.llc.line_bytes / ms->config.dram.burst_bytes)};
	c->structure_accesses = xcalloc(nstructures, sizeof *c->structure_accesses);
	c->structure_hits = xcalloc(nstructures, sizeof *c->structure_hits);
	c->structure_merges = xcalloc(nstructures, sizeof *c->structure_merges);
	wakeups_init(&c->wakeups, ms->nslices, true);
	ms->slices = xcalloc(ms->nslices, sizeof *ms->slices);
	ms->controllers = xcalloc(ms->config.noc.mc_routers, sizeof *ms->controllers);
	for (unsigned mc = 0; mc < ms->config.noc.mc_routers; mc++) {
		struct controller *controller = &ms->controllers[mc];

		controller_init(controller, &ms->config, &ms->clock);
		for (unsigned i = 0; i < per_mc; i++) {
			struct llc_slice *slice = &ms->slices[mc * per_mc + i];

			llc_slice_init(slice, c, mc, i, &controller->from_slices[i]);
			controller_connect(controller, i, &slice->fills);
		}
	}
}

/* Answers of the policy that stay the same until it is called again. */
static void ask_policy(struct memsys *ms)
{
	const struct llc_policy_ops *policy = ms->common.policy;

	ms->policy_next = policy->next_tick ? policy->next_tick(ms->common.policy_state) : UINT64_MAX;
	ms->common.write_through = policy->write_through(ms->common.policy_state);
}

static void create_policy(struct memsys *ms, const struct llc_policy_ops *policy, const void *knobs)
{
	if (policy->knobs_size) {
		ms->policy_knobs = xmalloc(policy->knobs_size);
		memcpy(ms->policy_knobs, knobs, policy->knobs_size);
	}
	ms->common.policy_state = policy->create(&ms->common.geometry, ms->policy_knobs);
	ask_policy(ms);
}

struct memsys *memsys_create(const struct memsys_config *config, const struct llc_policy_ops *policy,
			     const void *policy_knobs, unsigned nstructures)
{
	struct memsys *ms = xcalloc(1, sizeof *ms);
	unsigned channels = config->noc.mc_routers * config->dram.channels_per_mc;

	ms->config = *config;
	ms->nslices = config->noc.mc_routers * config->llc.slices_per_mc;
	ms->sms_per_router = config->sms / config->noc.sm_routers;
	ms->pool.free = NO_TRANSACTION;
	ms->hold_from = ms->hold_until = UINT64_MAX;
	ms->clock = dram_clock_of(dram_hertz(&config->dram, channels), (uint64_t)config->core_mhz * 1000000);
	address_map_init(&ms->map, &ms->config);
	noc_create(&ms->requests, &ms->config, true, noc_most_flits(&ms->config), slice_of_request, ms, &ms->pool);
	noc_create(&ms->replies, &ms->config, false, noc_most_flits(&ms->config), sm_of_reply, ms, &ms->pool);
	create_slices(ms, policy, nstructures ? nstructures : 1);
	create_policy(ms, policy, policy_knobs);
	ms->slice_accesses = xcalloc(ms->nslices, sizeof *ms->slice_accesses);
	ms->stats.routers = ms->requests.routers_count;
	ms->stats.nslices = ms->nslices;
	ms->stats.slice_accesses = ms->slice_accesses;
	ms->stats.nstructures = nstructures;
	ms->stats.structure_accesses = ms->common.structure_accesses;
	ms->stats.structure_hits = ms->common.structure_hits;
	ms->stats.structure_merges = ms->common.structure_merges;
	return ms;
}

void memsys_follow_values(struct memsys *ms)
{
	ms->common.values = values_create();
	for (unsigned i = 0; i < ms->config.noc.mc_routers; i++)
		for (unsigned k = 0; k < ms->config.dram.channels_per_mc; k++)
			ms->controllers[i].channels[k].values = ms->common.values;
}

void memsys_free(struct memsys *ms)
{
	if (!ms)
		return;
	ms->common.policy->destroy(ms->common.policy_state);
	values_free(ms->common.values);
	free(ms->policy_knobs);
	for (unsigned i = 0; i < ms->nslices; i++)
		llc_slice_release(&ms->slices[i]);
	for (unsigned i = 0; i < ms->config.noc.mc_routers; i++)
		controller_release(&ms->controllers[i]);
	network_release(&ms->requests);
	network_release(&ms->replies);
	free(ms->slices);
	free(ms->controllers);
	free(ms->common.structure_accesses);
	free(ms->common.structure_hits);
	free(ms->common.structure_merges);
	wakeups_release(&ms->common.wakeups);
	free(ms->slice_accesses);
	free(ms->pool.items);
	free(ms);
}

/* --- The SM's side --- */

bool memsys_can_send(const struct memsys *ms, unsigned sm, uint64_t cycle, const struct mem_request *request)
{
	(void)request;
	return !(cycle >= ms->hold_from && cycle < ms->hold_until) && network_can_send(&ms->requests, sm, cycle);
}

void memsys_send(struct memsys *ms, unsigned sm, uint64_t cycle, const struct mem_request *request)
{
	uint32_t packet = transaction_new(&ms->pool);
	struct transaction *x = &ms->pool.items[packet];
	uint32_t payload = request->kind == MEM_READ ? 0 : request->bytes;

	x->request = *request;
	x->request.sm = (uint16_t)sm;
	x->request.issued = cycle;
	x->place = address_map_place(&ms->map, request->line);
	x->cluster = (uint8_t)(sm / ms->sms_per_router);
	x->flits = (uint8_t)(1 + (payload + ms->config.noc.channel_bytes - 1) / ms->config.noc.channel_bytes);
	ms->sent++;
	network_send(&ms->requests, sm, cycle, packet, x->place.mc);
}

const uint64_t *memsys_replies(const struct memsys *ms)
{
	return ms->replies.arrivals.awake;
}

bool memsys_receive(struct memsys *ms, unsigned sm, uint64_t cycle, struct mem_request *reply)
{
	uint32_t packet;
	uint64_t latency;

	if (!bits_has(ms->replies.arrivals.awake, sm))
		return false;
	packet = network_take(&ms->replies, sm, cycle);
	if (packet == NO_TRANSACTION)
		return false;
	*reply = ms->pool.items[packet].request;
	latency = cycle - reply->issued;
	ms->round_trip_cycles += latency;
	ms->round_trip_max = latency > ms->round_trip_max ? latency : ms->round_trip_max;
	ms->finished++;
	transaction_free(&ms->pool, packet);
	return true;
}

/* --- Boundaries --- */

static bool slices_idle(const struct memsys *ms)
{
	return !wakeups_any(&ms->common.wakeups) && !wakeups_any(&ms->requests.arrivals);
}

static bool controllers_empty(const struct memsys *ms)
{
	for (unsigned i = 0; i < ms->config.noc.mc_routers; i++)
		if (!controller_is_empty(&ms->controllers[i]))
			return false;
	return true;
}

bool memsys_is_drained(const struct memsys *ms)
{
	return slices_idle(ms) && controllers_empty(ms) && network_is_idle(&ms->requests) &&
	       network_is_idle(&ms->replies);
}

static void start_boundary(struct memsys *ms, uint64_t cycle, const struct llc_orders *orders)
{
	if (!orders->reorganise && orders->work == LLC_WORK_NONE)
		return;
	if (ms->boundary == BOUNDARY_NONE)
		ms->boundary_from = cycle;
	ms->boundary = BOUNDARY_DRAIN;
	ms->orders.reorganise |= orders->reorganise;
	ms->orders.work = orders->work > ms->orders.work ? orders->work : ms->orders.work;
	ms->hold_from = cycle + 1;
	ms->hold_until = UINT64_MAX;
	ms->flushes++;
}

static void end_boundary(struct memsys *ms, uint64_t cycle)
{
	const struct llc_policy_ops *policy = ms->common.policy;

	if (ms->orders.reorganise && policy->reorganised)
		policy->reorganised(ms->common.policy_state, cycle);
	ms->orders = (struct llc_orders){0};
	ms->boundary = BOUNDARY_NONE;
	ms->hold_until = cycle + 1;
	ms->flush_cycles += cycle - ms->boundary_from;
}

static void advance_boundary(struct memsys *ms, uint64_t cycle)
{
	if (cycle <= ms->hold_from)
		return;
	if (ms->boundary == BOUNDARY_DRAIN && memsys_is_drained(ms)) {
		ms->boundary = BOUNDARY_WORK;
		for (unsigned i = 0; i < ms->nslices; i++)
			llc_slice_start_work(&ms->slices[i], ms->orders.work, cycle);
	} else if (ms->boundary == BOUNDARY_WORK && memsys_is_drained(ms)) {
		end_boundary(ms, cycle);
	}
}

static bool any_slice_has_work(const struct memsys *ms, enum llc_work work)
{
	for (unsigned i = 0; i < ms->nslices; i++)
		if (llc_slice_has_work(&ms->slices[i], work))
			return true;
	return false;
}

void memsys_kernel_begin(struct memsys *ms, uint64_t cycle, bool has_atomics)
{
	struct llc_orders orders = {0};

	if (ms->common.values)
		values_kernel(ms->common.values);
	if (!ms->common.policy->kernel_begin)
		return;
	ms->common.policy->kernel_begin(ms->common.policy_state, cycle, has_atomics, &orders);
	ask_policy(ms);
	if (!orders.reorganise && !any_slice_has_work(ms, orders.work))
		return;
	start_boundary(ms, cycle, &orders);
	ms->hold_from = cycle; /* nothing is in flight, so no SM can have seen room in this cycle */
}

void memsys_kernel_end(struct memsys *ms, uint64_t cycle)
{
	struct llc_orders orders = {0};

	if (!ms->common.policy->kernel_end)
		return;
	ms->common.policy->kernel_end(ms->common.policy_state, cycle, &orders);
	ask_policy(ms);
	start_boundary(ms, cycle, &orders);
}

/* --- The cycle --- */

static void tick_policy(struct memsys *ms, uint64_t cycle)
{
	const struct llc_policy_ops *policy = ms->common.policy;
	struct llc_orders orders = {0};

	if (cycle >= ms->policy_next)
		policy->tick(ms->common.policy_state, cycle, &orders);
	start_boundary(ms, cycle, &orders);
	if (ms->boundary != BOUNDARY_NONE)
		advance_boundary(ms, cycle);
	ask_policy(ms);
}

static void tick_slice(struct memsys *ms, unsigned i, uint64_t cycle)
{
	llc_slice_tick(&ms->slices[i], cycle);
	wakeups_set(&ms->common.wakeups, i, llc_slice_next(&ms->slices[i], cycle));
}

static void tick_slices(struct memsys *ms, uint64_t cycle, bool reverse)
{
	const struct wakeups *wakeups = &ms->common.wakeups;

	for (unsigned w = 0; w < wakeups->words; w++) {
		unsigned word = reverse ? wakeups->words - 1 - w : w;
		uint64_t arrived = ms->requests.arrivals.awake[word], rest = wakeups->awake[word] | arrived;

		while (rest) {
			unsigned bit = (unsigned)(reverse ? 63 - __builtin_clzll(rest) : __builtin_ctzll(rest));

			rest &= ~(UINT64_C(1) << bit);
			if (arrived >> bit & 1 || wakeups->at[word * 64 + bit] <= cycle)
				tick_slice(ms, word * 64 + bit, cycle);
		}
	}
}

static void tick_controllers(struct memsys *ms, uint64_t cycle, bool reverse)
{
	uint64_t before = cycle ? dram_clock_at(&ms->clock, cycle - 1) : 0, clock = dram_clock_at(&ms->clock, cycle);

	for (unsigned i = 0; i < ms->config.noc.mc_routers; i++) {
		struct controller *c = &ms->controllers[reverse ? ms->config.noc.mc_routers - 1 - i : i];

		if (!controller_is_empty(c))
			controller_tick(c, cycle, before, clock, reverse);
	}
}

void memsys_tick(struct memsys *ms, uint64_t cycle, bool reverse)
{
	if (cycle >= ms->policy_next || ms->boundary != BOUNDARY_NONE)
		tick_policy(ms, cycle);
	if (!reverse) {
		network_tick(&ms->requests, cycle, false);
		tick_slices(ms, cycle, false);
		tick_controllers(ms, cycle, false);
		network_tick(&ms->replies, cycle, false);
	} else {
		network_tick(&ms->replies, cycle, true);
		tick_controllers(ms, cycle, true);
		tick_slices(ms, cycle, true);
		network_tick(&ms->requests, cycle, true);
	}
}

uint64_t memsys_next_event(const struct memsys *ms, uint64_t cycle)
{
	const struct wakeups *wakeups = &ms->common.wakeups;
	uint64_t next = UINT64_MAX;
	unsigned i;

	if (ms->boundary != BOUNDARY_NONE || wakeups_any(&ms->requests.arrivals) ||
	    wakeups_any(&ms->replies.arrivals) || !network_is_idle(&ms->requests) || !network_is_idle(&ms->replies))
		return cycle + 1;
	for (unsigned w = 0; w < wakeups->words; w++)
		BITS_FOR_EACH(i, wakeups->awake[w], w * 64) {
			uint64_t slice = wakeups->at[i] > cycle ? wakeups->at[i] : cycle + 1;

			next = slice < next ? slice : next;
		}
	for (i = 0; i < ms->config.noc.mc_routers && next > cycle + 1; i++) {
		uint64_t controller = controller_next(&ms->controllers[i], cycle);

		next = controller < next ? controller : next;
	}
	return next;
}

bool memsys_is_empty(const struct memsys *ms)
{
	return !ms->pool.used && ms->boundary == BOUNDARY_NONE && memsys_is_drained(ms);
}
