/* Builds a chip, routes what its networks carry, and ticks its parts. */
#include "sim-backend/memory/chip.h"

#include "sim-backend/memory/unloaded.h"

#include <string.h>

/* --- Gates --- */

/*
 * Gates are dealt out over the groups of a network's sinks, behind the places of its slices or SMs; where links arrive,
 * over the groups of its sources.
 */
static unsigned gate_router(unsigned gate, unsigned routers)
{
	return gate % routers;
}

static unsigned gate_port(unsigned gate, unsigned routers, unsigned first)
{
	return first + gate / routers;
}

unsigned chip_request_gate(const struct chip *c, unsigned gate)
{
	const struct memsys_config *config = &c->shared->config;
	unsigned routers = config->noc.mc_routers;

	return gate_router(gate, routers) * c->slice_places + gate_port(gate, routers, config->llc.slices_per_mc);
}

unsigned chip_reply_gate(const struct chip *c, unsigned gate)
{
	unsigned routers = c->shared->config.noc.sm_routers;

	return gate_router(gate, routers) * c->sm_places + gate_port(gate, routers, c->sms_per_router);
}

unsigned chip_incoming_source(const struct chip *c, unsigned gate)
{
	unsigned routers = c->shared->config.noc.sm_routers;

	return gate_router(gate, routers) * shape_gate_places(&c->shared->shape, routers) + gate_port(gate, routers, 0);
}

unsigned chip_returning_source(const struct chip *c, unsigned gate)
{
	unsigned routers = c->shared->config.noc.mc_routers;

	return gate_router(gate, routers) * shape_gate_places(&c->shared->shape, routers) + gate_port(gate, routers, 0);
}

/* --- Routes --- */

static unsigned gate_towards(const struct chip *c, const struct transaction *x, unsigned chip)
{
	return link_gate(&c->shared->layout, c->number, chip, x->request.line >> c->common.geometry.line_shift);
}

static struct llc_origin origin_of(const struct transaction *x)
{
	return (struct llc_origin){x->from, x->cluster, x->home, x->place.slice};
}

/* A request leaves its SM's queue: its page has an owner by now, and the policy names the chip. */
static void choose_chip(struct chip *c, struct transaction *x)
{
	const struct llc_chips_ops *chips = c->shared->policy->chips;
	struct llc_route route;

	x->home = (uint8_t)page_table_chip(&c->shared->pages, x->request.line);
	route = c->shared->policy->route(c->common.policy_state, origin_of(x), &x->request);
	x->to = route.chip;
	x->bypass = route.bypass;
	if (chips && chips->departs)
		chips->departs(c->common.policy_state, origin_of(x), x->place.mc, &x->request);
	c->local_requests += x->to == c->number;
	c->remote_requests += x->to != c->number;
}

static unsigned choose_slice(struct chip *c, const struct transaction *x)
{
	const struct llc_policy_ops *policy = c->shared->policy;

	if (policy->observe)
		policy->observe(c->common.policy_state, x->place.mc, x->cluster, x->place.slice, &x->request);
	return policy->route(c->common.policy_state, origin_of(x), &x->request).slice;
}

/* The group of sinks of the request network. */
static unsigned group_of_request(void *context, uint32_t packet)
{
	struct chip *c = context;
	struct transaction *x = &c->shared->pool.items[packet];

	choose_chip(c, x);
	if (x->to == c->number)
		return x->place.mc;
	return gate_router(gate_towards(c, x, x->to), c->shared->config.noc.mc_routers);
}

static unsigned member_of_request(void *context, uint32_t packet)
{
	struct chip *c = context;
	const struct transaction *x = &c->shared->pool.items[packet];
	const struct memsys_config *config = &c->shared->config;

	if (x->to == c->number)
		return choose_slice(c, x);
	return gate_port(gate_towards(c, x, x->to), config->noc.mc_routers, config->llc.slices_per_mc);
}

/* The group of a reply for another chip; slices know the clusters of this chip. */
static unsigned group_of_reply(void *context, uint32_t packet)
{
	const struct chip *c = context;
	const struct transaction *x = &c->shared->pool.items[packet];

	return gate_router(gate_towards(c, x, x->from), c->shared->config.noc.sm_routers);
}

