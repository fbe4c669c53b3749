/*
 * From which places of a structure's memory a kernel loads pointers. A launch takes only the words there for pointers:
 * in an array of `struct {const float *data; int w, h;}` the word of the two numbers may be any address.
 *
 * Numbers of less than 8 bytes are never a whole pointer. What is put together from such numbers of memory is unknown
 * (flow_assemble), and so is a word that is changed by more than adding to it. So an address that a launch looks up has
 * been loaded in one piece.
 */
#include "ptx-analyzer/readonly/ptx_kernel.h"

enum { MANY_WORDS = 16, WORD_BYTES = 8 };

struct words {
	struct word_place places[MANY_WORDS];
	uint32_t count;
	bool any; /* from any place */
};

static bool leads_to(const struct word_place *p, int64_t at)
{
	return p->step ? (at - p->at) % p->step == 0 : at == p->at;
}

static void add_word(struct words *w, struct word_place place)
{
	for (uint32_t i = 0; i < w->count; i++)
		if (w->places[i].step == place.step && leads_to(&w->places[i], place.at))
			return;
	w->any |= w->count == MANY_WORDS || (place.step && place.step <= WORD_BYTES);
	if (!w->any)
		w->places[w->count++] = place;
}

/* Adds the words that an access of the holder's memory loads. Others than plain loads may load from anywhere near. */
static void add_access(struct words *w, const struct kernel *k, const struct kernel_access *a)
{
	const struct ptx_inst *inst = access_inst(k, a);
	unsigned bytes, all;

	if (inst->opcode->op != PTX_OP_ld && inst->opcode->op != PTX_OP_ldu) {
		w->any = true;
		return;
	}
	bytes = flow_type_bits(inst) / 8;
	all = inst->operands[0].kind == PTX_OPERAND_VEC ? bytes * inst->operands[0].count : bytes;
	if (bytes < WORD_BYTES)
		return;
	w->any |= a->step == 1 || a->at < INT32_MIN || a->at > INT32_MAX;
	for (unsigned i = 0; i < all && !w->any; i += WORD_BYTES)
		add_word(w, (struct word_place){a->at + i, a->step});
}

/* Is the memory at a pointer that a launch knows, and that nobody but accesses of the kernel reads? */
static bool is_plain_holder(const struct kernel *k, uint32_t structure)
{
	const struct structure *s = &k->facts.structures[structure];

	if (s->is_image || k->notes.data[structure].constant)
		return false;
	return s->kind == STRUCTURE_PARAM || s->kind == STRUCTURE_VARIABLE ||
	       (s->kind == STRUCTURE_FIELD && s->param_bytes == WORD_BYTES);
}

static void find_words(struct kernel *k, struct structure *s)
{
	struct words w = {.count = 0};

	for (size_t i = 0; i < k->work.len && !w.any; i++)
		if ((k->work.data[i].flags & ACCESS_LOAD) &&
		    set_has(k->owner->sets, k->work.data[i].set, STRUCT_ELEM(s->holder)))
			add_access(&w, k, &k->work.data[i]);
	if (w.any || !w.count)
		return;
	s->words = arena_memdup(&k->owner->arena, w.places, w.count * sizeof *w.places);
	s->nwords = w.count;
}

void kernel_find_words(struct kernel *k)
{
	for (uint32_t i = 0; i < k->facts.nstructures; i++) {
		struct structure *s = &k->facts.structures[i];

		if (s->kind == STRUCTURE_POINTEE && !s->at_word && is_plain_holder(k, s->holder))
			find_words(k, s);
	}
}
