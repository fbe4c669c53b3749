/* Parses a module: a loop over the directives at top level, without recursion. */
#include "ptx-analyzer/language/text/parser.h"
#include "ptx-analyzer/language/text/ptx_text.h"

static const size_t largest_text = UINT32_MAX - 16;

static uint32_t parse_small(struct parser *ps, const char *what)
{
	const char *at;
	int64_t value;

	lex_skip(&ps->lx);
	at = ps->lx.p;
	if (!is_char(*at, CHAR_DIGIT))
		parser_fail(ps, at, "expected %s", what);
	for (value = 0; is_char(*ps->lx.p, CHAR_DIGIT) && value < 100000; ps->lx.p++)
		value = value * 10 + (*ps->lx.p - '0');
	return (uint32_t)value;
}

static void parse_version(struct parser *ps)
{
	ps->m->version_major = parse_small(ps, "a version as in '.version 8.0'");
	if (!lex_take(&ps->lx, '.'))
		parser_fail(ps, ps->lx.p, "expected a version as in '.version 8.0'");
	ps->m->version_minor = parse_small(ps, "the second part of the version");
}

/* `.target sm_90a, texmode_unified, debug`: kept as written but for the blanks. */
static void parse_target(struct parser *ps)
{
	struct strbuf *sb = &ps->scratch;

	sb->len = 0;
	do {
		struct text word = lex_name(&ps->lx, "a target as in '.target sm_75'");

		if (sb->len)
			strbuf_adds(sb, ", ");
		strbuf_add(sb, word.data, word.len);
	} while (lex_take(&ps->lx, ','));
	ps->m->target = arena_strndup(&ps->m->arena, sb->data, sb->len);
}

static void parse_address_size(struct parser *ps)
{
	const char *at;
	uint32_t size;

	lex_skip(&ps->lx);
	at = ps->lx.p;
	size = parse_small(ps, "32 or 64");
	if (size != 32 && size != 64)
		parser_fail(ps, at, "the address size is 32 or 64, not %u", size);
	ps->m->address_size = size;
}

/* Keeps `.section .debug_info { ... }` as written. */
static void parse_section(struct parser *ps, const char *start)
{
	while (*ps->lx.p != '}') {
		if (ps->lx.p >= ps->lx.end)
			parser_fail(ps, start, "this section has no end; expected '}'");
		if (*ps->lx.p == '"')
			lex_string(&ps->lx, "a string");
		else if (*ps->lx.p == '\n' || (*ps->lx.p == '/' && (ps->lx.p[1] == '/' || ps->lx.p[1] == '*')))
			lex_skip_slow(&ps->lx);
		else
			ps->lx.p++;
	}
	ps->lx.p++;
	vec_push(&ps->items,
		 (struct item){ITEM_VERBATIM, 0, 0, arena_strndup(&ps->m->arena, start, (size_t)(ps->lx.p - start))});
}

/* `@@DWARF ...` of old compilers: a line of debug information. */
static void parse_old_debug(struct parser *ps)
{
	const char *start = ps->lx.p, *newline = memchr(start, '\n', (size_t)(ps->lx.end - start));

	ps->lx.p = newline ? newline : ps->lx.end;
	vec_push(&ps->items,
		 (struct item){ITEM_VERBATIM, 0, 0, arena_strndup(&ps->m->arena, start, (size_t)(ps->lx.p - start))});
}

static void parse_module_pragma(struct parser *ps)
{
	do {
		struct text t = lex_string(&ps->lx, "a pragma");

		vec_push(&ps->items, (struct item){ITEM_PRAGMA, 0, 0, arena_strndup(&ps->m->arena, t.data, t.len)});
	} while (lex_take(&ps->lx, ','));
	lex_expect(&ps->lx, ';', "behind the pragma");
}

static uint32_t function_named(struct parser *ps)
{
	struct text name = lex_name(&ps->lx, "a function");
	uint32_t index = names_find(&ps->names, name.data, name.len);
	const struct name *n = index == PTX_NONE ? NULL : &ps->names.all.data[index];

	if (!n || n->kind != BIND_SYMBOL || ps->symbols.data[n->id].kind != PTX_SYMBOL_FUNCTION)
		parser_fail(ps, name.data, "'%.*s' is not a function declared before", (int)name.len, name.data);
	return n->id;
}