static unsigned member_of_reply(void *context, uint32_t packet)
{
	const struct chip *c = context;
	const struct transaction *x = &c->shared->pool.items[packet];

	if (x->from == c->number)
		return x->request.sm % c->sms_per_router;
	return gate_port(gate_towards(c, x, x->from), c->shared->config.noc.sm_routers, c->sms_per_router);
}

/* --- Creation --- */

/* Bandwidth of a chip's networks: of the channels at the SMs or at the slices, whichever are fewer. */
static double noc_bytes_per_cycle(const struct noc_config *c, const struct shape *shape)
{
	unsigned slices = shape_slices(shape), sms = shape->sms;
	double clock = c->clock_mhz ? (double)c->clock_mhz / shape->core_mhz : 1;

	return (sms < slices ? sms : slices) * c->channel_bytes * clock;
}

bool chips_have_directories(const struct chip_shared *shared)
{
	return shared->layout.gates && shared->policy->chips && shared->config.chips.coherence == COHERENCE_HARDWARE;
}

static struct llc_geometry geometry_of(const struct chip_shared *shared, unsigned chip)
{
	const struct memsys_config *c = &shared->config;
	const struct shape *shape = &shared->shape;
	const struct llc_config *llc = &c->llc;

	return (struct llc_geometry){
	    .chip = chip,
	    .chips = shape->chips,
	    .sms = shape->sms,
	    .clusters = shape->sm_routers,
	    .mcs = shape->mcs,
	    .slices = shape->slices_per_mc,
	    .sets = llc->kilobytes * 1024 / (shape_slices(shape) * llc->ways * llc->line_bytes),
	    .ways = llc->ways,
	    .channels = shape_channels(shape),
	    .line_bytes = llc->line_bytes,
	    .line_shift = (unsigned)__builtin_ctz(llc->line_bytes),
	    .sectors = llc->sectored ? llc->line_bytes / MEM_SECTOR_BYTES : 1,
	    .address_bits = c->map.address_bits,
	    .slice_bytes_per_cycle =
		llc->clock_mhz ? (double)llc->port_bytes * llc->clock_mhz / c->core_mhz : llc->port_bytes,
	    .memory_bytes_per_cycle = dram_peak_gbs(&c->dram, shape_channels(shape)) * 1e3 / c->core_mhz,
	    .row_bursts = dram_row_clocks(&c->dram) / c->dram.burst_clocks,
	    .noc_bytes_per_cycle = noc_bytes_per_cycle(&c->noc, shape),
	    .link_bytes_per_cycle = shape->chips * shape->gates * link_peak_bytes(&c->chips, c->core_mhz),
	    .mean_hops = link_mean_hops(&shared->layout),
	    .link_header_bytes = c->chips.header_bytes,
	    .unloaded = unloaded_of(c),
	};
}

static void create_network(struct chip *c, struct network *n, bool to_memory,
			   unsigned (*member)(void *context, uint32_t packet))
{
	const struct chip_shared *shared = c->shared;
	const struct noc_config *noc = &shared->config.noc;
	struct noc_ends ends = memsys_noc_ends(&shared->config, to_memory);

	if (n == &c->incoming || n == &c->returning)
		noc_create_from_links(n, noc, &shared->shape, to_memory, &ends, member, c, &c->shared->pool);
	else
		noc_create(n, noc, &shared->shape, to_memory, &ends, member, c, &c->shared->pool);
}

static void create_networks(struct chip *c)
{
	create_network(c, &c->requests, true, member_of_request);
	create_network(c, &c->replies, false, member_of_reply);
	if (!c->shared->layout.gates)
		return;
	network_ask_group(&c->requests, group_of_request);
	network_ask_group(&c->replies, group_of_reply);
	create_network(c, &c->incoming, true, member_of_request);
	create_network(c, &c->returning, false, member_of_reply);
}

