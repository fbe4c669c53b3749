/* Each step of a kernel makes a pointer of others in one of the ways below, or loads or stores through one. */
#include "tests/ptx-analyzer/readonly/random_kernels.h"

#include <stdbool.h>
#include <stdint.h>

enum { POINTERS = 64 };

/* A kernel under construction: %rd registers that hold valid pointers in every lane, and how many of each were used. */
struct generator {
	struct strbuf body;
	unsigned pointers[POINTERS], npointers;
	unsigned wide, narrow, labels;
};

unsigned random_below(unsigned below)
{
	static uint64_t state = 0x9e3779b97f4a7c15;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state % below);
}

static unsigned wide(struct generator *g)
{
	return g->wide++;
}

static unsigned any_pointer(const struct generator *g)
{
	return g->pointers[random_below(g->npointers)];
}

static void add_pointer(struct generator *g, unsigned reg)
{
	g->pointers[g->npointers < POINTERS ? g->npointers++ : random_below(POINTERS)] = reg;
}

/* --- Ways to a pointer: each makes a valid pointer of valid pointers --- */

static void by_offset(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g);

	(void)q;
	strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd%u, %d;\n", r, p, (int)random_below(128) * 4 - 256);
	add_pointer(g, r);
}

static void by_index(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g), n = g->narrow++;

	(void)q;
	strbuf_addf(&g->body, "ld.global.u32 %%r%u, [%%rd5+%u]; mul.wide.u32 %%rd%u, %%r%u, 4;\n", n,
		    4 * random_below(16), s, n);
	strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd%u, %%rd%u;\n", r, p, s);
	add_pointer(g, r);
}

static void by_thread(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g);

	(void)q;
	strbuf_addf(&g->body, "mad.wide.u32 %%rd%u, %%r0, 4, %%rd%u;\n", r, p);
	add_pointer(g, r);
}

static void by_select(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g);

	strbuf_addf(&g->body, "selp.b64 %%rd%u, %%rd%u, %%rd%u, %%p0;\n", r, p, q);
	add_pointer(g, r);
}

static void by_exclusive_or(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g);

	strbuf_addf(&g->body, "xor.b64 %%rd%u, %%rd%u, %%rd%u; xor.b64 %%rd%u, %%rd%u, %%rd%u;\n", s, p, q, r, s, q);
	add_pointer(g, r);
}

static void by_difference(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g);

	strbuf_addf(&g->body, "sub.s64 %%rd%u, %%rd%u, %%rd%u; add.s64 %%rd%u, %%rd%u, %%rd%u;\n", s, q, p, r, p, s);
	add_pointer(g, r);
}

/* --- Pointer bits as numbers: each comes back to the pointer `q`, from `p` --- */

/* The difference as a 32-bit number; all buffers of a launch lie within 2 GiB of each other. */
static void by_narrow_difference(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g), t = wide(g), n = g->narrow++;

	strbuf_addf(&g->body, "sub.s64 %%rd%u, %%rd%u, %%rd%u; cvt.u32.u64 %%r%u, %%rd%u;\n", s, q, p, n, s);
	strbuf_addf(&g->body, "cvt.s64.s32 %%rd%u, %%r%u; add.s64 %%rd%u, %%rd%u, %%rd%u;\n", t, n, r, p, t);
	add_pointer(g, r);
}

static void by_stored_difference(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g), t = wide(g), n = g->narrow++, slot = random_below(4) * 4;

	strbuf_addf(&g->body, "sub.s64 %%rd%u, %%rd%u, %%rd%u; cvt.u32.u64 %%r%u, %%rd%u;\n", s, q, p, n, s);
	strbuf_addf(&g->body, "st.local.u32 [local_numbers+%u], %%r%u; ld.local.s32 %%rd%u, [local_numbers+%u];\n",
		    slot, n, t, slot);
	strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd%u, %%rd%u;\n", r, p, t);
	add_pointer(g, r);
}

static void by_double_difference(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g), t = wide(g);

	strbuf_addf(&g->body, "sub.s64 %%rd%u, %%rd%u, %%rd%u; sub.s64 %%rd%u, %%rd%u, %%rd%u;\n", s, p, q, t, p, s);
	strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd%u, 0;\n", r, t);
	add_pointer(g, r);
}

