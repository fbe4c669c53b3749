/* The memory system put together: chips, links and the page table, boundaries, and what happens in a cycle. */
#include "sim-backend/memory/memsys_internal.h"

#include "sim-backend/memory/request_log.h"
#include "sim-backend/memory/sharing.h"
#include "sim-backend/base/units.h"
#include "sim-backend/memory/versions.h"

#include <string.h>

/* --- Creation --- */

static void create_chips(struct memsys *ms)
{
	unsigned per_chip = ms->shared.config.sms / ms->count;

	ms->chips = xcalloc_lines(ms->count, sizeof *ms->chips);
	for (unsigned i = 0; i < ms->count; i++)
		chip_init(&ms->chips[i], &ms->shared, i);
	for (unsigned i = 0; ms->count > 1 && i < ms->count; i++)
		ms->chips[i].common.responses = ms->responses;
	ms->ports = xcalloc(ms->shared.config.sms, sizeof *ms->ports);
	for (unsigned sm = 0; sm < ms->shared.config.sms; sm++) {
		struct chip *c = &ms->chips[sm / per_chip];

		ms->ports[sm] =
		    (struct sm_port){c, (uint16_t)(sm % per_chip), (uint16_t)chip_sm_sink(c, sm % per_chip)};
	}
}

static void create_links(struct memsys *ms)
{
	const struct link_layout *l = &ms->shared.layout;

	ms->links = xcalloc(ms->count * l->gates + 1, sizeof *ms->links);
	for (unsigned chip = 0; chip < ms->count; chip++)
		for (unsigned g = 0; g < l->gates; g++)
			link_init(&ms->links[ms->nlinks++], &ms->shared.config.chips, ms->shared.config.core_mhz, chip,
				  link_neighbour(l, chip, g / l->lanes), g);
}

static void *copy_of(const void *knobs, size_t size)
{
	void *copy = NULL;

	if (size) {
		copy = xmalloc(size);
		memcpy(copy, knobs, size);
	}
	return copy;
}

static void init_shared(struct chip_shared *s, const struct memsys_config *config, const struct llc_policy_ops *policy,
			const void *policy_knobs, unsigned nstructures)
{
	s->config = *config;
	s->shape = memsys_shape(config);
	s->layout = link_layout_of(&config->chips);
	s->pool.free = NO_TRANSACTION;
	s->clock =
	    dram_clock_of(dram_hertz(&config->dram, shape_channels(&s->shape)), (uint64_t)config->core_mhz * 1000000);
	s->noc = domain_of(config->noc.clock_mhz, config->core_mhz);
	s->llc = domain_of(config->llc.clock_mhz, config->core_mhz);
	s->policy = policy;
	s->policy_knobs = copy_of(policy_knobs, policy->knobs_size);
	s->structures = xcalloc_lines(nstructures, sizeof *s->structures);
	address_map_init(&s->map, &config->map, &s->shape);
	page_table_init(&s->pages, config->chips.count, config->map.page_bytes,
			(enum page_owner)config->chips.pages); /* the same words in the same order */
}

