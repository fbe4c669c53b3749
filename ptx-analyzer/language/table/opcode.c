/*
 * Spellings: "ld.global.v4.f32" is decoded once per module into base opcode, types, spaces and modifiers, checked
 * against its row of ptx_ops.def, and shared by every instruction spelled so.
 */
#include "ptx-analyzer/language/table/ptx_forms.h"

#include "common/ascii.h"
#include "common/c_locale.h"
#include "common/diag.h"
#include "common/xalloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t mod_groups[PTX_MOD_COUNT] = {
#define MOD(id, text, group) [PTX_MOD_##id] = PTX_GROUP_##group,
#include "ptx-analyzer/language/table/ptx_mods.def"
#undef MOD
};

/* State spaces as they are written. A qualified space, such as shared::cta, is also a modifier. */
static const struct {
	const char *text;
	uint8_t space;
	uint16_t mod;
} space_words[] = {
    {"global", PTX_SPACE_GLOBAL, PTX_MOD_NONE},
    {"shared", PTX_SPACE_SHARED, PTX_MOD_NONE},
    {"local", PTX_SPACE_LOCAL, PTX_MOD_NONE},
    {"param", PTX_SPACE_PARAM, PTX_MOD_NONE},
    {"const", PTX_SPACE_CONST, PTX_MOD_NONE},
    {"shared::cta", PTX_SPACE_SHARED, PTX_MOD_shared_cta},
    {"shared::cluster", PTX_SPACE_SHARED, PTX_MOD_shared_cluster},
    {"param::entry", PTX_SPACE_PARAM, PTX_MOD_param_entry},
    {"param::func", PTX_SPACE_PARAM, PTX_MOD_param_func},
};

/* Names behind "@" in a mods column. The last three are not modifier groups. */
enum { GROUP_SPACE = PTX_GROUP_COUNT, GROUP_KIND, GROUP_COLLECTOR };
static const struct {
	const char *name;
	int group;
} group_names[] = {
    {"compare", PTX_GROUP_COMPARE}, {"round", PTX_GROUP_ROUND}, {"scope", PTX_GROUP_SCOPE}, {"order", PTX_GROUP_ORDER},
    {"cache", PTX_GROUP_CACHE},     {"hint", PTX_GROUP_HINT},   {"mark", PTX_GROUP_MARK},   {"half", PTX_GROUP_HALF},
    {"vec", PTX_GROUP_VEC},         {"shape", PTX_GROUP_SHAPE}, {"space", GROUP_SPACE},     {"kind", GROUP_KIND},
    {"collector", GROUP_COLLECTOR},
};

/* Other spellings of a base name. */
static const struct {
	const char *prefix, *meaning;
} aliases[] = {
    {"bar.cta.", "bar."},
    {"barrier.cta.", "barrier."},
};

struct decoder {
	struct opcode *op;
	const char *text;
	size_t length, at; /* token in work starts at `at` */
	char *why;
	size_t why_size;
};

static bool refuse(struct decoder *dc, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool refuse(struct decoder *dc, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	c_vsnprintf(dc->why, dc->why_size, format, args);
	va_end(args);
	return false;
}

static bool same(const char *literal, const char *text, size_t len)
{
	return literal[0] == text[0] && !strncmp(literal, text, len) && !literal[len];
}

/* "m64n128k16" as "m#n#k#"; false if it has no such form. */
static bool digits_as_hash(const char *text, size_t len, char *out, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		bool digit = ascii_is_digit(text[i]);

		if (digit && n && out[n - 1] == '#')
			continue;
		if (n + 1 >= size)
			return false;
		out[n++] = digit ? '#' : text[i];
	}
	out[n] = '\0';
	return true;
}

static enum ptx_mod mod_by_name(const char *text, size_t len)
{
	char pattern[8];

	for (int m = PTX_MOD_NONE + 1; m < PTX_MOD_COUNT; m++)
		if (same(ptx_mod_name(m), text, len))
			return m;
	if (digits_as_hash(text, len, pattern, sizeof(pattern)) && !strcmp(pattern, ptx_mod_name(PTX_MOD_mnk)))
		return PTX_MOD_mnk;
	return PTX_MOD_NONE;
}

