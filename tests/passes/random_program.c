/*
 * A program is functions over pointers and numbers; one function here for each thing that a program can do with them.
 */
#include "tests/passes/random_program.h"

#include "tests/passes/random_disguises.h"

#include "common/vec.h"

#include <stdbool.h>
#include <string.h>

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

enum { FUNCTIONS = 2 };

struct generator {
	struct random *random;
	struct ir_text text;
	unsigned block;     /* label of the current block */
	unsigned functions; /* f0.. that may be called */
	unsigned roots;     /* the first of `pointers`: the function's own */
	unsigned nesting;   /* of loops and branches */
	bool calls;         /* may the code here call functions */
	bool in_kernel;
	bool disguises; /* the program hides pointers in numbers */
	VEC(unsigned) pointers, numbers;
};

static unsigned pick(struct generator *g, unsigned below)
{
	return random_pick(g->random, below);
}

static bool chance(struct generator *g, unsigned in)
{
	return pick(g, in) == 0;
}

#define line(g, ...) ir_line(&(g)->text, __VA_ARGS__)
#define value(g, ...) ir_value(&(g)->text, __VA_ARGS__)

static void label(struct generator *g, unsigned number)
{
	strbuf_addf(g->text.out, "b%u:\n", number);
	g->block = number;
}

static unsigned pointer(struct generator *g)
{
	return g->pointers.data[pick(g, (unsigned)g->pointers.len)];
}

static unsigned number(struct generator *g)
{
	return g->numbers.data[pick(g, (unsigned)g->numbers.len)];
}

static void keep_pointer(struct generator *g, unsigned id)
{
	vec_push(&g->pointers, id);
}

static void keep_number(struct generator *g, unsigned id)
{
	vec_push(&g->numbers, id);
}

/* What is written: mostly the function's own memory, since a store through an unknown pointer leaves no marks at all.
 */
static unsigned target(struct generator *g)
{
	return chance(g, 2) ? pointer(g) : g->pointers.data[pick(g, g->roots)];
}

/* --- Addresses --- */

/* Address of one of four words from byte `from` on, in either node. */
static unsigned word_address(struct generator *g, unsigned object, unsigned from)
{
	unsigned at = from + 8 * pick(g, 4) + (chance(g, 3) ? NODE_BYTES : 0), index;

	if (!chance(g, 4))
		return value(g, "getelementptr i8, ptr %%t%u, i64 %u", object, at);
	index = value(g, "and i64 %%t%u, 3", number(g));
	object = value(g, "getelementptr i8, ptr %%t%u, i64 %u", object, from);
	return value(g, "getelementptr i64, ptr %%t%u, i64 %%t%u", object, index);
}

static unsigned slot_address(struct generator *g, unsigned object)
{
	return word_address(g, object, SLOTS_AT);
}

/* --- Numbers --- */

static void add_load(struct generator *g)
{
	static const struct {
		const char *type, *integer;
	} types[] = {{"i64", NULL},    {"i32", NULL},     {"i8", NULL},
		     {"float", "i32"}, {"double", "i64"}, {"<2 x i32>", "i64"}};
	unsigned t = pick(g, 6), at = word_address(g, pointer(g), 0), v;
	const char *type = types[t].type;

	if (t < 3 && chance(g, 8))
		v = value(g, "load volatile %s, ptr %%t%u, align 8", type, at);
	else if (t < 2 && chance(g, 8))
		v = value(g, "load atomic %s, ptr %%t%u monotonic, align 8", type, at);
	else
		v = value(g, "load %s, ptr %%t%u, align 8", type, at);
	if (types[t].integer) {
		v = value(g, "bitcast %s %%t%u to %s", type, v, types[t].integer);
		type = types[t].integer;
	}
	keep_number(g, strcmp(type, "i64") == 0 ? v : value(g, "zext %s %%t%u to i64", type, v));
}

