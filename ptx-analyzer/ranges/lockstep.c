/*
 * What a node is besides its own operation, where the two are equal modulo 2 to its width.
 *
 * Variables of a loop that each round moves by a constant go in lockstep: a pointer p that moves by 16 while j moves by
 * 4 is always p0 + 4 * (j - j0). So what a test says of j it says of p as well, and p0 - 4 * j0 is often less than its
 * parts, as where p begins at x + 4 * j0. If j is narrower than p, that holds as long as j does not go round the end of
 * its numbers: a launch looks at all that j is.
 *
 * Where a loop ends by j == n, each variable has a value that is known: that of j there is n. Where all ways to a PHI
 * lead to the same sum, the PHI is this sum.
 *
 * And j cannot come closer to n than what their distance is a multiple of, as where j goes by 4 and n - j0 is
 * x - x % 4.
 */
#include "ptx-analyzer/ranges/linear.h"

#include <string.h>

enum {
	MOST_ALTERNATIVES = 4, /* of one node */
	MOST_CONTEXTS = 8,     /* looked at upwards from an edge */
	MOST_REPLACED = 4,
};

/* A PHI of a loop's header: what it begins with, and what each round adds. */
struct variable {
	node_id phi;
	struct linear first, step;
	bool tested; /* a test of the loop is of it */
};

struct lockstep {
	struct kernel_ranges *k;
	const struct linear **same; /* per node, or NULL */
	uint32_t *variable_of;      /* per node: in `variables`, or PTX_NONE */
	size_t nodes;               /* of the kernel itself */
	VEC(struct variable) variables;
};

/* --- Nodes --- */

static node_id add_node(struct kernel_ranges *k, struct range_node n, uint32_t block)
{
	n.block = block;
	n.needed = true;
	vec_push(&k->nodes, n);
	return (node_id)k->nodes.len - 1;
}

static node_id add_constant(struct kernel_ranges *k, uint64_t number, unsigned width, uint32_t block)
{
	return add_node(
	    k, (struct range_node){.op = NODE_CONSTANT, .width = (uint8_t)width, .number = number & width_mask(width)},
	    block);
}

static node_id add_operation(struct kernel_ranges *k, enum node_op op, node_id a, node_id b, uint32_t block)
{
	struct range_node n = {.op = (uint8_t)op, .width = k->nodes.data[a].width, .a = a, .b = b, .c = NO_NODE};

	return add_node(k, n, block);
}

static node_id add_sum(struct kernel_ranges *k, const struct linear *a, uint32_t block)
{
	node_id sum = a->constant || a->count == 0 ? add_constant(k, a->constant, a->width, block) : NO_NODE;

	for (unsigned i = 0; i < a->count; i++) {
		node_id term = a->terms[i].node;

		need_node(k, term);
		if (a->terms[i].factor != 1)
			term = add_operation(k, NODE_MUL, term, add_constant(k, a->terms[i].factor, a->width, block),
					     block);
		sum = sum == NO_NODE ? term : add_operation(k, NODE_ADD, sum, term, block);
	}
	return sum;
}

static void add_alternative(struct kernel_ranges *k, node_id node, struct node_alternative alternative)
{
	struct range_node *n = &k->nodes.data[node];

	if (alternative.is == node || n->nalternatives == MOST_ALTERNATIVES)
		return;
	if (n->nalternatives++ == 0)
		n->alternatives = (uint32_t)k->alternatives.len;
	vec_push(&k->alternatives, alternative);
}

/* x & 3, and what the sum is with x - (x & ~3) in its place, if that is no more. */
static bool without_rest(struct lockstep *l, const struct linear *a, uint32_t block, struct linear *other)
{
	struct kernel_ranges *k = l->k;

	for (unsigned i = 0; i < a->count; i++) {
		const struct range_node n = k->nodes.data[a->terms[i].node];
		struct linear x, none = linear_constant(0, a->width), whole;
		uint64_t mask;

		if (n.op != NODE_AND || k->nodes.data[n.b].op != NODE_CONSTANT)
			continue;
		mask = k->nodes.data[n.b].number;
		if (mask == 0 || (mask & (mask + 1)))
			continue;
		x = linear_of(k, l->same, n.a);
		*other = linear_replace(a, a->terms[i].node, &none);
		*other = linear_add(*other, a->terms[i].factor, &x);
		if (!other->known || other->count >= a->count)
			continue;
		whole = linear_node(k, add_operation(k, NODE_AND, n.a, add_constant(k, ~mask, n.width, block), block));
		*other = linear_add(*other, 0 - a->terms[i].factor, &whole);
		return other->known;
	}
	return false;
}

