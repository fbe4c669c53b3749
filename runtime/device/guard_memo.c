/* A few answers of a kernel, the oldest of which is replaced; a question is compared with each. */
#include "runtime/device/guard_memo.h"

#include "common/xalloc.h"
#include "runtime/device/regions.h"

#include <stdlib.h>
#include <string.h>

/* An answer that took more bytes than these is not kept. */
enum { MANY_BYTES = 8 << 20, FEWEST_PLACES = 64 };

static uint64_t changes_of(const struct regions *r)
{
	return r ? r->changes : 0;
}

/* --- The same question --- */

static bool is_same_launch(const struct launch_params *a, const struct launch_params *b)
{
	return memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0 &&
	       memcmp(a->cluster, b->cluster, sizeof a->cluster) == 0 && a->dynamic_shared == b->dynamic_shared &&
	       a->cooperative == b->cooperative && a->regions == b->regions && a->regions_seen == b->regions_seen &&
	       a->param_bytes == b->param_bytes;
}

static bool finds_same(const struct guard_scan_seen *was, const struct guard_context *memory)
{
	struct guard_scanned now;

	return guard_scan(memory, &was->scan, &now) == was->known &&
	       (!was->known || (now.low == was->found.low && now.high == was->found.high &&
				now.signed_low == was->found.signed_low && now.signed_high == was->found.signed_high));
}

static bool is_same_memory(const struct guard_answer *a, const struct guard_context *memory, bool informs)
{
	for (size_t i = 0; i < a->variables.len; i++) {
		const struct guard_found *v = &a->variables.data[i];
		uint64_t address = 0;
		size_t size = 0;

		if (memory->variable(memory->device, v->symbol, &address, &size) != v->found ||
		    (v->found && (address != v->address || size != v->size)))
			return false;
	}
	for (size_t i = 0; i < a->seen.len; i++) {
		const struct guard_seen *s = &a->seen.data[i];
		const void *now = memory->view(memory->device, s->address, s->size);

		if (!now || memcmp(now, s->bytes, s->size) != 0)
			return false;
	}
	for (size_t i = 0; i < a->scans.len && !informs; i++)
		if (!finds_same(&a->scans.data[i], memory))
			return false;
	return true;
}

static bool is_same_question(const struct guard_answer *a, const struct guard_question *q)
{
	return a->kept && a->epoch == q->epoch && a->region_changes == changes_of(q->launch->regions) &&
	       is_same_launch(&a->launch, q->launch) &&
	       (!q->launch->param_bytes || memcmp(a->params, q->launch->params, q->launch->param_bytes) == 0);
}

const struct guard_answer *guard_memo_find(struct guard_memo *m, const struct guard_question *q)
{
	for (unsigned i = 0; i < GUARD_ANSWERS; i++)
		if (is_same_question(&m->answers[i], q)) {
			m->answers[i].kept = is_same_memory(&m->answers[i], q->memory, q->informs);
			return m->answers[i].kept ? &m->answers[i] : NULL;
		}
	return NULL;
}

/* --- Noting what the guards read --- */

static void release_answer(struct guard_answer *a)
{
	for (size_t i = 0; i < a->seen.len; i++)
		free(a->seen.data[i].bytes);
	vec_release(&a->seen);
	vec_release(&a->variables);
	vec_release(&a->scans);
	free(a->places);
	free(a->params);
	free(a->why);
	*a = (struct guard_answer){0};
}

static bool find(void *memo, uint64_t address, uint64_t *base, size_t *size)
{
	const struct guard_context *memory = ((struct guard_memo *)memo)->asked->memory;

	return memory->find(memory->device, address, base, size);
}

static bool find_variable(void *memo, uint32_t symbol, uint64_t *address, size_t *size)
{
	struct guard_memo *m = memo;
	const struct guard_context *memory = m->asked->memory;
	bool found = memory->variable(memory->device, symbol, address, size);

	vec_push(&m->answers[m->next].variables,
		 ((struct guard_found){symbol, found, found ? *address : 0, found ? *size : 0}));
	return found;
}

