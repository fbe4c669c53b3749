/*
 * An LLC policy decides which slice a request goes to: of which chip, when it leaves its SM's queue, and of the memory
 * controller's slices there, at the router in front of them. So it decides which data is replicated. Kernel boundaries
 * cost time for this. Each chip has a policy of its own. A policy is one file here: a `struct llc_policy_ops` with its
 * knobs and statistics, and one row in llc_policies.def. No policy includes another.
 *
 * Degree d: the clusters form d groups, the slices of a controller form d groups, and a line lives in one slice of each
 * group: 1 = shared, all slices = private.
 *
 * Order of calls: create; then per cycle `tick` (when its time has come; later when nothing moved meanwhile) before any
 * route, observe or looked_up of that cycle. Requests of an MC-router or of a slice arrive in a fixed order, requests
 * of different routers or slices do not: keep state per router or slice, or counters only. No call may allocate memory
 * except create.
 */
#ifndef ROMARK_SIM_LLC_POLICY_H
#define ROMARK_SIM_LLC_POLICY_H

#include "sim-backend/base/shape.h"
#include "sim-backend/knobs/knob.h"
#include "sim-backend/knobs/stat.h"
#include "sim-backend/memory/memsys.h"

/* Time of a read of a line in an empty machine, in the SMs' cycles: the mean over all pairs of SM and slice. */
struct llc_unloaded {
	double hit;      /* from its SM to a slice of the SM's chip and back */
	double far;      /* what another chip's slice takes more */
	double miss;     /* what memory takes more, when a row is opened there */
	double far_miss; /* what another chip's memory takes more than the own chip's, for a slice that reads it */
};

/* One chip's LLC, and the machine around it. Bandwidths are per cycle of the SMs. */
struct llc_geometry {
	unsigned chip, chips; /* this one; how many there are */
	unsigned sms;         /* of a chip; request.sm counts over all chips */
	unsigned clusters;    /* SM-routers */
	unsigned mcs, slices; /* memory controllers; slices of each */
	unsigned sets, ways;  /* of a slice */
	unsigned channels;    /* of DRAM, of the chip */
	unsigned line_bytes, line_shift;
	unsigned sectors;              /* of a line that are fetched by themselves; 1: lines are whole */
	unsigned address_bits;         /* physical address */
	double slice_bytes_per_cycle;  /* bandwidth of a slice's data port */
	double memory_bytes_per_cycle; /* DRAM bandwidth of the chip */
	double row_bursts;          /* bursts that a channel could move in the least time that it needs to open a row */
	double noc_bytes_per_cycle; /* between the SMs and the slices of the chip: of the narrower side's channels */
	double link_bytes_per_cycle; /* of all links between chips together, both directions */
	double mean_hops;            /* links between two chips, on average */
	unsigned link_header_bytes;  /* of a packet on a link */
	struct llc_unloaded unloaded;
	/*
	 * Hardware keeps the copies of several chips the same, of a policy with `chips`: nothing need be
	 * written back or dropped for that, and LLC_CLEAN must not be ordered.
	 */
	bool coherent;
};

/* Largest degree: a slice of its own for every cluster, or a cluster for every slice. */
static inline unsigned llc_max_degree(const struct llc_geometry *g)
{
	return g->clusters < g->slices ? g->clusters : g->slices;
}

/* Slice, within its controller, of a line whose home is `home`, for a requester in `cluster`. */
static inline unsigned llc_slice_at_degree(const struct llc_geometry *g, unsigned degree, unsigned cluster,
					   unsigned home)
{
	unsigned per_group = g->slices / degree;

	return cluster * degree / g->clusters * per_group + home % per_group;
}

/* Where a request comes from, and where its line belongs. */
struct llc_origin {
	uint8_t chip, cluster; /* of the requester; the cluster counts within its chip */
	uint8_t home_chip;     /* whose memory holds the line */
	uint8_t home;          /* slice, within its controller, of the line */
};

