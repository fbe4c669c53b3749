/*
 * bench_sac [LLC-KB [READS [SEED [CYCLES]]]]: SAC's choice beside full simulations of both organisations, on
 * synthetic kernels. Shared footprint x sharing degree x link bandwidth, on GPU sac4 with a small LLC. An SM reads so
 * many lines, three of four of them shared ones, at most WINDOW at a time, and one in so many cycles (1: whenever it
 * can). Readings of the model that are knobs are compared by their choices.
 */
#include "common/diag.h"
#include "sim-backend/config/config.h"
#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/base/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHIPS = 4, LINE = 128, PAGE = 4096, PAGE_LINES = PAGE / LINE, WINDOW = 32, MOST_SMS = 1024 };

struct point {
	double footprint; /* of the shared lines, in LLCs of the whole GPU */
	unsigned degree;  /* chips that read a shared line; 1: lines of a page have different ones */
	double link;      /* GB/s of each, in each direction */
};

struct kernel {
	uint64_t shared, own; /* lines: of all chips, of each */
	unsigned degree, reads, seed, cycles;
};

/* Pages belong to chip number modulo chips. The lines that a chip reads lie all over the pages of all chips. */
static uint64_t shared_line(const struct kernel *k, unsigned chip, uint64_t *random)
{
	uint64_t group = random_next(random) % (k->shared / CHIPS), member = random_next(random) % k->degree;

	return (group * CHIPS + (chip + group / PAGE_LINES + member) % CHIPS) * LINE;
}

static uint64_t own_line(const struct kernel *k, unsigned chip, uint64_t *random)
{
	uint64_t n = random_next(random) % k->own;

	return ((n / PAGE_LINES * CHIPS + chip) * PAGE_LINES + n % PAGE_LINES) * LINE + (UINT64_C(1) << 32);
}

struct sm {
	unsigned waiting, sent;
	uint64_t random;
};

static bool tick_sm(struct memsys *ms, const struct kernel *k, unsigned n, unsigned chip, struct sm *sm, uint64_t now)
{
	struct mem_request reply, request = {.bytes = LINE, .sectors = 15, .kind = MEM_READ};

	while (memsys_receive(ms, n, now, &reply))
		sm->waiting--;
	if (sm->sent == k->reads)
		return sm->waiting > 0;
	if (sm->waiting == WINDOW || (now + n) % k->cycles || !memsys_can_send(ms, n, now))
		return true;
	request.line =
	    random_next(&sm->random) % 4 ? shared_line(k, chip, &sm->random) : own_line(k, chip, &sm->random);
	memsys_send(ms, n, now, &request);
	sm->waiting++;
	sm->sent++;
	return true;
}

static uint64_t until_empty(struct memsys *ms, uint64_t now)
{
	for (; !memsys_is_empty(ms); now++)
		memsys_tick(ms, now, false);
	return now;
}

/* Up to the cycle `limit`, which it returns then. */
static uint64_t run_kernel(struct memsys *ms, const struct kernel *k, unsigned sms, uint64_t limit)
{
	static struct sm state[MOST_SMS];
	uint64_t now = 0;

	for (unsigned sm = 0; sm < sms; sm++)
		state[sm] = (struct sm){.random = (uint64_t)k->seed << 32 | (sm + 1)};
	memsys_kernel_begin(ms, now, false);
	for (bool busy = true; busy && now < limit; now++) {
		busy = false;
		for (unsigned sm = 0; sm < sms; sm++)
			busy |= tick_sm(ms, k, sm, sm * CHIPS / sms, &state[sm], now);
		memsys_tick(ms, now, false);
	}
	if (now == limit)
		return now;
	now = until_empty(ms, now);
	memsys_kernel_end(ms, now);
	return until_empty(ms, now);
}

struct outcome {
	uint64_t cycles;
	bool sm_side;
	double eab_memory, eab_sm, hit_memory, hit_sm;
};

static double statistic(const struct memsys_stats *s, const char *name)
{
	for (const struct stat_row *row = s->policy_rows; row && row->name; row++)
		if (!strcmp(row->name, name)) {
			const char *at = (const char *)s->policy_values + row->offset;

			return row->type == STAT_TYPE_REAL ? *(const double *)at : (double)*(const uint64_t *)at;
		}
	return 0;
}

/* Readings of SAC's model, by its knobs: those that are `whole` run to the end, the others until they have decided. */
static const struct reading {
	const char *name, *knobs;
	uint64_t decided_by; /* a cycle in which that is done */
	bool whole;
} readings[] = {
    {"default", "", 2100, false},
    {"one way", "links=one_way", 2100, false},
    {"copies", "crd_room=copies", 2100, false},
    {"one way, copies", "links=one_way crd_room=copies", 2100, false},
    {"on", "watch=on", UINT64_MAX, true},
    {"bottleneck", "model=bottleneck", 2100, false},
    {"bottleneck, copies", "model=bottleneck crd_room=copies", 2100, true},
    {"bottleneck, copies, on", "model=bottleneck crd_room=copies watch=on", UINT64_MAX, true},
};

enum { READINGS = sizeof readings / sizeof readings[0] };

static void set_knob(const struct llc_policy_ops *policy, void *knobs, const char *name, const char *value)
{
	char why[128] = "no such knob";
	const struct knob *knob = knob_find(policy->knobs, name);

	if (knob && knob_set(knob, knobs, value, why, sizeof why) == 0)
		return;
	fprintf(stderr, "%s: %s\n", name, why);
	exit(1);
}

