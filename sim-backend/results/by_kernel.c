/* A program has few kernels, and mostly launches the same kernel again. So the search begins with the latest rows. */
#include "sim-backend/results/by_kernel.h"

#include "common/xalloc.h"
#include "sim-backend/results/result.h"

#include <string.h>

static struct kernel_total *row_of(struct kernel_totals *t, const struct kernel_result *k)
{
	struct kernel_total *row;

	for (size_t i = t->rows.len; i-- > 0;) {
		row = &t->rows.data[i];
		if (strcmp(row->name, k->name) == 0 && memcmp(row->grid, k->grid, sizeof row->grid) == 0 &&
		    memcmp(row->block, k->block, sizeof row->block) == 0)
			return row;
	}
	vec_grow(&t->rows);
	row = &vec_last(&t->rows);
	row->name = xstrdup(k->name);
	memcpy(row->grid, k->grid, sizeof row->grid);
	memcpy(row->block, k->block, sizeof row->block);
	return row;
}

void kernel_totals_add(struct kernel_totals *t, const struct kernel_result *kernel, uint64_t cycles,
		       const struct counters *counts)
{
	struct kernel_total *row = row_of(t, kernel);

	row->launches++;
	row->cycles += cycles;
	if (counts && !row->counted++)
		row->counts = *counts; /* with the machine's sizes */
	else if (counts)
		counters_add_times(&row->counts, counts, 1);
}

void kernel_totals_release(struct kernel_totals *t)
{
	for (size_t i = 0; i < t->rows.len; i++)
		xfree(t->rows.data[i].name);
	vec_release(&t->rows);
}
