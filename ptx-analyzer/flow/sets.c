/*
 * Interned sets. The contents are in an arena. A hash table leads from contents to ids, and another from two ids to
 * their union.
 */
#include "ptx-analyzer/flow/sets.h"

#include "common/arena.h"
#include "common/vec.h"

struct union_memo {
	set_id a, b, result; /* a < b; a == SET_EMPTY = free place */
};

struct set_table {
	struct arena arena;
	VEC(struct set) sets;
	set_id *index; /* contents -> id; SET_EMPTY = free place */
	size_t index_cap;
	struct union_memo *memo;
	size_t memo_len, memo_cap;
	VEC(uint32_t) scratch;
	set_id *singles; /* element -> its set, for small elements */
};

enum { SMALL_ELEMENTS = 4096 };

static uint64_t hash_elems(const uint32_t *elems, size_t count)
{
	uint64_t h = 0x9e3779b97f4a7c15u + count;

	for (size_t i = 0; i < count; i++) {
		h = (h ^ elems[i]) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	return h;
}

struct set_table *set_table_new(void)
{
	struct set_table *t = xcalloc(1, sizeof *t);

	t->index_cap = t->memo_cap = 1024;
	t->index = xcalloc(t->index_cap, sizeof *t->index);
	t->memo = xcalloc(t->memo_cap, sizeof *t->memo);
	t->singles = xcalloc(SMALL_ELEMENTS, sizeof *t->singles);
	vec_push(&t->sets, (struct set){NULL, 0, {SET_EMPTY}});
	return t;
}

void set_table_free(struct set_table *t)
{
	if (!t)
		return;
	arena_release(&t->arena);
	vec_release(&t->sets);
	vec_release(&t->scratch);
	free(t->index);
	free(t->memo);
	free(t->singles);
	free(t);
}

struct set *set_get(const struct set_table *t, set_id s)
{
	return &t->sets.data[s];
}

static void index_grow(struct set_table *t)
{
	size_t cap = t->index_cap * 2;

	free(t->index);
	t->index = xcalloc(cap, sizeof *t->index);
	t->index_cap = cap;
	for (set_id s = 1; s < t->sets.len; s++) {
		size_t at = hash_elems(t->sets.data[s].elems, t->sets.data[s].count) & (cap - 1);

		while (t->index[at])
			at = (at + 1) & (cap - 1);
		t->index[at] = s;
	}
}

/* `elems` ascending without repeats. */
static set_id intern(struct set_table *t, const uint32_t *elems, size_t count)
{
	size_t at = hash_elems(elems, count) & (t->index_cap - 1);

	if (count == 0)
		return SET_EMPTY;
	for (; t->index[at]; at = (at + 1) & (t->index_cap - 1)) {
		const struct set *s = &t->sets.data[t->index[at]];

		if (s->count == count && memcmp(s->elems, elems, count * sizeof *elems) == 0)
			return t->index[at];
	}
	t->index[at] = (set_id)t->sets.len;
	vec_push(&t->sets, (struct set){arena_memdup(&t->arena, elems, count * sizeof *elems), (uint32_t)count, {0}});
	memset(vec_last(&t->sets).mapped, 0xff, sizeof vec_last(&t->sets).mapped);
	if (t->sets.len * 2 > t->index_cap)
		index_grow(t);
	return (set_id)(t->sets.len - 1);
}

set_id set_single(struct set_table *t, uint32_t elem)
{
	if (elem >= SMALL_ELEMENTS)
		return intern(t, &elem, 1);
	if (!t->singles[elem])
		t->singles[elem] = intern(t, &elem, 1);
	return t->singles[elem];
}

static int compare_elems(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

set_id set_of(struct set_table *t, uint32_t *elems, size_t count)
{
	size_t kept = 0;

	if (count > 1)
		qsort(elems, count, sizeof *elems, compare_elems);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || elems[kept - 1] != elems[i])
			elems[kept++] = elems[i];
	return intern(t, elems, kept);
}

bool set_has(const struct set_table *t, set_id s, uint32_t elem)
{
	const struct set *v = set_get(t, s);

	for (uint32_t i = 0; i < v->count && v->elems[i] <= elem; i++)
		if (v->elems[i] == elem)
			return true;
	return false;
}

static set_id merge(struct set_table *t, set_id a, set_id b)
{
	const struct set *x = set_get(t, a), *y = set_get(t, b);
	uint32_t i = 0, j = 0;
	size_t n = 0;

	vec_reserve(&t->scratch, (size_t)x->count + y->count);
	while (i < x->count || j < y->count) {
		uint32_t elem;

		if (j == y->count || (i < x->count && x->elems[i] <= y->elems[j]))
			elem = x->elems[i];
		else
			elem = y->elems[j];
		i += i < x->count && x->elems[i] == elem;
		j += j < y->count && y->elems[j] == elem;
		t->scratch.data[n++] = elem;
	}
	return intern(t, t->scratch.data, n);
}

static size_t memo_place(const struct set_table *t, set_id a, set_id b)
{
	uint64_t h = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;
	size_t at = (h ^ h >> 29) & (t->memo_cap - 1);

	while (t->memo[at].a && (t->memo[at].a != a || t->memo[at].b != b))
		at = (at + 1) & (t->memo_cap - 1);
	return at;
}

static void memo_grow(struct set_table *t)
{
	struct union_memo *old = t->memo;
	size_t old_cap = t->memo_cap;

	t->memo_cap *= 2;
	t->memo = xcalloc(t->memo_cap, sizeof *t->memo);
	for (size_t i = 0; i < old_cap; i++)
		if (old[i].a)
			t->memo[memo_place(t, old[i].a, old[i].b)] = old[i];
	free(old);
}

set_id set_merge(struct set_table *t, set_id a, set_id b)
{
	size_t at;
	set_id low = a < b ? a : b, high = a < b ? b : a;

	at = memo_place(t, low, high);
	if (t->memo[at].a)
		return t->memo[at].result;
	t->memo[at] = (struct union_memo){low, high, merge(t, low, high)};
	high = t->memo[at].result;
	if (++t->memo_len * 2 > t->memo_cap)
		memo_grow(t);
	return high;
}
