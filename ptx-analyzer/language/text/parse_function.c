/* Function headers: parameters, return values, performance directives; and prototypes of indirect calls. */
#include "ptx-analyzer/language/text/parser.h"

#include "common/integer.h"

#include <inttypes.h>
#include <stdio.h>

static uint32_t parse_parameter(struct parser *ps, enum ptx_symbol_kind kind)
{
	struct declaration d = {.linkage = PTX_LINK_NONE};
	const char *at;

	lex_skip(&ps->lx);
	at = ps->lx.p;
	if (*at != '.')
		parser_fail(ps, at, "expected a parameter as in '.param .u64 name'");
	parse_declaration(ps, lex_dotted(&ps->lx), &d);
	if (d.space != PTX_SPACE_PARAM && d.space != PTX_SPACE_REG)
		parser_fail(ps, at, "a parameter is a .param or a .reg");
	return parse_declarator(ps, &d, kind);
}

/* Places the parameters one behind another and returns their bytes. */
static uint64_t lay_out(struct parser *ps, const uint32_t *ids, size_t count)
{
	uint64_t offset = 0;

	for (size_t i = 0; i < count; i++) {
		struct ptx_symbol *s = &ps->symbols.data[ids[i]];

		offset = round_up(offset, s->align);
		s->param_index = (uint32_t)i;
		s->param_offset = offset;
		offset += s->size;
	}
	return offset;
}

/* `( ... )`, or nothing; returns the bytes of all. */
static uint64_t parse_parameters(struct parser *ps, enum ptx_symbol_kind kind, uint32_t **ids, uint32_t *count)
{
	ps->ids.len = 0;
	if (lex_take(&ps->lx, '(') && !lex_take(&ps->lx, ')')) {
		do {
			uint32_t id = parse_parameter(ps, kind);

			vec_push(&ps->ids, id);
		} while (lex_take(&ps->lx, ','));
		lex_expect(&ps->lx, ')', "behind the parameters");
	}
	*count = (uint32_t)ps->ids.len;
	*ids = KEEP(ps, &ps->ids);
	return lay_out(ps, *ids, *count);
}

/* Names the parameters in the function's scope; a parameter in a register is a register of the function too. */
static void bind_parameters(struct parser *ps, const uint32_t *ids, uint32_t count, const char *at)
{
	for (uint32_t i = 0; i < count; i++) {
		struct ptx_symbol *s = &ps->symbols.data[ids[i]];
		uint32_t index = names_intern(&ps->names, &ps->m->arena, s->name, (uint32_t)strlen(s->name));

		if (!strcmp(s->name, "_"))
			continue;
		if (s->space == PTX_SPACE_REG)
			s->reg = declare_reg(ps, (struct text){s->name, (uint32_t)strlen(s->name)}, 0, false, s->type,
					     s->vec, at);
		else if (!names_bind(&ps->names, index, BIND_SYMBOL, ids[i]))
			parser_fail(ps, at, "two parameters are called '%s'", s->name);
	}
}

/* --- Directives between the header and the body --- */

static const struct {
	const char *name;
	uint8_t values; /* the largest number of values; with any, at least one is required */
} directive_table[] = {
    {".maxntid", 3},        {".reqntid", 3},           {".minnctapersm", 1},    {".maxnctapersm", 1},
    {".maxnreg", 1},        {".noreturn", 0},          {".explicitcluster", 0}, {".reqnctapercluster", 3},
    {".maxclusterrank", 1}, {".blocksareclusters", 0}, {".abi_preserve", 1},    {".abi_preserve_control", 1},
};
enum { NDIRECTIVES = sizeof(directive_table) / sizeof(directive_table[0]) };

static void note_extents(uint32_t extents[3], const struct ptx_directive *d)
{
	for (uint32_t i = 0; i < 3; i++)
		extents[i] = i < d->nvalues ? d->values[i] : 1;
}

static void note_directive(struct ptx_function *f, const struct ptx_directive *d)
{
	if (!strcmp(d->name, ".maxntid"))
		note_extents(f->maxntid, d);
	else if (!strcmp(d->name, ".reqntid"))
		note_extents(f->reqntid, d);
	else if (!strcmp(d->name, ".minnctapersm"))
		f->minnctapersm = d->values[0];
	else if (!strcmp(d->name, ".maxnreg"))
		f->maxnreg = d->values[0];
	else if (!strcmp(d->name, ".noreturn"))
		f->noreturn = true;
}

static uint32_t directive_value(struct parser *ps)
{
	const char *at;
	int64_t value;

	lex_skip(&ps->lx);
	at = ps->lx.p;
	value = parse_constant(ps);
	if (value < 0 || value > UINT32_MAX)
		parser_fail(ps, at, "%" PRId64 " is out of range", value);
	return (uint32_t)value;
}