static void add_store(struct generator *g)
{
	unsigned at = word_address(g, target(g), 0);

	line(g, "store i64 %%t%u, ptr %%t%u, align 8", number(g), at);
}

static void add_arithmetic(struct generator *g)
{
	static const char *const operations[] = {"add", "mul", "xor", "and", "or", "lshr"};

	keep_number(g, value(g, "%s i64 %%t%u, %u", operations[pick(g, 6)], number(g), 1 + pick(g, 5)));
}

static void add_atomic(struct generator *g)
{
	unsigned at = word_address(g, target(g), 0), pair;

	if (chance(g, 2)) {
		keep_number(g, value(g, "atomicrmw add ptr %%t%u, i64 %%t%u seq_cst", at, number(g)));
		return;
	}
	pair = value(g, "cmpxchg ptr %%t%u, i64 0, i64 %%t%u seq_cst seq_cst", at, number(g));
	keep_number(g, value(g, "extractvalue { i64, i1 } %%t%u, 0", pair));
}

/* --- Pointers --- */

static void add_slot_load(struct generator *g)
{
	keep_pointer(g, value(g, "load ptr, ptr %%t%u, align 8", slot_address(g, pointer(g))));
}

static void add_slot_store(struct generator *g)
{
	unsigned at = slot_address(g, target(g));

	line(g, "store ptr %%t%u, ptr %%t%u, align 8", pointer(g), at);
}

static void add_cell_store(struct generator *g)
{
	line(g, "store ptr %%t%u, ptr %%cell%u, align 8", pointer(g), pick(g, 2));
}

static void add_cell_load(struct generator *g)
{
	keep_pointer(g, value(g, "load ptr, ptr %%cell%u, align 8", pick(g, 2)));
}

/* A slot to a cell by halves or bytes, as a program does that copies a structure word by word. */
static void add_piecewise_copy(struct generator *g)
{
	unsigned from = slot_address(g, pointer(g)), cell = pick(g, 2), bytes = chance(g, 2) ? 4 : 1;

	for (unsigned at = 0; at < 8; at += bytes) {
		unsigned source = value(g, "getelementptr i8, ptr %%t%u, i64 %u", from, at);
		unsigned v = value(g, "load i%u, ptr %%t%u", bytes * 8, source);
		unsigned to = value(g, "getelementptr i8, ptr %%cell%u, i64 %u", cell, at);

		line(g, "store i%u %%t%u, ptr %%t%u", bytes * 8, v, to);
	}
}

/* The two halves of a pointer in memory, together again. */
static unsigned loaded_halves(struct generator *g)
{
	unsigned from = slot_address(g, pointer(g)), high = value(g, "getelementptr i8, ptr %%t%u, i64 4", from), low;

	low = value(g, "load i32, ptr %%t%u, align 8", from);
	high = value(g, "load i32, ptr %%t%u, align 4", high);
	if (chance(g, 2)) {
		unsigned v = value(g, "insertelement <2 x i32> poison, i32 %%t%u, i32 0", low);

		v = value(g, "insertelement <2 x i32> %%t%u, i32 %%t%u, i32 1", v, high);
		return value(g, "bitcast <2 x i32> %%t%u to i64", v);
	}
	low = value(g, "zext i32 %%t%u to i64", low);
	high = value(g, "zext i32 %%t%u to i64", high);
	high = chance(g, 2) ? value(g, "shl i64 %%t%u, 32", high) : value(g, "mul i64 %%t%u, 4294967296", high);
	return value(g, "%s i64 %%t%u, %%t%u", chance(g, 2) ? "or" : "add", low, high);
}

static void add_halves(struct generator *g)
{
	keep_pointer(g, value(g, "inttoptr i64 %%t%u to ptr", loaded_halves(g)));
}

