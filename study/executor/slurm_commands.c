/* Options and output are those that Slurm's manual pages document since version 20. */
#include "study/executor/slurm_commands.h"

#include "common/strbuf.h"
#include "study/executor/ask.h"

#include <string.h>

/* The first line of what a command says, without what all its lines begin with. */
static int refused(const char *command, const struct command_answer *a, struct diag *d)
{
	const char *said = a->messages[0] ? a->messages : a->output, *error = strstr(said, "error: ");

	if (error)
		said = error + strlen("error: ");
	return diag_file(d, NULL, "Slurm's %s failed: %.*s", command, (int)strcspn(said, "\n"),
			 *said ? said : "it says nothing");
}

/* Output that the caller frees, or NULL. */
static char *output_of(struct command *c, const char *input, struct diag *d)
{
	struct command_answer a;
	char *output = NULL;

	if (ask(c, input, &a, d) == 0) {
		if (a.code)
			refused(c->words.data[0], &a, d);
		else
			output = xstrdup(a.output);
		answer_release(&a);
	}
	command_release(c);
	return output;
}

int slurm_is_here(struct diag *d)
{
	struct command c = COMMAND_INIT;
	char *output;

	command_add(&c, "sbatch");
	command_add(&c, "--version");
	output = output_of(&c, "", d);
	xfree(output);
	return output ? 0 : DIAG_ERROR;
}

/* --- Into the queue --- */

static void add_quoted(struct strbuf *sb, const char *text)
{
	strbuf_addc(sb, '\'');
	for (; *text; text++)
		strbuf_adds(sb, *text == '\'' ? "'\\''" : (char[]){*text, 0});
	strbuf_addc(sb, '\'');
}

/* The script of a task. A node that seemed lost may have ended the run all the same. */
static char *script_of(const struct slurm_limits *limits, const char *const *folders, size_t count)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_adds(&sb, "#!/bin/sh\ncase $SLURM_ARRAY_TASK_ID in\n");
	for (size_t i = 0; i < count; i++) {
		strbuf_addf(&sb, "%zu) folder=", i);
		add_quoted(&sb, folders[i]);
		strbuf_adds(&sb, " ;;\n");
	}
	strbuf_adds(&sb, "*) exit 1 ;;\nesac\n"
			 "cd \"$folder\" || exit 1\n"
			 "[ ! -s end.json ] || exit 0\n"
			 "echo \"$SLURM_ARRAY_JOB_ID $(hostname)\" >> starts\n");
	strbuf_addf(&sb, "if [ $(wc -l < starts) -gt %d ]; then\n", SLURM_STARTS);
	strbuf_addf(&sb,
		    "\techo 'romark: the run was begun %d times, and each time its node was lost' > task.log\n"
		    "\texit 1\nfi\nexec ",
		    SLURM_STARTS);
	add_quoted(&sb, limits->romark);
	strbuf_adds(&sb, " sweep --task=\"$folder\" > task.log 2>&1\n");
	return strbuf_detach(&sb);
}

static void add_limit(struct command *c, const char *option, const char *value)
{
	if (value)
		command_addf(c, "--%s=%s", option, value);
}

static void add_limits(struct command *c, const struct slurm_limits *limits)
{
	const struct study_slurm *study = limits->study;

	add_limit(c, "partition", study->partition);
	add_limit(c, "account", study->account);
	add_limit(c, "time", study->time);
	add_limit(c, "constraint", study->constraint);
	if (limits->memory)
		command_addf(c, "--mem=%lluK", (unsigned long long)(limits->memory + 1023) / 1024);
	else
		add_limit(c, "mem", study->memory);
}

int slurm_submit(const struct slurm_limits *limits, const char *name, const char *const *folders, size_t count,
		 char id[SLURM_ID], struct diag *d)
{
	struct command c = COMMAND_INIT;
	char *script = script_of(limits, folders, count), *output;

	command_add(&c, "sbatch");
	command_add(&c, "--parsable");
	command_addf(&c, "--job-name=%s", name);
	command_addf(&c, "--array=0-%zu", count - 1);
	command_add(&c, "--requeue");
	command_add(&c, "--ntasks=1");
	command_add(&c, "--output=/dev/null");
	add_limits(&c, limits);
	output = output_of(&c, script, d);
	xfree(script);
	if (!output)
		return DIAG_ERROR;
	snprintf(id, SLURM_ID, "%.*s", (int)strcspn(output, ";\n"), output); /* "12", or "12;CLUSTER" */
	xfree(output);
	return 0;
}

void slurm_cancel(const char *const *ids, size_t count)
{
	struct diag ignored = DIAG_INIT;
	struct command c = COMMAND_INIT;

	command_add(&c, "scancel");
	for (size_t i = 0; i < count; i++)
		command_add(&c, ids[i]);
	xfree(output_of(&c, "", &ignored));
}

/* --- Out of it --- */

/* The text up to the next "|" or the line's end, behind which `*at` is then. */
static void take_field(const char **at, char *field, size_t size)
{
	size_t n = strcspn(*at, "|\n");

	snprintf(field, size, "%.*s", (int)n, *at);
	*at += n + ((*at)[n] == '|');
}

/* Reads "NAME|12_3|STATE|REASON". False for any other line, such as "12_[4-9]", which means tasks that wait together.
 */
static bool read_row(const char *line, struct slurm_row *row)
{
	char task[64], end;
	unsigned long id;

	take_field(&line, row->name, sizeof row->name);
	take_field(&line, task, sizeof task);
	take_field(&line, row->state, sizeof row->state);
	take_field(&line, row->reason, sizeof row->reason);
	row->state[strcspn(row->state, " +")] = '\0'; /* "CANCELLED by 1000" */
	if (sscanf(task, "%lu_%u%c", &id, &row->index, &end) != 2)
		return false;
	snprintf(row->id, sizeof row->id, "%lu", id);
	return true;
}

static int read_rows(struct command *c, slurm_rows *rows, struct diag *d)
{
	char *output = output_of(c, "", d);

	if (!output)
		return DIAG_ERROR;
	for (const char *line = output; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		struct slurm_row row;

		if (read_row(line, &row))
			vec_push(rows, row);
	}
	xfree(output);
	return 0;
}

int slurm_queue(const char *names, slurm_rows *rows, struct diag *d)
{
	struct command c = COMMAND_INIT;

	command_add(&c, "squeue");
	command_add(&c, "--noheader");
	command_add(&c, "--array");
	command_add(&c, "--states=all");
	command_addf(&c, "--name=%s", names);
	command_add(&c, "--format=%j|%i|%T|%r");
	return read_rows(&c, rows, d);
}

int slurm_history(const char *names, slurm_rows *rows, struct diag *d)
{
	struct command c = COMMAND_INIT;

	command_add(&c, "sacct");
	command_add(&c, "--noheader");
	command_add(&c, "--parsable2");
	command_add(&c, "--allocations");
	command_add(&c, "--starttime=now-30days");
	command_addf(&c, "--name=%s", names);
	command_add(&c, "--format=JobName,JobID,State");
	return read_rows(&c, rows, d);
}
