/*
 * Warp scheduling policy: picks one of the warps that could issue now. A policy is one file in this folder and one row
 * in warp_schedulers.def. The values of the knob `sm.scheduler` come from these rows, too.
 *
 * Warps are bits of a 64-bit mask. `ages` lists the resident CTAs, oldest first, each with the mask of its warps; the
 * warps of one CTA have the same age and go in order of their number.
 */
#ifndef ROMARK_SIM_WARP_SCHEDULER_H
#define ROMARK_SIM_WARP_SCHEDULER_H

#include <stdint.h>

enum { NO_WARP = 64 };

struct warp_ages {
	uint32_t count;
	const uint64_t *masks;
};

struct warp_scheduler_ops {
	const char *name, *summary, *source;
	/* `candidates` is not 0; `last` is the warp that this scheduler issued last, or NO_WARP. */
	unsigned (*pick)(uint64_t candidates, unsigned last, struct warp_ages ages);
	/*
	 * For schedulers with a few active warps, else NULL: the warps that are active from now on. `able` are the
	 * scheduler's warps that wait neither for global or local memory nor at a barrier or fence, nor have ended. The
	 * result is a part of them: `most` (sm.active_warps), or all if there are fewer. *entered is the scheduler's
	 * own state: NO_WARP at first.
	 */
	uint64_t (*activate)(uint64_t active, uint64_t able, unsigned most, uint8_t *entered);
};

/* NULL-terminated. */
extern const struct warp_scheduler_ops *const warp_scheduler_table[];

#endif
