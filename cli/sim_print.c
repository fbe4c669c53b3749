/* Tables of at most 80 columns; longer names have a line of their own. */
#include "cli/sim_print.h"

#include "common/demangle.h"
#include "common/kernel_names.h"
#include "common/strbuf.h"
#include "common/vec.h"
#include "common/xalloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_COLUMNS = 22, LOSSES_SHOWN = 3 };

/* --- The summary --- */

/* For a run that was cut it is not known how much would have been left out. */
static bool is_whole(const struct sim_summary *s)
{
	return s->complete && sampling_is_whole(&s->sampling, s->cycles);
}

static void print_sampling(const struct sim_summary *s)
{
	const struct sampling_stats *p = &s->sampling;
	bool whole = is_whole(s);

	if (!whole && p->cycles_high)
		printf("  by the spread        %" PRIu64 " to %" PRIu64
		       ", with %.0f %% confidence, if caches do as in a full run\n",
		       p->cycles_low, p->cycles_high, 100 * p->confidence);
	else if (!whole)
		printf("  by the spread        not known: %s\n",
		       s->complete ? "a wave of CTAs represents others" : "the run was not simulated to the end");
	printf("  sampled              %" PRIu64 " of %" PRIu64 " CTAs, %" PRIu64 " of %" PRIu64 " launches, %" PRIu64
	       " cycles%s\n",
	       p->ctas_simulated, p->ctas, p->launches_simulated, p->launches, p->cycles_simulated,
	       whole ? ": nothing was left out" : "");
}

static void print_head(const struct sim_summary *s)
{
	bool sampled = sampling_wanted(&s->plan);
	uint64_t launches = sampled ? s->sampling.launches : s->launches;

	printf("%s, LLC %s, L1 %s: %" PRIu64 " launch%s%s%s\n", s->gpu, s->llc_policy, s->l1_policy, launches,
	       launches == 1 ? "" : "es", sampled && !is_whole(s) ? ", estimated from a sample" : "",
	       s->complete ? "" : ", not to the end");
	printf("  cycles               %" PRIu64 "\n", s->cycles);
	if (sampled)
		print_sampling(s);
}

/* The largest lost share that was not shown yet; SLOT_ISSUED when no share is left. */
static enum issue_slot largest_loss(const double *shares, unsigned shown)
{
	unsigned best = SLOT_ISSUED;

	for (unsigned i = 0; i < SLOT_COUNT; i++)
		if (i != SLOT_ISSUED && !(shown & 1u << i) && shares[i] >= 0.001 &&
		    (best == SLOT_ISSUED || shares[i] > shares[best]))
			best = i;
	return (enum issue_slot)best;
}

static void print_slots(const struct sim_summary *s)
{
	unsigned shown = 0;

	printf("  issue slots used     %.1f %%\n", 100 * s->slots[SLOT_ISSUED]);
	for (unsigned i = 0; i < LOSSES_SHOWN; i++) {
		enum issue_slot slot = largest_loss(s->slots, shown);

		if (slot == SLOT_ISSUED)
			break;
		printf("%s%s %.1f %%", i ? ", " : "    lost to            ", sim_slot_word(slot), 100 * s->slots[slot]);
		shown |= 1u << slot;
	}
	puts(shown ? "" : "    lost to            nothing");
}

static void print_busiest(const struct sim_result *result)
{
	struct sim_use uses[SIM_USES], most = {.busiest = -1};

	sim_result_uses(result, uses);
	for (unsigned i = 0; i < SIM_USES; i++)
		most = uses[i].busiest > most.busiest ? uses[i] : most;
	printf("  busiest channel      %s %.1f %% (their mean %.1f %%)\n", most.name, 100 * most.busiest,
	       100 * most.mean);
}

static void print_energy(const struct sim_summary *s)
{
	const struct sim_energy_shares *e = &s->shares;

	printf("  energy               %.4g J, a power of %.1f W\n", s->energy_j, s->watts);
	printf("    of it in %%         SMs %.1f, NoC %.1f, caches %.1f, memory %.1f, static %.1f\n", 100 * e->sms,
	       100 * e->networks, 100 * e->caches, 100 * e->memory, 100 * e->at_rest);
}