static void init_common(struct chip *c)
{
	struct chip_shared *shared = c->shared;
	unsigned sectors = shared->config.llc.line_bytes / MEM_SECTOR_BYTES;
	bool alone = !shared->layout.gates;

	c->common = (struct llc_common){
	    .config = &shared->config.llc,
	    .geometry = geometry_of(shared, c->number),
	    .burst_bytes = shared->config.dram.burst_bytes,
	    .channel_bytes = shared->config.noc.channel_bytes,
	    .reply_header = shared->config.noc.reply_header,
	    .one_network = shared->config.chips.networks == NETWORKS_ONE,
	    .chip = c->number,
	    .map = &shared->map,
	    .pool = &shared->pool,
	    .requests = &c->requests,
	    .incoming = alone ? NULL : &c->incoming,
	    .pages = alone ? NULL : &shared->pages,
	    .replies = &c->replies,
	    .policy = shared->policy,
	    .noc = &shared->noc,
	    .llc = &shared->llc,
	    .slower = shared->llc.slower,
	    .coherent = chips_have_directories(shared),
	    .all_sectors = (uint8_t)((1u << sectors) - 1),
	    .structures = shared->structures,
	};
	c->common.geometry.coherent = c->common.coherent;
	wakeups_init(&c->common.wakeups, shared->config.noc.mc_routers * c->slice_places, true);
}

/* A controller's port for each link: requests from the link go in, data for the link's far end comes out. */
static void connect_links(struct chip *c, unsigned mc)
{
	struct controller *controller = &c->controllers[mc];
	unsigned gates = c->shared->layout.gates, per_mc = c->shared->config.llc.slices_per_mc;

	for (unsigned g = 0; g < gates; g++) {
		struct dram_port *out = &c->far_data[mc * gates + g];

		port_init(out, llc_fill_room(&c->shared->config.llc), wakeup_of(&c->far_answering, mc * gates + g));
		controller_connect(controller, per_mc + g, out);
	}
}

static void create_far_ports(struct chip *c)
{
	const struct memsys_config *config = &c->shared->config;
	unsigned data = config->noc.mc_routers * c->shared->layout.gates;

	wakeups_init(&c->far_asking, c->nslices, false);
	wakeups_init(&c->far_answering, data, false);
	c->far_out = xcalloc(c->nslices, sizeof *c->far_out);
	c->far_data = xcalloc(data, sizeof *c->far_data);
	c->far_out_at = xcalloc(c->nslices, sizeof *c->far_out_at);
	c->far_fill_at = xcalloc(c->nslices, sizeof *c->far_fill_at);
	c->note_at = xcalloc(c->nslices, sizeof *c->note_at);
	for (unsigned i = 0; i < c->nslices; i++) {
		port_init(&c->far_out[i], config->llc.dram_queue, wakeup_of(&c->far_asking, i));
		c->far_out_at[i] = c->far_fill_at[i] = c->note_at[i] = UINT64_MAX;
	}
}

/*
 * A request of another chip's slice is looked up when it leaves its port, so the port has room for all that may be on
 * their way.
 */
static void create_home_ports(struct chip *c)
{
	const struct llc_config *config = &c->shared->config.llc;

	wakeups_init(&c->home_answering, c->nslices, false);
	c->home_out = xcalloc(c->nslices, sizeof *c->home_out);
	c->home_out_at = xcalloc(c->nslices, sizeof *c->home_out_at);
	c->asked_at = xcalloc(c->nslices, sizeof *c->asked_at);
	for (unsigned i = 0; i < c->nslices; i++) {
		struct llc_slice *s = &c->slices[i];

		port_init(&c->home_out[i], config->fill_queue, wakeup_of(&c->home_answering, i));
		port_init(&s->asked, config->latency + config->input_queue, wakeup_of(&c->common.wakeups, s->sink));
		s->to_askers = &c->home_out[i];
		c->home_out_at[i] = c->asked_at[i] = UINT64_MAX;
	}
}

static void release_home_ports(struct chip *c)
{
	for (unsigned i = 0; i < c->nslices; i++)
		port_release(&c->home_out[i]);
	wakeups_release(&c->home_answering);
	xfree(c->home_out);
	xfree(c->home_out_at);
	xfree(c->asked_at);
}