struct memsys *memsys_create(const struct memsys_config *config, const struct llc_policy_ops *policy,
			     const void *policy_knobs, unsigned nstructures)
{
	struct memsys *ms = xcalloc_lines(1, sizeof *ms);
	unsigned channels = config->chips.count * config->noc.mc_routers * config->dram.channels_per_mc;

	ms->count = config->chips.count;
	ms->nslices = ms->count * config->noc.mc_routers * config->llc.slices_per_mc;
	ms->hold_from = ms->hold_until = UINT64_MAX;
	ms->stats.nstructures = nstructures ? nstructures : 1;
	init_shared(&ms->shared, config, policy, policy_knobs, ms->stats.nstructures);
	create_chips(ms);
	create_links(ms);
	ms->tlbs = tlbs_create(&ms->shared.config.tlb, config->sms, ms->count);
	ms->replies = xcalloc(bits_words(config->sms), sizeof *ms->replies);
	memsys_measure(ms);
	ms->stats.nslices = ms->nslices;
	ms->stats.nchannels = channels;
	ms->stats.nbanks = config->dram.banks;
	ms->stats.slices = ms->slice_stats = xcalloc(ms->nslices, sizeof *ms->slice_stats);
	ms->stats.channels = ms->channel_stats = xcalloc(channels, sizeof *ms->channel_stats);
	ms->stats.banks = ms->bank_stats = xcalloc(channels * config->dram.banks, sizeof *ms->bank_stats);
	ms->stats.structures = ms->shared.structures;
	ms->stats.nchips = ms->count;
	ms->stats.responses_of = ms->responses;
	if (ms->count > 1 && config->chips.working_set)
		ms->working_set = working_set_create(config->llc.line_bytes, config->map.page_bytes);
	return ms;
}

void memsys_follow_versions(struct memsys *ms)
{
	ms->versions = versions_create();
	if (chips_have_directories(&ms->shared))
		versions_are_ordered(ms->versions);
	for (unsigned n = 0; n < ms->count; n++) {
		struct chip *c = &ms->chips[n];

		c->common.versions = ms->versions;
		for (unsigned i = 0; i < ms->shared.config.noc.mc_routers; i++)
			for (unsigned k = 0; k < ms->shared.config.dram.channels_per_mc; k++)
				c->controllers[i].channels[k].versions = ms->versions;
	}
}

void memsys_watch_sharing(struct memsys *ms)
{
	ms->sharing = sharing_create(ms->shared.config.sms);
}

void memsys_free(struct memsys *ms)
{
	if (!ms)
		return;
	for (unsigned i = 0; i < ms->count; i++)
		chip_release(&ms->chips[i]);
	for (unsigned i = 0; i < ms->nlinks; i++)
		link_release(&ms->links[i]);
	versions_free(ms->versions);
	sharing_free(ms->sharing);
	working_set_free(ms->working_set);
	tlbs_free(ms->tlbs);
	memsys_free_boxes(ms);
	page_table_release(&ms->shared.pages);
	xfree(ms->shared.policy_knobs);
	xfree(ms->shared.structures);
	xfree(ms->shared.pool.items);
	xfree(ms->chips);
	xfree(ms->links);
	xfree(ms->ports);
	xfree(ms->replies);
	xfree(ms->slice_stats);
	xfree(ms->channel_stats);
	xfree(ms->bank_stats);
	xfree(ms->policy_totals);
	xfree(ms);
}

/* --- The SM's side --- */

static bool network_has_room(const struct memsys *ms, unsigned sm, uint64_t cycle)
{
	const struct sm_port *port = &ms->ports[sm];

	return network_can_send(&port->chip->requests, port->source, domain_clock(&ms->shared.noc, cycle));
}

bool memsys_has_room(const struct memsys *ms, unsigned sm, uint64_t cycle)
{
	return ms->tlbs ? tlb_can_take(ms->tlbs, sm, cycle) : network_has_room(ms, sm, cycle);
}

bool memsys_can_send(const struct memsys *ms, unsigned sm, uint64_t cycle)
{
	if (ms->boxes)
		return !bits_has(ms->boxes->blocked, sm);
	return !memsys_is_held(ms, cycle) && memsys_has_room(ms, sm, cycle);
}

static uint8_t request_flits(const struct noc_config *noc, const struct mem_request *request)
{
	if (request->kind == MEM_READ)
		return 1;
	return (uint8_t)(noc->write_header + units_of(request->bytes, noc->channel_bytes));
}

