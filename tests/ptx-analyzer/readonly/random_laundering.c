/*
 * Ways from the bits of pointers to a pointer, through numbers: each comes back to `q`, most of them from `p` and the
 * difference of both.
 */
#include "tests/ptx-analyzer/readonly/random_generator.h"

/* --- Parts of one pointer --- */

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

/* Fields of a half, put back by insertion, and a permutation of bytes there and back. */
static void by_fields(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), low = g->narrow++, high = g->narrow++, n = g->narrow++;

	(void)q;
	strbuf_addf(&g->body, "mov.b64 {%%r%u, %%r%u}, %%rd%u;\n", low, high, p);
	if (random_below(2))
		strbuf_addf(&g->body, "bfe.u32 %%r%u, %%r%u, 4, 9; bfi.b32 %%r%u, %%r%u, %%r%u, 4, 9;\n", n, low, low,
			    n, low);
	else
		strbuf_addf(&g->body, "prmt.b32 %%r%u, %%r%u, 0, 0x0123; prmt.b32 %%r%u, %%r%u, 0, 0x0123;\n", n, low,
			    low, n);
	strbuf_addf(&g->body, "mov.b64 %%rd%u, {%%r%u, %%r%u};\n", r, low, high);
	add_pointer(g, r);
}

/* Turned by 16 bits twice, with funnel shifts of the halves, which then have changed places. */
static void by_rotation(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), low = g->narrow++, high = g->narrow++, a = g->narrow++, b = g->narrow++;

	(void)q;
	strbuf_addf(&g->body, "mov.b64 {%%r%u, %%r%u}, %%rd%u;\n", low, high, p);
	strbuf_addf(&g->body, "shf.l.wrap.b32 %%r%u, %%r%u, %%r%u, 16; shf.l.wrap.b32 %%r%u, %%r%u, %%r%u, 16;\n", a,
		    low, high, b, high, low);
	strbuf_addf(&g->body, "shf.l.wrap.b32 %%r%u, %%r%u, %%r%u, 16; shf.l.wrap.b32 %%r%u, %%r%u, %%r%u, 16;\n", low,
		    b, a, high, a, b);
	strbuf_addf(&g->body, "mov.b64 %%rd%u, {%%r%u, %%r%u};\n", r, low, high);
	add_pointer(g, r);
}

static void by_complement(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g);

	(void)q;
	if (random_below(2))
		strbuf_addf(&g->body, "not.b64 %%rd%u, %%rd%u; not.b64 %%rd%u, %%rd%u;\n", s, p, r, s);
	else
		strbuf_addf(&g->body, "neg.s64 %%rd%u, %%rd%u; neg.s64 %%rd%u, %%rd%u;\n", s, p, r, s);
	add_pointer(g, r);
}

/* --- Two pointers --- */

static void by_difference(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g);

	strbuf_addf(&g->body, "sub.s64 %%rd%u, %%rd%u, %%rd%u; add.s64 %%rd%u, %%rd%u, %%rd%u;\n", s, q, p, r, p, s);
	add_pointer(g, r);
}

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

/* The difference shifted by 3 and by 5, and back by 8. */
static void by_shifts_twice(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g), t = wide(g);

	strbuf_addf(&g->body, "sub.s64 %%rd%u, %%rd%u, %%rd%u; shl.b64 %%rd%u, %%rd%u, 3; shl.b64 %%rd%u, %%rd%u, 5;\n",
		    s, q, p, t, s, t, t);
	strbuf_addf(&g->body, "shr.s64 %%rd%u, %%rd%u, 8; add.s64 %%rd%u, %%rd%u, %%rd%u;\n", t, t, r, p, t);
	add_pointer(g, r);
}

/* The absolute difference, as a double, with its sign put back by a comparison. */
static void by_absolute(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g), t = wide(g), n = wide(g);

	strbuf_addf(&g->body, "sub.s64 %%rd%u, %%rd%u, %%rd%u; cvt.rn.f64.s64 %%fd0, %%rd%u; abs.f64 %%fd0, %%fd0;\n",
		    s, q, p, s);
	strbuf_addf(&g->body, "cvt.rzi.s64.f64 %%rd%u, %%fd0; neg.s64 %%rd%u, %%rd%u; setp.lt.s64 %%p1, %%rd%u, 0;\n",
		    t, n, t, s);
	strbuf_addf(&g->body, "selp.b64 %%rd%u, %%rd%u, %%rd%u, %%p1; add.s64 %%rd%u, %%rd%u, %%rd%u;\n", t, n, t, r, p,
		    t);
	add_pointer(g, r);
}

/* Each lane tests one bit of the first lane's difference, and a ballot puts them together. */
static void by_ballot(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g), n = g->narrow++, bit = g->narrow++;

	(void)p, (void)q;
	p = random_below(RANDOM_BUFFERS);
	q = random_below(RANDOM_BUFFERS);
	strbuf_addf(&g->body, "sub.s64 %%rd%u, %%rd%u, %%rd%u; cvt.u32.u64 %%r%u, %%rd%u; shl.b32 %%r%u, 1, %%r0;\n", s,
		    q, p, n, s, bit);
	strbuf_addf(&g->body,
		    "and.b32 %%r%u, %%r%u, %%r%u; setp.ne.u32 %%p1, %%r%u, 0; vote.sync.ballot.b32 %%r%u, %%p1, -1;\n",
		    bit, n, bit, bit, n);
	strbuf_addf(&g->body, "cvt.s64.s32 %%rd%u, %%r%u; add.s64 %%rd%u, %%rd%u, %%rd%u;\n", s, n, r, p, s);
	add_pointer(g, r);
}

/* The difference is added up in memory that nobody else knows. */
static void by_reduction(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g), slot = random_below(4) * 8;

	strbuf_addf(&g->body, "sub.s64 %%rd%u, %%rd%u, %%rd%u; st.local.u64 [%%rd8+%u], %%rd%u;\n", s, q, p, slot, p);
	strbuf_addf(
	    &g->body,
	    "ld.local.u64 %%rd%u, [%%rd8+%u]; add.s64 %%rd%u, %%rd%u, %%rd%u; st.local.u64 [%%rd8+%u], %%rd%u;\n", r,
	    slot, r, r, s, slot, r);
	add_pointer(g, r);
}

/* min + max - p is the other pointer. */
static void by_least(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g), t = wide(g);

	strbuf_addf(&g->body, "min.u64 %%rd%u, %%rd%u, %%rd%u; max.u64 %%rd%u, %%rd%u, %%rd%u;\n", s, p, q, t, p, q);
	strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd%u, %%rd%u; sub.s64 %%rd%u, %%rd%u, %%rd%u;\n", s, s, t, r, s, p);
	add_pointer(g, r);
}

/* --- Calls --- */

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

way *const random_launderings[RANDOM_LAUNDERINGS] = {
    by_halves,
    by_shifts,
    by_masks,
    by_fields,
    by_rotation,
    by_complement,
    by_difference,
    by_narrow_difference,
    by_stored_difference,
    by_double_difference,
    by_multiples,
    by_float,
    by_remainder,
    by_other_half,
    by_shifts_twice,
    by_absolute,
    by_ballot,
    by_reduction,
    by_least,
    by_advance,
};