static bool scan_numbers(void *memo, const struct guard_scan *scan, struct guard_scanned *found)
{
	struct guard_memo *m = memo;
	struct guard_scan_seen seen = {.scan = *scan};

	seen.known = guard_scan(m->asked->memory, scan, found);
	seen.found = *found;
	vec_push(&m->answers[m->next].scans, seen);
	return seen.known;
}

/* The place of these bytes, or the empty place to put them. */
static uint32_t *place_of(const struct guard_answer *a, uint64_t address, size_t size)
{
	uint64_t hash = (address ^ size * UINT64_C(0xff51afd7ed558ccd)) * UINT64_C(0x9e3779b97f4a7c15);
	size_t at = (size_t)(hash >> 32) & (a->nplaces - 1);

	while (a->places[at]) {
		const struct guard_seen *s = &a->seen.data[a->places[at] - 1];

		if (s->address == address && s->size == size)
			break;
		at = (at + 1) & (a->nplaces - 1);
	}
	return &a->places[at];
}

static void make_room(struct guard_answer *a)
{
	if (a->seen.len * 2 < a->nplaces)
		return;
	free(a->places);
	a->nplaces = a->nplaces ? a->nplaces * 2 : FEWEST_PLACES;
	a->places = xcalloc(a->nplaces, sizeof *a->places);
	for (size_t i = 0; i < a->seen.len; i++)
		*place_of(a, a->seen.data[i].address, a->seen.data[i].size) = (uint32_t)i + 1;
}

/* Guards view the same bytes repeatedly. All get the bytes of the first view. */
static const void *view(void *memo, uint64_t address, size_t size)
{
	struct guard_memo *m = memo;
	struct guard_answer *a = &m->answers[m->next];
	const struct guard_context *memory = m->asked->memory;
	struct guard_seen seen = {.address = address, .size = size};
	const void *bytes;
	uint32_t *place;

	make_room(a);
	place = place_of(a, address, size);
	if (*place)
		return a->seen.data[*place - 1].bytes;
	bytes = memory->view(memory->device, address, size);
	if (bytes) {
		seen.bytes = xmalloc(size);
		memcpy(seen.bytes, bytes, size);
		a->seen_bytes += size;
	}
	vec_push(&a->seen, seen);
	*place = (uint32_t)a->seen.len;
	return seen.bytes;
}

const struct guard_context *guard_memo_open(struct guard_memo *m, const struct guard_question *q)
{
	release_answer(&m->answers[m->next]);
	m->asked = q;
	m->looks = (struct guard_context){m, find, find_variable, q->memory->view ? view : NULL, scan_numbers};
	return &m->looks;
}

static bool all_was_seen(const struct guard_answer *a)
{
	for (size_t i = 0; i < a->seen.len; i++)
		if (!a->seen.data[i].bytes)
			return false;
	return true;
}

const struct guard_answer *guard_memo_close(struct guard_memo *m, bool holds, const char *why)
{
	struct guard_answer *a = &m->answers[m->next];
	const struct guard_question *q = m->asked;

	a->holds = holds;
	a->why = holds ? NULL : xstrdup(why);
	a->launch = *q->launch;
	a->launch.params = NULL;
	a->params = xmalloc(q->launch->param_bytes + 1);
	if (q->launch->param_bytes)
		memcpy(a->params, q->launch->params, q->launch->param_bytes);
	a->epoch = q->epoch;
	a->region_changes = changes_of(q->launch->regions);
	a->kept = a->seen_bytes <= MANY_BYTES && all_was_seen(a);
	m->next = (m->next + 1) % GUARD_ANSWERS;
	m->asked = NULL;
	return a;
}

void guard_memo_release(struct guard_memo *m)
{
	for (unsigned i = 0; i < GUARD_ANSWERS; i++)
		release_answer(&m->answers[i]);
	*m = (struct guard_memo){0};
}
