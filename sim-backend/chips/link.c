/* The way over the links, and one link's time. */
#include "sim-backend/chips/link.h"

#include "common/integer.h"

struct link_layout link_layout_of(const struct chips_config *c)
{
	struct link_layout l = {.chips = c->count, .lanes = c->links, .ring = c->topology == CHIPS_RING};

	l.neighbours = chips_neighbours(c);
	l.gates = chips_gates(c);
	return l;
}

/* Steps from one chip to another in rising order. */
static unsigned distance(const struct link_layout *l, unsigned from, unsigned to)
{
	return (to + l->chips - from) % l->chips;
}

unsigned link_neighbour(const struct link_layout *l, unsigned chip, unsigned direction)
{
	unsigned step = l->ring && direction == 1 ? l->chips - 1 : direction + 1;

	return (chip + step) % l->chips;
}

static unsigned direction_of(const struct link_layout *l, unsigned from, unsigned to, uint64_t line_number)
{
	unsigned steps = distance(l, from, to);

	if (!l->ring || l->neighbours < 2)
		return steps - 1;
	if (2 * steps == l->chips)
		return line_number / l->lanes & 1;
	return 2 * steps > l->chips;
}

unsigned link_gate(const struct link_layout *l, unsigned from, unsigned to, uint64_t line_number)
{
	return direction_of(l, from, to, line_number) * l->lanes + (unsigned)(line_number % l->lanes);
}

unsigned link_hops(const struct link_layout *l, unsigned from, unsigned to)
{
	unsigned steps = distance(l, from, to);

	if (!l->ring)
		return steps != 0;
	return steps < l->chips - steps ? steps : l->chips - steps;
}

double link_mean_hops(const struct link_layout *l)
{
	unsigned hops = 0;

	for (unsigned to = 1; to < l->chips; to++)
		hops += link_hops(l, 0, to);
	return l->chips > 1 ? (double)hops / (l->chips - 1) : 0;
}

double link_peak_bytes(const struct chips_config *config, unsigned core_mhz)
{
	return config->link_gigabytes_per_second * 1e3 / core_mhz;
}

enum { MOST_ON_THE_WAY = 1 << 14 };

/* So many packets may be on their way that the far end's buffer holds up the link only when link_queue wait there. */
static uint32_t buffer_size(const struct chips_config *config, const struct link *l)
{
	uint64_t bytes = (config->hop_latency + 2) * l->bytes_up / l->bytes_down;
	uint64_t packets = bytes / config->header_bytes + 2;

	return config->link_queue + (uint32_t)(packets < MOST_ON_THE_WAY ? packets : MOST_ON_THE_WAY);
}

void link_init(struct link *l, const struct chips_config *config, unsigned core_mhz, unsigned from, unsigned to,
	       unsigned gate)
{
	uint64_t megabytes = (uint64_t)(config->link_gigabytes_per_second * 1000 + 0.5);
	uint32_t size;

	*l = (struct link){.from = from,
			   .to = to,
			   .gate = gate,
			   .bytes_up = megabytes,
			   .bytes_down = core_mhz,
			   .hop_latency = config->hop_latency};
	size = buffer_size(config, l);
	for (unsigned c = 0; c < LINK_CLASSES; c++) {
		fifo_init(&l->final[c].packets, size);
		fifo_init(&l->through[c].packets, size);
	}
}

void link_release(struct link *l)
{
	for (unsigned c = 0; c < LINK_CLASSES; c++) {
		fifo_release(&l->final[c].packets);
		fifo_release(&l->through[c].packets);
	}
}

bool link_is_empty(const struct link *l)
{
	uint32_t count = 0;

	for (unsigned c = 0; c < LINK_CLASSES; c++)
		count += l->final[c].packets.count + l->through[c].packets.count;
	return count == 0;
}

void link_send(struct link *l, const struct link_packet *p, enum link_class c, uint32_t bytes, uint64_t now)
{
	struct link_buffer *to = link_far_end(l, p, c);
	uint64_t start = l->free > now * l->bytes_up ? l->free : now * l->bytes_up;

	l->free = start + bytes * l->bytes_down;
	l->packets++;
	l->bytes += bytes;
	fifo_push(&to->packets, divide_up(l->free, l->bytes_up) + l->hop_latency, *p);
}

uint64_t link_next(const struct link *l, uint64_t now)
{
	uint64_t next = UINT64_MAX;

	for (unsigned c = 0; c < LINK_CLASSES; c++) {
		uint64_t final = fifo_next(&l->final[c].packets), through = fifo_next(&l->through[c].packets);

		next = final < next ? final : next;
		next = through < next ? through : next;
	}
	return next > now ? next : now + 1;
}
