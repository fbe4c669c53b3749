/*
 * Too few CTAs come first. Then a part that is FULL bounds the kernel. If none is, the issue slots say what warps wait
 * for, and where that is memory, the stage in which requests wait longest says which part is in their way.
 */
#include "cli/explain_bound.h"

#include <math.h>
#include <stdio.h>

/* From three quarters on, the rest is what bursts and turns of direction leave; below, something else comes first. */
static const double FULL = 0.75;
/* Requests that wait for less than this share of their time travel as in an empty machine. */
static const double LOADED = 1.0 / 3;

/* A part that is less full than this holds nobody up; requests wait for each other's lines, or a turn. */
static const double BUSY = 0.25;
/* With CTAs on fewer SMs than half of them, over the whole time, twice as many CTAs would be done in the same time. */
static const double PLACED = 0.5;

const char *const part_words[PART_COUNT] = {
    [PART_ISSUE] = "issue",
    [PART_UNITS] = "functional units",
    [PART_LSU] = "LSU",
    [PART_SHARED] = "shared memory",
    [PART_REQUESTS] = "request network",
    [PART_SLICES] = "LLC slices",
    [PART_DRAM] = "DRAM",
    [PART_REPLIES] = "reply network",
};
const char *const part_keys[PART_COUNT] = {
    [PART_ISSUE] = "issue",
    [PART_UNITS] = "units",
    [PART_LSU] = "lsu",
    [PART_SHARED] = "shared_memory",
    [PART_REQUESTS] = "request_network",
    [PART_SLICES] = "slices",
    [PART_DRAM] = "dram",
    [PART_REPLIES] = "reply_network",
};
static const char *const part_sentences[PART_COUNT] = {
    [PART_ISSUE] = "its schedulers issue in",
    [PART_UNITS] = "the fullest kind of functional unit is busy in",
    [PART_LSU] = "the LSU looks up a line, or sends a store, in",
    [PART_SHARED] = "the banks of shared memory are busy in",
    [PART_REQUESTS] = "the fullest stage of the request network is busy in",
    [PART_SLICES] = "the slices' data ports are busy in",
    [PART_DRAM] = "DRAM moves as much as its peak allows in",
    [PART_REPLIES] = "the fullest stage of the reply network is busy in",
};
const char *const stage_words[STAGE_COUNT] = {"injection", "request network", "slice's queue", "slice's pipeline",
					      "memory",    "reply queue",     "reply network"};
const char *const stage_keys[STAGE_COUNT] = {"injection", "request_network", "slice_queue",  "pipeline",
					     "memory",    "reply_queue",     "reply_network"};

/* --- How full the parts are --- */

static double largest(double a, double b, double c)
{
	return fmax(a, fmax(b, c));
}

/* Each scheduler has a unit of each kind, which it may use once in so many cycles. */
static double fullest_unit(const struct explained_machine *m, const struct kernel_numbers *n)
{
	double most = 0;

	for (unsigned i = N_INST_INT; i <= N_INST_OTHER; i++)
		most = fmax(most, n->at[i] * m->intervals[i - N_INST_INT]);
	return share_of(most, n->at[N_RESIDENT] * m->schedulers);
}

static void fill_uses(struct kernel_bound *b, const struct explained_machine *m, const struct kernel_numbers *n)
{
	const double *at = n->at;
	double cycles = at[N_CYCLES], resident = at[N_RESIDENT];
	double bytes = (at[N_READ_BURSTS] + at[N_WRITE_BURSTS]) * m->burst_bytes;
	double peak = cycles / (m->clock_mhz * 1e6) * m->memory_gbs * 1e9;

	b->use[PART_ISSUE] = share_of(at[N_SLOT_ISSUED], resident * m->schedulers);
	b->use[PART_UNITS] = fullest_unit(m, n);
	b->use[PART_LSU] = share_of(at[N_LOOK_UPS] + at[N_WRITES] + at[N_ATOMICS], resident);
	b->use[PART_SHARED] = share_of(at[N_SHARED_CYCLES], resident);
	b->use[PART_REQUESTS] = share_of(largest(at[N_REQUEST_IN], at[N_REQUEST_LINKS], at[N_REQUEST_OUT]), cycles);
	b->use[PART_SLICES] = share_of(at[N_DATA_BEATS], cycles * m->slices);
	b->use[PART_DRAM] = share_of(bytes, peak);
	b->use[PART_REPLIES] = share_of(largest(at[N_REPLY_IN], at[N_REPLY_LINKS], at[N_REPLY_OUT]), cycles);
}

