/*
 * Opens the trace. The tracer, `romark trace` or `romark run --gpu`, passes a descriptor by its number. A process
 * between the tracer and the program (Python's subprocess, a daemon's start) may close it, and then a file of the
 * program's own may get the number. So the tracer also names the file, and no trace goes to any other file.
 */
#include "runtime/cpu/run/trace_output.h"

#include "common/held.h"
#include "common/pattern.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number that the settings name, or -1. */
static int number_in(const char *trace)
{
	return trace && strncmp(trace, "fd:", 3) == 0 ? atoi(trace + 3) : -1;
}

/* A copy of the tracer's descriptor. -1 if it was closed, or if its number belongs to another file now. */
static int copy_of(int fd, const struct held *file)
{
	int copy = fd < 0 ? -1 : held_hide(fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));

	if (copy < 0 || held_still(file, copy))
		return copy;
	close(copy);
	return -1;
}

/* --- Before main --- */

static struct {
	int fd; /* -1: none */
	struct held file;
} early = {.fd = -1};

/*
 * Runs before the program, which has closed nothing yet. The copy keeps its number, so the program's files cannot get
 * it.
 */
__attribute__((constructor)) static void keep_descriptor(void)
{
	const char *file = setting_text(SETTING_ID_trace_file);

	if (file && held_read(file, &early.file))
		early.fd = copy_of(number_in(setting_text(SETTING_ID_trace)), &early.file);
}

/* The descriptor that is kept for `file`, or else a copy of `inherited`. */
static int take(int inherited, const struct held *file)
{
	int fd = early.fd;

	early.fd = -1;
	if (held_still(file, fd))
		return fd;
	return copy_of(inherited, file);
}

/* --- Which process writes the trace --- */

/*
 * All processes of a program inherit the same descriptor. The trace belongs to the first process that uses the device.
 * While that process runs, a lock keeps the others out. After it, a property of the open file does: its signal number,
 * which all processes see and which is never sent.
 */
static bool has_other_writer(int fd)
{
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (fcntl(fd, F_SETLK, &all) < 0 && (errno == EAGAIN || errno == EACCES))
		return true;
	if (fcntl(fd, F_GETSIG) == SIGURG)
		return true;
	fcntl(fd, F_SETSIG, SIGURG);
	return false;
}

void trace_output_say_untraced(const struct cpu_device *dev, const char *why)
{
	if (!dev->settings.quiet)
		fprintf(stderr, "romark: the kernels of process %ld are not in the trace: %s\n", (long)getpid(), why);
}

void trace_output_leave_to_parent(struct cpu_device *dev)
{
	if (!dev->trace || dev->process == getpid())
		return;
	dev->parents_trace = dev->trace;
	dev->trace = NULL;
}

/*
 * A reader of the trace's pipe waits until all copies of the writing end are closed. A child process that lives on must
 * not keep it waiting, since the child does not write the trace.
 */
static struct {
	int own, inherited;
	struct held file;
} writing;

static void close_if_same(int fd)
{
	if (held_still(&writing.file, fd))
		close(fd);
}

static void close_in_child(void)
{
	close_if_same(writing.own);
	close_if_same(writing.inherited);
}

static void keep_from_children(int own, int inherited, const struct held *file)
{
	bool first = !writing.own;

	writing.own = own;
	writing.inherited = inherited;
	writing.file = *file;
	if (held_still(file, inherited))
		fcntl(inherited, F_SETFD, FD_CLOEXEC);
	if (first)
		pthread_atfork(NULL, NULL, close_in_child);
}

/* --- */

static int open_descriptor(struct cpu_device *dev, struct diag *d)
{
	const char *name = dev->settings.trace, *file_text = dev->settings.trace_file;
	int inherited = number_in(name), fd;
	struct held file;

	if (!file_text || !held_read(file_text, &file))
		return diag_file(d, NULL,
				 "ROMARK_TRACE=%s needs ROMARK_TRACE_FILE=DEVICE:INODE (stat -L -c %%d:%%i "
				 "/dev/fd/%d): without it the descriptor may by now be another file's",
				 name, inherited);
	fd = take(inherited, &file);
	if (fd < 0) {
		trace_output_say_untraced(
		    dev,
		    "its descriptor was closed on the way to this process; the process that starts it must pass it "
		    "on (Python's subprocess: close_fds=False)");
		return 0;
	}
	if (has_other_writer(fd)) {
		trace_output_say_untraced(dev, "another process of the program writes it");
		close(fd);
		return 0;
	}
	keep_from_children(fd, inherited, &file);
	dev->trace = trace_create_fd(fd, name, d);
	return dev->trace ? 0 : DIAG_ERROR;
}

int trace_output_open(struct cpu_device *dev, struct diag *d)
{
	const char *path = dev->settings.trace, *kernels = dev->settings.kernels;

	if (!path)
		return 0;
	if (kernels) {
		struct diag why = DIAG_INIT;

		if (pattern_compile(&dev->kernels, kernels, &why) < 0)
			return diag_file(d, NULL, "ROMARK_KERNELS: '%.100s' is not a regular expression: %s", kernels,
					 why.message);
		dev->selects = true;
	}
	if (number_in(path) >= 0)
		return open_descriptor(dev, d);
	dev->trace = trace_create(path, d);
	return dev->trace ? 0 : DIAG_ERROR;
}
