/* Addresses and instructions in words: the nearest allocation, the source line. */
#include "runtime/cpu/run/fault_words.h"

#include "common/arena.h"
#include "common/kernel_names.h"
#include "ptx-analyzer/language/module/ptx_places.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "runtime/cpu/engine/cpu_module.h"
#include "runtime/device/regions.h"

#include <inttypes.h>

/* --- The place of an address --- */

/* An allocation is not named if it is farther from the address than this, and than its own size. */
enum { NEAR_BYTES = 1 << 20 };

static const char *const space_words[PTX_SPACE_COUNT] = {
    [PTX_SPACE_CONST] = "const", [PTX_SPACE_GLOBAL] = "global", [PTX_SPACE_LOCAL] = "local",
    [PTX_SPACE_PARAM] = "param", [PTX_SPACE_SHARED] = "shared",
};

static bool is_window(enum ptx_space space)
{
	return space == PTX_SPACE_SHARED || space == PTX_SPACE_LOCAL || space == PTX_SPACE_PARAM;
}

static uint64_t window_bytes(const struct launch *launch, enum ptx_space space)
{
	switch (space) {
	case PTX_SPACE_SHARED: return launch->shared_bytes;
	case PTX_SPACE_LOCAL: return launch->local_stride;
	default: return launch->param_bytes;
	}
}

/* The space that the instruction accesses. NONE if it accesses two, or if its operand is not a data address. */
enum { SPACE_NONE = PTX_SPACE_COUNT };

static unsigned written_space(const struct inst *in)
{
	switch (in->ptx->opcode->cls) {
	case PTX_CLASS_LOAD:
	case PTX_CLASS_STORE:
	case PTX_CLASS_ATOMIC: return in->space;
	case PTX_CLASS_TEXTURE: return PTX_SPACE_GLOBAL;
	default: return SPACE_NONE;
	}
}

static bool is_near(const struct allocation *a, uint64_t distance)
{
	return distance <= NEAR_BYTES || distance <= a->size;
}

/* ", 32 bytes into region#3 (512 bytes at 0x200000000200) of cudaMalloc#2", where an allocator has handed that out. */
static bool describe_region(const struct launch *launch, uint64_t address, struct strbuf *out)
{
	const struct region *r = regions_find(launch->shape->regions, address);
	const struct allocation *a = r ? memory_find(launch->memory, address) : NULL;

	if (a)
		strbuf_addf(out, ", %" PRIu64 " bytes into %s (%" PRIu64 " bytes at 0x%" PRIx64 ") of %s",
			    address - r->address, r->name, r->size, r->address, a->name);
	return a;
}

/* ", 32 bytes behind the end of cudaMalloc#2 (4096 bytes at 0x200000000000)"; false if no allocation is near. */
static bool describe_allocation(const struct memory *m, uint64_t address, struct strbuf *out)
{
	const struct allocation *below = memory_below(m, address), *above = memory_above(m, address), *a = below;
	uint64_t behind = below ? address - below->address : 0;

	if (below && behind < below->size)
		strbuf_addf(out, ", %" PRIu64 " bytes into %s", behind, below->name);
	else if (below && is_near(below, behind - below->size))
		strbuf_addf(out, ", %" PRIu64 " bytes behind the end of %s", behind - below->size, below->name);
	else if (above && is_near(above, above->address - address))
		strbuf_addf(out, ", %" PRIu64 " bytes before %s", (a = above)->address - address, above->name);
	else
		return false;
	strbuf_addf(out, " (%" PRIu64 " bytes at 0x%" PRIx64 ")", a->size, a->address);
	return true;
}

/* " 0x40 of shared memory, which has 64 bytes,", " 0x1000000000064 (offset 100 of shared memory, which ...)" */
void describe_address(const struct launch *launch, const struct fault *f, struct strbuf *out)
{
	bool wrong_place = f->status != DEVICE_TRAP && f->inst && f->inst->ptx;
	unsigned written = wrong_place ? written_space(f->inst) : SPACE_NONE;
	enum ptx_space space = written == SPACE_NONE ? PTX_SPACE_GENERIC : (enum ptx_space)written;
	bool generic = space == PTX_SPACE_GENERIC;
	uint64_t offset;

	space = resolve_space(space, f->address, &offset);
	strbuf_addf(out, " 0x%" PRIx64, f->address);
	if (generic && is_window(space)) {
		strbuf_addf(out, " (offset %" PRIu64 " of %s memory, which has %" PRIu64 " bytes)", offset,
			    space_words[space], window_bytes(launch, space));
	} else if (is_window(space)) {
		strbuf_addf(out, " of %s memory, which has %" PRIu64 " bytes,", space_words[space],
			    window_bytes(launch, space));
	} else {
		if (written != SPACE_NONE && space_words[space])
			strbuf_addf(out, " of %s memory", space_words[space]);
		if (!describe_region(launch, f->address, out) && !describe_allocation(launch->memory, f->address, out))
			strbuf_adds(out, ", in no allocation,");
	}
}

/* "(file.cu:9)" or "(file.cu:9, inlined from header.h:3)", where the module has that. */
void describe_source(const struct ptx_module *m, const struct ptx_inst *inst, struct strbuf *out)
{
	struct arena arena = ARENA_INIT;
	struct place_chain chain = ptx_places(m, inst, &arena);
	const struct source_place *shown = place_shown(&chain);

	if (shown)
		strbuf_addf(out, " (%s:%u", shown->file, shown->line);
	if (shown && chain.own)
		strbuf_addf(out, ", inlined from %s:%u", place_base_name(chain.places[0].file), chain.places[0].line);
	if (shown)
		strbuf_addc(out, ')');
	arena_release(&arena);
}

/* "'st.global.u32 [%rd1], %r2' in 'f' (file.cu:9)"; the function only where it is not `kernel` itself. */
void describe_place(struct fault_place place, const struct ptx_function *kernel, struct strbuf *out)
{
	const struct ptx_function *f = place.code->function;

	strbuf_addc(out, '\'');
	ptx_print_inst(f, place.inst->ptx, out);
	strbuf_addc(out, '\'');
	if (f != kernel)
		strbuf_addf(out, " in '%s'", short_title(f->name).text);
	describe_source(f->module, place.inst->ptx, out);
}
