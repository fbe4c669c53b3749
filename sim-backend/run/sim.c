/* A run: makes the machine, runs the launches one after the other, writes the result. */
#include "sim-backend/run/sim_internal.h"

#include "common/kernel_names.h"
#include "common/pattern.h"
#include "common/progress.h"
#include "common/xalloc.h"
#include "sim-backend/run/checkpoint.h"
#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/outside/outside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void create_result(struct sim *s)
{
	const struct sim_config *c = s->config;
	struct sim_result *r = s->result = xcalloc(1, sizeof *s->result);
	struct shape shape = memsys_shape(&c->memory);

	r->config = c;
	r->gpu = arena_strdup(&r->arena, c->name);
	r->llc_policy = c->llc_policy->name;
	r->l1_policy = c->l1_policy->name;
	r->lives_on_marks = c->llc_policy->lives_on_marks;
	r->detail = s->options->detail;
	r->counts_lines = s->lines.wanted = s->options->lines;
	r->nslices = result_slices(c);
	r->nchannels = result_channels(c);
	r->nbanks = c->memory.dram.banks;
	r->nchips = c->memory.chips.count;
	r->peak_gbs = shape.chips * dram_peak_gbs(&c->memory.dram, shape_channels(&shape));
	r->structure_stats = xcalloc(MAX_STRUCTURES, sizeof *r->structure_stats);
	vec_push(&r->structures, (struct structure_result){.kernel = "", .id = "(none)"});
	moment_init(&r->end, c, MAX_STRUCTURES);
	moment_init(&s->before, c, MAX_STRUCTURES);
	sampler_init(&s->sampler, &s->options->sample, r, s->trace);
	r->json = json_out_begin(s->options->json);
	result_begin(r);
}

/* Launches add rows while no policy is at work. */
static const char *structure_name(const void *arg, uint32_t structure, const char **kernel)
{
	const struct sim_result *r = arg;

	if (structure == 0 || structure >= r->structures.len)
		return NULL;
	*kernel = r->structures.data[structure].kernel;
	return r->structures.data[structure].id;
}

static void create_machine(struct sim *s)
{
	const struct sim_config *c = s->config;
	const struct config_section *l1_knobs_section = sim_config_section(c, c->l1_policy->name);
	const struct config_section *llc_knobs_section = sim_config_section(c, c->llc_policy->name);

	outside_forgive(c->llc_policy);
	outside_forgive(c->l1_policy);
	outside_forgive(c->replacement);
	create_result(s);
	outside_use_names(structure_name, s->result);
	s->l1 = c->l1;
	s->memory = memsys_create(&c->memory, c->llc_policy, llc_knobs_section ? llc_knobs_section->values : NULL,
				  MAX_STRUCTURES);
	s->result->router_ports = memsys_statistics(s->memory)->router_ports;
	s->result->long_links = memsys_statistics(s->memory)->long_links;
	if (s->options->verify)
		memsys_follow_versions(s->memory);
	if (s->options->detail)
		memsys_watch_sharing(s->memory);
	s->context = (struct sm_context){.config = &c->sm,
					 .exec = &c->exec,
					 .cta = &c->cta,
					 .l1_config = &s->l1,
					 .l1_policy = c->l1_policy,
					 .l1_policy_knobs = l1_knobs_section ? l1_knobs_section->values : NULL,
					 .memsys = s->memory,
					 .counts_alike = c->memory.llc.atomic_alike > 0,
					 .wake = xcalloc(c->gpu.sms, sizeof *s->context.wake),
					 .structures = s->result->structure_stats};
	sim_log_events(s);
	sm_context_init(&s->context);
	s->sms = xcalloc(c->gpu.sms, sizeof *s->sms);
	for (uint32_t i = 0; i < c->gpu.sms; i++)
		s->sms[i] = sm_create(&s->context, i);
	cta_scheduler_init(&s->ctas, &c->cta, s->sms, c->gpu.sms, c->memory.chips.count,
			   c->memory.chips.count * c->memory.noc.sm_routers, &s->context);
	s->machine = (struct machine){.memory = s->memory,
				      .sms = s->sms,
				      .nsms = c->gpu.sms,
				      .wake = s->context.wake,
				      .context = &s->context,
				      .ctas = &s->ctas,
				      .share_each = s->options->share_each,
				      .reverse = s->options->reverse};
	if (sim_is_concurrent(s))
		sim_allow_beside(s);
	sim_start_threads(s);
}

static void free_machine(struct sim *s)
{
	outside_use_names(NULL, NULL);
	sim_end_threads(s);
	cta_scheduler_release(&s->ctas);
	sampler_release(&s->sampler);
	batch_release(&s->batch);
	for (uint32_t i = 0; i < s->config->gpu.sms; i++)
		sm_free(s->sms[i]);
	memsys_free(s->memory);
	sim_end_events(s);
	xfree(s->sms);
	xfree(s->context.wake);
	xfree(s->insts);
	xfree(s->conflicts);
	lines_release(&s->lines);
	xfree(s->structure_base);
	sim_free_codes(s);
	moment_release(&s->before);
}

static void keep_loads(const struct sim *s)
{
	const struct memsys_stats *memory = memsys_statistics(s->memory);

	memcpy(s->result->noc_load[0], memory->request_load, sizeof s->result->noc_load[0]);
	memcpy(s->result->noc_load[1], memory->reply_load, sizeof s->result->noc_load[1]);
}

