/* One function a way to a number, and one a way from it to the pointer. */
#include "tests/passes/random_disguises.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static unsigned integer(struct ir_text *t, unsigned pointer)
{
	return ir_value(t, "ptrtoint ptr %%t%u to i64", pointer);
}

static unsigned pointer(struct ir_text *t, unsigned integer)
{
	return ir_value(t, "inttoptr i64 %%t%u to ptr", integer);
}

static unsigned low_half(struct ir_text *t, unsigned number)
{
	return ir_value(t, "trunc i64 %%t%u to i32", number);
}

/* --- Numbers that are the difference of p and q: each is handed it as `d` --- */

static unsigned plain(struct disguise *x, unsigned d)
{
	(void)x;
	return d;
}

static unsigned narrowed(struct disguise *x, unsigned d)
{
	return ir_value(x->text, "sext i32 %%t%u to i64", low_half(x->text, d));
}

static unsigned multiples(struct disguise *x, unsigned d)
{
	unsigned twice = ir_value(x->text, "shl i64 %%t%u, 1", d);

	return ir_value(x->text, "sub i64 %%t%u, %%t%u", ir_value(x->text, "mul i64 %%t%u, 3", d), twice);
}

static unsigned shifts(struct disguise *x, unsigned d)
{
	unsigned up = ir_value(x->text, "shl i64 %%t%u, 7", ir_value(x->text, "shl i64 %%t%u, 6", d));

	return ir_value(x->text, "ashr i64 %%t%u, 11", ir_value(x->text, "ashr i64 %%t%u, 2", up));
}

static unsigned as_float(struct disguise *x, unsigned d)
{
	unsigned f = ir_value(x->text, "sitofp i64 %%t%u to double", d);

	f = ir_value(x->text, "fadd double %%t%u, 1.0", f);
	f = ir_value(x->text, "fsub double %%t%u, 1.0", f);
	return ir_value(x->text, "fptosi double %%t%u to i64", f);
}

static unsigned negated_float(struct disguise *x, unsigned d)
{
	unsigned f = ir_value(x->text, "bitcast i64 %%t%u to double", d);

	f = ir_value(x->text, "fneg double %%t%u", ir_value(x->text, "fneg double %%t%u", f));
	return ir_value(x->text, "bitcast double %%t%u to i64", f);
}

static unsigned by_function(struct disguise *x, unsigned d)
{
	static const char *const functions[] = {"by_bits", "by_choice", "by_ballot", "by_zeros", "by_table"};

	return ir_value(x->text, "call i64 @%s(i64 %%t%u)", functions[random_pick(x->random, 5)], d);
}

static unsigned shuffled(struct disguise *x, unsigned d)
{
	unsigned half = low_half(x->text, d);

	if (random_pick(x->random, 2))
		half =
		    ir_value(x->text, "call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 1, i32 %%t%u, i32 0, i32 31)", half);
	else
		half = ir_value(x->text, "call i32 asm \"neg.s32 $0, $1; neg.s32 $0, $0;\", \"=r,r\"(i32 %%t%u)", half);
	return ir_value(x->text, "sext i32 %%t%u to i64", half);
}

static unsigned reversed(struct disguise *x, unsigned d)
{
	unsigned v = ir_value(x->text, "call i64 @llvm.bitreverse.i64(i64 %%t%u)", d);

	return ir_value(x->text, "call i64 @llvm.bitreverse.i64(i64 %%t%u)", v);
}

