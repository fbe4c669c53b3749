/* `romark trace`: runs a CUDA program and keeps what its kernels did to memory in a file. */
#include "cli/command.h"

#include "cli/program.h"
#include "common/file.h"
#include "trace/trace.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/*
 * Launches in a trace, `*cut` when it is not complete, or DIAG_ERROR. Reads checksums and launch records, not the
 * streams.
 */
static long count_launches(const char *path, bool *cut, struct diag *d)
{
	struct trace_reader *r = trace_open(path, d);
	struct trace_launch launch;
	long count = 0;

	*cut = !r;
	if (!r)
		return DIAG_ERROR;
	trace_accept_cut(r);
	while (trace_next_launch(r, &launch, d) > 0)
		count++;
	*cut = trace_cut(r) != NULL;
	trace_close(r);
	return count;
}

/* Runs the program into the open file; its exit code, or DIAG_ERROR. */
static int run_into(const struct settings *s, int argc, char **argv, struct outfile *out, struct diag *d)
{
	int fd = dup(fileno(out->stream)); /* without close-on-exec */
	pid_t child;

	if (out->stream == stdout) /* the program's own words must not get into the trace */
		dup2(STDERR_FILENO, STDOUT_FILENO);
	child = program_start(s, argc, argv, fd, d);
	close(fd);
	return child < 0 ? DIAG_ERROR : process_wait(child);
}

/* Keeps the trace if it is complete, or `partial`, and has launches. The exit code of the command. */
static int keep(struct outfile *out, const char *program, int code, bool partial)
{
	struct diag d = DIAG_INIT, why = DIAG_INIT;
	bool cut = false, something = lseek(fileno(out->stream), 0, SEEK_END) > 0;
	long launches = something ? count_launches(out->temporary, &cut, &why) : 0;
	bool complete = launches > 0 && !cut;

	if (!complete)
		program_explain_no_trace(program, code, launches == 0 && !cut, &d);
	if (complete || (partial && launches > 0))
		outfile_commit(out, &d);
	else
		outfile_abort(out);
	if (diag_is_set(&d))
		diag_print(&d, stderr);
	if (launches > 0 && cut && !partial)
		fprintf(stderr, "romark: --partial keeps what there is of it (launches: %ld)\n", launches);
	return code || !diag_is_set(&d) ? code : EXIT_BAD_INPUT;
}

/* A pipe or device cannot be read again: who reads it finds out what is missing. */
static int leave(struct outfile *out, int code)
{
	struct diag d = DIAG_INIT;

	if (outfile_commit(out, &d) == 0)
		return code;
	diag_print(&d, stderr);
	return EXIT_BAD_INPUT;
}

int cmd_trace(int argc, char **argv)
{
	struct settings settings = {0};
	const char *output = NULL;
	bool partial = false;
	const struct option_row rows[] = {
	    {'o', "output", OPT_STRING, &output, "FILE",
	     "the trace ('-' = standard output); a file appears only when it is complete"},
	    program_option(&settings, SETTING_ID_kernels),
	    {0, "partial", OPT_FLAG, &partial, NULL, "keep it when the program ended before it was complete, too"},
	    PROGRAM_ROWS(settings),
	    {0},
	};
	const struct usage usage = {
	    "trace", "-- PROG ARGS", "Runs a CUDA program and captures a trace of its kernels.", rows,
	    "Exits with the program's code; 1 when there is no complete trace. With -o - what the\n"
	    "program prints goes to standard error. sim and info take an incomplete trace with --partial."};
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
	if (!program_check("trace", &settings))
		return EXIT_WRONG_USAGE;
	if (outfile_open(&out, output, &d) < 0) {
		diag_print(&d, stderr);
		return EXIT_BAD_INPUT;
	}
	code = run_into(&settings, n, argv, &out, &d);
	if (code < 0) {
		outfile_abort(&out);
		code = EXIT_BAD_INPUT;
	} else {
		code = out.temporary ? keep(&out, argv[0], code, partial) : leave(&out, code);
	}
	if (diag_is_set(&d))
		diag_print(&d, stderr);
	if (process_pending_signal())
		raise(process_pending_signal());
	return code;
}