void sim_print_summary(const struct sim_result *result)
{
	struct sim_summary summary = sim_result_summary(result), *s = &summary;

	print_head(s);
	printf("  warp instructions    %" PRIu64 "  (IPC %.2f)\n", s->warp_instructions, s->ipc);
	printf("  L1 miss rate         %.1f %%\n", 100 * s->l1_miss_rate);
	printf("  LLC miss rate        %.1f %%,  %.2f replies per cycle\n", 100 * s->llc_miss_rate,
	       s->replies_per_cycle);
	printf("  memory bandwidth     %.1f GB/s, %.1f %% of the peak\n", s->bandwidth_gbs, 100 * s->bandwidth_use);
	print_slots(s);
	print_busiest(result);
	print_energy(s);
	printf("  simulated            %.0f cycles/s, %.0f warp instructions/s\n", s->cycles_per_second,
	       s->warp_instructions_per_second);
}

void sim_print_hint(const struct sim_result *result)
{
	struct sim_summary s = sim_result_summary(result);

	if (s.marks && strcmp(s.marks, "observed") == 0)
		fputs(
		    "romark: note: the trace's marks are observed: what each launch turned out to do, which no code or "
		    "guard vouches for; the results are a bound\n",
		    stderr);
	if (!s.lives_on_marks || !s.loads || s.loads_marked)
		return;
	fprintf(stderr,
		"romark: note: no load of the trace carries the read-only mark, so LLC policy %s had nothing to "
		"replicate\n",
		s.llc_policy);
	if (s.launches_unmarked)
		fputs("romark: note: the marks were out of force since a guard found data that is read and written; "
		      "'romark info' tells where\n",
		      stderr);
	else if (s.marks && strcmp(s.marks, "own") == 0)
		fputs(
		    "romark: note: the trace has the program's own marks alone: trace it again without --load=keep, or "
		    "if it was imported, mark loads by their addresses with 'romark import --ro-ranges=FILE'\n",
		    stderr);
	else
		fputs(
		    "romark: note: 'romark cc' and 'romark trace' mark loads unless --load=keep is given; 'romark ptx "
		    "--report=text PROGRAM' says why a load is not marked\n",
		    stderr);
}

/* --- Tables --- */

static void add_dims(struct strbuf *text, const uint32_t *dims)
{
	strbuf_addf(text, "%" PRIu32, dims[0]);
	if (dims[1] > 1 || dims[2] > 1)
		strbuf_addf(text, "x%" PRIu32, dims[1]);
	if (dims[2] > 1)
		strbuf_addf(text, "x%" PRIu32, dims[2]);
}

/* Padded, or with a line of its own and the padding behind it. */
static void print_name(const struct sim_kernel *k)
{
	struct strbuf text = STRBUF_INIT;
	char *title = kernel_title(k->name);

	strbuf_adds(&text, title);
	if (k->grid[0]) {
		strbuf_adds(&text, "<<<");
		add_dims(&text, k->grid);
		strbuf_adds(&text, ", ");
		add_dims(&text, k->block);
		strbuf_adds(&text, ">>>");
	}
	if (text.len > NAME_COLUMNS)
		printf("%s\n%*s", text.data, NAME_COLUMNS, "");
	else
		printf("%-*s", NAME_COLUMNS, text.data);
	xfree(title);
	strbuf_release(&text);
}

static void print_share(double part, double whole, int width)
{
	if (whole > 0)
		printf(" %*.1f", width, 100 * part / whole);
	else
		printf(" %*s", width, "-");
}

void sim_print_kernels(const struct sim_result *result)
{
	uint64_t cycles = sim_result_summary(result).cycles;
	bool all_counted = true;
	struct sim_kernel k;

	printf("\n%-*s %5s %10s %5s %5s %6s %7s %5s %7s\n", NAME_COLUMNS, "kernel<<<grid, ..>>>", "times", "cycles",
	       "time%", "IPC", "missL1", "missLLC", "GB/s", "mJ");
	for (size_t i = 0; sim_result_kernel(result, i, &k); i++) {
		print_name(&k);
		printf(" %5" PRIu64 " %10" PRIu64, k.launches, k.cycles);
		print_share((double)k.cycles, (double)cycles, 5);
		if (k.counted)
			printf(" %5.2f %6.1f %7.1f %5.1f %7.4g\n", k.ipc, 100 * k.l1_miss_rate, 100 * k.llc_miss_rate,
			       k.bandwidth_gbs, 1000 * k.energy_j);
		else
			printf(" %5s %6s %7s %5s %7s\n", "-", "-", "-", "-", "-");
		if (k.counted && k.ptx_instructions)
			printf("    %" PRIu64 " machine instructions for %" PRIu64 " of PTX\n", k.warp_instructions,
			       k.ptx_instructions);
		all_counted = all_counted && k.counted;
	}
	if (!all_counted)
		puts("- is not known: the kernel ran beside others, or its launches were not simulated");
}

