/* Ways through a local frame as compilers address one: by index, by either of two places, by bits, in a loop, by calls.
 */
#include "tests/ptx-analyzer/readonly/random_generator.h"

/* Stores %rd`p` at the generic address %rd`at`, or does not, and loads a pointer from there or from a slot. */
static void use_place(struct generator *g, unsigned at, unsigned p)
{
	unsigned r = wide(g);

	if (random_below(3))
		strbuf_addf(&g->body, "st.u64 [%%rd%u], %%rd%u;\n", at, p);
	if (random_below(2))
		strbuf_addf(&g->body, "ld.u64 %%rd%u, [%%rd%u];\n", r, at);
	else
		strbuf_addf(&g->body, "ld.local.u64 %%rd%u, [%%rd8+%u];\n", r, random_below(4) * 8);
	add_pointer(g, r);
}

static void by_masked_index(struct generator *g, unsigned p, unsigned q)
{
	unsigned at = wide(g), n = g->narrow++, mask = random_below(2) ? 1 : 3;

	(void)q;
	strbuf_addf(&g->body, "and.b32 %%r%u, %%r0, %u; mad.wide.u32 %%rd%u, %%r%u, 8, %%rd10;\n", n, mask, at, n);
	if (mask == 1)
		strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd%u, %u;\n", at, at, random_below(3) * 8);
	use_place(g, at, p);
}

static void by_remainder(struct generator *g, unsigned p, unsigned q)
{
	unsigned at = wide(g), s = wide(g), n = g->narrow++;

	(void)q;
	strbuf_addf(&g->body, "rem.u32 %%r%u, %%r0, %u; cvt.u64.u32 %%rd%u, %%r%u; shl.b64 %%rd%u, %%rd%u, 3;\n", n,
		    2 + random_below(2), s, n, s, s);
	strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd%u, %%rd10; add.s64 %%rd%u, %%rd%u, %u;\n", at, s, at, at,
		    random_below(2) * 8);
	use_place(g, at, p);
}

/* The slots are aligned to 16 bytes. */
static void by_low_bits(struct generator *g, unsigned p, unsigned q)
{
	unsigned at = wide(g), s = wide(g);

	(void)q;
	strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd10, %u; or.b64 %%rd%u, %%rd%u, 8;\n", s, random_below(4) * 8, at, s);
	use_place(g, at, p);
}

static void by_either_place(struct generator *g, unsigned p, unsigned q)
{
	unsigned at = wide(g), s = wide(g);

	(void)q;
	strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd10, %u; add.s64 %%rd%u, %%rd10, %u;\n", at, random_below(4) * 8, s,
		    random_below(4) * 8);
	strbuf_addf(&g->body, "selp.b64 %%rd%u, %%rd%u, %%rd%u, %%p0;\n", at, at, s);
	use_place(g, at, p);
}

/* An address that moves through the slots, forwards or backwards. */
static void by_walk(struct generator *g, unsigned p, unsigned q)
{
	unsigned at = wide(g), n = g->narrow++, label = g->labels++, first = random_below(2) * 24;

	(void)q;
	strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd10, %u; mov.u32 %%r%u, %u;\nwalk%u:\n", at, first, n,
		    random_below(3), label);
	if (random_below(2))
		strbuf_addf(&g->body, "st.u64 [%%rd%u], %%rd%u;\n", at, p);
	strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd%u, %d; setp.ne.u32 %%p1, %%r%u, 0; sub.s32 %%r%u, %%r%u, 1;\n", at,
		    at, first ? -8 : 8, n, n, n);
	strbuf_addf(&g->body, "@%%p1 bra walk%u;\n", label);
	use_place(g, at, p);
}

