/*
 * Addresses that depend on numbers in memory: the numbers are looked through, and the launch is evaluated anew with the
 * interval that they lie in. What is then known of further loads is looked through as well, as in x[a[b[i]]].
 *
 * The launch must not write what was looked through. So all of its writes must have ranges, found with these numbers,
 * that meet none of it, or lie in other allocations. This is no circle: until the first store that would write such a
 * byte, each load finds a number in its interval, and so this store, too, is in its range, which meets no such byte.
 */
#include "ptx-analyzer/ranges/evaluation.h"
#include "verdict/guard_scan.h"

#include <stdlib.h>
#include <string.h>

enum {
	MOST_LEVELS = 4, /* of loads whose addresses depend on others */
	MOST_TRIES = 3,  /* each without what the one before has shown to be written */
};

/* A launch waits for no more: 60 MiB took 61 ms. */
static const uint64_t MOST_BYTES = (uint64_t)64 << 20;

enum scan_state { SCAN_NOT, SCAN_KNOWN, SCAN_NEVER };

struct memory_scans {
	uint8_t *state;           /* per load: enum scan_state */
	struct byte_range *bytes; /* per load: what was looked through for it */
	struct strided *loaded;   /* per load: what its number is */
	uint64_t scanned;         /* bytes, in all levels */
};

/* A load whose address has become known. */
struct found_load {
	uint32_t load;
	struct guard_scan scan;
};
typedef VEC(struct found_load) found_list;

void release_scans(struct memory_scans *s)
{
	if (!s)
		return;
	free(s->state);
	free(s->bytes);
	free(s->loaded);
	free(s);
}

static struct memory_scans *new_scans(const struct kernel_ranges *k)
{
	struct memory_scans *s = xcalloc(1, sizeof *s);

	s->state = xcalloc(k->loads.len + 1, sizeof *s->state);
	s->bytes = xcalloc(k->loads.len + 1, sizeof *s->bytes);
	s->loaded = xcalloc(k->loads.len + 1, sizeof *s->loaded);
	for (size_t i = 0; i < k->loads.len; i++) {
		unsigned width = k->nodes.data[k->loads.data[i].node].width;

		s->loaded[i] = strided_full(width);
		if (!k->loads.data[i].wanted || (width != 8 && width != 16 && width != 32 && width != 64))
			s->state[i] = SCAN_NEVER;
	}
	return s;
}

/* --- Which numbers --- */

/*
 * The numbers of a load whose access is at known addresses. An access is at a multiple of its size, so of other
 * addresses only those count.
 */
static bool numbers_of(const struct launch_ranges *l, const struct node_load *load, struct guard_scan *scan)
{
	const struct byte_range *r = &l->ranges[load->access];
	uint64_t size = l->k->accesses.data[load->access].bytes, first = r->first, last, step = l->steps[load->access];

	if (r->kind != RANGE_KNOWN)
		return false;
	last = r->last - (size - 1);
	if (step % size || (step && first % size)) {
		first = (first + size - 1) / size * size;
		step = size;
	}
	if (first > last)
		return false;
	*scan = (struct guard_scan){.address = first + load->place,
				    .bytes = l->k->nodes.data[load->node].width / 8u,
				    .count = step ? (last - first) / step + 1 : 1,
				    .step = step ? step : size};
	return true;
}

