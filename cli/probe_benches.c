/* The points of a benchmark are those of the file of measured values, or the benchmark's own without such a file. */
#include "cli/probe_benches.h"

#include "cli/command.h"
#include "cli/truth.h"
#include "common/ascii.h"
#include "common/c_locale.h"
#include "common/file.h"
#include "common/progress.h"
#include "sim-backend/probe/probe_gpu.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* A point is good where ours differs by no more than this. */
static const double latency_within = 0.05, bandwidth_within = 0.10;

struct measured_point {
	enum bench bench;
	struct bench_point at;
	const char *x;   /* as the file spells it, or NULL */
	double measured; /* NAN: not known */
	double ours;
};

typedef VEC(struct measured_point) points;

static bool same_name(const char *a, const char *b)
{
	while (*a && ascii_to_upper(*a) == ascii_to_upper(*b))
		a++, b++;
	return !*a && !*b;
}

static void add_own(points *list, enum bench bench)
{
	for (const struct bench_point *p = bench_infos[bench].points; p->x > 0; p++)
		vec_push(list, (struct measured_point){bench, *p, NULL, NAN, 0});
}

/* The measured points of this GPU that come with romark. Returns whether there are some of this benchmark. */
static bool add_known(points *list, enum bench bench, const char *gpu)
{
	size_t first = list->len;

	for (const struct bench_measured *m = bench_measured; m->gpu; m++)
		if (m->bench == bench && same_name(m->gpu, gpu))
			vec_push(list, (struct measured_point){bench, {m->x, 0}, NULL, m->value, 0});
	return list->len > first;
}

static void add_measured(points *list, enum bench bench, const struct truth *truth, const char *gpu)
{
	for (size_t i = 0; i < truth->rows.len; i++) {
		const struct truth_row *row = &truth->rows.data[i];

		if (bench == BENCH_CHASE && row->at[0] > BENCH_CHASE_MOST)
			continue;
		if (same_name(row->gpu, gpu) && strcmp(row->what, bench_infos[bench].name) == 0)
			vec_push(list, (struct measured_point){bench, {row->at[0], row->at[1]}, row->x, row->value, 0});
	}
}

/* Keeps at most `most` of the points from `first` on, spread evenly; first and last stay. */
static void thin(points *list, size_t first, unsigned most)
{
	size_t count = list->len - first;

	if (!most || count <= most)
		return;
	for (unsigned i = 0; i < most; i++)
		list->data[first + i] = list->data[first + (most > 1 ? i * (count - 1) / (most - 1) : 0)];
	list->len = first + most;
}

static void choose(const struct probe_benches *o, const struct truth *truth, const char *gpu, points *list)
{
	for (enum bench bench = 0; bench < BENCH_COUNT; bench++) {
		size_t first = list->len;

		if (o->only && !strstr(bench_infos[bench].name, o->only))
			continue;
		if (o->truth)
			add_measured(list, bench, truth, gpu);
		else if (!add_known(list, bench, gpu))
			add_own(list, bench);
		thin(list, first, o->points);
	}
}

static int run(const struct sim_config *config, points *list, struct diag *d)
{
	struct progress progress;
	int status = 0;

	progress_start(&progress, "probing", list->len);
	for (size_t i = 0; i < list->len && status == 0; i++) {
		struct measured_point *p = &list->data[i];

		progress_update(&progress, i, bench_infos[p->bench].name);
		status = probe_gpu(config, p->bench, p->at, &p->ours, d);
	}
	progress_end(&progress);
	return status;
}

static bool is_good(const struct measured_point *p)
{
	return fabs(p->ours / p->measured - 1) <= (bench_infos[p->bench].latency ? latency_within : bandwidth_within);
}

static void spell(const struct measured_point *p, char *text, size_t size)
{
	const struct bench_info *info = &bench_infos[p->bench];

	if (p->x)
		snprintf(text, size, "%s", p->x);
	else if (p->at.y > 0)
		c_snprintf(text, size, "%.0f, %.0f (%s)", p->at.x, p->at.y, info->x_unit);
	else
		c_snprintf(text, size, "%.0f %s", p->at.x / (strncmp(info->x_unit, "kB", 2) == 0 ? 1024 : 1),
			   info->x_unit);
}

static void print_point(const struct measured_point *p, FILE *out)
{
	char x[64], beside[48] = "";

	spell(p, x, sizeof x);
	if (!isnan(p->measured))
		c_snprintf(beside, sizeof beside, " %10.1f %6.2f%s", p->measured, p->ours / p->measured,
			   is_good(p) ? "" : " *");
	c_fprintf(out, "  %-32s %10.1f%s\n", x, p->ours, beside);
}