static void create_slices(struct chip *c)
{
	const struct memsys_config *config = &c->shared->config;
	unsigned per_mc = config->llc.slices_per_mc, sinks = config->noc.mc_routers * c->slice_places;
	struct dram_ends ends = memsys_dram_ends(config);

	c->slices = xcalloc(c->nslices, sizeof *c->slices);
	c->slice_at = xcalloc(sinks, sizeof *c->slice_at);
	c->slice_sinks = xcalloc(bits_words(sinks), sizeof *c->slice_sinks);
	c->controllers = xcalloc(config->noc.mc_routers, sizeof *c->controllers);
	if (c->common.coherent)
		c->directories = xcalloc(config->noc.mc_routers, sizeof *c->directories);
	for (unsigned mc = 0; mc < config->noc.mc_routers; mc++) {
		struct controller *controller = &c->controllers[mc];

		controller_init(controller, &config->dram, &ends, &c->shared->shape, &c->shared->clock);
		controller_charge(controller, c->shared->structures);
		if (c->directories)
			directory_init(&c->directories[mc], &config->chips, &c->shared->shape, &c->shared->map,
				       &c->shared->layout, controller, c->number);
		for (unsigned i = 0; i < per_mc; i++) {
			struct llc_slice *slice = &c->slices[mc * per_mc + i];
			unsigned sink = mc * c->slice_places + i;

			llc_slice_init(slice, &c->common, mc, i, sink, &chip_memory_ports(c, mc)[i],
				       c->far_out ? &c->far_out[mc * per_mc + i] : NULL);
			controller_connect(controller, i, &slice->fills);
			c->slice_at[sink] = slice;
			bits_set(c->slice_sinks, sink);
		}
		connect_links(c, mc);
	}
}

void chip_init(struct chip *c, struct chip_shared *shared, unsigned number)
{
	const struct shape *shape = &shared->shape;
	unsigned gates = shared->layout.gates;

	memset(c, 0, sizeof *c);
	c->shared = shared;
	c->number = number;
	c->nsms = shape->sms;
	c->nslices = shape_slices(shape);
	c->sms_per_router = shape->sms / shape->sm_routers;
	c->slice_places = shape->slices_per_mc + shape_gate_places(shape, shape->mcs);
	c->sm_places = c->sms_per_router + shape_gate_places(shape, shape->sm_routers);
	create_networks(c);
	init_common(c);
	if (gates)
		create_far_ports(c);
	create_slices(c);
	if (gates && shared->policy->chips && shared->policy->chips->asks_home && !c->common.coherent)
		create_home_ports(c);
	c->common.policy_state = shared->policy->create(&c->common.geometry, shared->policy_knobs);
	chip_ask_policy(c);
}

static void release_far_side(struct chip *c)
{
	network_release(&c->incoming);
	network_release(&c->returning);
	for (unsigned i = 0; i < c->nslices; i++)
		port_release(&c->far_out[i]);
	for (unsigned i = 0; i < c->shared->config.noc.mc_routers * c->shared->layout.gates; i++)
		port_release(&c->far_data[i]);
	wakeups_release(&c->far_asking);
	wakeups_release(&c->far_answering);
	xfree(c->far_out);
	xfree(c->far_data);
	xfree(c->far_out_at);
	xfree(c->far_fill_at);
	xfree(c->note_at);
}

void chip_release(struct chip *c)
{
	c->shared->policy->destroy(c->common.policy_state);
	for (unsigned i = 0; i < c->nslices; i++)
		llc_slice_release(&c->slices[i]);
	for (unsigned i = 0; i < c->shared->config.noc.mc_routers; i++)
		controller_release(&c->controllers[i]);
	for (unsigned i = 0; c->directories && i < c->shared->config.noc.mc_routers; i++)
		directory_release(&c->directories[i]);
	xfree(c->directories);
	network_release(&c->requests);
	network_release(&c->replies);
	if (c->shared->layout.gates)
		release_far_side(c);
	if (c->home_out)
		release_home_ports(c);
	xfree(c->slices);
	xfree(c->slice_at);
	xfree(c->slice_sinks);
	xfree(c->controllers);
	wakeups_release(&c->common.wakeups);
}

