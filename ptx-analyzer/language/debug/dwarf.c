/*
 * A unit is a tree of entries (dies); each begins with the number of an abbreviation, which lists its attributes and
 * their forms. One pass finds the kernels' parameters; types are followed only when a member is asked for.
 */
#include "ptx-analyzer/language/debug/dwarf.h"

#include "ptx-analyzer/language/debug/dwarf_bytes.h"

#include "common/strbuf.h"

#include <string.h>

/* The part of the standard that this file needs. */
enum {
	TAG_CLASS = 0x02,
	TAG_PARAMETER = 0x05,
	TAG_MEMBER = 0x0d,
	TAG_STRUCTURE = 0x13,
	TAG_TYPEDEF = 0x16,
	TAG_UNION = 0x17,
	TAG_INHERITANCE = 0x1c,
	TAG_CONST = 0x26,
	TAG_SUBPROGRAM = 0x2e,
	TAG_VOLATILE = 0x35,
	AT_NAME = 0x03,
	AT_ABSTRACT_ORIGIN = 0x31,
	AT_MEMBER_LOCATION = 0x38,
	AT_SPECIFICATION = 0x47,
	AT_TYPE = 0x49,
	AT_LINKAGE_NAME = 0x6e,
	AT_MIPS_LINKAGE_NAME = 0x2007,
	OP_PLUS_UCONST = 0x23,
	FORMS = 0x2d,
};

/* Nesting of types, and links between entries, beyond which debug information is damaged. */
enum { DEEPEST = 16, MANY_ATTRIBUTES = 64 };

struct abbreviation {
	uint64_t tag;
	bool has_children;
	size_t attributes; /* their place in .debug_abbrev */
};

struct unit {
	size_t start, end; /* in .debug_info */
	unsigned version, address_size;
	const struct table *table;
};

/* The abbreviations at one place of .debug_abbrev, by number - 1. Units may share it. */
struct table {
	size_t offset;
	VEC(struct abbreviation) all;
};

struct die {
	size_t offset;
	uint64_t tag; /* 0: the end of its siblings */
	bool has_children;
	const char *name, *linkage_name;
	size_t type, origin; /* in .debug_info, or 0 */
	uint64_t location;
};

struct param {
	const char *name;
	const struct unit *unit;
	size_t type;
};

struct dwarf {
	byte_list info, abbreviations, strings;
	VEC(struct table *) tables;
	size_t budget; /* abbreviations that may still be read: there are fewer than bytes */
	VEC(struct param) params;
	struct {
		uint32_t first, count;
	} *functions; /* the module's: in params */
	struct arena arena;
};

/* --- Entries --- */

/* The form of an attribute's value: its number of bytes, or one of these. */
enum { OTHER, NOTHING = 100, ADDRESS, OFFSET, ULEB, STRING, BLOCK_ULEB, BLOCK_1, BLOCK_2, BLOCK_4, CONSTANT };
static const uint8_t forms[FORMS] = {
    [0x01] = ADDRESS, [0x03] = BLOCK_2,    [0x04] = BLOCK_4, [0x05] = 2,          [0x06] = 4,       [0x07] = 8,
    [0x08] = STRING,  [0x09] = BLOCK_ULEB, [0x0a] = BLOCK_1, [0x0b] = 1,          [0x0c] = 1,       [0x0d] = ULEB,
    [0x0e] = 4,       [0x0f] = ULEB,       [0x10] = OFFSET,  [0x11] = 1,          [0x12] = 2,       [0x13] = 4,
    [0x14] = 8,       [0x15] = ULEB,       [0x17] = 4,       [0x18] = BLOCK_ULEB, [0x19] = NOTHING, [0x1a] = ULEB,
    [0x1b] = ULEB,    [0x1c] = 4,          [0x1e] = 16,      [0x1f] = 4,          [0x20] = 8,       [0x21] = CONSTANT,
    [0x22] = ULEB,    [0x23] = ULEB,       [0x25] = 1,       [0x26] = 2,          [0x27] = 3,       [0x28] = 4,
    [0x29] = 1,       [0x2a] = 2,          [0x2b] = 3,       [0x2c] = 4,
};
enum { FORM_STRP = 0x0e, FORM_REF_ADDR = 0x10, FORM_REF1 = 0x11, FORM_REF_UDATA = 0x15 };

