/* When a checkpoint is written, and whether one belongs to this run. */
#include "sim-backend/run/checkpoint.h"

#include "common/file.h"
#include "common/heap.h"
#include "common/progress.h"
#include "common/strbuf.h"
#include "common/xalloc.h"
#include "sim-backend/run/checkpoint_file.h"
#include "sim-backend/l1/l1_policy.h"
#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/outside/outside.h"
#include "sim-backend/run/sim.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { CLOCK_INTERVAL = 1024 }; /* cycles between two looks at the clock */

/* In the heap: where a resumed run finds everything. */
struct root {
	struct sim *sim;
	struct sim_config *config;
	struct trace_reader *trace;
};

struct checkpoint {
	const struct checkpoint_plan *plan;
	char *identity; /* the text of the file */
	uint64_t trace;
	struct root *root;
	struct checkpoint_reader reader; /* of `resume`, until its outputs are read */
	FILE *outputs[CHECKPOINT_OUTPUTS];
	uint64_t cycle, looks;
	double next;
	bool takes_signals, written; /* written: the file is this run's */
};

/* --- Signals --- */

static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { STOP_SIGNALS = sizeof stop_signals / sizeof *stop_signals };

static volatile sig_atomic_t asked_to_stop;
static struct sigaction before[STOP_SIGNALS];

/* Notes the first signal. A second signal acts as it does without checkpoints. */
static void note_signal(int number)
{
	asked_to_stop = 1;
	for (unsigned i = 0; i < STOP_SIGNALS; i++)
		if (stop_signals[i] == number)
			sigaction(number, &before[i], NULL);
}

static void take_signals(void)
{
	const struct sigaction noted = {.sa_handler = note_signal, .sa_flags = SA_RESTART};

	asked_to_stop = 0;
	for (unsigned i = 0; i < STOP_SIGNALS; i++) {
		sigaction(stop_signals[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(stop_signals[i], &noted, NULL);
	}
}

static void give_signals_back(void)
{
	for (unsigned i = 0; i < STOP_SIGNALS; i++)
		sigaction(stop_signals[i], &before[i], NULL);
}

/* --- The run's identity --- */

/* One line for each setting that decides the result. */
static char *identity_of(const struct sim_config *config, const char *settings)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "gpu=%s\nllc=%s\nl1=%s\n", config->name, config->llc_policy->name, config->l1_policy->name);
	for (size_t i = 0; i < config->nsections; i++) {
		const struct config_section *section = &config->sections[i];

		for (const struct knob *knob = section->knobs; knob->name && sim_config_in_force(config, section);
		     knob++) {
			char value[KNOB_NAME_BYTES];

			knob_format(knob, section->values, value, sizeof value);
			strbuf_addf(&text, "%s.%s=%s\n", section->name, knob->name, value);
		}
	}
	strbuf_adds(&text, settings);
	return strbuf_detach(&text);
}

/* The first lines in which the texts differ. */
static int other_settings(const struct checkpoint *c, struct diag *d)
{
	const char *theirs = c->reader.text, *own = c->identity;
	size_t same = 0;

	while (theirs[same] && theirs[same] == own[same])
		same++;
	while (same > 0 && own[same - 1] != '\n')
		same--;
	theirs += same;
	own += same;
	return diag_file(
	    d, c->plan->resume,
	    "the checkpoint is of other options: '%.*s' there, '%.*s' here; give the same options, or start without "
	    "--resume",
	    (int)strcspn(theirs, "\n"), theirs, (int)strcspn(own, "\n"), own);
}

static int check_run(const struct checkpoint *c, struct diag *d)
{
	if (c->reader.header.trace != c->trace)
		return diag_file(d, c->plan->resume,
				 "the checkpoint is of another trace; give that trace, or start without --resume");
	return strcmp(c->reader.text, c->identity) == 0 ? 0 : other_settings(c, d);
}

/* --- Beginning and end --- */

/* An existing file may hold hours of work, or may be no checkpoint at all. */
static int check_file(const struct checkpoint_plan *plan, struct diag *d)
{
	bool resumes_own = plan->resume && strcmp(plan->resume, plan->file) == 0;
	struct outfile out;

	if (!resumes_own && access(plan->file, F_OK) == 0)
		return diag_file(d, plan->file,
				 "there is a file of this name; go on from it with --resume=FILE, remove it, or give "
				 "another name");
	if (outfile_open(&out, plan->file, d) < 0)
		return DIAG_ERROR;
	outfile_abort(&out);
	return 0;
}

struct checkpoint *checkpoint_begin(const struct checkpoint_plan *plan, struct diag *d)
{
	struct checkpoint *c = xcalloc(1, sizeof *c);

	c->plan = plan;
	if (check_file(plan, d) == 0 && (plan->resume || heap_open(d) == 0))
		return c;
	xfree(c);
	return NULL;
}

