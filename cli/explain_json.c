/* An explanation as JSON: docs/cli.md has the keys. */
#include "cli/explain_json.h"

#include "cli/explain_bound.h"

static json_t *keyed(const char *const *keys, const double *values, size_t count)
{
	json_t *object = json_object();

	for (size_t i = 0; i < count; i++)
		json_object_set_new(object, keys[i], json_real(values[i]));
	return object;
}

static json_t *json_of_kernel(const struct explained *e, const struct kernel_numbers *n)
{
	struct kernel_bound b;
	json_t *kernel;

	bound_of(&b, &e->machine, n);
	kernel = json_pack("{s:s, s:s, s:I, s:f, s:f, s:f, s:s, s:s}", "name", n->kernel, "title", n->title, "launches",
			   (json_int_t)n->launches, "cycles", n->at[N_CYCLES], "thread_instructions",
			   n->at[N_THREAD_INSTRUCTIONS], "memory_bytes",
			   (n->at[N_READ_BURSTS] + n->at[N_WRITE_BURSTS]) * e->machine.burst_bytes, "bound_by", b.word,
			   "because", b.because.data);
	json_object_set_new(kernel, "use", keyed(part_keys, b.use, PART_COUNT));
	json_object_set_new(kernel, "request", keyed(stage_keys, b.stage, STAGE_COUNT));
	json_object_set_new(kernel, "waiting", keyed(stage_keys, b.waits, STAGE_COUNT));
	bound_release(&b);
	return kernel;
}

json_t *explain_json(const struct explained *e)
{
	json_t *kernels = json_array();

	for (size_t i = 0; i < e->kernels.len; i++)
		json_array_append_new(kernels, json_of_kernel(e, &e->kernels.data[i]));
	return json_pack(
	    "{s:s, s:O, s:O, s:O, s:f, s:o}", "file", e->result->path, "gpu", json_object_get(e->result->root, "gpu"),
	    "llc_policy", json_object_get(e->result->root, "llc_policy"), "l1_policy",
	    json_object_get(e->result->root, "l1_policy"), "cycles", e->run.at[N_CYCLES], "kernels", kernels);
}
