/* Versions of sectors by place and line. A place is a slice, or memory. */
#include "sim-backend/memory/versions.h"

#include "common/xalloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define uthash_malloc(size) xmalloc(size)
#define uthash_free(p, size) xfree(p)
#include <uthash.h>

enum { SECTORS = 8, MEMORY = UINT32_MAX, LATEST = UINT32_MAX - 1 };

struct key {
	uint64_t line;
	uint64_t place;
};

/* A slice's latest write of a sector in the latest kernel that has written it. */
struct writer {
	uint64_t version; /* 0: none */
	unsigned slice;
};

enum { WRITERS = 8 };

/* Facts about a line, beside its versions, that only LATEST keeps. */
struct history {
	uint64_t before[SECTORS]; /* the lowest number that may be served of the versions from before the kernel */
	uint64_t agreed[SECTORS]; /* the number that slices have served of them, plus 1; 0: none yet */
	struct writer writers[SECTORS][WRITERS];
};

struct held {
	struct key key;
	uint64_t version[SECTORS];
	struct history *history; /* NULL but for LATEST */
	UT_hash_handle hh;
};

struct travelling {
	uint64_t version[SECTORS];
	uint8_t sectors;
	uint32_t next_free;
};

struct versions {
	struct held *held;
	struct travelling *travelling; /* number n is at n - 1 */
	uint32_t ntravelling, free;    /* head of the free list, a number; 0 = empty */
	uint64_t last, kernel;         /* the latest number given; the latest at the kernel's begin */
	bool ordered;                  /* writes come to memory in the order of their writers */
	char violation[256];
};

struct versions *versions_create(void)
{
	return xcalloc(1, sizeof(struct versions));
}

void versions_are_ordered(struct versions *v)
{
	v->ordered = true;
}

void versions_free(struct versions *v)
{
	struct held *h, *next;

	if (!v)
		return;
	HASH_ITER(hh, v->held, h, next) {
		HASH_DEL(v->held, h);
		xfree(h->history);
		xfree(h);
	}
	xfree(v->travelling);
	xfree(v);
}

static struct held *held_at(struct versions *v, unsigned place, uint64_t line)
{
	struct key key = {line, place};
	struct held *h;

	HASH_FIND(hh, v->held, &key, sizeof key, h);
	if (h)
		return h;
	h = xcalloc(1, sizeof *h);
	h->key = key;
	if (place == LATEST)
		h->history = xcalloc(1, sizeof *h->history);
	HASH_ADD(hh, v->held, key, sizeof h->key, h);
	return h;
}

static uint32_t travelling_new(struct versions *v)
{
	uint32_t number = v->free;

	if (!number) {
		v->travelling = xrealloc(v->travelling, (v->ntravelling + 1) * sizeof *v->travelling);
		return ++v->ntravelling;
	}
	v->free = v->travelling[number - 1].next_free;
	return number;
}

static void travelling_free(struct versions *v, uint32_t number)
{
	v->travelling[number - 1].next_free = v->free;
	v->free = number;
}

void versions_kernel(struct versions *v)
{
	v->kernel = v->last;
}

/*
 * Writes of one sector through several slices in one kernel race, and any of them may be the last: the oldest of the
 * slices' latest writes.
 */
static uint64_t least_of(const struct history *history, unsigned sector)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < WRITERS && history->writers[sector][i].version; i++)
		least = history->writers[sector][i].version < least ? history->writers[sector][i].version : least;
	return least == UINT64_MAX ? 0 : least;
}

static void note_writer(struct history *history, unsigned sector, unsigned slice, uint64_t version)
{
	struct writer *w = history->writers[sector];

	for (unsigned i = 0; i < WRITERS; i++)
		if (!w[i].version || w[i].slice == slice) {
			w[i] = (struct writer){version, slice};
			return;
		}
}