/* A pointer through integers: unchanged, or by way of another one. */
static void add_integer_trip(struct generator *g)
{
	unsigned source = pointer(g), a = value(g, "ptrtoint ptr %%t%u to i64", source), b, c;

	switch (pick(g, 4)) {
	case 0:
		b = value(g, "add i64 %%t%u, %u", a, NODE_BYTES);
		c = value(g, "sub i64 %%t%u, %u", b, NODE_BYTES);
		break;
	case 1:
		b = value(g, "ptrtoint ptr %%t%u to i64", g->disguises ? pointer(g) : source);
		c = value(g, "sub i64 %%t%u, %%t%u", b, a);
		c = value(g, "add i64 %%t%u, %%t%u", a, c);
		break;
	case 2:
		b = value(g, "xor i64 %%t%u, %%t%u", a, number(g));
		c = value(g, "xor i64 %%t%u, %%t%u", b, g->numbers.data[0]);
		c = value(g, "xor i64 %%t%u, %%t%u", c, g->numbers.data[0]);
		b = value(g, "xor i64 %%t%u, %%t%u", a, b);
		c = value(g, "xor i64 %%t%u, %%t%u", b, c);
		break;
	default:
		b = value(g, "trunc i64 %%t%u to i32", a);
		b = value(g, "zext i32 %%t%u to i64", b);
		c = value(g, "lshr i64 %%t%u, 32", a);
		c = value(g, "shl i64 %%t%u, 32", c);
		c = value(g, "or i64 %%t%u, %%t%u", c, b);
	}
	keep_pointer(g, value(g, "inttoptr i64 %%t%u to ptr", c));
}

static void add_select(struct generator *g)
{
	unsigned a = pointer(g), b = pointer(g), test, halves;

	test = value(g, "icmp ugt i64 %%t%u, %u", number(g), pick(g, 4));
	if (chance(g, 4)) {
		halves = loaded_halves(g);
		a = value(g, "ptrtoint ptr %%t%u to i64", a);
		a = value(g, "select i1 %%t%u, i64 %%t%u, i64 %%t%u", test, a, halves);
		keep_pointer(g, value(g, "inttoptr i64 %%t%u to ptr", a));
		return;
	}
	keep_pointer(g, value(g, "select i1 %%t%u, ptr %%t%u, ptr %%t%u", test, a, b));
}

/* Through structures, vectors and assembly. */
static void add_packing(struct generator *g)
{
	unsigned v;

	switch (pick(g, 3)) {
	case 0:
		v = value(g, "insertvalue { i64, ptr } undef, ptr %%t%u, 1", pointer(g));
		keep_pointer(g, value(g, "extractvalue { i64, ptr } %%t%u, 1", v));
		return;
	case 1:
		v = value(g, "insertelement <2 x ptr> undef, ptr %%t%u, i32 0", pointer(g));
		v = value(g, "insertelement <2 x ptr> %%t%u, ptr %%t%u, i32 1", v, pointer(g));
		keep_pointer(g, value(g, "extractelement <2 x ptr> %%t%u, i32 %u", v, pick(g, 2)));
		return;
	default:
		if (chance(g, 2))
			v = value(g, "call i64 asm \"mov.b64 $0, $1;\", \"=l,l\"(ptr %%t%u)", pointer(g));
		else
			v = value(g, "call i64 asm \"ld.b64 $0, [$1];\", \"=l,l\"(ptr %%t%u)",
				  slot_address(g, pointer(g)));
		keep_pointer(g, value(g, "inttoptr i64 %%t%u to ptr", v));
	}
}

static void add_assembly_store(struct generator *g)
{
	unsigned at = word_address(g, target(g), 0);

	line(g, "call void asm sideeffect \"st.b64 [$0], $1;\", \"l,l,~{memory}\"(ptr %%t%u, i64 %%t%u)", at,
	     number(g));
}

static void add_slot_exchange(struct generator *g)
{
	unsigned at = slot_address(g, target(g)), v = value(g, "ptrtoint ptr %%t%u to i64", pointer(g));

	v = value(g, "atomicrmw xchg ptr %%t%u, i64 %%t%u seq_cst", at, v);
	keep_pointer(g, value(g, "inttoptr i64 %%t%u to ptr", v));
}

