/* Each step of a kernel computes a pointer from others in some way, or loads or stores through one. */
#include "tests/ptx-analyzer/readonly/random_generator.h"

#include <string.h>

static uint64_t state = 0x9e3779b97f4a7c15;

void random_seed(uint64_t seed)
{
	state = (seed + 1) * 0x9e3779b97f4a7c15;
	for (int i = 0; i < 4; i++)
		random_below(2);
}

unsigned random_below(unsigned below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state % below);
}

void random_pack(uint64_t *params, uint64_t first, uint64_t second, uint64_t biased, uint64_t address)
{
	char *packed = (char *)(params + RANDOM_PACKED);

	memcpy(packed + RANDOM_PACKED_FIRST, &first, sizeof first);
	memcpy(packed + RANDOM_PACKED_SECOND, &second, sizeof second);
	params[RANDOM_BIASED] = biased + RANDOM_BIAS;
	params[RANDOM_NULL] = 0;
	params[RANDOM_ADDRESS] = address;
}

uint64_t random_slot(unsigned slot, uint64_t address)
{
	if (slot < RANDOM_SLOTS / 2)
		return address;
	return slot < RANDOM_SLOTS / 4 * 3 ? address | 1 | (slot & 2) : address ^ RANDOM_BIAS;
}

unsigned any_pointer(const struct generator *g)
{
	return g->pointers[random_below(g->npointers)];
}

void add_pointer(struct generator *g, unsigned reg)
{
	g->pointers[g->npointers < RANDOM_POINTERS ? g->npointers++ : random_below(RANDOM_POINTERS)] = reg;
}

/* --- Kernels --- */

static const char parameters[] =
    "(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d, .param .u64 t,\n"
    ".param .u64 i, .param .align 8 .b8 s[16], .param .align 8 .b8 u[24],\n.param .u64 v, .param .u64 w, .param .u64 x)\n{\n"
    ".local .align 16 .b8 local_slots[64];\n.local .align 16 .b8 local_numbers[16];\n";

static const char entry[] =
    "ld.param.u64 %rd0, [a]; ld.param.u64 %rd1, [b]; ld.param.u64 %rd2, [c]; ld.param.u64 %rd3, [d];\n"
    "ld.param.u64 %rd4, [t]; ld.param.u64 %rd5, [i]; ld.param.u64 %rd6, [s]; ld.param.u64 %rd7, [s+8];\n"
    "mov.u64 %rd8, local_slots; cvta.local.u64 %rd10, %rd8; mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 3;\n"
    "mad.wide.u32 %rd9, %r1, 8, %rd8; setp.lt.u32 %p0, %r0, 16; mov.f32 %f0, 0f00000000; mov.f32 %f1, 0f3f800000;\n"
    "mov.f32 %f2, %f1; mov.f32 %f3, %f1; mov.f32 %f4, %f1; st.shared.v2.u64 [shared_numbers], {0, 0};\n"
    "st.local.v2.u64 [local_numbers], {0, 0}; st.shared.u64 [shared_bytes], 0;\n";

/* The compiler's word that the first four slots are an array, and the next two. The last two are variables alone. */
static const char frame_list[] = ".pragma \"romark.frame [%rd10] 32 [%rd10+32] 16\";\n";

static void first_slots(struct generator *g)
{
	if (random_below(4))
		strbuf_adds(&g->body, frame_list);
	for (unsigned slot = 4; slot < 8; slot++)
		strbuf_addf(&g->body, "st.local.u64 [%%rd8+%u], %%rd%u;\n", slot * 8, any_pointer(g));
	for (unsigned slot = 0; slot < 4; slot++) {
		strbuf_addf(&g->body, "st.local.u64 [%%rd8+%u], %%rd%u;\n", slot * 8, any_pointer(g));
		strbuf_addf(&g->body, "st.shared.u64 [shared_slots+%u], %%rd%u;\n", slot * 8, any_pointer(g));
	}
	strbuf_adds(&g->body, "bar.sync 0;\n");
}

/* Most kernels launder no pointer: then a mark is left to be wrong. */
static way *any_way(bool launders)
{
	if (launders && random_below(3) == 0)
		return random_launderings[random_below(RANDOM_LAUNDERINGS)];
	if (random_below(4) == 0)
		return random_frames[random_below(RANDOM_FRAMES)];
	return random_ways[random_below(RANDOM_WAYS)];
}

static void add_steps(struct generator *g, unsigned steps, unsigned stores, bool launders)
{
	for (unsigned i = 0; i < steps; i++) {
		if (random_below(3) == 0)
			add_load(g, any_pointer(g));
		if (stores && random_below(6) == 0) {
			add_store(g, any_pointer(g));
			stores--;
		}
		if (random_below(12) == 0)
			add_window_call(g);
		any_way(launders)(g, any_pointer(g), any_pointer(g));
	}
}

static void add_kernel(struct strbuf *text, const char *name, struct generator *g)
{
	strbuf_addf(text, ".visible .entry %s%s", name, parameters);
	strbuf_addf(text,
		    ".reg .b64 %%rd<%u>; .reg .b32 %%r<%u>; .reg .f32 %%f<5>; .reg .f64 %%fd<1>; .reg .pred %%p<2>;\n",
		    g->wide, g->narrow);
	strbuf_adds(text, entry);
	strbuf_add(text, g->body.data, g->body.len);
	strbuf_adds(text, "ret;\n}\n");
	strbuf_release(&g->body);
}

static void add_main_kernel(struct strbuf *text)
{
	struct generator g = {.wide = 11, .narrow = 2};
	unsigned known = 1 + random_below(6), steps = 3 + random_below(14), stores = 1 + random_below(2);
	bool launders = random_below(3) == 0;

	/* A kernel that uses few of its pointers has something left that is only read. */
	for (unsigned i = 0; i < known; i++)
		add_pointer(&g, random_below(8) ? random_below(RANDOM_BUFFERS) : 6 + random_below(2));
	first_slots(&g);
	add_steps(&g, steps, stores, launders);
	add_load(&g, random_below(RANDOM_BUFFERS));
	add_load(&g, 6 + random_below(2));
	add_store(&g, any_pointer(&g));
	add_kernel(text, "k", &g);
}

/* Shares the functions, and calls them with other memory; writes its result to one buffer. */
static void add_second_kernel(struct strbuf *text)
{
	struct generator g = {.wide = 11, .narrow = 2};

	add_pointer(&g, random_below(RANDOM_BUFFERS));
	for (unsigned i = 1 + random_below(3); i-- > 0;)
		if (random_below(3))
			add_window_call(&g);
		else
			add_load(&g, any_pointer(&g));
	add_store(&g, random_below(RANDOM_BUFFERS));
	add_kernel(text, "second", &g);
}

struct strbuf random_kernel(void)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, random_module_head);
	add_main_kernel(&text);
	if (random_below(2))
		add_second_kernel(&text);
	return text;
}
