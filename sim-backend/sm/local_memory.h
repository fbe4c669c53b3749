/*
 * Where local memory lies: above all device addresses, each warp slot of each SM with a window of its own. Word w (4
 * bytes) of a thread is at byte w * 128 + lane * 4 of its warp's window, so that lanes which touch the same offset
 * share a line.
 *
 * A window is as long as the kernel's local memory, and windows are back to back, as in the single allocation that a
 * GPU makes. The first `slots` windows of SM 0 are followed by as many of SM 1, and so on; after the last SM come the
 * windows of SM 0's further slots. `slots` is the number that an SM needs when a launch's CTAs are spread evenly. So
 * the memory that a launch uses is dense, whatever its size: it fills sets, slices and rows as an array in global
 * memory does.
 *
 *   | SM 0: slots 0 1 2 3 | SM 1: slots 0 1 2 3 | .. | SM n - 1 | SM 0: slots 4 5 6 7 | ..
 *
 * Offsets beyond a kernel's local memory, such as a stack without bound, are in windows that are long enough for any
 * kernel, the same for all launches. If the trace does not tell the size of local memory, all offsets are there.
 */
#ifndef ROMARK_SIM_LOCAL_MEMORY_H
#define ROMARK_SIM_LOCAL_MEMORY_H

#include <stdint.h>

enum { LOCAL_LINE_BYTES = 128, LOCAL_WORD_BYTES = 4, LOCAL_MAX_AT_ONCE = 128 };

#define LOCAL_BASE ((uint64_t)1 << 47)
#define LOCAL_BYTES_OF_LAUNCH ((uint64_t)1 << 40)
#define LOCAL_FAR_BASE (LOCAL_BASE + LOCAL_MAX_AT_ONCE * LOCAL_BYTES_OF_LAUNCH)
/*
 * Twice the 16 MB a thread that GPUs' addresses allow. Each window in use begins an odd number of lines later in its
 * place than the window before, so that together they fill all sets.
 */
#define LOCAL_FAR_WINDOW ((uint64_t)1 << 30)
enum { LOCAL_FAR_STEP = 65 * LOCAL_LINE_BYTES, LOCAL_SLOTS = 64 };

/* The local memory of a launch. */
struct local_layout {
	uint32_t words;  /* of a thread; 0: not known */
	uint32_t slots;  /* windows of an SM side by side; at least 1 */
	uint32_t sms;    /* of the GPU */
	uint32_t launch; /* among those that run at once: each has an allocation of its own */
};

/* The local memory of a warp: word w is in line `near` + w * 128, from `words` on in line `far` + w * 128. */
struct local_window {
	uint64_t near, far, words;
};

static inline struct local_window local_window_of(const struct local_layout *l, unsigned sm, unsigned slot)
{
	uint64_t round = slot / l->slots, at = (round * l->sms + sm) * l->slots + slot % l->slots;
	uint64_t base = LOCAL_BASE + l->launch % LOCAL_MAX_AT_ONCE * LOCAL_BYTES_OF_LAUNCH;

	return (struct local_window){.near = base + at * l->words * LOCAL_LINE_BYTES,
				     .far = LOCAL_FAR_BASE + ((uint64_t)sm * LOCAL_SLOTS + slot) * LOCAL_FAR_WINDOW +
					    at * LOCAL_FAR_STEP,
				     .words = l->words};
}

static inline uint64_t local_line(const struct local_window *w, uint64_t word)
{
	return (word < w->words ? w->near : w->far) + word * LOCAL_LINE_BYTES;
}

#endif