/* --- Blocks of memory --- */

static void add_copy(struct generator *g)
{
	static const struct {
		unsigned at, bytes;
	} parts[] = {{0, OBJECT_BYTES}, {0, NODE_BYTES}, {SLOTS_AT, 32}, {0, 32}};
	unsigned part = pick(g, 4), from = pointer(g), to = target(g);

	to = value(g, "getelementptr i8, ptr %%t%u, i64 %u", to, parts[part].at);
	from = value(g, "getelementptr i8, ptr %%t%u, i64 %u", from, parts[part].at);
	line(g, "call void @llvm.memmove.p0.p0.i64(ptr align 8 %%t%u, ptr align 8 %%t%u, i64 %u, i1 false)", to, from,
	     parts[part].bytes);
}

static void add_cell_copy(struct generator *g)
{
	unsigned from = slot_address(g, pointer(g));

	line(g, "call void @llvm.memcpy.p0.p0.i64(ptr align 8 %%cell%u, ptr align 8 %%t%u, i64 8, i1 false)",
	     pick(g, 2), from);
}

static void add_fill(struct generator *g)
{
	line(g, "call void @llvm.memset.p0.i64(ptr align 8 %%t%u, i8 %u, i64 32, i1 false)", target(g), pick(g, 2));
}

/* --- Calls --- */

static unsigned depth(struct generator *g)
{
	return value(g, "and i64 %%t%u, 1", number(g));
}

static void add_call(struct generator *g)
{
	unsigned a = pointer(g), b = pointer(g), n, index, callee;

	if (!g->calls)
		return;
	n = depth(g);
	/* f1 itself must not come to f1 again but at its end. */
	if (g->functions == FUNCTIONS && chance(g, 3)) {
		index = value(g, "and i64 %%t%u, 3", number(g));
		index = value(g, "getelementptr ptr, ptr %%functions, i64 %%t%u", index);
		callee = value(g, "load ptr, ptr %%t%u, align 8", index);
		keep_pointer(g, value(g, "call ptr %%t%u(ptr %%t%u, ptr %%t%u, i64 %%t%u)", callee, a, b, n));
		return;
	}
	keep_pointer(g, value(g, "call ptr @f%u(ptr %%t%u, ptr %%t%u, i64 %%t%u)", pick(g, g->functions), a, b, n));
}

/* A closure: pointers put into a structure, which is handed on by reference or by value. */
static void add_closure_call(struct generator *g)
{
	unsigned second, n;

	if (!g->calls)
		return;
	second = value(g, "getelementptr %%S, ptr %%closure, i64 0, i32 1");
	n = depth(g);
	line(g, "store ptr %%t%u, ptr %%closure, align 8", pointer(g));
	line(g, "store ptr %%t%u, ptr %%t%u, align 8", pointer(g), second);
	keep_pointer(g, value(g, "call ptr @closure(ptr %%closure, i64 %%t%u)", n));
	keep_pointer(g, value(g, "call ptr @by_value(ptr byval(%%S) align 8 %%closure, i64 %%t%u)", n));
}

/* --- Control flow --- */

static void add_statements(struct generator *g, unsigned count);

/* Pointers and numbers made since then do not reach here. */
static void forget(struct generator *g, size_t pointers, size_t numbers)
{
	g->pointers.len = pointers;
	g->numbers.len = numbers;
}

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

/* An outside pointer, or one that stands in memory there. */
static unsigned base_pointer(struct generator *g)
{
	unsigned outside = outside_pointer(g);

	return chance(g, 2) ? outside : value(g, "load ptr, ptr %%t%u, align 8", slot_address(g, outside));
}

/* A disguised pointer; something is read through it and written through the pointer itself, or the other way round. */
static void add_disguise(struct generator *g)
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

