/* A bar that stays out of the way: nothing for short work, nothing in a log file. */
#include "common/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 30 };

double monotonic_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void progress_start(struct progress *p, const char *what, uint64_t total)
{
	*p = (struct progress){.what = what, .total = total, .started = monotonic_seconds(), .terminal = isatty(2)};
	p->drawn = p->started;
}

static void draw(const struct progress *p, uint64_t done, const char *note)
{
	char bar[WIDTH + 1];
	uint64_t filled = p->total ? done * WIDTH / p->total : 0;

	for (unsigned i = 0; i < WIDTH; i++)
		bar[i] = i < filled ? '#' : '.';
	bar[WIDTH] = '\0';
	if (p->total)
		fprintf(stderr, "\r\033[K%s [%s] %3.0f %% %s", p->what, bar, 100.0 * (double)done / (double)p->total,
			note ? note : "");
	else
		fprintf(stderr, "\r\033[K%s %llu %s", p->what, (unsigned long long)done, note ? note : "");
	fflush(stderr);
}

void progress_update(struct progress *p, uint64_t done, const char *note)
{
	double now;

	if (!p->terminal)
		return;
	now = monotonic_seconds();
	if (now - p->started < 1.0 || now - p->drawn < 0.1)
		return;
	p->drawn = now;
	p->shown = 1;
	draw(p, done, note);
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = 0;
}