static void note_write(struct versions *v, struct held *latest, unsigned sector, unsigned slice)
{
	struct history *history = latest->history;

	if (latest->version[sector] <= v->kernel) {
		history->before[sector] = least_of(history, sector);
		memset(history->writers[sector], 0, sizeof history->writers[sector]);
	}
	history->agreed[sector] = 0;
	note_writer(history, sector, slice, v->last);
}

void versions_written(struct versions *v, unsigned slice, uint64_t line, uint8_t sectors)
{
	struct held *here = held_at(v, slice, line), *latest = held_at(v, LATEST, line);

	v->last++;
	for (unsigned s = 0; s < SECTORS; s++) {
		if (!(sectors >> s & 1))
			continue;
		note_write(v, latest, s, slice);
		here->version[s] = latest->version[s] = v->last;
	}
}

uint32_t versions_sent(struct versions *v, unsigned slice, uint64_t line, uint8_t sectors)
{
	const struct held *here = held_at(v, slice, line);
	uint32_t number = travelling_new(v);
	struct travelling *t = &v->travelling[number - 1];

	memcpy(t->version, here->version, sizeof t->version);
	t->sectors = sectors;
	return number;
}

/*
 * Writes of one sector through several slices race. Where nothing orders them, the write with the larger number counts
 * as the winner.
 */
static void take(const struct versions *v, struct held *to, const struct travelling *t)
{
	for (unsigned s = 0; s < SECTORS; s++)
		if (t->sectors >> s & 1 && (v->ordered || t->version[s] > to->version[s]))
			to->version[s] = t->version[s];
}

void versions_in_memory(struct versions *v, uint64_t line, uint32_t sent)
{
	const struct travelling *t = &v->travelling[sent - 1];

	take(v, held_at(v, MEMORY, line), t);
	travelling_free(v, sent);
}

uint32_t versions_read(struct versions *v, uint64_t line)
{
	return versions_sent(v, MEMORY, line, UINT8_MAX);
}

void versions_filled(struct versions *v, unsigned slice, uint64_t line, uint32_t read, uint8_t dirty)
{
	struct held *here = held_at(v, slice, line);

	for (unsigned s = 0; s < SECTORS; s++)
		if (!(dirty >> s & 1))
			here->version[s] = v->travelling[read - 1].version[s];
	travelling_free(v, read);
}

static bool is_written_now(const struct versions *v, const struct held *latest, unsigned sector)
{
	return latest->version[sector] > v->kernel;
}

/* All slices serve the same version of what no kernel writes any more. */
static bool agrees(const struct versions *v, struct held *latest, unsigned sector, uint64_t version)
{
	uint64_t *agreed = &latest->history->agreed[sector];

	if (is_written_now(v, latest, sector))
		return true;
	if (!*agreed)
		*agreed = version + 1;
	return *agreed == version + 1;
}

void versions_served(struct versions *v, unsigned slice, uint64_t line, uint8_t sectors, bool copy)
{
	const struct held *here = held_at(v, slice, line);
	struct held *latest = held_at(v, LATEST, line);

	for (unsigned s = 0; s < SECTORS && !v->violation[0]; s++) {
		uint64_t wanted =
		    copy && is_written_now(v, latest, s) ? latest->history->before[s] : least_of(latest->history, s);

		if (!(sectors >> s & 1))
			continue;
		if (here->version[s] < wanted)
			snprintf(v->violation, sizeof v->violation,
				 "LLC slice %u served an old value of sector %u of line 0x%" PRIx64 ": write %" PRIu64
				 ", where write %" PRIu64 " came before",
				 slice, s, line, here->version[s], wanted);
		else if (!agrees(v, latest, s, here->version[s]))
			snprintf(v->violation, sizeof v->violation,
				 "LLC slice %u served write %" PRIu64 " of sector %u of line 0x%" PRIx64
				 ", another one has served write %" PRIu64 ", and no kernel has written it since",
				 slice, here->version[s], s, line, latest->history->agreed[s] - 1);
	}
}

const char *versions_violation(const struct versions *v)
{
	return v->violation[0] ? v->violation : NULL;
}
