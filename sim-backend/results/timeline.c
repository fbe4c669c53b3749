/* Trace events: https://ui.perfetto.dev shows the file. A row of bars is a "thread". */
#include "sim-backend/results/timeline.h"

static const char *const row_names[] = {
    [TIMELINE_KERNELS] = "kernels", [TIMELINE_BOUNDARIES] = "boundaries", [TIMELINE_POLICY] = "LLC policy"};

static void open_event(struct timeline *t, const char *name, const char *phase, unsigned row)
{
	out_open_flat(&t->json, NULL, '{');
	out_text(&t->json, "name", name);
	out_text(&t->json, "ph", phase);
	out_count(&t->json, "pid", 0);
	out_count(&t->json, "tid", row);
}

static void put_time(struct timeline *t, const char *key, uint64_t cycles)
{
	out_real(&t->json, key, (double)cycles / t->cycles_per_us);
}

void timeline_begin(struct timeline *t, FILE *stream, uint32_t clock_mhz)
{
	*t = (struct timeline){.json = json_out_begin(stream), .cycles_per_us = clock_mhz};
	out_open(&t->json, NULL, '[');
	for (unsigned row = 0; row < sizeof row_names / sizeof *row_names; row++) {
		open_event(t, "thread_name", "M", row);
		out_open(&t->json, "args", '{');
		out_text(&t->json, "name", row_names[row]);
		out_close(&t->json, '}');
		out_close(&t->json, '}');
	}
}

void timeline_bar(struct timeline *t, enum timeline_row row, const char *name, uint64_t start, uint64_t end,
		  uint64_t launch)
{
	open_event(t, name, "X", row);
	put_time(t, "ts", start);
	put_time(t, "dur", end - start);
	out_open(&t->json, "args", '{');
	out_count(&t->json, "launch", launch);
	out_count(&t->json, "first_cycle", start);
	out_count(&t->json, "cycles", end - start);
	out_close(&t->json, '}');
	out_close(&t->json, '}');
}

void timeline_mark(struct timeline *t, enum timeline_row row, const char *name, uint64_t cycle, double value)
{
	open_event(t, name, "i", row);
	out_text(&t->json, "s", "t");
	put_time(t, "ts", cycle);
	out_open(&t->json, "args", '{');
	out_count(&t->json, "cycle", cycle);
	out_real(&t->json, "value", value);
	out_close(&t->json, '}');
	out_close(&t->json, '}');
}

void timeline_counter(struct timeline *t, const char *name, uint64_t cycle, double value)
{
	open_event(t, name, "C", 0);
	put_time(t, "ts", cycle);
	out_open(&t->json, "args", '{');
	out_real(&t->json, "value", value);
	out_close(&t->json, '}');
	out_close(&t->json, '}');
}

void timeline_end(struct timeline *t)
{
	out_close(&t->json, ']');
	putc('\n', t->json.stream);
}
