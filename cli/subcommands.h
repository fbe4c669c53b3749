/* The sub-commands by their names. */
#ifndef ROMARK_CLI_SUBCOMMANDS_H
#define ROMARK_CLI_SUBCOMMANDS_H

struct subcommand {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary; /* as `romark --help` shows it */
};

/* In the order of commands.def; a row without a name ends them. */
extern const struct subcommand subcommands[];

/* NULL if there is none of the name. */
const struct subcommand *subcommand_find(const char *name);
/* Its --help, in the form that options_help_as asked for. */
void subcommand_help(const struct subcommand *command);

#endif
