/* Builds and frees a slice, and counts what it holds. */
#include "sim-backend/llc/slice_parts.h"

#include <string.h>

void llc_slice_init(struct llc_slice *s, struct llc_common *common, unsigned mc, unsigned slice, unsigned sink,
		    struct dram_port *to_dram, struct dram_port *to_far)
{
	const struct llc_config *config = common->config;
	unsigned slices = common->geometry.mcs * common->geometry.slices;

	memset(s, 0, sizeof *s);
	s->common = common;
	s->mc = mc;
	s->slice = slice;
	s->source = mc * common->geometry.slices + slice;
	s->number = common->chip * slices + s->source;
	s->sink = sink;
	s->to_dram = to_dram;
	llc_tags_init(&s->tags, &common->geometry, config->mshr_entries, s->number,
		      config->replacement_ops ? config->replacement_ops : llc_replacement_table[0],
		      config->replacement_knobs);
	if (config->victim_sms)
		llc_tags_remember(&s->tags, common->geometry.sms * common->geometry.chips, config->victim_sms);
	fifo_init(&s->pipeline, config->latency + 1);
	s->to_far = to_far;
	port_init(&s->fills, llc_fill_room(config), wakeup_of(&common->wakeups, sink));
	if (to_far)
		port_init(&s->far_fills, config->fill_queue, wakeup_of(&common->wakeups, sink));
	if (common->coherent)
		port_init(&s->notes, config->fill_queue, wakeup_of(&common->wakeups, sink));
	s->mshrs = xcalloc(config->mshr_entries, sizeof *s->mshrs);
	for (uint32_t i = 0; i < config->mshr_entries; i++)
		s->mshrs[i].first = i + 1 < config->mshr_entries ? i + 1 : NO_TRANSACTION;
	s->replies_first = s->replies_last = NO_TRANSACTION;
}

void llc_slice_release(struct llc_slice *s)
{
	llc_tags_release(&s->tags);
	fifo_release(&s->pipeline);
	port_release(&s->fills);
	port_release(&s->far_fills);
	port_release(&s->notes);
	port_release(&s->asked);
	note_queue_release(&s->claims);
	xfree(s->mshrs);
}

struct contents_stats llc_slice_contents(const struct llc_slice *s, uint64_t cycle)
{
	const struct llc_contents *c = &s->contents;

	return (struct contents_stats){.local = c->lines[0] * cycle - c->changes[0],
				       .remote = c->lines[1] * cycle - c->changes[1]};
}
