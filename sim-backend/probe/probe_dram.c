/* Traffic straight into the DRAM channels, one memory clock a cycle. */
#include "sim-backend/dram/channel.h"
#include "sim-backend/map/address_map.h"
#include "sim-backend/probe/probe.h"
#include "sim-backend/base/random.h"

#include <string.h>

/* Numbers that name a channel's transactions in flight; as many may wait in front of it. */
enum { NUMBERS = 256 };

struct target {
	struct dram_channel channel;
	uint64_t awake; /* wake-ups of the channel and of the taker of its data; the probe ticks both every clock */
	struct dram_request waiting[NUMBERS]; /* ring in front of the channel */
	unsigned head, count;
	uint64_t arrived[NUMBERS];
	uint16_t next_number;
	unsigned in_use;
};

struct dram_probe {
	const struct memsys_config *config;
	const struct probe_traffic *traffic;
	struct address_map map;
	struct gf2_matrix inverse;
	struct target *targets;
	unsigned ntargets;
	uint64_t random, generated;
	struct dram_request held; /* generated, but its channel's ring was full */
	unsigned held_for;        /* channel number; ntargets = nothing held */
	double credit;            /* transactions that may be generated */
	uint64_t latency_sum, measured_reads;
	struct probe_dram_result *result;
};

static uint64_t uniform_line(struct dram_probe *p)
{
	return random_next(&p->random) & ((UINT64_C(1) << p->map.layout.bits) - 1);
}

/* The lowest `bits` bits of *n, which moves on. */
static uint64_t take_bits(uint64_t *n, unsigned bits)
{
	uint64_t low = *n & ((UINT64_C(1) << bits) - 1);

	*n >>= bits;
	return low;
}

/* Line `n` of the lines that start a row of bank 0: all channels in turn, then the next row. */
static uint64_t conflict_line(const struct dram_probe *p, uint64_t n)
{
	const struct map_layout *l = &p->map.layout;
	unsigned remainder = (unsigned)(n % l->odd);
	uint64_t place;

	n /= l->odd;
	place = take_bits(&n, l->mc.bits) << l->mc.shift;

	place |= take_bits(&n, l->slice.bits - l->slice_to_channel) << (l->slice.shift + l->slice_to_channel);
	place |= take_bits(&n, l->channel.bits) << l->channel.shift;
	place |= take_bits(&n, l->row.bits) << l->row.shift;
	return address_map_join(l, gf2_apply(&p->inverse, place), remainder);
}

static uint64_t next_line(struct dram_probe *p)
{
	uint64_t n = p->generated, line;

	switch (p->traffic->pattern) {
	case PROBE_STREAM: return n;
	case PROBE_STRIDE: return n * p->traffic->stride >> p->map.layout.line_shift;
	case PROBE_CONFLICT: return conflict_line(p, n);
	case PROBE_HOTSPOT:
		do
			line = uniform_line(p);
		while (address_map_place(&p->map, line << p->map.layout.line_shift).mc ||
		       address_map_place(&p->map, line << p->map.layout.line_shift).channel);
		return line;
	default: return uniform_line(p);
	}
}

static void generate(struct dram_probe *p)
{
	uint64_t line = next_line(p) << p->map.layout.line_shift;
	struct map_place place = address_map_place(&p->map, line);

	p->generated++;
	p->held = (struct dram_request){
	    .line = line,
	    .row = place.row,
	    .bank = place.bank,
	    .bursts = (uint8_t)(p->config->llc.line_bytes / p->config->dram.burst_bytes),
	    .write = random_unit(&p->random) < p->traffic->writes,
	};
	p->held_for = place.mc * p->config->dram.channels_per_mc + place.channel;
}

/* Generates as many requests as the rate allows; stops at a channel whose ring is full. */
static void offer(struct dram_probe *p)
{
	const struct dram_config *d = &p->config->dram;
	double lines_per_clock =
	    (double)p->ntargets * d->burst_bytes / (p->config->llc.line_bytes * (double)d->burst_clocks);

	p->credit += p->traffic->rate * lines_per_clock;
	while (p->credit >= 1) {
		struct target *t;

		if (p->held_for == p->ntargets)
			generate(p);
		t = &p->targets[p->held_for];
		if (t->count + t->in_use >= NUMBERS / 2)
			break;
		t->waiting[(t->head + t->count++) % NUMBERS] = p->held;
		p->held_for = p->ntargets;
		p->credit--;
	}
	/* A full channel does not save up transactions for later. */
	p->credit = p->credit > 1 ? 1 : p->credit;
}

