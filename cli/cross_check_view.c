/*
 * Matching. The marked PTX differs from the plain PTX only in the marks, in generic loads that became global, and in
 * copies of structs. So the loads of a function are two sequences that are nearly equal, and the longest common
 * subsequence by type, width, space and source position pairs them.
 */
#include "cli/cross_check_view.h"

#include "common/xalloc.h"
#include "ptx-analyzer/language/text/ptx_text.h"

/* --- Pairs --- */

/* Loads of one function, as instruction numbers. */
struct sequence {
	const struct ptx_function *function;
	VEC(uint32_t) insts;
};

/* If the table would have more cells than this, loads are paired from both ends only. */
enum { TABLE_CELLS = 16 << 20 };

static void list_loads(struct sequence *s)
{
	for (uint32_t i = 0; i < s->function->ninsts; i++)
		if (s->function->insts[i].opcode->op == PTX_OP_ld)
			vec_push(&s->insts, i);
}

static bool same_space(uint8_t a, uint8_t b)
{
	return a == b || (a == PTX_SPACE_GENERIC && b == PTX_SPACE_GLOBAL) ||
	       (a == PTX_SPACE_GLOBAL && b == PTX_SPACE_GENERIC);
}

static bool same_place(const struct ptx_function *f, const struct ptx_inst *a, const struct ptx_function *g,
		       const struct ptx_inst *b)
{
	const struct ptx_loc *x, *y;

	if (a->loc == PTX_NONE || b->loc == PTX_NONE)
		return a->loc == b->loc;
	x = &f->module->locs[a->loc];
	y = &g->module->locs[b->loc];
	return x->line == y->line && x->column == y->column;
}

static bool alike(const struct sequence *a, size_t i, const struct sequence *b, size_t j)
{
	const struct ptx_inst *x = &a->function->insts[a->insts.data[i]], *y = &b->function->insts[b->insts.data[j]];

	return x->opcode->vec == y->opcode->vec && x->opcode->ntypes == y->opcode->ntypes &&
	       memcmp(x->opcode->type, y->opcode->type, x->opcode->ntypes) == 0 &&
	       same_space(x->opcode->space, y->opcode->space) && same_place(a->function, x, b->function, y);
}

/* Fills pair[i] for a's loads [from, to_a) with b's loads [from, to_b). */
static void pair_middle(const struct sequence *a, size_t from, size_t to_a, const struct sequence *b, size_t to_b,
			uint32_t *pair)
{
	size_t rows = to_a - from, columns = to_b - from, i = 0, j = 0;
	uint32_t *longest;

	if (rows == 0 || columns == 0 || (rows + 1) * (columns + 1) > TABLE_CELLS)
		return;
	longest = xcalloc((rows + 1) * (columns + 1), sizeof *longest);
#define AT(r, c) longest[(r) * (columns + 1) + (c)]
	for (size_t r = rows; r-- > 0;)
		for (size_t c = columns; c-- > 0;) {
			uint32_t skip = AT(r + 1, c) > AT(r, c + 1) ? AT(r + 1, c) : AT(r, c + 1);

			AT(r, c) = alike(a, from + r, b, from + c) ? AT(r + 1, c + 1) + 1 : skip;
		}
	while (i < rows && j < columns) {
		if (alike(a, from + i, b, from + j))
			pair[from + i++] = b->insts.data[from + j++];
		else if (AT(i + 1, j) >= AT(i, j + 1))
			i++;
		else
			j++;
	}
#undef AT
	free(longest);
}

/* For each load of `a` the instruction of `b` that is the same load, or PTX_NONE. */
static uint32_t *pair_loads(const struct sequence *a, const struct sequence *b)
{
	size_t end_a = a->insts.len, end_b = b->insts.len, from = 0;
	uint32_t *pair = xcalloc(end_a + 1, sizeof *pair);

	memset(pair, 0xff, (end_a + 1) * sizeof *pair);
	for (; from < end_a && from < end_b && alike(a, from, b, from); from++)
		pair[from] = b->insts.data[from];
	for (; end_a > from && end_b > from && alike(a, end_a - 1, b, end_b - 1); end_a--, end_b--)
		pair[end_a - 1] = b->insts.data[end_b - 1];
	pair_middle(a, from, end_a, b, end_b, pair);
	return pair;
}

/* --- Inline assembly --- */