/* A block is the offset of a member if it adds a constant. */
static uint64_t read_block(struct cursor *c, uint64_t bytes)
{
	struct cursor block = *c;
	bool adds = bytes > 0 && cursor_fixed(&block, 1) == OP_PLUS_UCONST;

	cursor_skip(c, bytes);
	return adds ? cursor_uleb(&block) : 0;
}

/* The value of an attribute; *text: a string's value. */
static uint64_t read_value(const struct dwarf *d, const struct unit *u, struct cursor *c, uint64_t form,
			   struct cursor *abbreviation, const char **text)
{
	unsigned kind = form < FORMS ? forms[form] : OTHER;
	struct cursor strings;
	uint64_t value;

	*text = NULL;
	switch (kind) {
	case OTHER: c->bad = true; return 0;
	case NOTHING: return 1;
	case ADDRESS: return cursor_fixed(c, u->address_size);
	case OFFSET: return cursor_fixed(c, u->version <= 2 ? u->address_size : 4);
	case ULEB: return cursor_uleb(c);
	case STRING: *text = cursor_string(c); return 0;
	case BLOCK_ULEB: return read_block(c, cursor_uleb(c));
	case BLOCK_1: return read_block(c, cursor_fixed(c, 1));
	case BLOCK_2: return read_block(c, cursor_fixed(c, 2));
	case BLOCK_4: return read_block(c, cursor_fixed(c, 4));
	case CONSTANT: return cursor_uleb(abbreviation);
	default: break;
	}
	value = cursor_fixed(c, kind);
	if (form == FORM_STRP) {
		strings = cursor_at(&d->strings, value);
		*text = cursor_string(&strings);
	}
	return value;
}

static void note_attribute(const struct unit *u, struct die *die, uint64_t attribute, uint64_t form, uint64_t value,
			   const char *text)
{
	size_t target = form >= FORM_REF1 && form <= FORM_REF_UDATA ? u->start + value : value;

	switch (attribute) {
	case AT_NAME: die->name = text; break;
	case AT_LINKAGE_NAME:
	case AT_MIPS_LINKAGE_NAME: die->linkage_name = text; break;
	case AT_MEMBER_LOCATION: die->location = value; break;
	case AT_TYPE: die->type = target; break;
	case AT_SPECIFICATION:
	case AT_ABSTRACT_ORIGIN: die->origin = target; break;
	default: break;
	}
}

/* Reads the entry at `c`, and moves `c` behind it. False at the unit's end, and if it cannot be read. */
static bool read_die(const struct dwarf *d, const struct unit *u, struct cursor *c, struct die *die)
{
	struct cursor attributes;
	uint64_t number;

	*die = (struct die){.offset = (size_t)(c->at - c->start)};
	if (c->bad || die->offset < u->start || die->offset >= u->end)
		return false;
	number = cursor_uleb(c);
	if (number == 0 || number > u->table->all.len)
		return !c->bad && number == 0;
	die->tag = u->table->all.data[number - 1].tag;
	die->has_children = u->table->all.data[number - 1].has_children;
	attributes = cursor_at(&d->abbreviations, u->table->all.data[number - 1].attributes);
	for (int i = 0; i < MANY_ATTRIBUTES; i++) {
		uint64_t attribute = cursor_uleb(&attributes), form = cursor_uleb(&attributes), value;
		const char *text;

		if (attribute == 0 || attributes.bad || c->bad)
			break;
		value = read_value(d, u, c, form, &attributes, &text);
		note_attribute(u, die, attribute, form, value, text);
	}
	return !c->bad;
}

static bool die_at(const struct dwarf *d, const struct unit *u, size_t offset, struct die *die)
{
	struct cursor c = cursor_at(&d->info, offset);

	return read_die(d, u, &c, die);
}