static void parse_alias(struct parser *ps)
{
	uint32_t alias = function_named(ps), target;

	lex_expect(&ps->lx, ',', "between the two functions of .alias");
	target = function_named(ps);
	lex_expect(&ps->lx, ';', "behind .alias");
	vec_push(&ps->items, (struct item){ITEM_ALIAS, alias, target, NULL});
	ps->symbols.data[alias].callee = ps->symbols.data[target].callee;
}

static enum ptx_linkage linkage_by_name(struct text word)
{
	static const char *const names[] = {"", "visible", "extern", "weak", "common"};

	for (int i = PTX_LINK_VISIBLE; i <= PTX_LINK_COMMON; i++)
		if (text_is(word, names[i]))
			return i;
	return PTX_LINK_NONE;
}

static const struct {
	const char *word;
	void (*parse)(struct parser *ps);
} directives[] = {
    {"version", parse_version}, {"target", parse_target},        {"address_size", parse_address_size},
    {"file", parse_file},       {"pragma", parse_module_pragma}, {"alias", parse_alias},
};

static void parse_directive(struct parser *ps)
{
	const char *start = ps->lx.p;
	struct text word = lex_dotted(&ps->lx);
	enum ptx_linkage linkage;

	for (size_t i = 0; i < sizeof(directives) / sizeof(directives[0]); i++)
		if (text_is(word, directives[i].word)) {
			directives[i].parse(ps);
			return;
		}
	if (text_is(word, "section")) {
		parse_section(ps, start);
		return;
	}
	linkage = linkage_by_name(word);
	if (linkage != PTX_LINK_NONE) {
		lex_skip(&ps->lx);
		if (*ps->lx.p != '.')
			parser_fail(ps, ps->lx.p, "expected a function or variable behind '.%.*s'", (int)word.len,
				    word.data);
		word = lex_dotted(&ps->lx);
	}
	if (text_is(word, "entry") || text_is(word, "func"))
		parse_function(ps, linkage, word.data[0] == 'e');
	else if (space_by_name(word) != PTX_SPACE_GENERIC)
		parse_variables(ps, word, linkage);
	else
		parser_fail(ps, word.data, "unknown directive '.%.*s'", (int)word.len, word.data);
}

/* A string with a NUL in it is refused: it would be printed shorter than it was read. */
static void refuse_nul(struct parser *ps)
{
	const char *nul = memchr(ps->lx.start, 0, (size_t)(ps->lx.end - ps->lx.start));

	if (!nul)
		return;
	for (const char *p = ps->lx.start; p < nul; p++)
		if (*p == '\n') {
			ps->lx.line++;
			ps->lx.line_start = p + 1;
		}
	parser_fail(ps, nul, "PTX is text, and this byte is 0");
}

static void parse_module(struct parser *ps)
{
	refuse_nul(ps);
	for (;;) {
		lex_skip(&ps->lx);
		if (ps->lx.p >= ps->lx.end)
			break;
		if (*ps->lx.p == '.')
			parse_directive(ps);
		else if (ps->lx.p[0] == '@' && ps->lx.p[1] == '@')
			parse_old_debug(ps);
		else if (!lex_take(&ps->lx, ';'))
			parser_fail(ps, ps->lx.p, "expected a directive such as .version, .entry or .global");
	}
	if (!ps->m->version_major)
		parser_fail(ps, ps->lx.start, "not a PTX module: it has no .version");
}