static void by_multiples(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g), t = wide(g), u = wide(g);

	strbuf_addf(&g->body, "sub.s64 %%rd%u, %%rd%u, %%rd%u; mul.lo.s64 %%rd%u, %%rd%u, 3;\n", s, q, p, t, s);
	strbuf_addf(&g->body, "shl.b64 %%rd%u, %%rd%u, 1; sub.s64 %%rd%u, %%rd%u, %%rd%u;\n", u, s, r, t, u);
	strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd%u, %%rd%u;\n", r + 0, p, r);
	add_pointer(g, r);
}

static void by_float(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g), t = wide(g);

	strbuf_addf(&g->body, "sub.s64 %%rd%u, %%rd%u, %%rd%u; cvt.rn.f64.s64 %%fd0, %%rd%u;\n", s, q, p, s);
	strbuf_addf(&g->body, "neg.f64 %%fd0, %%fd0; cvt.rzi.s64.f64 %%rd%u, %%fd0; sub.s64 %%rd%u, %%rd%u, %%rd%u;\n",
		    t, r, p, t);
	add_pointer(g, r);
}

static void by_remainder(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g), t = wide(g), u = wide(g);

	strbuf_addf(&g->body, "rem.u64 %%rd%u, %%rd%u, 1099511627776; rem.u64 %%rd%u, %%rd%u, 1099511627776;\n", s, q,
		    t, p);
	strbuf_addf(&g->body, "sub.s64 %%rd%u, %%rd%u, %%rd%u; add.s64 %%rd%u, %%rd%u, %%rd%u;\n", u, s, t, r, p, u);
	add_pointer(g, r);
}

static void by_other_half(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g), t = wide(g), high = g->narrow++, low = g->narrow++, none = g->narrow++;

	if (random_below(2)) {
		strbuf_addf(&g->body, "mov.b64 {%%r%u, %%r%u}, %%rd%u; mov.b64 {%%r%u, %%r%u}, %%rd%u;\n", none, high,
			    p, low, none, q);
		strbuf_addf(&g->body, "mov.b64 %%rd%u, {%%r%u, %%r%u};\n", r, low, high);
	} else {
		strbuf_addf(&g->body, "and.b64 %%rd%u, %%rd%u, -4294967296; and.b64 %%rd%u, %%rd%u, 4294967295;\n", s,
			    p, t, q);
		strbuf_addf(&g->body, "or.b64 %%rd%u, %%rd%u, %%rd%u;\n", r, s, t);
	}
	add_pointer(g, r);
}

/* Two names of dynamic shared memory are one address. */
static void by_two_names(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), slot = random_below(4) * 8;

	(void)q;
	strbuf_addf(&g->body, "st.shared.u64 [first_name+%u], %%rd%u; bar.sync 0;\n", slot, p);
	strbuf_addf(&g->body, "ld.shared.u64 %%rd%u, [second_name+%u]; bar.sync 0;\n", r, slot);
	add_pointer(g, r);
}

/* The callee adds a number to a pointer, and the caller made the number of pointers. */
static void by_advance(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g);

	strbuf_addf(&g->body, "sub.s64 %%rd%u, %%rd%u, %%rd%u;\n", s, q, p);
	strbuf_addf(&g->body, "{ .param .b64 x; .param .b64 y; .param .b64 z; st.param.b64 [x], %%rd%u;\n", p);
	strbuf_addf(&g->body, "st.param.b64 [y], %%rd%u; call (z), %s, (x, y); ld.param.b64 %%rd%u, [z]; }\n", s,
		    random_below(2) ? "advance" : "advance_narrow", r);
	add_pointer(g, r);
}

static void by_halves(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), low = g->narrow++, high = g->narrow++;

	(void)q;
	strbuf_addf(&g->body, "mov.b64 {%%r%u, %%r%u}, %%rd%u; mov.b64 %%rd%u, {%%r%u, %%r%u};\n", low, high, p, r, low,
		    high);
	add_pointer(g, r);
}

static void by_shifts(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g), amount = 2 + random_below(5);

	(void)q;
	strbuf_addf(&g->body, "shr.u64 %%rd%u, %%rd%u, %u; shl.b64 %%rd%u, %%rd%u, %u;\n", s, p, amount, r, s, amount);
	add_pointer(g, r);
}

static void by_masks(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g), t = wide(g);

	(void)q;
	strbuf_addf(&g->body, "and.b64 %%rd%u, %%rd%u, 4294967295; and.b64 %%rd%u, %%rd%u, -4294967296;\n", s, p, t, p);
	strbuf_addf(&g->body, "or.b64 %%rd%u, %%rd%u, %%rd%u;\n", r, s, t);
	add_pointer(g, r);
}