/* Through local, shared or global memory, as halves or whole. */
static unsigned through_memory(struct disguise *x, unsigned d)
{
	static const char *const places[] = {"ptr %scratch", "ptr addrspace(3) @numbers", "ptr addrspace(3) @first",
					     "ptr addrspace(3) null"};
	static const char *const others[] = {"ptr %scratch", "ptr addrspace(3) @numbers", "ptr addrspace(3) @second",
					     "ptr addrspace(3) null"};
	unsigned place = random_pick(x->random, 4), half = low_half(x->text, d);

	if (random_pick(x->random, 2)) {
		ir_line(x->text, "store i64 %%t%u, %s, align 8", d, places[place]);
		return ir_value(x->text, "load i64, %s, align 8", others[place]);
	}
	ir_line(x->text, "store i32 %%t%u, %s, align 8", half, places[place]);
	return ir_value(x->text, "sext i32 %%t%u to i64", ir_value(x->text, "load i32, %s, align 8", others[place]));
}

static unsigned through_global(struct disguise *x, unsigned d)
{
	unsigned half = low_half(x->text, d), v;

	if (random_pick(x->random, 3) == 0) {
		ir_line(x->text,
			"call void asm sideeffect \"st.u32 [$0], $1;\", \"l,r,~{memory}\"(ptr %%t%u, i32 %%t%u)",
			x->object, half);
		v = ir_value(x->text, "call i32 asm sideeffect \"ld.u32 $0, [$1];\", \"=r,l,~{memory}\"(ptr %%t%u)",
			     x->object);
	} else {
		ir_line(x->text, "store i32 %%t%u, ptr %%t%u, align 8", half, x->object);
		v = ir_value(x->text, "load i32, ptr %%t%u, align 8", x->object);
	}
	return ir_value(x->text, "sext i32 %%t%u to i64", v);
}

static unsigned through_bytes(struct disguise *x, unsigned d)
{
	bool fills = random_pick(x->random, 2);
	unsigned v;

	for (unsigned i = 0; i < 4; i++) {
		unsigned at = ir_value(x->text, "getelementptr i8, ptr %%scratch, i64 %u", i);

		v = ir_value(x->text, "trunc i64 %%t%u to i8", ir_value(x->text, "lshr i64 %%t%u, %u", d, 8 * i));
		if (fills)
			ir_line(x->text, "call void @llvm.memset.p0.i64(ptr %%t%u, i8 %%t%u, i64 1, i1 false)", at, v);
		else
			ir_line(x->text, "store i8 %%t%u, ptr %%t%u", v, at);
	}
	v = ir_value(x->text, "load i32, ptr %%scratch, align 8");
	return ir_value(x->text, "sext i32 %%t%u to i64", v);
}

typedef unsigned number_way(struct disguise *x, unsigned d);

static number_way *const number_ways[] = {plain,          narrowed,       multiples,    shifts,   as_float,
					  negated_float,  by_function,    shuffled,     reversed, through_memory,
					  through_memory, through_global, through_bytes};

/* --- Pointers from p and their difference --- */

static unsigned by_difference(struct disguise *x)
{
	unsigned a = integer(x->text, x->p), b = integer(x->text, x->q), d;

	d = ir_value(x->text, "sub i64 %%t%u, %%t%u", b, a);
	d = number_ways[random_pick(x->random, sizeof number_ways / sizeof *number_ways)](x, d);
	switch (random_pick(x->random, 5)) {
	case 0: return pointer(x->text, ir_value(x->text, "add i64 %%t%u, %%t%u", a, d));
	case 1: return ir_value(x->text, "call ptr @advance(ptr %%t%u, i64 %%t%u)", x->p, d);
	case 2: return pointer(x->text, ir_value(x->text, "call i64 @sum(i64 %%t%u, i64 %%t%u, i64 1)", a, d));
	case 3:
		d = ir_value(x->text, "sub i64 0, %%t%u", d);
		return pointer(x->text, ir_value(x->text, "sub i64 %%t%u, %%t%u", a, d));
	default: return ir_value(x->text, "getelementptr i8, ptr %%t%u, i64 %%t%u", x->p, d);
	}
}