static void feed(struct target *t, uint64_t now)
{
	while (t->count && port_room(&t->channel.in, now)) {
		struct dram_request r = t->waiting[t->head];

		if (!r.write) {
			r.mshr = t->next_number;
			t->arrived[r.mshr] = now;
			t->next_number = (t->next_number + 1) % NUMBERS;
			t->in_use++;
		}
		port_push(&t->channel.in, now, r);
		t->head = (t->head + 1) % NUMBERS;
		t->count--;
	}
}

static void collect(struct dram_probe *p, struct target *t, uint64_t now, bool measured)
{
	const struct dram_request *r;

	/* The probe can take data in clock k + 1 if it is done in clock k. */
	while ((r = port_peek(&t->channel.out, now + 1))) {
		uint64_t latency = now - t->arrived[r->mshr];

		t->in_use--;
		if (measured) {
			p->latency_sum += latency;
			p->measured_reads++;
			if (!p->result->latency_min || latency < p->result->latency_min)
				p->result->latency_min = latency;
			if (latency > p->result->latency_max)
				p->result->latency_max = latency;
		}
		port_pop(&t->channel.out, now);
	}
}

static struct dram_stats totals(const struct dram_probe *p)
{
	struct dram_stats sum = {0};

	for (unsigned i = 0; i < p->ntargets; i++) {
		const struct dram_stats *s = &p->targets[i].channel.stats;

		sum.reads += s->reads;
		sum.writes += s->writes;
		sum.row_hits += s->row_hits;
		sum.read_bursts += s->read_bursts;
		sum.write_bursts += s->write_bursts;
	}
	return sum;
}

static void run(struct dram_probe *p)
{
	struct dram_stats before = {0}, after;
	uint64_t end = p->traffic->warmup + p->traffic->cycles, transactions;
	struct probe_dram_result *r = p->result;

	for (uint64_t now = 1; now <= end; now++) {
		if (now == p->traffic->warmup + 1)
			before = totals(p);
		offer(p);
		for (unsigned i = 0; i < p->ntargets; i++) {
			feed(&p->targets[i], now);
			dram_channel_tick(&p->targets[i].channel, now, now - 1, now);
			collect(p, &p->targets[i], now, now > p->traffic->warmup);
		}
	}
	after = totals(p);
	r->reads = after.reads - before.reads;
	r->writes = after.writes - before.writes;
	transactions = r->reads + r->writes;
	r->bandwidth_fraction =
	    (double)(after.read_bursts + after.write_bursts - before.read_bursts - before.write_bursts) *
	    p->config->dram.burst_clocks / ((double)p->ntargets * (double)p->traffic->cycles);
	r->bandwidth_gbs = r->bandwidth_fraction * dram_peak_gbs(&p->config->dram, p->ntargets);
	r->row_hit_rate = transactions ? (double)(after.row_hits - before.row_hits) / (double)transactions : 0;
	r->latency_mean = p->measured_reads ? (double)p->latency_sum / (double)p->measured_reads : 0;
}

void probe_dram(const struct memsys_config *config, const struct probe_traffic *traffic,
		struct probe_dram_result *result)
{
	static const struct dram_clock same = {1, 1};
	struct shape shape = memsys_shape(config);
	struct dram_ends ends = memsys_dram_ends(config);
	struct dram_probe p = {.config = config, .traffic = traffic, .random = traffic->seed, .result = result};

	*result = (struct probe_dram_result){0};
	p.ntargets = shape_channels(&shape);
	p.held_for = p.ntargets;
	result->memory_mhz = (double)dram_hertz(&config->dram, p.ntargets) * 1e-6;
	address_map_init(&p.map, &config->map, &shape);
	gf2_invert(&p.map.matrix, &p.inverse);
	p.targets = xcalloc(p.ntargets, sizeof *p.targets);
	for (unsigned i = 0; i < p.ntargets; i++) {
		struct target *t = &p.targets[i];

		dram_channel_init(&t->channel, &config->dram, dram_rooms_of(&config->dram, &ends), &same,
				  wakeup_in(&t->awake, 0), wakeup_in(&t->awake, 1));
	}
	run(&p);
	for (unsigned i = 0; i < p.ntargets; i++)
		dram_channel_release(&p.targets[i].channel);
	xfree(p.targets);
}