/* Points with a measured value that are of this kind, and those of them that are good. */
static unsigned count(const points *list, bool latency, unsigned *good)
{
	unsigned all = 0;

	*good = 0;
	for (size_t i = 0; i < list->len; i++) {
		const struct measured_point *p = &list->data[i];

		if (isnan(p->measured) || bench_infos[p->bench].latency != latency)
			continue;
		all++;
		*good += is_good(p);
	}
	return all;
}

static bool any_measured(const points *list)
{
	for (size_t i = 0; i < list->len; i++)
		if (!isnan(list->data[i].measured))
			return true;
	return false;
}

static void print_table(const points *list, FILE *out)
{
	unsigned good, all;

	for (size_t i = 0; i < list->len; i++) {
		const struct measured_point *p = &list->data[i];

		if (i == 0 || p->bench != list->data[i - 1].bench)
			fprintf(out, "%s, %s%s\n", bench_infos[p->bench].name, bench_infos[p->bench].unit,
				isnan(p->measured) ? "" : ": ours, measured, ratio");
		print_point(p, out);
	}
	if (!any_measured(list))
		return;
	all = count(list, true, &good);
	fprintf(out, "latency: %u of %u points within 5 %%\n", good, all);
	all = count(list, false, &good);
	fprintf(out, "bandwidth: %u of %u points within 10 %% (* beyond)\n", good, all);
}

static json_t *summary_json(const points *list, bool latency, double within)
{
	unsigned good, all = count(list, latency, &good);

	return json_pack("{s:i, s:i, s:f}", "points", (int)all, "good", (int)good, "within", within);
}

static json_t *benches_json(const points *list, const struct sim_config *config, const char *gpu)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < list->len; i++) {
		const struct measured_point *p = &list->data[i];
		const struct bench_info *info = &bench_infos[p->bench];
		json_t *row;
		char x[64];

		spell(p, x, sizeof x);
		row = json_pack("{s:s, s:s, s:s, s:f}", "benchmark", info->name, "x", x, "unit", info->unit, "ours",
				p->ours);
		if (!isnan(p->measured)) {
			json_object_set_new(row, "measured", json_real(p->measured));
			json_object_set_new(row, "ratio", json_real(p->ours / p->measured));
		}
		json_array_append_new(rows, row);
	}
	return json_pack("{s:i, s:s, s:s, s:s?, s:o, s:o, s:o}", "schema", 1, "gpu", config->name, "component", "gpu",
			 "measured_on", gpu, "points", rows, "latency", summary_json(list, true, latency_within),
			 "bandwidth", summary_json(list, false, bandwidth_within));
}

static int write_results(const points *list, const struct probe_benches *o, const struct sim_config *config,
			 const char *gpu, struct diag *d)
{
	json_t *results;
	struct outfile out;
	char *text;
	int status;

	if (!o->json || strcmp(o->json, "-") != 0)
		print_table(list, stdout);
	if (!o->json)
		return 0;
	results = benches_json(list, config, any_measured(list) ? gpu : NULL);
	text = json_dumps(results, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	json_decref(results);
	status = outfile_open(&out, o->json, d);
	if (status == 0) {
		fprintf(out.stream, "%s\n", text);
		status = outfile_commit(&out, d);
	}
	free(text);
	return status;
}

int probe_benches(const struct probe_benches *o, const struct sim_config *config)
{
	const char *gpu = o->truth_gpu ? o->truth_gpu : config->name;
	struct truth truth = {.arena = ARENA_INIT};
	struct diag d = DIAG_INIT;
	points list = VEC_INIT;
	int status = o->truth ? truth_read(&truth, o->truth, &d) : 0;

	if (status == 0) {
		choose(o, &truth, gpu, &list);
		if (!list.len && o->truth)
			status =
			    diag_file(&d, o->truth, "no benchmark of GPU '%s'; name another with --truth-gpu", gpu);
		else if (!list.len)
			status =
			    diag_file(&d, "--only",
				      "no benchmark has '%s' in its name; without --only the table names all", o->only);
	}
	if (status == 0)
		status = run(config, &list, &d);
	if (status == 0)
		status = write_results(&list, o, config, gpu, &d);
	if (status < 0)
		diag_print(&d, stderr);
	truth_release(&truth);
	vec_release(&list);
	return status < 0 ? EXIT_BAD_INPUT : EXIT_OK;
}
