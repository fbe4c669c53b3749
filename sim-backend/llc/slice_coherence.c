/*
 * A slice's part of hardware coherence: it claims the lines that it writes, and does with its copies what directories
 * order. Claims wait here until there is room for them. Stores that come with a fill cannot wait, so any number of
 * claims may wait.
 */
#include "sim-backend/llc/slice_parts.h"

/* Claims from which on writes are held up. */
enum { MOST_CLAIMS = 16 };

void slice_claim(struct llc_slice *s, int index, uint8_t sectors)
{
	struct llc_line *line = &s->tags.lines[index];

	line->written |= sectors;
	if (line->flags & LLC_LINE_CLAIMED)
		return;
	line->flags |= LLC_LINE_CLAIMED;
	note_queue_push(&s->claims, 0, (struct dram_request){.line = s->tags.addresses[index]});
}

bool slice_claims_full(const struct llc_slice *s)
{
	return s->claims.count >= MOST_CLAIMS;
}

static void drop(struct llc_slice *s, int index)
{
	slice_count_line(s, &s->tags.lines[index], -1);
	llc_tags_invalidate(&s->tags, index);
}

/* The data that came last is older than what another chip has written; what was written here stays. */
void slice_settle(struct llc_slice *s, int index)
{
	struct llc_line *line = &s->tags.lines[index];

	line->flags &= (uint8_t)~LLC_LINE_STALE;
	line->valid &= line->dirty;
	line->written = line->dirty;
	if (!line->dirty)
		drop(s, index);
}

static void give_up(struct llc_slice *s, int index)
{
	struct llc_line *line = &s->tags.lines[index];

	if (line->mshr == LLC_NOT_PENDING)
		drop(s, index);
	else
		line->flags |= LLC_LINE_STALE;
}

/* False: its answer or its write has no room. */
static bool do_as_noted(struct llc_slice *s, const struct dram_request *r)
{
	int index = llc_tags_find(&s->tags, r->line);
	bool answers = r->note != NOTE_INVALIDATE, dirty = index >= 0 && s->tags.lines[index].dirty;

	if ((answers || dirty) && !slice_room_below(s))
		return false;
	if (dirty)
		slice_write_back(s, index, answers ? NOTE_ANSWER : NOTE_NONE);
	else if (answers)
		slice_tell(s, r->line, NOTE_ANSWER);
	s->notes_taken++;
	s->notes_found += index >= 0;
	if (index < 0)
		return true;
	s->tags.lines[index].flags &= (uint8_t)~LLC_LINE_CLAIMED;
	if (r->note != NOTE_DOWNGRADE)
		give_up(s, index);
	return true;
}

void slice_keep_coherent(struct llc_slice *s)
{
	const struct dram_request *note = port_peek(&s->notes, s->common->cycle);

	if (note && do_as_noted(s, note))
		port_pop(&s->notes, s->common->cycle);
	if (s->claims.count && slice_room_below(s)) {
		slice_tell(s, note_queue_peek(&s->claims, 0)->line, NOTE_CLAIM);
		note_queue_pop(&s->claims);
	}
}
