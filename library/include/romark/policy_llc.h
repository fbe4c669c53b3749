/*
 * An LLC policy decides which slice a request goes to: of which chip, and of the slices of the line's memory controller
 * there. So it decides which data is replicated. Each chip has a state of its own.
 *
 * The smallest one: one copy of every line, as romark's `shared`.
 *
 *   #include <romark/policy_llc.h>
 *
 *   static void *create(const struct romark_llc_geometry *geometry, const void *knobs) { return NULL; }
 *   static struct romark_llc_route route(const void *state, const struct romark_llc_request *request)
 *   {
 *           return romark_llc_home(request);
 *   }
 *   ROMARK_LLC_POLICY = {ROMARK_LLC_HEAD, .name = "mine", .summary = "one copy", .create = create, .route = route};
 *
 * Which lines stay in a slice, and which pass through it without being kept, is the business of a replacement policy
 * (<romark/policy_replacement.h>).
 *
 * What is replicated is read in several slices. Writes and atomics should go to one slice: otherwise copies differ, and
 * the policy has to order work at the kernel's boundaries, such as ROMARK_LLC_DROP_ALL. `romark sim --verify-values`
 * finds requests that are served an old value.
 *
 * So a policy with copies
 *
 * - copies reads with ROMARK_READ_ONLY alone, and gives all other requests romark_llc_home;
 * - orders ROMARK_LLC_CLEAN in `kernel_begin`, if the kernel `finds_dirty`: a copy is fetched from memory, past the
 *   home slice, which may hold what an earlier kernel wrote;
 * - orders ROMARK_LLC_DROP_COPIES in `kernel_end`: the next kernel may write what this one has read.
 */
#ifndef ROMARK_POLICY_LLC_H
#define ROMARK_POLICY_LLC_H

#include <romark/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One chip's LLC. A slice is given by its memory controller and its number behind that. */
struct romark_llc_geometry {
	uint32_t chip, chips; /* this one; how many there are */
	uint32_t sms;         /* of a chip; romark_llc_request.sm counts over all chips */
	uint32_t clusters;    /* groups of SMs that share a router */
	uint32_t mcs, slices; /* memory controllers; slices behind each */
	uint32_t sets, ways;  /* of a slice */
	uint32_t line_bytes;
	const struct romark_run *run; /* names of structures */
};

struct romark_llc_request {
	uint64_t line;      /* address of the line's first byte */
	uint32_t bytes;     /* wanted, or written */
	uint32_t structure; /* number of the data structure in the run, below ROMARK_STRUCTURES; 0: not known */
	uint16_t sm;
	uint8_t kind, flags;     /* enum romark_kind, enum romark_request_flag */
	uint8_t sectors;         /* of 32 bytes; bit 0 is the lowest */
	uint8_t chip, cluster;   /* of the SM; the cluster counts within its chip */
	uint8_t home_chip, home; /* where the line belongs: whose memory holds it; a slice of its controller */
};

struct romark_llc_route {
	uint8_t chip;
	uint8_t slice; /* of the line's controller there */
	/*
	 * With several chips: a slice of another chip than the line's holds the line, and asks that chip's memory past
	 * its slices. Only of a policy with `holds_far_lines`.
	 */
	bool past_home;
};

/* Work on the contents of all slices of the chip. */
enum romark_llc_work {
	ROMARK_LLC_NO_WORK,
	ROMARK_LLC_CLEAN,          /* write dirty lines to memory; they stay */
	ROMARK_LLC_DROP_DIRTY,     /* write dirty lines to memory and invalidate them; the others stay */
	ROMARK_LLC_DROP_COPIES,    /* invalidate lines in another slice than their home */
	ROMARK_LLC_DROP_READ_ONLY, /* invalidate lines that marked reads brought in */
	ROMARK_LLC_DROP_ALL,       /* write dirty lines to memory, invalidate all */
};

/*
 * They arrive as no orders: false and ROMARK_LLC_NO_WORK. Either of them holds new requests of all chips back until
 * those in flight are done, and then the work. At a kernel's boundary nothing is in flight.
 */
struct romark_llc_orders {
	bool reorganise; /* call `reorganised` when that is done, even without work; at a kernel's boundary too */
	uint32_t work;   /* enum romark_llc_work */
};

struct romark_llc_kernel {
	bool has_atomics;
	bool finds_dirty; /* slices hold what earlier kernels wrote and memory does not */
};

