/*
 * SAC's counters of a chip while it watches a kernel (the SAC paper, sections 3.4 and 3.6): requests by slice under
 * both organisations of the LLC, local requests, hits, and the chip's request directory.
 *
 *   struct sac_profile *p = sac_profile_create(&geometry, (struct sac_crd){8, 16, CRD_LINES});
 *   sac_profile_departs(p, origin, mc, &request);        // an SM of the chip sends it
 *   sac_profile_looked_up(p, slice, &request, hit);      // a slice of the chip has looked it up, memory-side
 *   struct sac_sums sums = sac_profile_sums(profiles, n); // of all chips
 */
#ifndef ROMARK_SIM_SAC_PROFILE_H
#define ROMARK_SIM_SAC_PROFILE_H

#include "sim-backend/llc/crd.h"
#include "sim-backend/llc/eab.h"

enum sac_organisation { MEMORY_SIDE, SM_SIDE, ORGANISATIONS };

/* Size of a chip's directory. */
struct sac_crd {
	uint32_t sets, ways;
	uint32_t room; /* enum crd_room */
};

/*
 * Bytes that a chip's requests want or carry, and the bytes, with headers, that go over links if all LLCs are
 * memory-side.
 */
struct sac_packets {
	uint64_t bytes, atomics;                  /* atomics to other chips' lines */
	uint64_t out[CHIPS_MAX], back[CHIPS_MAX]; /* to that chip, and from it, in bytes */
};

struct sac_profile {
	const struct llc_geometry *geometry;
	unsigned nslices;
	/* [chips * nslices]: where this chip's SMs' requests go, under both; 16 bits that stay full. */
	uint32_t *by_slice[ORGANISATIONS];
	uint64_t requests, local;   /* of this chip's SMs */
	uint64_t apart;             /* of theirs, that are not in `requests` */
	struct sac_packets packets; /* of `requests` */
	uint64_t *accesses, *hits;  /* [nslices]: of its slices */
	uint64_t *fetches;          /* [nslices]: misses, except of writes, which fetch no line */
	struct crd crd;
};

struct sac_profile *sac_profile_create(const struct llc_geometry *geometry, struct sac_crd crd);
void sac_profile_destroy(struct sac_profile *p);
/* Counts afresh; the directory keeps its lines. */
void sac_profile_restart(struct sac_profile *p);
/* The request goes to memory controller `mc`. */
void sac_profile_departs(struct sac_profile *p, struct llc_origin origin, unsigned mc,
			 const struct mem_request *request);
/* A request that SAC does not decide for. */
void sac_profile_departs_apart(struct sac_profile *p);
/* `slice` counts over all slices of the chip. */
void sac_profile_looked_up(struct sac_profile *p, unsigned slice, const struct mem_request *request, bool hit);
/* Bits of hardware: the counters that Table 1 needs, and the directory. */
uint64_t sac_profile_bits(const struct sac_profile *p);
/* Bits of the counters that only eab_bottleneck needs. */
uint64_t sac_profile_bottleneck_bits(const struct sac_profile *p);

/* The counters of all chips together. */
struct sac_sums {
	uint64_t requests, apart, local, accesses, hits, fetches;
	uint64_t most_accesses; /* of one chip's slices */
	struct crd_counts crd;
	uint64_t bytes, atomics;
	struct eab_flows flows;           /* memory-side */
	double uniformity[ORGANISATIONS]; /* LSU over the slices of all chips */
	double in_flight;                 /* of `requests`, the mean */
	double rows_per_burst;            /* that memory has opened */
};

/* `in_flight` and `rows_per_burst` are the caller's. */
struct sac_sums sac_profile_sums(struct sac_profile *const *chips, unsigned n);

#endif