/* "name=value name=value" */
static void set_knobs(const struct llc_policy_ops *policy, void *knobs, const char *text)
{
	char name[64], value[64];

	for (int used = 0; sscanf(text, " %63[^=]=%63s%n", name, value, &used) == 2; text += used)
		set_knob(policy, knobs, name, value);
}

static struct outcome run(const struct sim_config *config, const char *policy_name, const struct reading *reading,
			  const struct kernel *k, uint64_t limit)
{
	const struct llc_policy_ops *policy = llc_policy_find(policy_name);
	void *knobs = calloc(1, policy->knobs_size + 1);
	struct outcome o;
	const struct memsys_stats *s;
	struct memsys *ms;

	if (policy->knobs)
		knob_defaults(policy->knobs, knobs);
	if (reading)
		set_knobs(policy, knobs, reading->knobs);
	ms = memsys_create(&config->memory, policy, knobs, 1);
	o.cycles = run_kernel(ms, k, config->memory.sms, limit);
	s = memsys_statistics(ms);
	o.sm_side = statistic(s, "sm_side_kernels") > 0;
	o.eab_memory = statistic(s, "eab_memory_side");
	o.eab_sm = statistic(s, "eab_sm_side");
	o.hit_memory = statistic(s, "hit_rate_memory_side");
	o.hit_sm = statistic(s, "hit_rate_sm_side");
	memsys_free(ms);
	free(knobs);
	return o;
}

static struct sim_config *machine(unsigned kilobytes, double link)
{
	struct sim_config *c = sim_config_create();
	struct diag d = DIAG_INIT;
	char text[2][64];

	snprintf(text[0], sizeof text[0], "llc.kilobytes=%u", kilobytes);
	snprintf(text[1], sizeof text[1], "chips.link_gigabytes_per_second=%g", link);
	if (sim_config_load(c, "sac4", &d) < 0 || sim_config_set(c, text[0], &d) < 0 ||
	    sim_config_set(c, text[1], &d) < 0 || sim_config_set(c, "chips.pages=interleave", &d) < 0 ||
	    sim_config_check(c, &d) < 0) {
		diag_print(&d, stderr);
		exit(1);
	}
	return c;
}

/* SM-side's speed over memory-side's; of each reading its choice, EABs, hits, and its speed over the better of both. */
static void show(const struct point *p, const struct outcome *memory, const struct outcome *sm,
		 const struct outcome *sac)
{
	uint64_t better = sm->cycles < memory->cycles ? sm->cycles : memory->cycles;

	printf("%6.3f %3u %5g %8" PRIu64 " %8" PRIu64 " %7.3f ", p->footprint, p->degree, p->link, memory->cycles,
	       sm->cycles, (double)memory->cycles / (double)sm->cycles);
	for (unsigned i = 0; i < READINGS; i++) {
		const struct outcome *o = &sac[i];

		printf(" | %s", o->sm_side ? "SM" : "me");
		if (readings[i].whole)
			printf(" %5.0f %5.0f %4.2f %4.2f %5.3f", o->eab_memory, o->eab_sm, o->hit_memory, o->hit_sm,
			       (double)better / (double)o->cycles);
	}
	putchar('\n');
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const double footprints[] = {0.0625, 0.25, 1, 4}, links[] = {16, 32, 128, 256};
	static const unsigned degrees[] = {1, 2, 4};
	unsigned kilobytes = argc > 1 ? (unsigned)atoi(argv[1]) : 512, reads = argc > 2 ? (unsigned)atoi(argv[2]) : 600;
	unsigned seed = argc > 3 ? (unsigned)atoi(argv[3]) : 0, cycles = argc > 4 ? (unsigned)atoi(argv[4]) : 1;
	unsigned wide = 0, right[READINGS] = {0};

	printf("%u KB LLC per chip, %u reads per SM\n", kilobytes, reads);
	puts("shared deg links   memory  sm-side speedup EAB-mem  EAB-SM  hits      SAC/better  choices");
	for (unsigned i = 0; i < 4 * 3 * 4; i++) {
		struct point p = {footprints[i / 12], degrees[i / 4 % 3], links[i % 4]};
		uint64_t lines = (uint64_t)kilobytes * 1024 / LINE;
		struct kernel k = {
		    (uint64_t)(p.footprint * (double)lines * CHIPS), lines / 8, p.degree, reads, seed, cycles};
		struct sim_config *c = machine(kilobytes, p.link);
		struct outcome memory = run(c, "memory-side", NULL, &k, UINT64_MAX);
		struct outcome sm = run(c, "sm-side", NULL, &k, UINT64_MAX), sac[READINGS];
		double gain = (double)memory.cycles / (double)sm.cycles;
		bool counts = gain > 1.05 || gain < 1 / 1.05;

		for (unsigned r = 0; r < READINGS; r++)
			sac[r] =
			    run(c, "sac", &readings[r], &k, readings[r].whole ? UINT64_MAX : readings[r].decided_by);
		show(&p, &memory, &sm, sac);
		wide += counts;
		for (unsigned r = 0; r < READINGS; r++)
			right[r] += counts && sac[r].sm_side == (gain > 1);
		sim_config_free(c);
	}
	for (unsigned r = 0; r < READINGS; r++)
		printf("%s: right in %u of %u points in which the organisations differ by more than 5 %%\n",
		       readings[r].name, right[r], wide);
	return 0;
}
