/* Fixed latency behind one queue per SM. */
#include "tests/sim-backend/mock_memsys.h"

#include "common/xalloc.h"

#include <stdlib.h>

struct mock_settings mock = {.latency = 100, .interval = 1};
struct mem_request mock_log[MOCK_LOG];
uint32_t mock_log_len;

enum { QUEUE = 4096 };

struct mock_port {
	struct mem_request queue[QUEUE];
	uint64_t due[QUEUE];
	uint32_t head, count;
	uint64_t last_due;
};

struct memsys {
	struct mock_port *ports;
	unsigned sms;
	uint64_t in, out;
	struct memsys_stats stats;
	struct llc_stats slices[1];
	struct structure_memory structures[1 << 12];
};

int memsys_config_check(const struct memsys_config *config, struct diag *d)
{
	(void)config;
	(void)d;
	return 0;
}

struct memsys *memsys_create(const struct memsys_config *config, const struct llc_policy_ops *policy,
			     const void *policy_knobs, unsigned nstructures)
{
	struct memsys *ms = xcalloc(1, sizeof *ms);

	(void)policy;
	(void)policy_knobs;
	ms->sms = config->sms;
	ms->ports = xcalloc(config->sms, sizeof *ms->ports);
	ms->stats.nslices = 1;
	ms->stats.slices = ms->slices;
	ms->stats.nstructures = nstructures;
	ms->stats.structures = ms->structures;
	mock_log_len = 0;
	return ms;
}

void memsys_follow_versions(struct memsys *ms)
{
	(void)ms;
}

void memsys_watch_sharing(struct memsys *ms)
{
	(void)ms;
}

void memsys_free(struct memsys *ms)
{
	free(ms->ports);
	free(ms);
}

bool memsys_can_send(const struct memsys *ms, unsigned sm, uint64_t cycle)
{
	(void)cycle;
	return !mock.closed && ms->ports[sm].count < QUEUE;
}

void memsys_send(struct memsys *ms, unsigned sm, uint64_t cycle, const struct mem_request *request)
{
	struct mock_port *port = &ms->ports[sm];
	uint32_t at = (port->head + port->count) % QUEUE;

	if (mock_log_len < MOCK_LOG) {
		mock_log[mock_log_len] = *request;
		mock_log[mock_log_len++].issued = cycle;
	}
	ms->structures[request->structure].accesses++;
	ms->structures[request->structure].hits++;
	if (request->flags & MEM_NO_REPLY)
		return;
	ms->in++;
	port->due[at] = cycle + mock.latency;
	if (port->due[at] < port->last_due + mock.interval)
		port->due[at] = port->last_due + mock.interval;
	if (mock.forgetful)
		port->due[at] = UINT64_MAX;
	port->last_due = port->due[at];
	port->queue[at] = *request;
	port->count++;
}

const uint64_t *memsys_replies(const struct memsys *ms)
{
	/* Three words of 64 SMs: an H100 has 132. */
	static const uint64_t any_may_have[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX};

	(void)ms;
	return any_may_have;
}

const struct mem_request *memsys_foresee(const struct memsys *ms, unsigned sm, uint64_t cycle, uint64_t *wait)
{
	const struct mock_port *p = &ms->ports[sm];

	if (!p->count)
		return NULL;
	*wait = p->due[p->head] - cycle;
	return &p->queue[p->head];
}

bool memsys_receive(struct memsys *ms, unsigned sm, uint64_t cycle, struct mem_request *reply)
{
	struct mock_port *port = &ms->ports[sm];

	if (port->count == 0 || port->due[port->head] > cycle)
		return false;
	*reply = port->queue[port->head];
	reply->flags |= mock.reply_flags;
	port->head = (port->head + 1) % QUEUE;
	port->count--;
	ms->out++;
	return true;
}

/* SMs on the mock are ticked by one thread. */
void memsys_use_boxes(struct memsys *ms)
{
	(void)ms;
	abort();
}

bool memsys_has_boxes(const struct memsys *ms)
{
	(void)ms;
	return false;
}

bool memsys_use_reply_boxes(struct memsys *ms)
{
	(void)ms;
	return false;
}

void memsys_tick_replies(struct memsys *ms, uint64_t cycle, bool reverse)
{
	(void)ms;
	(void)cycle;
	(void)reverse;
}

void memsys_fill_boxes(struct memsys *ms, uint64_t cycle, bool ticked)
{
	(void)ms;
	(void)cycle;
	(void)ticked;
}

void memsys_find_sent(struct memsys *ms, unsigned first, unsigned end, uint64_t *set)
{
	(void)ms;
	(void)first;
	(void)end;
	(void)set;
}

void memsys_empty_boxes(struct memsys *ms, uint64_t cycle, const uint64_t *set)
{
	(void)ms;
	(void)cycle;
	(void)set;
}

void memsys_tick(struct memsys *ms, uint64_t cycle, bool reverse)
{
	(void)ms;
	(void)cycle;
	(void)reverse;
}

uint64_t memsys_next_event(const struct memsys *ms, uint64_t cycle)
{
	uint64_t next = UINT64_MAX;

	for (unsigned i = 0; i < ms->sms; i++)
		if (ms->ports[i].count && ms->ports[i].due[ms->ports[i].head] < next)
			next = ms->ports[i].due[ms->ports[i].head];
	return next <= cycle ? cycle + 1 : next;
}

bool memsys_is_empty(const struct memsys *ms)
{
	return ms->in == ms->out;
}

bool memsys_is_settled(const struct memsys *ms)
{
	return ms->in >= mock.unsettled;
}

void memsys_kernel_begin(struct memsys *ms, uint64_t cycle, bool has_atomics)
{
	(void)ms;
	(void)cycle;
	(void)has_atomics;
}

void memsys_kernel_end(struct memsys *ms, uint64_t cycle)
{
	(void)ms;
	(void)cycle;
}

const struct memsys_stats *memsys_statistics(struct memsys *ms)
{
	return &ms->stats;
}

void memsys_settle(struct memsys *ms, uint64_t cycle)
{
	(void)ms;
	(void)cycle;
}

void memsys_contents(const struct memsys *ms, uint64_t cycle, struct contents_stats *by_chip)
{
	(void)ms;
	(void)cycle;
	(void)by_chip;
}

void memsys_end_watch(struct memsys *ms, uint64_t cycle)
{
	(void)ms;
	(void)cycle;
}

void memsys_replacement(const struct memsys *ms, void *values)
{
	(void)ms;
	(void)values;
}

void memsys_series(const struct memsys *ms, uint64_t cycle, void *values)
{
	(void)ms;
	(void)cycle;
	(void)values;
}

uint64_t memsys_epoch(const struct memsys *ms)
{
	(void)ms;
	return 0;
}

uint64_t memsys_progress(const struct memsys *ms)
{
	return ms->in + ms->out;
}

void memsys_dump(const struct memsys *ms, FILE *out)
{
	fprintf(out, "mock: %llu replies owed\n", (unsigned long long)(ms->in - ms->out));
}

const char *memsys_old_value(const struct memsys *ms)
{
	(void)ms;
	return NULL;
}

const char *memsys_check(const struct memsys *ms)
{
	return ms->in == ms->out ? NULL : "a reply is owed";
}
