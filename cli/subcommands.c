/* The table of the sub-commands, made of commands.def. */
#include "cli/subcommands.h"

#include "cli/command.h"

#include <string.h>

const struct subcommand subcommands[] = {
#define COMMAND(name, summary) {#name, cmd_##name, summary},
#include "cli/commands.def"
#undef COMMAND
    {0},
};

const struct subcommand *subcommand_find(const char *name)
{
	for (const struct subcommand *command = subcommands; command->name; command++)
		if (strcmp(command->name, name) == 0)
			return command;
	return NULL;
}

void subcommand_help(const struct subcommand *command)
{
	char name[32] = "", option[] = "--help";
	char *words[] = {name, option, NULL};

	strncat(name, command->name, sizeof name - 1);
	command->run(2, words);
}
