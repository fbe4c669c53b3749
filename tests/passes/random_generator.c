/* The sequence of choices, the values that there are, and addresses in objects. */
#include "tests/passes/random_generator.h"

struct random random_from(uint64_t seed)
{
	struct random r = {seed * 0x9e3779b97f4a7c15u + 1};

	random_pick(&r, 1);
	return r;
}

unsigned random_pick(struct random *r, unsigned below)
{
	r->state = r->state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(r->state >> 33) % below;
}

unsigned pick(struct generator *g, unsigned below)
{
	return random_pick(g->random, below);
}

bool chance(struct generator *g, unsigned in)
{
	return pick(g, in) == 0;
}

void label(struct generator *g, unsigned number)
{
	strbuf_addf(g->text.out, "b%u:\n", number);
	g->block = number;
}

unsigned pointer(struct generator *g)
{
	return g->pointers.data[pick(g, (unsigned)g->pointers.len)];
}

unsigned number(struct generator *g)
{
	return g->numbers.data[pick(g, (unsigned)g->numbers.len)];
}

void keep_pointer(struct generator *g, unsigned id)
{
	vec_push(&g->pointers, id);
}

void keep_number(struct generator *g, unsigned id)
{
	vec_push(&g->numbers, id);
}

unsigned target(struct generator *g)
{
	return chance(g, 2) ? pointer(g) : g->pointers.data[pick(g, g->roots)];
}

void forget(struct generator *g, size_t pointers, size_t numbers)
{
	g->pointers.len = pointers;
	g->numbers.len = numbers;
}

/* --- Addresses --- */

unsigned word_address(struct generator *g, unsigned object, unsigned from)
{
	unsigned at = from + 8 * pick(g, 4) + (chance(g, 3) ? NODE_BYTES : 0), index;

	if (!chance(g, 4))
		return value(g, "getelementptr i8, ptr %%t%u, i64 %u", object, at);
	index = value(g, "and i64 %%t%u, 3", number(g));
	object = value(g, "getelementptr i8, ptr %%t%u, i64 %u", object, from);
	return value(g, "getelementptr i64, ptr %%t%u, i64 %%t%u", object, index);
}

unsigned slot_address(struct generator *g, unsigned object)
{
	return word_address(g, object, SLOTS_AT);
}