/* For each line of the text, from 1: is it in the program's own assembly? */
static uint8_t *assembly_lines(const char *text)
{
	size_t lines = 2, line = 1;
	bool inside = false;
	uint8_t *in;

	for (const char *at = text; *at; at++)
		lines += *at == '\n';
	in = xcalloc(lines, 1);
	for (const char *at = text, *end; *at; at = *end ? end + 1 : end, line++) {
		size_t blanks = strspn(at, " \t");

		end = at + strcspn(at, "\n");
		if (strncmp(at + blanks, "// begin inline asm", 19) == 0)
			inside = true;
		if (strncmp(at + blanks, "// end inline asm", 17) == 0)
			inside = false;
		in[line] = inside;
	}
	return in;
}

/* --- Loads --- */

static bool reads_global(const struct ptx_inst *inst)
{
	return inst->opcode->space == PTX_SPACE_GLOBAL || inst->opcode->space == PTX_SPACE_GENERIC;
}

/* Does a pair lead to instruction `inst`? */
static bool is_paired(const uint32_t *pair, size_t count, uint32_t inst)
{
	for (size_t n = 0; n < count; n++)
		if (pair[n] == inst)
			return true;
	return false;
}

/* Loads that are left without a pair on both sides. */
struct leftover {
	unsigned marked_bytes;   /* of loads that the pass has marked */
	unsigned plain_bytes;    /* of plain loads that the analyser marks */
	bool has_denied_generic; /* a plain generic load that it does not mark */
};

static struct leftover find_leftover(const struct view *v, const struct sequence *marked, const struct sequence *plain,
				     const uint32_t *pair)
{
	uint32_t function = (uint32_t)(plain->function - v->plain.module->functions);
	struct leftover left = {0, 0, false};

	for (size_t i = 0; i < marked->insts.len; i++) {
		const struct ptx_inst *inst = &marked->function->insts[marked->insts.data[i]];

		if (pair[i] == PTX_NONE && ptx_has_mod(inst->opcode, PTX_MOD_ro))
			left.marked_bytes += ptx_access_bytes(inst);
	}
	for (size_t i = 0; i < plain->insts.len; i++) {
		const struct ptx_inst *inst = &plain->function->insts[plain->insts.data[i]];

		if (is_paired(pair, marked->insts.len, plain->insts.data[i]))
			continue;
		if (ptx_is_marked(v->plain.analysis, function, plain->insts.data[i]))
			left.plain_bytes += ptx_access_bytes(inst);
		else
			left.has_denied_generic |= inst->opcode->space == PTX_SPACE_GENERIC;
	}
	return left;
}

/* Whether the loads without a pair show their space: no plain generic load is left without the analyser's mark, or the
 * analyser's marked bytes cover the pass's.
 */
static bool shows_spaces(const struct leftover *left)
{
	return !left->has_denied_generic || left->plain_bytes >= left->marked_bytes;
}

static void add_load(struct view *v, const struct sequence *marked, const struct sequence *plain, size_t n,
		     uint32_t twin, bool spaces_show, const uint8_t *assembly)
{
	const struct ptx_inst *inst = &marked->function->insts[marked->insts.data[n]];
	struct seen_load l = {
	    .function = (uint32_t)(marked->function - v->marked.module->functions),
	    .inst = marked->insts.data[n],
	    .plain_function = (uint32_t)(plain->function - v->plain.module->functions),
	    .plain_inst = twin,
	    .by_pass = ptx_has_mod(inst->opcode, PTX_MOD_ro),
	    .in_assembly = assembly[inst->line],
	};

	if (!reads_global(inst))
		return;
	l.by_ptx = twin == PTX_NONE ? ptx_is_marked(v->marked.analysis, l.function, l.inst)
				    : ptx_is_marked(v->plain.analysis, l.plain_function, twin);
	l.space_is_known = twin != PTX_NONE || spaces_show;
	vec_push(&v->loads, l);
}

static void add_function(struct view *v, const struct ptx_function *marked, const uint8_t *assembly)
{
	struct sequence a = {.function = marked}, b = {.function = ptx_find_function(v->plain.module, marked->name)};
	struct leftover left;
	uint32_t *pair;

	if (!b.function)
		return;
	list_loads(&a);
	list_loads(&b);
	pair = pair_loads(&a, &b);
	left = find_leftover(v, &a, &b, pair);
	for (size_t n = 0; n < a.insts.len; n++)
		add_load(v, &a, &b, n, pair[n], shows_spaces(&left), assembly);
	free(pair);
	vec_release(&a.insts);
	vec_release(&b.insts);
}

/* --- The view --- */

static int analyse(struct analysed *a, const struct pass_output *out, const struct pass_options *options,
		   struct diag *d)
{
	a->module = ptx_parse("PTX of the module", out->text, out->size, d);
	if (!a->module)
		return DIAG_ERROR;
	a->analysis = (options->relocatable ? ptx_analyze_relocatable : ptx_analyze)(a->module, options->alias);
	return 0;
}

