/* Declarations of variables and parameters, and initialisers as bytes and relocations. */
#include "ptx-analyzer/language/text/parser.h"

#include "common/integer.h"

#include <inttypes.h>

/* The most initialised data of a module; more is refused rather than allocated. */
static const uint64_t largest_init = (uint64_t)256 << 20;
static const uint64_t largest_variable = (uint64_t)1 << 48;

enum ptx_space space_by_name(struct text name)
{
	for (int space = PTX_SPACE_REG; space < PTX_SPACE_COUNT; space++)
		if (text_is(name, ptx_space_name(space)))
			return space;
	return PTX_SPACE_GENERIC;
}

uint32_t add_string(struct parser *ps, struct text t)
{
	vec_push(&ps->strings, arena_strndup(&ps->m->arena, t.data, t.len));
	return (uint32_t)ps->strings.len - 1;
}

uint32_t new_symbol(struct parser *ps, struct text name, enum ptx_symbol_kind kind)
{
	vec_push(&ps->symbols, (struct ptx_symbol){.name = arena_strndup(&ps->m->arena, name.data, name.len),
						   .kind = (uint8_t)kind,
						   .vec = 1,
						   .line = ps->lx.line,
						   .function = ps->f ? ps->function : PTX_NONE,
						   .reg = PTX_NONE,
						   .callee = PTX_NONE});
	return (uint32_t)ps->symbols.len - 1;
}

void bind_symbol(struct parser *ps, struct text name, uint32_t symbol)
{
	uint32_t index = names_intern(&ps->names, &ps->m->arena, name.data, name.len);

	if (!names_bind(&ps->names, index, BIND_SYMBOL, symbol))
		parser_fail(ps, name.data, "'%.*s' is declared twice in this scope", (int)name.len, name.data);
}

static uint32_t parse_alignment(struct parser *ps)
{
	const char *at;
	int64_t align;

	lex_skip(&ps->lx);
	at = ps->lx.p;
	align = parse_constant(ps);
	if (align < 1 || align > 1 << 20 || !is_power_of_two((uint64_t)align))
		parser_fail(ps, at, "an alignment is a power of two, not %" PRId64, align);
	return (uint32_t)align;
}

/* `(.managed)` or `(.unified(1, 2))`. */
void parse_attribute(struct parser *ps, struct declaration *d)
{
	const char *open;
	unsigned depth = 1;

	lex_expect(&ps->lx, '(', "behind .attribute");
	open = ps->lx.p;
	for (; depth; ps->lx.p++) {
		if (!*ps->lx.p || *ps->lx.p == '\n' || *ps->lx.p == ';')
			parser_fail(ps, open, ".attribute( ) is not closed");
		depth += *ps->lx.p == '(';
		depth -= *ps->lx.p == ')';
	}
	d->attribute = arena_strndup(&ps->m->arena, open, (size_t)(ps->lx.p - 1 - open));
	d->managed = strstr(d->attribute, ".managed") != NULL;
}

/* After `.ptr`: a space and an alignment, both optional. */
static void parse_pointer(struct parser *ps, struct declaration *d)
{
	d->is_pointer = true;
	lex_skip(&ps->lx);
	while (*ps->lx.p == '.') {
		const char *at = ps->lx.p;
		struct text word = lex_dotted(&ps->lx);
		enum ptx_space space = space_by_name(word);

		if (text_is(word, "align"))
			d->pointer_align = parse_alignment(ps);
		else if (space != PTX_SPACE_GENERIC)
			d->pointer_space = (uint8_t)space;
		else
			parser_fail(ps, at, ".ptr takes a state space and .align, not '.%.*s'", (int)word.len,
				    word.data);
		lex_skip(&ps->lx);
	}
}

static bool take_declaration_word(struct parser *ps, struct text word, struct declaration *d)
{
	enum ptx_space space = space_by_name(word);
	enum ptx_type type = space == PTX_SPACE_GENERIC ? ptx_type_by_name(word.data, word.len) : PTX_untyped;

	if (space != PTX_SPACE_GENERIC && d->space == PTX_SPACE_GENERIC)
		d->space = (uint8_t)space;
	else if (type != PTX_untyped)
		d->type = (uint8_t)type;
	else if (text_is(word, "align"))
		d->align = parse_alignment(ps);
	else if (text_is(word, "ptr"))
		parse_pointer(ps, d);
	else if (text_is(word, "attribute"))
		parse_attribute(ps, d);
	else if (text_is(word, "v2") || text_is(word, "v4") || text_is(word, "v8"))
		d->vec = (uint8_t)(word.data[1] - '0');
	else
		return false;
	return true;
}