static void by_local(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), slot = random_below(4) * 8;

	strbuf_addf(&g->body, "st.local.u64 [%%rd8+%u], %%rd%u;\n", slot, p);
	if (random_below(2))
		strbuf_addf(&g->body, "st.local.v2.u64 [%%rd8+%u], {%%rd%u, %%rd%u};\n", random_below(2) * 16, q, p);
	if (random_below(2))
		strbuf_addf(&g->body, "ld.local.u64 %%rd%u, [%%rd9];\n", r);
	else
		strbuf_addf(&g->body, "ld.local.u64 %%rd%u, [%%rd8+%u];\n", r, slot);
	add_pointer(g, r);
}

static void by_shared(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), slot = random_below(4) * 8;

	(void)q;
	strbuf_addf(&g->body, "st.shared.u64 [shared_slots+%u], %%rd%u; bar.sync 0;\n", slot, p);
	strbuf_addf(&g->body, "ld.shared.u64 %%rd%u, [shared_slots+%u]; bar.sync 0;\n", r,
		    random_below(2) ? slot : random_below(4) * 8);
	add_pointer(g, r);
}

static void by_table(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g);

	(void)q;
	if (random_below(4) == 0)
		strbuf_addf(&g->body, "st.global.u64 [%%rd4+%u], %%rd%u;\n", random_below(RANDOM_SLOTS) * 8, p);
	if (random_below(6) == 0)
		strbuf_addf(&g->body, "atom.global.exch.b64 %%rd%u, [%%rd4+%u], %%rd%u;\n", r,
			    random_below(RANDOM_SLOTS) * 8, p);
	else
		strbuf_addf(&g->body, "ld.global.u64 %%rd%u, [%%rd4+%u];\n", r, random_below(RANDOM_SLOTS) * 8);
	add_pointer(g, r);
}

static void by_variable(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g);

	(void)q;
	strbuf_addf(&g->body, "st.global.u64 [variable], %%rd%u; ld.global.u64 %%rd%u, [variable];\n", p, r);
	add_pointer(g, r);
}

static void by_call(struct generator *g, unsigned p, unsigned q)
{
	static const char *const functions[] = {"choose", "exchange", "through_memory"};
	unsigned r = wide(g);

	strbuf_addf(&g->body, "{ .param .b64 x; .param .b64 y; .param .b64 z; st.param.b64 [x], %%rd%u;\n", p);
	strbuf_addf(&g->body, "st.param.b64 [y], %%rd%u; call (z), %s, (x, y); ld.param.b64 %%rd%u, [z]; }\n", q,
		    functions[random_below(3)], r);
	add_pointer(g, r);
}

/* The callee stores a pointer through the address of a local slot or of a table entry, and the caller loads it. */
static void by_reference(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), at = wide(g), slot = random_below(4) * 8;
	bool local = random_below(4) != 0;

	(void)q;
	strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd%u, %u;\n", at, local ? 10 : 4, slot);
	strbuf_addf(&g->body, "{ .param .b64 x; .param .b64 y; st.param.b64 [x], %%rd%u; st.param.b64 [y], %%rd%u;\n",
		    at, p);
	strbuf_addf(&g->body, "call set_reference, (x, y); }\nld.u64 %%rd%u, [%%rd%u];\n", r, at);
	add_pointer(g, r);
}

/* The callee loads the pointer. */
static void by_follow(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), at = wide(g), slot = random_below(4) * 8;
	bool local = random_below(4) != 0;

	(void)q;
	if (local)
		strbuf_addf(&g->body, "st.local.u64 [%%rd8+%u], %%rd%u;\n", slot, p);
	strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd%u, %u;\n", at, local ? 10 : 4, slot);
	strbuf_addf(&g->body, "{ .param .b64 x; .param .b64 z; st.param.b64 [x], %%rd%u;\n", at);
	strbuf_addf(&g->body, "call (z), follow, (x); ld.param.b64 %%rd%u, [z]; }\n", r);
	add_pointer(g, r);
}

typedef void way(struct generator *g, unsigned p, unsigned q);

static way *const ways[] = {by_offset,
			    by_offset,
			    by_index,
			    by_thread,
			    by_thread,
			    by_select,
			    by_exclusive_or,
			    by_difference,
			    by_halves,
			    by_shifts,
			    by_masks,
			    by_local,
			    by_shared,
			    by_table,
			    by_variable,
			    by_call,
			    by_reference,
			    by_follow,
			    by_narrow_difference,
			    by_stored_difference,
			    by_double_difference,
			    by_multiples,
			    by_float,
			    by_remainder,
			    by_other_half,
			    by_two_names,
			    by_advance};

