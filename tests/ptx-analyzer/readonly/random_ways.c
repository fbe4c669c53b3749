/* Ways from pointers to pointers that keep the pointer whole: offsets, selects, memory of every kind, calls. */
#include "tests/ptx-analyzer/readonly/random_generator.h"

/* --- Arithmetic --- */

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

/* --- Memory --- */

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
		strbuf_addf(&g->body, "st.global.u64 [%%rd4+%u], %%rd%u;\n", random_below(RANDOM_SLOTS / 2) * 8, p);
	if (random_below(6) == 0)
		strbuf_addf(&g->body, "atom.global.exch.b64 %%rd%u, [%%rd4+%u], %%rd%u;\n", r,
			    random_below(RANDOM_SLOTS / 2) * 8, p);
	else
		strbuf_addf(&g->body, "ld.global.u64 %%rd%u, [%%rd4+%u];\n", r, random_below(RANDOM_SLOTS / 2) * 8);
	add_pointer(g, r);
}

/* A pointer of an array of structs, of 16 or 24 bytes, at a thread's index or walked through. */
static void by_element(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), element = wide(g), n = g->narrow++, bytes = 16 + 8 * random_below(2);

	(void)p;
	(void)q;
	strbuf_addf(&g->body, "and.b32 %%r%u, %%r0, 1; ", n);
	if (random_below(3))
		strbuf_addf(&g->body, "mad.wide.u32 %%rd%u, %%r%u, %u, %%rd4;\n", element, n, bytes);
	else
		strbuf_addf(&g->body, "mov.u64 %%rd%u, %%rd4; @%%p0 add.s64 %%rd%u, %%rd%u, %u;\n", element, element,
			    element, bytes);
	strbuf_addf(&g->body, "ld.global.u64 %%rd%u, [%%rd%u+%u];\n", r, element, random_below(2) * 8);
	add_pointer(g, r);
}

static void by_variable(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g);

	(void)q;
	strbuf_addf(&g->body, "st.global.u64 [variable], %%rd%u; ld.global.u64 %%rd%u, [variable];\n", p, r);
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

/* The pointer comes out of a struct that a call returns. */
static void by_returned_struct(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g);

	strbuf_addf(&g->body, "{ .param .b64 x; .param .b64 y; .param .align 8 .b8 z[16]; st.param.b64 [x], %%rd%u;\n",
		    p);
	strbuf_addf(&g->body, "st.param.b64 [y], %%rd%u; call (z), pair, (x, y); ld.param.b64 %%rd%u, [z+%u]; }\n", q,
		    r, random_below(2) * 8);
	add_pointer(g, r);
}

/* The pointer goes by value in the bytes of a struct that is not aligned. */
static void by_packed_argument(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), shifted = wide(g), n = g->narrow++;

	(void)q;
	strbuf_adds(&g->body, "{ .param .align 1 .b8 x[11]; .param .b64 z;\n");
	for (unsigned byte = 0; byte < 8; byte++)
		strbuf_addf(&g->body,
			    "shr.u64 %%rd%u, %%rd%u, %u; cvt.u32.u64 %%r%u, %%rd%u; st.param.b8 [x+%u], %%r%u;\n",
			    shifted, p, byte * 8, n, shifted, byte + 3, n);
	strbuf_addf(&g->body, "call (z), unpack, (x); ld.param.b64 %%rd%u, [z]; }\n", r);
	add_pointer(g, r);
}

/* Bytes of a pointer through shared memory. */
static void by_bytes(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), shifted = wide(g), n = g->narrow++;

	(void)q;
	for (unsigned byte = 0; byte < 8; byte++)
		strbuf_addf(
		    &g->body,
		    "shr.u64 %%rd%u, %%rd%u, %u; cvt.u32.u64 %%r%u, %%rd%u; st.shared.u8 [shared_bytes+%u], %%r%u;\n",
		    shifted, p, byte * 8, n, shifted, byte, n);
	strbuf_addf(&g->body, "bar.sync 0; ld.shared.u64 %%rd%u, [shared_bytes]; bar.sync 0;\n", r);
	add_pointer(g, r);
}

/* The first lane's pointer, in halves. */
static void by_shuffle(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), low = g->narrow++, high = g->narrow++;

	(void)q;
	strbuf_addf(&g->body, "mov.b64 {%%r%u, %%r%u}, %%rd%u; shfl.sync.idx.b32 %%r%u, %%r%u, 0, 31, -1;\n", low, high,
		    p, low, low);
	strbuf_addf(&g->body, "shfl.sync.idx.b32 %%r%u, %%r%u, 0, 31, -1; mov.b64 %%rd%u, {%%r%u, %%r%u};\n", high,
		    high, r, low, high);
	add_pointer(g, r);
}