/* The longest name of ptx_ops.def that the spelling starts with, whole words only. */
static enum ptx_op find_op(const char *text, size_t length, size_t *used)
{
	enum ptx_op found = PTX_OP_invalid;

	*used = 0;
	for (int op = PTX_OP_invalid + 1; op < PTX_OP_COUNT; op++) {
		const char *name = ptx_op_table[op].name;
		size_t len;

		if (name[0] != text[0])
			continue;
		len = strlen(name);
		if (len > *used && len <= length && !memcmp(name, text, len) && (len == length || text[len] == '.')) {
			found = op;
			*used = len;
		}
	}
	return found;
}

static int group_by_name(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(group_names) / sizeof(group_names[0]); i++)
		if (same(group_names[i].name, name, len))
			return group_names[i].group;
	BUG("ptx_ops.def: no modifier group @%.*s", (int)len, name);
}

static bool group_allows(int group, enum ptx_mod mod, bool is_space)
{
	const char *name = ptx_mod_name(mod);

	switch (group) {
	case GROUP_SPACE: return is_space;
	case GROUP_KIND: return !strncmp(name, "kind::", 6);
	case GROUP_COLLECTOR: return !strncmp(name, "collector::", 11);
	default: return mod && mod_groups[mod] == group;
	}
}

/* Whether the `mods` column of the row lists the word. */
static bool row_allows(const struct ptx_op_info *row, const char *text, size_t len, enum ptx_mod mod, bool is_space)
{
	for (const char *word = row->mods; *word;) {
		size_t n = strcspn(word, " ");

		if (*word == '@' ? group_allows(group_by_name(word + 1, n - 1), mod, is_space)
				 : n == len && !memcmp(word, text, len))
			return true;
		word += n + strspn(word + n, " ");
	}
	return false;
}

/* The group of a modifier on an opcode: .lo and .hi compare on setp and set, and choose a half elsewhere. */
static enum ptx_mod_group group_on(enum ptx_op op, enum ptx_mod mod)
{
	if ((op == PTX_OP_setp || op == PTX_OP_set) && (mod == PTX_MOD_lo || mod == PTX_MOD_hi))
		return PTX_GROUP_COMPARE;
	return mod_groups[mod];
}

static bool allows_one_modifier(enum ptx_mod_group group)
{
	return group == PTX_GROUP_COMPARE || group == PTX_GROUP_ROUND || group == PTX_GROUP_SCOPE ||
	       group == PTX_GROUP_HALF || group == PTX_GROUP_VEC;
}

static bool add_mod(struct decoder *dc, enum ptx_mod mod)
{
	struct ptx_opcode *pub = &dc->op->pub;
	enum ptx_mod_group group = group_on(pub->op, mod);

	if (allows_one_modifier(group) && pub->group[group] != PTX_MOD_NONE)
		return refuse(dc, "'.%s' and '.%s' exclude each other", ptx_mod_name(pub->group[group]),
			      ptx_mod_name(mod));
	pub->group[group] = (uint16_t)mod;
	pub->mods[mod / 64] |= (uint64_t)1 << (mod % 64);
	return true;
}

static bool add_space(struct decoder *dc, size_t word)
{
	struct ptx_opcode *pub = &dc->op->pub;

	if (pub->space == PTX_SPACE_GENERIC)
		pub->space = space_words[word].space;
	else if (pub->space2 == PTX_SPACE_GENERIC)
		pub->space2 = space_words[word].space;
	else
		return refuse(dc, "more than two state spaces");
	return space_words[word].mod == PTX_MOD_NONE || add_mod(dc, space_words[word].mod);
}