/* `kernels`: how many the launches have. */
static int none_matches(const struct sim *s, uint32_t kernels)
{
	struct kernel_names names = KERNEL_NAMES_INIT;
	char hint[512];

	for (uint32_t i = 0; i < kernels; i++)
		kernel_names_add(&names, trace_kernel_of(s->trace, i)->name);
	kernel_names_hint(&names, s->options->kernels, hint, sizeof hint);
	kernel_names_release(&names);
	return diag_file(s->d, NULL, "none of the trace's %" PRIu32 " launches has a kernel that matches '%s'%s",
			 s->launches, s->options->kernels, hint);
}

static int end_launch(struct sim *s, int status)
{
	s->launches += 1 + s->beside;
	s->beside = 0;
	return status;
}

static int run_launches(struct sim *s)
{
	struct trace_launch launch;
	int status = 0;

	if (s->now.active)
		status = end_launch(s, sim_finish_launch(s));
	while (status == 0 && (status = sim_next_launch(s, &launch)) > 0) {
		const struct trace_kernel *kernel = trace_kernel_of(s->trace, launch.kernel);

		s->kernels = launch.kernel >= s->kernels ? launch.kernel + 1 : s->kernels;
		status = end_launch(s, sim_is_wanted(s, kernel) ? sim_run_launch(s, &launch) : 0);
	}
	return status;
}

static struct sim *begin_sim(const struct sim_config *config, struct trace_reader *trace,
			     const struct sim_options *options, const regex_t *filter, struct diag *d)
{
	struct sim *s = xcalloc_lines(1, sizeof *s);

	*s = (struct sim){.config = config,
			  .options = options,
			  .trace = trace,
			  .d = d,
			  .filter = filter,
			  .started = monotonic_seconds()};
	create_machine(s);
	sim_begin_windows(s);
	return s;
}

/* Parts of a simulation's image that belong to its process. */
static void move_in(struct sim *s, const struct sim_options *options, const regex_t *filter, struct diag *d)
{
	s->options = options;
	s->filter = filter;
	s->d = d;
	s->started = monotonic_seconds() - s->elapsed;
	s->result->json.stream = options->json;
	s->series.csv = options->series;
	s->timeline.json.stream = options->timeline;
	sim_start_threads(s);
}

/* NULL with `d` filled where the outputs of a run that goes on cannot be written. */
static struct sim *begin_or_resume(const struct sim_config *config, struct trace_reader *trace,
				   const struct sim_options *options, const regex_t *filter, struct diag *d)
{
	FILE *const outputs[] = {options->json, options->series, options->timeline};
	struct sim *s = NULL;

	if (options->checkpoint && checkpoint_resumed(options->checkpoint, outputs, &s, d) < 0)
		return NULL;
	if (!s)
		return begin_sim(config, trace, options, filter, d);
	move_in(s, options, filter, d);
	return s;
}

static void end_result(struct sim *s, bool complete)
{
	struct sim_result *r = s->result;

	memsys_end_watch(s->memory, s->cycle);
	sim_moment_now(s, &r->end);
	r->complete = complete && !trace_cut(s->trace);
	sampler_finish(&s->sampler, r->complete);
	keep_loads(s);
	r->trace_bytes = trace_bytes_read(s->trace);
	r->wall_seconds = monotonic_seconds() - s->started;
	result_end(r);
}

/* The machine's threads and modules know the result, so it goes after them. */
static int run_all(struct sim *s, struct sim_result **result)
{
	struct sim_result *whole = s->result;
	int status = run_launches(s);

	if (status == 0 && s->filter && s->result->launches == 0)
		status = none_matches(s, s->kernels);
	if (status >= 0 && sim_check_policies(s) < 0)
		status = DIAG_ERROR;
	sim_finish_windows(s, status < 0);
	if (status >= 0) {
		end_result(s, status == 0);
		*result = whole;
	}
	free_machine(s);
	xfree(s);
	if (status < 0)
		sim_result_free(whole);
	return status < 0 ? status : 0;
}

int sim_run(const struct sim_config *config, struct trace_reader *trace, const struct sim_options *options,
	    struct sim_result **result, struct diag *d)
{
	struct diag why = DIAG_INIT;
	regex_t filter;
	struct sim *s;
	int status = DIAG_ERROR;

	*result = NULL;
	if ((options->sample.ctas || options->sample.cycles) && config->cta.policy == CTA_DISTRIBUTED)
		return diag_file(
		    d, NULL,
		    "ctas and cycles are not sampled under cta.policy=distributed, whose chips have their own parts of a "
		    "launch; take another policy, or sample kernels only");
	if (sampling_wanted(&options->sample) && options->lines)
		return diag_file(
		    d, NULL,
		    "--lines counts what is simulated, and a sample leaves the rest out; give one of --lines and --sample");
	if (sampling_wanted(&options->sample) && config->gpu.concurrent_kernels > 1)
		return diag_file(d, NULL,
				 "only kernels that run one after the other can be sampled; set "
				 "gpu.concurrent_kernels to 1, or simulate everything");
	if (sim_check_events(config, options, d) < 0)
		return DIAG_ERROR;
	if (options->kernels && pattern_compile(&filter, options->kernels, &why) < 0)
		return diag_file(d, NULL, "'%.100s' is not a regular expression: %s", options->kernels, why.message);
	s = begin_or_resume(config, trace, options, options->kernels ? &filter : NULL, d);
	if (s)
		status = run_all(s, result);
	if (options->kernels)
		regfree(&filter);
	return status;
}
