/* The tables behind vocabulary.h: names and properties of opcodes, types, modifiers, spaces and special registers. */
#include "ptx-analyzer/language/table/vocabulary.h"

#include <string.h>

const struct ptx_op_info ptx_op_table[PTX_OP_COUNT] = {
#define OP(id, text, roles, cls, types, operands, mods, facts)                                                         \
	[PTX_OP_##id] = {text, roles, PTX_CLASS_##cls, types, operands, mods, facts},
#include "ptx-analyzer/language/table/ptx_ops.def"
#undef OP
};

static const struct {
	const char *name;
	uint16_t bits;
	uint8_t kind;
} type_table[PTX_TYPE_COUNT] = {
    [PTX_untyped] = {"", 0, PTX_KIND_NONE},
#define TYPE(id, text, bits, kind) [PTX_##id] = {text, bits, PTX_KIND_##kind},
#include "ptx-analyzer/language/table/ptx_types.def"
#undef TYPE
};

static const char *const mod_names[PTX_MOD_COUNT] = {
    [PTX_MOD_NONE] = "",
#define MOD(id, text, group) [PTX_MOD_##id] = text,
#include "ptx-analyzer/language/table/ptx_mods.def"
#undef MOD
};

static const char *const sreg_names[PTX_SREG_COUNT] = {
    [PTX_SREG_NONE] = "",
#define SREG(id, text, type) [PTX_SREG_##id] = text,
#include "ptx-analyzer/language/table/ptx_sregs.def"
#undef SREG
};

static const char *const space_names[PTX_SPACE_COUNT] = {
    "generic", "reg", "const", "global", "local", "param", "shared", "tex",
};

const char *ptx_type_name(enum ptx_type type)
{
	return type_table[type].name;
}

unsigned ptx_type_bits(enum ptx_type type)
{
	return type_table[type].bits;
}

enum ptx_type_kind ptx_type_kind(enum ptx_type type)
{
	return type_table[type].kind;
}

enum ptx_type ptx_type_by_name(const char *text, size_t len)
{
	for (int t = PTX_untyped + 1; t < PTX_TYPE_COUNT; t++) {
		const char *name = type_table[t].name;

		if (name[0] == text[0] && !strncmp(name, text, len) && !name[len])
			return t;
	}
	return PTX_untyped;
}

const char *ptx_mod_name(enum ptx_mod mod)
{
	return mod_names[mod];
}

const char *ptx_space_name(enum ptx_space space)
{
	return space_names[space];
}

const char *ptx_sreg_name(enum ptx_sreg sreg)
{
	return sreg_names[sreg];
}