static bool decode_word(struct decoder *dc, const char *word, size_t len)
{
	struct ptx_opcode *pub = &dc->op->pub;
	const struct ptx_op_info *row = &ptx_op_table[pub->op];
	enum ptx_type type = ptx_type_by_name(word, len);
	enum ptx_mod mod;

	if (type != PTX_untyped) {
		if (pub->ntypes == sizeof(pub->type))
			return refuse(dc, "too many types");
		pub->type[pub->ntypes++] = (uint8_t)type;
		return true;
	}
	for (size_t i = 0; i < sizeof(space_words) / sizeof(space_words[0]); i++)
		if (same(space_words[i].text, word, len))
			return row_allows(row, word, len, PTX_MOD_NONE, true)
				   ? add_space(dc, i)
				   : refuse(dc, "'%s' takes no state space", row->name);
	mod = mod_by_name(word, len);
	if (mod == PTX_MOD_NONE)
		return refuse(dc, "unknown modifier '.%.*s'", (int)len, word);
	if (!row_allows(row, word, len, mod, false))
		return refuse(dc, "modifier '.%.*s' is not allowed on '%s'", (int)len, word, row->name);
	return add_mod(dc, mod);
}

static bool decode_words(struct decoder *dc, size_t from)
{
	while (from < dc->length) {
		const char *word = dc->text + from + 1;
		size_t len = 0;

		dc->at = from;
		while (from + 1 + len < dc->length && word[len] != '.')
			len++;
		if (!len)
			return refuse(dc, "expected a modifier behind '.'");
		if (!decode_word(dc, word, len))
			return false;
		from += 1 + len;
	}
	dc->at = 0;
	return true;
}

static bool check_types(struct decoder *dc)
{
	const struct ptx_opcode *pub = &dc->op->pub;
	const struct ptx_op_info *row = &ptx_op_table[pub->op];
	unsigned least = (unsigned)(row->types[0] - '0');
	unsigned most = row->types[1] ? (unsigned)(row->types[2] - '0') : least;

	if (pub->ntypes >= least && pub->ntypes <= most)
		return true;
	if (!most)
		return refuse(dc, "'%s' takes no type", row->name);
	if (!pub->ntypes)
		return refuse(dc, "'%s' needs a type, as in '%s.u32'", row->name, row->name);
	return refuse(dc, "'%s' takes %s type%s, not %u", row->name, row->types, most > 1 ? "s" : "", pub->ntypes);
}

static enum ptx_class float_class(const struct ptx_opcode *pub, enum ptx_class cls)
{
	bool approximate = pub->group[PTX_GROUP_ROUND] == PTX_MOD_approx || pub->group[PTX_GROUP_ROUND] == PTX_MOD_full;

	if (cls != PTX_CLASS_INT && cls != PTX_CLASS_FP32)
		return cls;
	if (pub->op == PTX_OP_div && approximate)
		return PTX_CLASS_SFU;
	switch (ptx_type_bits(pub->type[0])) {
	case 64: return pub->type[0] == PTX_f32x2 ? PTX_CLASS_FP32 : PTX_CLASS_FP64;
	case 16: return PTX_CLASS_FP16;
	default: return pub->type[0] == PTX_f16x2 || pub->type[0] == PTX_bf16x2 ? PTX_CLASS_FP16 : PTX_CLASS_FP32;
	}
}

/* The functional unit of this form: the row's for integers; for floats the type decides. */
static enum ptx_class class_of(const struct ptx_opcode *pub)
{
	enum ptx_class cls = ptx_op_table[pub->op].cls;
	enum ptx_type last = pub->ntypes ? pub->type[pub->ntypes - 1] : PTX_untyped;

	return ptx_type_kind(last) == PTX_KIND_FLOAT ? float_class(pub, cls) : cls;
}

static void rule_of_type(struct operand_rule *rule, enum operand_check check, enum ptx_type type)
{
	rule->check = (uint8_t)check;
	rule->bits = (uint16_t)ptx_type_bits(type);
	rule->kind = (uint8_t)ptx_type_kind(type);
	if (type == PTX_pred)
		rule->check = CHECK_PREDICATE;
	if (rule->kind == PTX_KIND_OPAQUE)
		rule->check = CHECK_NOTHING;
}

/* Small and packed types live in registers of untyped bits. */
static void loosen_packed(struct operand_rule *rule, enum ptx_type type)
{
	if (rule->kind == PTX_KIND_FLOAT && type != PTX_f16 && type != PTX_f32 && type != PTX_f64 && type != PTX_f16x2)
		rule->kind = PTX_KIND_BITS;
	if (rule->bits < 8 && rule->check != CHECK_PREDICATE)
		rule->check = CHECK_NOTHING;
}

