/*
 * SAC's counters of a chip: saturating counters by slice, plain counters of requests, hits and packets, and the
 * directory.
 */
#include "sim-backend/llc/sac_profile.h"

#include "common/xalloc.h"

#include <string.h>

enum { SLICE_COUNTER_BITS = 16, COUNTER_BITS = 24 };

/* Requests, local requests, accesses, hits. */
enum { COUNTERS = 4 };

struct sac_profile *sac_profile_create(const struct llc_geometry *geometry, struct sac_crd crd)
{
	struct sac_profile *p = xcalloc(1, sizeof *p);

	p->geometry = geometry;
	p->nslices = geometry->mcs * geometry->slices;
	for (unsigned o = 0; o < ORGANISATIONS; o++)
		p->by_slice[o] = xcalloc((size_t)geometry->chips * p->nslices, sizeof *p->by_slice[o]);
	p->accesses = xcalloc(p->nslices, sizeof *p->accesses);
	p->hits = xcalloc(p->nslices, sizeof *p->hits);
	p->fetches = xcalloc(p->nslices, sizeof *p->fetches);
	crd_init(&p->crd, geometry, crd.sets, crd.ways, crd.room);
	return p;
}

void sac_profile_destroy(struct sac_profile *p)
{
	for (unsigned o = 0; o < ORGANISATIONS; o++)
		xfree(p->by_slice[o]);
	xfree(p->accesses);
	xfree(p->hits);
	xfree(p->fetches);
	crd_release(&p->crd);
	xfree(p);
}

void sac_profile_restart(struct sac_profile *p)
{
	for (unsigned o = 0; o < ORGANISATIONS; o++)
		memset(p->by_slice[o], 0, (size_t)p->geometry->chips * p->nslices * sizeof *p->by_slice[o]);
	memset(p->accesses, 0, p->nslices * sizeof *p->accesses);
	memset(p->hits, 0, p->nslices * sizeof *p->hits);
	memset(p->fetches, 0, p->nslices * sizeof *p->fetches);
	p->requests = p->local = p->apart = 0;
	p->packets = (struct sac_packets){0};
	crd_restart(&p->crd);
}

/* --- A request --- */

static void count(uint32_t *counter)
{
	*counter += *counter != (1u << SLICE_COUNTER_BITS) - 1;
}

/* A request and its reply, with headers, as packets on links. */
static void count_packets(struct sac_profile *p, unsigned home_chip, const struct mem_request *request)
{
	struct sac_packets *to = &p->packets;
	unsigned header = p->geometry->link_header_bytes;

	to->bytes += request->bytes;
	if (home_chip == p->geometry->chip)
		return;
	to->out[home_chip] += header + (request->kind != MEM_READ ? request->bytes : 0);
	to->back[home_chip] += header + (request->kind != MEM_WRITE ? request->bytes : 0);
	to->atomics += request->kind == MEM_ATOMIC;
}

void sac_profile_departs(struct sac_profile *p, struct llc_origin origin, unsigned mc,
			 const struct mem_request *request)
{
	unsigned slice = mc * p->geometry->slices + origin.home;

	p->requests++;
	p->local += origin.chip == origin.home_chip;
	count(&p->by_slice[MEMORY_SIDE][origin.home_chip * p->nslices + slice]);
	count(&p->by_slice[SM_SIDE][llc_sm_side(origin, request).chip * p->nslices + slice]);
	count_packets(p, origin.home_chip, request);
}

void sac_profile_departs_apart(struct sac_profile *p)
{
	p->apart++;
}

void sac_profile_looked_up(struct sac_profile *p, unsigned slice, const struct mem_request *request, bool hit)
{
	p->accesses[slice]++;
	p->hits[slice] += hit;
	p->fetches[slice] += !hit && request->kind != MEM_WRITE;
	if (request->kind != MEM_ATOMIC)
		crd_note(&p->crd, slice, request->sm / p->geometry->sms, request, hit);
}

/* --- In hardware --- */

uint64_t sac_profile_bits(const struct sac_profile *p)
{
	return crd_bits(&p->crd) + (uint64_t)ORGANISATIONS * p->nslices * SLICE_COUNTER_BITS + COUNTERS * COUNTER_BITS;
}

/*
 * Two counters of bytes for each other chip; bytes, atomics, fetches, three of the directory; requests in flight and
 * their sum over the cycles, bursts, rows.
 */
uint64_t sac_profile_bottleneck_bits(const struct sac_profile *p)
{
	return (uint64_t)(2 * (p->geometry->chips - 1) + 10) * COUNTER_BITS;
}

/* --- Sums over all chips --- */

static uint64_t sum_of(const uint64_t *counters, unsigned n)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += counters[i];
	return sum;
}

/* Both are counted as requests leave their SMs. Those that wait for a busy slice would be missing at the slice. */
static double uniformity_of(struct sac_profile *const *chips, unsigned n, enum sac_organisation o)
{
	unsigned slices = n * chips[0]->nslices;
	uint64_t sum = 0, most = 0;

	for (unsigned i = 0; i < slices; i++) {
		uint64_t requests = 0;

		for (unsigned c = 0; c < n; c++)
			requests += chips[c]->by_slice[o][i];
		sum += requests;
		most = requests > most ? requests : most;
	}
	return eab_uniformity(sum, most, slices);
}

static void add_flows(const struct sac_profile *p, struct eab_flows *to)
{
	unsigned chip = p->geometry->chip;

	for (unsigned other = 0; other < p->geometry->chips; other++) {
		to->bytes[chip][other] += (double)p->packets.out[other];
		to->bytes[other][chip] += (double)p->packets.back[other];
	}
}

static void add_directory(const struct crd *crd, struct crd_counts *to)
{
	struct crd_counts counts = crd_counts(crd);

	to->requests += counts.requests;
	to->hits += counts.hits;
	to->far_requests += counts.far_requests;
	to->far_hits += counts.far_hits;
	to->slice_hits += counts.slice_hits;
}

static void add_chip(const struct sac_profile *p, struct sac_sums *to)
{
	uint64_t accesses = sum_of(p->accesses, p->nslices);

	to->requests += p->requests;
	to->apart += p->apart;
	to->local += p->local;
	to->accesses += accesses;
	to->most_accesses = accesses > to->most_accesses ? accesses : to->most_accesses;
	to->hits += sum_of(p->hits, p->nslices);
	to->fetches += sum_of(p->fetches, p->nslices);
	to->bytes += p->packets.bytes;
	to->atomics += p->packets.atomics;
	add_directory(&p->crd, &to->crd);
	add_flows(p, &to->flows);
}

struct sac_sums sac_profile_sums(struct sac_profile *const *chips, unsigned n)
{
	struct sac_sums sums = {0};

	for (unsigned c = 0; c < n; c++)
		add_chip(chips[c], &sums);
	for (unsigned o = 0; o < ORGANISATIONS; o++)
		sums.uniformity[o] = uniformity_of(chips, n, o);
	return sums;
}