void parse_declaration(struct parser *ps, struct text word, struct declaration *d)
{
	for (;;) {
		if (!take_declaration_word(ps, word, d))
			parser_fail(ps, word.data, "'.%.*s' is not allowed in a declaration", (int)word.len, word.data);
		lex_skip(&ps->lx);
		if (*ps->lx.p != '.')
			break;
		word = lex_dotted(&ps->lx);
	}
	if (d->type == PTX_untyped)
		parser_fail(ps, ps->lx.p, "this declaration has no type");
	if (!d->vec)
		d->vec = 1;
}

/* `[2][3]` as a single count; `[]` leaves it 0. */
static uint64_t parse_dimensions(struct parser *ps, bool *is_array)
{
	uint64_t count = 1;

	while (lex_take(&ps->lx, '[')) {
		const char *at = ps->lx.p;
		int64_t n = 0;

		*is_array = true;
		if (!lex_take(&ps->lx, ']')) {
			n = parse_constant(ps);
			lex_expect(&ps->lx, ']', "behind the array's size");
		}
		if (n < 0 || __builtin_mul_overflow(count, (uint64_t)n, &count) || count > largest_variable)
			parser_fail(ps, at, "an array of this size does not fit into memory");
	}
	return count;
}

static unsigned element_bytes(const struct declaration *d)
{
	unsigned bits = ptx_type_bits(d->type);

	return (bits < 8 ? 1 : bits / 8) * d->vec;
}

/* Parameters of a prototype may go without a name; they are then called `_`. */
static struct text declared_name(struct parser *ps, enum ptx_symbol_kind kind)
{
	lex_skip(&ps->lx);
	if (kind != PTX_SYMBOL_VARIABLE && (*ps->lx.p == ',' || *ps->lx.p == ')'))
		return (struct text){"_", 1};
	return lex_name(&ps->lx, "a name");
}

uint32_t parse_declarator(struct parser *ps, const struct declaration *d, enum ptx_symbol_kind kind)
{
	struct text name = declared_name(ps, kind);
	uint32_t id = new_symbol(ps, name, kind);
	bool is_array = false;
	uint64_t count = parse_dimensions(ps, &is_array);
	struct ptx_symbol *s = &ps->symbols.data[id];

	s->space = d->space;
	s->type = d->type;
	s->vec = d->vec;
	s->linkage = d->linkage;
	s->align = d->align > element_bytes(d) ? d->align : element_bytes(d);
	if (__builtin_mul_overflow(count, (uint64_t)element_bytes(d), &s->size))
		parser_fail(ps, ps->lx.p, "an array of this size does not fit into memory");
	s->is_array = is_array;
	s->is_pointer = d->is_pointer;
	s->pointer_space = d->pointer_space;
	s->pointer_align = d->pointer_align;
	s->managed = d->managed;
	s->attribute = d->attribute;
	return id;
}

/* --- Initialisers --- */

static void put_bytes(struct parser *ps, struct init *in, uint64_t value, const char *at)
{
	if (in->limit && in->bytes.len + in->element > in->limit)
		parser_fail(ps, at, "more values than the variable has elements");
	if (in->bytes.len + in->element + ps->init_bytes > largest_init)
		parser_fail(ps, at, "more than %" PRIu64 " MB of initialised data", largest_init >> 20);
	for (unsigned i = 0; i < in->element; i++, value = i < 8 ? value >> 8 : 0)
		vec_push(&in->bytes, (uint8_t)value);
}

static uint32_t find_variable(struct parser *ps, struct text name)
{
	uint32_t index = names_find(&ps->names, name.data, name.len);
	const struct name *n = index == PTX_NONE ? NULL : &ps->names.all.data[index];

	if (!n || n->kind != BIND_SYMBOL)
		parser_fail(ps, name.data, "'%.*s' is not declared before this initialiser", (int)name.len, name.data);
	return n->id;
}

/* `sym`, `sym+4`, `generic(sym)+4`; `mask` is the mask in front of it, or 0. */
static void put_address(struct parser *ps, struct init *in, uint64_t mask, const char *at)
{
	struct text name = lex_name(&ps->lx, "a symbol");
	struct ptx_reloc r = {.offset = in->bytes.len, .mask = mask};

	if (text_is(name, "generic") && lex_take(&ps->lx, '(')) {
		r.generic = true;
		name = lex_name(&ps->lx, "a symbol");
		lex_skip(&ps->lx);
		if (*ps->lx.p == '+' || *ps->lx.p == '-')
			r.addend = parse_constant(ps);
		lex_expect(&ps->lx, ')', "behind generic( )");
	}
	r.symbol = find_variable(ps, name);
	lex_skip(&ps->lx);
	if (*ps->lx.p == '+' || *ps->lx.p == '-')
		r.addend += parse_constant(ps);
	r.size = (uint8_t)(in->element < 8 ? in->element : 8);
	put_bytes(ps, in, 0, at);
	vec_push(&in->relocs, r);
}

