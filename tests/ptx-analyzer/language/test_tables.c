/* The tables of the language agree with each other: no word without a row, no row that nothing can use. */
#include "tests/ptx-analyzer/language/ptxtest.h"

#include <stdlib.h>

static const uint8_t groups[PTX_MOD_COUNT] = {
#define MOD(id, text, group) [PTX_MOD_##id] = PTX_GROUP_##group,
#include "ptx-analyzer/language/table/ptx_mods.def"
#undef MOD
};

static enum ptx_mod find_mod(const char *text, size_t len)
{
	for (int m = PTX_MOD_NONE + 1; m < PTX_MOD_COUNT; m++)
		if (strlen(ptx_mod_name(m)) == len && !memcmp(ptx_mod_name(m), text, len))
			return m;
	return PTX_MOD_NONE;
}

/* Notes the modifiers that a word of a `mods` column allows; false if the word is unknown. */
static bool note_word(const char *word, size_t len, bool *used)
{
	static const struct {
		const char *name;
		int group;
	} names[] = {{"@compare", PTX_GROUP_COMPARE}, {"@round", PTX_GROUP_ROUND}, {"@scope", PTX_GROUP_SCOPE},
		     {"@order", PTX_GROUP_ORDER},     {"@cache", PTX_GROUP_CACHE}, {"@mark", PTX_GROUP_MARK},
		     {"@hint", PTX_GROUP_HINT},       {"@half", PTX_GROUP_HALF},   {"@vec", PTX_GROUP_VEC},
		     {"@shape", PTX_GROUP_SHAPE}};
	static const char *const prefixes[] = {"@kind", "@collector", "@space"};
	enum ptx_mod mod = find_mod(word, len);

	used[mod] = true;
	if (mod != PTX_MOD_NONE)
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i].name) != len || memcmp(names[i].name, word, len) != 0)
			continue;
		for (int m = 1; m < PTX_MOD_COUNT; m++)
			used[m] |= groups[m] == names[i].group;
		return true;
	}
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		if (strlen(prefixes[i]) != len || memcmp(prefixes[i], word, len) != 0)
			continue;
		for (int m = 1; m < PTX_MOD_COUNT; m++)
			used[m] |= !strncmp(ptx_mod_name(m), prefixes[i] + 1, len - 1);
		return true;
	}
	return false;
}

static void test_modifiers(void **state)
{
	/* these come with a state space */
	static const char *const of_spaces[] = {"shared::cta", "shared::cluster", "param::entry", "param::func"};
	bool used[PTX_MOD_COUNT] = {false};

	(void)state;
	for (int op = 1; op < PTX_OP_COUNT; op++)
		for (const char *word = ptx_op_table[op].mods; *word;) {
			size_t len = strcspn(word, " ");

			if (!note_word(word, len, used))
				fail_msg("%s: no modifier '%.*s'", ptx_op_table[op].name, (int)len, word);
			word += len + strspn(word + len, " ");
		}
	for (size_t i = 0; i < 4; i++)
		used[find_mod(of_spaces[i], strlen(of_spaces[i]))] = true;
	for (int m = 1; m < PTX_MOD_COUNT; m++)
		if (!used[m])
			fail_msg("modifier '%s' stands on no instruction", ptx_mod_name(m));
}

static void test_rows(void **state)
{
	(void)state;
	for (int op = 1; op < PTX_OP_COUNT; op++) {
		const struct ptx_op_info *row = &ptx_op_table[op];
		size_t letters = 0;

		for (const char *p = row->signature; *p; p++) {
			if (!strchr("dsxlwapmvbc?*", *p))
				fail_msg("%s: role '%c'", row->name, *p);
			letters += *p != '?' && *p != '*';
		}
		if (letters != strlen(row->operands))
			fail_msg("%s: %zu roles, %zu operands", row->name, letters, strlen(row->operands));
		for (const char *p = row->operands; *p; p++) {
			unsigned most = (unsigned)(row->types[strlen(row->types) - 1] - '0');

			if (!strchr("01234rqwepiln.", *p))
				fail_msg("%s: operand '%c'", row->name, *p);
			if ((*p >= '0' && *p <= '4' && (unsigned)(*p - '0') >= most) || (*p == 'q' && most < 2))
				fail_msg("%s: operand '%c' of at most %u types", row->name, *p, most);
		}
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void assert_distinct(const char **names, size_t n)
{
	qsort(names, n, sizeof(*names), by_text);
	for (size_t i = 1; i < n; i++)
		if (!strcmp(names[i - 1], names[i]))
			fail_msg("'%s' has two rows", names[i]);
}

static void test_names_are_distinct(void **state)
{
	const char *names[PTX_OP_COUNT + PTX_TYPE_COUNT + PTX_MOD_COUNT + PTX_SREG_COUNT];
	size_t n = 0;

	(void)state;
	for (int i = 1; i < PTX_OP_COUNT; i++)
		names[n++] = ptx_op_table[i].name;
	assert_distinct(names, n);
	n = 0; /* types, spaces and modifiers share the place behind a '.' */
	for (int i = 1; i < PTX_TYPE_COUNT; i++)
		names[n++] = ptx_type_name(i);
	for (int i = 1; i < PTX_MOD_COUNT; i++)
		names[n++] = ptx_mod_name(i);
	for (int i = PTX_SPACE_CONST; i < PTX_SPACE_TEX; i++)
		names[n++] = ptx_space_name(i);
	assert_distinct(names, n);
	n = 0;
	for (int i = 1; i < PTX_SREG_COUNT; i++)
		names[n++] = ptx_sreg_name(i);
	assert_distinct(names, n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_modifiers),
	    cmocka_unit_test(test_rows),
	    cmocka_unit_test(test_names_are_distinct),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
