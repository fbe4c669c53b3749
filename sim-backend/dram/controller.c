/* One cycle of the crossbars and of the channels that have something to do. */
#include "sim-backend/dram/controller.h"

#include "sim-backend/base/units.h"

#include <string.h>

void controller_init(struct controller *c, const struct dram_config *config, const struct dram_ends *ends,
		     const struct shape *shape, const struct dram_clock *clock)
{
	unsigned nchannels = shape->channels_per_mc, nslices = shape->slices_per_mc + shape->gates;

	memset(c, 0, sizeof *c);
	c->config = config;
	c->ends = *ends;
	c->nchannels = nchannels;
	c->ports = nslices;
	c->from_slices = xcalloc(nslices, sizeof *c->from_slices);
	c->to_slices = xcalloc(nslices, sizeof *c->to_slices);
	for (unsigned i = 0; i < nslices; i++)
		port_init(&c->from_slices[i], ends->queue, wakeup_in(&c->requesting, i));
	c->channels = xcalloc(nchannels, sizeof *c->channels);
	for (unsigned i = 0; i < nchannels; i++)
		dram_channel_init(&c->channels[i], config, dram_rooms_of(config, ends), clock, wakeup_in(&c->busy, i),
				  wakeup_in(&c->returning, i));
	c->slice_out_free = xcalloc(nslices, sizeof *c->slice_out_free);
	c->slice_in_free = xcalloc(nslices, sizeof *c->slice_in_free);
	c->channel_in_free = xcalloc(nchannels, sizeof *c->channel_in_free);
	c->channel_out_free = xcalloc(nchannels, sizeof *c->channel_out_free);
	c->next_slice = xcalloc(nchannels, sizeof *c->next_slice);
	c->next_channel = xcalloc(nslices, sizeof *c->next_channel);
}

void controller_charge(struct controller *c, struct structure_memory *structures)
{
	for (unsigned i = 0; i < c->nchannels; i++)
		c->channels[i].structures = structures;
}

void controller_connect(struct controller *c, unsigned slice, struct dram_port *fills)
{
	c->to_slices[slice] = fills;
}

void controller_release(struct controller *c)
{
	for (unsigned i = 0; i < c->ports; i++)
		port_release(&c->from_slices[i]);
	for (unsigned i = 0; i < c->nchannels; i++)
		dram_channel_release(&c->channels[i]);
	xfree(c->from_slices);
	xfree(c->to_slices);
	xfree(c->channels);
	xfree(c->slice_out_free);
	xfree(c->slice_in_free);
	xfree(c->channel_in_free);
	xfree(c->channel_out_free);
	xfree(c->next_slice);
	xfree(c->next_channel);
}

static uint32_t beats_of(const struct controller *c, const struct dram_request *r)
{
	return units_of(r->bursts * c->config->burst_bytes, c->ends.port_bytes);
}

static void pass_request(struct controller *c, unsigned slice, unsigned channel, uint64_t now)
{
	struct dram_port *from = &c->from_slices[slice];
	struct dram_request r = *port_peek(from, now);
	uint32_t beats = r.write ? beats_of(c, &r) : 1;

	port_push(&c->channels[channel].in, now + beats - 1 + c->ends.xbar_cycles, r);
	port_pop(from, now);
	if (!from->count)
		put_to_sleep(&from->receiver);
	c->slice_out_free[slice] = c->channel_in_free[channel] = now + beats;
	c->next_slice[channel] = (uint8_t)((slice + 1) % c->ports);
	c->requests++;
}

static void pass_requests(struct controller *c, uint64_t now)
{
	uint64_t wanted[64], channels = 0;
	unsigned slice, channel;

	BITS_FOR_EACH(slice, c->requesting, 0) {
		const struct dram_request *r = port_peek(&c->from_slices[slice], now);
		uint64_t bit = UINT64_C(1) << (r ? r->channel : 0);

		if (!r || c->slice_out_free[slice] > now)
			continue;
		wanted[r->channel] = (channels & bit ? wanted[r->channel] : 0) | UINT64_C(1) << slice;
		channels |= bit;
	}
	BITS_FOR_EACH(channel, channels, 0)
		if (c->channel_in_free[channel] <= now && port_room(&c->channels[channel].in, now))
			pass_request(c, bits_first_from(wanted[channel], c->next_slice[channel]), channel, now);
}

static void pass_return(struct controller *c, unsigned channel, unsigned slice, uint64_t now)
{
	struct dram_port *from = &c->channels[channel].out;
	struct dram_request r = *port_peek(from, now);
	uint32_t beats = beats_of(c, &r);

	port_push(c->to_slices[slice], now + beats - 1 + c->ends.xbar_cycles, r);
	port_pop(from, now);
	if (!from->count)
		put_to_sleep(&from->receiver);
	c->channel_out_free[channel] = c->slice_in_free[slice] = now + beats;
	c->next_channel[slice] = (uint8_t)((channel + 1) % c->nchannels);
	c->returns++;
}

static void pass_returns(struct controller *c, uint64_t now)
{
	uint64_t wanted[64], slices = 0;
	unsigned slice, channel;

	BITS_FOR_EACH(channel, c->returning, 0) {
		const struct dram_request *r = port_peek(&c->channels[channel].out, now);
		uint64_t bit = UINT64_C(1) << (r ? r->slice : 0);

		if (!r || c->channel_out_free[channel] > now)
			continue;
		wanted[r->slice] = (slices & bit ? wanted[r->slice] : 0) | UINT64_C(1) << channel;
		slices |= bit;
	}
	BITS_FOR_EACH(slice, slices, 0)
		if (c->slice_in_free[slice] <= now && port_room(c->to_slices[slice], now))
			pass_return(c, bits_first_from(wanted[slice], c->next_channel[slice]), slice, now);
}

static void tick_channels(struct controller *c, uint64_t now, uint64_t before, uint64_t clock)
{
	unsigned i;

	BITS_FOR_EACH(i, c->busy, 0) {
		struct dram_channel *ch = &c->channels[i];

		dram_channel_tick(ch, now, before, clock);
		if (dram_channel_is_empty(ch))
			put_to_sleep(&ch->in.receiver);
	}
}

void controller_tick(struct controller *c, uint64_t now, uint64_t before, uint64_t clock, bool reverse)
{
	if (reverse)
		tick_channels(c, now, before, clock);
	if (c->requesting)
		pass_requests(c, now);
	if (c->returning)
		pass_returns(c, now);
	if (!reverse)
		tick_channels(c, now, before, clock);
}

uint64_t controller_next(const struct controller *c, uint64_t now)
{
	uint64_t next = UINT64_MAX;
	unsigned i;

	if (c->requesting | c->returning)
		return now + 1;
	BITS_FOR_EACH(i, c->busy, 0) {
		uint64_t channel = dram_channel_next(&c->channels[i], now);

		next = channel < next ? channel : next;
	}
	return next;
}