/* Fills in what an entry lacks from the entry that it is an instance of. */
static void complete(const struct dwarf *d, const struct unit *u, struct die *die)
{
	struct die origin = *die;

	for (int i = 0; i < DEEPEST && origin.origin && die_at(d, u, origin.origin, &origin); i++) {
		die->name = die->name ? die->name : origin.name;
		die->linkage_name = die->linkage_name ? die->linkage_name : origin.linkage_name;
		die->type = die->type ? die->type : origin.type;
	}
}

/* --- Kernels' parameters --- */

/* Reads the children of a kernel's entry up to their end. */
static void read_params(struct dwarf *d, const struct unit *u, struct cursor c, const struct ptx_function *f)
{
	uint32_t index = (uint32_t)(f - f->module->functions), first = (uint32_t)d->params.len, count = 0;
	struct die die;

	for (int depth = 1; depth > 0 && read_die(d, u, &c, &die);) {
		if (depth == 1 && die.tag == TAG_PARAMETER) {
			complete(d, u, &die);
			vec_push(&d->params, (struct param){die.name, u, die.type});
			count++;
		}
		depth += die.tag ? die.has_children : -1;
	}
	/* A list of another length is not this kernel's. */
	if (count == f->nparams && !d->functions[index].count) {
		d->functions[index].first = first;
		d->functions[index].count = count;
	}
}

static void read_unit(struct dwarf *d, const struct ptx_module *m, const struct unit *u, struct cursor c)
{
	struct die die;

	while (read_die(d, u, &c, &die)) {
		const struct ptx_function *f;

		if (die.tag != TAG_SUBPROGRAM || !die.has_children)
			continue;
		complete(d, u, &die);
		f = die.linkage_name ? ptx_find_function(m, die.linkage_name) : NULL;
		if (!f && die.name)
			f = ptx_find_function(m, die.name);
		if (f && f->is_kernel)
			read_params(d, u, c, f);
	}
}

/* --- Units --- */

/* Reads the attributes of an abbreviation up to their end; false if they have none. */
static bool skip_attributes(struct cursor *c)
{
	for (int i = 0; i <= MANY_ATTRIBUTES; i++) {
		uint64_t attribute = cursor_uleb(c), form = cursor_uleb(c);

		if (c->bad || !attribute)
			return !c->bad;
		if (form < FORMS && forms[form] == CONSTANT)
			cursor_uleb(c);
	}
	return false;
}

/* Both compilers number abbreviations from 1 on, so a table ends at any other number. */
static const struct table *read_table(struct dwarf *d, size_t offset)
{
	struct cursor c = cursor_at(&d->abbreviations, offset);
	struct table *t;

	if (d->tables.len && vec_last(&d->tables)->offset == offset)
		return vec_last(&d->tables);
	t = arena_new(&d->arena, struct table);
	t->offset = offset;
	vec_push(&d->tables, t);
	for (; d->budget > 0 && cursor_uleb(&c) == t->all.len + 1; d->budget--) {
		struct abbreviation a = {.tag = cursor_uleb(&c)};

		a.has_children = cursor_fixed(&c, 1);
		a.attributes = (size_t)(c.at - c.start);
		if (!skip_attributes(&c))
			break;
		vec_push(&t->all, a);
	}
	return t;
}

/* Reads the header at `c`, and moves `c` behind it; false if it is of another kind. */
static bool read_header(struct dwarf *d, struct cursor *c, struct unit *u)
{
	uint64_t length, offset;

	u->start = (size_t)(c->at - c->start);
	length = cursor_fixed(c, 4);
	u->end = length < (uint64_t)(c->end - c->at) ? u->start + 4 + (size_t)length : (size_t)(c->end - c->start);
	u->version = (unsigned)cursor_fixed(c, 2);
	if (u->version >= 5) {
		cursor_fixed(c, 1);
		u->address_size = (unsigned)cursor_fixed(c, 1);
		offset = cursor_fixed(c, 4);
	} else {
		offset = cursor_fixed(c, 4);
		u->address_size = (unsigned)cursor_fixed(c, 1);
	}
	if (c->bad || u->version < 2 || u->version > 5 || u->address_size > 8)
		return false;
	u->table = read_table(d, offset);
	return true;
}