/* A constant of which a conversion cuts off the upper bits. */
static void by_narrow_constant(struct generator *g, unsigned p, unsigned q)
{
	unsigned at = wide(g), s = wide(g), n = g->narrow++;

	(void)q;
	strbuf_addf(&g->body, "mov.u32 %%r%u, %u; cvt.u64.u8 %%rd%u, %%r%u; add.s64 %%rd%u, %%rd10, %%rd%u;\n", n,
		    256 * random_below(2) + 8 * random_below(4), s, n, at, s);
	use_place(g, at, p);
}

static unsigned any_slot(struct generator *g, bool local)
{
	unsigned at = wide(g);

	strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd%u, %u;\n", at, local ? 10 : 4,
		    random_below(local ? 4 : RANDOM_SLOTS / 2) * 8);
	return at;
}

/* The callee takes the pointers of two slots for each other, and either slot may be the other. */
static void by_exchanged_slots(struct generator *g, unsigned p, unsigned q)
{
	unsigned x = any_slot(g, true), y = any_slot(g, true);

	(void)q;
	strbuf_addf(&g->body, "{ .param .b64 x; .param .b64 y; st.param.b64 [x], %%rd%u; st.param.b64 [y], %%rd%u;\n",
		    x, y);
	strbuf_adds(&g->body, "call exchange_slots, (x, y); }\n");
	use_place(g, random_below(2) ? x : y, p);
}

/* The callee stores a pointer in one place and gives back what is in another, which may be the same. */
static void by_two_references(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), x = any_slot(g, random_below(3)), y = any_slot(g, random_below(3));

	(void)q;
	strbuf_adds(&g->body, "{ .param .b64 x; .param .b64 y; .param .b64 v; .param .b64 z;\n");
	strbuf_addf(&g->body, "st.param.b64 [x], %%rd%u; st.param.b64 [y], %%rd%u; st.param.b64 [v], %%rd%u;\n", x,
		    random_below(4) ? y : x, p);
	strbuf_addf(&g->body, "call (z), put_and_get, (x, y, v); ld.param.b64 %%rd%u, [z]; }\n", r);
	add_pointer(g, r);
}

/* The callee loads two words and gives back the second. */
static void by_second_word(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), slot = random_below(2) * 16;

	strbuf_addf(&g->body, "st.local.u64 [%%rd8+%u], %%rd%u; st.local.u64 [%%rd8+%u], %%rd%u;\n", slot, p, slot + 8,
		    q);
	strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd10, %u;\n", r, slot);
	strbuf_addf(&g->body, "{ .param .b64 x; .param .b64 z; st.param.b64 [x], %%rd%u;\n", r);
	strbuf_addf(&g->body, "call (z), second_word, (x); ld.param.b64 %%rd%u, [z]; }\n", r);
	add_pointer(g, r);
}

/* One of the two pointers in the struct parameter. */
static void by_member_index(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), at = wide(g), n = g->narrow++;

	(void)p, (void)q;
	strbuf_addf(&g->body, "mov.u64 %%rd%u, s; and.b32 %%r%u, %%r0, 1; mad.wide.u32 %%rd%u, %%r%u, %u, %%rd%u;\n",
		    at, n, r, n, random_below(2) * 8, at);
	strbuf_addf(&g->body, "ld.param.u64 %%rd%u, [%%rd%u];\n", r, r);
	add_pointer(g, r);
}

/* A loop counts up or down through some of the slots. */
static void by_counted_index(struct generator *g, unsigned p, unsigned q)
{
	unsigned at = wide(g), n = g->narrow++, label = g->labels++, first = random_below(2),
		 last = first + random_below(2);
	bool down = random_below(2);

	(void)q;
	strbuf_addf(&g->body, "mov.u32 %%r%u, %u;\ncount%u:\nsetp.%s.s32 %%p1, %%r%u, %u; @%%p1 bra counted%u;\n", n,
		    down ? last : first, label, down ? "lt" : "gt", n, down ? first : last, label);
	strbuf_addf(&g->body, "mad.wide.s32 %%rd%u, %%r%u, 8, %%rd10;\n", at, n);
	strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd%u, %u;\n", at, at, random_below(2) * 8);
	if (random_below(2))
		strbuf_addf(&g->body, "st.u64 [%%rd%u], %%rd%u;\n", at, p);
	strbuf_addf(&g->body, "add.s32 %%r%u, %%r%u, %d; bra.uni count%u;\ncounted%u:\n", n, n, down ? -1 : 1, label,
		    label);
	use_place(g, at, p);
}