/* The node is this sum. */
static void add_equal(struct lockstep *l, node_id node, const struct linear *a, struct node_alternative alternative)
{
	uint32_t block = l->k->nodes.data[node].block;
	struct linear other;

	alternative.is = add_sum(l->k, a, block);
	add_alternative(l->k, node, alternative);
	if (!without_rest(l, a, block, &other))
		return;
	alternative.is = add_sum(l->k, &other, block);
	add_alternative(l->k, node, alternative);
}

/* All of it was computed before the block. */
static bool is_ahead(const struct kernel_ranges *k, const struct linear *a, uint32_t block)
{
	for (unsigned i = 0; i < a->count; i++) {
		uint32_t from = k->nodes.data[a->terms[i].node].block;

		if (from == block || !ssa_dominates(k, from, block))
			return false;
	}
	return a->known;
}

/* --- Variables --- */

static bool is_round(const struct kernel_ranges *k, uint32_t header, uint32_t place)
{
	uint32_t from = k->function->blocks[header].pred[place];

	return k->function->blocks[from].reachable && ssa_dominates(k, header, from);
}

/* The only way into the loop, or npred. */
static uint32_t only_entry(const struct kernel_ranges *k, uint32_t header)
{
	const struct ptx_block *b = &k->function->blocks[header];
	uint32_t found = b->npred;

	for (uint32_t i = 0; i < b->npred; i++) {
		if (!k->function->blocks[b->pred[i]].reachable || is_round(k, header, i))
			continue;
		if (found != b->npred)
			return b->npred;
		found = i;
	}
	return found;
}

/* What every round adds, which is the same in all of them. */
static bool step_of(struct lockstep *l, node_id phi, struct linear *step)
{
	struct kernel_ranges *k = l->k;
	const struct range_node *n = &k->nodes.data[phi];
	struct linear itself = linear_node(k, phi);
	bool any = false;

	for (uint32_t i = 0; i < k->function->blocks[n->block].npred; i++) {
		struct linear end, added;

		if (!is_round(k, n->block, i))
			continue;
		end = linear_of(k, l->same, n->args[i]);
		added = linear_sub(&end, &itself);
		if (!is_ahead(k, &added, n->block) || (any && !linear_equal(&added, step)))
			return false;
		*step = added;
		any = true;
	}
	return any && (step->count || step->constant);
}

static void find_variable(struct lockstep *l, node_id phi, uint32_t entry)
{
	struct variable v = {.phi = phi};

	if (!step_of(l, phi, &v.step))
		return;
	v.first = linear_of(l->k, l->same, l->k->nodes.data[phi].args[entry]);
	if (!is_ahead(l->k, &v.first, l->k->nodes.data[phi].block))
		return;
	l->variable_of[phi] = (uint32_t)l->variables.len;
	vec_push(&l->variables, v);
}

static void find_tested(struct lockstep *l, const struct range_loop *loop)
{
	for (uint32_t i = loop->test; i < loop->test + loop->ntests; i++) {
		uint32_t v = l->variable_of[l->k->tests.data[i].phi];

		if (v != PTX_NONE)
			l->variables.data[v].tested = true;
	}
}

/* --- Two variables of one loop --- */

static bool constant_step(const struct variable *v, int64_t *step)
{
	uint64_t bits;
	bool is = linear_is_constant(&v->step, &bits);

	*step = width_signed(bits, v->step.width);
	return is;
}

/* By which one step is more than the other, of the same width. */
static bool ratio(const struct variable *p, const struct variable *j, uint64_t *factor)
{
	struct linear scaled = linear_constant(0, j->step.width);
	int64_t by_p, by_j;

	if (constant_step(p, &by_p) && constant_step(j, &by_j)) {
		if (by_p == INT64_MIN || by_p % by_j)
			return false;
		*factor = (uint64_t)(by_p / by_j);
		return true;
	}
	if (p->step.width != j->step.width || j->step.count != 1 || j->step.terms[0].factor != 1)
		return false;
	*factor = linear_factor(&p->step, j->step.terms[0].node);
	scaled = linear_add(scaled, *factor, &j->step);
	return *factor && linear_equal(&scaled, &p->step);
}

/* The same where p's step is that of j, widened and multiplied. */
static bool wide_ratio(const struct kernel_ranges *k, const struct variable *p, const struct variable *j,
		       enum node_op widening, uint64_t *factor)
{
	const struct range_node *n = &k->nodes.data[p->step.count ? p->step.terms[0].node : p->phi];