/* --- Kernels --- */

static void add_load(struct generator *g, unsigned p)
{
	switch (random_below(4)) {
	case 0: strbuf_addf(&g->body, "ld.f32 %%f1, [%%rd%u];\n", p); break;
	case 1:
		strbuf_addf(&g->body,
			    "{ .param .b64 x; .param .b32 z; st.param.b64 [x], %%rd%u;\n"
			    "call (z), get, (x); ld.param.f32 %%f1, [z]; }\n",
			    p);
		break;
	default: strbuf_addf(&g->body, "ld.global.f32 %%f1, [%%rd%u];\n", p); break;
	}
	strbuf_adds(&g->body, "add.f32 %f0, %f0, %f1;\n");
}

/* Skips what follows, or not, on a condition that the code alone decides. */
static void open_condition(struct generator *g)
{
	static const char *const compare[] = {"eq.u32", "ne.u32", "lt.s32", "gt.s32", "lo.u32", "hi.u32", "le.s32"};
	unsigned n = g->labels++;

	strbuf_addf(&g->body,
		    "{ .reg .pred %%q<3>; .reg .b32 %%c<4>; mov.u32 %%c1, %d; add.s32 %%c2, %%c1, %d;\n"
		    "and.b32 %%c3, %%c2, %d; setp.%s %%q1, %%c3, %d; not.pred %%q2, %%q1; @%%q%u bra skip%u;\n",
		    (int)random_below(4) - 2, (int)random_below(3) - 1, random_below(2) ? -1 : 1,
		    compare[random_below(sizeof compare / sizeof *compare)], (int)random_below(3) - 1,
		    1 + random_below(2), n);
}

static void close_condition(struct generator *g)
{
	strbuf_addf(&g->body, "skip%u: }\n", g->labels - 1);
}

static void add_store(struct generator *g, unsigned p)
{
	bool conditional = random_below(3) == 0;

	if (conditional)
		open_condition(g);
	switch (random_below(5)) {
	case 0: strbuf_addf(&g->body, "st.f32 [%%rd%u], %%f0;\n", p); break;
	case 1: strbuf_addf(&g->body, "{ .param .b64 x; st.param.b64 [x], %%rd%u; call put, (x); }\n", p); break;
	case 2: strbuf_addf(&g->body, "atom.global.add.f32 %%f1, [%%rd%u], 0f00000000;\n", p); break;
	default: strbuf_addf(&g->body, "st.global.f32 [%%rd%u], %%f0;\n", p); break;
	}
	if (conditional)
		close_condition(g);
}

