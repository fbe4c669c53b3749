/* Effects of functions without a body: from the table's row, or else from the attributes. */
#include "passes/ir/effects.h"

#include <string.h>

static const struct effect_row {
	const char *prefix, *args;
	uint8_t dep;
} effect_rows[] = {
#define EFFECT(prefix, args, dep) {prefix, args, dep},
#include "passes/ir/effects.def"
#undef EFFECT
};

static const struct effect_row *find_row(const char *name)
{
	const struct effect_row *best = NULL;
	size_t best_len = 0;

	for (size_t i = 0; i < sizeof effect_rows / sizeof *effect_rows; i++) {
		size_t len = strlen(effect_rows[i].prefix);

		if (len > best_len && strncmp(name, effect_rows[i].prefix, len) == 0) {
			best = &effect_rows[i];
			best_len = len;
		}
	}
	return best;
}

static uint16_t letter_effect(char letter)
{
	switch (letter) {
	case 'r': return EFFECT_READ;
	case 'w': return EFFECT_WRITE;
	case 'a': return EFFECT_READ | EFFECT_WRITE;
	case '=': return EFFECT_RESULT | EFFECT_COPY;
	case 'x': return EFFECT_RESULT;
	case 'e': return EFFECT_ESCAPE;
	case 'm': return EFFECT_READ | EFFECT_WRITE | EFFECT_RESULT;
	case 't': return EFFECT_ATOMIC;
	case 'f': return EFFECT_IMAGE | EFFECT_FETCH | EFFECT_READ;
	case 'h': return EFFECT_IMAGE | EFFECT_READ;
	case 'H': return EFFECT_IMAGE | EFFECT_WRITE;
	case 'c': return EFFECT_PLACE;
	default: return 0;
	}
}

static struct call_effects from_row(const struct effect_row *row)
{
	bool loads = row->dep == DEP_MEMORY && strpbrk(row->args, "rat");
	struct call_effects e = {.dep = row->dep, .unknown_result = row->dep == DEP_MEMORY && !loads, .loads = loads};
	size_t len = strlen(row->args);

	for (size_t i = 0; i < EFFECT_ARGS && len; i++)
		e.arg[i] = letter_effect(row->args[i < len ? i : len - 1]);
	e.unknown_write = strchr(row->args, '!') != NULL;
	e.listens = strchr(row->args, '~') != NULL;
	return e;
}

static bool attribute(LLVMValueRef function, LLVMAttributeIndex at, const char *name, uint64_t *value)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	LLVMAttributeRef found = kind ? LLVMGetEnumAttributeAtIndex(function, at, kind) : NULL;

	if (found && value)
		*value = LLVMGetEnumAttributeValue(found);
	return found != NULL;
}

/* Bits of the `memory` attribute: two a location (1 = read, 2 = write), the arguments' first. */
enum { MEMORY_ALL = 0xff };

static unsigned memory_attribute(LLVMValueRef function)
{
	uint64_t bits = MEMORY_ALL;

	if (attribute(function, LLVMAttributeFunctionIndex, "memory", &bits))
		return (unsigned)bits;
	if (attribute(function, LLVMAttributeFunctionIndex, "readnone", NULL))
		return 0;
	bits = attribute(function, LLVMAttributeFunctionIndex, "readonly", NULL)    ? 0x55
	       : attribute(function, LLVMAttributeFunctionIndex, "writeonly", NULL) ? 0xaa
										    : MEMORY_ALL;
	if (attribute(function, LLVMAttributeFunctionIndex, "argmemonly", NULL))
		bits &= 3;
	return (unsigned)bits;
}

/* Reads and writes of all other locations, except bits 2 and 3: memory that no program can name. */
static unsigned other_memory(unsigned memory)
{
	return (memory >> 4 | memory >> 6) & 3;
}

static uint8_t argument_effect(LLVMValueRef function, unsigned index, unsigned memory)
{
	uint8_t effect = (memory & 1 ? EFFECT_READ : 0) | (memory & 2 ? EFFECT_WRITE : 0);
	LLVMAttributeIndex at = index + 1;

	if (attribute(function, at, "readnone", NULL))
		effect = 0;
	if (attribute(function, at, "readonly", NULL))
		effect &= EFFECT_READ;
	if (attribute(function, at, "writeonly", NULL))
		effect &= EFFECT_WRITE;
	return effect;
}

/* `nocapture`, from LLVM 21 on `captures(none)`. */
static bool is_not_captured(LLVMValueRef function, unsigned index)
{
	uint64_t captures = 1;

	if (index >= LLVMCountParams(function))
		return false;
	if (attribute(function, index + 1, "nocapture", NULL))
		return true;
	return attribute(function, index + 1, "captures", &captures) && captures == 0;
}

static struct call_effects from_attributes(LLVMValueRef function, unsigned nargs, bool intrinsic)
{
	struct call_effects e = {.dep = DEP_NONE};
	unsigned memory = memory_attribute(function), other = other_memory(memory);
	unsigned nparams = LLVMCountParams(function);

	/* An intrinsic without attributes about memory reaches memory through its arguments alone. */
	if (intrinsic)
		other = 0;
	e.unknown_write = other & 2;
	/*
	 * A function that writes memory through an argument may store another argument there. If it may write anywhere,
	 * its writes through arguments need no mention.
	 */
	for (unsigned i = 0; i < EFFECT_ARGS && i < nargs; i++) {
		if (!e.unknown_write)
			e.arg[i] = i < nparams ? argument_effect(function, i, memory) : memory & 3;
		e.arg[i] |= EFFECT_RESULT;
		if (other || ((memory & 2) && !is_not_captured(function, i)))
			e.arg[i] |= EFFECT_ESCAPE;
	}
	e.unknown_result = memory & 0x55;
	e.dep = memory & 0x55 ? DEP_UNKNOWN : DEP_NONE;
	return e;
}

struct call_effects effects_of_declaration(LLVMValueRef function, unsigned nargs)
{
	size_t len;
	const char *name = LLVMGetValueName2(function, &len);
	const struct effect_row *row = find_row(name);
	bool intrinsic = strncmp(name, "llvm.", 5) == 0;

	if (strcmp(name, "malloc") == 0 || strcmp(name, "_Znwm") == 0 || strcmp(name, "_Znam") == 0)
		return (struct call_effects){.allocates = true};
	if (strncmp(name, "llvm.nvvm.griddepcontrol.wait", 29) == 0)
		return (struct call_effects){.waits_for_grid = true};
	/* A prefix identifies an intrinsic. A library function must have the whole name. */
	if (row && (intrinsic || strcmp(name, row->prefix) == 0 || strncmp(name, "__nv_", 5) == 0))
		return from_row(row);
	return from_attributes(function, nargs, intrinsic);
}