void memsys_inject(struct memsys *ms, unsigned sm, uint64_t cycle, const struct mem_request *request)
{
	const struct sm_port *port = &ms->ports[sm];
	uint32_t packet = transaction_new(&ms->shared.pool);
	struct transaction *x = &ms->shared.pool.items[packet];

	x->request = *request;
	x->request.sm = (uint16_t)sm;
	x->request.issued = cycle;
	x->place = address_map_place(&ms->shared.map, request->line);
	x->cluster = (uint8_t)(port->source / port->chip->sms_per_router);
	x->flits = request_flits(&ms->shared.config.noc, request);
	x->from = x->home = x->to = (uint8_t)port->chip->number;
	x->bypass = false;
	x->source = REPLY_FROM_LLC;
	x->for_slice = false;
	if (ms->count > 1)
		page_table_touch(&ms->shared.pages, request->line, port->chip->number, cycle);
	if (ms->working_set)
		working_set_note(ms->working_set, cycle, port->chip->number, request->line);
	if (ms->log)
		request_log_sent(ms->log, packet, &x->request);
	ms->sent++;
	ms->sent_cycles += cycle;
	if (ms->sharing)
		sharing_note(ms->sharing, cycle, sm, request->line, request->flags & MEM_READ_ONLY);
	network_send(&port->chip->requests, port->source, domain_clock(&ms->shared.noc, cycle), packet,
		     ms->count > 1 ? NETWORK_GROUP_LATER : x->place.mc);
}

void memsys_enter(struct memsys *ms, unsigned sm, uint64_t cycle, const struct mem_request *request)
{
	if (ms->tlbs)
		tlb_take(ms->tlbs, sm, cycle, request);
	else
		memsys_inject(ms, sm, cycle, request);
}

/* In the order of the SMs, since they share what is behind their TLBs. */
static void tick_tlbs(struct memsys *ms, uint64_t cycle)
{
	struct mem_request request;

	for (unsigned sm = 0; sm < ms->shared.config.sms; sm++)
		if (network_has_room(ms, sm, cycle) && tlb_tick(ms->tlbs, sm, cycle, &request))
			memsys_inject(ms, sm, cycle, &request);
}

void memsys_send(struct memsys *ms, unsigned sm, uint64_t cycle, const struct mem_request *request)
{
	if (!ms->boxes) {
		memsys_enter(ms, sm, cycle, request);
		return;
	}
	ms->boxes->sent[sm] = *request;
	ms->boxes->has_sent[sm] = true;
}

const uint64_t *memsys_arrivals(const struct memsys *ms)
{
	if (ms->count == 1)
		return ms->chips[0].replies.arrivals.awake;
	memset(ms->replies, 0, bits_words(ms->shared.config.sms) * sizeof *ms->replies);
	for (unsigned sm = 0; sm < ms->shared.config.sms; sm++) {
		const struct sm_port *port = &ms->ports[sm];

		if (bits_has(port->chip->replies.arrivals.awake, port->sink) ||
		    bits_has(port->chip->returning.arrivals.awake, port->sink))
			bits_set(ms->replies, sm);
	}
	return ms->replies;
}

const uint64_t *memsys_replies(const struct memsys *ms)
{
	return ms->boxes ? ms->boxes->replies : memsys_arrivals(ms);
}

/*
 * Takes a reply from two queues: replies of this chip's slices, and replies of other chips. Among the two in front, the
 * reply to the older request goes first.
 */
static uint32_t take_reply(struct memsys *ms, const struct sm_port *port, uint64_t clock)
{
	struct chip *c = port->chip;
	const uint32_t *near, *far;

	if (ms->count == 1)
		return network_take(&c->replies, port->sink, clock);
	near = network_front(&c->replies, port->sink, clock);
	far = network_front(&c->returning, port->sink, clock);
	if (far && (!near || ms->shared.pool.items[*far].request.issued < ms->shared.pool.items[*near].request.issued))
		return network_take(&c->returning, port->sink, clock);
	return near ? network_take(&c->replies, port->sink, clock) : NO_TRANSACTION;
}

