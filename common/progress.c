/* A bar that stays out of the way: nothing for short work, nothing in a log file. */
#include "common/progress.h"

#include "common/strbuf.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 20, DEFAULT_COLUMNS = 80 };

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

/* At the rate since the first update: a run that resumes from a checkpoint did the rest earlier. */
static void add_time_left(const struct progress *p, uint64_t done, double now, struct strbuf *line)
{
	unsigned long long seconds;

	if (p->knows_time || done <= p->first || done > p->total)
		return;
	seconds = (unsigned long long)((now - p->heard) * (double)(p->total - done) / (double)(done - p->first) + 0.5);
	if (seconds >= 3600)
		strbuf_addf(line, ", %llu:%02llu:%02llu left", seconds / 3600, seconds / 60 % 60, seconds % 60);
	else
		strbuf_addf(line, ", %llu:%02llu left", seconds / 60, seconds % 60);
}

static void add_bar(const struct progress *p, uint64_t done, struct strbuf *line)
{
	uint64_t part = done < p->total ? done : p->total, filled = part * WIDTH / p->total;

	strbuf_addc(line, '[');
	for (unsigned i = 0; i < WIDTH; i++)
		strbuf_addc(line, i < filled ? '#' : '.');
	strbuf_addf(line, "] %3.0f %%", 100.0 * (double)part / (double)p->total);
}

void progress_line(const struct progress *p, uint64_t done, double now, const char *note, unsigned columns, char *text,
		   size_t size)
{
	struct strbuf line = STRBUF_INIT;

	strbuf_addf(&line, "%s ", p->what);
	if (p->total) {
		add_bar(p, done, &line);
		add_time_left(p, done, now, &line);
		strbuf_adds(&line, note ? ", " : "");
	} else {
		strbuf_addf(&line, "%llu ", (unsigned long long)done);
	}
	strbuf_adds(&line, note ? note : "");
	snprintf(text, size < columns + 1 ? size : columns + 1, "%s", line.data);
	strbuf_release(&line);
}

/* The rest of a longer line would stay on the terminal when the next line is drawn. */
static unsigned columns_of_terminal(void)
{
	struct winsize size;

	return ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : DEFAULT_COLUMNS - 1;
}

void progress_update(struct progress *p, uint64_t done, const char *note)
{
	char text[512];
	double now;

	if (!p->terminal)
		return;
	now = monotonic_seconds();
	if (p->heard == 0) {
		p->heard = now;
		p->first = done;
	}
	if (now - p->started < 1.0 || now - p->drawn < 0.1)
		return;
	p->drawn = now;
	p->shown = 1;
	progress_line(p, done, now, note, columns_of_terminal(), text, sizeof text);
	fprintf(stderr, "\r\033[K%s", text);
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = 0;
}
