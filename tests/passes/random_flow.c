/* Statements with blocks of their own, branches and loops; disguises; and the choice among all statements. */
#include "tests/passes/random_generator.h"

#include "tests/passes/random_disguises.h"

static void add_branch(struct generator *g)
{
	unsigned a = pointer(g), then = g->text.next, join = g->text.next + 1, before, b, after;
	size_t pointers = g->pointers.len, numbers = g->numbers.len;

	g->text.next += 2;
	b = value(g, "icmp ult i64 %%t%u, %u", number(g), 1 + pick(g, 4));
	before = g->block;
	line(g, "br i1 %%t%u, label %%b%u, label %%b%u", b, then, join);
	label(g, then);
	add_statements(g, 1 + pick(g, 4));
	b = pointer(g);
	after = g->block;
	line(g, "br label %%b%u", join);
	forget(g, pointers, numbers);
	label(g, join);
	keep_pointer(g, value(g, "phi ptr [ %%t%u, %%b%u ], [ %%t%u, %%b%u ]", a, before, b, after));
}

/* Two rounds; a pointer that goes from node to node, and one that goes from object to object. */
static void add_loop(struct generator *g)
{
	unsigned start = pointer(g), chased = pointer(g), before = g->block, body = g->text.next,
		 exit = g->text.next + 1;
	unsigned latch = g->text.next + 2, walk = g->text.next + 3, chase = g->text.next + 4, round = g->text.next + 5,
		 first, last, test;
	unsigned walk_next = g->text.next + 6, chase_next = g->text.next + 7, round_next = g->text.next + 8;

	g->text.next += 9;
	line(g, "br label %%b%u", body);
	label(g, body);
	line(g, "%%t%u = phi ptr [ %%t%u, %%b%u ], [ %%t%u, %%b%u ]", walk, start, before, walk_next, latch);
	line(g, "%%t%u = phi ptr [ %%t%u, %%b%u ], [ %%t%u, %%b%u ]", chase, chased, before, chase_next, latch);
	line(g, "%%t%u = phi i64 [ 0, %%b%u ], [ %%t%u, %%b%u ]", round, before, round_next, latch);
	first = value(g, "getelementptr i8, ptr %%t%u, i64 %u", walk, 8 * pick(g, 4));
	keep_number(g, value(g, "load i64, ptr %%t%u, align 8", first));
	keep_number(g, round);
	keep_pointer(g, chase);
	add_statements(g, 1 + pick(g, 4));
	last = slot_address(g, chase);
	line(g, "%%t%u = load ptr, ptr %%t%u, align 8", chase_next, last);
	keep_pointer(g, chase_next);
	line(g, "br label %%b%u", latch);
	label(g, latch);
	line(g, "%%t%u = getelementptr i8, ptr %%t%u, i64 %u", walk_next, walk, NODE_BYTES);
	line(g, "%%t%u = add i64 %%t%u, 1", round_next, round);
	test = value(g, "icmp ult i64 %%t%u, %u", round_next, OBJECT_NODES);
	line(g, "br i1 %%t%u, label %%b%u, label %%b%u", test, body, exit);
	label(g, exit);
	keep_pointer(g, value(g, "getelementptr i8, ptr %%t%u, i64 -%u", walk_next, OBJECT_BYTES));
}

static void add_flow(struct generator *g)
{
	bool calls = g->calls;

	if (g->nesting == 2)
		return;
	g->nesting++;
	if (chance(g, 2)) {
		add_branch(g);
	} else {
		g->calls = false;
		add_loop(g);
		g->calls = calls;
	}
	g->nesting--;
}

/* Pointers to objects that are not the program's own. */
static unsigned outside_pointer(struct generator *g)
{
	static const char *const others[] = {"addrspacecast ptr addrspace(1) @g0 to ptr",
					     "addrspacecast ptr addrspace(1) @g1 to ptr", "inttoptr i64 %p6 to ptr",
					     "load ptr, ptr %s, align 8"};

	return chance(g, 2) ? pick(g, 4) : value(g, "%s", others[pick(g, 4)]);
}

/* An outside pointer, or a pointer in memory there. */
static unsigned base_pointer(struct generator *g)
{
	unsigned outside = outside_pointer(g);

	return chance(g, 2) ? outside : value(g, "load ptr, ptr %%t%u, align 8", slot_address(g, outside));
}

/* A disguised pointer; something is read through it and written through the pointer itself, or the other way round. */
void add_disguise(struct generator *g)
{
	struct disguise x = {.random = g->random, .text = &g->text, .block = g->block};
	unsigned found, read, written;

	if (!g->disguises || !g->in_kernel)
		return;
	x.p = base_pointer(g);
	x.q = base_pointer(g);
	x.object = outside_pointer(g);
	x.other = outside_pointer(g);
	found = random_disguise(&x);
	g->block = x.block;
	keep_pointer(g, found);
	read = chance(g, 4) ? found : x.q;
	written = read == found ? x.q : found;
	read = word_address(g, read, 0);
	keep_number(g, value(g, "load i64, ptr %%t%u, align 8", read));
	written = word_address(g, written, 0);
	line(g, "store i64 %%t%u, ptr %%t%u, align 8", number(g), written);
}

void add_statements(struct generator *g, unsigned count)
{
	/* Of 28 statements, 25 are plain, two are control flow, and one is a disguise. */
	while (count--)
		switch (pick(g, 28)) {
		case 0:
		case 1: add_flow(g); break;
		case 2: add_disguise(g); break;
		default: add_plain_statement(g);
		}
}
