/* An option decides the result unless the table below says otherwise, so a new option is not forgotten here. */
#include "cli/sim_checkpoint.h"

#include "cli/command.h"
#include "common/strbuf.h"

#include <inttypes.h>
#include <string.h>

enum role {
	DECIDES, /* the result, by its value */
	OUTPUT,  /* decides the output; the file may have another name */
	NEUTRAL, /* decides nothing, or is in the configuration, which is compared by itself */
};

static const struct {
	const char *option;
	enum role role;
} roles[] = {
    {"gpu", NEUTRAL},
    {"llc", NEUTRAL},
    {"l1", NEUTRAL},
    {"set", NEUTRAL},
    {"json", OUTPUT},
    {"series", OUTPUT},
    {"perfetto", OUTPUT},
    {"html", OUTPUT},
    {"events", NEUTRAL}, /* no run with a checkpoint writes events */
    {"events-of", NEUTRAL},
    {"threads", NEUTRAL},
    {"kernels", NEUTRAL},
    {"structures", NEUTRAL},
    {"checkpoint", NEUTRAL},
    {"checkpoint-every", NEUTRAL},
    {"checkpoint-at-cycle", NEUTRAL},
    {"resume", NEUTRAL},
};

static enum role role_of(const struct option_row *row)
{
	for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
		if (strcmp(roles[i].option, row->name) == 0)
			return roles[i].role;
	return DECIDES;
}

static void add_value(struct strbuf *text, const struct option_row *row)
{
	const struct option_list *list = row->value;
	const char *string;

	switch (row->kind) {
	case OPT_FLAG: strbuf_addf(text, "%d", *(const bool *)row->value); break;
	case OPT_STRING:
		string = *(const char *const *)row->value;
		strbuf_adds(text, string ? string : "");
		break;
	case OPT_UINT:
	case OPT_COUNT:
	case OPT_SIZE: strbuf_addf(text, "%u", *(const unsigned *)row->value); break;
	case OPT_LONG: strbuf_addf(text, "%" PRIu64, *(const uint64_t *)row->value); break;
	case OPT_CHOICE: strbuf_addf(text, "%d", *(const int *)row->value); break;
	case OPT_LIST:
		for (size_t i = 0; i < list->len; i++)
			strbuf_addf(text, "%s%s", i ? "," : "", list->data[i]);
		break;
	}
}

char *sim_checkpoint_settings(const struct option_row *rows)
{
	struct strbuf text = STRBUF_INIT;

	for (const struct option_row *row = rows; row->name; row++) {
		enum role role = role_of(row);

		if (role == NEUTRAL)
			continue;
		strbuf_addf(&text, "--%s=", row->name);
		if (role == DECIDES)
			add_value(&text, row);
		else
			strbuf_adds(&text, *(const char *const *)row->value ? "FILE" : "");
		strbuf_addc(&text, '\n');
	}
	return strbuf_detach(&text);
}

bool sim_checkpoint_check(const struct sim_checkpoint *c)
{
	const char *file = c->file ? c->file : c->resume;

	if (!file && c->at_cycle)
		fputs("romark: sim: --checkpoint-at-cycle needs a file: name it with --checkpoint=FILE\n", stderr);
	else if (file && (strcmp(file, "-") == 0 || !*file))
		fputs("romark: sim: a checkpoint needs a file: name it with --checkpoint=FILE\n", stderr);
	else
		return true;
	return false;
}

void sim_checkpoint_explain(const struct checkpoint *c, const struct checkpoint_plan *plan, int code)
{
	if (code == EXIT_STOPPED)
		fprintf(stderr,
			"romark: stopped before cycle %" PRIu64
			"; the same command with --resume=%s goes on from there\n",
			checkpoint_cycle(c), plan->file);
}
