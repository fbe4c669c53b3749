/* The reply network on a thread of its own. */
#include "sim-backend/memory/memsys_internal.h"

#include <string.h>

static unsigned words_of(const struct memsys *ms)
{
	return bits_words(ms->shared.config.sms);
}

static struct network *network_of(const struct memsys *ms)
{
	return &ms->chips[0].replies;
}

bool memsys_use_reply_boxes(struct memsys *ms)
{
	unsigned slices = ms->nslices, words = words_of(ms);
	struct reply_boxes *r;

	if (ms->count > 1)
		return false;
	if (ms->reply_boxes)
		return true;
	r = ms->reply_boxes = xcalloc_lines(1, sizeof *r);
	for (unsigned i = 0; i < 2; i++) {
		r->in[i].room = xcalloc_lines(slices, sizeof *r->in[i].room);
		r->in[i].replies = xcalloc_lines(2 * slices, sizeof *r->in[i].replies);
	}
	r->replies = xcalloc_lines(2 * words, sizeof *r->replies);
	r->received = r->replies + words;
	r->packets = xcalloc_lines(ms->shared.config.sms, sizeof *r->packets);
	r->room = xcalloc_lines(slices, sizeof *r->room);
	memset(r->room, (int)ms->shared.config.noc.injection_queue, slices);
	memcpy(r->in[r->writing].room, r->room, slices);
	ms->chips[0].common.box = &r->in[r->writing];
	r->fresh = true;
	return true;
}

void reply_boxes_free(struct reply_boxes *r)
{
	if (!r)
		return;
	for (unsigned i = 0; i < 2; i++) {
		xfree(r->in[i].room);
		xfree(r->in[i].replies);
	}
	xfree(r->replies);
	xfree(r->packets);
	xfree(r->room);
	xfree(r);
}

bool memsys_replies_boxed(const struct memsys *ms)
{
	const struct reply_boxes *r = ms->reply_boxes;

	return r && (r->in[0].count || r->in[1].count);
}

bool memsys_replies_due(const struct memsys *ms)
{
	return ms->reply_boxes && bits_any(ms->reply_boxes->replies, words_of(ms));
}

/* Notes the room of the queues in `cycle`. */
static void find_room(struct memsys *ms, uint64_t cycle)
{
	const struct network *n = network_of(ms);
	uint64_t clock = domain_clock(&ms->shared.noc, cycle);

	for (unsigned i = 0; i < n->sources_count; i++)
		ms->reply_boxes->room[i] = (uint8_t)port_room(&n->sources[i].queue, clock);
	ms->reply_boxes->room_at = cycle;
}

/* --- In a cycle --- */

static void take_from_slices(struct memsys *ms)
{
	struct reply_boxes *r = ms->reply_boxes;
	struct llc_reply_box *box = &r->in[r->writing ^ 1];

	for (uint32_t i = 0; i < box->count; i++) {
		const struct llc_boxed_reply *reply = &box->replies[i];

		network_send(network_of(ms), reply->source, r->sent_at, reply->packet,
			     ms->shared.pool.items[reply->packet].cluster);
	}
	box->count = 0;
}

/* Takes out the replies that the SMs receive in `cycle`, the next cycle. An SM takes whatever reply has come. */
static void give_to_sms(struct memsys *ms, uint64_t cycle)
{
	struct reply_boxes *r = ms->reply_boxes;
	struct mem_request *received = ms->boxes->received[cycle & 1];
	unsigned sm;

	for (unsigned w = 0; w < words_of(ms); w++) {
		r->replies[w] = network_of(ms)->arrivals.awake[w];
		BITS_FOR_EACH(sm, r->replies[w], w * 64) {
			uint32_t packet = memsys_eject(ms, sm, cycle, &received[sm], &r->counts);

			if (packet == NO_TRANSACTION)
				continue;
			r->packets[r->freed++] = packet;
			bits_set(r->received, sm);
		}
	}
}

void memsys_tick_replies(struct memsys *ms, uint64_t cycle, bool reverse)
{
	take_from_slices(ms);
	chip_tick_replies(&ms->chips[0], cycle, reverse);
	give_to_sms(ms, cycle + 1);
	find_room(ms, cycle + 1);
}

/* --- Between cycles --- */

static void add_counts(struct reply_counts *to, struct reply_counts *from)
{
	to->finished += from->finished;
	to->finished_cycles += from->finished_cycles;
	to->round_trip_cycles += from->round_trip_cycles;
	to->round_trip_max = from->round_trip_max > to->round_trip_max ? from->round_trip_max : to->round_trip_max;
	to->queue_cycles += from->queue_cycles;
	to->network_cycles += from->network_cycles;
	*from = (struct reply_counts){0};
}

/*
 * The network's thread has noted the room of its queues. The replies that the slices have sent since will take some of
 * it.
 */
static void turn_round(struct memsys *ms)
{
	struct reply_boxes *r = ms->reply_boxes;
	struct llc_reply_box *sent = &r->in[r->writing], *next = &r->in[r->writing ^ 1];

	memcpy(next->room, r->room, ms->nslices);
	for (uint32_t i = 0; i < sent->count; i++)
		next->room[sent->replies[i].source]--;
	r->writing ^= 1;
	r->sent_at = ms->chips[0].common.noc_clock;
	ms->chips[0].common.box = next;
}

void reply_boxes_exchange(struct memsys *ms, uint64_t cycle)
{
	struct reply_boxes *r = ms->reply_boxes;
	size_t bytes = words_of(ms) * sizeof *r->replies;

	if (r->fresh)
		give_to_sms(ms, cycle);
	r->fresh = false;
	memcpy(ms->boxes->replies, r->replies, bytes);
	memcpy(ms->boxes->has_received, r->received, bytes);
	memset(r->replies, 0, 2 * bytes);
	for (uint32_t i = 0; i < r->freed; i++)
		transaction_free(&ms->shared.pool, r->packets[i]);
	r->freed = 0;
	add_counts(&ms->received, &r->counts);
	if (r->room_at != cycle)
		find_room(ms, cycle);
	turn_round(ms);
}