static const char functions[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.global .align 8 .u64 variable;\n"
    ".shared .align 8 .b8 shared_slots[32];\n"
    ".func (.param .b64 z) choose(.param .b64 x, .param .b64 y)\n{\n.reg .b64 %rd<4>; .reg .b32 %r<2>; .reg .pred "
    "%p<2>;\n"
    "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 7;\n"
    "selp.b64 %rd3, %rd1, %rd2, %p1; st.param.b64 [z], %rd3; ret;\n}\n"
    ".func (.param .b64 z) exchange(.param .b64 x, .param .b64 y)\n{\n.reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; xor.b64 %rd3, %rd1, %rd2; xor.b64 %rd4, %rd3, %rd1;\n"
    "st.param.b64 [z], %rd4; ret;\n}\n"
    ".func (.param .b64 z) through_memory(.param .b64 x, .param .b64 y)\n{\n.local .align 8 .b8 slots[16];\n"
    ".reg .b64 %rd<9>; .reg .b32 %r<3>;\nld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u64 %rd3, slots;\n"
    "st.local.u64 [%rd3], %rd1; st.local.u64 [%rd3+8], %rd2; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1;\n"
    "mad.wide.u32 %rd4, %r2, 8, %rd3; ld.local.u64 %rd5, [%rd4]; st.param.b64 [z], %rd5; ret;\n}\n"
    ".extern .shared .align 8 .b8 first_name[];\n.extern .shared .align 8 .b8 second_name[];\n"
    ".func (.param .b64 z) advance(.param .b64 x, .param .b64 y)\n{\n.reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; cvta.to.global.u64 %rd4, %rd1; add.s64 %rd3, %rd4, %rd2;\n"
    "st.param.b64 [z], %rd3; ret;\n}\n"
    ".func (.param .b64 z) advance_narrow(.param .b64 x, .param .b64 y)\n{\n.reg .b64 %rd<9>; .reg .b32 %r<2>;\n"
    "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; cvt.u32.u64 %r1, %rd2; cvt.s64.s32 %rd4, %r1;\n"
    "add.s64 %rd3, %rd1, %rd4; st.param.b64 [z], %rd3; ret;\n}\n"
    ".func set_reference(.param .b64 x, .param .b64 y)\n{\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [x];\n"
    "ld.param.u64 %rd2, [y]; st.u64 [%rd1], %rd2; ret;\n}\n"
    ".func (.param .b64 z) follow(.param .b64 x)\n{\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [x];\n"
    "ld.u64 %rd2, [%rd1]; st.param.b64 [z], %rd2; ret;\n}\n"
    ".func put(.param .b64 x)\n{\n.reg .b64 %rd<2>; .reg .f32 %f<2>;\nld.param.u64 %rd1, [x]; mov.f32 %f1, "
    "0f3f800000;\n"
    "st.f32 [%rd1], %f1; ret;\n}\n"
    ".func (.param .b32 z) get(.param .b64 x)\n{\n.reg .b64 %rd<2>; .reg .f32 %f<2>;\nld.param.u64 %rd1, [x];\n"
    "ld.f32 %f1, [%rd1]; st.param.f32 [z], %f1; ret;\n}\n";

/* %rd0-3 buffers, %rd4 table, %rd5 indices, %rd6-7 the struct's pointers, %rd8-10 the local array; %r0 thread. */
static const char entry[] =
    "ld.param.u64 %rd0, [a]; ld.param.u64 %rd1, [b]; ld.param.u64 %rd2, [c]; ld.param.u64 %rd3, [d];\n"
    "ld.param.u64 %rd4, [t]; ld.param.u64 %rd5, [i]; ld.param.u64 %rd6, [s]; ld.param.u64 %rd7, [s+8];\n"
    "mov.u64 %rd8, local_slots; cvta.local.u64 %rd10, %rd8; mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 3;\n"
    "mad.wide.u32 %rd9, %r1, 8, %rd8; setp.lt.u32 %p0, %r0, 16; mov.f32 %f0, 0f00000000;\n";

static void first_slots(struct generator *g)
{
	for (unsigned slot = 0; slot < 4; slot++) {
		strbuf_addf(&g->body, "st.local.u64 [%%rd8+%u], %%rd%u;\n", slot * 8, any_pointer(g));
		strbuf_addf(&g->body, "st.shared.u64 [shared_slots+%u], %%rd%u;\n", slot * 8, any_pointer(g));
	}
	strbuf_adds(&g->body, "bar.sync 0;\n");
}

struct strbuf random_kernel(void)
{
	struct generator g = {.wide = 11, .narrow = 2};
	struct strbuf text = STRBUF_INIT;
	unsigned known = 1 + random_below(6), steps = 3 + random_below(14), stores = 1 + random_below(2);

	/* A kernel that uses few of its pointers has something left that is only read. */
	for (unsigned i = 0; i < known; i++)
		add_pointer(&g, random_below(2)       ? random_below(4)
				: random_below(8) < 6 ? random_below(4)
						      : 6 + random_below(2));
	first_slots(&g);
	for (unsigned i = 0; i < steps; i++) {
		if (random_below(3) == 0)
			add_load(&g, any_pointer(&g));
		if (stores && random_below(6) == 0) {
			add_store(&g, any_pointer(&g));
			stores--;
		}
		ways[random_below(sizeof ways / sizeof *ways)](&g, any_pointer(&g), any_pointer(&g));
	}
	add_load(&g, random_below(4));
	add_load(&g, 6 + random_below(2));
	add_store(&g, any_pointer(&g));
	strbuf_adds(&text, functions);
	strbuf_adds(
	    &text,
	    ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d, .param .u64 t,\n"
	    ".param .u64 i, .param .align 8 .b8 s[16])\n{\n.local .align 8 .b8 local_slots[32];\n.local .align 4 .b8 local_numbers[16];\n");
	strbuf_addf(&text,
		    ".reg .b64 %%rd<%u>; .reg .b32 %%r<%u>; .reg .f32 %%f<2>; .reg .f64 %%fd<1>; .reg .pred %%p<1>;\n",
		    g.wide, g.narrow);
	strbuf_adds(&text, entry);
	strbuf_add(&text, g.body.data, g.body.len);
	strbuf_adds(&text, "ret;\n}\n");
	strbuf_release(&g.body);
	return text;
}
