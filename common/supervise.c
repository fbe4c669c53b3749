/*
 * A process that is killed can pass nothing on, so the kernel tells the supervisor (PR_SET_PDEATHSIG). The orphans of
 * the command become the supervisor's children (PR_SET_CHILD_SUBREAPER), where it finds them.
 */
#include "common/supervise.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>

static void end_with_parent(pid_t parent, int signal)
{
	prctl(PR_SET_PDEATHSIG, signal);
	if (getppid() != parent) /* it ended before that */
		_exit(127);
}

/* Kills the children of this process; false when it has no children. */
static bool kill_children(void)
{
	FILE *list = fopen("/proc/thread-self/children", "r");
	bool some = false;
	long child;

	while (list && fscanf(list, "%ld", &child) == 1) {
		kill((pid_t)child, SIGKILL);
		some = true;
	}
	if (list)
		fclose(list);
	return some;
}

/* Children of those that are killed become children of this process, so until none comes any more. */
static void kill_all(pid_t command)
{
	kill(command, SIGKILL);
	while (waitpid(command, NULL, 0) < 0 && errno == EINTR)
		;
	while (kill_children())
		while (waitpid(-1, NULL, 0) < 0 && errno == EINTR)
			;
	_exit(128 + SIGKILL);
}

/* Takes the end of every child; ends as the command did, when it did. */
static void take_ends(pid_t command)
{
	int status;
	pid_t child;

	while ((child = waitpid(-1, &status, WNOHANG)) > 0)
		if (child == command)
			_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* To who signals it, the supervisor is the parent, whose signals are the command's. */
static void watch(pid_t parent, pid_t command, const sigset_t *awaited)
{
	for (;;) {
		siginfo_t info;
		int signal = sigwaitinfo(awaited, &info);

		take_ends(command);
		if (getppid() != parent)
			kill_all(command);
		if (signal <= 0 || signal == SIGCHLD || info.si_code != SI_USER)
			continue; /* what a terminal sends, the command gets as well */
		kill(info.si_pid == parent ? command : parent, signal);
	}
}

void supervise(pid_t parent, const sigset_t *mask, int close_in_supervisor)
{
	static const int taken[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};
	pid_t self = getpid(), command;
	sigset_t awaited;

	sigemptyset(&awaited);
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		sigaddset(&awaited, taken[i]);
	sigprocmask(SIG_BLOCK, &awaited, NULL);
	signal(SIGCHLD, SIG_DFL);
	end_with_parent(parent, SIGTERM);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	command = fork();
	if (command > 0) {
		if (close_in_supervisor >= 0)
			close(close_in_supervisor);
		watch(parent, command, &awaited);
	}
	if (command == 0)
		end_with_parent(self, SIGKILL);
	sigprocmask(SIG_SETMASK, mask, NULL); /* where there can be no second process, the first becomes the command */
}
#else
void supervise(pid_t parent, const sigset_t *mask, int close_in_supervisor)
{
	(void)parent;
	(void)close_in_supervisor;
	sigprocmask(SIG_SETMASK, mask, NULL);
}
#endif