	if (p->step.count == 0 && j->step.count == 0)
		return ratio(p, j, factor);
	if (p->step.count != 1 || p->step.constant || j->step.count != 1 || j->step.constant ||
	    j->step.terms[0].factor != 1 || n->op != widening || n->a != j->step.terms[0].node)
		return false;
	*factor = p->step.terms[0].factor;
	return true;
}

/* What j begins with, widened, as far as it is a number or part of what p begins with. */
static bool wide_first(const struct lockstep *l, const struct variable *p, const struct variable *j,
		       enum node_op widening, struct linear *first)
{
	unsigned width = p->first.width;
	uint64_t number;

	if (linear_is_constant(&j->first, &number)) {
		*first = linear_constant(
		    widening == NODE_SEXT ? (uint64_t)width_signed(number, j->first.width) : number, width);
		return true;
	}
	for (unsigned i = 0; i < p->first.count; i++) {
		const struct range_node *n = &l->k->nodes.data[p->first.terms[i].node];
		struct linear of;

		if (n->op != widening || l->k->nodes.data[n->a].width != j->first.width)
			continue;
		of = linear_of(l->k, l->same, n->a);
		if (linear_equal(&of, &j->first)) {
			*first = linear_node(l->k, p->first.terms[i].node);
			return true;
		}
	}
	return false;
}

/* p is first - factor * j's first + factor * j; that is worth it where parts vanish, or where a test bounds j. */
static bool is_worth(const struct variable *p, const struct variable *j, const struct linear *rest)
{
	return rest->known && (rest->count < p->first.count || (j->tested && rest->count <= p->first.count + 1));
}

static void pair(struct lockstep *l, const struct variable *p, const struct variable *j)
{
	struct linear itself = linear_node(l->k, j->phi), rest;
	uint64_t factor;

	if (!ratio(p, j, &factor))
		return;
	rest = linear_add(p->first, 0 - factor, &j->first);
	if (!is_worth(p, j, &rest))
		return;
	rest = linear_add(rest, factor, &itself);
	if (rest.known)
		add_equal(l, p->phi, &rest, (struct node_alternative){.counter = NO_NODE, .step_node = NO_NODE});
}

static void pair_wide(struct lockstep *l, const struct variable *p, const struct variable *j, enum node_op widening)
{
	struct kernel_ranges *k = l->k;
	struct node_alternative a = {.counter = j->phi, .by_sign = widening == NODE_SEXT, .step_node = NO_NODE};
	struct range_node wide = {.op = (uint8_t)widening, .width = p->first.width, .a = j->phi, .b = NO_NODE};
	struct linear first, rest, itself;
	uint64_t factor;
	int64_t step;

	if (!wide_ratio(k, p, j, widening, &factor) || !wide_first(l, p, j, widening, &first))
		return;
	rest = linear_add(p->first, 0 - factor, &first);
	if (!is_worth(p, j, &rest))
		return;
	if (constant_step(j, &step))
		a.step = step < 0 ? 0 - (uint64_t)step : (uint64_t)step;
	else
		a.step_node = j->step.terms[0].node;
	wide.c = NO_NODE;
	itself = linear_node(k, add_node(k, wide, k->nodes.data[p->phi].block));
	rest = linear_add(rest, factor, &itself);
	if (rest.known)
		add_equal(l, p->phi, &rest, a);
}

/* Those that tests are of, and those whose beginning is in that of p. */
static void pair_all(struct lockstep *l, size_t first)
{
	for (size_t i = first; i < l->variables.len; i++)
		for (size_t j = first; j < l->variables.len; j++) {
			const struct variable p = l->variables.data[i], with = l->variables.data[j];

			if (i == j || !l->k->nodes.data[p.phi].needed)
				continue;
			if (p.first.width == with.first.width) {
				pair(l, &p, &with);
			} else if (p.first.width > with.first.width) {
				pair_wide(l, &p, &with, NODE_SEXT);
				pair_wide(l, &p, &with, NODE_ZEXT);
			}
		}
}

/* --- Where loops end --- */

static const struct variable *variable_of(const struct lockstep *l, node_id id)
{
	return id < l->nodes && l->variable_of[id] != PTX_NONE ? &l->variables.data[l->variable_of[id]] : NULL;
}

/* The variable of the sum that is a variable and a constant. */
static const struct variable *moved_variable(const struct lockstep *l, const struct linear *a)
{
	return a->count == 1 && a->terms[0].factor == 1 ? variable_of(l, a->terms[0].node) : NULL;
}

