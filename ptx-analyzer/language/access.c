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

static const struct {
	enum ptx_mod mod;
	const char *why;
} obstacles[] = {
    {PTX_MOD_volatile, "a volatile load is never marked"},
    {PTX_MOD_relaxed, "an atomic load (.relaxed) is never marked"},
    {PTX_MOD_acquire, "an atomic load (.acquire) is never marked"},
    {PTX_MOD_mmio, "an .mmio load is never marked"},
    {PTX_MOD_cv, "a load that must not be cached (.cv) is never marked"},
    {PTX_MOD_lu, "a last-use load (.lu) cannot carry the mark"},
    {PTX_MOD_unified, "a .unified load cannot carry the mark"},
};

const char *ptx_mark_obstacle(const struct ptx_opcode *opcode)
{
	/* A fetch needs no other spelling: it reads past the caches that are kept coherent anyway. */
	if (opcode->op == PTX_OP_tex || opcode->op == PTX_OP_tld4)
		return NULL;
	if (opcode->op != PTX_OP_ld)
		return "only ld instructions and texture fetches can carry the mark";
	for (size_t i = 0; i < sizeof obstacles / sizeof *obstacles; i++)
		if (ptx_has_mod(opcode, obstacles[i].mod))
			return obstacles[i].why;
	return NULL;
}

static bool is_word(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(text, word, len) == 0;
}

/* Is modifier text[0..len), without its dot, one that stands before the mark: ld.global.cg.nc? */
static bool stands_before(const char *text, size_t len)
{
	return is_word(text, len, "ca") || is_word(text, len, "cg") || is_word(text, len, "cs");
}

/* Left out of what is spelled: .weak is the default and not allowed beside .nc, .global and the mark are added. */
static bool is_implied(const char *text, size_t len)
{
	return is_word(text, len, "weak") || is_word(text, len, "global") || is_word(text, len, "nc") ||
	       is_word(text, len, "ro");
}

static bool is_obstacle(const char *text, size_t len)
{
	for (size_t i = 0; i < sizeof obstacles / sizeof *obstacles; i++)
		if (is_word(text, len, ptx_mod_name(obstacles[i].mod)))
			return true;
	return false;
}

/* The next modifier of text[0..len) from *at on, without its dot; its length, or 0 at the end. */
static size_t next_word(const char *text, size_t len, size_t *at)
{
	size_t end;

	while (*at < len && text[*at] != '.')
		(*at)++;
	end = ++*at;
	while (end < len && text[end] != '.')
		end++;
	return *at < len ? end - *at : 0;
}

bool ptx_spell_load(const char *text, size_t len, enum load_mark mark, struct strbuf *out)
{
	size_t word;

	for (size_t at = 0; mark != LOAD_KEEP && (word = next_word(text, len, &at));)
		if (is_obstacle(text + at, word))
			return false;
	strbuf_adds(out, "ld.global");
	for (size_t at = 0; (word = next_word(text, len, &at));)
		if (stands_before(text + at, word))
			strbuf_add(out, text + at - 1, word + 1);
	if (mark != LOAD_KEEP)
		strbuf_addf(out, ".%s", load_mark_names[mark]);
	for (size_t at = 0; (word = next_word(text, len, &at));)
		if (!stands_before(text + at, word) && !is_implied(text + at, word))
			strbuf_add(out, text + at - 1, word + 1);
	return true;
}