/* An index that a branch has found to be one of a few. */
static void by_conditional_index(struct generator *g, unsigned p, unsigned q)
{
	static const char *const conditions[] = {"gt.u32", "ge.u32", "gt.s32", "ne.u32"};
	unsigned at = wide(g), n = g->narrow++, label = g->labels++;

	(void)q;
	strbuf_addf(&g->body, "and.b32 %%r%u, %%r0, 7; sub.s32 %%r%u, %%r%u, %u; mov.u64 %%rd%u, %%rd10;\n", n, n, n,
		    random_below(2), at);
	strbuf_addf(&g->body, "setp.%s %%p1, %%r%u, %u; @%%p1 bra beyond%u;\n", conditions[random_below(4)], n,
		    1 + random_below(2), label);
	strbuf_addf(&g->body, "setp.lt.s32 %%p1, %%r%u, 0; @%%p1 bra beyond%u;\n", n, label);
	strbuf_addf(&g->body, "mad.wide.s32 %%rd%u, %%r%u, 8, %%rd10;\n", at, n);
	if (random_below(2))
		strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd%u, 8;\n", at, at);
	strbuf_addf(&g->body, "st.u64 [%%rd%u], %%rd%u;\nbeyond%u:\n", at, p, label);
	use_place(g, at, p);
}

/* Places in the two arrays that the compiler lists, computed from where they begin and end, and variables beside them.
 */
static void by_listed_array(struct generator *g, unsigned p, unsigned q)
{
	static const struct {
		unsigned from, mask;
		int first, factor;
	} arrays[] = {{32, 1, 0, 8}, {32, 3, -8, -8}, {48, 1, -8, -8}, {16, 3, -16, 8},
		      {0, 3, 0, 8},  {48, 0, 0, 8},   {56, 0, 0, 8}};
	unsigned which = random_below(sizeof arrays / sizeof *arrays), at = wide(g), s = wide(g), n = g->narrow++;

	(void)q;
	strbuf_addf(&g->body, "add.s64 %%rd%u, %%rd10, %u;\n", at, arrays[which].from);
	if (arrays[which].mask)
		strbuf_addf(
		    &g->body,
		    "and.b32 %%r%u, %%r0, %u; mul.wide.s32 %%rd%u, %%r%u, %d; add.s64 %%rd%u, %%rd%u, %%rd%u;\n", n,
		    arrays[which].mask, s, n, arrays[which].factor, s + 1, at, s);
	else
		strbuf_addf(&g->body, "mov.u64 %%rd%u, %%rd%u;\n", s + 1, at);
	at = wide(g);
	if (random_below(3))
		strbuf_addf(&g->body, "st.u64 [%%rd%u+%d], %%rd%u;\n", at, arrays[which].first, p);
	s = wide(g);
	if (random_below(2))
		strbuf_addf(&g->body, "ld.u64 %%rd%u, [%%rd%u+%d];\n", s, at, arrays[which].first);
	else
		strbuf_addf(&g->body, "ld.u64 %%rd%u, [%%rd10+%u];\n", s, random_below(8) * 8);
	add_pointer(g, s);
}

way *const random_frames[RANDOM_FRAMES] = {
    by_masked_index,    by_remainder,         by_low_bits,       by_either_place, by_walk,
    by_narrow_constant, by_exchanged_slots,   by_two_references, by_second_word,  by_member_index,
    by_counted_index,   by_conditional_index, by_listed_array,
};