/* Remainders of both: they are the difference as well. */
static unsigned by_remainders(struct disguise *x)
{
	bool masks = random_pick(x->random, 2);
	unsigned a = integer(x->text, x->p), b = integer(x->text, x->q);

	a = masks ? ir_value(x->text, "and i64 %%t%u, 140737488355327", a)
		  : ir_value(x->text, "urem i64 %%t%u, 140737488355328", a);
	b = masks ? ir_value(x->text, "and i64 %%t%u, 140737488355327", b)
		  : ir_value(x->text, "urem i64 %%t%u, 140737488355328", b);
	return ir_value(x->text, "getelementptr i8, ptr %%t%u, i64 %%t%u", x->p,
			ir_value(x->text, "sub i64 %%t%u, %%t%u", b, a));
}

/* The absolute value of q as a double, less p. */
static unsigned by_magnitude(struct disguise *x)
{
	unsigned a = integer(x->text, x->p), b = integer(x->text, x->q),
		 f = ir_value(x->text, "bitcast i64 %%t%u to double", b);

	f = ir_value(x->text, "call double @llvm.fabs.f64(double %%t%u)", f);
	b = ir_value(x->text, "bitcast double %%t%u to i64", f);
	return ir_value(x->text, "getelementptr i8, ptr %%t%u, i64 %%t%u", x->p,
			ir_value(x->text, "sub i64 %%t%u, %%t%u", b, a));
}

/* The highest word of q in p's place, joined with q's lower words. */
static unsigned by_other_words(struct disguise *x)
{
	unsigned a = integer(x->text, x->p), b = integer(x->text, x->q), v;

	switch (random_pick(x->random, 3)) {
	case 0:
		a = ir_value(x->text, "and i64 %%t%u, -281474976710656", a);
		b = ir_value(x->text, "and i64 %%t%u, 281474976710655", b);
		return pointer(x->text, ir_value(x->text, "or i64 %%t%u, %%t%u", a, b));
	case 1:
		a = ir_value(x->text, "bitcast i64 %%t%u to <4 x i16>", a);
		b = ir_value(x->text, "bitcast i64 %%t%u to <4 x i16>", b);
		v = ir_value(x->text,
			     "shufflevector <4 x i16> %%t%u, <4 x i16> %%t%u, <4 x i32> <i32 4, i32 5, i32 6, i32 3>",
			     a, b);
		return pointer(x->text, ir_value(x->text, "bitcast <4 x i16> %%t%u to i64", v));
	default:
		ir_line(x->text, "store ptr %%t%u, ptr %%scratch, align 8", x->p);
		ir_line(x->text, "store i32 %%t%u, ptr %%scratch, align 8", low_half(x->text, b));
		v = ir_value(x->text, "getelementptr i8, ptr %%scratch, i64 4");
		b = ir_value(x->text, "trunc i64 %%t%u to i16", ir_value(x->text, "lshr i64 %%t%u, 32", b));
		ir_line(x->text, "store i16 %%t%u, ptr %%t%u, align 4", b, v);
		return ir_value(x->text, "load ptr, ptr %%scratch, align 8");
	}
}

static unsigned by_exclusive_or(struct disguise *x)
{
	unsigned a = integer(x->text, x->p), b = integer(x->text, x->q),
		 v = ir_value(x->text, "xor i64 %%t%u, %%t%u", a, b);

	if (random_pick(x->random, 2))
		v = ir_value(x->text, "call i64 @by_bits(i64 %%t%u)", v);
	return pointer(x->text, ir_value(x->text, "xor i64 %%t%u, %%t%u", v, a));
}

/* Dynamic shared memory has two names and one address, and address 0 of shared memory is a variable's. */
static unsigned by_shared_names(struct disguise *x)
{
	ir_line(x->text, "store ptr %%t%u, ptr addrspace(3) @first, align 8", x->p);
	ir_line(x->text, "store ptr %%t%u, ptr addrspace(3) @second, align 8", x->q);
	if (random_pick(x->random, 2))
		return ir_value(x->text, "load ptr, ptr addrspace(3) @first, align 8");
	ir_line(x->text, "store ptr %%t%u, ptr addrspace(3) null, align 8", x->q);
	return ir_value(x->text, "load ptr, ptr addrspace(3) null, align 8");
}

