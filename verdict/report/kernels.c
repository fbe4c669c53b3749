/* Chooses the kernels that a report shows, and their order. */
#include "verdict/report/report_writers.h"

#include "common/demangle.h"
#include "common/kernel_names.h"
#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

bool report_wants(const struct report *r, const struct kernel_facts *facts)
{
	return !r->kernels || kernel_matches(r->kernels, facts->name);
}

const struct report_kernel *report_next(const struct report *r, struct report_position *at,
					const struct report_module **module)
{
	for (; at->module < r->nmodules; at->module++, at->kernel = 0) {
		*module = &r->modules[at->module];
		while (at->kernel < (*module)->nkernels) {
			const struct report_kernel *k = &(*module)->kernels[at->kernel++];

			if (report_wants(r, k->facts))
				return k;
		}
	}
	return NULL;
}

/* --- Order --- */

static uint32_t unmarked_loads(const struct report_item *item)
{
	return item->kernel->facts->loads - item->kernel->facts->loads_marked;
}

static int by_position(const struct report_item *a, const struct report_item *b)
{
	return (a->position > b->position) - (a->position < b->position);
}

static int by_name(const void *a, const void *b)
{
	const struct report_item *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : by_position(x, y);
}

static int by_unmarked(const void *a, const void *b)
{
	const struct report_item *x = a, *y = b;
	uint32_t m = unmarked_loads(x), n = unmarked_loads(y);

	return m != n ? (m < n ? 1 : -1) : by_position(x, y);
}

struct report_item *report_items(const struct report *r, size_t *count)
{
	static int (*const orders[])(const void *, const void *) = {
	    [REPORT_BY_UNMARKED] = by_unmarked, [REPORT_BY_NAME] = by_name, [REPORT_IN_ORDER] = NULL};
	VEC(struct report_item) items = VEC_INIT;
	struct report_item item = {.position = 0};
	struct report_position at = {0, 0};

	while ((item.kernel = report_next(r, &at, &item.module))) {
		if (r->unmarked && !unmarked_loads(&item))
			continue;
		item.name = r->sort == REPORT_BY_NAME ? demangle(item.kernel->facts->name) : NULL;
		vec_push(&items, item);
		item.position++;
	}
	if (items.len && orders[r->sort])
		qsort(items.data, items.len, sizeof *items.data, orders[r->sort]);
	*count = items.len;
	return items.data;
}

void report_items_free(struct report_item *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(items[i].name);
	free(items);
}
