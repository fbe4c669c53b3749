/*
 * Checks that an instruction's form exists: its first type and modifiers against ptx_forms.def, and rules that no table
 * can hold. Finds the number of operands of a form in ptx_operands.def.
 */
#include "ptx-analyzer/language/table/ptx_forms.h"

#include <stdio.h>
#include <string.h>
#include <stdlib.h>

struct form {
	uint16_t op;
	const char *when, *types, *needs;
};

struct operands_form {
	uint16_t op;
	const char *when, *count;
	enum operand_pair pair;
};

static const struct operands_form operands_forms[] = {
#define OPERANDS(id, when, count, pair) {PTX_OP_##id, when, count, PAIR_##pair},
#include "ptx-analyzer/language/table/ptx_operands.def"
#undef OPERANDS
};

static const struct form forms[] = {
#define FORM(id, when, types, needs) {PTX_OP_##id, when, types, needs},
#include "ptx-analyzer/language/table/ptx_forms.def"
#undef FORM
};

/* Whether the list of words, parted by `separator`, holds the word. */
static bool in_list(const char *list, const char *word, char separator)
{
	size_t len = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at++)
		if ((at == list || at[-1] == separator) && (!at[len] || at[len] == separator))
			return true;
	return false;
}

static const struct form *find_form(const struct ptx_opcode *op)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (forms[i].op == op->op && (!*forms[i].when || opcode_has_word(op, forms[i].when)))
			return &forms[i];
	return NULL;
}

/* Whether the opcode meets one word of `needs`: a condition and its alternatives. */
static bool is_met(const struct ptx_opcode *op, const char *word, size_t len)
{
	enum ptx_type_kind kind = ptx_type_kind(op->type[0]);
	const char *colon = memchr(word, ':', len), *end = word + len;

	if (colon && (kind == PTX_KIND_FLOAT) != (*word == 'f'))
		return true;
	for (const char *at = colon ? colon + 1 : word; at < end;) {
		char alternative[32];
		size_t n = strcspn(at, "| ");

		snprintf(alternative, sizeof(alternative), "%.*s", (int)n, at);
		if (opcode_has_word(op, alternative))
			return true;
		at += n + 1;
	}
	return false;
}

/* Describes the alternatives of a word for a message: "a rounding modifier as .rn", ".hi or .lo". */
static void describe(const char *alternatives, size_t len, char *out, size_t size)
{
	static const struct {
		const char *group, *text;
	} groups[] = {
	    {"@round", "a rounding modifier such as .rn"},
	    {"@compare", "a comparison such as .lt"},
	    {"@space", "a state space such as .global"},
	    {"@hint", "an eviction priority such as .L2::evict_last"},
	    {"@scope", "a scope: .cta, .cluster, .gpu or .sys"},
	};
	int n = 0;

	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		if (!strncmp(alternatives, groups[i].group, strlen(groups[i].group))) {
			snprintf(out, size, "%s", groups[i].text);
			return;
		}
	for (const char *at = alternatives, *end = at + len; at < end;) {
		size_t word = strcspn(at, "| ");
		const char *before = n == 0 ? "" : at + word < end ? ", " : " or ";

		n += snprintf(out + n, n < (int)size ? size - (size_t)n : 0, "%s.%.*s", before, (int)word, at);
		at += word + 1;
	}
}

static bool check_needs(const struct ptx_opcode *op, const char *needs, char *why, size_t size)
{
	for (const char *word = needs; *word;) {
		size_t len = strcspn(word, " ");
		const char *colon = memchr(word, ':', len), *alternatives = colon ? colon + 1 : word;
		char wanted[160];

		if (!is_met(op, word, len)) {
			describe(alternatives, (size_t)(word + len - alternatives), wanted, sizeof(wanted));
			snprintf(why, size, "'%s' needs %s%s", ptx_op_table[op->op].name, wanted,
				 colon ? " for this type" : "");
			return false;
		}
		word += len + strspn(word + len, " ");
	}
	return true;
}

/* Refuses an order between bits, NaN comparisons of integers, and .lo .ls .hi .hs on anything but unsigned integers. */
static bool check_compare(const struct ptx_opcode *op, char *why, size_t size)
{
	enum ptx_type type = op->type[op->op == PTX_OP_set];
	enum ptx_type_kind kind = ptx_type_kind(type);
	const char *name = ptx_mod_name(op->group[PTX_GROUP_COMPARE]);
	bool ok = true;

	if (kind == PTX_KIND_BITS)
		ok = in_list("eq ne", name, ' ');
	else if (kind == PTX_KIND_SIGNED)
		ok = in_list("eq ne lt le gt ge", name, ' ');
	else if (kind == PTX_KIND_UNSIGNED)
		ok = in_list("eq ne lt le gt ge lo ls hi hs", name, ' ');
	else
		ok = !in_list("lo ls hi hs", name, ' ');
	if (!ok)
		snprintf(why, size, "'.%s' does not compare .%s", name, ptx_type_name(type));
	return ok;
}