static void parse_directive_values(struct parser *ps, struct ptx_directive *d, unsigned most)
{
	const char *at = ps->lx.p;

	do {
		if (d->nvalues == most)
			parser_fail(ps, at, "%s takes at most %u value%s", d->name, most, most > 1 ? "s" : "");
		d->values[d->nvalues++] = directive_value(ps);
	} while (lex_take(&ps->lx, ','));
}

static void parse_function_pragma(struct parser *ps)
{
	do {
		struct text t = lex_string(&ps->lx, "a pragma");

		vec_push(&ps->directives, (struct ptx_directive){.name = ".pragma",
								 .text = arena_strndup(&ps->m->arena, t.data, t.len)});
	} while (lex_take(&ps->lx, ','));
	lex_expect(&ps->lx, ';', "behind the pragma");
}

static void parse_one_directive(struct parser *ps)
{
	struct ptx_directive d = {0};
	struct text word = lex_dotted(&ps->lx);

	if (text_is(word, "pragma")) {
		parse_function_pragma(ps);
		return;
	}
	for (int i = 0; i < NDIRECTIVES; i++) {
		if (!text_is(word, directive_table[i].name + 1))
			continue;
		d.name = directive_table[i].name;
		if (directive_table[i].values)
			parse_directive_values(ps, &d, directive_table[i].values);
		note_directive(ps->f, &d);
		vec_push(&ps->directives, d);
		return;
	}
	parser_fail(ps, word.data, "'.%.*s' is not allowed between a function's parameters and its body", (int)word.len,
		    word.data);
}

/* Whether the next directive belongs to the module: old compilers wrote declarations without ';'. */
static bool at_module_directive(const struct parser *ps)
{
	static const char *const words[] = {".visible", ".extern",  ".weak",  ".entry",  ".func",
					    ".file",    ".global",  ".const", ".shared", ".local",
					    ".section", ".version", ".target"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t len = strlen(words[i]);

		if (!strncmp(ps->lx.p, words[i], len) && !is_char(ps->lx.p[len], CHAR_IDENT))
			return true;
	}
	return false;
}

static void parse_directives(struct parser *ps)
{
	for (ps->directives.len = 0;;) {
		lex_skip(&ps->lx);
		if (*ps->lx.p != '.' || at_module_directive(ps))
			break;
		parse_one_directive(ps);
	}
}

/* --- Functions --- */

/* The symbol of a function of this name: declared before, or new. */
static uint32_t function_symbol(struct parser *ps, struct text name)
{
	uint32_t index = names_intern(&ps->names, &ps->m->arena, name.data, name.len);
	const struct name *n = &ps->names.all.data[index];
	uint32_t symbol;

	if (n->kind == BIND_SYMBOL && ps->symbols.data[n->id].kind == PTX_SYMBOL_FUNCTION)
		return n->id;
	if (n->kind != BIND_NONE)
		parser_fail(ps, name.data, "'%.*s' is declared already, and is not a function", (int)name.len,
			    name.data);
	symbol = new_symbol(ps, name, PTX_SYMBOL_FUNCTION);
	ps->symbols.data[symbol].function = PTX_NONE;
	names_bind(&ps->names, index, BIND_SYMBOL, symbol);
	return symbol;
}

/* A call of the name means the function's definition. Until that comes, it means a declaration. */
static void note_callee(struct parser *ps, struct text name)
{
	struct ptx_symbol *s = &ps->symbols.data[ps->f->symbol];
	const struct ptx_function *old = s->callee == PTX_NONE ? NULL : &ps->functions.data[s->callee];

	if (old && !old->is_declaration) {
		if (!ps->f->is_declaration)
			parser_fail(ps, name.data, "function '%s' has two bodies; the first is in line %u", s->name,
				    old->line);
		return;
	}
	s->callee = ps->function;
	s->linkage = ps->f->linkage;
}

/* `.attribute( )` in front of a function's name. */
static void parse_name_attribute(struct parser *ps, struct declaration *d)
{
	lex_skip(&ps->lx);
	while (*ps->lx.p == '.') {
		struct text word = lex_dotted(&ps->lx);

		if (!text_is(word, "attribute"))
			parser_fail(ps, word.data, "expected the function's name");
		parse_attribute(ps, d);
		lex_skip(&ps->lx);
	}
}

static void start_function(struct parser *ps, enum ptx_linkage linkage, bool is_kernel)
{
	vec_push(&ps->functions,
		 (struct ptx_function){
		     .module = ps->m, .linkage = (uint8_t)linkage, .is_kernel = is_kernel, .line = ps->lx.line});
	ps->function = (uint32_t)ps->functions.len - 1;
	ps->f = &ps->functions.data[ps->function];
	ps->insts.len = ps->regs.len = ps->reg_decls.len = ps->labels.len = ps->label_names.len = 0;
	ps->variables.len = ps->decorations.len = ps->scopes.len = ps->declared.len = ps->refs.len = 0;
	ps->loc = PTX_NONE;
	vec_push(&ps->items, (struct item){ITEM_FUNCTION, ps->function, 0, NULL});
}