/* Sums that are 0 on an edge: one call each, until one says that it has what it looks for. */
static bool each_zero(const struct lockstep *l, context_id context,
		      bool (*call)(const struct lockstep *l, const struct linear *zero, void *data), void *data)
{
	const struct kernel_ranges *k = l->k;

	for (unsigned n = 0; context != NO_CONTEXT && n < MOST_CONTEXTS; n++) {
		const struct range_context *c = &k->contexts.data[context];

		for (uint32_t i = c->fact; i < c->fact + c->nfacts; i++) {
			const struct fact *f = &k->facts.data[i];
			struct linear a, b;

			if (f->how != COMPARE_EQ)
				continue;
			a = linear_of(k, l->same, f->subject);
			b = linear_of(k, l->same, f->other);
			a = linear_sub(&a, &b);
			if (a.known && a.count && call(l, &a, data))
				return true;
		}
		context = c->parent;
	}
	return false;
}

struct end {
	const struct variable *variable; /* its end is looked for */
	struct linear is;
};

/* The variable's value where the sum, which has another variable of the loop in it or itself, is 0. */
static bool end_of(const struct lockstep *l, const struct linear *zero, void *data)
{
	struct end *end = data;
	const struct variable *p = end->variable;

	for (unsigned i = 0; i < zero->count; i++) {
		const struct variable *j = variable_of(l, zero->terms[i].node);
		uint64_t sign = zero->terms[i].factor, factor;
		struct linear none = linear_constant(0, zero->width), rest;

		if (!j || l->k->nodes.data[j->phi].block != l->k->nodes.data[p->phi].block ||
		    p->first.width != zero->width || (sign != 1 && sign != width_mask(zero->width)) ||
		    !ratio(p, j, &factor))
			continue;
		/* j = -sign * rest, and p = first + factor * (j - j's first) */
		rest = linear_replace(zero, j->phi, &none);
		end->is = linear_add(p->first, 0 - factor, &j->first);
		end->is = linear_add(end->is, 0 - sign * factor, &rest);
		return end->is.known;
	}
	return false;
}

/* Is the sum a multiple of what is 0? */
static bool vanishes(const struct lockstep *l, const struct linear *zero, void *data)
{
	const struct linear *a = data;
	uint64_t sign = zero->terms[0].factor, factor = linear_factor(a, zero->terms[0].node) * sign;
	struct linear scaled = linear_constant(0, zero->width);

	(void)l;
	if (a->width != zero->width || (sign != 1 && sign != width_mask(zero->width)))
		return false;
	scaled = linear_add(scaled, factor, zero);
	return linear_equal(&scaled, a);
}

/* The sum that a PHI's argument is if the way there leaves a loop whose rounds are known. */
static bool end_on_edge(const struct lockstep *l, const struct range_node *phi, uint32_t place, struct linear *is)
{
	struct linear a = linear_of(l->k, l->same, phi->args[place]);
	struct end end = {.variable = moved_variable(l, &a)};

	if (!end.variable || !each_zero(l, l->k->edge_context[phi->block][place], end_of, &end))
		return false;
	*is = linear_add(end.is, 1, &(struct linear){.width = a.width, .known = true, .constant = a.constant});
	return is_ahead(l->k, is, phi->block);
}

/* Is the PHI's argument this sum where it comes from? */
static bool argument_is(const struct lockstep *l, const struct range_node *phi, uint32_t place, const struct linear *a)
{
	struct linear b = linear_of(l->k, l->same, phi->args[place]), d = linear_sub(&b, a), end;

	if (linear_equal(&b, a) || (end_on_edge(l, phi, place, &end) && linear_equal(&end, a)))
		return true;
	return d.known && each_zero(l, l->k->edge_context[phi->block][place], vanishes, &d);
}

static void find_end(struct lockstep *l, node_id id)
{
	const struct range_node *n = &l->k->nodes.data[id];
	const struct ptx_block *b = &l->k->function->blocks[n->block];
	struct linear is;
	bool found = false;

	for (uint32_t i = 0; i < b->npred && !found; i++)
		found = l->k->function->blocks[b->pred[i]].reachable && end_on_edge(l, n, i, &is);
	for (uint32_t i = 0; i < b->npred && found; i++)
		found = !l->k->function->blocks[b->pred[i]].reachable || argument_is(l, n, i, &is);
	if (!found)
		return;
	l->same[id] = arena_memdup(&l->k->arena, &is, sizeof is);
	add_equal(l, id, &is, (struct node_alternative){.counter = NO_NODE, .step_node = NO_NODE});
}

/* --- Distances --- */

/* The greatest power of 2 that divides the number; 0 divides nothing else than by all of them. */
static uint64_t power_in(uint64_t number, uint64_t most)
{
	uint64_t power = number & (0 - number);

	return power == 0 || power > most ? most : power;
}

