/*
 * Function bodies, statement by statement. Scopes, labels and references that wait for their label are kept in arrays,
 * so that deep or long code costs memory and no stack.
 */
#include "ptx-analyzer/language/text/parser.h"

#include <inttypes.h>

/* The largest number of registers of a function and of a module. Compilers stay far below. */
static const uint32_t most_regs = 1 << 22, most_regs_of_module = 1 << 24;

void decorate(struct parser *ps, enum decoration_kind kind, uint32_t id)
{
	vec_push(&ps->decorations, (struct ptx_decoration){(uint32_t)ps->insts.len, (uint8_t)kind, id});
}

/* --- Registers --- */

/* Marks `%r` as having a register declared as `%r5` by its full name. */
static void note_numbered(struct parser *ps, struct text name)
{
	uint32_t len = name.len;

	while (len && is_char(name.data[len - 1], CHAR_DIGIT))
		len--;
	if (len && len < name.len) {
		uint32_t prefix = names_intern(&ps->names, &ps->m->arena, name.data, len);

		ps->names.all.data[prefix].numbered = true;
	}
}

static void check_vector_registers(struct parser *ps, enum ptx_type type, unsigned vec, const char *at)
{
	enum { MOST_BITS = 128 };

	if (vec > 1 && type == PTX_pred)
		parser_fail(ps, at, "PTX has no vectors of predicates");
	if (ptx_type_bits(type) * vec > MOST_BITS && vec > 1)
		parser_fail(ps, at, "a vector of registers has at most %d bits", MOST_BITS);
}

uint32_t declare_reg(struct parser *ps, struct text name, uint32_t count, bool is_range, enum ptx_type type,
		     unsigned vec, const char *at)
{
	uint32_t index = names_intern(&ps->names, &ps->m->arena, name.data, name.len);
	uint32_t first = (uint32_t)ps->regs.len, decl = (uint32_t)ps->reg_decls.len;
	uint32_t n = (is_range ? count : 1) * vec;

	check_vector_registers(ps, type, vec, at);
	if (!(is_range ? names_bind_range(&ps->names, index, decl) : names_bind(&ps->names, index, BIND_REG, first)))
		parser_fail(ps, at, "'%.*s' is declared twice in this scope", (int)name.len, name.data);
	if (!is_range)
		note_numbered(ps, name);
	vec_push(&ps->reg_decls, (struct ptx_reg_decl){ps->names.all.data[index].text, first, is_range ? count : 0,
						       (uint8_t)type, (uint8_t)vec});
	vec_reserve(&ps->regs, ps->regs.len + n);
	for (uint32_t i = 0; i < n; i++)
		ps->regs.data[ps->regs.len++] = (struct ptx_reg){NULL, (uint8_t)type, decl, i / vec};
	return first;
}

/* `.reg .b32 %r<100>, %x;` */
static void parse_regs(struct parser *ps, struct text word)
{
	struct declaration d = {.space = PTX_SPACE_GENERIC};

	parse_declaration(ps, word, &d);
	do {
		struct text name = lex_name(&ps->lx, "a register");
		bool is_range = lex_take(&ps->lx, '<');
		uint64_t count = 0;

		if (is_range) {
			lex_skip(&ps->lx);
			count = lex_number(&ps->lx).bits;
			lex_expect(&ps->lx, '>', "behind the number of registers");
		}
		if (count <= most_regs)
			ps->total_regs += (is_range ? count : 1) * d.vec;
		if (count > most_regs || ps->regs.len + count * d.vec > most_regs ||
		    ps->total_regs > most_regs_of_module)
			parser_fail(ps, name.data, "a function has at most %u registers, and a module %u", most_regs,
				    most_regs_of_module);
		declare_reg(ps, name, (uint32_t)count, is_range, d.type, d.vec, name.data);
		decorate(ps, DECOR_REG, (uint32_t)ps->reg_decls.len - 1);
	} while (lex_take(&ps->lx, ','));
	lex_expect(&ps->lx, ';', "behind the registers");
}

/* --- Labels --- */

static void bind_in_scope(struct parser *ps, struct text name, enum binding kind, uint32_t id)
{
	uint32_t index = names_intern(&ps->names, &ps->m->arena, name.data, name.len);

	if (!names_bind(&ps->names, index, kind, id))
		parser_fail(ps, name.data, "'%.*s' is declared twice in this scope", (int)name.len, name.data);
	vec_push(&ps->declared, (struct declared_label){index, id, (uint8_t)kind});
}