void chip_ask_policy(struct chip *c)
{
	const struct llc_policy_ops *policy = c->shared->policy;

	c->policy_next = policy->next_tick ? policy->next_tick(c->common.policy_state) : UINT64_MAX;
	c->common.write_through = policy->write_through && policy->write_through(c->common.policy_state);
	c->common.parts_ways = policy->chips && policy->chips->remote_ways;
	if (c->common.parts_ways)
		c->common.remote_ways = policy->chips->remote_ways(c->common.policy_state);
	if (c->home_out && policy->chips)
		c->common.asks_home = policy->chips->asks_home(c->common.policy_state);
}

void chip_add_activity(const struct chip *c, uint64_t cycle, struct llc_activity *to)
{
	const struct memsys_config *config = &c->shared->config;

	for (unsigned i = 0; i < c->nslices; i++)
		to->request_cycles -= c->slices[i].ended * cycle - c->slices[i].ended_cycles;
	for (unsigned mc = 0; mc < config->noc.mc_routers; mc++)
		for (unsigned i = 0; i < config->dram.channels_per_mc; i++) {
			const struct dram_stats *s = &c->controllers[mc].channels[i].stats;

			to->bursts += s->read_bursts + s->write_bursts;
			to->rows_opened += s->activates;
		}
}

/* --- The cycle --- */

static inline void tick_slice(struct chip *c, unsigned sink, uint64_t clock)
{
	struct llc_slice *s = c->slice_at[sink];

	llc_slice_tick(s, clock);
	wakeups_set(&c->common.wakeups, sink, domain_cycle(&c->shared->llc, llc_slice_next(s, clock)));
}

static void tick_slices(struct chip *c, uint64_t now, bool reverse)
{
	const struct wakeups *wakeups = &c->common.wakeups;
	uint64_t clock = domain_clock(&c->shared->llc, now);

	if (!domain_ticks(&c->shared->llc, now))
		return;
	for (unsigned w = 0; w < wakeups->words; w++) {
		unsigned word = reverse ? wakeups->words - 1 - w : w;
		uint64_t arrived = c->requests.arrivals.awake[word] & c->slice_sinks[word], rest;

		if (c->common.incoming)
			arrived |= c->incoming.arrivals.awake[word];
		rest = wakeups->awake[word] | arrived;
		while (rest) {
			unsigned bit = (unsigned)(reverse ? 63 - __builtin_clzll(rest) : __builtin_ctzll(rest));

			rest &= ~(UINT64_C(1) << bit);
			if (arrived >> bit & 1 || wakeups->at[word * 64 + bit] <= now)
				tick_slice(c, word * 64 + bit, clock);
		}
	}
}

static void tick_controllers(struct chip *c, uint64_t now, bool reverse)
{
	const struct dram_clock *d = &c->shared->clock;
	uint64_t before = now ? dram_clock_at(d, now - 1) : 0, clock = dram_clock_at(d, now);
	unsigned count = c->shared->config.noc.mc_routers;

	for (unsigned i = 0; i < count; i++) {
		struct controller *controller = &c->controllers[reverse ? count - 1 - i : i];

		if (!controller_is_empty(controller))
			controller_tick(controller, now, before, clock, reverse);
	}
}

static void tick_directories(struct chip *c, uint64_t now)
{
	for (unsigned i = 0; c->directories && i < c->shared->config.noc.mc_routers; i++)
		if (!directory_is_idle(&c->directories[i]))
			directory_tick(&c->directories[i], now);
}

static bool directories_busy(const struct chip *c)
{
	for (unsigned i = 0; c->directories && i < c->shared->config.noc.mc_routers; i++)
		if (!directory_is_idle(&c->directories[i]) || c->directories[i].out_count)
			return true;
	return false;
}

/* Both bring requests to the MC-routers, where a policy sees the requests of the chip's own SMs first. */
static void tick_requests(struct chip *c, uint64_t now, bool reverse)
{
	uint64_t clock = c->common.noc_clock;

	if (!domain_ticks(&c->shared->noc, now))
		return;
	c->requests.cycle = now;
	network_tick(&c->requests, clock, reverse);
	if (c->common.incoming)
		network_tick(&c->incoming, clock, reverse);
}

