/* Statements without blocks of their own: one function here for each thing that a program can do. */
#include "tests/passes/random_generator.h"

#include <string.h>

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

/* A pointer through integers: unchanged, or by way of another pointer. */
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

void add_call(struct generator *g)
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

void add_plain_statement(struct generator *g)
{
	static void (*const statements[])(struct generator *g) = {
	    add_load,         add_load,           add_load,      add_load,           add_store,
	    add_store,        add_arithmetic,     add_atomic,    add_slot_load,      add_slot_load,
	    add_slot_store,   add_cell_store,     add_cell_load, add_halves,         add_select,
	    add_integer_trip, add_piecewise_copy, add_packing,   add_assembly_store, add_slot_exchange,
	    add_copy,         add_cell_copy,      add_fill,      add_call,           add_closure_call,
	};

	statements[pick(g, sizeof statements / sizeof *statements)](g);
}