static void declare_label(struct parser *ps, struct text name)
{
	uint32_t id = (uint32_t)ps->labels.len;

	bind_in_scope(ps, name, BIND_LABEL, id);
	vec_push(&ps->labels, (uint32_t)ps->insts.len);
	vec_push(&ps->label_names, ps->names.all.data[vec_last(&ps->declared).name].text);
	decorate(ps, DECOR_LABEL, id);
}

/*
 * A label may be declared anywhere in the scope of the reference or in one around it, so each reference waits in its
 * name's list until a scope that declares the label closes.
 */
void refer_to_label(struct parser *ps, struct text name, uint32_t *id, uint8_t *kind, enum binding wanted)
{
	uint32_t index = names_intern(&ps->names, &ps->m->arena, name.data, name.len);
	struct name *n = &ps->names.all.data[index];

	vec_push(&ps->refs, (struct label_ref){n->pending, index, false, id, kind, (uint8_t)wanted, name.data});
	n->pending = (uint32_t)ps->refs.len - 1;
}

/* Fills in the references to the label that were made since the scope was opened, newest first. */
static void resolve(struct parser *ps, const struct declared_label *label, size_t since)
{
	struct name *n = &ps->names.all.data[label->name];

	while (n->pending != PTX_NONE && n->pending >= since) {
		struct label_ref *ref = &ps->refs.data[n->pending];

		*ref->id = label->id;
		if (ref->wanted != label->kind)
			parser_fail(ps, ref->at, "'%s' is %s", n->text,
				    label->kind == BIND_LABEL ? "a label, not a list of targets or a prototype"
							      : "not a label");
		if (ref->kind)
			*ref->kind = label->kind == BIND_LABEL ? PTX_OPERAND_LABEL : PTX_OPERAND_SYMBOL;
		ref->resolved = true;
		n->pending = ref->older;
	}
}

static void open_scope(struct parser *ps, const char *at)
{
	vec_push(&ps->scopes, (struct scope){ps->names.undo.len, ps->declared.len, ps->refs.len, at});
	names_open(&ps->names);
}

static void close_scope(struct parser *ps)
{
	struct scope s = vec_pop(&ps->scopes);

	for (size_t i = s.labels; i < ps->declared.len; i++)
		resolve(ps, &ps->declared.data[i], s.refs);
	ps->declared.len = s.labels;
	names_close(&ps->names, s.undo);
}

/* A fragment may jump to labels outside it. */
static void check_references(struct parser *ps)
{
	if (ps->is_fragment)
		return;
	for (size_t i = 0; i < ps->refs.len; i++) {
		const struct label_ref *ref = &ps->refs.data[i];

		if (!ref->resolved)
			parser_fail(ps, ref->at, "'%s' is not declared: no register, variable or label has this name",
				    ps->names.all.data[ref->name].text);
	}
}

/* --- Statements --- */

static void parse_branch_targets(struct parser *ps, uint32_t symbol)
{
	struct ptx_symbol *s;
	uint32_t *targets;
	size_t first = ps->label_texts.len;

	do {
		struct text name = lex_name(&ps->lx, "a label");

		vec_push(&ps->label_texts, name);
	} while (lex_take(&ps->lx, ','));
	targets = arena_array(&ps->m->arena, uint32_t, ps->label_texts.len - first);
	for (size_t i = first; i < ps->label_texts.len; i++)
		refer_to_label(ps, ps->label_texts.data[i], &targets[i - first], NULL, BIND_LABEL);
	s = &ps->symbols.data[symbol];
	s->targets = targets;
	s->ntargets = (uint32_t)(ps->label_texts.len - first);
	s->targets_are_labels = true;
	ps->label_texts.len = first;
	lex_expect(&ps->lx, ';', "behind .branchtargets");
}

static void parse_call_targets(struct parser *ps, uint32_t symbol)
{
	ps->ids.len = 0;
	do {
		struct text name = lex_name(&ps->lx, "a function");
		uint32_t index = names_find(&ps->names, name.data, name.len);
		const struct name *n = index == PTX_NONE ? NULL : &ps->names.all.data[index];

		if (!n || n->kind != BIND_SYMBOL || ps->symbols.data[n->id].kind != PTX_SYMBOL_FUNCTION)
			parser_fail(ps, name.data, "'%.*s' is not a function declared before", (int)name.len,
				    name.data);
		vec_push(&ps->ids, n->id);
	} while (lex_take(&ps->lx, ','));
	ps->symbols.data[symbol].ntargets = (uint32_t)ps->ids.len;
	ps->symbols.data[symbol].targets = KEEP(ps, &ps->ids);
	lex_expect(&ps->lx, ';', "behind .calltargets");
}

