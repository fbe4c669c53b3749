/*
 * Requests by slices of other chips to a slice of the line's chip, for policies that look there before memory. They are
 * looked up beside the requests of SMs and share the data port with them. A miss waits like a miss of an SM. When there
 * is no room to wait, it goes on to memory past the slice, so slices of two chips never wait for each other.
 */
#include "sim-backend/llc/slice_parts.h"

/* The request of a slice of another chip, as a transaction that waits here. */
static struct transaction asked_transaction(const struct llc_slice *s, const struct dram_request *r)
{
	return (struct transaction){
	    .request = {.line = r->line,
			.bytes = (uint32_t)__builtin_popcount(r->sectors) * MEM_SECTOR_BYTES,
			.sectors = r->sectors,
			.kind = MEM_READ,
			.structure = r->structure,
			.cookie = r->mshr,
			.sm = r->far_slice},
	    .place = address_map_place(s->common->map, r->line),
	    .from = r->chip,
	    .home = (uint8_t)s->common->chip,
	    .to = (uint8_t)s->common->chip,
	    .for_slice = true,
	};
}

bool slice_answer_asker(struct llc_slice *s, uint32_t packet)
{
	const struct transaction *x = transaction_of(s, packet);
	const struct mem_request *q = &x->request;

	if (!port_room(s->to_askers, s->common->cycle))
		return false;
	slice_answer(s, &(struct dram_request){.line = q->line,
					       .mshr = (uint16_t)q->cookie,
					       .structure = q->structure,
					       .bursts = units_of(q->bytes, s->common->burst_bytes) & 127,
					       .chip = x->from & 3,
					       .far_slice = q->sm & 63,
					       .sectors = q->sectors,
					       .note = x->source == REPLY_FROM_MEMORY ? NOTE_NONE : NOTE_FROM_SLICE});
	return true;
}

/* Waits for memory like a read of an SM; false if there is no room for that. */
static bool wait_for_asker(struct llc_slice *s, const struct dram_request *r, int index)
{
	uint32_t packet = transaction_new(s->common->pool);
	bool waits;

	*transaction_of(s, packet) = asked_transaction(s, r);
	waits = slice_wait_for_memory(s, packet, index);
	if (!waits)
		transaction_free(s->common->pool, packet);
	return waits;
}

static bool hit_for_asker(struct llc_slice *s, const struct dram_request *r, int index, uint64_t now)
{
	const struct mem_request request = {.line = r->line,
					    .bytes = slice_bytes_of(r->sectors),
					    .sectors = r->sectors,
					    .kind = MEM_READ,
					    .structure = r->structure,
					    .sm = LLC_NO_SM};
	struct dram_request answer;

	if (!port_room(s->to_askers, s->common->cycle))
		return false;
	slice_count_read(s, r->structure, r->sectors);
	llc_tags_touch(&s->tags, index, &request, false);
	hold_data_port(s, beats_of_sectors(s, r->sectors), now);
	answer = *r;
	answer.note = NOTE_FROM_SLICE;
	slice_answer(s, &answer);
	s->asked_hits++;
	return true;
}

/* Past this slice where it cannot take another miss: so this never waits but for memory and for links. */
static bool pass_asked(struct llc_slice *s, const struct dram_request *r)
{
	if (!port_room(s->to_dram, s->common->cycle))
		return false;
	slice_pass_on(s, r);
	s->asked_passes++;
	return true;
}

void slice_take_asked(struct llc_slice *s, uint64_t now)
{
	const struct dram_request *r = port_peek(&s->asked, s->common->cycle);
	int index;
	bool done;

	if (!r || s->data_port_free > now)
		return;
	index = llc_tags_find(&s->tags, r->line);
	if (index >= 0 && !(r->sectors & ~s->tags.lines[index].valid)) {
		done = hit_for_asker(s, r, index, now);
	} else {
		done = wait_for_asker(s, r, index);
		s->asked_waits += done;
		done = done || pass_asked(s, r);
	}
	if (!done)
		return;
	slice_hold_port(s, &s->port_in_free, 0);
	port_pop(&s->asked, s->common->cycle);
}
