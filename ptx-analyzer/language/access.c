/* Facts about memory instructions beyond their row in ptx_ops.def, and the spelling of a marked load. */
#include "ptx-analyzer/language/access.h"

#include <string.h>

enum ptx_space ptx_address_space(const struct ptx_opcode *opcode, unsigned nth)
{
	if (opcode->cls == PTX_CLASS_BARRIER || nth > 1)
		return PTX_SPACE_SHARED;
	return nth == 1 && opcode->space2 != PTX_SPACE_GENERIC ? opcode->space2 : opcode->space;
}

bool ptx_hides_memory(enum ptx_op op, enum ptx_space space)
{
	switch (op) {
	case PTX_OP_cp_async_bulk_tensor:
	case PTX_OP_cp_reduce_async_bulk_tensor:
	case PTX_OP_multimem_ld_reduce:
	case PTX_OP_multimem_st:
	case PTX_OP_multimem_red:
	case PTX_OP_multimem_cp_async_bulk:
	case PTX_OP_multimem_cp_reduce_async_bulk: return space != PTX_SPACE_SHARED;
	default: return false;
	}
}

/* --- Marks --- */

/* What a modifier means for the mark; any other stands behind it. */
enum { IMPLIED, BEFORE, BEHIND };
static const struct {
	const char *text;
	uint8_t length, place;
	uint16_t mod;
	const char *obstacle; /* why a load with it is never marked */
} words[] = {
#define WORD(text, place) {text, sizeof text - 1, place, PTX_MOD_NONE, NULL}
#define OBSTACLE(text, mod, why) {text, sizeof text - 1, BEHIND, mod, why}
    /* .weak is the default and not allowed beside .nc; .global and the mark are added. */
    WORD("weak", IMPLIED),
    WORD("global", IMPLIED),
    WORD("nc", IMPLIED),
    WORD("ro", IMPLIED),
    /* Cache operators stand in front of the mark. */
    WORD("ca", BEFORE),
    WORD("cg", BEFORE),
    WORD("cs", BEFORE),
    OBSTACLE("volatile", PTX_MOD_volatile, "a volatile load is never marked"),
    OBSTACLE("relaxed", PTX_MOD_relaxed, "an atomic load (.relaxed) is never marked"),
    OBSTACLE("acquire", PTX_MOD_acquire, "an atomic load (.acquire) is never marked"),
    OBSTACLE("mmio", PTX_MOD_mmio, "an .mmio load is never marked"),
    OBSTACLE("cv", PTX_MOD_cv, "a load that must not be cached (.cv) is never marked"),
    OBSTACLE("lu", PTX_MOD_lu, "a last-use load (.lu) cannot carry the mark"),
    OBSTACLE("unified", PTX_MOD_unified, "a .unified load cannot carry the mark"),
#undef OBSTACLE
#undef WORD
};
enum { NWORDS = sizeof words / sizeof *words };

bool ptx_listens(const struct ptx_opcode *opcode)
{
	unsigned order = opcode->group[PTX_GROUP_ORDER];

	if (opcode->group[PTX_GROUP_SCOPE] == PTX_MOD_cta)
		return false;
	switch (opcode->op) {
	case PTX_OP_fence:
	case PTX_OP_membar: return true;
	/* Shared memory counts: a cluster's CTAs, which share it, write global memory as well. */
	case PTX_OP_atom: return order == PTX_MOD_acquire || order == PTX_MOD_acq_rel;
	case PTX_OP_ld:
		return order != PTX_MOD_NONE && order != PTX_MOD_weak &&
		       (opcode->space == PTX_SPACE_GENERIC || opcode->space == PTX_SPACE_GLOBAL);
	default: return false;
	}
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

/* Row of modifier text[0..len), or -1. */
static int find_word(const char *text, size_t len)
{
	for (int i = 0; i < NWORDS; i++)
		if (words[i].length == len && memcmp(words[i].text, text, len) == 0)
			return i;
	return -1;
}

/* More than a spelling that the parser takes can have. */
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
		mods[count].place = word < 0 ? BEHIND : words[word].place;
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
