/* The handler only takes a note while a kernel runs; at any other time the signal does what it always does. */
#include "runtime/cpu/run/interrupt.h"

#include <stdbool.h>
#include <stddef.h>

volatile sig_atomic_t interrupt_pending;
static volatile sig_atomic_t running;

static void end_by_signal(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

/* A second signal does not wait for the kernel. Raising it here takes effect when the handler returns. */
static void note_signal(int number)
{
	if (!running || interrupt_pending)
		end_by_signal(number);
	interrupt_pending = number;
}

/* Once: a handler that the program sets later stays. */
static void listen(void)
{
	static bool done;
	struct sigaction now, own = {.sa_handler = note_signal, .sa_flags = SA_RESTART};

	if (done)
		return;
	done = true;
	if (sigaction(SIGINT, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL)
		sigaction(SIGINT, &own, NULL);
}

void interrupt_begin(void)
{
	listen();
	running++;
}

void interrupt_end(const struct diag *d)
{
	if (--running || !interrupt_pending)
		return;
	fflush(stdout);
	if (diag_is_set(d))
		diag_print(d, stderr);
	end_by_signal(interrupt_pending);
}