static int load(struct checkpoint *c, struct sim_config **config, struct trace_reader **trace, struct diag *d)
{
	struct trace_reader *opened = *trace;

	if (checkpoint_read_heap(&c->reader, d) < 0)
		return DIAG_ERROR;
	c->root = (struct root *)(uintptr_t)c->reader.header.root;
	c->cycle = c->reader.header.cycle;
	sim_config_free(*config);
	*config = c->root->config;
	*trace = c->root->trace;
	return trace_resume(*trace, opened, d);
}

/* The memory of a policy from outside is not in the heap, and a later process has its code elsewhere. */
static int check_policies(const struct sim_config *config, struct diag *d)
{
	const void *const policies[] = {config->llc_policy, config->l1_policy, config->replacement};

	for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
		if (outside_path(policies[i]))
			return diag_file(d, outside_path(policies[i]),
					 "a run with a policy from outside cannot keep checkpoints, which hold a run's "
					 "memory and not a library's; run it without --checkpoint and --resume");
	return 0;
}

static int enter(struct checkpoint *c, struct sim_config **config, struct trace_reader **trace, struct diag *d)
{
	if (check_policies(*config, d) < 0)
		return DIAG_ERROR;
	if (trace_identity(*trace, &c->trace, d) < 0)
		return DIAG_ERROR;
	c->identity = identity_of(*config, c->plan->settings);
	if (c->plan->resume) {
		if (checkpoint_open(&c->reader, c->plan->resume, d) < 0 || check_run(c, d) < 0)
			return DIAG_ERROR;
		return load(c, config, trace, d);
	}
	c->root = xcalloc(1, sizeof *c->root);
	*c->root = (struct root){.config = *config, .trace = *trace};
	return 0;
}

int checkpoint_enter(struct checkpoint *c, struct sim_config **config, struct trace_reader **trace, struct diag *d)
{
	if (enter(c, config, trace, d) < 0)
		return DIAG_ERROR;
	c->next = monotonic_seconds() + c->plan->every;
	c->written = c->plan->resume && strcmp(c->plan->resume, c->plan->file) == 0;
	take_signals();
	c->takes_signals = true;
	return 0;
}

void checkpoint_end(struct checkpoint *c, bool complete)
{
	if (!c)
		return;
	if (c->takes_signals)
		give_signals_back();
	if (complete && c->written)
		unlink(c->plan->file);
	checkpoint_close(&c->reader);
	xfree(c->identity);
	heap_close();
	xfree(c);
}

/* --- The run --- */

int checkpoint_resumed(struct checkpoint *c, FILE *const *outputs, struct sim **sim, struct diag *d)
{
	int status;

	memcpy(c->outputs, outputs, sizeof c->outputs);
	*sim = c->root->sim;
	if (!*sim)
		return 0;
	status = checkpoint_read_outputs(&c->reader, outputs, d);
	checkpoint_close(&c->reader);
	return status;
}

static bool is_late(struct checkpoint *c)
{
	return c->looks++ % CLOCK_INTERVAL == 0 && monotonic_seconds() >= c->next;
}

/* Stop once, at `at_cycle`. A run resumed at or after that cycle does not stop again. */
static bool is_at_cycle(struct checkpoint *c, uint64_t cycle)
{
	return c->plan->at_cycle && cycle >= c->plan->at_cycle && c->cycle < c->plan->at_cycle;
}

bool checkpoint_is_due(struct checkpoint *c, uint64_t cycle)
{
	return asked_to_stop || is_at_cycle(c, cycle) || is_late(c);
}

/* Memory allocated while the image is written is outside the image. */
static int write_now(struct checkpoint *c, uint64_t cycle, struct diag *d)
{
	const struct checkpoint_header facts = {
	    .root = (uint64_t)(uintptr_t)c->root, .trace = c->trace, .cycle = cycle};
	int status;

	heap_use(false);
	status = checkpoint_write(c->plan->file, &facts, c->identity, c->outputs, d);
	heap_use(true);
	return status;
}

/* A run does not end because a disk is full for a while. */
int checkpoint_save(struct checkpoint *c, struct sim *sim, uint64_t cycle, struct diag *d)
{
	bool stop = asked_to_stop || is_at_cycle(c, cycle);
	struct diag why = DIAG_INIT;

	c->root->sim = sim;
	if (write_now(c, cycle, stop ? d : &why) == 0) {
		c->cycle = cycle;
		c->written = true;
	} else if (stop) {
		return DIAG_ERROR;
	} else {
		diag_print(&why, stderr);
	}
	c->next = monotonic_seconds() + c->plan->every;
	return stop ? SIM_STOPPED : 0;
}

uint64_t checkpoint_cycle(const struct checkpoint *c)
{
	return c->cycle;
}
