/*
 * A replacement policy of the LLC decides which line of a set a new line replaces. A policy is a `struct
 * llc_replacement_ops` in a file here, which a family may share, and one row in llc_replacements.def. Each slice has a
 * state of its own. Tags, hit or miss, and which ways may be given up are the slice's business (tag_array.h).
 *
 *   create .. destroy              one state per slice
 *   hit(place, request, waited)    a request found its line. `waited`: it is a write or an atomic that had waited for
 *                                  the line's fill, and is done now. Reads that waited are not told.
 *   victim(first, ways, request)   which of these ways of the set leaves for the request's line. The answer may be
 *                                  asked for again in a later cycle, while a write-back has no room, so it changes
 *                                  nothing.
 *   fill(place, request)           the request's line has taken this place, whichever line was there. The request that
 *                                  brings a line in does not hit it besides, but for `waited`.
 *   drop(place)                    the line was invalidated
 *   keeps(first, request)          a read has missed: false = its line passes through the slice and takes no way. Asked
 *                                  again in a later cycle where the slice has no room, so it changes nothing. NULL: all
 *                                  lines are kept.
 *   passed(first, request)         such a read is on its way to memory; or NULL
 *
 * A place is set * ways + way; `first` is the place of the set's way 0. A slice that is asked by a slice of another
 * chip has a request without an SM (LLC_NO_SM). No call may allocate memory except create.
 */
#ifndef ROMARK_SIM_LLC_REPLACEMENT_H
#define ROMARK_SIM_LLC_REPLACEMENT_H

#include "sim-backend/knobs/knob.h"
#include "sim-backend/knobs/stat.h"
#include "sim-backend/memory/memsys.h"

enum { LLC_NO_SM = UINT16_MAX, LLC_MOST_WAYS = 64 };

struct llc_replacement_geometry {
	uint32_t sets, ways;
	uint32_t slice, slices; /* number of this slice in the machine; how many there are */
};

struct llc_replacement_ops {
	const char *name;    /* the value of llc.replacement */
	const char *section; /* of its knobs and its statistics: L1 policies have some of the names */
	const char *summary, *source;
	const struct knob *knobs; /* KNOB_END-terminated, or NULL */
	size_t knobs_size;
	const struct stat_row *stats; /* over what `statistics` returns, or NULL */

	void *(*create)(const struct llc_replacement_geometry *geometry, const void *knobs);
	void (*destroy)(void *state);
	void (*hit)(void *state, uint32_t place, const struct mem_request *request, bool waited);
	/* `ways` is a bit for each way of the set that may leave, at least one; the answer is a way. */
	uint32_t (*victim)(const void *state, uint32_t first, uint64_t ways, const struct mem_request *request);
	void (*fill)(void *state, uint32_t place, const struct mem_request *request);
	void (*drop)(void *state, uint32_t place);
	bool (*keeps)(const void *state, uint32_t first, const struct mem_request *request);
	void (*passed)(void *state, uint32_t first, const struct mem_request *request);
	const void *(*statistics)(const void *state); /* NULL when stats is */
};

/* Ends with NULL. The default is first. */
extern const struct llc_replacement_ops *const llc_replacement_table[];
/* NULL: no policy has this name. */
const struct llc_replacement_ops *llc_replacement_find(const char *name);

#endif
