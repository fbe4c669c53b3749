/* Predictions from SAC's counters: Table 1 of the paper, unchanged, and the inputs of the bottleneck model. */
#include "sim-backend/llc/sac_model.h"

#include <math.h>

static double ratio(uint64_t part, uint64_t whole, double otherwise)
{
	return whole ? (double)part / (double)whole : otherwise;
}

double sac_local(const struct sac_sums *sums)
{
	return ratio(sums->local, sums->requests, 1);
}

static struct eab_machine machine_of(const struct llc_geometry *g)
{
	return (struct eab_machine){
	    .intra = g->chips * g->noc_bytes_per_cycle,
	    .inter = g->link_bytes_per_cycle,
	    .llc = g->chips * g->mcs * g->slices * g->slice_bytes_per_cycle,
	    .memory = g->chips * g->memory_bytes_per_cycle,
	};
}

static struct eab table_1(enum sac_links links, const struct llc_geometry *g, const struct sac_sums *sums,
			  const struct sac_prediction *p, enum sac_organisation o)
{
	struct eab_machine machine = machine_of(g);
	struct eab_inputs in = {sac_local(sums), p->hit, p->uniformity};

	machine.inter /= links == LINKS_ONE_WAY ? 2 : 1;
	return o == SM_SIDE ? eab_sm_side(&machine, &in) : eab_memory_side(&machine, &in);
}

/* --- The bottleneck --- */

/* That a request wants or carries. */
static double bytes_of(const struct llc_geometry *g, const struct sac_sums *sums)
{
	return ratio(sums->bytes, sums->requests, g->line_bytes);
}

/* Bytes that a miss fetches when its request wants `bytes`. */
static double fetch_bytes(const struct llc_geometry *g, double bytes)
{
	return g->sectors > 1 ? bytes : g->line_bytes;
}

/*
 * The share of the requests to other chips under memory-side that also go there under SM-side: atomics, and misses of
 * the slices.
 */
struct kept {
	double atomics, misses;
};

/* Where the directory has seen no request of another chip, the rate of all counts. */
static struct kept kept_of(const struct sac_sums *sums, double hit)
{
	double atomics = ratio(sums->atomics, sums->requests - sums->local, 0);
	double miss = 1 - ratio(sums->crd.far_hits, sums->crd.far_requests, hit);

	return (struct kept){atomics, (1 - atomics) * miss};
}

/*
 * The share of the links' load that is left. A miss carries a line and two headers; its request carried its own bytes
 * and two headers.
 */
static double kept_on_links(const struct llc_geometry *g, const struct kept *kept, double bytes)
{
	double headers = 2 * g->link_header_bytes;

	return kept->atomics + kept->misses * (fetch_bytes(g, bytes) + headers) / (bytes + headers);
}

/* Cycles of a request in an empty machine. A write that misses does not wait for memory. */
static double cycles_of(const struct llc_geometry *g, const struct sac_sums *sums, double hit, enum sac_organisation o)
{
	const struct llc_unloaded *take = &g->unloaded;
	double fetching = ratio(sums->fetches, sums->accesses - sums->hits, 1), remote = 1 - sac_local(sums);
	double cycles = take->hit + (1 - hit) * fetching * take->miss;
	struct kept kept = kept_of(sums, hit);

	if (o == MEMORY_SIDE)
		return cycles + remote * take->far;
	return cycles + remote * (kept.atomics * take->far + kept.misses * fetching * take->far_miss);
}

static struct eab_load load_of(const struct llc_geometry *g, const struct sac_sums *sums,
			       const struct sac_prediction *p, enum sac_organisation o)
{
	double bytes = bytes_of(g, sums), balance;
	struct kept kept = kept_of(sums, p->hit);
	struct eab_load load;

	balance = ratio(sums->most_accesses * g->chips, sums->accesses, 1);
	load.slices = fmax(1, g->slice_bytes_per_cycle / bytes) / p->uniformity;
	load.memory = (1 - p->hit) * fetch_bytes(g, bytes) / bytes * balance;
	load.memory *= fmax(1, sums->rows_per_burst * g->row_bursts);
	load.links = eab_link_load(&sums->flows, g->chips, g->mean_hops) / (double)(sums->bytes ? sums->bytes : 1);
	load.links *= o == SM_SIDE ? kept_on_links(g, &kept, bytes) : 1;
	load.cycles = cycles_of(g, sums, p->hit, o);
	return load;
}

static struct eab bottleneck(const struct llc_geometry *g, const struct sac_sums *sums, const struct sac_prediction *p,
			     enum sac_organisation o)
{
	struct eab_machine machine = machine_of(g);
	struct eab_load load = load_of(g, sums, p, o);
	double local = sac_local(sums), all;

	machine.in_flight = sums->in_flight * bytes_of(g, sums);
	all = eab_bottleneck(&machine, &load);
	return (struct eab){all * local, all * (1 - local)};
}

/* --- Both --- */

/*
 * Directories that have seen no request know nothing. Then both organisations get the slices' hit rate. The bottleneck
 * model adds a difference to the measured rate: the directory's hits minus the slices' hits on the same requests. The
 * chance of which 8 sets are sampled is in both terms, and cancels.
 */
static double hit_rate(enum sac_model model, const struct sac_sums *sums, enum sac_organisation o)
{
	double measured = ratio(sums->hits, sums->accesses, 0);
	double found = ratio(sums->crd.hits, sums->crd.requests, measured);

	if (o == MEMORY_SIDE)
		return measured;
	if (model == MODEL_PAPER)
		return found;
	return fmax(0, fmin(1, measured + found - ratio(sums->crd.slice_hits, sums->crd.requests, measured)));
}

struct sac_prediction sac_predict(enum sac_model model, enum sac_links links, const struct llc_geometry *geometry,
				  const struct sac_sums *sums, enum sac_organisation organisation)
{
	struct sac_prediction p = {
	    .hit = hit_rate(model, sums, organisation),
	    .uniformity = sums->uniformity[organisation],
	};
	struct eab eab = model == MODEL_PAPER ? table_1(links, geometry, sums, &p, organisation)
					      : bottleneck(geometry, sums, &p, organisation);

	p.eab_local = eab.local;
	p.eab_remote = eab.remote;
	p.eab = eab.local + eab.remote;
	return p;
}
