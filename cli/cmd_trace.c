/* `romark trace`: runs a CUDA program and keeps what its kernels did to memory in a file. */
#include "cli/command.h"

#include "cli/run_program.h"
#include "cli/relay.h"
#include "common/file.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* --- Into a file --- */

/* Contents of a trace. */
struct content {
	long launches; /* that were begun, or DIAG_ERROR */
	bool cut;
	enum no_trace what; /* when it is cut, or has no launches */
};

/* The contents of the open file. Reads checksums, not the streams. */
static struct content look_into(const struct outfile *out)
{
	int fd = fcntl(fileno(out->stream), F_DUPFD_CLOEXEC, 0);
	struct content content = {.launches = DIAG_ERROR, .cut = true, .what = TRACE_IS_CUT};
	struct diag why = DIAG_INIT;
	struct trace_launch launch;
	struct trace_reader *r;

	lseek(fd, 0, SEEK_SET);
	r = trace_open_fd(fd, out->path, &why);
	if (!r)
		return content;
	trace_accept_cut(r);
	content.launches = 0;
	while (trace_next_launch(r, &launch, &why) > 0)
		content.launches++;
	content.cut = trace_cut(r) != NULL;
	content.what = trace_has_failed_launch(r) ? TRACE_HAS_FAILED : content.cut ? TRACE_IS_CUT : TRACE_IS_EMPTY;
	trace_close(r);
	return content;
}

/* Keeps the trace if it is complete, or `partial`, and has launches. The exit code of the command. */
static int keep(struct outfile *out, const struct settings *s, const char *program, int code, bool partial)
{
	bool something = lseek(fileno(out->stream), 0, SEEK_END) > 0;
	struct content content = something ? look_into(out) : (struct content){.what = TRACE_IS_EMPTY};
	bool complete = content.launches > 0 && !content.cut;
	struct diag d = DIAG_INIT;

	if (!complete)
		program_explain_no_trace(program, s->kernels, code, content.what, &d);
	if (complete || (partial && content.launches > 0))
		outfile_commit(out, &d);
	else
		outfile_abort(out);
	if (diag_is_set(&d))
		diag_print(&d, stderr);
	if (content.launches > 0 && content.cut && !partial)
		fprintf(stderr, "romark: --partial keeps the part that was written (launches: %ld)\n",
			content.launches);
	return code || !diag_is_set(&d) ? code : EXIT_BAD_INPUT;
}

static int run_into_file(const struct settings *s, int argc, char **argv, struct outfile *out, bool partial,
			 struct diag *d)
{
	int fd = fcntl(fileno(out->stream), F_DUPFD, STDERR_FILENO + 1); /* without close-on-exec */
	pid_t child = program_start(s, argc, argv, fd, d);

	close(fd);
	if (child >= 0)
		return keep(out, s, argv[0], process_wait(child), partial);
	outfile_abort(out);
	return EXIT_BAD_INPUT;
}

/* --- To where it cannot be read again --- */

static enum no_trace what_is_missing(const struct relay *relay)
{
	if (relay->failed)
		return TRACE_HAS_FAILED;
	return relay->launches == 0 ? TRACE_IS_EMPTY : TRACE_IS_CUT;
}

/* From the program's end of a pipe. The exit code. */
static int pass_on(const struct settings *s, int from, int to, const char *path, const char *program, pid_t child,
		   struct diag *d)
{
	const char *name = strcmp(path, "-") == 0 ? "standard output" : path;
	struct relay relay;
	int lost, code;

	process_pass_signals(child);
	lost = relay_trace(from, to, name, &relay, d);
	code = process_wait(child);
	if (!lost && (!relay.complete || relay.launches == 0))
		program_explain_no_trace(program, s->kernels, code, what_is_missing(&relay), d);
	return code || !diag_is_set(d) ? code : EXIT_BAD_INPUT;
}

static int run_through(const struct settings *s, int argc, char **argv, struct outfile *out, struct diag *d)
{
	int to = fcntl(fileno(out->stream), F_DUPFD_CLOEXEC, STDERR_FILENO + 1), ends[2], code = EXIT_BAD_INPUT;
	pid_t child;

	if (out->stream == stdout) /* the program's own words must not get into the trace */
		dup2(STDERR_FILENO, STDOUT_FILENO);
	if (to < 0 || pipe(ends) < 0) {
		outfile_abort(out);
		diag_file(d, NULL, "cannot make a pipe: %s", strerror(errno));
		return EXIT_BAD_INPUT;
	}
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	child = program_start(s, argc, argv, ends[1], d);
	close(ends[1]);
	if (child >= 0)
		code = pass_on(s, ends[0], to, out->path, argv[0], child, d);
	close(ends[0]);
	if (close(to) < 0 && !diag_is_set(d)) {
		diag_file(d, out->path, "cannot write the trace: %s", strerror(errno));
		code = code ? code : EXIT_BAD_INPUT;
	}
	outfile_abort(out);
	return code;
}

/* ----------------------------------------------------------------------------------------------------------------- */

static bool check_files(const struct settings *settings, const char *program, const char *output)
{
	struct arena arena = ARENA_INIT;
	struct used_file files[PROGRAM_FILES + 1] = {[PROGRAM_FILES] = {output, NULL, "output"}};
	bool apart;

	program_files(settings, program, &arena, files);
	apart = used_files_check("trace", files, PROGRAM_FILES + 1);
	arena_release(&arena);
	return apart;
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
	if (!program_check("trace", &settings) || !check_files(&settings, argv[0], output))
		return EXIT_WRONG_USAGE;
	if (outfile_open(&out, output, &d) < 0) {
		diag_print(&d, stderr);
		return EXIT_BAD_INPUT;
	}
	if (out.target)
		code = run_into_file(&settings, n, argv, &out, partial, &d);
	else
		code = run_through(&settings, n, argv, &out, &d);
	if (diag_is_set(&d))
		diag_print(&d, stderr);
	process_end_by_signal();
	return code;
}