/* A number that another name may find, used only if it is the right one. */
static unsigned by_other_name(struct disguise *x)
{
	unsigned a = integer(x->text, x->p), d = ir_value(x->text, "sub i64 %%t%u, %%t%u", integer(x->text, x->q), a),
		 v, c, there, done;

	ir_line(x->text, "store i64 %%t%u, ptr %%t%u, align 8", d, x->object);
	v = ir_value(x->text, "load volatile i64, ptr %%t%u, align 8", x->other);
	c = ir_value(x->text, "icmp eq i64 %%t%u, %%t%u", v, d);
	there = x->text->next++, done = x->text->next++;
	ir_line(x->text, "store ptr %%t%u, ptr %%scratch, align 8", x->q);
	ir_line(x->text, "br i1 %%t%u, label %%b%u, label %%b%u", c, there, done);
	strbuf_addf(x->text->out, "b%u:\n", there);
	c = ir_value(x->text, "getelementptr i8, ptr %%t%u, i64 %%t%u", x->p, v);
	ir_line(x->text, "store ptr %%t%u, ptr %%scratch, align 8", c);
	ir_line(x->text, "br label %%b%u", done);
	strbuf_addf(x->text->out, "b%u:\n", done);
	x->block = done;
	return ir_value(x->text, "load ptr, ptr %%scratch, align 8");
}

typedef unsigned pointer_way(struct disguise *x);

static pointer_way *const pointer_ways[] = {by_difference,   by_difference, by_difference,  by_difference,
					    by_remainders,   by_magnitude,  by_other_words, by_exclusive_or,
					    by_shared_names, by_other_name};

unsigned random_disguise(struct disguise *x)
{
	unsigned found = pointer_ways[random_pick(x->random, sizeof pointer_ways / sizeof *pointer_ways)](x), right;

	/* No optimisation sees through the call, so none puts q itself in the place of what was found. */
	right = ir_value(x->text, "call i1 @is_right(ptr %%t%u, ptr %%t%u, ptr %%t%u)", found, x->p, x->q);
	return ir_value(x->text, "select i1 %%t%u, ptr %%t%u, ptr %%t%u", right, found, x->p);
}

/* --- Helpers of the ways --- */

/* A loop over the 64 bits of %d: `step` adds bit %k of %d to the sum %s, as %n. */
static void add_loop(struct strbuf *out, const char *name, const char *step)
{
	strbuf_addf(out, "define internal i64 @%s(i64 %%d) noinline {\nentry:\n  br label %%body\nbody:\n", name);
	strbuf_adds(out, "  %k = phi i64 [ 0, %entry ], [ %next, %body ]\n  %s = phi i64 [ 0, %entry ], [ %n, %body ]\n"
			 "  %shifted = lshr i64 %d, %k\n  %bit = and i64 %shifted, 1\n");
	strbuf_adds(out, step);
	strbuf_adds(out, "  %next = add i64 %k, 1\n  %more = icmp ult i64 %next, 64\n"
			 "  br i1 %more, label %body, label %done\ndone:\n  ret i64 %n\n}\n");
}

static void add_table(struct strbuf *out)
{
	strbuf_adds(out, "@table = internal addrspace(1) constant [256 x i8] [");
	for (unsigned i = 0; i < 256; i++)
		strbuf_addf(out, "%si8 %u", i ? ", " : "", i);
	strbuf_adds(out, "]\n");
}

