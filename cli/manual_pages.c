/* Manual pages are made of the tables that --help, completion and the readers of the environment use. */
#include "cli/manual_pages.h"

#include "common/manual.h"
#include "common/options.h"
#include "settings/settings.h"

#include <stdio.h>

static const struct option_text exit_codes[] = {{"0", "success; of run and trace, the program's own code"},
						{"1", "the input is bad; a message on standard error says where"},
						{"2", "wrong usage, unknown names and values among it"},
						{"3", "sim has stopped with a checkpoint, from which it can go on"},
						{0}};

static void exit_status(void)
{
	manual_section(stdout, "EXIT STATUS");
	for (const struct option_text *code = exit_codes; code->words; code++)
		manual_item(stdout, code->words, code->help);
}

void manual_page_of(const struct subcommand *command)
{
	char name[64];

	snprintf(name, sizeof name, "romark-%s", command->name);
	manual_title(stdout, name, command->summary, ROMARK_VERSION);
	options_help_as(OPTIONS_MANUAL, stdout);
	subcommand_help(command);
	exit_status();
	manual_section(stdout, "SEE ALSO");
	manual_text(stdout, "romark(1), and the pages in PREFIX/share/doc/romark.");
}

static void environment(void)
{
	char words[128];

	manual_section(stdout, "ENVIRONMENT");
	for (size_t i = 0; i < SETTINGS; i++) {
		const struct setting *row = &setting_rows[i];

		if (row->reader == SETTING_OF_PLUGIN)
			continue;
		snprintf(words, sizeof words, "%s=%s", row->variable, row->values);
		manual_item(stdout, words, row->help);
	}
}

static void see_also(void)
{
	manual_section(stdout, "SEE ALSO");
	manual_text(stdout,
		    "The pages of the commands, such as romark-sim(1), and the pages in PREFIX/share/doc/romark. "
		    "docs/cli.md there says what scripts may rely on.");
}

void manual_page_of_all(void)
{
	char name[64];

	manual_title(stdout, "romark", "read-only data of CUDA kernels, and what caches make of it", ROMARK_VERSION);
	manual_section(stdout, "SYNOPSIS");
	manual_lines(stdout, "romark COMMAND [options] ...\nromark help COMMAND\nromark version [--json]");
	manual_section(stdout, "DESCRIPTION");
	manual_text(stdout, "Finds the data that CUDA kernels only read, and shows what a cache organisation would do "
			    "with it. CUDA programs are compiled with cc, run on a CPU device, traced and simulated.");
	manual_section(stdout, "COMMANDS");
	for (const struct subcommand *command = subcommands; command->name; command++) {
		snprintf(name, sizeof name, "romark %s", command->name);
		manual_item(stdout, name, command->summary);
	}
	exit_status();
	environment();
	see_also();
}