uint32_t memsys_eject(struct memsys *ms, unsigned sm, uint64_t cycle, struct mem_request *reply,
		      struct reply_counts *counts)
{
	const struct sm_port *port = &ms->ports[sm];
	const struct transaction *x;
	uint32_t packet;
	uint64_t latency;

	if (ms->count == 1 && !bits_has(port->chip->replies.arrivals.awake, sm))
		return NO_TRANSACTION;
	packet = take_reply(ms, port, domain_clock(&ms->shared.noc, cycle));
	if (packet == NO_TRANSACTION)
		return packet;
	x = &ms->shared.pool.items[packet];
	*reply = x->request;
	latency = cycle - reply->issued;
	counts->round_trip_cycles += latency;
	counts->round_trip_max = latency > counts->round_trip_max ? latency : counts->round_trip_max;
	counts->queue_cycles += x->entered - x->stamp;
	counts->network_cycles += (uint32_t)cycle - x->entered;
	if (ms->log)
		request_log_end(ms->log, cycle, REQUEST_DELIVERED, packet);
	counts->finished++;
	counts->finished_cycles += cycle;
	return packet;
}

bool memsys_receive(struct memsys *ms, unsigned sm, uint64_t cycle, struct mem_request *reply)
{
	uint32_t packet;

	if (ms->boxes) {
		if (!bits_has(ms->boxes->has_received, sm))
			return false;
		*reply = ms->boxes->received[cycle & 1][sm];
		return true;
	}
	packet = memsys_eject(ms, sm, cycle, reply, &ms->received);
	if (packet == NO_TRANSACTION)
		return false;
	transaction_free(&ms->shared.pool, packet);
	return true;
}

const struct mem_request *memsys_foresee(const struct memsys *ms, unsigned sm, uint64_t cycle, uint64_t *wait)
{
	const struct sm_port *port = &ms->ports[sm];
	const struct network *replies = &port->chip->replies;
	const uint32_t *packet;

	if (ms->boxes || ms->count > 1)
		return NULL;
	packet = network_front(replies, port->sink, UINT64_MAX);
	if (!packet)
		return NULL;
	*wait = network_front_arrival(replies, port->sink) - domain_clock(&ms->shared.noc, cycle);
	return &ms->shared.pool.items[*packet].request;
}

/* --- Boundaries --- */

bool memsys_is_drained(const struct memsys *ms)
{
	if (memsys_replies_boxed(ms) || (ms->tlbs && !tlbs_are_empty(ms->tlbs)))
		return false;
	for (unsigned i = 0; i < ms->count; i++)
		if (!chip_is_drained(&ms->chips[i]))
			return false;
	for (unsigned i = 0; i < ms->nlinks; i++)
		if (!link_is_empty(&ms->links[i]))
			return false;
	return true;
}

/* A boundary holds for the whole machine; its work is ordered chip by chip. */
static void start_boundary(struct memsys *ms, struct chip *c, uint64_t cycle, const struct llc_orders *orders)
{
	if (!orders->reorganise && orders->work == LLC_WORK_NONE)
		return;
	if (ms->boundary == BOUNDARY_NONE)
		ms->boundary_from = cycle;
	if (ms->boundary != BOUNDARY_DRAIN)
		ms->drain_from = cycle;
	ms->boundary = BOUNDARY_DRAIN;
	c->orders.reorganise |= orders->reorganise;
	c->orders.work = orders->work > c->orders.work ? orders->work : c->orders.work;
	ms->hold_from = cycle + 1;
	ms->hold_until = UINT64_MAX;
	ms->flushes++;
}

static void end_boundary(struct memsys *ms, uint64_t cycle)
{
	const struct llc_policy_ops *policy = ms->shared.policy;

	for (unsigned i = 0; i < ms->count; i++) {
		struct chip *c = &ms->chips[i];

		if (c->orders.reorganise && policy->reorganised)
			policy->reorganised(c->common.policy_state, cycle);
		c->orders = (struct llc_orders){0};
	}
	ms->boundary = BOUNDARY_NONE;
	ms->hold_until = cycle + 1;
	ms->flush_cycles += cycle - ms->boundary_from;
}