/* --- Where requests wait --- */

/* A stage takes at least what it takes in an empty machine; memory that, for what the LLC does not have. */
static void fill_stages(struct kernel_bound *b, const struct explained_machine *m, const struct kernel_numbers *n)
{
	double requests = n->at[N_REQUESTS];
	double reads = share_of(n->at[N_DRAM_READS], requests);
	const double least[STAGE_COUNT] = {[STAGE_REQUESTS] = m->request_network,
					   [STAGE_PIPELINE] = m->pipeline,
					   [STAGE_MEMORY] = fmin(reads, 1) * m->memory,
					   [STAGE_REPLIES] = m->reply_network};

	for (unsigned i = 0; i < STAGE_COUNT; i++) {
		b->stage[i] = share_of(n->at[N_INJECTION + i], requests);
		b->waits[i] = fmax(0, b->stage[i] - least[i]);
		b->round_trip += b->stage[i];
		b->waiting += b->waits[i];
	}
}

static unsigned longest_wait(const struct kernel_bound *b)
{
	unsigned longest = 0;

	for (unsigned i = 1; i < STAGE_COUNT; i++)
		if (b->waits[i] > b->waits[longest])
			longest = i;
	return longest;
}

/* A queue fills because what follows it does not take: the fullest part from the stage on is in the way. */
static enum part part_behind(const struct kernel_bound *b, unsigned stage)
{
	static const enum part firsts[STAGE_COUNT] = {
	    [STAGE_INJECTION] = PART_REQUESTS, [STAGE_REQUESTS] = PART_REQUESTS, [STAGE_QUEUE] = PART_SLICES,
	    [STAGE_PIPELINE] = PART_SLICES,    [STAGE_MEMORY] = PART_SLICES,     [STAGE_REPLY_QUEUE] = PART_REPLIES,
	    [STAGE_REPLIES] = PART_REPLIES};
	unsigned fullest = firsts[stage];

	for (unsigned i = fullest + 1; i < PART_COUNT; i++)
		if (b->use[i] > b->use[fullest])
			fullest = i;
	return (enum part)fullest;
}

static void say_where_requests_wait(struct kernel_bound *b)
{
	unsigned longest = longest_wait(b);

	strbuf_addf(&b->because, "a request waits %.0f of its %.0f cycles, %.0f of them in the stage '%s'", b->waiting,
		    b->round_trip, b->waits[longest], stage_words[longest]);
}

/* --- The verdict --- */

static void say_full(struct kernel_bound *b, enum part part)
{
	b->word = part_words[part];
	strbuf_addf(&b->because, "%s %.0f %% of its cycles", part_sentences[part], 100 * b->use[part]);
}

static void say_latency(struct kernel_bound *b, const struct kernel_numbers *n)
{
	b->word = "latency";
	strbuf_addf(&b->because,
		    "a request takes %.0f cycles, %.0f less in an empty machine, and %.1f are under way for each SM",
		    b->round_trip, b->waiting, share_of(n->at[N_REQUESTS] * b->round_trip, n->at[N_RESIDENT]));
	if (n->at[N_DRAM_READS] > 0)
		strbuf_addf(&b->because, "; %.0f %% of the requests read memory",
			    100 * share_of(n->at[N_DRAM_READS], n->at[N_REQUESTS]));
}

static void say_memory(struct kernel_bound *b, const struct kernel_numbers *n)
{
	double lost = n->at[N_SLOT_MEMORY] + n->at[N_SLOT_LSU] + n->at[N_SLOT_FENCE];
	enum part behind = part_behind(b, longest_wait(b));

	strbuf_addf(&b->because, "%.0f %% of the issue slots are lost to loads and stores; ",
		    100 * share_of(lost, numbers_slots(n)));
	if (b->waiting < LOADED * b->round_trip || b->use[behind] < BUSY) {
		say_latency(b, n);
		return;
	}
	b->word = part_words[behind];
	say_where_requests_wait(b);
}

