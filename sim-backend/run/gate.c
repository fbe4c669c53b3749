/* Waiting in three steps: spin, yield, sleep. */
#include "sim-backend/run/gate.h"

#include "common/progress.h"

#include <sched.h>
#include <time.h>

/* Spinning takes some 20 us: longer than a thread's part of a cycle, as a rule. */
enum { SPINS = 1000, YIELDS = 50, SLEEP_NANOSECONDS = 100000 };
/* A part of a cycle takes much less, and a program that has got a core much more. */
#define LATE_SECONDS 0.0005

static void relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static void await_slowly(struct gate *g, unsigned number)
{
	for (int i = 0; i < YIELDS; i++) {
		if (gate_is_at(g, number))
			return;
		sched_yield();
	}
	while (!gate_is_at(g, number))
		nanosleep(&(struct timespec){.tv_nsec = SLEEP_NANOSECONDS}, NULL);
}

bool gate_await(struct gate *g, unsigned number, uint64_t *looks)
{
	double started;

	for (int i = 0; i < SPINS; i++) {
		if (gate_is_at(g, number))
			return true;
		++*looks;
		relax();
	}
	started = monotonic_seconds();
	await_slowly(g, number);
	return monotonic_seconds() - started < LATE_SECONDS;
}