/* By what one scan can be of, then by address. */
static int compare_found(const void *a, const void *b)
{
	const struct guard_scan *x = &((const struct found_load *)a)->scan, *y = &((const struct found_load *)b)->scan;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? -1 : 1;
	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	if (x->address % x->step != y->address % y->step)
		return x->address % x->step < y->address % y->step ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

/* Do the numbers of `b` go on where the first `end` of `a` do? */
static bool continues(const struct guard_scan *a, uint64_t end, const struct guard_scan *b)
{
	return a->bytes == b->bytes && a->step == b->step && a->address % a->step == b->address % b->step &&
	       (b->address - a->address) / a->step <= end;
}

static uint64_t later_end(const struct guard_scan *a, uint64_t end, const struct guard_scan *b)
{
	uint64_t other = (b->address - a->address) / a->step + b->count;

	return other > end ? other : end;
}

static void find_loads(const struct launch_ranges *l, const struct memory_scans *s, found_list *found)
{
	for (uint32_t i = 0; i < l->k->loads.len; i++) {
		struct found_load f = {.load = i};

		if (s->state[i] == SCAN_NOT && numbers_of(l, &l->k->loads.data[i], &f.scan) &&
		    f.scan.count <= MOST_BYTES / f.scan.step)
			vec_push(found, f);
	}
	if (found->len)
		qsort(found->data, found->len, sizeof *found->data, compare_found);
}

/* --- What they are --- */

/* The interval of fewer numbers: that of unsigned or that of signed ones. */
static struct strided interval_of(const struct guard_scanned *found, unsigned width)
{
	uint64_t by_sign = (uint64_t)found->signed_high - (uint64_t)found->signed_low;

	if (by_sign < found->high - found->low)
		return strided_make((uint64_t)found->signed_low, by_sign, 1, width);
	return strided_between(found->low, found->high, width);
}

/* Within what a launch waits for. */
static bool find_numbers(struct memory_scans *s, const struct guard_scan *scan, const struct guard_context *memory,
			 struct guard_scanned *numbers)
{
	if (scan->count > (MOST_BYTES - s->scanned) / scan->step || !guard_scan(memory, scan, numbers))
		return false;
	s->scanned += scan->count * scan->step;
	return true;
}

static void note_scan(const struct kernel_ranges *k, struct memory_scans *s, uint32_t load,
		      const struct guard_scan *scan, const struct guard_scanned *numbers)
{
	s->state[load] = SCAN_KNOWN;
	s->loaded[load] = interval_of(numbers, k->nodes.data[k->loads.data[load].node].width);
	s->bytes[load] = (struct byte_range){RANGE_KNOWN, scan->address, scan->address + (guard_scan_size(scan) - 1)};
}

/* One of them, or several of the same array. What is not found now may be where the next level knows more. */
static bool scan_group(const struct kernel_ranges *k, struct memory_scans *s, const struct found_load *group,
		       size_t count, const struct guard_context *memory)
{
	struct guard_scan scan = group->scan;
	struct guard_scanned numbers;

	for (size_t i = 1; i < count; i++)
		scan.count = later_end(&scan, scan.count, &group[i].scan);
	if (!find_numbers(s, &scan, memory, &numbers))
		return false;
	for (size_t i = 0; i < count; i++)
		note_scan(k, s, group[i].load, &scan, &numbers);
	return true;
}

/* True if a number has become known. */
static bool scan_loads(const struct kernel_ranges *k, struct memory_scans *s, const found_list *found,
		       const struct guard_context *memory)
{
	bool any = false;

	for (size_t i = 0, next; i < found->len; i = next) {
		uint64_t end = found->data[i].scan.count;

		for (next = i + 1; next < found->len && continues(&found->data[i].scan, end, &found->data[next].scan);
		     next++)
			end = later_end(&found->data[i].scan, end, &found->data[next].scan);
		if (scan_group(k, s, &found->data[i], next - i, memory)) {
			any = true;
			continue;
		}
		for (size_t j = i; j < next && next - i > 1; j++)
			any |= scan_group(k, s, &found->data[j], 1, memory);
	}
	return any;
}

/* All levels; NULL if nothing was found. */
static struct launch_ranges *scan_levels(const struct kernel_ranges *k, const struct range_launch *launch,
					 const struct launch_ranges *without, struct memory_scans *s,
					 const struct guard_context *memory)
{
	struct launch_ranges *l = NULL;

	for (unsigned level = 0; level < MOST_LEVELS; level++) {
		found_list found = VEC_INIT;
		bool any;

		find_loads(l ? l : without, s, &found);
		any = scan_loads(k, s, &found, memory);
		vec_release(&found);
		if (!any)
			break;
		ptx_ranges_release(l);
		l = evaluate_launch(k, launch, s->loaded);
	}
	return l;
}

/* --- Is it written? --- */

static bool meets(const struct byte_range *r, const range_list *written)
{
	for (size_t i = 0; i < written->len; i++)
		if (r->first <= written->data[i].last && written->data[i].first <= r->last)
			return true;
	return false;
}

enum outcome { STAYS, IS_WRITTEN, NOT_KNOWN };

/* Do writes without a range leave the bytes alone? */
static bool others_stay_out(const range_writes *others, const struct range_writers *writers, const struct byte_range *r)
{
	for (size_t i = 0; i < others->len; i++)
		if (!writers || !writers->stays_out(writers->data, others->data[i].function, others->data[i].inst, r))
			return false;
	return true;
}

/* Loads of what the launch may write are not looked at any more, and the others anew. */
static enum outcome check_writes(const struct launch_ranges *l, struct memory_scans *s,
				 const struct range_writers *writers)
{
	const struct kernel_ranges *k = l->k;
	const struct ptx_module *m = k->function->module;
	range_list written = VEC_INIT;
	range_writes others = VEC_INIT;
	enum outcome outcome = STAYS;

	if (!ptx_ranges_writes(l, m, (uint32_t)(k->function - m->functions), &written, &others))
		outcome = NOT_KNOWN;
	for (size_t i = 0; i < k->loads.len && outcome != NOT_KNOWN; i++)
		if (s->state[i] == SCAN_KNOWN &&
		    (meets(&s->bytes[i], &written) || !others_stay_out(&others, writers, &s->bytes[i]))) {
			s->state[i] = SCAN_NEVER;
			outcome = IS_WRITTEN;
		}
	vec_release(&written);
	vec_release(&others);
	return outcome;
}

static void begin_anew(const struct kernel_ranges *k, struct memory_scans *s)
{
	s->scanned = 0;
	for (size_t i = 0; i < k->loads.len; i++) {
		s->loaded[i] = strided_full(k->nodes.data[k->loads.data[i].node].width);
		s->state[i] = s->state[i] == SCAN_KNOWN ? SCAN_NOT : s->state[i];
	}
}

struct launch_ranges *ptx_ranges_scan(const struct kernel_ranges *k, const struct range_launch *launch,
				      const struct launch_ranges *without, const struct guard_context *memory,
				      const struct range_writers *writers)
{
	struct memory_scans *s;

	if (!k->known)
		return NULL;
	s = new_scans(k);
	for (unsigned i = 0; i < MOST_TRIES; i++) {
		struct launch_ranges *l = scan_levels(k, launch, without, s, memory);
		enum outcome outcome = l ? check_writes(l, s, writers) : NOT_KNOWN;

		if (outcome == STAYS) {
			l->scans = s;
			return l;
		}
		ptx_ranges_release(l);
		if (outcome == NOT_KNOWN)
			break;
		begin_anew(k, s);
	}
	release_scans(s);
	return NULL;
}