static void add_statements(struct generator *g, unsigned count)
{
	static void (*const statements[])(struct generator *g) = {
	    add_load,           add_load,          add_load,      add_load,         add_store,          add_store,
	    add_arithmetic,     add_atomic,        add_slot_load, add_slot_load,    add_slot_store,     add_cell_store,
	    add_cell_load,      add_halves,        add_select,    add_integer_trip, add_piecewise_copy, add_packing,
	    add_assembly_store, add_slot_exchange, add_copy,      add_cell_copy,    add_fill,           add_call,
	    add_closure_call,   add_flow,          add_flow,      add_disguise,
	};

	while (count--)
		statements[pick(g, sizeof statements / sizeof *statements)](g);
}

/* --- Functions --- */

/* Slots of an object in memory of the program's own, which begins with nothing in it. */
static void fill_slots(struct generator *g, unsigned object)
{
	for (unsigned node = 0; node < OBJECT_NODES; node++)
		for (unsigned slot = 0; slot < NODE_SLOTS; slot++) {
			unsigned at = value(g, "getelementptr i8, ptr %%t%u, i64 %u", object,
					    node * NODE_BYTES + SLOTS_AT + slot * 8);

			line(g, "store ptr %%t%u, ptr %%t%u, align 8", g->pointers.data[pick(g, g->roots)], at);
		}
	line(g, "call void @llvm.memset.p0.i64(ptr align 8 %%t%u, i8 0, i64 32, i1 false)", object);
	object = value(g, "getelementptr i8, ptr %%t%u, i64 %u", object, NODE_BYTES);
	line(g, "call void @llvm.memset.p0.i64(ptr align 8 %%t%u, i8 0, i64 32, i1 false)", object);
}

/* Allocas, with something in each. */
static void add_locals(struct generator *g)
{
	line(g, "%%cell0 = alloca ptr, align 8");
	line(g, "%%cell1 = alloca ptr, align 8");
	line(g, "%%closure = alloca %%S, align 8");
	line(g, "%%scratch = alloca [8 x i64], align 8");
	line(g, "%%functions = addrspacecast ptr addrspace(1) @functions to ptr");
	line(g, "store ptr %%t%u, ptr %%cell0, align 8", pointer(g));
	line(g, "store ptr %%t%u, ptr %%cell1, align 8", pointer(g));
}

/* Values 0.. are `count` pointers and then a number. */
static void begin(struct generator *g, unsigned count)
{
	forget(g, 0, 0);
	for (unsigned i = 0; i < count; i++)
		keep_pointer(g, i);
	keep_number(g, count);
	g->text.next = count + 1;
	g->roots = count;
	g->nesting = 0;
	label(g, g->text.next++);
}

/* The pointers of the structure %s. */
static void open_structure(struct generator *g)
{
	unsigned second = value(g, "getelementptr %%S, ptr %%s, i64 0, i32 1");

	keep_pointer(g, value(g, "load ptr, ptr %%s, align 8"));
	keep_pointer(g, value(g, "load ptr, ptr %%t%u, align 8", second));
}

/* Calls itself once more if its number says so. */
static void end_function(struct generator *g, unsigned function)
{
	unsigned again = g->text.next, done = g->text.next + 1, a = pointer(g), test, n, b, before = g->block;

	g->text.next += 2;
	test = value(g, "icmp ugt i64 %%t2, 0");
	line(g, "br i1 %%t%u, label %%b%u, label %%b%u", test, again, done);
	label(g, again);
	n = value(g, "sub i64 %%t2, 1");
	b = value(g, "call ptr @f%u(ptr %%t%u, ptr %%t%u, i64 %%t%u)", function, pointer(g), pointer(g), n);
	line(g, "br label %%b%u", done);
	label(g, done);
	a = value(g, "phi ptr [ %%t%u, %%b%u ], [ %%t%u, %%b%u ]", a, before, b, again);
	line(g, "ret ptr %%t%u", a);
	strbuf_adds(g->text.out, "}\n");
}

