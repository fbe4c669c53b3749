/* An instruction's location leads to the location of the call that was inlined, and so on. */
#include "passes/readonly/ir_places.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* Deeper chains of inlining, and recursion, are cut off here. */
enum { DEEPEST_CHAIN = 64 };

/* A relative file name is relative to the folder in which the compiler ran. */
static const char *file_of(struct facts *facts, LLVMMetadataRef location)
{
	LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
	unsigned length = 0, folder_length = 0;
	const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL, *folder;

	if (!name || !length)
		return NULL;
	folder = LLVMDIFileGetDirectory(file, &folder_length);
	if (name[0] == '/' || !folder || !folder_length)
		return arena_strndup(&facts->arena, name, length);
	return arena_printf(&facts->arena, "%.*s/%.*s", (int)folder_length, folder, (int)length, name);
}

struct place_chain ir_places(struct facts *facts, LLVMValueRef inst)
{
	struct source_place places[DEEPEST_CHAIN];
	LLVMMetadataRef at = LLVMInstructionGetDebugLoc(inst);
	uint32_t count = 0;

	for (unsigned depth = 0; at && depth < DEEPEST_CHAIN; depth++, at = LLVMDILocationGetInlinedAt(at)) {
		struct source_place *p = &places[count];

		p->file = file_of(facts, at);
		p->line = LLVMDILocationGetLine(at);
		p->column = LLVMDILocationGetColumn(at);
		count += p->file && p->line;
	}
	return place_chain_make(&facts->arena, places, count);
}

static bool is_root(const struct ir_kernel *k, uint32_t way)
{
	return k->ways[way].caller == NO_WAY;
}

const struct call_step *ir_calls(struct facts *facts, const struct ir_kernel *k, uint32_t way, uint32_t *count)
{
	const struct ir *p = &facts->program;
	struct call_step *steps;

	*count = 0;
	for (uint32_t at = way; !is_root(k, at) && *count < DEEPEST_CHAIN; at = k->ways[at].caller)
		++*count;
	if (!*count)
		return NULL;
	steps = arena_array(&facts->arena, struct call_step, *count);
	for (uint32_t at = way, n = *count; n--; at = k->ways[at].caller)
		steps[n] = (struct call_step){.callee = p->functions.data[k->ways[at].function].name,
					      .from = ir_places(facts, p->ops.data[k->ways[at].call].inst)};
	return steps;
}
