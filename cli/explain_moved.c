/*
 * Differences of many kinds are ordered by one number: their share of the whole that they are a part of. Cycles lost to
 * a cause are a part of all cycles, a structure's bursts one of all bursts, a stage's time one of a request's. Traffic
 * counts for less where what carries it has room: DRAM that is 3 % full may do twice as much, and no cycle is lost.
 */
#include "cli/explain_moved.h"

#include "cli/explain_bound.h"
#include "common/strbuf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Less than this share is no news. */
static const double LEAST = 0.005;

/* `use`: how full the part is that carries it, 1 for time. */
static void add(struct moved *m, struct difference row, double whole, double use)
{
	row.share = share_of(row.b - row.a, whole);
	row.weight = fabs(row.share) * use;
	if (row.weight >= LEAST)
		vec_push(&m->rows, row);
	else
		xfree(row.subject);
}

/* --- The run --- */

static void add_causes(struct moved *m, const struct explained *a, const struct explained *b)
{
	static const struct {
		enum explain_number slot;
		const char *what;
	} causes[] = {
	    {N_SLOT_ISSUED, "cycles that issue"},
	    {N_SLOT_MEMORY, "cycles lost waiting for loads"},
	    {N_SLOT_SHARED, "cycles lost waiting for shared memory"},
	    {N_SLOT_DEPENDENCY, "cycles lost waiting for other registers"},
	    {N_SLOT_UNIT, "cycles lost waiting for functional units"},
	    {N_SLOT_LSU, "cycles lost to a full LSU"},
	    {N_SLOT_BARRIER, "cycles lost at barriers"},
	    {N_SLOT_FENCE, "cycles lost at fences"},
	    {N_SLOT_NO_WARP, "cycles without a warp"},
	};
	double all = fmax(a->run.at[N_CYCLES], b->run.at[N_CYCLES]);

	for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
		double x = share_of(a->run.at[causes[i].slot], numbers_slots(&a->run)) * a->run.at[N_CYCLES];
		double y = share_of(b->run.at[causes[i].slot], numbers_slots(&b->run)) * b->run.at[N_CYCLES];

		add(m, (struct difference){NULL, causes[i].what, "cycles", x, y, 0, 0}, all, 1);
	}
}

static void add_stages(struct moved *m, const struct kernel_bound *x, const struct kernel_bound *y)
{
	static const char *const what[STAGE_COUNT] = {
	    "a request's time in the injection port", "a request's time in the request network",
	    "a request's time in the slice's queue",  "a request's time in the slice's pipeline",
	    "a request's time in port and memory",    "a request's time in the reply queue",
	    "a request's time in the reply network"};

	for (unsigned i = 0; i < STAGE_COUNT; i++)
		add(m, (struct difference){NULL, what[i], "cycles", x->stage[i], y->stage[i], 0, 0},
		    fmax(x->round_trip, y->round_trip), 1);
}

/* --- Kernels --- */

/* The cycles of one kernel are the run's, which its causes tell. */
static void add_kernels(struct moved *m, const struct explained *a, const struct explained *b)
{
	double all = fmax(a->run.at[N_CYCLES], b->run.at[N_CYCLES]);

	for (size_t i = 0; a->kernels.len > 1 && i < a->kernels.len; i++) {
		const struct kernel_numbers *x = &a->kernels.data[i], *y = explained_kernel(b, x->kernel);

		if (y)
			add(m,
			    (struct difference){xstrdup(x->title), "cycles", "cycles", x->at[N_CYCLES], y->at[N_CYCLES],
						0, 0},
			    all, 1);
	}
}

/* --- Structures --- */

static double number_in(json_t *structure, const char *key)
{
	return json_number_value(json_object_get(structure, key));
}

static double slice_requests(json_t *s)
{
	return number_in(s, "llc_accesses");
}

static double llc_misses(json_t *s)
{
	return number_in(s, "llc_accesses") - number_in(s, "llc_hits") - number_in(s, "llc_merges");
}

static double dram_bursts(json_t *s)
{
	return number_in(s, "dram_read_bursts") + number_in(s, "dram_write_bursts");
}

/* Requests pass both networks and the slices; the fullest counts. */
static double request_use(const struct kernel_bound *b)
{
	return fmax(b->use[PART_SLICES], fmax(b->use[PART_REQUESTS], b->use[PART_REPLIES]));
}

static double dram_use(const struct kernel_bound *b)
{
	return b->use[PART_DRAM];
}

static const struct measure {
	const char *what, *unit;
	double (*of)(json_t *structure);
	double (*use)(const struct kernel_bound *);
} measures[] = {
    {"requests to the LLC", "requests", slice_requests, request_use},
    {"misses of the LLC", "misses", llc_misses, dram_use},
    {"DRAM bursts", "bursts", dram_bursts, dram_use},
};

static json_t *structures_of(const struct explained *e)
{
	return json_object_get(e->result->root, "structures");
}

static double sum_of(const struct explained *e, const struct measure *measure)
{
	json_t *structure;
	double sum = 0;
	size_t i;

	json_array_foreach(structures_of(e), i, structure)
	{
		sum += measure->of(structure);
	}
	return sum;
}

