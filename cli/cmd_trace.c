/* `romark trace`: runs a CUDA program and keeps what its kernels did to memory in a file. */
#include "cli/command.h"

#include "cli/program.h"
#include "common/file.h"
#include "trace/trace.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* Launches in a complete trace, or DIAG_ERROR. Reads checksums and launch records, not the streams. */
static long count_launches(const char *path, struct diag *d)
{
	struct trace_reader *r = trace_open(path, d);
	struct trace_launch launch;
	long count = 0;
	int more;

	if (!r)
		return DIAG_ERROR;
	while ((more = trace_next_launch(r, &launch, d)) > 0)
		count++;
	trace_close(r);
	return more < 0 ? DIAG_ERROR : count;
}

/* Runs the program into the open file; its exit code, or DIAG_ERROR. */
static int run_into(const struct program *p, int argc, char **argv, struct outfile *out, struct diag *d)
{
	int fd = dup(fileno(out->stream)); /* without close-on-exec */
	pid_t child = program_start(p, argc, argv, fd, d);

	close(fd);
	return child < 0 ? DIAG_ERROR : process_wait(child);
}

/* Keeps the trace if it is complete and not empty. The exit code of the command. */
static int keep(struct outfile *out, const char *program, int code, struct diag *d)
{
	struct diag why = DIAG_INIT;
	long launches = lseek(fileno(out->stream), 0, SEEK_END) > 0 ? count_launches(out->temporary, &why) : 0;

	if (launches > 0 && outfile_commit(out, d) == 0)
		return code;
	if (launches <= 0) {
		program_explain_no_trace(program, code, launches == 0, d);
		outfile_abort(out);
	}
	return code ? code : EXIT_BAD_INPUT;
}

int cmd_trace(int argc, char **argv)
{
	struct program program = {0};
	const char *output = NULL;
	const struct option_row rows[] = {
		{'o', "output", OPT_STRING, &output, "FILE", "the trace; appears only when it is complete"},
		{'k', "kernel", OPT_STRING, &program.kernels, "REGEX", "trace only kernels whose name matches"},
		PROGRAM_ROWS(program),
		{0},
	};
	const struct usage usage = {"trace", "-- PROG ARGS", "Runs a CUDA program and captures a trace of its kernels.",
				    rows, "Exits with the program's code; 1 when there is no complete trace."};
	int n = options_parse_leading(&usage, argc, argv), code;
	struct diag d = DIAG_INIT;
	struct outfile out;

	if (n < 0)
		return usage_exit(n);
	if (!n || !output) {
		fprintf(stderr, "romark: trace: %s; see 'romark trace --help'\n",
			n ? "-o FILE missing" : "no program to run");
		return EXIT_WRONG_USAGE;
	}
	if (!program_check("trace", &program))
		return EXIT_WRONG_USAGE;
	if (outfile_open(&out, output, &d) < 0) {
		diag_print(&d, stderr);
		return EXIT_BAD_INPUT;
	}
	code = run_into(&program, n, argv, &out, &d);
	if (code < 0) {
		outfile_abort(&out);
		code = EXIT_BAD_INPUT;
	} else {
		code = keep(&out, argv[0], code, &d);
	}
	if (diag_is_set(&d))
		diag_print(&d, stderr);
	if (process_pending_signal())
		raise(process_pending_signal());
	return code;
}