/* What each round changes of the sum is a multiple of *power, once that is made less: the sum of the first round. */
static void to_first_round(const struct lockstep *l, struct linear *a, uint64_t *power)
{
	for (unsigned n = 0; n < MOST_REPLACED && a->known; n++) {
		const struct variable *v = NULL;
		uint64_t less = 1;

		for (unsigned i = 0; i < a->count && !v; i++) {
			int64_t step;

			v = variable_of(l, a->terms[i].node);
			if (!v)
				continue;
			less = constant_step(v, &step) ? power_in(a->terms[i].factor * (uint64_t)step, *power) : 1;
			v = less > 1 ? v : NULL;
		}
		if (!v)
			return;
		*power = less;
		*a = linear_replace(a, v->phi, &v->first);
	}
}

/* x & 3 is x, modulo 4 and less; x & ~3 is 0. */
static void without_masks(const struct lockstep *l, struct linear *a, uint64_t power)
{
	for (unsigned i = 0; i < a->count && a->known;) {
		const struct range_node *n = &l->k->nodes.data[a->terms[i].node];
		struct linear by = linear_constant(0, a->width);
		uint64_t mask;

		if (n->op != NODE_AND || l->k->nodes.data[n->b].op != NODE_CONSTANT ||
		    a->terms[i].factor % power == 0) {
			i++;
			continue;
		}
		mask = l->k->nodes.data[n->b].number & (power - 1);
		if (mask && mask != power - 1) {
			i++;
			continue;
		}
		if (mask)
			by = linear_of(l->k, l->same, n->a);
		*a = linear_replace(a, a->terms[i].node, &by);
		i = 0;
	}
}

static uint64_t power_of_sum(const struct linear *a, uint64_t most)
{
	uint64_t power = power_in(a->constant, most);

	for (unsigned i = 0; i < a->count; i++)
		power = power_in(a->terms[i].factor, power);
	return a->known ? power : 1;
}

static void find_distance(struct lockstep *l, struct fact *f)
{
	struct linear a = linear_of(l->k, l->same, f->subject), b = linear_of(l->k, l->same, f->other), d;
	uint64_t power = (uint64_t)1 << (a.width > 32 ? 32 : a.width - 1), steps;

	d = linear_sub(&b, &a);
	steps = power;
	to_first_round(l, &d, &steps);
	if (steps == power)
		return;
	without_masks(l, &d, steps);
	f->distance = power_of_sum(&d, steps);
}

/* --- All of them --- */

static void look_at_block(struct lockstep *l, uint32_t block, node_id first, node_id end)
{
	struct kernel_ranges *k = l->k;
	uint32_t loop = k->loop_of[block], entry = loop == PTX_NONE ? 0 : only_entry(k, block);
	size_t variables = l->variables.len;

	for (node_id id = first; id < end; id++) {
		if (!k->nodes.data[id].needed)
			continue;
		if (loop == PTX_NONE && !k->nodes.data[id].comes_back)
			find_end(l, id);
		else if (loop != PTX_NONE && entry < k->function->blocks[block].npred)
			find_variable(l, id, entry);
	}
	if (loop == PTX_NONE)
		return;
	find_tested(l, &k->loops.data[loop]);
	pair_all(l, variables);
}

/* Blocks come after those that dominate them, so what a loop begins with is known before it. */
void find_lockstep(struct kernel_ranges *k)
{
	struct lockstep l = {.k = k, .nodes = k->nodes.len};
	node_id *first = xcalloc(k->function->nblocks + 2, sizeof *first);
	node_id nphis = 0;

	if (k->loops.len == 0) {
		free(first);
		return;
	}
	/* PHIs are the first nodes, in the order of their blocks. */
	for (uint32_t b = 0; b < k->function->nblocks; b++) {
		first[b] = nphis;
		while (nphis < k->nodes.len && k->nodes.data[nphis].op == NODE_PHI && k->nodes.data[nphis].block == b)
			nphis++;
	}
	first[k->function->nblocks] = nphis;
	l.same = xcalloc(l.nodes + 1, sizeof *l.same);
	l.variable_of = xmalloc((l.nodes + 1) * sizeof *l.variable_of);
	memset(l.variable_of, 0xFF, l.nodes * sizeof *l.variable_of);
	for (uint32_t i = 0; i < k->norder; i++)
		look_at_block(&l, k->order[i], first[k->order[i]], first[k->order[i] + 1]);
	for (size_t i = 0; i < k->tests.len; i++)
		find_distance(&l, &k->facts.data[k->tests.data[i].fact]);
	vec_release(&l.variables);
	free(l.same);
	free(l.variable_of);
	free(first);
}