static void start_work(struct memsys *ms, uint64_t cycle)
{
	ms->boundary = BOUNDARY_WORK;
	ms->drain_cycles += cycle - ms->drain_from;
	for (unsigned n = 0; n < ms->count; n++)
		for (unsigned i = 0; i < ms->chips[n].nslices; i++)
			llc_slice_start_work(&ms->chips[n].slices[i], ms->chips[n].orders.work, cycle);
}

static void advance_boundary(struct memsys *ms, uint64_t cycle)
{
	if (cycle <= ms->hold_from)
		return;
	if (ms->boundary == BOUNDARY_DRAIN && memsys_is_drained(ms))
		start_work(ms, cycle);
	else if (ms->boundary == BOUNDARY_WORK && memsys_is_drained(ms))
		end_boundary(ms, cycle);
}

static bool any_slice_has_work(const struct chip *c, enum llc_work work)
{
	for (unsigned i = 0; i < c->nslices; i++)
		if (llc_slice_has_work(&c->slices[i], work))
			return true;
	return false;
}

/* Requests sent and replies taken in `cycle` do not count, so it does not matter whether the SMs were ticked before. */
static struct llc_activity activity_before(const struct memsys *ms, uint64_t cycle)
{
	const struct reply_counts *taken = &ms->received;
	struct llc_activity a = {0};

	a.held_cycles = ms->flush_cycles + (ms->boundary != BOUNDARY_NONE ? cycle - ms->boundary_from : 0);
	a.request_cycles = (ms->sent - taken->finished) * cycle - (ms->sent_cycles - taken->finished_cycles);
	for (unsigned i = 0; i < ms->count; i++)
		chip_add_activity(&ms->chips[i], cycle, &a);
	return a;
}

void memsys_kernel_begin(struct memsys *ms, uint64_t cycle, bool has_atomics)
{
	struct llc_activity before = activity_before(ms, cycle);

	if (ms->versions)
		versions_kernel(ms->versions);
	if (!ms->shared.policy->kernel_begin)
		return;
	for (unsigned i = 0; i < ms->count; i++) {
		struct chip *c = &ms->chips[i];
		struct llc_kernel kernel = {has_atomics, any_slice_has_work(c, LLC_CLEAN), before};
		struct llc_orders orders = {0};

		ms->shared.policy->kernel_begin(c->common.policy_state, cycle, kernel, &orders);
		chip_ask_policy(c);
		if (!orders.reorganise && !any_slice_has_work(c, orders.work))
			continue;
		start_boundary(ms, c, cycle, &orders);
		ms->hold_from = cycle; /* nothing is in flight, so no SM can have seen room in this cycle */
	}
}

void memsys_end_watch(struct memsys *ms, uint64_t cycle)
{
	if (ms->working_set)
		working_set_end(ms->working_set, cycle);
}

void memsys_kernel_end(struct memsys *ms, uint64_t cycle)
{
	if (ms->sharing)
		sharing_end_window(ms->sharing);
	if (ms->working_set)
		working_set_tick(ms->working_set, cycle);
	if (!ms->shared.policy->kernel_end)
		return;
	for (unsigned i = 0; i < ms->count; i++) {
		struct chip *c = &ms->chips[i];
		struct llc_orders orders = {0};

		ms->shared.policy->kernel_end(c->common.policy_state, cycle, &orders);
		chip_ask_policy(c);
		start_boundary(ms, c, cycle, &orders);
	}
}

/* --- The cycle --- */

static bool policies_due(const struct memsys *ms, uint64_t cycle)
{
	for (unsigned i = 0; i < ms->count; i++)
		if (cycle >= ms->chips[i].policy_next)
			return true;
	return false;
}

