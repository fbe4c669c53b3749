/* A simulation, and its document by paths. */
#include "library/library_call.h"

#include "common/xalloc.h"
#include "library/lowered_code.h"
#include "sim-backend/run/sim.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_GPU "selrep64"

struct romark_result {
	char *text; /* of open_memstream */
	size_t size;
	json_t *root;
};

struct simulation {
	const char *path;
	struct romark_sim_options options;
	struct romark_result *result;
	struct diag d;
	int status;
};

static int configure(struct sim_config *c, const struct romark_sim_options *o, struct diag *d)
{
	if (sim_config_load(c, o->gpu ? o->gpu : DEFAULT_GPU, d) < 0 || sim_config_policies(c, o->llc, o->l1, d) < 0)
		return DIAG_ERROR;
	for (const char *const *set = o->set; set && *set; set++)
		if (sim_config_set(c, *set, d) < 0)
			return DIAG_ERROR;
	return sim_config_check(c, d);
}

static void tell(void *arg, const struct sim_progress *p)
{
	const struct romark_sim_options *o = arg;

	o->progress(o->progress_arg, p->cycles, p->warp_instructions);
}

static int run(struct simulation *s, const struct sim_config *c, struct trace_reader *trace, FILE *json)
{
	const struct romark_sim_options *o = &s->options;
	struct sim_options options = {.kernels = o->kernels,
				      .max_cycles = o->max_cycles,
				      .threads = o->threads,
				      .detail = o->detail,
				      .json = json,
				      .progress = o->progress ? tell : NULL,
				      .progress_arg = (void *)(uintptr_t)o,
				      .lower = lowered_code};
	struct sim_result *result = NULL;
	int status = o->sample ? sampling_parse(o->sample, &options.sample, &s->d) : 0;

	if (status == 0)
		status = sim_run(c, trace, &options, &result, &s->d);
	if (status == 0 && sim_result_summary(result).launches == 0)
		status = diag_file(&s->d, s->path, "no kernel is launched in this trace");
	sim_result_free(result);
	return status;
}

static void simulate(void *arg)
{
	struct simulation *s = arg;
	struct sim_config *c = sim_config_create();
	struct trace_reader *trace = NULL;
	FILE *json;

	s->status = configure(c, &s->options, &s->d);
	if (s->status == 0 && !(trace = trace_open(s->path, &s->d)))
		s->status = DIAG_ERROR;
	if (s->status == 0) {
		json = open_memstream(&s->result->text, &s->result->size);
		if (!json)
			BUG("no stream in memory");
		s->status = run(s, c, trace, json);
		fclose(json);
	}
	if (trace)
		trace_close(trace);
	sim_config_free(c);
	if (s->status == 0)
		s->result->root = json_loadb(s->result->text, s->result->size, 0, NULL);
	if (s->status == 0 && !s->result->root)
		BUG("a result that is no JSON");
}

struct romark_result *romark_sim(const char *trace, const struct romark_sim_options *options,
				 struct romark_error *error)
{
	struct simulation s = {.path = trace, .result = xcalloc(1, sizeof *s.result)};

	library_take(&s.options, sizeof s.options, options);
	if (library_call(simulate, &s, error) && s.status == 0)
		return s.result;
	if (diag_is_set(&s.d))
		library_error(&s.d, error);
	romark_result_free(s.result);
	return NULL;
}

void romark_result_free(struct romark_result *r)
{
	if (!r)
		return;
	json_decref(r->root);
	free(r->text);
	xfree(r);
}

const char *romark_result_json(const struct romark_result *r)
{
	return r->text;
}

/* One step of a path: a key, or an index in a list. */
static const json_t *child_of(const json_t *value, const char *word, size_t length)
{
	char key[128];

	if (length >= sizeof key)
		return NULL;
	memcpy(key, word, length);
	key[length] = '\0';
	return json_is_array(value) ? json_array_get(value, strtoul(key, NULL, 10)) : json_object_get(value, key);
}

static const json_t *find(const struct romark_result *r, const char *path)
{
	const json_t *at = r->root;

	while (*path && at) {
		size_t length = strcspn(path, ".");

		at = child_of(at, path, length);
		path += length + (path[length] == '.');
	}
	return at;
}

double romark_result_number(const struct romark_result *r, const char *path, double otherwise)
{
	const json_t *value = find(r, path);

	if (json_is_boolean(value))
		return json_is_true(value);
	return json_is_number(value) ? json_number_value(value) : otherwise;
}

const char *romark_result_text(const struct romark_result *r, const char *path)
{
	return json_string_value(find(r, path));
}

size_t romark_result_count(const struct romark_result *r, const char *path)
{
	const json_t *value = find(r, path);

	return json_is_array(value) ? json_array_size(value) : json_object_size(value);
}

const char *romark_result_key(const struct romark_result *r, const char *path, size_t n)
{
	json_t *value = (json_t *)(uintptr_t)find(r, path);
	void *at = json_object_iter(value);

	while (at && n-- > 0)
		at = json_object_iter_next(value, at);
	return at ? json_object_iter_key(at) : NULL;
}
