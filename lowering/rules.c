/* Rows of rules.def: which one fits an opcode, and the sequence that it names. */
#include "lowering/lower.h"

#include <ctype.h>
#include <string.h>

struct rule {
	uint16_t op, mod, mod2;
	const char *types, *sequence[MACHINE_GENERATION_COUNT];
};

static const struct rule rules[] = {
#define RULE(op, mod, mod2, types, volta, ampere, hopper)                                                              \
	{PTX_OP_##op, PTX_MOD_##mod, PTX_MOD_##mod2, types, {volta, ampere, hopper}},
#include "lowering/rules.def"
#undef RULE
};
enum { NRULES = sizeof rules / sizeof rules[0] };

/* Does a type belong to the class that `name` of length `len` is? */
static bool is_of_class(enum ptx_type type, const char *name, size_t len)
{
	enum ptx_type_kind kind = ptx_type_kind(type);
	unsigned bits = ptx_type_bits(type);
	const char *text = ptx_type_name(type);

	if (len == 1 && name[0] == '*')
		return true;
	if (len == 1 && name[0] == 'h')
		return kind == PTX_KIND_FLOAT && (bits == 16 || type == PTX_f16x2 || type == PTX_bf16x2);
	if (name[0] == 'i' && len == 3) {
		unsigned wanted = name[1] == '1' ? 16 : name[1] == '3' ? 32 : 64;

		return (kind == PTX_KIND_BITS || kind == PTX_KIND_UNSIGNED || kind == PTX_KIND_SIGNED) &&
		       (bits < 16 ? 16 : bits) == wanted;
	}
	return strlen(text) == len && !memcmp(text, name, len);
}

static bool ends_with_number(const struct ptx_inst *inst)
{
	uint8_t kind = inst->noperands ? inst->operands[inst->noperands - 1].kind : (uint8_t)PTX_OPERAND_NONE;

	return kind == PTX_OPERAND_INT || kind == PTX_OPERAND_F32;
}

static bool fits(const struct rule *r, const struct ptx_inst *inst)
{
	const struct ptx_opcode *o = inst->opcode;
	const char *from = strchr(r->types, '<');
	size_t len = strcspn(r->types, "<#");

	if (r->mod != PTX_MOD_NONE && !ptx_has_mod(o, (enum ptx_mod)r->mod))
		return false;
	if (r->mod2 != PTX_MOD_NONE && !ptx_has_mod(o, (enum ptx_mod)r->mod2))
		return false;
	if (strchr(r->types, '#') && !ends_with_number(inst))
		return false;
	if (!o->ntypes)
		return !strcmp(r->types, "*");
	if (!is_of_class((enum ptx_type)o->type[0], r->types, len))
		return false;
	return !from || is_of_class((enum ptx_type)o->type[o->ntypes - 1], from + 1, strlen(from + 1));
}

const char *rule_sequence(const struct ptx_inst *inst, enum machine_generation g)
{
	for (unsigned i = 0; i < NRULES; i++)
		if (rules[i].op == inst->opcode->op && fits(&rules[i], inst)) {
			while (g > 0 && !*rules[i].sequence[g])
				g--;
			return rules[i].sequence[g];
		}
	return NULL;
}

/* A row for each space: what loads, stores and atomics in it are. */
static const uint16_t by_space[PTX_SPACE_COUNT][4] = {
    [PTX_SPACE_GENERIC] = {MACHINE_LD, MACHINE_ST, MACHINE_ATOM, MACHINE_RED},
    [PTX_SPACE_CONST] = {MACHINE_LDC, MACHINE_ST, MACHINE_ATOM, MACHINE_RED},
    [PTX_SPACE_GLOBAL] = {MACHINE_LDG, MACHINE_STG, MACHINE_ATOMG, MACHINE_RED},
    [PTX_SPACE_LOCAL] = {MACHINE_LDL, MACHINE_STL, MACHINE_ATOM, MACHINE_RED},
    [PTX_SPACE_PARAM] = {MACHINE_LDC, MACHINE_STL, MACHINE_ATOM, MACHINE_RED},
    [PTX_SPACE_SHARED] = {MACHINE_LDS, MACHINE_STS, MACHINE_ATOMS, MACHINE_ATOMS},
};

enum machine_op memory_op(const struct ptx_opcode *opcode)
{
	const uint16_t *row = by_space[opcode->space];

	if (!row[0])
		row = by_space[PTX_SPACE_GENERIC];
	switch (opcode->op) {
	case PTX_OP_ld:
	case PTX_OP_ldu: return (enum machine_op)row[0];
	case PTX_OP_st: return (enum machine_op)row[1];
	case PTX_OP_atom: return (enum machine_op)row[2];
	case PTX_OP_red: return (enum machine_op)row[3];
	case PTX_OP_tex:
	case PTX_OP_tld4: return MACHINE_TEX_FETCH;
	case PTX_OP_suld: return MACHINE_SULD;
	case PTX_OP_sust: return MACHINE_SUST;
	default: return MACHINE_OP_COUNT;
	}
}

static enum machine_op op_named(const char *name, size_t len)
{
	for (unsigned i = 0; i < MACHINE_OP_COUNT; i++) {
		const char *known = machine_op_name((enum machine_op)i);

		if (strlen(known) == len && !memcmp(known, name, len))
			return (enum machine_op)i;
	}
	BUG("no opcode '%.*s' in machine_ops.def", (int)len, name);
}

bool sequence_next(const char **at, enum machine_op *op, unsigned *count)
{
	size_t len;

	*at += strspn(*at, " |");
	if (!**at || **at == '-')
		return false;
	len = strcspn(*at, " *");
	*op = op_named(*at, len);
	*at += len;
	*count = 1;
	if (**at == '*') {
		*count = 0;
		for (++*at; isdigit((unsigned char)**at); ++*at)
			*count = *count * 10 + (unsigned)(**at - '0');
	}
	return true;
}