static void add_function(struct generator *g)
{
	strbuf_addf(g->text.out, "define internal ptr @f%u(ptr %%t0, ptr %%t1, i64 %%t2) %s {\n", g->functions,
		    chance(g, 3) ? "" : "noinline");
	begin(g, 2);
	add_locals(g);
	add_statements(g, 1 + pick(g, 5));
	end_function(g, g->functions);
	g->functions++;
}

static void add_closure(struct generator *g, const char *name, const char *attributes)
{
	strbuf_addf(g->text.out, "define internal ptr @%s(ptr %s %%s, i64 %%t0) noinline {\n", name, attributes);
	begin(g, 0);
	open_structure(g);
	g->roots = 2;
	add_locals(g);
	add_statements(g, 1 + pick(g, 4));
	line(g, "ret ptr %%t%u", pointer(g));
	strbuf_adds(g->text.out, "}\n");
}

/* All numbers go into what p7 points to, so that no load is idle. */
static void end_kernel(struct generator *g)
{
	unsigned sum = g->numbers.data[0];

	for (size_t i = 1; i < g->numbers.len; i++)
		sum = value(g, "add i64 %%t%u, %%t%u", sum, g->numbers.data[i]);
	line(g, "store i64 %%t%u, ptr %%p7, align 8", sum);
	line(g, "ret void");
	strbuf_adds(g->text.out, "}\n");
}

/* Memory that lives as long as the kernel: pointers to it may go anywhere. */
static void add_own_object(struct generator *g, const char *definition)
{
	unsigned object = value(g, "%s", definition);

	fill_slots(g, object);
	keep_pointer(g, object);
	g->roots++;
}

/* A pointer of the packed structure, which begins at byte 4 or 12, whole or by its halves. */
static unsigned packed_pointer(struct generator *g)
{
	unsigned at = 4 + 8 * pick(g, 2), low = value(g, "getelementptr i8, ptr %%packed, i64 %u", at), high, v;

	switch (pick(g, 4)) {
	case 0: return value(g, "load ptr, ptr %%t%u, align 4", low);
	case 1:
		v = value(g, "getelementptr i8, ptr %%packed, i64 4");
		v = value(g, "load <2 x i64>, ptr %%t%u, align 4", v);
		v = value(g, "extractelement <2 x i64> %%t%u, i32 %u", v, at / 12);
		return value(g, "inttoptr i64 %%t%u to ptr", v);
	case 2:
		/* Eight bytes from the upper half on, or up to the lower half. */
		v = value(g, "getelementptr i8, ptr %%packed, i64 8");
		v = value(g, "load i64, ptr %%t%u, align 4", v);
		high = value(g, "getelementptr i8, ptr %%t%u, i64 4", low);
		low = value(g, "load i32, ptr %%t%u, align 4", at == 4 ? low : high);
		low = value(g, "zext i32 %%t%u to i64", low);
		if (at == 4) {
			v = value(g, "shl i64 %%t%u, 32", v);
		} else {
			v = value(g, "lshr i64 %%t%u, 32", v);
			low = value(g, "shl i64 %%t%u, 32", low);
		}
		return value(g, "inttoptr i64 %%t%u to ptr", value(g, "or i64 %%t%u, %%t%u", v, low));
	default:
		line(g,
		     "call void @llvm.memcpy.p0.p0.i64(ptr align 4 %%scratch, ptr align 4 %%packed, i64 20, i1 false)");
		low = value(g, "getelementptr i8, ptr %%scratch, i64 %u", at);
		return value(g, "load ptr, ptr %%t%u, align 4", low);
	}
}

