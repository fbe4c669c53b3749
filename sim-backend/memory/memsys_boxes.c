/* Requests and replies between the SMs and the memory system in a cycle, laid out so that each SM finds its own. */
#include "sim-backend/memory/memsys_internal.h"

#include <string.h>

void memsys_use_boxes(struct memsys *ms)
{
	unsigned sms = ms->shared.config.sms, words = bits_words(sms);
	struct boxes *b;

	if (ms->boxes)
		return;
	b = ms->boxes = xcalloc_lines(1, sizeof *b);
	b->sent = xcalloc_lines(sms, sizeof *b->sent);
	for (unsigned i = 0; i < 2; i++)
		b->received[i] = xcalloc_lines(sms, sizeof *b->received[i]);
	b->has_sent = xcalloc_lines(sms, sizeof *b->has_sent);
	b->has_received = xcalloc_lines(3 * words, sizeof *b->has_received);
	b->blocked = b->has_received + words;
	b->replies = b->blocked + words;
	b->full = xcalloc_lines(words, sizeof *b->full);
	for (unsigned sm = 0; sm < sms; sm++)
		bits_set(b->full, sm);
}

bool memsys_has_boxes(const struct memsys *ms)
{
	return ms->boxes;
}

void memsys_free_boxes(struct memsys *ms)
{
	struct boxes *b = ms->boxes;

	if (!b)
		return;
	reply_boxes_free(ms->reply_boxes);
	xfree(b->sent);
	xfree(b->received[0]);
	xfree(b->received[1]);
	xfree(b->has_sent);
	xfree(b->has_received);
	xfree(b->full);
	xfree(b);
}

/* A port that had room keeps it until it takes a request, so only the ports in the set must be checked. */
static void find_blocked(struct memsys *ms, uint64_t cycle)
{
	bool held = memsys_is_held(ms, cycle);
	struct boxes *b = ms->boxes;
	unsigned sm;

	for (unsigned w = 0; w < bits_words(ms->shared.config.sms); w++) {
		BITS_FOR_EACH(sm, b->full[w], w * 64)
			if (memsys_has_room(ms, sm, cycle))
				bits_clear(b->full, sm);
		b->blocked[w] = held ? UINT64_MAX : b->full[w];
	}
}

static void take_replies(struct memsys *ms, uint64_t cycle)
{
	struct boxes *b = ms->boxes;
	struct mem_request *received = b->received[cycle & 1];
	unsigned words = bits_words(ms->shared.config.sms), sm;

	memcpy(b->replies, memsys_arrivals(ms), words * sizeof *b->replies);
	for (unsigned w = 0; w < words; w++) {
		b->has_received[w] = 0;
		BITS_FOR_EACH(sm, b->replies[w], w * 64) {
			uint32_t packet = memsys_eject(ms, sm, cycle, &received[sm], &ms->received);

			if (packet == NO_TRANSACTION)
				continue;
			transaction_free(&ms->shared.pool, packet);
			bits_set(b->has_received, sm);
		}
	}
}

void memsys_fill_boxes(struct memsys *ms, uint64_t cycle, bool ticked)
{
	if (ms->reply_boxes)
		reply_boxes_exchange(ms, cycle);
	else
		take_replies(ms, cycle);
	if (ticked)
		memsys_decide(ms, cycle);
	find_blocked(ms, cycle);
}

void memsys_find_sent(struct memsys *ms, unsigned first, unsigned end, uint64_t *set)
{
	uint64_t *has_sent = ms->boxes->has_sent;

	memset(set, 0, bits_words(ms->shared.config.sms) * sizeof *set);
	for (unsigned sm = first; sm < end; sm++)
		if (has_sent[sm]) {
			has_sent[sm] = false;
			bits_set(set, sm);
		}
}

/* A port that took a request may be full now; the next memsys_fill_boxes looks. */
void memsys_empty_boxes(struct memsys *ms, uint64_t cycle, const uint64_t *set)
{
	struct boxes *b = ms->boxes;
	unsigned words = bits_words(ms->shared.config.sms), sm;

	for (unsigned w = 0; w < words; w++)
		BITS_FOR_EACH(sm, set[w], w * 64)
			__builtin_prefetch(&b->sent[sm]);
	for (unsigned w = 0; w < words; w++) {
		BITS_FOR_EACH(sm, set[w], w * 64)
			memsys_enter(ms, sm, cycle, &b->sent[sm]);
		b->full[w] |= set[w];
	}
}