struct romark_llc_policy {
	uint32_t version, size;          /* ROMARK_LLC_HEAD */
	const char *name;                /* in results, and of the knobs' section: small letters, digits and _ */
	const char *summary;             /* one sentence */
	const char *source;              /* a paper, or NULL */
	const struct romark_knob *knobs; /* or NULL */
	size_t knobs_size;
	const struct romark_stat *stats; /* or NULL */
	size_t stats_size;
	bool needs_marks;     /* without marked loads it is as the shared LLC: romark says so to users */
	bool holds_far_lines; /* see struct romark_llc_route */

	/* The state of a chip; NULL is a state too. `knobs` outlives it, `geometry` only the call. */
	void *(*create)(const struct romark_llc_geometry *geometry, const void *knobs);
	/*
	 * Called for each request, with several chips twice: the state of the requester's chip gives the chip, the
	 * state of that chip gives the slice.
	 */
	struct romark_llc_route (*route)(const void *state, const struct romark_llc_request *request);

	/* The rest may be NULL. */
	void (*destroy)(void *state);
	/*
	 * A request has come to the router of memory controller `mc`; before its route to a slice. The state is that of
	 * the chip whose slices it goes to. Of the request these are not known here, and 0: chip, home_chip.
	 */
	void (*observe)(void *state, uint32_t mc, const struct romark_llc_request *request);
	/*
	 * A slice has looked the request up. `hit`: also if the line is on its way. Of the request these are not known
	 * here, and 0: chip, home_chip, home.
	 */
	void (*looked_up)(void *state, uint32_t mc, uint32_t slice, const struct romark_llc_request *request, bool hit);
	/* The cycle in which `tick` is called next, as early as that; UINT64_MAX: never. Asked after each call. */
	uint64_t (*next_tick)(const void *state);
	void (*tick)(void *state, uint64_t cycle, struct romark_llc_orders *orders); /* together with next_tick */
	void (*reorganised)(void *state, uint64_t cycle);
	void (*kernel_begin)(void *state, uint64_t cycle, const struct romark_llc_kernel *kernel,
			     struct romark_llc_orders *orders);
	void (*kernel_end)(void *state, uint64_t cycle, struct romark_llc_orders *orders);
	/* Whether slices pass writes on to memory at once, now. NULL: never. */
	bool (*write_through)(const void *state);
	const void *(*statistics)(const void *state); /* together with stats */
};

/* Opens the definition of the policy: ROMARK_LLC_POLICY = {ROMARK_LLC_HEAD, ...}; */
#define ROMARK_LLC_POLICY                                                                                              \
	ROMARK_POLICY_EXPORT extern const struct romark_llc_policy romark_llc_policy;                                  \
	const struct romark_llc_policy romark_llc_policy
#define ROMARK_LLC_HEAD .version = ROMARK_POLICY_VERSION, .size = sizeof(struct romark_llc_policy)

/* The line's home: one copy of every line. */
static inline struct romark_llc_route romark_llc_home(const struct romark_llc_request *request)
{
	struct romark_llc_route route = {request->home_chip, request->home, false};

	return route;
}

/*
 * With `degree` copies on the line's chip: the clusters form so many groups, the slices of a controller too, and each
 * group of clusters has a copy in its own group of slices. 1: as romark_llc_home. The degree is a power of two, and not
 * above romark_llc_most_copies: one that romark_llc_fit has given.
 */
static inline struct romark_llc_route romark_llc_copies(const struct romark_llc_geometry *geometry, uint32_t degree,
							const struct romark_llc_request *request)
{
	uint32_t each = geometry->slices / degree, group = request->cluster * degree / geometry->clusters;
	struct romark_llc_route route = {request->home_chip, (uint8_t)(group * each + request->home % each), false};

	return route;
}

/* A slice of its own for every cluster, or a cluster for every slice. */
static inline uint32_t romark_llc_most_copies(const struct romark_llc_geometry *geometry)
{
	return geometry->clusters < geometry->slices ? geometry->clusters : geometry->slices;
}

/* The largest degree for romark_llc_copies that is not above this one. */
static inline uint32_t romark_llc_fit(const struct romark_llc_geometry *geometry, uint32_t degree)
{
	uint32_t most = romark_llc_most_copies(geometry), fit = 1;

	while (fit * 2 <= most && fit * 2 <= degree)
		fit *= 2;
	return fit;
}

#ifdef __cplusplus
}
#endif

#endif
