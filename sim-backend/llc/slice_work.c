/* A boundary's work on the contents of a slice, set by set: lines are written back, dropped, or both. */
#include "sim-backend/llc/slice_parts.h"

static bool is_dropped(const struct llc_line *line, enum llc_work work)
{
	switch (work) {
	case LLC_CLEAN: return false;
	case LLC_DROP_DIRTY: return line->dirty;
	case LLC_DROP_REPLICAS: return line->flags & LLC_LINE_REPLICA;
	case LLC_DROP_READ_ONLY: return line->flags & LLC_LINE_READ_ONLY;
	default: return true;
	}
}

bool llc_slice_has_work(const struct llc_slice *s, enum llc_work work)
{
	switch (work) {
	case LLC_WORK_NONE: return false;
	case LLC_CLEAN:
	case LLC_DROP_DIRTY: return s->has_dirty;
	case LLC_DROP_REPLICAS: return s->has_copies;
	default: return true;
	}
}

void llc_slice_start_work(struct llc_slice *s, enum llc_work work, uint64_t cycle)
{
	if (!llc_slice_has_work(s, work))
		return;
	if (work == LLC_CLEAN || work == LLC_DROP_DIRTY || work == LLC_DROP_ALL)
		s->has_dirty = false;
	if (work != LLC_CLEAN && work != LLC_DROP_DIRTY)
		s->has_copies = false;
	s->work = work;
	s->work_at = 0;
	wake(&s->fills.receiver, cycle);
}

void slice_work_on_set(struct llc_slice *s)
{
	const struct llc_geometry *g = &s->common->geometry;
	int end = (s->work_at / (int)g->ways + 1) * (int)g->ways;

	for (; s->work_at < end; s->work_at++) {
		struct llc_line *line = &s->tags.lines[s->work_at];
		bool dropped = is_dropped(line, s->work), dirty = line->dirty && (dropped || s->work == LLC_CLEAN);

		if (s->tags.addresses[s->work_at] == LLC_NO_LINE)
			continue;
		if (dirty && !slice_room_below(s))
			return;
		if (dirty)
			slice_write_back(s, s->work_at, NOTE_NONE);
		if (dropped) {
			slice_count_line(s, line, -1);
			llc_tags_invalidate(&s->tags, s->work_at);
		}
		s->stats.flushed_lines += dirty || dropped;
	}
	s->stats.searched_sets++;
	if (s->work_at == (int)(g->sets * g->ways))
		s->work = LLC_WORK_NONE;
}
