/* Connects a log of requests with the parts that write into it, and logs the LLC policy's decisions. */
#include "sim-backend/memory/memsys_internal.h"

#include "common/strbuf.h"
#include "sim-backend/memory/request_log.h"

#include <string.h>

static void log_networks(struct chip *c, struct request_log *log)
{
	c->requests.log = c->replies.log = log;
	c->requests.log_entry = REQUEST_NET_IN;
	c->replies.log_entry = REQUEST_REPLY_IN;
}

static void log_channels(struct memsys *ms, struct chip *c, struct request_log *log)
{
	unsigned mcs = ms->shared.config.noc.mc_routers, per_mc = ms->shared.config.dram.channels_per_mc;

	for (unsigned mc = 0; mc < mcs; mc++)
		for (unsigned i = 0; i < per_mc; i++) {
			struct dram_channel *channel = &c->controllers[mc].channels[i];

			channel->log = log;
			channel->number = (c->number * mcs + mc) * per_mc + i;
			channel->first_slice = mc * ms->shared.config.llc.slices_per_mc;
			channel->slices_per_chip = c->nslices;
		}
}

void memsys_log_requests(struct memsys *ms, struct request_log *log)
{
	ms->log = log;
	for (unsigned i = 0; i < ms->count; i++) {
		log_networks(&ms->chips[i], log);
		log_channels(ms, &ms->chips[i], log);
		ms->chips[i].common.log = log;
	}
}

void memsys_log_decision(struct memsys *ms, uint64_t cycle)
{
	const struct llc_policy_ops *policy = ms->shared.policy;
	struct strbuf text = STRBUF_INIT;
	void *values;

	if (!policy->series_rows)
		return;
	values = xcalloc(1, stats_extent(policy->series_rows));
	memsys_series(ms, cycle, values);
	strbuf_addf(&text, "%s:", policy->name);
	for (const struct stat_row *row = policy->series_rows; row->name; row++)
		strbuf_addf(&text, "%s %s=%.4g", row == policy->series_rows ? "" : ",", row->name,
			    stat_value(row, values));
	request_log_decision(ms->log, cycle, text.data);
	strbuf_release(&text);
	xfree(values);
}