static bool is_whole_address(const struct ptx_reloc *r)
{
	for (unsigned i = 0; i < 8; i++)
		if (r[i].mask != (uint64_t)0xFF << 8 * i || r[i].symbol != r[0].symbol || r[i].size != 1 ||
		    r[i].addend != r[0].addend || r[i].generic != r[0].generic || r[i].offset != r[0].offset + i)
			return false;
	return true;
}

/* Joins eight consecutive byte masks that make up an address into a single relocation. */
static void join_masks(struct init *in)
{
	size_t n = 0;

	for (size_t i = 0; i < in->relocs.len; i++) {
		struct ptx_reloc r = in->relocs.data[i];

		if (i + 8 <= in->relocs.len && is_whole_address(&in->relocs.data[i])) {
			r.mask = 0;
			r.size = 8;
			i += 7;
		}
		in->relocs.data[n++] = r;
	}
	in->relocs.len = n;
}

/* A float literal in the element's own format. */
static uint64_t float_bits(struct parser *ps, const struct init *in, struct number n)
{
	enum ptx_type type = ps->symbols.data[in->symbol].type;
	double d;
	float f;
	uint32_t bits;

	if (n.kind == PTX_OPERAND_F64 && type == PTX_f32) {
		memcpy(&d, &n.bits, sizeof(d));
		f = (float)d;
		memcpy(&bits, &f, sizeof(bits));
		return bits;
	}
	if (n.kind == PTX_OPERAND_F32 && type == PTX_f64) {
		bits = (uint32_t)n.bits;
		memcpy(&f, &bits, sizeof(f));
		d = f;
		memcpy(&n.bits, &d, sizeof(d));
	}
	return n.bits;
}

static bool is_float_literal(const char *p)
{
	if (p[0] == '0' && strchr("fFdD", p[1]) && p[1])
		return true;
	while (is_char(*p, CHAR_DIGIT))
		p++;
	return *p == '.' || *p == 'e' || *p == 'E';
}

static void put_float(struct parser *ps, struct init *in, bool negative, const char *at)
{
	unsigned bits = ptx_type_bits(ps->symbols.data[in->symbol].type);
	uint64_t value = float_bits(ps, in, lex_number(&ps->lx));

	put_bytes(ps, in, negative ? value ^ (uint64_t)1 << (bits - 1) : value, at);
}

static void put_value(struct parser *ps, struct init *in)
{
	const char *at;
	int64_t value;
	bool negative;

	lex_skip(&ps->lx);
	at = ps->lx.p;
	if (is_char(*at, CHAR_START) && strncmp(at, "WARP_SZ", 7) != 0) {
		put_address(ps, in, 0, at);
		return;
	}
	negative = *at == '-';
	if (is_float_literal(at + negative)) {
		ps->lx.p += negative;
		put_float(ps, in, negative, at);
		return;
	}
	value = parse_constant(ps);
	if (lex_take(&ps->lx, '(')) {
		put_address(ps, in, (uint64_t)value, at);
		lex_expect(&ps->lx, ')', "behind the masked address");
	} else {
		put_bytes(ps, in, (uint64_t)value, at);
	}
}

/* `{ ... }` with any nesting: the braces only group, so a counter suffices. */
static void put_list(struct parser *ps, struct init *in)
{
	unsigned depth = 1;

	for (;;) {
		while (lex_take(&ps->lx, '{'))
			depth++;
		if (!lex_take(&ps->lx, '}')) {
			put_value(ps, in);
			if (lex_take(&ps->lx, ','))
				continue;
			lex_expect(&ps->lx, '}', "or ',' behind a value");
		}
		while (--depth && lex_take(&ps->lx, '}'))
			;
		if (!depth)
			return;
		lex_expect(&ps->lx, ',', "between the parts of an initialiser");
	}
}

/* `{ filter_mode = linear, ... }` of a sampler, kept as text. */
static void take_fields(struct parser *ps, uint32_t symbol)
{
	const char *open = ps->lx.p;

	while (*ps->lx.p && *ps->lx.p != '}' && *ps->lx.p != ';')
		if (*ps->lx.p++ == '\n') {
			ps->lx.line++;
			ps->lx.line_start = ps->lx.p;
		}
	if (*ps->lx.p != '}')
		parser_fail(ps, open, "expected '}' behind the fields of this initialiser");
	ps->lx.p++;
	ps->symbols.data[symbol].fields = arena_strndup(&ps->m->arena, open, (size_t)(ps->lx.p - open));
}