/* The slice in which a request is looked up. */
struct llc_route {
	uint8_t chip;
	uint8_t slice; /* within the line's controller */
	/*
	 * After a miss on a line of another chip's memory, the slice asks that memory directly, past that chip's
	 * slices. Without this a slice must not hold such a line.
	 */
	bool bypass;
};

static inline bool llc_is_marked_read(const struct mem_request *request)
{
	return request->kind == MEM_READ && request->flags & MEM_READ_ONLY;
}

/* The memory-side organisation: each chip's slices hold the lines of its own memory, for all chips. */
static inline struct llc_route llc_memory_side(struct llc_origin origin, unsigned slice)
{
	return (struct llc_route){.chip = origin.home_chip, .slice = (uint8_t)slice};
}

/*
 * The SM-side organisation: each chip's slices hold the lines that its own SMs use. An atomic needs one place for all
 * SMs, which is its line's chip.
 */
static inline struct llc_route llc_sm_side(struct llc_origin origin, const struct mem_request *request)
{
	return (struct llc_route){
	    .chip = request->kind == MEM_ATOMIC ? origin.home_chip : origin.chip, .slice = origin.home, .bypass = true};
}

/*
 * Set of a line in whichever slice: the digits of the line's number above the slice bits, added modulo the sets, so
 * that every aligned block of memory fills all sets of all slices equally.
 */
static inline unsigned llc_set_of(const struct llc_geometry *g, uint64_t line)
{
	uint64_t n = (line >> g->line_shift) / (g->mcs * g->slices);

	return (unsigned)((n + n / g->sets) % g->sets);
}

/* Work on the contents of all slices. */
enum llc_work {
	LLC_WORK_NONE,
	LLC_CLEAN,          /* write dirty lines to memory; they stay */
	LLC_DROP_DIRTY,     /* write dirty lines to memory and invalidate them; the others stay */
	LLC_DROP_REPLICAS,  /* invalidate lines in another slice than their home */
	LLC_DROP_READ_ONLY, /* invalidate lines that read-only requests brought in */
	LLC_DROP_ALL,       /* write dirty lines to memory, invalidate all */
};

/* Counters of the whole GPU up to a cycle. */
struct llc_activity {
	uint64_t request_cycles;      /* SMs' requests in flight, summed over the cycles */
	uint64_t held_cycles;         /* in which boundaries held requests back */
	uint64_t bursts, rows_opened; /* of all channels */
};

/* A kernel that begins. */
struct llc_kernel {
	bool has_atomics;
	bool finds_dirty; /* the chip's slices hold what earlier kernels wrote and memory does not */
	struct llc_activity before;
};

/* Work that a policy orders; tick, kernel_begin and kernel_end fill it. */
struct llc_orders {
	/*
	 * Hold new requests back, wait until all in flight are done, do the work, call `reorganised`, go on. Otherwise
	 * (kernel end, nothing in flight) the work alone is done.
	 */
	bool reorganise;
	enum llc_work work;
};

/* Counters of a policy's own directory of tags so far: sets searched, entries written. */
struct llc_directory_use {
	uint64_t searches, writes;
};

/* Which slice uses which chip's memory. */
enum llc_memory_use {
	LLC_OWN_MEMORY,  /* a slice uses its own chip's memory */
	LLC_FAR_MEMORY,  /* a slice uses another chip's memory: told to the policy of the slice's chip */
	LLC_FOR_ANOTHER, /* the same, told to the policy of the memory's chip */
};

