/* Jobs as children of this process, as many at a time as there are cores and memory. */
#include "study/executor.h"

#include "study/job.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct child {
	pid_t pid;
	int64_t id;
	uint64_t bytes; /* memory that the run is assumed to need */
	double started;
	char *folder;
};

struct executor {
	unsigned jobs;
	uint64_t memory;
	VEC(struct child) children;
};

static uint64_t memory_of_machine(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static struct executor *local_open(const struct executor_options *options, struct diag *d)
{
	struct executor *e = xcalloc(1, sizeof *e);
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	sigset_t ends;

	(void)d;
	e->jobs = options->jobs ? options->jobs : cores > 0 ? (unsigned)cores : 1;
	e->memory = options->memory ? options->memory : memory_of_machine();
	sigemptyset(&ends); /* the end of a child must not come between a look and a wait */
	sigaddset(&ends, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	return e;
}

static uint64_t memory_in_use(const struct executor *e)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < e->children.len; i++)
		sum += e->children.data[i].bytes;
	return sum;
}

static unsigned local_room(struct executor *e, const struct job *next)
{
	uint64_t used = memory_in_use(e), left = e->memory > used ? e->memory - used : 0;
	unsigned room = e->children.len < e->jobs ? e->jobs - (unsigned)e->children.len : 0;

	if (next->bytes && left / next->bytes < room)
		room = (unsigned)(left / next->bytes);
	return room;
}

static bool local_fits(struct executor *e, uint64_t bytes)
{
	return bytes <= e->memory;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int local_submit(struct executor *e, struct job *jobs, size_t count, struct diag *d)
{
	for (size_t i = 0; i < count; i++) {
		pid_t pid = job_start(jobs[i].folder, d);

		if (pid < 0)
			return DIAG_ERROR;
		snprintf(jobs[i].handle, sizeof jobs[i].handle, "%ld", (long)pid);
		vec_push(&e->children, (struct child){pid, jobs[i].id, jobs[i].bytes, now(), xstrdup(jobs[i].folder)});
	}
	return 0;
}

static bool is_pending(int number)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && sigismember(&pending, number);
}

/* Until a child ends, another signal comes or the time is over. */
static void wait_for_end(double seconds)
{
	struct timespec limit = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGCHLD);
	sigtimedwait(&ends, NULL, &limit);
}

/* The child at `index` if it has ended; its end is in its folder then. */
static bool take_end(struct executor *e, size_t index, struct diag *d)
{
	struct child *child = &e->children.data[index];
	struct rusage usage;
	int status;
	pid_t got = wait4(child->pid, &status, WNOHANG, &usage);

	if (got == 0 || (got < 0 && errno == EINTR))
		return false;
	if (got > 0)
		job_finish(child->folder, child->started, status, &usage, d);
	xfree(child->folder);
	*child = vec_pop(&e->children);
	return true;
}

static size_t local_poll(struct executor *e, double seconds, int64_t *ended, size_t room, struct diag *d)
{
	size_t count = 0;

	if (seconds > 0 && !is_pending(SIGCHLD))
		wait_for_end(seconds);
	else if (is_pending(SIGCHLD))
		wait_for_end(0);
	for (size_t i = e->children.len; i-- > 0 && count < room;) {
		int64_t id = e->children.data[i].id;

		if (take_end(e, i, d))
			ended[count++] = id;
	}
	return count;
}

static void local_cancel(struct executor *e, bool leave)
{
	(void)leave;
	for (size_t i = 0; i < e->children.len; i++)
		kill(e->children.data[i].pid, SIGKILL);
	for (size_t i = 0; i < e->children.len; i++) {
		while (waitpid(e->children.data[i].pid, NULL, 0) < 0 && errno == EINTR)
			;
		xfree(e->children.data[i].folder);
	}
	e->children.len = 0;
}

static void local_close(struct executor *e)
{
	if (!e)
		return;
	local_cancel(e, false);
	vec_release(&e->children);
	xfree(e);
}

const struct executor_ops executor_local = {.name = "local",
					    .open = local_open,
					    .room = local_room,
					    .fits = local_fits,
					    .submit = local_submit,
					    .poll = local_poll,
					    .cancel = local_cancel,
					    .close = local_close};