/* The last row, which makes the column add up to the run's energy. */
static void print_elsewhere(const struct sim_result *result)
{
	struct sim_energy_split split = sim_result_energy(result);

	printf("%-71s %8.5g\n%-71s %8.5g\n", "no structure's: instructions, refreshes, directories, boundaries",
	       1e6 * split.elsewhere_j, "static power", 1e6 * split.static_j);
}

/* Prints the structures of one kernel after the other. */
void sim_print_structures(const struct sim_result *result)
{
	const char *kernel = NULL;
	struct sim_structure s;

	printf("\n%-11s %-10s %6s %9s %5s %9s %9s %5s %8s\n", "structure", "verdict", "marked", "L1 loads", "hit %",
	       "writes", "LLC uses", "hit %", "uJ");
	for (size_t i = 0; sim_result_structure(result, i, &s); i++) {
		char *id = demangle(s.id);

		if (!kernel || strcmp(kernel, s.kernel) != 0) {
			char *title = kernel_title(s.kernel);

			puts(*title ? title : "(no known structure)");
			xfree(title);
			kernel = s.kernel;
		}
		printf("  %-9s %-10s %6s %9" PRIu64, id, s.verdict, s.marked ? "yes" : "no", s.l1_accesses);
		print_share((double)s.l1_hits, (double)s.l1_accesses, 5);
		printf(" %9" PRIu64 " %9" PRIu64, s.writes, s.llc_accesses);
		print_share((double)s.llc_hits, (double)s.llc_accesses, 5);
		printf(" %8.5g\n", 1e6 * s.energy_j);
		xfree(id);
	}
	print_elsewhere(result);
}

/* --- Lines --- */

enum { LINES_SHOWN = 20 };

static double cost_of(const struct sim_line *line)
{
	return (double)(line->stats->wait_cycles + line->stats->blocked_cycles);
}

static int by_cost(const void *a, const void *b)
{
	const struct sim_line *x = a, *y = b;

	if (cost_of(x) != cost_of(y))
		return cost_of(x) < cost_of(y) ? 1 : -1;
	return (x->ptx_line > y->ptx_line) - (x->ptx_line < y->ptx_line);
}

static void print_line(const struct sim_line *line, double waited, double blocked)
{
	const struct line_stats *s = line->stats;
	char place[32];
	char *title = kernel_title(line->kernel);

	snprintf(place, sizeof place, line->source_line ? "%" PRIu32 : "PTX %" PRIu32,
		 line->source_line ? line->source_line : line->ptx_line);
	printf("  %-10s %-*.*s %9" PRIu64, place, NAME_COLUMNS, NAME_COLUMNS, title, s->executions);
	xfree(title);
	printf(" %5.1f %5.1f", s->executions ? (double)s->accesses / (double)s->executions : 0,
	       s->accesses ? (double)s->sectors / (double)s->accesses : 0);
	print_share((double)s->hits, (double)(s->hits + s->misses), 5);
	print_share((double)s->wait_cycles, waited, 6);
	print_share((double)s->blocked_cycles, blocked, 7);
	putchar('\n');
}

void sim_print_lines(const struct sim_result *result)
{
	VEC(struct sim_line) lines = VEC_INIT;
	double waited = 0, blocked = 0;
	struct sim_line line;

	for (size_t i = 0; sim_result_line(result, i, &line); i++) {
		waited += (double)line.stats->wait_cycles;
		blocked += (double)line.stats->blocked_cycles;
		vec_push(&lines, line);
	}
	if (lines.len)
		qsort(lines.data, lines.len, sizeof *lines.data, by_cost);
	printf("\n  %-10s %-*s %9s %5s %5s %5s %6s %7s\n", "line", NAME_COLUMNS, "kernel", "issued", "lines", "sect.",
	       "hit %", "wait %", "block %");
	for (size_t i = 0; i < lines.len && i < LINES_SHOWN; i++)
		print_line(&lines.data[i], waited, blocked);
	if (lines.len > LINES_SHOWN)
		printf("  and %zu more, which --json has\n", lines.len - LINES_SHOWN);
	vec_release(&lines);
}