static void analysed_release(struct analysed *a)
{
	ptx_analysis_free(a->analysis);
	if (a->module)
		ptx_module_free(a->module);
}

static int make_plain(struct view *v, const char *file, const void *data, size_t size, struct pass_options options,
		      struct diag *d)
{
	struct pass_output out;
	int status;

	options.load = LOAD_KEEP;
	options.copies = true;
	if (pass_run(file, data, size, &options, &out, d) < 0)
		return DIAG_ERROR;
	status = analyse(&v->plain, &out, &options, d);
	pass_output_release(&out);
	return status;
}

static int make_marked(struct view *v, const char *file, const void *data, size_t size, struct pass_options options,
		       struct diag *d)
{
	struct pass_output out;
	uint8_t *assembly;
	int status;

	options.load = LOAD_RO;
	if (pass_run(file, data, size, &options, &out, d) < 0)
		return DIAG_ERROR;
	v->report = json_loads(out.report, 0, NULL);
	status = analyse(&v->marked, &out, &options, d);
	if (status == 0) {
		assembly = assembly_lines(out.text);
		for (uint32_t f = 0; f < v->marked.module->nfunctions; f++)
			add_function(v, &v->marked.module->functions[f], assembly);
		free(assembly);
	}
	pass_output_release(&out);
	return status;
}

int view_make(struct view *v, const char *file, const void *data, size_t size, const struct pass_options *options,
	      struct diag *d)
{
	struct pass_options ptx = *options;

	*v = (struct view){.level = options->alias};
	ptx.emit = PASS_EMIT_PTX;
	if (make_plain(v, file, data, size, ptx, d) == 0 && make_marked(v, file, data, size, ptx, d) == 0)
		return 0;
	view_release(v);
	return DIAG_ERROR;
}

void view_release(struct view *v)
{
	vec_release(&v->loads);
	analysed_release(&v->marked);
	analysed_release(&v->plain);
	json_decref(v->report);
}

/* --- Questions --- */

bool seen_the_same(const struct seen_load *load)
{
	return load->by_pass == load->by_ptx && (load->space_is_known || !load->by_pass);
}

const struct ptx_inst *seen_inst(const struct view *v, const struct seen_load *load)
{
	return &v->marked.module->functions[load->function].insts[load->inst];
}

const struct analysed *judging(const struct view *v, const struct seen_load *load)
{
	return load->plain_inst == PTX_NONE ? &v->marked : &v->plain;
}

const struct ptx_inst *judged_inst(const struct view *v, const struct seen_load *load)
{
	if (load->plain_inst == PTX_NONE)
		return seen_inst(v, load);
	return &v->plain.module->functions[load->plain_function].insts[load->plain_inst];
}

const struct access *judged_access(const struct view *v, const struct seen_load *load, size_t index)
{
	bool own = load->plain_inst == PTX_NONE;
	uint32_t function = own ? load->function : load->plain_function, inst = own ? load->inst : load->plain_inst;
	size_t count;
	const struct access *all = ptx_kernel_accesses(judging(v, load)->analysis, index, &count);

	for (size_t i = 0; i < count; i++)
		if (all[i].function == function && all[i].inst == inst)
			return &all[i];
	return NULL;
}

/* The function; or, if this module has no copy FUNCTION$KERNEL, the function that it is a copy of. */
static const struct ptx_function *find_twin_function(const struct ptx_module *m, const char *name)
{
	const struct ptx_function *f = ptx_find_function(m, name);
	const char *kernel = strrchr(name, '$');
	struct strbuf original = STRBUF_INIT;

	if (f || !kernel)
		return f;
	strbuf_add(&original, name, (size_t)(kernel - name));
	f = ptx_find_function(m, original.data);
	strbuf_release(&original);
	return f;
}

const struct seen_load *view_twin(const struct view *other, const struct view *v, const struct seen_load *load)
{
	struct sequence a = {.function = &v->marked.module->functions[load->function]}, b = {.function = NULL};
	const struct seen_load *twin = NULL;
	uint32_t *pair, inst = PTX_NONE, function;

	b.function = find_twin_function(other->marked.module, a.function->name);
	if (!b.function)
		return NULL;
	function = (uint32_t)(b.function - other->marked.module->functions);
	list_loads(&a);
	list_loads(&b);
	pair = pair_loads(&a, &b);
	for (size_t n = 0; n < a.insts.len; n++)
		if (a.insts.data[n] == load->inst)
			inst = pair[n];
	for (size_t i = 0; i < other->loads.len; i++)
		if (other->loads.data[i].function == function && other->loads.data[i].inst == inst)
			twin = &other->loads.data[i];
	free(pair);
	vec_release(&a.insts);
	vec_release(&b.insts);
	return twin;
}
