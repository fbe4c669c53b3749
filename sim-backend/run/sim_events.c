/* The log of requests of a run: whose requests it follows, and what their structures are called. */
#include "sim-backend/run/sim_internal.h"

#include "common/kernel_names.h"
#include "common/pattern.h"

int sim_check_events(const struct sim_config *config, const struct sim_options *options, struct diag *d)
{
	struct diag why = DIAG_INIT;
	regex_t pattern;

	if (!options->events)
		return 0;
	if (options->threads > 1)
		return diag_file(d, NULL, "--events is written by one thread: leave --threads out");
	if (options->checkpoint)
		return diag_file(d, NULL, "--events does not go on from a checkpoint: leave it or the checkpoint out");
	if (options->events_of.kernels && config->gpu.concurrent_kernels > 1)
		return diag_file(d, NULL,
				 "--events-of=kernel:REGEX needs kernels that run one after the other: set "
				 "gpu.concurrent_kernels to 1, or choose by sm, line or cycles");
	if (!options->events_of.kernels)
		return 0;
	if (pattern_compile(&pattern, options->events_of.kernels, &why) < 0)
		return diag_file(d, NULL, "--events-of: '%.100s' is not a regular expression: %s",
				 options->events_of.kernels, why.message);
	regfree(&pattern);
	return 0;
}

static const char *structure_id(const void *result, unsigned structure)
{
	const struct sim_result *r = result;

	return structure < r->structures.len ? r->structures.data[structure].id : "(none)";
}

void sim_log_events(struct sim *s)
{
	const struct memsys_config *c = &s->config->memory;
	struct shape shape = memsys_shape(c);
	struct diag none = DIAG_INIT;

	if (!s->options->events)
		return;
	if (s->options->events_of.kernels &&
	    pattern_compile(&s->logged_kernels, s->options->events_of.kernels, &none) < 0)
		BUG("an expression that has been checked is none");
	s->log = request_log_create(&(struct request_log_setup){.out = s->options->events,
								.sms = s->config->gpu.sms,
								.chips = shape.chips,
								.mcs = shape.mcs,
								.slices_per_mc = shape.slices_per_mc,
								.mshrs = c->llc.mshr_entries,
								.line_bytes = c->llc.line_bytes,
								.structure = structure_id,
								.context = s->result},
				    &s->options->events_of);
	s->context.log = s->log;
	memsys_log_requests(s->memory, s->log);
}

void sim_end_events(struct sim *s)
{
	if (s->log && s->options->events_of.kernels)
		regfree(&s->logged_kernels);
	request_log_free(s->log);
}

void sim_log_kernel(struct sim *s, const char *name)
{
	bool any = !s->options->events_of.kernels;

	if (s->log)
		request_log_kernel(s->log, s->cycle, s->launch, name, any || kernel_matches(&s->logged_kernels, name));
}

void sim_log_kernel_end(struct sim *s, const char *name)
{
	if (s->log)
		request_log_kernel_end(s->log, s->cycle, s->launch, name);
}