struct dwarf *dwarf_read(const struct ptx_module *m)
{
	struct dwarf *d = xcalloc(1, sizeof *d);
	struct cursor c;

	d->functions = xcalloc(m->nfunctions + 1, sizeof *d->functions);
	dwarf_section(m, ".debug_info", &d->info);
	dwarf_section(m, ".debug_abbrev", &d->abbreviations);
	dwarf_section(m, ".debug_str", &d->strings);
	d->budget = d->abbreviations.len;
	c = cursor_at(&d->info, 0);
	while (c.at < c.end) {
		struct unit *u = arena_new(&d->arena, struct unit);

		if (!read_header(d, &c, u))
			break;
		read_unit(d, m, u, c);
		c = cursor_at(&d->info, u->end);
	}
	return d;
}

void dwarf_free(struct dwarf *d)
{
	for (size_t i = 0; i < d->tables.len; i++)
		vec_release(&d->tables.data[i]->all);
	vec_release(&d->tables);
	vec_release(&d->params);
	vec_release(&d->info);
	vec_release(&d->abbreviations);
	vec_release(&d->strings);
	arena_release(&d->arena);
	free(d->functions);
	free(d);
}

/* --- Asking --- */

static const struct param *find_param(const struct dwarf *d, uint32_t function, uint32_t param)
{
	return param < d->functions[function].count ? &d->params.data[d->functions[function].first + param] : NULL;
}

const char *dwarf_param(const struct dwarf *d, uint32_t function, uint32_t param)
{
	const struct param *p = find_param(d, function, param);

	return p ? p->name : NULL;
}

/* The structure behind names and qualifiers; false if it is another type. Moves `c` to its children. */
static bool find_structure(const struct dwarf *d, const struct unit *u, size_t type, struct cursor *c)
{
	struct die die;

	for (int i = 0; i < DEEPEST; i++) {
		*c = cursor_at(&d->info, type);
		if (!type || !read_die(d, u, c, &die))
			return false;
		if (die.tag == TAG_STRUCTURE || die.tag == TAG_CLASS || die.tag == TAG_UNION)
			return die.has_children;
		if (die.tag != TAG_TYPEDEF && die.tag != TAG_CONST && die.tag != TAG_VOLATILE)
			return false;
		type = die.type;
	}
	return false;
}

/* Finds the last member that begins at or before `offset`. In a union, where several begin there, it is the first. */
static bool find_member(const struct dwarf *d, const struct unit *u, struct cursor c, uint64_t offset,
			struct die *found)
{
	struct die die;

	*found = (struct die){.tag = 0};
	for (int depth = 1; depth > 0 && read_die(d, u, &c, &die);) {
		bool is_member = die.tag == TAG_MEMBER || die.tag == TAG_INHERITANCE;

		if (depth == 1 && is_member && die.location <= offset &&
		    (!found->tag || die.location > found->location))
			*found = die;
		depth += die.tag ? die.has_children : -1;
	}
	return found->tag != 0;
}

const char *dwarf_member(const struct dwarf *d, uint32_t function, uint32_t param, uint64_t offset, struct arena *arena)
{
	const struct param *p = find_param(d, function, param);
	struct strbuf path = STRBUF_INIT;
	size_t type = p ? p->type : 0;
	const char *name = NULL;
	struct cursor members;
	struct die member;

	if (!p || !p->name)
		return NULL;
	strbuf_adds(&path, p->name);
	for (int i = 0; i < DEEPEST && find_structure(d, p->unit, type, &members); i++) {
		if (!find_member(d, p->unit, members, offset, &member))
			break;
		offset -= member.location;
		type = member.type;
		if (member.name)
			strbuf_addf(&path, ".%s", member.name);
		name = member.name;
	}
	name = name && offset == 0 ? arena_strndup(arena, path.data, path.len) : NULL;
	strbuf_release(&path);
	return name;
}