static void finish_function(struct parser *ps)
{
	struct ptx_function *f = ps->f;

	f->ninsts = (uint32_t)ps->insts.len;
	f->insts = KEEP(ps, &ps->insts);
	f->nregs = (uint32_t)ps->regs.len;
	f->regs = KEEP(ps, &ps->regs);
	f->nreg_decls = (uint32_t)ps->reg_decls.len;
	f->reg_decls = KEEP(ps, &ps->reg_decls);
	f->nlabels = (uint32_t)ps->labels.len;
	f->labels = KEEP(ps, &ps->labels);
	f->label_names = KEEP(ps, &ps->label_names);
	f->nvariables = (uint32_t)ps->variables.len;
	f->variables = KEEP(ps, &ps->variables);
	f->ndecorations = (uint32_t)ps->decorations.len;
	f->decorations = KEEP(ps, &ps->decorations);
	f->ndirectives = (uint32_t)ps->directives.len;
	f->directives = KEEP(ps, &ps->directives);
	ps->f = NULL;
}

static void parse_header(struct parser *ps, struct text *name)
{
	struct declaration d = {.linkage = PTX_LINK_NONE};
	struct ptx_function *f = ps->f;

	parse_name_attribute(ps, &d);
	parse_parameters(ps, PTX_SYMBOL_RETURN, &f->returns, &f->nreturns);
	parse_name_attribute(ps, &d);
	*name = lex_name(&ps->lx, "the function's name");
	f->symbol = function_symbol(ps, *name);
	f->name = ps->symbols.data[f->symbol].name;
	f->attribute = d.attribute;
	f->param_bytes = parse_parameters(ps, PTX_SYMBOL_PARAM, &f->params, &f->nparams);
	parse_directives(ps);
}

void parse_function(struct parser *ps, enum ptx_linkage linkage, bool is_kernel)
{
	struct text name;
	size_t mark;

	start_function(ps, linkage, is_kernel);
	parse_header(ps, &name);
	ps->f->is_declaration = lex_take(&ps->lx, ';') || at_module_directive(ps);
	note_callee(ps, name);
	if (!ps->f->is_declaration) {
		lex_expect(&ps->lx, '{', "and the function's body, or ';'");
		mark = ps->names.undo.len;
		names_open(&ps->names);
		bind_parameters(ps, ps->f->returns, ps->f->nreturns, name.data);
		bind_parameters(ps, ps->f->params, ps->f->nparams, name.data);
		parse_body(ps);
		names_close(&ps->names, mark);
	}
	finish_function(ps);
}

/* The operands are the function's first registers, and PTX_FRAGMENT_ELSEWHERE its first symbol. */
void parse_fragment(struct parser *ps, unsigned noperands)
{
	size_t mark = ps->names.undo.len;
	char name[16];

	new_symbol(ps, (struct text){"", 0}, PTX_SYMBOL_VARIABLE);
	start_function(ps, PTX_LINK_NONE, false);
	ps->f->name = "";
	ps->f->symbol = PTX_NONE;
	names_open(&ps->names);
	for (unsigned i = 0; i < noperands; i++) {
		int len = snprintf(name, sizeof name, "%%$%u", i);

		declare_reg(ps, (struct text){name, (uint32_t)len}, 0, false, PTX_untyped, 1, ps->lx.p);
	}
	parse_body(ps);
	names_close(&ps->names, mark);
	finish_function(ps);
}

/* `.callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;` behind its label. */
void parse_prototype(struct parser *ps, uint32_t symbol)
{
	struct ptx_prototype *p = arena_new(&ps->m->arena, struct ptx_prototype);

	ps->symbols.data[symbol].prototype = p;
	parse_parameters(ps, PTX_SYMBOL_RETURN, &p->returns, &p->nreturns);
	lex_name(&ps->lx, "'_' for the function's name");
	parse_parameters(ps, PTX_SYMBOL_PARAM, &p->params, &p->nparams);
	lex_skip(&ps->lx);
	while (*ps->lx.p == '.') {
		struct text word = lex_dotted(&ps->lx);

		if (text_is(word, "noreturn"))
			p->noreturn = true;
		else if (text_is(word, "abi_preserve"))
			p->abi_preserve = 1 + directive_value(ps);
		else if (text_is(word, "abi_preserve_control"))
			p->abi_preserve_control = 1 + directive_value(ps);
		else
			parser_fail(ps, word.data, "'.%.*s' is not allowed in a .callprototype", (int)word.len,
				    word.data);
		lex_skip(&ps->lx);
	}
	lex_expect(&ps->lx, ';', "behind .callprototype");
}
