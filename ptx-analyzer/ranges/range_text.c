/* The texts of a kernel's accesses: each is worked out once, with the conditions under which it says something. */
#include "ptx-analyzer/ranges/range_text.h"

#include "ptx-analyzer/ranges/symbolic.h"

#include <string.h>

struct access_text {
	struct between address;
	uint64_t bytes;
	struct condition *conditions;
	size_t nconditions;
	const char *why; /* it has no bound */
};

struct range_texts {
	const struct kernel_ranges *k;
	atom_list atoms;
	struct arena arena;
	struct access_text *texts; /* per access of the kernel's ranges */
};

/* --- Reasons --- */

enum { MOST_NODES = 4096 };

/* Why the address has no bound: what is found first among all that it is made of, loaded numbers before others. */
static const char *reason_of(const struct kernel_ranges *k, node_id address)
{
	const char *found = "romark has no sum for a step of its address";
	bool *seen = xcalloc(k->nodes.len + 1, sizeof *seen);
	VEC(node_id) work = VEC_INIT;
	bool loaded = false, unknown = false, loop = false;

	vec_push(&work, address);
	for (unsigned n = 0; work.len && n < MOST_NODES; n++) {
		node_id id = vec_pop(&work);
		const struct range_node *node;

		if (id == NO_NODE || seen[id])
			continue;
		seen[id] = true;
		node = &k->nodes.data[id];
		loaded |= node->op == NODE_LOADED || (node->op == NODE_UNKNOWN && node->number == 1);
		unknown |= node->op == NODE_UNKNOWN && node->number == 0;
		loop |= node->op == NODE_PHI && node->comes_back;
		for (uint32_t i = 0; node->op == NODE_PHI && i < k->function->blocks[node->block].npred; i++)
			vec_push(&work, node->args[i]);
		if (node->op <= NODE_PHI)
			continue;
		vec_push(&work, node->op == NODE_SELECT ? NO_NODE : node->a);
		vec_push(&work, node->b);
		vec_push(&work, node->c);
	}
	vec_release(&work);
	free(seen);
	if (loaded)
		found = "a number from memory is in its address";
	else if (unknown)
		found = "a number that romark does not follow is in its address";
	else if (loop)
		found = "its loop has no bound that romark knows";
	return found;
}

/* --- Making --- */

static void make_text(struct symbolic *s, struct arena *arena, const struct node_access *a, struct access_text *t)
{
	s->conditions.len = 0;
	s->work = 0;
	s->access++;
	t->address = between_at(s, a->address, a->context, 0);
	t->bytes = a->bytes;
	if (s->conditions.len)
		t->conditions = arena_memdup(arena, s->conditions.data, s->conditions.len * sizeof *t->conditions);
	t->nconditions = s->conditions.len;
	if (!t->address.low.known && !t->address.high.known)
		t->why = reason_of(s->k, a->address);
}

struct range_texts *ptx_range_texts(const struct kernel_ranges *k)
{
	struct range_texts *t = xcalloc(1, sizeof *t);
	struct symbolic *s = xcalloc(1, sizeof *s);

	t->k = k;
	s->k = k;
	s->busy = xcalloc(k->nodes.len + 1, sizeof *s->busy);
	s->cuts = xcalloc(k->nodes.len + 1, sizeof *s->cuts);
	t->texts = arena_array(&t->arena, struct access_text, k->accesses.len + 1);
	for (size_t i = 0; k->known && i < k->accesses.len; i++)
		make_text(s, &t->arena, &k->accesses.data[i], &t->texts[i]);
	t->atoms.data = s->atoms.data;
	t->atoms.len = s->atoms.len;
	t->atoms.cap = s->atoms.cap;
	vec_release(&s->conditions);
	free(s->busy);
	free(s->cuts);
	free(s);
	return t;
}

void ptx_range_texts_free(struct range_texts *t)
{
	if (!t)
		return;
	vec_release(&t->atoms);
	arena_release(&t->arena);
	free(t);
}

static const struct access_text *text_of(const struct range_texts *t, uint32_t inst)
{
	uint32_t access = t->k->known ? t->k->access_of[inst] : PTX_NONE;

	return access == PTX_NONE ? NULL : &t->texts[access];
}

/* --- Text --- */

/* Takes the base out of the sum, where it is in there once. */
static bool take_base(const atom_list *atoms, const struct range_base *base, struct sum *s)
{
	enum atom_kind kind = base->is_variable ? ATOM_VARIABLE : ATOM_PARAM;

	for (unsigned i = 0; s->known && i < s->count; i++) {
		const struct term *t = &s->terms[i];
		const struct atom *a = t->atoms[0] ? &atoms->data[t->atoms[0] - 1] : NULL;

		if (t->number != 1 || !a || t->atoms[1] || a->kind != kind || a->number != base->number ||
		    a->width != 64)
			continue;
		memmove(&s->terms[i], &s->terms[i + 1], (s->count - i - 1u) * sizeof *t);
		s->count--;
		return true;
	}
	return !s->known;
}

bool ptx_range_text(const struct range_texts *t, uint32_t inst, const struct range_base *bases, size_t count,
		    const struct sum_names *names, struct strbuf *out)
{
	const struct access_text *text = text_of(t, inst);

	if (!text || text->why) {
		strbuf_addf(out, "unknown: %s", text ? text->why : "romark does not follow this kind of access");
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		struct sum low = text->address.low, high = sum_add(text->address.high, sum_of((int64_t)text->bytes));

		if (!take_base(&t->atoms, &bases[i], &low) || !take_base(&t->atoms, &bases[i], &high))
			continue;
		strbuf_addf(out, "%s[", bases[i].name);
		if (low.known)
			sum_text(&t->atoms, &low, names, out);
		strbuf_adds(out, " .. ");
		if (high.known)
			sum_text(&t->atoms, &high, names, out);
		strbuf_addc(out, ')');
		return true;
	}
	strbuf_adds(out, "unknown: its address is not one pointer and a sum");
	return false;
}

/* --- At a launch --- */

static bool holds(const struct range_texts *t, const struct condition *c, const struct range_launch *launch)
{
	int64_t number;

	if (!sum_evaluate(&t->atoms, &c->sum, launch, &number))
		return false;
	if (c->multiple && number % c->multiple)
		return false;
	if (!c->width)
		return number >= 0;
	return c->width >= 64 || (number >= -((int64_t)1 << (c->width - 1)) && number < (int64_t)1 << (c->width - 1));
}

struct byte_range ptx_range_text_evaluate(const struct range_texts *t, uint32_t inst, const struct range_launch *launch)
{
	const struct byte_range unknown = {RANGE_UNKNOWN, 0, 0};
	const struct access_text *text = text_of(t, inst);
	int64_t low, high;

	if (!text || text->why || !sum_evaluate(&t->atoms, &text->address.low, launch, &low) ||
	    !sum_evaluate(&t->atoms, &text->address.high, launch, &high))
		return unknown;
	for (size_t i = 0; i < text->nconditions; i++)
		if (!holds(t, &text->conditions[i], launch))
			return unknown;
	if (high < low)
		return (struct byte_range){RANGE_NEVER, 0, 0};
	if (low < 0)
		return unknown;
	return (struct byte_range){RANGE_KNOWN, (uint64_t)low, (uint64_t)high + text->bytes - 1};
}
