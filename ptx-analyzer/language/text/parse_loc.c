/* Source positions: .file numbers and .loc, each distinct position stored once. */
#include "ptx-analyzer/language/text/parser.h"

static const uint32_t largest_file = 1 << 20;
enum { DEEPEST_INLINING = 64 };

static uint32_t parse_u32(struct parser *ps, const char *what)
{
	const char *at;
	int64_t value;

	lex_skip(&ps->lx);
	at = ps->lx.p;
	if (!is_char(*at, CHAR_DIGIT))
		parser_fail(ps, at, "expected %s", what);
	value = (int64_t)lex_number(&ps->lx).bits;
	if (value < 0 || value > UINT32_MAX)
		parser_fail(ps, at, "%s is out of range", what);
	return (uint32_t)value;
}

/* `.file 1 "path"` or `.file 1 "path", time, size`. */
void parse_file(struct parser *ps)
{
	const char *at, *tail = "";
	uint32_t number, time;
	struct text name;

	lex_skip(&ps->lx);
	at = ps->lx.p;
	number = parse_u32(ps, "a file number");
	if (number > largest_file)
		parser_fail(ps, at, "file numbers end at %u", largest_file);
	name = lex_string(&ps->lx, "a file name");
	while (ps->files.len <= number)
		vec_push(&ps->files, NULL);
	ps->files.data[number] = arena_strndup(&ps->m->arena, name.data, name.len);
	if (lex_take(&ps->lx, ',')) {
		time = parse_u32(ps, "the file's time");
		lex_expect(&ps->lx, ',', "and the file's size behind its time");
		tail = arena_printf(&ps->m->arena, ", %u, %u", time, parse_u32(ps, "the file's size"));
	}
	vec_push(&ps->items, (struct item){ITEM_FILE, number, 0, tail});
}

static uint32_t hash_loc(const struct ptx_loc *l, const struct loc_name *n)
{
	uint64_t h = l->file * 0x9E3779B97F4A7C15u ^ l->line;

	h = h * 0xFF51AFD7ED558CCDu ^ l->column ^ (uint64_t)l->inlined_at << 32;
	h = h * 0xFF51AFD7ED558CCDu ^ n->name ^ (uint64_t)n->line << 32 ^ (uint64_t)n->offset << 16;
	h = h * 0xFF51AFD7ED558CCDu ^ n->column ^ (uint64_t)n->file << 32;
	return (uint32_t)(h >> 29);
}

/* The slot of the newest position at this place in the source, which a later .loc may name as its call site. */
static uint32_t *site_slot(struct parser *ps, const struct ptx_loc *l)
{
	uint32_t slot = hash_loc(&(struct ptx_loc){l->file, l->line, l->column, 0}, &(struct loc_name){0});

	for (slot &= ps->loc_size - 1; ps->site_slots[slot]; slot = (slot + 1) & (ps->loc_size - 1)) {
		const struct ptx_loc *o = &ps->locs.data[ps->site_slots[slot] - 1];

		if (o->file == l->file && o->line == l->line && o->column == l->column)
			break;
	}
	return &ps->site_slots[slot];
}

static void grow(struct parser *ps)
{
	ps->loc_size = ps->loc_size ? ps->loc_size * 2 : 256;
	free(ps->loc_slots);
	free(ps->site_slots);
	ps->loc_slots = xcalloc(ps->loc_size, sizeof(uint32_t));
	ps->site_slots = xcalloc(ps->loc_size, sizeof(uint32_t));
	for (uint32_t i = 0; i < ps->locs.len; i++) {
		uint32_t slot = hash_loc(&ps->locs.data[i], &ps->loc_names.data[i]) & (ps->loc_size - 1);

		while (ps->loc_slots[slot])
			slot = (slot + 1) & (ps->loc_size - 1);
		ps->loc_slots[slot] = i + 1;
		*site_slot(ps, &ps->locs.data[i]) = i + 1;
	}
}

static bool same_loc(const struct parser *ps, uint32_t i, const struct ptx_loc *l, const struct loc_name *n)
{
	const struct ptx_loc *a = &ps->locs.data[i];
	const struct loc_name *b = &ps->loc_names.data[i];

	return a->file == l->file && a->line == l->line && a->column == l->column && a->inlined_at == l->inlined_at &&
	       b->name == n->name && b->file == n->file && b->line == n->line && b->column == n->column &&
	       b->offset == n->offset;
}

static uint32_t intern_loc(struct parser *ps, struct ptx_loc l, struct loc_name n)
{
	uint32_t slot;

	if (ps->locs.len * 2 >= ps->loc_size)
		grow(ps);
	slot = hash_loc(&l, &n) & (ps->loc_size - 1);
	for (; ps->loc_slots[slot]; slot = (slot + 1) & (ps->loc_size - 1))
		if (same_loc(ps, ps->loc_slots[slot] - 1, &l, &n))
			return ps->loc_slots[slot] - 1;
	vec_push(&ps->locs, l);
	vec_push(&ps->loc_names, n);
	ps->loc_slots[slot] = (uint32_t)ps->locs.len;
	*site_slot(ps, &l) = (uint32_t)ps->locs.len;
	return (uint32_t)ps->locs.len - 1;
}

/*
 * The position of the call site that a .loc was inlined at. It is a position that the current position was inlined at.
 * Else it is the newest position at that place. Else it is a new position without inlining of its own.
 */
static uint32_t find_call_site(struct parser *ps, const struct loc_name *n)
{
	struct ptx_loc l = {n->file, n->line, n->column, PTX_NONE};
	uint32_t i = ps->loc;

	for (int depth = 0; i != PTX_NONE && depth < DEEPEST_INLINING; depth++, i = ps->locs.data[i].inlined_at) {
		const struct ptx_loc *c = &ps->locs.data[i];

		if (c->file == l.file && c->line == l.line && c->column == l.column)
			return i;
	}
	if (ps->loc_size && *site_slot(ps, &l))
		return *site_slot(ps, &l) - 1;
	return intern_loc(ps, l, (struct loc_name){.name = PTX_NONE});
}

static void parse_function_name(struct parser *ps, struct loc_name *n)
{
	struct text label = lex_name(&ps->lx, "the label of a function name");
	uint32_t name = names_intern(&ps->names, &ps->m->arena, label.data, label.len);

	n->name = name;
	lex_skip(&ps->lx);
	if (*ps->lx.p == '+' || *ps->lx.p == '-')
		n->offset = parse_constant(ps);
}

/* `.loc 1 20 5` or `.loc 1 20 5, function_name $L__info_string0+13, inlined_at 1 48 9`. */
uint32_t parse_loc(struct parser *ps)
{
	struct ptx_loc l = {.inlined_at = PTX_NONE};
	struct loc_name n = {.name = PTX_NONE};

	l.file = parse_u32(ps, "a file number");
	l.line = parse_u32(ps, "a line number");
	l.column = parse_u32(ps, "a column number");
	while (lex_take(&ps->lx, ',')) {
		struct text word = lex_name(&ps->lx, "function_name or inlined_at");

		if (text_is(word, "function_name")) {
			parse_function_name(ps, &n);
		} else if (text_is(word, "inlined_at")) {
			n.file = parse_u32(ps, "a file number");
			n.line = parse_u32(ps, "a line number");
			n.column = parse_u32(ps, "a column number");
			l.inlined_at = find_call_site(ps, &n);
		} else {
			parser_fail(ps, word.data, "expected function_name or inlined_at");
		}
	}
	return intern_loc(ps, l, n);
}
