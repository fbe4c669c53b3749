/*
 * engine_ops.def against its neighbours: every opcode of ptx_ops.def has one row, and the tables that a row names are
 * those whose exec rows have the opcode.
 */
#include "tests/runtime/cpu/harness.h"

#include "runtime/cpu/decode/select.h"
#include "runtime/cpu/engine/engine_op.h"

#include <stdio.h>

static const char *const ids[PTX_OP_COUNT] = {
    "none",
#define OP(id, ...) #id,
#include "ptx-analyzer/language/table/ptx_ops.def"
#undef OP
};

static const char *const tables[] = {
#define T(NAME, name) #name,
    EXEC_TABLES(T)
#undef T
};

/* The opcodes of all rows, in the order of the file. */
static const enum ptx_op rows[] = {
#define ENGINE(id, ...) PTX_OP_##id,
#define ENGINE_AS ENGINE
#define NOT_EXECUTED ENGINE
#include "runtime/cpu/decode/engine_ops.def"
};

static void test_every_opcode_has_one_row(void **state)
{
	unsigned count[PTX_OP_COUNT] = {0}, wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		count[rows[i]]++;
	for (int op = PTX_OP_invalid + 1; op < PTX_OP_COUNT; op++)
		if (count[op] != 1) {
			fprintf(stderr, "%s has %u rows in engine_ops.def\n", ids[op], count[op]);
			wrong++;
		}
	assert_int_equal(wrong, 0);
}

/* A bit per table with a row of the opcode. */
static uint32_t tables_with(const struct exec_set *set, enum ptx_op op)
{
	uint32_t found = 0;

	for (int t = 0; t < EXEC_TABLE_COUNT; t++)
		for (const struct exec_row *row = set->tables[t]; row->op; row++)
			found |= row->op == op ? 1u << t : 0;
	return found;
}

static unsigned complain_about_tables(enum ptx_op op, uint32_t named, uint32_t found)
{
	for (int t = 0; t < EXEC_TABLE_COUNT; t++)
		if ((named ^ found) >> t & 1)
			fprintf(stderr, "%s: its row %s exec_%s.c, where it has %s\n", ids[op],
				named >> t & 1 ? "names" : "does not name", tables[t],
				found >> t & 1 ? "rows" : "no row");
	return named != found;
}

static void test_rows_name_the_tables_that_execute_them(void **state)
{
	static const char *const sets[] = {"baseline", "avx2", "avx512"};
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
		const struct exec_set *set = exec_best_set(sets[i]);

		for (int op = PTX_OP_invalid + 1; op < PTX_OP_COUNT; op++)
			wrong += complain_about_tables((enum ptx_op)op, engine_ops[op].tables,
						       tables_with(set, (enum ptx_op)op));
	}
	assert_int_equal(wrong, 0);
}

/* An opcode is executed by its own rows, or by another opcode's. An opcode that is not executed has neither. */
static void test_executed_opcodes_have_exec_rows(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (int op = PTX_OP_invalid + 1; op < PTX_OP_COUNT; op++) {
		const struct engine_op *row = &engine_ops[op], *other = &engine_ops[row->rows_of];

		if ((row->decode != NULL) == (other->tables != 0))
			continue;
		fprintf(stderr, row->decode ? "%s has a form, but no exec row\n" : "%s has exec rows, but no form\n",
			ids[op]);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

/* A key finds one row: where two had it, the second would never be executed. */
static void test_keys_are_unique(void **state)
{
	const struct exec_set *set = exec_best_set(NULL);

	(void)state;
	for (int t = 0; t < EXEC_TABLE_COUNT; t++)
		for (const struct exec_row *row = set->tables[t]; row->op; row++) {
			struct exec_key key = {row->op, row->which, {row->type[0], row->type[1]}, row->mods};

			if (exec_find(set, &key) != row)
				fail_msg("exec_%s.c has a row of %s that another row hides", tables[t], ids[row->op]);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_every_opcode_has_one_row),
	    cmocka_unit_test(test_rows_name_the_tables_that_execute_them),
	    cmocka_unit_test(test_executed_opcodes_have_exec_rows),
	    cmocka_unit_test(test_keys_are_unique),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