void chip_tick_replies(struct chip *c, uint64_t now, bool reverse)
{
	uint64_t clock = domain_clock(&c->shared->noc, now);

	if (!domain_ticks(&c->shared->noc, now))
		return;
	c->replies.cycle = now;
	network_tick(&c->replies, clock, reverse);
	if (c->common.incoming)
		network_tick(&c->returning, clock, reverse);
}

void chip_tick(struct chip *c, uint64_t now, bool reverse)
{
	c->common.cycle = now;
	c->common.noc_clock = domain_clock(&c->shared->noc, now);
	if (!reverse) {
		tick_requests(c, now, false);
		tick_slices(c, now, false);
		tick_directories(c, now);
		tick_controllers(c, now, false);
		if (!c->common.box)
			chip_tick_replies(c, now, false);
	} else {
		if (!c->common.box)
			chip_tick_replies(c, now, true);
		tick_controllers(c, now, true);
		tick_directories(c, now);
		tick_slices(c, now, true);
		tick_requests(c, now, true);
	}
}

/* Whether a network of the chip carries a packet, or has brought a packet that nobody has taken. */
static bool networks_busy(const struct chip *c)
{
	if (wakeups_any(&c->requests.arrivals) || wakeups_any(&c->replies.arrivals) || !network_is_idle(&c->requests) ||
	    !network_is_idle(&c->replies))
		return true;
	return c->common.incoming && (wakeups_any(&c->incoming.arrivals) || wakeups_any(&c->returning.arrivals) ||
				      !network_is_idle(&c->incoming) || !network_is_idle(&c->returning));
}

static bool far_ports_busy(const struct chip *c)
{
	if (c->home_out && wakeups_any(&c->home_answering))
		return true;
	return c->far_out && (wakeups_any(&c->far_asking) || wakeups_any(&c->far_answering));
}

uint64_t chip_next(const struct chip *c, uint64_t now)
{
	const struct wakeups *wakeups = &c->common.wakeups;
	uint64_t next = UINT64_MAX;
	unsigned i;

	if (networks_busy(c) || far_ports_busy(c) || directories_busy(c))
		return now + 1;
	for (unsigned w = 0; w < wakeups->words; w++)
		BITS_FOR_EACH(i, wakeups->awake[w], w * 64) {
			uint64_t slice = wakeups->at[i] > now ? wakeups->at[i] : now + 1;

			next = slice < next ? slice : next;
		}
	for (i = 0; i < c->shared->config.noc.mc_routers && next > now + 1; i++) {
		uint64_t controller = controller_next(&c->controllers[i], now);

		next = controller < next ? controller : next;
	}
	return next;
}

static bool slices_idle(const struct chip *c)
{
	return !wakeups_any(&c->common.wakeups) && !wakeups_any(&c->requests.arrivals) &&
	       !(c->common.incoming && wakeups_any(&c->incoming.arrivals));
}

/* Replies for other chips that wait at a gate keep the reply network's sinks awake. Replies for SMs may wait. */
static bool replies_wait_at_gates(const struct chip *c)
{
	for (unsigned g = 0; g < c->shared->layout.gates; g++)
		if (bits_has(c->replies.arrivals.awake, chip_reply_gate(c, g)))
			return true;
	return false;
}

static bool controllers_empty(const struct chip *c)
{
	for (unsigned i = 0; i < c->shared->config.noc.mc_routers; i++)
		if (!controller_is_empty(&c->controllers[i]))
			return false;
	return true;
}

bool chip_is_drained(const struct chip *c)
{
	return slices_idle(c) && !far_ports_busy(c) && !directories_busy(c) && controllers_empty(c) &&
	       network_is_idle(&c->requests) && network_is_idle(&c->replies) && !replies_wait_at_gates(c) &&
	       (!c->common.incoming || (network_is_idle(&c->incoming) && network_is_idle(&c->returning)));
}