/* SMs without a CTA do nothing, however full the others are. */
static void say_little_work(struct kernel_bound *b, const struct kernel_numbers *n, double resident)
{
	b->word = "lack of CTAs";
	strbuf_addf(&b->because,
		    "SMs have a CTA in %.0f %% of their cycles: the kernel has %.0f CTAs of %.1f warps a launch",
		    100 * resident, n->at[N_CTAS] / (double)n->launches, share_of(n->at[N_WARPS], n->at[N_CTAS]));
}

static void say_slots(struct kernel_bound *b, const char *word, const char *sentence, double share)
{
	b->word = word;
	strbuf_addf(&b->because, "%.0f %% of the issue slots are lost %s", 100 * share, sentence);
}

static void say_waits(struct kernel_bound *b, const struct kernel_numbers *n)
{
	const double *at = n->at;
	double slots = numbers_slots(n), memory = at[N_SLOT_MEMORY] + at[N_SLOT_LSU] + at[N_SLOT_FENCE];
	const struct {
		double lost;
		const char *word, *sentence;
	} others[] = {
	    {at[N_SLOT_SHARED], "shared memory", "waiting for registers from shared memory"},
	    {at[N_SLOT_DEPENDENCY], "instruction latency", "waiting for results of earlier instructions"},
	    {at[N_SLOT_UNIT], "functional units", "waiting for a functional unit"},
	    {at[N_SLOT_BARRIER], "barriers", "at barriers"},
	};
	size_t most = 0;

	for (size_t i = 1; i < sizeof others / sizeof *others; i++)
		if (others[i].lost > others[most].lost)
			most = i;
	if (memory >= others[most].lost)
		say_memory(b, n);
	else
		say_slots(b, others[most].word, others[most].sentence, share_of(others[most].lost, slots));
	if (at[N_SLOT_NO_WARP] >= 0.25 * slots)
		strbuf_addf(&b->because, "; %.0f %% have no warp that could hide it",
			    100 * share_of(at[N_SLOT_NO_WARP], slots));
}

/* What keeps the LSU from its look-ups: a word where that takes a tenth of the time or more. */
static void say_stalls(struct kernel_bound *b, const struct kernel_numbers *n)
{
	const double *at = n->at;
	double resident = at[N_RESIDENT];
	const struct {
		double cycles;
		const char *sentence;
	} stalls[] = {
	    {at[N_MSHR_STALLS], "all MSHRs of the L1 are taken"},
	    {at[N_MERGE_STALLS], "the MSHR of a line takes no more loads"},
	    {at[N_WAY_STALLS], "all ways of an L1 set wait for their lines"},
	    {at[N_PORT_STALLS], "the network takes no request"},
	};

	for (size_t i = 0; i < sizeof stalls / sizeof *stalls; i++)
		if (stalls[i].cycles >= 0.1 * resident)
			strbuf_addf(&b->because, "; in %.0f %% of its cycles %s",
				    100 * share_of(stalls[i].cycles, resident), stalls[i].sentence);
}

void bound_of(struct kernel_bound *b, const struct explained_machine *m, const struct kernel_numbers *n)
{
	unsigned fullest = 0;
	double resident = share_of(n->at[N_RESIDENT] * m->schedulers, numbers_slots(n));

	*b = (struct kernel_bound){.word = NULL};
	fill_uses(b, m, n);
	fill_stages(b, m, n);
	for (unsigned i = 1; i < PART_COUNT; i++)
		if (b->use[i] > b->use[fullest])
			fullest = i;
	if (resident < PLACED)
		say_little_work(b, n, resident);
	else if (b->use[fullest] >= FULL)
		say_full(b, (enum part)fullest);
	else
		say_waits(b, n);
	say_stalls(b, n);
}

void bound_release(struct kernel_bound *b)
{
	strbuf_release(&b->because);
}