static void finish(struct parser *ps)
{
	struct ptx_module *m = ps->m;

	m->nfunctions = (uint32_t)ps->functions.len;
	m->functions = KEEP(ps, &ps->functions);
	m->nsymbols = (uint32_t)ps->symbols.len;
	m->symbols = KEEP(ps, &ps->symbols);
	m->nlocs = (uint32_t)ps->locs.len;
	m->locs = KEEP(ps, &ps->locs);
	m->nfiles = (uint32_t)ps->files.len;
	m->files = KEEP(ps, &ps->files);
	ps->priv->nitems = (uint32_t)ps->items.len;
	ps->priv->items = KEEP(ps, &ps->items);
	ps->priv->nstrings = (uint32_t)ps->strings.len;
	ps->priv->strings = KEEP(ps, &ps->strings);
	for (size_t i = 0; i < ps->loc_names.len; i++) {
		uint32_t name = ps->loc_names.data[i].name;

		ps->loc_names.data[i].text = name == PTX_NONE ? NULL : ps->names.all.data[name].text;
	}
	ps->priv->loc_names = KEEP(ps, &ps->loc_names);
	if (!m->target)
		m->target = "";
	if (!m->address_size)
		m->address_size = 32;
}

static void release(struct parser *ps)
{
	names_release(&ps->names);
	vec_release(&ps->symbols);
	vec_release(&ps->functions);
	vec_release(&ps->items);
	vec_release(&ps->strings);
	vec_release(&ps->locs);
	vec_release(&ps->loc_names);
	vec_release(&ps->files);
	vec_release(&ps->init.bytes);
	vec_release(&ps->init.relocs);
	vec_release(&ps->insts);
	vec_release(&ps->regs);
	vec_release(&ps->reg_decls);
	vec_release(&ps->labels);
	vec_release(&ps->label_names);
	vec_release(&ps->variables);
	vec_release(&ps->decorations);
	vec_release(&ps->directives);
	vec_release(&ps->scopes);
	vec_release(&ps->declared);
	vec_release(&ps->refs);
	vec_release(&ps->label_texts);
	vec_release(&ps->ids);
	vec_release(&ps->stack);
	strbuf_release(&ps->scratch);
	free(ps->loc_slots);
	free(ps->site_slots);
}

static struct ptx_module *new_module(const char *file)
{
	struct ptx_module *m = xcalloc(1, sizeof(*m));

	m->arena = (struct arena)ARENA_INIT;
	m->file = arena_strdup(&m->arena, file);
	m->private_ = arena_new(&m->arena, struct ptx_private);
	ptx_private(m)->opcodes.arena = &m->arena;
	return m;
}

/* A copy with NULs behind it, so that the lexer needs no bounds. */
static char *padded_copy(const char *text, size_t size)
{
	enum { PADDING = 16 };
	char *copy = xmalloc(size + PADDING);

	memcpy(copy, text, size);
	memset(copy + size, 0, PADDING);
	return copy;
}

static bool run(struct parser *ps, unsigned noperands)
{
	if (setjmp(ps->lx.failed))
		return false;
	if (ps->is_fragment)
		parse_fragment(ps, noperands);
	else
		parse_module(ps);
	finish(ps);
	return true;
}

static struct ptx_module *parse(const char *file, const char *text, size_t size, bool is_fragment, unsigned noperands,
				struct diag *d)
{
	struct diag ignored = DIAG_INIT;
	struct parser *ps;
	struct ptx_module *m;
	char *copy = padded_copy(text, size);

	m = new_module(file);
	ps = xcalloc(1, sizeof(*ps));
	ps->m = m;
	ps->priv = ptx_private(m);
	ps->is_fragment = is_fragment;
	ps->lx.file = m->file;
	ps->lx.d = d ? d : &ignored;
	ps->lx.p = ps->lx.start = ps->lx.line_start = copy;
	ps->lx.end = copy + size;
	ps->lx.line = 1;
	ps->loc = PTX_NONE;
	if (!run(ps, noperands)) {
		ptx_module_free(m);
		m = NULL;
	}
	release(ps);
	free(ps);
	free(copy);
	return m;
}

struct ptx_module *ptx_parse(const char *file, const char *text, size_t size, struct diag *d)
{
	while (size && !text[size - 1])
		size--;
	if (size > largest_text) {
		diag_file(d, file, "PTX text of more than 4 GB");
		return NULL;
	}
	return parse(file, text, size, false, 0, d);
}

struct ptx_module *parse_statements(const char *file, const char *text, size_t size, unsigned noperands, struct diag *d)
{
	return parse(file, text, size, true, noperands, d);
}