static void set_rule(const struct ptx_opcode *pub, struct operand_rule *rule, char letter)
{
	enum ptx_type type = pub->type[0];

	switch (letter) {
	case '.': rule->check = CHECK_NOTHING; return;
	case 'p': rule_of_type(rule, CHECK_EXACT, PTX_pred); return;
	case 'i': rule_of_type(rule, CHECK_EXACT, PTX_b32); return;
	case 'l': rule_of_type(rule, CHECK_EXACT, PTX_b64); return;
	case 'n': rule->check = CHECK_NUMBER; return;
	case 'r': rule_of_type(rule, CHECK_AT_LEAST, type); break;
	case 'q': rule_of_type(rule, CHECK_AT_LEAST, type = pub->type[1]); break;
	case 'w':
		rule_of_type(rule, CHECK_EXACT, type);
		if (pub->group[PTX_GROUP_HALF] == PTX_MOD_wide)
			rule->bits = (uint16_t)(rule->bits * 2);
		break;
	case 'e': rule_of_type(rule, CHECK_EXACT, type = pub->type[pub->ntypes > 1]); break;
	default: rule_of_type(rule, CHECK_EXACT, type = pub->type[letter - '0']); break;
	}
	loosen_packed(rule, type);
}

/* Operand 3 of atom: .cas has it, and the other operations do not. The cache policy comes behind it. */
static unsigned second_value(struct opcode *op, unsigned n)
{
	if (ptx_has_mod(&op->pub, PTX_MOD_cas)) {
		op->optional[3] = false;
		return n;
	}
	op->rules[3] = op->rules[4];
	return n - 1;
}

static void set_rules(struct opcode *op)
{
	const struct ptx_op_info *row = &ptx_op_table[op->pub.op];
	unsigned n = 0;

	for (const char *letter = row->signature; *letter; letter++) {
		if (*letter == '*') {
			op->repeats = true;
		} else if (*letter == '?') {
			op->optional[n - 1] = true;
		} else {
			op->rules[n].role = (uint8_t)*letter;
			set_rule(&op->pub, &op->rules[n], row->operands[n]);
			n++;
		}
	}
	if (op->pub.op == PTX_OP_atom)
		n = second_value(op, n);
	op->nrules = (uint8_t)n;
	op->most = op->repeats ? UINT8_MAX : (uint8_t)n;
	for (unsigned i = 0; i < n; i++)
		op->least += !op->optional[i] && !(op->repeats && i == n - 1);
}

static unsigned vector_length(const struct ptx_opcode *pub)
{
	switch (pub->group[PTX_GROUP_VEC]) {
	case PTX_MOD_v2: return 2;
	case PTX_MOD_v4: return 4;
	case PTX_MOD_v8: return 8;
	default: return 1;
	}
}

bool opcode_has_word(const struct ptx_opcode *op, const char *word)
{
	enum ptx_mod mod;

	if (!strcmp(word, "@space"))
		return op->space != PTX_SPACE_GENERIC;
	if (*word == '@')
		return op->group[group_by_name(word + 1, strlen(word + 1))] != PTX_MOD_NONE;
	mod = mod_by_name(word, strlen(word));
	if (mod == PTX_MOD_NONE)
		BUG("ptx_forms.def: no modifier .%s", word);
	return ptx_has_mod(op, mod);
}

static bool decode(struct decoder *dc)
{
	char replaced[MAX_SPELLING + 1];
	struct ptx_opcode *pub = &dc->op->pub;
	size_t used;

	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		size_t n = strlen(aliases[i].prefix);

		if (dc->length > n && !memcmp(dc->text, aliases[i].prefix, n)) {
			dc->length = (size_t)snprintf(replaced, sizeof(replaced), "%s%.*s", aliases[i].meaning,
						      (int)(dc->length - n), dc->text + n);
			dc->text = replaced;
			break;
		}
	}
	pub->op = find_op(dc->text, dc->length, &used);
	if (pub->op == PTX_OP_invalid)
		return refuse(dc, "unknown instruction '%.*s'", (int)dc->length, dc->text);
	if (!decode_words(dc, used) || !check_types(dc))
		return false;
	pub->vec = (uint8_t)vector_length(pub);
	pub->cls = (uint8_t)class_of(pub);
	if (!check_form(pub, dc->why, dc->why_size))
		return false;
	set_rules(dc->op);
	return count_operands(dc->op, dc->why, dc->why_size);
}

