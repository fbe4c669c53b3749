/* `romark run`: runs a CUDA program; with --gpu, simulates its kernels while it runs, without a trace file. */
#include "cli/command.h"

#include "cli/check_count.h"
#include "cli/run_program.h"
#include "cli/sim_command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int plain_run(const struct settings *s, int argc, char **argv, struct diag *d)
{
	pid_t child = program_start(s, argc, argv, -1, d);

	return child < 0 ? EXIT_BAD_INPUT : process_wait(child);
}

/* Reads what the program still writes, so that it can end by itself. */
static void drain(int fd)
{
	char buffer[65536];

	while (read(fd, buffer, sizeof buffer) > 0)
		;
}

/* The simulator's end of the pipe: 0 or an exit code. The program is stopped when the simulation cannot go on. */
static int simulate(const struct sim_command *sim, const struct sim_config *config, int fd, pid_t child,
		    const char *path, const char *kernels, struct diag *d)
{
	struct diag why = DIAG_INIT;
	int own = dup(fd);
	struct trace_reader *reader;
	int code;

	process_let_signals_in();
	reader = trace_open_fd(own, path, &why);
	code = reader ? sim_command_run(sim, config, reader) : SIM_NO_LAUNCH;
	if (code == SIM_NO_LAUNCH) {
		drain(fd);
		code = process_wait(child);
		program_explain_no_trace(path, kernels, code, TRACE_IS_EMPTY, d);
		return code ? code : EXIT_BAD_INPUT;
	}
	if (code)
		kill(child, SIGTERM);
	drain(fd);
	if (code) {
		process_wait(child);
		return code;
	}
	return process_wait(child);
}

static int simulated_run(const struct settings *s, const struct sim_command *sim, int argc, char **argv, struct diag *d)
{
	int ends[2], code;
	struct sim_config *config = sim_command_config(sim, &code);
	pid_t child;

	if (!config)
		return code;
	code = EXIT_BAD_INPUT;
	if (pipe(ends) < 0) {
		diag_file(d, NULL, "cannot make a pipe: %s", strerror(errno));
	} else {
		fcntl(ends[0], F_SETFD, FD_CLOEXEC);
		child = program_start(s, argc, argv, ends[1], d);
		close(ends[1]);
		if (child >= 0)
			code = simulate(sim, config, ends[0], child, argv[0], s->kernels, d);
		close(ends[0]);
	}
	sim_config_free(config);
	return code;
}

/* Options of a simulation without one would be passed over in silence. */
static bool asks_to_simulate(const struct settings *s, struct sim_command *sim)
{
	const struct option_row rows[] = {
#define SIM_OPTION(letter, name, kind, field, placeholder, help) {letter, name, kind, &sim->field, placeholder, help},
#include "cli/sim_options.def"
	    {0}};

	return s->kernels || options_given(rows);
}

/* `error_exitcode`: the exit code if the program succeeds and a check has found a fault; 0: the program's own. */
static int run(const struct settings *settings, const struct sim_command *sim, unsigned error_exitcode, int argc,
	       char **argv)
{
	struct diag d = DIAG_INIT;
	int counter = settings->check ? check_count_open(&d) : -1, code = EXIT_BAD_INPUT;

	if (!settings->check || counter >= 0)
		code = sim->gpu ? simulated_run(settings, sim, argc, argv, &d) : plain_run(settings, argc, argv, &d);
	if (counter >= 0 && check_count_read(counter) && !code)
		code = (int)error_exitcode;
	if (diag_is_set(&d))
		diag_print(&d, stderr);
	process_end_by_signal();
	return code;
}

static bool check_files(const struct settings *settings, const struct sim_command *sim, const char *program)
{
	struct arena arena = ARENA_INIT;
	struct used_file files[PROGRAM_FILES + SIM_COMMAND_FILES];
	bool apart;

	program_files(settings, program, &arena, files);
	sim_command_files(sim, files + PROGRAM_FILES);
	apart = used_files_check("run", files, PROGRAM_FILES + SIM_COMMAND_FILES);
	arena_release(&arena);
	return apart;
}

int cmd_run(int argc, char **argv)
{
	struct settings settings = {0};
	struct sim_command sim = {0};
	unsigned error_exitcode = 0;
	const struct option_row rows[] = {
	    PROGRAM_ROWS(settings),
	    {0, "error-exitcode", OPT_UINT, &error_exitcode, "N",
	     "exit with N (1 to 255) if --check finds a fault and the program succeeds (default: 0)"},
	    program_option(&settings, SETTING_ID_kernels),
	    SIM_GPU_ROW(sim, "simulate this GPU; 'romark gpus' lists the names"),
#define SIM_OPTION(letter, name, kind, field, placeholder, help) {letter, name, kind, &sim.field, placeholder, help},
#include "cli/sim_options.def"
	    {0},
	};
	const struct usage usage = {"run", "-- PROG ARGS",
				    "Runs a CUDA program; with --gpu, simulates its kernels as they run.", rows,
				    "Exits with the program's code, or 1 when it could not be run or simulated."};
	int n = options_parse_leading(&usage, argc, argv), code = EXIT_WRONG_USAGE;

	if (n < 0)
		code = usage_exit(n);
	else if (!n)
		fputs("romark: run: no program to run; see 'romark run --help'\n", stderr);
	else if (!sim.gpu && program_needs_trace(&settings))
		fputs(
		    "romark: run: --alias=observed is of the launches in a trace: name a GPU to simulate with --gpu, or "
		    "use 'romark trace'\n",
		    stderr);
	else if (!sim.gpu && asks_to_simulate(&settings, &sim))
		fputs("romark: run: only a simulation takes these options: name its GPU with --gpu\n", stderr);
	else if (error_exitcode > 255 || (error_exitcode && !settings.check))
		fputs("romark: run: --error-exitcode takes 1 to 255, and goes with --check\n", stderr);
	else if (program_check("run", &settings) && check_files(&settings, &sim, argv[0]))
		code = run(&settings, &sim, error_exitcode, n, argv);
	free(sim.set.data);
	free(sim.events_of.data);
	return code;
}