/* The directives that may stand behind a label instead of code. */
static const struct {
	const char *word;
	enum ptx_symbol_kind kind;
	enum decoration_kind decoration;
	void (*parse)(struct parser *ps, uint32_t symbol);
} labelled[] = {
    {"callprototype", PTX_SYMBOL_PROTOTYPE, DECOR_PROTOTYPE, parse_prototype},
    {"branchtargets", PTX_SYMBOL_TARGETS, DECOR_TARGETS, parse_branch_targets},
    {"calltargets", PTX_SYMBOL_TARGETS, DECOR_TARGETS, parse_call_targets},
};

static void parse_label(struct parser *ps, struct text name)
{
	lex_skip(&ps->lx);
	for (size_t i = 0; *ps->lx.p == '.' && i < sizeof(labelled) / sizeof(labelled[0]); i++) {
		size_t len = strlen(labelled[i].word);
		uint32_t symbol;

		if (strncmp(ps->lx.p + 1, labelled[i].word, len) != 0 || is_char(ps->lx.p[1 + len], CHAR_IDENT))
			continue;
		ps->lx.p += 1 + len;
		symbol = new_symbol(ps, name, labelled[i].kind);
		labelled[i].parse(ps, symbol);
		bind_in_scope(ps, name, BIND_SYMBOL, symbol);
		decorate(ps, labelled[i].decoration, symbol);
		return;
	}
	declare_label(ps, name);
}

static void parse_statement_pragma(struct parser *ps)
{
	do
		decorate(ps, DECOR_PRAGMA, add_string(ps, lex_string(&ps->lx, "a pragma")));
	while (lex_take(&ps->lx, ','));
	lex_expect(&ps->lx, ';', "behind the pragma");
}

static void parse_statement_directive(struct parser *ps)
{
	struct text word = lex_dotted(&ps->lx);

	if (text_is(word, "loc")) {
		ps->loc = parse_loc(ps);
		decorate(ps, DECOR_LOC, ps->loc);
	} else if (text_is(word, "reg")) {
		parse_regs(ps, word);
	} else if (text_is(word, "pragma")) {
		parse_statement_pragma(ps);
	} else if (text_is(word, "file")) {
		parse_file(ps);
	} else if (space_by_name(word) != PTX_SPACE_GENERIC) {
		parse_variables(ps, word, PTX_LINK_NONE);
	} else {
		parser_fail(ps, word.data, "directive '.%.*s' is not allowed inside a function", (int)word.len,
			    word.data);
	}
}

/* An opcode: words joined by '.', each with any '::'. Blanks before a '.' are allowed and rare. */
static struct text take_spelling(struct parser *ps, const char *start)
{
	const char *p = ps->lx.p;

	for (;;) {
		while (is_char(*p, CHAR_IDENT) || *p == '.')
			p++;
		if (p[0] != ':' || p[1] != ':')
			break;
		p += 2;
	}
	ps->lx.p = p;
	return (struct text){start, (uint32_t)(p - start)};
}

static void parse_code(struct parser *ps)
{
	const char *at = ps->lx.p;
	bool negated = false;
	uint32_t predicate = PTX_NONE;
	struct text word;

	if (*at == '@')
		predicate = parse_predicate(ps, &negated);
	if (!lex_at_name(&ps->lx))
		parser_fail(ps, ps->lx.p, "expected an instruction");
	word.data = ps->lx.p;
	for (ps->lx.p++; is_char(*ps->lx.p, CHAR_IDENT);)
		ps->lx.p++;
	word.len = (uint32_t)(ps->lx.p - word.data);
	if (*ps->lx.p == '.')
		word = take_spelling(ps, word.data);
	else if (predicate == PTX_NONE && lex_take(&ps->lx, ':')) {
		parse_label(ps, word);
		return;
	}
	parse_instruction(ps, word, at, predicate, negated);
}

void parse_body(struct parser *ps)
{
	open_scope(ps, ps->lx.p - 1);
	while (ps->scopes.len) {
		const char *at;

		lex_skip(&ps->lx);
		at = ps->lx.p;
		if (*at == '.') {
			parse_statement_directive(ps);
		} else if (*at == '{') {
			ps->lx.p++;
			open_scope(ps, at);
			decorate(ps, DECOR_OPEN, 0);
		} else if (*at == '}') {
			ps->lx.p++;
			if (ps->is_fragment && ps->scopes.len == 1)
				continue;
			close_scope(ps);
			if (ps->scopes.len)
				decorate(ps, DECOR_CLOSE, 0);
		} else if (at >= ps->lx.end && ps->is_fragment) {
			close_scope(ps);
		} else if (at >= ps->lx.end) {
			parser_fail(ps, vec_last(&ps->scopes).at, "this '{' is not closed");
		} else if (!lex_take(&ps->lx, ';')) {
			parse_code(ps);
		}
	}
	check_references(ps);
}