uint32_t hash_text(const char *text, size_t len)
{
	uint64_t h = len * 0x9E3779B97F4A7C15u, word;

	for (; len >= 8; text += 8, len -= 8) {
		memcpy(&word, text, 8);
		h = (h ^ word) * 0xFF51AFD7ED558CCDu;
		h ^= h >> 32;
	}
	for (word = 0; len; len--)
		word = word << 8 | (unsigned char)*text++;
	h = (h ^ word) * 0xFF51AFD7ED558CCDu;
	return (uint32_t)(h >> 32 ^ h >> 12);
}

static void grow(struct opcode_table *t)
{
	struct opcode **old = t->slots;
	uint32_t old_size = t->size;

	t->size = old_size ? old_size * 2 : 256;
	t->slots = xcalloc(t->size, sizeof(struct opcode *));
	for (uint32_t i = 0; i < old_size; i++) {
		uint32_t slot;

		if (!old[i])
			continue;
		for (slot = old[i]->hash & (t->size - 1); t->slots[slot];)
			slot = (slot + 1) & (t->size - 1);
		t->slots[slot] = old[i];
	}
	free(old);
}

/* Decodes a spelling that was not met before into the slot where it belongs. */
static const struct opcode *add_opcode(struct opcode_table *t, struct opcode **slot, struct decoder *dc)
{
	if (dc->length > MAX_SPELLING) {
		refuse(dc, "an instruction's name is at most %d characters long", MAX_SPELLING);
		return NULL;
	}
	dc->op->pub.text = arena_strndup(t->arena, dc->text, dc->length);
	if (!decode(dc))
		return NULL;
	*slot = arena_memdup(t->arena, dc->op, sizeof(*dc->op));
	t->used++;
	return *slot;
}

const struct opcode *opcode_intern(struct opcode_table *t, const char *text, size_t length, char *why, size_t why_size,
				   size_t *at)
{
	struct opcode decoded;
	struct decoder dc = {&decoded, text, length, 0, why, why_size};
	uint32_t hash = hash_text(text, length), slot;
	const struct opcode *op;

	if (t->used * 2 >= t->size)
		grow(t);
	for (slot = hash & (t->size - 1); t->slots[slot]; slot = (slot + 1) & (t->size - 1)) {
		op = t->slots[slot];
		if (op->hash == hash && op->length == length && !memcmp(op->pub.text, text, length))
			return op;
	}
	decoded = (struct opcode){.hash = hash, .length = (uint32_t)length};
	op = add_opcode(t, &t->slots[slot], &dc);
	*at = dc.at;
	return op;
}

const struct operand_rule *opcode_rule(const struct opcode *op, unsigned index, unsigned count)
{
	unsigned absent = op->nrules > count ? op->nrules - count : 0, letter, operand = 0;
	bool skip[MAX_ROLES] = {false};

	if (count == op->nrules)
		return index < count ? &op->rules[index] : NULL;
	if (op->repeats && count >= op->nrules && index >= op->nrules)
		return &op->rules[op->nrules - 1];
	for (letter = op->nrules; absent && letter--;)
		if (op->optional[letter] || (op->repeats && letter == op->nrules - 1u)) {
			skip[letter] = true;
			absent--;
		}
	for (letter = 0; letter < op->nrules; letter++)
		if (!skip[letter] && operand++ == index)
			return &op->rules[letter];
	return NULL;
}

const struct opcode *opcode_invalid(const struct opcode_table *t, const char *text, size_t length)
{
	struct opcode *op = arena_new(t->arena, struct opcode);

	op->pub.op = PTX_OP_invalid;
	op->pub.text = arena_strndup(t->arena, text, length);
	op->pub.vec = 1;
	op->pub.cls = PTX_CLASS_OTHER;
	return op;
}
