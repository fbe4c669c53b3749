/* What the facts of ptx_ops.def mean for an instruction as it is spelled, and the spelling of a marked load. */
#include "ptx-analyzer/language/module/ptx_access.h"

#include <string.h>

static bool has_fact(enum ptx_op op, char letter)
{
	return op != PTX_OP_invalid && strchr(ptx_op_table[op].facts, letter);
}

/* Their addresses are always of shared memory, or of a barrier or a tensor core's memory, written so or not. */
static bool is_never_global(const struct ptx_opcode *opcode)
{
	if (has_fact(opcode->op, 'u'))
		return !ptx_has_mod(opcode, PTX_MOD_mmio) && !ptx_has_mod(opcode, PTX_MOD_release);
	return has_fact(opcode->op, 's');
}

enum ptx_space ptx_address_space(const struct ptx_opcode *opcode, unsigned nth)
{
	if (opcode->cls == PTX_CLASS_BARRIER || nth > 1 || is_never_global(opcode))
		return PTX_SPACE_SHARED;
	return nth == 1 && opcode->space2 != PTX_SPACE_GENERIC ? opcode->space2 : opcode->space;
}

bool ptx_next_address(const struct ptx_inst *inst, struct ptx_address *a)
{
	while (a->next < inst->noperands) {
		a->operand = a->next++;
		a->role = ptx_operand_role(inst, a->operand);
		if (a->role != PTX_ROLE_LOAD && a->role != PTX_ROLE_STORE && a->role != PTX_ROLE_ATOMIC)
			continue;
		a->space = ptx_address_space(inst->opcode, a->count++);
		return true;
	}
	return false;
}

bool ptx_hides_memory(enum ptx_op op, enum ptx_space space)
{
	return has_fact(op, 'h') && space != PTX_SPACE_SHARED;
}

/* --- Marks --- */

/*
 * The effect of a modifier: the mark implies it, or it comes before the mark, or behind it as any other modifier does.
 */
enum { IMPLIED, BEFORE, BEHIND };
static const struct {
	uint16_t mod;
	uint8_t place;
	const char *obstacle; /* why a load with it is never marked */
} words[] = {
    /* .weak is the default and not allowed beside .nc; .global and the mark are added. */
    {PTX_MOD_weak, IMPLIED, NULL},
    {PTX_MOD_nc, IMPLIED, NULL},
    {PTX_MOD_ro, IMPLIED, NULL},
    /* Cache operators come before the mark. */
    {PTX_MOD_ca, BEFORE, NULL},
    {PTX_MOD_cg, BEFORE, NULL},
    {PTX_MOD_cs, BEFORE, NULL},
    {PTX_MOD_volatile, BEHIND, "a volatile load is never marked"},
    {PTX_MOD_relaxed, BEHIND, "an atomic load (.relaxed) is never marked"},
    {PTX_MOD_acquire, BEHIND, "an atomic load (.acquire) is never marked"},
    {PTX_MOD_mmio, BEHIND, "an .mmio load is never marked"},
    {PTX_MOD_cv, BEHIND, "a load that must not be cached (.cv) is never marked"},
    {PTX_MOD_lu, BEHIND, "a last-use load (.lu) cannot carry the mark"},
    {PTX_MOD_unified, BEHIND, "a .unified load cannot carry the mark"},
};
enum { NWORDS = sizeof words / sizeof *words };

bool ptx_listens(const struct ptx_opcode *opcode)
{
	unsigned order = opcode->group[PTX_GROUP_ORDER];

	if (opcode->group[PTX_GROUP_SCOPE] == PTX_MOD_cta)
		return false;
	if (has_fact(opcode->op, 'f'))
		return true;
	/* Shared memory counts: a cluster's CTAs, which share it, write global memory as well. */
	if (has_fact(opcode->op, 'a'))
		return order == PTX_MOD_acquire || order == PTX_MOD_acq_rel;
	return has_fact(opcode->op, 'o') && order != PTX_MOD_NONE && order != PTX_MOD_weak &&
	       (opcode->space == PTX_SPACE_GENERIC || opcode->space == PTX_SPACE_GLOBAL);
}

bool ptx_is_promised(const struct ptx_opcode *opcode)
{
	return opcode->op == PTX_OP_ld && ptx_has_mod(opcode, PTX_MOD_nc);
}

const char *ptx_mark_obstacle(const struct ptx_opcode *opcode)
{
	/* A fetch needs no other spelling: it reads past the caches that are kept coherent anyway. */
	if (opcode->op == PTX_OP_tex || opcode->op == PTX_OP_tld4)
		return NULL;
	if (opcode->op != PTX_OP_ld)
		return "only ld instructions and texture fetches can carry the mark";
	for (int i = 0; i < NWORDS; i++)
		if (words[i].obstacle && ptx_has_mod(opcode, words[i].mod))
			return words[i].obstacle;
	return NULL;
}

static bool is_name(const char *name, const char *text, size_t len)
{
	return strlen(name) == len && memcmp(name, text, len) == 0;
}

/* Row of modifier text[0..len), or -1. */
static int find_word(const char *text, size_t len)
{
	for (int i = 0; i < NWORDS; i++)
		if (is_name(ptx_mod_name(words[i].mod), text, len))
			return i;
	return -1;
}

static int place_of(int word, const char *text, size_t len)
{
	if (word >= 0)
		return words[word].place;
	return is_name(ptx_space_name(PTX_SPACE_GLOBAL), text, len) ? IMPLIED : BEHIND;
}

/* More modifiers than any spelling that the parser accepts. */
enum { MOST_MODIFIERS = 128 };

bool ptx_spell_load(const char *text, size_t len, enum load_mark mark, struct strbuf *out)
{
	struct {
		const char *text; /* with its dot */
		size_t len;
		int place;
	} mods[MOST_MODIFIERS];
	const char *end = text + len, *at = memchr(text, '.', len);
	unsigned count = 0;

	for (; at && at < end && count < MOST_MODIFIERS; count++) {
		const char *next = memchr(at + 1, '.', (size_t)(end - at - 1));
		size_t length = (size_t)((next ? next : end) - at);
		int word = find_word(at + 1, length - 1);

		if (word >= 0 && words[word].obstacle && mark != LOAD_KEEP)
			return false;
		mods[count].text = at;
		mods[count].len = length;
		mods[count].place = place_of(word, at + 1, length - 1);
		at = next;
	}
	if (at && at < end)
		return false;
	strbuf_adds(out, "ld.global");
	for (unsigned i = 0; i < count; i++)
		if (mods[i].place == BEFORE)
			strbuf_add(out, mods[i].text, mods[i].len);
	if (mark != LOAD_KEEP) {
		strbuf_addc(out, '.');
		strbuf_adds(out, load_mark_names[mark]);
	}
	for (unsigned i = 0; i < count; i++)
		if (mods[i].place == BEHIND)
			strbuf_add(out, mods[i].text, mods[i].len);
	return true;
}