/* A conversion between floats and integers, or to a smaller float, rounds, so it must say how. */
static bool check_conversion(const struct ptx_opcode *op, char *why, size_t size)
{
	bool to_float = ptx_type_kind(op->type[0]) == PTX_KIND_FLOAT;
	bool from_float = ptx_type_kind(op->type[1]) == PTX_KIND_FLOAT;
	bool rounds = to_float != from_float ||
		      (to_float && from_float && ptx_type_bits(op->type[0]) < ptx_type_bits(op->type[1]));

	if (!rounds || op->group[PTX_GROUP_ROUND] != PTX_MOD_NONE)
		return true;
	snprintf(why, size, "this conversion rounds, so it needs a modifier such as %s", to_float ? ".rn" : ".rzi");
	return false;
}

bool check_form(const struct ptx_opcode *op, char *why, size_t size)
{
	enum { MOST_VECTOR_BITS = 256 };
	const struct form *form = find_form(op);

	if (form && *form->types && !in_list(form->types, ptx_type_name(op->type[0]), ' ')) {
		snprintf(why, size, "'%s%s%s' has no form of type .%s; it takes %s", ptx_op_table[op->op].name,
			 *form->when ? "." : "", form->when, ptx_type_name(op->type[0]), form->types);
		return false;
	}
	if (form && !check_needs(op, form->needs, why, size))
		return false;
	if (op->space == PTX_SPACE_CONST && (op->cls == PTX_CLASS_STORE || op->cls == PTX_CLASS_ATOMIC)) {
		snprintf(why, size, "constant memory is not written");
		return false;
	}
	if (op->op == PTX_OP_setp || op->op == PTX_OP_set)
		return check_compare(op, why, size);
	if (op->op == PTX_OP_cvt)
		return check_conversion(op, why, size);
	if (op->vec > 1 && ptx_type_bits(op->type[0]) * op->vec > MOST_VECTOR_BITS) {
		snprintf(why, size, "a vector has at most %d bits", MOST_VECTOR_BITS);
		return false;
	}
	return true;
}

/* --- Numbers of operands --- */

/* Whether the opcode has one of the alternatives in [at, end): modifiers, or types when `type` is one of its types. */
static bool has_alternative(const struct ptx_opcode *op, const char *at, const char *end, int type)
{
	while (at < end) {
		char word[64];
		size_t n = strcspn(at, "| ");

		snprintf(word, sizeof(word), "%.*s", (int)n, at);
		if (type < 0 ? opcode_has_word(op, word)
			     : !strcmp(word, type < op->ntypes ? ptx_type_name(op->type[type]) : "-"))
			return true;
		at += n + 1;
	}
	return false;
}

static bool is_when(const struct ptx_opcode *op, const char *when)
{
	for (const char *word = when; *word;) {
		size_t len = strcspn(word, " ");
		bool of_type = len > 2 && word[1] == '=';

		if (!has_alternative(op, of_type ? word + 2 : word, word + len, of_type ? *word - '0' : -1))
			return false;
		word += len + strspn(word + len, " ");
	}
	return true;
}

/* "2-3 +rs": the range, and one more for each modifier behind it that the opcode has. */
static void read_count(struct opcode *op, const char *count)
{
	unsigned more = 0;
	char *end;

	for (const char *word = strchr(count, '+'); word; word = strchr(word + 1, '+')) {
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 1, " "), word + 1);
		more += opcode_has_word(&op->pub, name);
	}
	op->least = (uint8_t)(strtoul(count, &end, 10) + more);
	op->most = *end == '-' ? (uint8_t)(strtoul(end + 1, NULL, 10) + more) : op->least;
}

bool count_operands(struct opcode *op, char *why, size_t size)
{
	bool some = false;

	for (size_t i = 0; i < sizeof(operands_forms) / sizeof(operands_forms[0]); i++) {
		const struct operands_form *form = &operands_forms[i];

		if (form->op != op->pub.op)
			continue;
		some = true;
		if (!is_when(&op->pub, form->when))
			continue;
		op->pair = form->pair;
		read_count(op, form->count);
		return true;
	}
	if (some)
		snprintf(why, size, "'%s' has no form with these types", ptx_op_table[op->pub.op].name);
	return !some;
}
