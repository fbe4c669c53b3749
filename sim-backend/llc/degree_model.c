/* Predicts by slots' hit rates, weighted by their requests, and by the parallelism of the requests of all. */
#include "sim-backend/llc/degree_model.h"

#include "sim-backend/llc/bandwidth.h"

#include <math.h>
#include <string.h>

/* Requests that a slice's data port serves in the idle share of a window; at least one. */
static uint32_t least_busy(const struct selrep_knobs *k, const struct llc_geometry *g)
{
	double requests = k->idle * k->window_cycles * g->slice_bytes_per_cycle / g->line_bytes;

	return requests < 1 ? 1 : (uint32_t)requests;
}

/* A bit of each counter makes room for what trials need. */
static unsigned shorter(unsigned counter_bits)
{
	return counter_bits < 16 ? counter_bits : 15;
}

struct rdd_config degree_model_directory(const struct selrep_knobs *k, const struct llc_geometry *g, unsigned slots)
{
	bool windows = k->model == MODEL_WINDOWS || k->model == MODEL_SERVICE;

	return (struct rdd_config){.sets = k->rdd_sets,
				   .ways = k->rdd_ways,
				   .slots = slots,
				   .tag_bits = k->tag_bits,
				   .counter_bits =
				       k->model == MODEL_TRIALS ? shorter(k->counter_bits) : k->counter_bits,
				   .halve = k->counter_end == COUNTER_HALVES,
				   .one_access_counter = k->access_counters == ACCESS_ONE && !windows,
				   .windows = windows,
				   .least_busy = k->model == MODEL_SERVICE ? least_busy(k, g) : 0,
				   .one_slice = k->directory == DIRECTORY_SLICE};
}

static double memory_share(const struct selrep_knobs *knobs, const struct llc_geometry *g)
{
	const double parts[] = {
	    [SHARE_SLICE] = g->mcs * g->slices, [SHARE_CHANNEL] = g->channels, [SHARE_MC] = g->mcs, [SHARE_GPU] = 1};

	return knobs->memory_share == SHARE_UNLIMITED ? INFINITY
						      : g->memory_bytes_per_cycle / parts[knobs->memory_share];
}

/* Whether the directory has sampled the slot under every degree. */
static bool is_sampled(const struct rdd *rdd, unsigned slot)
{
	for (unsigned c = 0; c < rdd->degrees; c++)
		if (rdd_hit_rate(rdd, slot, c) < 0)
			return false;
	return true;
}

/*
 * Copies only cost room. So with `monotone` degree 2 has at least the hit rate of degree 4: the columns of low degrees
 * see few requests, and their rates are noisy.
 */
static double hit_rate(const struct selrep_knobs *knobs, const struct rdd *rdd, unsigned slot, unsigned column)
{
	double best = rdd_hit_rate(rdd, slot, column);

	for (unsigned c = column + 1; knobs->monotone && c < rdd->degrees; c++) {
		double higher = rdd_hit_rate(rdd, slot, c);

		best = higher > best ? higher : best;
	}
	return best;
}

bool degree_model_predict(const struct selrep_knobs *knobs, const struct rdd *rdd, const unsigned *columns,
			  struct degree_prediction *p)
{
	double hits = 0, requests = 0;

	for (unsigned slot = 0; slot < rdd->config.slots; slot++) {
		if (!is_sampled(rdd, slot))
			continue;
		hits += hit_rate(knobs, rdd, slot, columns[slot]) * (double)rdd_requests(rdd, slot);
		requests += (double)rdd_requests(rdd, slot);
	}
	if (requests == 0)
		return false;
	p->parallelism = rdd_parallelism(rdd, columns);
	p->hit_rate = hits / requests;
	p->bytes_per_cycle = bandwidth_supplied(p->parallelism, p->hit_rate, rdd->geometry.slice_bytes_per_cycle,
						memory_share(knobs, &rdd->geometry));
	return true;
}

/* The slot's best column while the others keep theirs. */
static unsigned best_column(const struct selrep_knobs *knobs, const struct rdd *rdd, const unsigned *present,
			    unsigned slot)
{
	unsigned columns[RDD_MAX_SLOTS], best = 0;
	struct degree_prediction p = {0};
	double most = -1, now = 0;

	memcpy(columns, present, rdd->config.slots * sizeof *columns);
	for (unsigned c = 0; c < rdd->degrees; c++) {
		columns[slot] = c;
		degree_model_predict(knobs, rdd, columns, &p);
		now = c == present[slot] ? p.bytes_per_cycle : now;
		if (p.bytes_per_cycle > most) {
			most = p.bytes_per_cycle;
			best = c;
		}
	}
	return most > now * (1 + knobs->threshold) ? best : present[slot];
}

bool degree_model_choose(const struct selrep_knobs *knobs, const struct rdd *rdd, unsigned *columns)
{
	unsigned present[RDD_MAX_SLOTS];
	struct degree_prediction p;

	memcpy(present, columns, rdd->config.slots * sizeof *columns);
	if (!degree_model_predict(knobs, rdd, present, &p))
		return false;
	for (unsigned slot = 0; slot < rdd->config.slots; slot++)
		columns[slot] = best_column(knobs, rdd, present, slot);
	return true;
}