static const char *text_of(json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static json_t *same_structure(const struct explained *e, json_t *wanted)
{
	json_t *structure;
	size_t i;

	json_array_foreach(structures_of(e), i, structure)
	{
		if (strcmp(text_of(structure, "kernel"), text_of(wanted, "kernel")) == 0 &&
		    strcmp(text_of(structure, "id"), text_of(wanted, "id")) == 0)
			return structure;
	}
	return NULL;
}

static char *structure_title(const struct explained *e, json_t *structure)
{
	const struct kernel_numbers *kernel = explained_kernel(e, text_of(structure, "kernel"));
	struct strbuf title = STRBUF_INIT;

	strbuf_adds(&title, text_of(structure, "id"));
	if (kernel)
		strbuf_addf(&title, " of %s", kernel->title);
	return strbuf_detach(&title);
}

static void add_measure(struct moved *m, const struct explained *a, const struct explained *b,
			const struct measure *measure, double use)
{
	double all = fmax(sum_of(a, measure), sum_of(b, measure));
	json_t *x;
	size_t i;

	json_array_foreach(structures_of(a), i, x)
	{
		json_t *y = same_structure(b, x);
		double after = y ? measure->of(y) : 0;

		add(m,
		    (struct difference){structure_title(a, x), measure->what, measure->unit, measure->of(x), after, 0,
					0},
		    all, use);
	}
}

/* --- Lines of the program, of results with --lines --- */

/* "line 35 of k", "PTX line 12 of k" */
static char *line_title(const struct explained *e, json_t *line)
{
	const struct kernel_numbers *kernel = explained_kernel(e, text_of(line, "kernel"));
	double source = number_in(line, "source_line");
	struct strbuf title = STRBUF_INIT;

	strbuf_addf(&title, source > 0 ? "line %.0f" : "PTX line %.0f",
		    source > 0 ? source : number_in(line, "ptx_line"));
	if (kernel)
		strbuf_addf(&title, " of %s", kernel->title);
	return strbuf_detach(&title);
}

static json_t *same_line(const struct explained *e, json_t *wanted)
{
	json_t *line;
	size_t i;

	json_array_foreach(json_object_get(e->result->root, "lines"), i, line)
	{
		if (strcmp(text_of(line, "kernel"), text_of(wanted, "kernel")) == 0 &&
		    number_in(line, "source_line") == number_in(wanted, "source_line") &&
		    number_in(line, "ptx_line") == number_in(wanted, "ptx_line"))
			return line;
	}
	return NULL;
}

static double sum_of_lines(const struct explained *e, const char *key)
{
	json_t *line;
	double sum = 0;
	size_t i;

	json_array_foreach(json_object_get(e->result->root, "lines"), i, line)
	{
		sum += number_in(line, key);
	}
	return sum;
}

/* How much of the run is lost to loads and stores: the waiting of lines weighs that much. */
static double memory_share(const struct explained *e)
{
	const double *at = e->run.at;

	return share_of(at[N_SLOT_MEMORY] + at[N_SLOT_LSU] + at[N_SLOT_SHARED], numbers_slots(&e->run));
}

static void add_lines(struct moved *m, const struct explained *a, const struct explained *b)
{
	static const struct {
		const char *key, *what;
	} counters[] = {{"wait_cycles", "warp cycles of waiting"}, {"blocked_cycles", "cycles that block the LSU"}};
	double use = fmax(memory_share(a), memory_share(b));

	for (size_t k = 0; k < sizeof counters / sizeof *counters; k++) {
		double all = fmax(sum_of_lines(a, counters[k].key), sum_of_lines(b, counters[k].key));
		json_t *x;
		size_t i;

		json_array_foreach(json_object_get(a->result->root, "lines"), i, x)
		{
			json_t *y = same_line(b, x);

			if (y)
				add(m,
				    (struct difference){line_title(a, x), counters[k].what, "cycles",
							number_in(x, counters[k].key), number_in(y, counters[k].key), 0,
							0},
				    all, use);
		}
	}
}

/* --- The order --- */

static int by_weight(const void *left, const void *right)
{
	const struct difference *x = left, *y = right;
	int order = (x->weight < y->weight) - (x->weight > y->weight);

	if (!order)
		order = strcmp(x->what, y->what);
	return order ? order : strcmp(x->subject ? x->subject : "", y->subject ? y->subject : "");
}

void moved_between(struct moved *m, const struct explained *a, const struct explained *b)
{
	struct kernel_bound x, y;

	*m = (struct moved){.rows = VEC_INIT};
	bound_of(&x, &a->machine, &a->run);
	bound_of(&y, &b->machine, &b->run);
	add_causes(m, a, b);
	add_stages(m, &x, &y);
	add_kernels(m, a, b);
	for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
		add_measure(m, a, b, &measures[i], fmax(measures[i].use(&x), measures[i].use(&y)));
	add_lines(m, a, b);
	bound_release(&x);
	bound_release(&y);
	if (m->rows.len)
		qsort(m->rows.data, m->rows.len, sizeof *m->rows.data, by_weight);
}

void moved_release(struct moved *m)
{
	for (size_t i = 0; i < m->rows.len; i++)
		xfree(m->rows.data[i].subject);
	vec_release(&m->rows);
}