static void finish_init(struct parser *ps, struct init *in)
{
	struct ptx_symbol *s = &ps->symbols.data[in->symbol];
	uint8_t *bytes;

	if (!s->size)
		s->size = in->bytes.len;
	if (s->size + ps->init_bytes > largest_init)
		parser_fail(ps, ps->lx.p, "more than %" PRIu64 " MB of initialised data", largest_init >> 20);
	ps->init_bytes += s->size;
	join_masks(in);
	bytes = arena_zalloc(&ps->m->arena, s->size);
	if (in->bytes.len)
		memcpy(bytes, in->bytes.data, in->bytes.len);
	s->init = bytes;
	s->relocs = arena_memdup(&ps->m->arena, in->relocs.data, in->relocs.len * sizeof(struct ptx_reloc));
	s->nrelocs = in->relocs.len;
}

void parse_initialiser(struct parser *ps, uint32_t symbol)
{
	const struct ptx_symbol *s = &ps->symbols.data[symbol];
	unsigned bits = ptx_type_bits(s->type);
	struct init *in = &ps->init;

	lex_skip(&ps->lx);
	if (ptx_type_kind(s->type) == PTX_KIND_OPAQUE) {
		take_fields(ps, symbol);
		return;
	}
	in->symbol = symbol;
	in->element = bits < 8 ? 1 : bits / 8;
	in->limit = s->size;
	in->bytes.len = in->relocs.len = 0;
	if (lex_take(&ps->lx, '{'))
		put_list(ps, in);
	else
		put_value(ps, in);
	finish_init(ps, in);
}

/* --- Module and function scope --- */

static bool redeclares(const struct ptx_symbol *old, const struct declaration *d)
{
	return old->kind == PTX_SYMBOL_VARIABLE && old->space == d->space &&
	       (old->linkage == PTX_LINK_EXTERN || d->linkage == PTX_LINK_EXTERN);
}

/*
 * Joins two declarations of one variable. A definition takes over the symbol of an earlier `.extern`. An `.extern`
 * behind the definition changes nothing.
 */
static uint32_t merge_extern(struct parser *ps, uint32_t old, uint32_t new)
{
	if (ps->symbols.data[old].linkage == PTX_LINK_EXTERN) {
		const char *kept = ps->symbols.data[old].name;

		for (size_t i = 0; i < ps->items.len; i++)
			if (ps->items.data[i].kind == ITEM_VARIABLE && ps->items.data[i].id == old)
				ps->items.data[i].kind = ITEM_EXTERN;
		ps->symbols.data[old] = ps->symbols.data[new];
		ps->symbols.data[old].name = kept;
		ps->symbols.len--;
		return old;
	}
	ps->symbols.len--;
	return PTX_NONE;
}

/* Binds the name. Returns the id to go on with, or PTX_NONE for a repeated extern. */
static uint32_t bind_variable(struct parser *ps, struct text name, const struct declaration *d, uint32_t id)
{
	uint32_t index = names_intern(&ps->names, &ps->m->arena, name.data, name.len);
	const struct name *n = &ps->names.all.data[index];

	if (n->kind == BIND_SYMBOL && n->depth == ps->names.depth && redeclares(&ps->symbols.data[n->id], d))
		return merge_extern(ps, n->id, id);
	bind_symbol(ps, name, id);
	return id;
}

static void keep_variable(struct parser *ps, uint32_t id)
{
	if (ps->f) {
		vec_push(&ps->variables, id);
		decorate(ps, DECOR_VARIABLE, id);
	} else {
		vec_push(&ps->items, (struct item){ITEM_VARIABLE, id, 0, NULL});
	}
}

void parse_variables(struct parser *ps, struct text first, enum ptx_linkage linkage)
{
	struct declaration d = {.linkage = (uint8_t)linkage};

	parse_declaration(ps, first, &d);
	if (d.space == PTX_SPACE_REG || d.space == PTX_SPACE_GENERIC)
		parser_fail(ps, first.data,
			    ps->f ? "this declaration has no state space" : "registers are declared inside a function");
	do {
		struct text name;
		uint32_t id, kept;

		lex_skip(&ps->lx);
		name.data = ps->lx.p;
		id = parse_declarator(ps, &d, PTX_SYMBOL_VARIABLE);
		name.len = (uint32_t)strlen(ps->symbols.data[id].name);
		kept = bind_variable(ps, name, &d, id);
		if (kept != PTX_NONE && lex_take(&ps->lx, '='))
			parse_initialiser(ps, kept);
		if (kept != PTX_NONE)
			keep_variable(ps, kept);
	} while (lex_take(&ps->lx, ','));
	lex_expect(&ps->lx, ';', "behind the declaration");
}
