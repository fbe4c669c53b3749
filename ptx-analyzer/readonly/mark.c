/* Marking: which spellings of a load may carry the mark, and how the marked load is spelled. */
#include "ptx-analyzer/readonly/kernel.h"

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

const char *mark_obstacle(const struct ptx_opcode *opcode)
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

/* Is modifier text[0..len), without its dot, one that stands before the mark: ld.global.cg.nc? */
static bool stands_before(const char *text, size_t len)
{
	return len == 2 && (memcmp(text, "ca", 2) == 0 || memcmp(text, "cg", 2) == 0 || memcmp(text, "cs", 2) == 0);
}

static bool is_word(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(text, word, len) == 0;
}

/*
 * "ld.weak.global.cg.v2.f32" -> "ld.global.cg.ro.v2.f32": .global made explicit, .weak (the default, not allowed
 * beside .nc) left out, the mark behind the cache operator and before everything else.
 */
static void spell(const char *old, const char *mark, struct strbuf *out)
{
	struct strbuf rest = STRBUF_INIT;

	strbuf_adds(out, "ld.global");
	for (const char *word = strchr(old, '.'); word; word = strchr(word + 1, '.')) {
		size_t len = strcspn(word + 1, ".");

		if (is_word(word + 1, len, "weak") || is_word(word + 1, len, "global") ||
		    is_word(word + 1, len, "nc") || is_word(word + 1, len, "ro"))
			continue;
		strbuf_add(stands_before(word + 1, len) ? out : &rest, word, len + 1);
	}
	strbuf_adds(out, mark);
	strbuf_add(out, rest.data ? rest.data : "", rest.len);
	strbuf_release(&rest);
}

static const struct ptx_opcode *marked_opcode(struct ptx_module *m, const struct ptx_opcode *opcode, const char *mark)
{
	struct strbuf text = STRBUF_INIT;
	const struct ptx_opcode *marked;

	spell(opcode->text, mark, &text);
	marked = ptx_intern_opcode(m, text.data);
	strbuf_release(&text);
	return marked;
}

/* How a load is to be spelled: with the mark, or without a `.ro` that it must not have. NULL = as it is. */
static const struct ptx_opcode *respelled(struct ptx_analysis *a, const struct ptx_opcode *opcode,
					  enum mark_state state, enum load_mark mark)
{
	if (state == MARK_ALLOWED)
		return marked_opcode(a->module, opcode, mark == LOAD_RO ? ".ro" : ".nc");
	return ptx_has_mod(opcode, PTX_MOD_ro) ? marked_opcode(a->module, opcode, "") : NULL;
}

static size_t mark_function(struct ptx_analysis *a, uint32_t index, enum load_mark mark)
{
	struct ptx_function *f = &a->module->functions[index];
	const struct ptx_opcode *last = NULL, *spelling = NULL;
	enum mark_state last_state = MARK_UNSEEN;
	size_t changed = 0;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		enum mark_state state = a->marks[index] ? a->marks[index][i] : MARK_UNSEEN;
		const struct ptx_opcode *opcode = f->insts[i].opcode;

		if (opcode->op != PTX_OP_ld)
			continue;
		if (opcode != last || state != last_state)
			spelling = respelled(a, opcode, state, mark);
		last = opcode;
		last_state = state;
		if (!spelling || spelling == opcode)
			continue;
		f->insts[i].opcode = spelling;
		changed++;
	}
	return changed;
}

bool ptx_is_marked(const struct ptx_analysis *a, uint32_t function, uint32_t inst)
{
	return a->marks[function] && a->marks[function][inst] == MARK_ALLOWED;
}

size_t ptx_mark_loads(struct ptx_analysis *a, enum load_mark mark)
{
	size_t changed = 0;

	if (mark == LOAD_KEEP)
		return 0;
	for (uint32_t f = 0; f < a->module->nfunctions; f++)
		changed += mark_function(a, f, mark);
	return changed;
}
