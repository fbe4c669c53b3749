/* Loads and stores of a step in all spellings, and the module's functions, which kernels call with every space. */
#include "tests/ptx-analyzer/readonly/random_generator.h"

const char random_module_head[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.global .align 8 .u64 variable;\n"
    ".global .align 16 .b8 beside_a[16384];\n.global .align 16 .b8 beside_b[16384];\n.global .align 16 .b8 beside_c[16384];\n"
    ".shared .align 16 .b8 shared_slots[32];\n.shared .align 16 .b8 shared_numbers[64];\n.shared .align 8 .b8 shared_bytes[8];\n"
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
    ".func exchange_slots(.param .b64 x, .param .b64 y)\n{\n.reg .b64 %rd<5>;\nld.param.u64 %rd1, [x];\n"
    "ld.param.u64 %rd2, [y]; ld.u64 %rd3, [%rd1]; ld.u64 %rd4, [%rd2]; st.u64 [%rd1], %rd4; st.u64 [%rd2], %rd3;\n"
    "ret;\n}\n"
    ".func (.param .b64 z) put_and_get(.param .b64 x, .param .b64 y, .param .b64 v)\n{\n.reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.u64 %rd3, [v]; st.u64 [%rd1], %rd3;\n"
    "ld.u64 %rd4, [%rd2]; st.param.b64 [z], %rd4; ret;\n}\n"
    ".func (.param .b64 z) second_word(.param .b64 x)\n{\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [x];\n"
    "ld.v2.u64 {%rd2, %rd3}, [%rd1]; st.param.b64 [z], %rd3; ret;\n}\n"
    ".func put(.param .b64 x)\n{\n.reg .b64 %rd<2>; .reg .f32 %f<2>;\nld.param.u64 %rd1, [x]; mov.f32 %f1, "
    "0f3f800000;\n"
    "st.f32 [%rd1], %f1; ret;\n}\n"
    ".func (.param .b32 z) get(.param .b64 x)\n{\n.reg .b64 %rd<2>; .reg .f32 %f<2>;\nld.param.u64 %rd1, [x];\n"
    "ld.f32 %f1, [%rd1]; st.param.f32 [z], %f1; ret;\n}\n"
    ".func (.param .align 8 .b8 z[16]) pair(.param .b64 x, .param .b64 y)\n{\n.reg .b64 %rd<3>;\n"
    "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; st.param.b64 [z], %rd1; st.param.b64 [z+8], %rd2; ret;\n}\n"
    ".func (.param .b64 z) unpack(.param .align 1 .b8 x[11])\n{\n.reg .b64 %rd<3>;\nmov.u64 %rd1, 0;\n"
    "ld.param.u8 %rd2, [x+3]; or.b64 %rd1, %rd1, %rd2;\n"
    "ld.param.u8 %rd2, [x+4]; shl.b64 %rd2, %rd2, 8; or.b64 %rd1, %rd1, %rd2;\n"
    "ld.param.u8 %rd2, [x+5]; shl.b64 %rd2, %rd2, 16; or.b64 %rd1, %rd1, %rd2;\n"
    "ld.param.u8 %rd2, [x+6]; shl.b64 %rd2, %rd2, 24; or.b64 %rd1, %rd1, %rd2;\n"
    "ld.param.u8 %rd2, [x+7]; shl.b64 %rd2, %rd2, 32; or.b64 %rd1, %rd1, %rd2;\n"
    "ld.param.u8 %rd2, [x+8]; shl.b64 %rd2, %rd2, 40; or.b64 %rd1, %rd1, %rd2;\n"
    "ld.param.u8 %rd2, [x+9]; shl.b64 %rd2, %rd2, 48; or.b64 %rd1, %rd1, %rd2;\n"
    "ld.param.u8 %rd2, [x+10]; shl.b64 %rd2, %rd2, 56; or.b64 %rd1, %rd1, %rd2; st.param.b64 [z], %rd1; ret;\n}\n"
    ".func (.param .b32 z) get_many(.param .b64 x)\n{\n.reg .b64 %rd<2>; .reg .f32 %f<4>;\nld.param.u64 %rd1, [x];\n"
    "and.b64 %rd1, %rd1, -16; ld.v2.f32 {%f1, %f2}, [%rd1+8]; add.f32 %f3, %f1, %f2; st.param.f32 [z], %f3; ret;\n}\n";

static void add_call_to(struct generator *g, const char *getter, unsigned p)
{
	strbuf_addf(&g->body,
		    "{ .param .b64 x; .param .b32 z; st.param.b64 [x], %%rd%u;\n"
		    "call (z), %s, (x); ld.param.f32 %%f1, [z]; }\n",
		    p, getter);
}

/* The address on a boundary of `bytes`, within the same buffer. */
static unsigned aligned(struct generator *g, unsigned p, unsigned bytes)
{
	unsigned r = wide(g);

	strbuf_addf(&g->body, "and.b64 %%rd%u, %%rd%u, -%u;\n", r, p, bytes);
	return r;
}

/* `cp.async` may only read; the data comes back from shared memory. */
static void add_async_copy(struct generator *g, unsigned p)
{
	unsigned slot = random_below(4) * 4;

	strbuf_addf(&g->body, "cp.async.ca.shared.global [shared_numbers+%u], [%%rd%u], 4; cp.async.commit_group;\n",
		    slot, p);
	strbuf_addf(&g->body, "cp.async.wait_all; bar.sync 0; ld.shared.f32 %%f1, [shared_numbers+%u];\n", slot);
}

void add_load(struct generator *g, unsigned p)
{
	switch (random_below(13)) {
	case 9: add_async_copy(g, p); break;
	case 0:
	case 1: strbuf_addf(&g->body, "ld.f32 %%f1, [%%rd%u];\n", p); break;
	case 2:
	case 3: add_call_to(g, "get", p); break;
	case 4: add_call_to(g, "get_many", p); break;
	case 5: strbuf_addf(&g->body, "ld.global.v2.f32 {%%f1, %%f2}, [%%rd%u];\n", aligned(g, p, 8)); break;
	case 6:
		strbuf_addf(&g->body, "ld.v4.f32 {%%f1, %%f2, %%f3, %%f4}, [%%rd%u]; add.f32 %%f1, %%f2, %%f4;\n",
			    aligned(g, p, 16));
		break;
	case 7: strbuf_addf(&g->body, "ld.global.L1::evict_last.f32 %%f1, [%%rd%u];\n", p); break;
	case 8: strbuf_addf(&g->body, "@%%p0 ld.global.cg.f32 %%f1, [%%rd%u];\n", p); break;
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

static void add_plain_store(struct generator *g, unsigned p)
{
	switch (random_below(10)) {
	case 0: strbuf_addf(&g->body, "st.f32 [%%rd%u], %%f0;\n", p); break;
	case 1: strbuf_addf(&g->body, "{ .param .b64 x; st.param.b64 [x], %%rd%u; call put, (x); }\n", p); break;
	case 2: strbuf_addf(&g->body, "atom.global.add.f32 %%f1, [%%rd%u], 0f00000000;\n", p); break;
	case 3: strbuf_addf(&g->body, "red.global.max.s32 [%%rd%u], %%r0;\n", p); break;
	case 4: strbuf_addf(&g->body, "atom.cas.b32 %%r1, [%%rd%u], 0, %%r0;\n", p); break;
	case 5: strbuf_addf(&g->body, "st.global.v2.f32 [%%rd%u], {%%f0, %%f1};\n", aligned(g, p, 8)); break;
	case 6: strbuf_addf(&g->body, "@%%p0 st.global.u8 [%%rd%u], %%r0;\n", p); break;
	default: strbuf_addf(&g->body, "st.global.f32 [%%rd%u], %%f0;\n", p); break;
	}
}

void add_store(struct generator *g, unsigned p)
{
	bool conditional = random_below(3) == 0;

	if (conditional)
		open_condition(g);
	add_plain_store(g, p);
	if (conditional)
		close_condition(g);
}

void add_window_call(struct generator *g)
{
	unsigned at = wide(g);

	if (random_below(2))
		strbuf_addf(&g->body, "mov.u64 %%rd%u, shared_numbers; cvta.shared.u64 %%rd%u, %%rd%u;\n", at, at, at);
	else
		strbuf_addf(&g->body, "mov.u64 %%rd%u, local_numbers; cvta.local.u64 %%rd%u, %%rd%u;\n", at, at, at);
	if (random_below(3) == 0)
		strbuf_addf(&g->body, "{ .param .b64 x; st.param.b64 [x], %%rd%u; call put, (x); }\n", at);
	add_call_to(g, random_below(2) ? "get" : "get_many", at);
	strbuf_adds(&g->body, "add.f32 %f0, %f0, %f1;\n");
}
