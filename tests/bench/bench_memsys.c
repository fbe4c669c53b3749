/*
 * Speed of the memory system by itself: simulated cycles per second of processor time at several loads and under each
 * policy. An SM has at most `outstanding` reads on their way; one request in ten is a write.
 */
#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/memory/memsys_stats.h"
#include "sim-backend/base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SMS = 64 };

struct load {
	const char *name, *policy;
	unsigned outstanding;
	uint64_t lines;
	uint64_t cycles;
};

static const struct load loads[] = {
    {"idle, one SM reads", "shared", 0, 4096, 400000},      {"light, hits", "shared", 4, 4096, 40000},
    {"saturated, hits", "shared", 64, 4096, 20000},         {"saturated, hits", "selrep", 64, 4096, 20000},
    {"saturated, half misses", "shared", 64, 65536, 20000}, {"saturated, misses", "private", 64, 1 << 20, 20000},
};

static void sm_tick(struct memsys *ms, unsigned sm, uint64_t now, const struct load *load, unsigned *waiting,
		    uint64_t *random)
{
	struct mem_request reply, request = {.bytes = 128, .sectors = 15, .kind = MEM_READ, .flags = MEM_READ_ONLY};

	while (memsys_receive(ms, sm, now, &reply))
		--*waiting;
	if (*waiting >= (load->outstanding ? load->outstanding : sm == 0) || !memsys_can_send(ms, sm, now))
		return;
	request.line = random_next(random) % load->lines * 128;
	if (random_next(random) % 10 == 0) {
		request.kind = MEM_WRITE;
		request.flags = MEM_NO_REPLY;
		request.line += 1 << 28;
	} else {
		++*waiting;
	}
	memsys_send(ms, sm, now, &request);
}

static void run(const struct memsys_config *config, const struct load *load)
{
	const struct llc_policy_ops *policy = llc_policy_find(load->policy);
	void *knobs = calloc(1, policy->knobs_size + 1);
	unsigned waiting[SMS] = {0};
	const struct memsys_stats *stats;
	uint64_t random = 1;
	struct memsys *ms;
	clock_t start;
	double seconds;

	if (policy->knobs)
		knob_defaults(policy->knobs, knobs);
	ms = memsys_create(config, policy, knobs, 1);
	start = clock();
	for (uint64_t now = 0; now < load->cycles; now++) {
		for (unsigned sm = 0; sm < SMS; sm++)
			sm_tick(ms, sm, now, load, &waiting[sm], &random);
		memsys_tick(ms, now, false);
	}
	seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
	stats = memsys_statistics(ms);
	printf("%-24s %-8s %8.1f thousand cycles/s  %6.2f us/cycle  %6.1f flit hops and %5.2f look-ups per cycle\n",
	       load->name, load->policy, (double)load->cycles / seconds * 1e-3, seconds / (double)load->cycles * 1e6,
	       (double)stats->noc.router_flits / (double)load->cycles,
	       (double)stats->llc.accesses / (double)load->cycles);
	memsys_free(ms);
	free(knobs);
}

int main(void)
{
	struct memsys_config config = {.sms = SMS, .core_mhz = 1400};

	knob_defaults(noc_knobs, &config.noc);
	knob_defaults(llc_knobs, &config.llc);
	knob_defaults(dram_knobs, &config.dram);
	knob_defaults(map_knobs, &config.map);
	knob_defaults(chips_knobs, &config.chips);
	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++)
		run(&config, &loads[i]);
	return 0;
}
