/* Numbers of values by place and line. A place is a slice, or memory. */
#include "sim-backend/values.h"

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

struct held {
	struct key key;
	uint64_t value[SECTORS];
	uint64_t before[SECTORS]; /* LATEST: the value when the kernel began */
	UT_hash_handle hh;
};

struct travelling {
	uint64_t value[SECTORS];
	uint8_t sectors;
	uint32_t next_free;
};

struct values {
	struct held *held;
	struct travelling *travelling; /* number n is at n - 1 */
	uint32_t ntravelling, free;    /* head of the free list, a number; 0 = empty */
	uint64_t last, kernel;         /* the latest number given; that at the kernel's begin */
	char violation[256];
};

struct values *values_create(void)
{
	return xcalloc(1, sizeof(struct values));
}

void values_free(struct values *v)
{
	struct held *h, *next;

	if (!v)
		return;
	HASH_ITER(hh, v->held, h, next) {
		HASH_DEL(v->held, h);
		xfree(h);
	}
	xfree(v->travelling);
	xfree(v);
}

static struct held *held_at(struct values *v, unsigned place, uint64_t line)
{
	struct key key = {line, place};
	struct held *h;

	HASH_FIND(hh, v->held, &key, sizeof key, h);
	if (h)
		return h;
	h = xcalloc(1, sizeof *h);
	h->key = key;
	HASH_ADD(hh, v->held, key, sizeof h->key, h);
	return h;
}

static uint32_t travelling_new(struct values *v)
{
	uint32_t number = v->free;

	if (!number) {
		v->travelling = xrealloc(v->travelling, (v->ntravelling + 1) * sizeof *v->travelling);
		return ++v->ntravelling;
	}
	v->free = v->travelling[number - 1].next_free;
	return number;
}

static void travelling_free(struct values *v, uint32_t number)
{
	v->travelling[number - 1].next_free = v->free;
	v->free = number;
}

void values_kernel(struct values *v)
{
	v->kernel = v->last;
}

void values_written(struct values *v, unsigned slice, uint64_t line, uint8_t sectors)
{
	struct held *here = held_at(v, slice, line), *latest = held_at(v, LATEST, line);

	v->last++;
	for (unsigned s = 0; s < SECTORS; s++) {
		if (!(sectors >> s & 1))
			continue;
		if (latest->value[s] <= v->kernel)
			latest->before[s] = latest->value[s];
		here->value[s] = latest->value[s] = v->last;
	}
}

uint32_t values_sent(struct values *v, unsigned slice, uint64_t line, uint8_t sectors)
{
	const struct held *here = held_at(v, slice, line);
	uint32_t number = travelling_new(v);
	struct travelling *t = &v->travelling[number - 1];

	memcpy(t->value, here->value, sizeof t->value);
	t->sectors = sectors;
	return number;
}

/* Writes of one sector through several slices race; the one with the larger number is taken for the winner. */
static void take(struct held *to, const struct travelling *t, uint8_t sectors)
{
	for (unsigned s = 0; s < SECTORS; s++)
		if (sectors >> s & 1 && t->value[s] > to->value[s])
			to->value[s] = t->value[s];
}

void values_in_memory(struct values *v, uint64_t line, uint32_t sent)
{
	const struct travelling *t = &v->travelling[sent - 1];

	take(held_at(v, MEMORY, line), t, t->sectors);
	travelling_free(v, sent);
}

uint32_t values_read(struct values *v, uint64_t line)
{
	return values_sent(v, MEMORY, line, UINT8_MAX);
}

void values_filled(struct values *v, unsigned slice, uint64_t line, uint32_t read, uint8_t dirty)
{
	struct held *here = held_at(v, slice, line);

	for (unsigned s = 0; s < SECTORS; s++)
		if (!(dirty >> s & 1))
			here->value[s] = v->travelling[read - 1].value[s];
	travelling_free(v, read);
}

void values_served(struct values *v, unsigned slice, uint64_t line, uint8_t sectors, bool copy)
{
	const struct held *here = held_at(v, slice, line), *latest = held_at(v, LATEST, line);

	for (unsigned s = 0; s < SECTORS && !v->violation[0]; s++) {
		uint64_t wanted = copy && latest->value[s] > v->kernel ? latest->before[s] : latest->value[s];

		if (sectors >> s & 1 && here->value[s] < wanted)
			snprintf(v->violation, sizeof v->violation,
				 "LLC slice %u served an old value of sector %u of line 0x%" PRIx64 ": write %" PRIu64
				 ", where write %" PRIu64 " came before",
				 slice, s, line, here->value[s], wanted);
	}
}

const char *values_violation(const struct values *v)
{
	return v->violation[0] ? v->violation : NULL;
}