static bool chips_confer(const struct memsys *ms)
{
	return ms->shared.policy->chips && ms->shared.policy->chips->confer;
}

/* The chips' policies decide together. */
static void confer(struct memsys *ms, uint64_t cycle)
{
	struct llc_activity activity = activity_before(ms, cycle);
	void *states[CHIPS_MAX];

	for (unsigned i = 0; i < ms->count; i++)
		states[i] = ms->chips[i].common.policy_state;
	ms->shared.policy->chips->confer(states, ms->count, cycle, &activity);
}

static void tick_policies(struct memsys *ms, uint64_t cycle)
{
	bool decides = ms->log && policies_due(ms, cycle);

	if (chips_confer(ms) && policies_due(ms, cycle))
		confer(ms, cycle);
	for (unsigned i = 0; i < ms->count; i++) {
		struct chip *c = &ms->chips[i];
		struct llc_orders orders = {0};

		if (cycle >= c->policy_next)
			ms->shared.policy->tick(c->common.policy_state, cycle, &orders);
		start_boundary(ms, c, cycle, &orders);
	}
	if (ms->boundary != BOUNDARY_NONE)
		advance_boundary(ms, cycle);
	for (unsigned i = 0; i < ms->count; i++)
		chip_ask_policy(&ms->chips[i]);
	if (decides)
		memsys_log_decision(ms, cycle);
}

static void tick_chips(struct memsys *ms, uint64_t cycle, bool reverse)
{
	for (unsigned i = 0; i < ms->count; i++)
		chip_tick(&ms->chips[reverse ? ms->count - 1 - i : i], cycle, reverse);
}

void memsys_decide(struct memsys *ms, uint64_t cycle)
{
	if (ms->sharing)
		sharing_tick(ms->sharing, cycle);
	if (ms->boundary != BOUNDARY_NONE || policies_due(ms, cycle))
		tick_policies(ms, cycle);
}

void memsys_tick(struct memsys *ms, uint64_t cycle, bool reverse)
{
	if (!ms->boxes)
		memsys_decide(ms, cycle);
	if (ms->tlbs)
		tick_tlbs(ms, cycle);
	if (ms->nlinks && reverse)
		memsys_tick_links(ms, cycle, true);
	tick_chips(ms, cycle, reverse);
	if (ms->nlinks && !reverse)
		memsys_tick_links(ms, cycle, false);
}

uint64_t memsys_next_event(const struct memsys *ms, uint64_t cycle)
{
	uint64_t next = UINT64_MAX;

	if (ms->boundary != BOUNDARY_NONE || memsys_replies_boxed(ms) || memsys_replies_due(ms))
		return cycle + 1;
	if (ms->tlbs)
		next = tlbs_next(ms->tlbs, cycle);
	for (unsigned i = 0; i < ms->count && next > cycle + 1; i++) {
		uint64_t chip = chip_next(&ms->chips[i], cycle);

		next = chip < next ? chip : next;
	}
	for (unsigned i = 0; i < ms->count && chips_confer(ms); i++) {
		uint64_t policy = ms->chips[i].policy_next > cycle ? ms->chips[i].policy_next : cycle + 1;

		next = policy < next ? policy : next;
	}
	for (unsigned i = 0; i < ms->nlinks && next > cycle + 1; i++) {
		uint64_t link = link_next(&ms->links[i], cycle);

		next = link < next ? link : next;
	}
	return next;
}

bool memsys_is_empty(const struct memsys *ms)
{
	return !ms->shared.pool.used && ms->boundary == BOUNDARY_NONE && memsys_is_drained(ms);
}

bool memsys_is_settled(const struct memsys *ms)
{
	const struct llc_policy_ops *policy = ms->shared.policy;

	for (unsigned i = 0; policy->is_settled && i < ms->count; i++)
		if (!policy->is_settled(ms->chips[i].common.policy_state))
			return false;
	return true;
}