/* Some of the roots that only some kernels have. */
static void add_kernel_roots(struct generator *g)
{
	static const char *const casts[] = {"addrspacecast ptr addrspace(1) @g0 to ptr",
					    "addrspacecast ptr addrspace(1) @g1 to ptr", "inttoptr i64 %p6 to ptr"};

	for (unsigned i = 0; i < 3; i++)
		if (chance(g, 3)) {
			keep_pointer(g, value(g, "%s", casts[i]));
			g->roots++;
		}
	if (chance(g, 3))
		add_own_object(g, "addrspacecast ptr addrspace(3) @shared to ptr");
	if (chance(g, 2))
		add_own_object(g, "alloca [16 x i64], align 16");
}

static unsigned add_kernel(struct generator *g)
{
	unsigned noalias = 0;

	strbuf_adds(g->text.out, "define ptx_kernel void @k(");
	for (unsigned i = 0; i < 4; i++) {
		bool alone = chance(g, 4);

		noalias |= (unsigned)alone << i;
		strbuf_addf(g->text.out, "ptr %s%%t%u, ", alone ? "noalias " : "", i);
	}
	strbuf_adds(g->text.out, "ptr byval(%S) align 8 %s, i64 %t4, i64 %p6, ptr noalias %p7, "
				 "ptr byval(%P) align 4 %packed) {\n");
	begin(g, 4);
	g->in_kernel = true;
	add_kernel_roots(g);
	add_locals(g);
	if (chance(g, 3))
		open_structure(g);
	if (chance(g, 3))
		keep_pointer(g, packed_pointer(g));
	/* Where little else is done, marks depend on the disguise. */
	add_statements(g, g->disguises ? pick(g, 6) : 4 + pick(g, 14));
	add_disguise(g);
	end_kernel(g);
	return noalias;
}

/* A kernel that calls the same functions with shared and local memory: its loads there may have no mark. */
static void add_other_kernel(struct generator *g)
{
	static const char *const objects[] = {"addrspacecast ptr addrspace(3) @shared to ptr",
					      "alloca [16 x i64], align 16"};

	strbuf_adds(g->text.out, "define ptx_kernel void @other(i64 %t0) {\n");
	begin(g, 0);
	for (g->roots = 0; g->roots < 2; g->roots++)
		keep_pointer(g, value(g, "%s", objects[g->roots]));
	for (unsigned i = 0; i < 2; i++)
		fill_slots(g, g->pointers.data[i]);
	add_locals(g);
	for (unsigned i = 0; i < 2; i++)
		add_call(g);
	line(g, "ret void");
	strbuf_adds(g->text.out, "}\n");
}

static void add_variables(struct generator *g)
{
	strbuf_adds(g->text.out,
		    "target triple = \"nvptx64-nvidia-cuda\"\n"
		    "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n%S = type { ptr, ptr, i64 }\n"
		    "%P = type <{ i32, ptr, ptr }>\n"
		    "@shared = internal addrspace(3) global [16 x i64] undef, align 16\n");
	for (unsigned i = 0; i < 2; i++)
		strbuf_addf(g->text.out,
			    "@g%u = addrspace(1) externally_initialized global [16 x i64] zeroinitializer, align 16\n",
			    i);
	strbuf_adds(g->text.out,
		    "@functions = internal addrspace(1) constant [4 x ptr] [ptr @f0, ptr @f1, ptr @f0, ptr @f1]\n"
		    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
		    "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)\n"
		    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n");
	random_disguises_declare(g->text.out);
}

unsigned random_program(struct random *r, struct strbuf *out)
{
	struct generator g = {.random = r, .text = {out, 0}};
	unsigned noalias;

	g.disguises = chance(&g, 2);
	add_variables(&g);
	for (g.functions = 0; g.functions < FUNCTIONS; g.calls = true)
		add_function(&g);
	g.calls = false;
	add_closure(&g, "closure", "");
	add_closure(&g, "by_value", "byval(%S) align 8");
	g.calls = true;
	noalias = add_kernel(&g);
	g.in_kernel = false;
	if (chance(&g, 3))
		add_other_kernel(&g);
	vec_release(&g.pointers);
	vec_release(&g.numbers);
	return noalias;
}