/* Optional functions of a policy for several chips. All may be NULL. */
struct llc_chips_ops {
	/* A request of this chip's SM leaves its queue, for slice origin.home of `mc` in whichever chip; in any order.
	 */
	void (*departs)(void *state, struct llc_origin origin, unsigned mc, const struct mem_request *request);
	/*
	 * Ways of each set that lines of other chips' memory may take, from the last way down. Lines of this chip's
	 * memory take the other ways. Called again after each tick; present lines stay. Without this function all lines
	 * may take all ways.
	 */
	unsigned (*remote_ways)(const void *state);
	/*
	 * Whether slices that miss on a line of another chip's memory ask the slices there first, instead of the memory
	 * there. Those slices are then memory-side. Only without directories. NULL: never.
	 */
	bool (*asks_home)(const void *state);
	/* Memory gets a read or a write of a line, in any order. */
	void (*memory_asked)(void *state, enum llc_memory_use use, uint32_t bytes);
	/*
	 * For chips that decide together: called once, with the states of all chips, before the ticks of a cycle in
	 * which any chip's time has come. Such a policy is ticked in the very cycle that it asks for.
	 */
	void (*confer)(void *const *states, unsigned chips, uint64_t cycle, const struct llc_activity *activity);
};

struct llc_policy_ops {
	const char *name, *summary, *source;
	unsigned degree;          /* the fixed degree, for `romark policies`; 0 = chosen at run time */
	bool lives_on_marks;      /* without marked loads it is as the shared LLC */
	const struct knob *knobs; /* NULL = none */
	size_t knobs_size;
	const struct stat_row *stats; /* of what `statistics` returns; NULL = none */

	/* The state; `knobs` holds this policy's knobs and outlives it. */
	void *(*create)(const struct llc_geometry *geometry, const void *knobs);
	void (*destroy)(void *state);

	/*
	 * With several chips a request is routed twice. The policy of the requester's chip gives the chip and `bypass`.
	 * When the request has come to the MC-router there, the policy of that chip gives the slice.
	 */
	struct llc_route (*route)(const void *state, struct llc_origin origin, const struct mem_request *request);

	/* The rest may be NULL. */
	/* Slices may hold lines of other chips' memory. NULL: each slice holds only lines of its own chip's memory. */
	const struct llc_chips_ops *chips;
	/* Whether slices pass writes on to memory at once, now. NULL: never. */
	bool (*write_through)(const void *state);
	/*
	 * Whether the organisation with which the kernel goes on is chosen and in force. A run that is sampled by
	 * cycles passes over nothing before. NULL: it does not wait for the policy.
	 */
	bool (*is_settled)(const void *state);
	/* A request at MC-router `mc`, before its route. One of another chip counts for the cluster of that number. */
	void (*observe)(void *state, unsigned mc, unsigned cluster, unsigned home, const struct mem_request *request);
	/* A request was looked up in a slice; `hit` counts merges with an outstanding miss too. */
	void (*looked_up)(void *state, unsigned mc, unsigned slice, unsigned cluster, const struct mem_request *request,
			  bool hit);
	/* Next cycle in which `tick` wants to be called; UINT64_MAX = never. */
	uint64_t (*next_tick)(const void *state);
	void (*tick)(void *state, uint64_t cycle, struct llc_orders *orders);
	void (*reorganised)(void *state, uint64_t cycle);
	void (*kernel_begin)(void *state, uint64_t cycle, struct llc_kernel kernel, struct llc_orders *orders);
	void (*kernel_end)(void *state, uint64_t cycle, struct llc_orders *orders);
	const void *(*statistics)(void *state);
	/* For energy; NULL without a directory. */
	struct llc_directory_use (*directory)(const void *state);

	/*
	 * Values over time, for --series: `series_rows` over what `series` fills in. The values are of the time before
	 * the tick of `cycle`. If earlier ticks are late because nothing moved, the values are as if these had been
	 * called. The state must not change. With several chips they are the first chip's values.
	 */
	const struct stat_row *series_rows;
	void (*series)(const void *state, uint64_t cycle, void *values);
	/* Cycles between two decisions, where that is fixed. */
	uint64_t (*epoch)(const void *state);
};

/* Ends with NULL. The default is first. */
extern const struct llc_policy_ops *const llc_policy_table[];
/* NULL: no policy has this name. */
const struct llc_policy_ops *llc_policy_find(const char *name);

#endif