/* Read-modify-write of a slot that holds a pointer. */
static void by_atomic(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), slot = random_below(4) * 8;

	(void)q;
	if (random_below(2))
		strbuf_addf(&g->body, "atom.shared.exch.b64 %%rd%u, [shared_slots+%u], %%rd%u;\n", r, slot, p);
	else
		strbuf_addf(&g->body, "atom.shared.cas.b64 %%rd%u, [shared_slots+%u], 0, %%rd%u;\n", r, slot, p);
	add_pointer(g, r);
}

/* The middle of a module variable; the other variables lie beside it. */
static void by_neighbour(struct generator *g, unsigned p, unsigned q)
{
	static const char *const variables[] = {"beside_a", "beside_b", "beside_c"};
	unsigned r = wide(g), s = wide(g);

	(void)p, (void)q;
	strbuf_addf(&g->body, "mov.u64 %%rd%u, %s; add.s64 %%rd%u, %%rd%u, %u;\n", s, variables[random_below(3)], r, s,
		    RANDOM_VARIABLE_BYTES / 2);
	add_pointer(g, r);
}

/* A pointer in the packed parameter: by bytes, or by the words it lies across. */
static void by_packed_parameter(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g), at = random_below(2) ? RANDOM_PACKED_FIRST : RANDOM_PACKED_SECOND;
	unsigned word = at & ~7u, bits = (at & 7) * 8;

	(void)p, (void)q;
	if (random_below(2)) {
		strbuf_addf(&g->body, "ld.param.u64 %%rd%u, [u+%u]; shr.u64 %%rd%u, %%rd%u, %u;\n", r, word, r, r,
			    bits);
		strbuf_addf(&g->body,
			    "ld.param.u64 %%rd%u, [u+%u]; shl.b64 %%rd%u, %%rd%u, %u; or.b64 %%rd%u, %%rd%u, %%rd%u;\n",
			    s, word + 8, s, s, 64 - bits, r, r, s);
	} else {
		strbuf_addf(&g->body, "mov.u64 %%rd%u, 0;\n", r);
		for (unsigned byte = 0; byte < 8; byte++)
			strbuf_addf(
			    &g->body,
			    "ld.param.u8 %%rd%u, [u+%u]; shl.b64 %%rd%u, %%rd%u, %u; or.b64 %%rd%u, %%rd%u, %%rd%u;\n",
			    s, at + byte, s, s, byte * 8, r, r, s);
	}
	add_pointer(g, r);
}

/* A pointer from the table that is not there as it is used: with a tag, or with a constant in it. */
static void by_encoded_slot(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g), slot = RANDOM_SLOTS / 2 + random_below(RANDOM_SLOTS / 2);

	(void)p, (void)q;
	strbuf_addf(&g->body, "ld.global.u64 %%rd%u, [%%rd4+%u];\n", s, slot * 8);
	if (slot < RANDOM_SLOTS / 4 * 3)
		strbuf_addf(&g->body, "and.b64 %%rd%u, %%rd%u, -4;\n", r, s);
	else
		strbuf_addf(&g->body, "xor.b64 %%rd%u, %%rd%u, %d;\n", r, s, RANDOM_BIAS);
	add_pointer(g, r);
}

/* A parameter that points elsewhere than where it is used, or null and an offset that is an address. */
static void by_biased(struct generator *g, unsigned p, unsigned q)
{
	unsigned r = wide(g), s = wide(g);

	(void)p, (void)q;
	if (random_below(2))
		strbuf_addf(&g->body, "ld.param.u64 %%rd%u, [v]; sub.s64 %%rd%u, %%rd%u, %d;\n", s, r, s, RANDOM_BIAS);
	else
		strbuf_addf(&g->body,
			    "ld.param.u64 %%rd%u, [w]; ld.param.u64 %%rd%u, [x]; add.s64 %%rd%u, %%rd%u, %%rd%u;\n", s,
			    r, r, s, r);
	add_pointer(g, r);
}

/* --- Calls --- */

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

way *const random_ways[RANDOM_WAYS] = {
    by_offset,       by_offset,    by_index,  by_thread,    by_thread,           by_select,
    by_exclusive_or, by_local,     by_shared, by_table,     by_element,          by_variable,
    by_call,         by_reference, by_follow, by_bytes,     by_returned_struct,  by_packed_argument,
    by_two_names,    by_shuffle,   by_atomic, by_neighbour, by_packed_parameter, by_encoded_slot,
    by_biased,
};
