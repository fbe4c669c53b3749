/* Kernel times, each version of a kernel apart: collected launch by launch, reported at the end as a table and as JSON.
 */
#include "runtime/gpu/gpu_device.h"

#include "common/c_locale.h"
#include "common/file.h"
#include "common/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gpu_times_add(struct device *dev, const char *kernel, enum gpu_version version, float milliseconds)
{
	struct gpu_times added = {.version = version};

	for (size_t i = 0; i < dev->times.len; i++) {
		struct gpu_times *t = &dev->times.data[i];

		if (t->version == version && strcmp(t->kernel, kernel) == 0) {
			vec_push(&t->milliseconds, milliseconds);
			return;
		}
	}
	added.kernel = xstrdup(kernel);
	vec_push(&added.milliseconds, milliseconds);
	vec_push(&dev->times, added);
}

static int by_value(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

struct summary {
	double min, median, total;
};

static struct summary summarize(const struct gpu_times *t)
{
	size_t n = t->milliseconds.len;
	float *sorted = xmalloc(n * sizeof *sorted);
	struct summary s = {0};

	memcpy(sorted, t->milliseconds.data, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, by_value);
	s.min = sorted[0];
	s.median = ((double)sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
	for (size_t i = 0; i < n; i++)
		s.total += sorted[i];
	free(sorted);
	return s;
}

static const char *version_name(const struct gpu_times *t)
{
	static const char *const names[] = {[GPU_PLAIN] = "plain", [GPU_MARKED] = "marked", [GPU_CHECKED] = "checked"};

	return names[t->version];
}

static void print_table(const struct device *dev)
{
	fprintf(stderr, "romark: %-40s %-7s %8s %12s %12s %12s\n", "kernel", "version", "launches", "min ms",
		"median ms", "total ms");
	for (size_t i = 0; i < dev->times.len; i++) {
		const struct gpu_times *t = &dev->times.data[i];
		struct summary s = summarize(t);

		c_fprintf(stderr, "romark: %-40s %-7s %8zu %12.6f %12.6f %12.6f\n", t->kernel, version_name(t),
			  t->milliseconds.len, s.min, s.median, s.total);
	}
}

/*
 * Quotes a kernel's name, which is a PTX identifier and needs no escapes, or libcuda's name of a device, without the
 * characters that would need escapes.
 */
static void add_quoted(struct strbuf *out, const char *text)
{
	strbuf_addc(out, '"');
	for (; *text; text++)
		if (*text != '"' && *text != '\\' && (unsigned char)*text >= ' ')
			strbuf_addc(out, *text);
	strbuf_addc(out, '"');
}

static void write_json(const struct device *dev)
{
	struct strbuf out = STRBUF_INIT;
	struct diag d = DIAG_INIT;

	strbuf_adds(&out, "{\"schema\": 1, \"gpu\": ");
	add_quoted(&out, dev->name);
	strbuf_addf(&out, ", \"capability\": %d, \"driver\": %d, \"kernels\": [", dev->capability, dev->cuda_version);
	for (size_t i = 0; i < dev->times.len; i++) {
		const struct gpu_times *t = &dev->times.data[i];
		struct summary s = summarize(t);

		strbuf_addf(&out, "%s\n  {\"name\": ", i ? "," : "");
		add_quoted(&out, t->kernel);
		strbuf_addf(&out,
			    ", \"version\": \"%s\", \"launches\": %zu, \"min_ms\": %.6f, \"median_ms\": %.6f, "
			    "\"total_ms\": %.6f}",
			    version_name(t), t->milliseconds.len, s.min, s.median, s.total);
	}
	strbuf_adds(&out, "]}\n");
	if (file_write(dev->times_to, out.data, out.len, &d) < 0)
		diag_print(&d, stderr);
	strbuf_release(&out);
}

void gpu_times_report(const struct device *dev)
{
	if (!dev->times_to)
		return;
	print_table(dev);
	if (strcmp(dev->times_to, "1") != 0)
		write_json(dev);
}

void gpu_times_release(struct device *dev)
{
	for (size_t i = 0; i < dev->times.len; i++) {
		free(dev->times.data[i].kernel);
		vec_release(&dev->times.data[i].milliseconds);
	}
	vec_release(&dev->times);
}