/* Functions whose body is the loop around a step. */
static const struct {
	const char *name, *step;
} loops[] = {
    {"by_bits", "  %part = shl i64 %bit, %k\n  %n = or i64 %s, %part\n"},
    {"by_choice", "  %c = icmp ne i64 %bit, 0\n  %power = shl i64 1, %k\n"
		  "  %part = select i1 %c, i64 %power, i64 0\n  %n = add i64 %s, %part\n"},
    {"by_ballot", "  %c = icmp ne i64 %bit, 0\n  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 1, i1 %c)\n"
		  "  %w = zext i32 %b to i64\n  %part = shl i64 %w, %k\n  %n = or i64 %s, %part\n"},
    /* The highest bit that is still missing; none but the lowest may be added twice. */
    {"by_zeros", "  %rest = xor i64 %d, %s\n  %z = call i64 @llvm.ctlz.i64(i64 %rest, i1 false)\n"
		 "  %place = sub i64 63, %z\n  %masked = and i64 %place, 63\n  %power = shl i64 1, %masked\n"
		 "  %some = icmp ne i64 %rest, 0\n  %w = zext i1 %some to i64\n  %part = mul i64 %power, %w\n"
		 "  %n = or i64 %s, %part\n"},
    {"by_table", "  %place = and i64 %k, -8\n  %low = lshr i64 %d, %place\n  %byte = and i64 %low, 255\n"
		 "  %at = getelementptr i8, ptr addrspace(1) @table, i64 %byte\n  %v = load i8, ptr addrspace(1) %at\n"
		 "  %w = zext i8 %v to i64\n  %part = shl i64 %w, %place\n  %n = or i64 %s, %part\n"},
};

/* Other functions. */
static const struct {
	const char *name, *text;
} functions[] = {
    /* LLVM takes the sum of a pointer and a number for an address in the pointer's memory: global for global. */
    {"is_right", "define internal i1 @is_right(ptr %found, ptr %p, ptr %q) noinline {\n"
		 "  %c = icmp eq ptr %found, %q\n  %a = call i1 @llvm.nvvm.isspacep.global(ptr %p)\n"
		 "  %b = call i1 @llvm.nvvm.isspacep.global(ptr %q)\n  %ab = and i1 %a, %b\n"
		 "  %r = and i1 %ab, %c\n  ret i1 %r\n}\n"},
    {"advance", "define internal ptr @advance(ptr %p, i64 %by) noinline {\n"
		"  %r = getelementptr i8, ptr %p, i64 %by\n  ret ptr %r\n}\n"},
    {"sum", "define internal i64 @sum(i64 %x, i64 %y, i64 %depth) noinline {\n"
	    "  %c = icmp ugt i64 %depth, 0\n  br i1 %c, label %again, label %done\n"
	    "again:\n  %less = sub i64 %depth, 1\n  %r = call i64 @sum(i64 %y, i64 %x, i64 %less)\n  ret i64 %r\n"
	    "done:\n  %s = add i64 %x, %y\n  ret i64 %s\n}\n"},
};

static bool is_called(const struct strbuf *text, const char *function)
{
	char call[32];

	snprintf(call, sizeof call, " @%s(", function);
	return strstr(text->data, call) != NULL;
}

void random_disguises_define(struct strbuf *out)
{
	strbuf_adds(out, "@numbers = internal addrspace(3) global [8 x i64] undef, align 8\n"
			 "@first = external addrspace(3) global [0 x i64], align 8\n"
			 "@second = external addrspace(3) global [0 x i64], align 8\n"
			 "declare i64 @llvm.bitreverse.i64(i64)\ndeclare i64 @llvm.ctlz.i64(i64, i1)\n"
			 "declare double @llvm.fabs.f64(double)\ndeclare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)\n"
			 "declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)\n"
			 "declare i1 @llvm.nvvm.isspacep.global(ptr)\n");
	if (is_called(out, "by_table"))
		add_table(out);
	for (unsigned i = 0; i < sizeof loops / sizeof *loops; i++)
		if (is_called(out, loops[i].name))
			add_loop(out, loops[i].name, loops[i].step);
	for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
		if (is_called(out, functions[i].name))
			strbuf_adds(out, functions[i].text);
}
