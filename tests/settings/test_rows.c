/* The rows of settings.def: reading from the environment, writing to it, and their table in docs/settings.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/file.h"
#include "common/strbuf.h"
#include "ptx-analyzer/readonly/analysis.h"
#include "settings/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int clear_environment(void **state)
{
	(void)state;
	for (size_t i = 0; i < SETTINGS; i++)
		unsetenv(setting_rows[i].variable);
	return 0;
}

static struct settings read_with(const char *variable, const char *value)
{
	struct settings s;

	setenv(variable, value, 1);
	assert_int_equal(settings_read(&s, NULL), 0);
	unsetenv(variable);
	return s;
}

/* The message for a value that is wrong. */
static const char *refusal(const char *variable, const char *value)
{
	static struct diag d;
	struct settings s;

	d = (struct diag)DIAG_INIT;
	setenv(variable, value, 1);
	if (settings_read(&s, &d) == 0)
		fail_msg("%s=%s is taken", variable, value);
	unsetenv(variable);
	return d.message;
}

/* --- From the environment --- */

static void test_defaults(void **state)
{
	struct settings s;

	(void)state;
	assert_int_equal(settings_read(&s, NULL), 0);
	assert_string_equal(s.device, "cpu");
	assert_int_equal(s.alias, ALIAS_GUARDED);
	assert_int_equal(s.load, LOAD_RO);
	assert_false(s.verify || s.quiet);
	assert_true(s.max_instructions == 0);
	assert_int_equal(s.interleave, 0);
	assert_null(s.trace);
	assert_null(s.check);
	assert_null(s.times);
}

/* The values are in the order of the analyser's enums. */
static void test_choices(void **state)
{
	(void)state;
	for (int a = ALIAS_GUARDED; a <= ALIAS_DISTINCT; a++)
		assert_int_equal(read_with("ROMARK_ALIAS", alias_level_name((enum alias_level)a)).alias, a);
	assert_int_equal(read_with("ROMARK_ALIAS", "").alias, ALIAS_GUARDED);
	assert_int_equal(read_with("ROMARK_LOAD", "nc").load, LOAD_NC);
	assert_int_equal(read_with("ROMARK_LOAD", "keep").load, LOAD_KEEP);
}

static void test_other_types(void **state)
{
	(void)state;
	assert_true(read_with("ROMARK_VERIFY", "1").verify);
	assert_false(read_with("ROMARK_VERIFY", "0").verify);
	assert_false(read_with("ROMARK_VERIFY", "").verify);
	assert_int_equal(read_with("ROMARK_MAX_INSTRUCTIONS", "1000").max_instructions, 1000);
	assert_int_equal(read_with("ROMARK_INTERLEAVE", "32").interleave, 32);
	assert_int_equal(read_with("ROMARK_INTERLEAVE", "0").interleave, 0);
	assert_int_equal(read_with("ROMARK_INTERLEAVE", "4294967295").interleave, UINT32_MAX);
	assert_string_equal(read_with("ROMARK_TIME_KERNELS", "1").times, "1");
	assert_string_equal(read_with("ROMARK_TIME_KERNELS", "-").times, "1");
	assert_null(read_with("ROMARK_TIME_KERNELS", "0").times);
	assert_null(read_with("ROMARK_TRACE", "").trace);
}

static void test_wrong_values(void **state)
{
	(void)state;
	assert_string_equal(
	    refusal("ROMARK_ALIAS", "strcit"),
	    "ROMARK_ALIAS=strcit: it takes guarded, strict, distinct or observed; did you mean 'strict'?");
	assert_string_equal(refusal("ROMARK_LOAD", "all"), "ROMARK_LOAD=all: it takes ro, nc or keep");
	assert_string_equal(refusal("ROMARK_DEVICE", "cuda:x"), "ROMARK_DEVICE=cuda:x: it takes cpu, cuda or cuda:N; "
								"did you mean 'cuda'?");
	assert_string_equal(refusal("ROMARK_ISA", "avx3"), "ROMARK_ISA=avx3: it takes baseline, avx2 or avx512; "
							   "did you mean 'avx2'?");
	assert_string_equal(refusal("ROMARK_MAX_INSTRUCTIONS", "1M"),
			    "ROMARK_MAX_INSTRUCTIONS=1M: it takes a whole number up to 18446744073709551615");
	assert_string_equal(refusal("ROMARK_INTERLEAVE", "99999999999"),
			    "ROMARK_INTERLEAVE=99999999999: it takes a whole number up to 4294967295");
	refusal("ROMARK_INTERLEAVE", "often");
	refusal("ROMARK_INTERLEAVE", "-1");
	refusal("ROMARK_MAX_INSTRUCTIONS", "18446744073709551616");
	assert_string_equal(refusal("ROMARK_VERIFY", "off"), "ROMARK_VERIFY=off: it takes 1 or 0");
	refusal("ROMARK_QUIET", "no");
	assert_string_equal(
	    refusal("ROMARK_CHECK", "memroy,leak"),
	    "ROMARK_CHECK=memroy,leak: it takes memory, race, init, sync or leak, with commas between them; "
	    "did you mean 'memory'?");
	refusal("ROMARK_CHECK", "leak,");
	refusal("ROMARK_CHECK", "leak memory");
	assert_string_equal(refusal("ROMARK_TRACE", "fd:x"), "ROMARK_TRACE=fd:x: it takes FILE or fd:N");
	assert_non_null(strstr(refusal("ROMARK_KERNELS", "a("), "ROMARK_KERNELS=a(: no regular expression"));
}

/* A program ignores rows that it does not read. */
static void test_right_values(void **state)
{
	(void)state;
	read_with("ROMARK_RELOCATABLE", "maybe");
	assert_string_equal(read_with("ROMARK_DEVICE", "cuda:12").device, "cuda:12");
	assert_string_equal(read_with("ROMARK_TRACE", "fd:3").trace, "fd:3");
	assert_string_equal(read_with("ROMARK_TRACE", "fd").trace, "fd");
	assert_string_equal(read_with("ROMARK_TRACE_FILE", "8:12").trace_file, "8:12");
	assert_string_equal(read_with("ROMARK_ISA", "avx512").isa, "avx512");
	assert_string_equal(read_with("ROMARK_KERNELS", "^a|b").kernels, "^a|b");
	assert_string_equal(read_with("ROMARK_CHECK", "leak,memory").check, "leak,memory");
	assert_int_equal(setting_words(SETTING_ID_check, "leak,memory"), 17);
	assert_int_equal(setting_words(SETTING_ID_check, "leak"), 16);
	assert_int_equal(setting_words(SETTING_ID_check, NULL), 0);
}

/* A name that is nearly a setting's was meant to be that; other names are nobody's. */
static void test_names(void **state)
{
	(void)state;
	assert_string_equal(refusal("ROMARK_VERFIY", "1"),
			    "ROMARK_VERFIY: romark reads no such variable; did you mean 'ROMARK_VERIFY'?");
	assert_string_equal(refusal("ROMARK_MAX_INSTRUCTION", "5"),
			    "ROMARK_MAX_INSTRUCTION: romark reads no such variable; did you mean "
			    "'ROMARK_MAX_INSTRUCTIONS'?");
	assert_string_equal(refusal("ROMARK_CHECKS", "memory"),
			    "ROMARK_CHECKS: romark reads no such variable; did you mean 'ROMARK_CHECK'?");
	read_with("ROMARK_VERFIY", "");
	read_with("ROMARK_LONG_TESTS", "1");
	read_with("ROMARK_HOME_OF_MINE", "1");
}

/* A wrong value does not affect the others. */
static void test_the_others_are_read(void **state)
{
	struct diag d = DIAG_INIT;
	struct settings s;

	(void)state;
	setenv("ROMARK_ALIAS", "strcit", 1);
	setenv("ROMARK_LOAD", "nc", 1);
	assert_int_equal(settings_read(&s, &d), DIAG_ERROR);
	assert_int_equal(s.load, LOAD_NC);
	clear_environment(NULL);
}

/* A tool's setting is the text itself. Programs and the plugin read the same variable, with defaults of their own. */
static void test_tools(void **state)
{
	(void)state;
	assert_string_equal(setting_text(SETTING_ID_plugin_alias), "strict");
	assert_int_equal(read_with("ROMARK_LOAD", "").load, LOAD_RO);
	assert_string_equal(setting_text(SETTING_ID_plugin_load), "nc");
	assert_null(setting_text(SETTING_ID_clang));
	setenv("ROMARK_CLANG", "", 1);
	assert_null(setting_text(SETTING_ID_clang));
	setenv("ROMARK_CLANG", "clang++-20", 1);
	assert_string_equal(setting_text(SETTING_ID_clang), "clang++-20");
	unsetenv("ROMARK_CLANG");
}

/* If a help text names the default, it is the row's default. */
static void test_help(void **state)
{
	(void)state;
	for (size_t i = 0; i < SETTINGS; i++) {
		const char *named = strstr(setting_rows[i].help, "(default ");

		if (!named)
			continue;
		named += strlen("(default ");
		assert_non_null(setting_rows[i].otherwise);
		assert_int_equal(strcspn(named, ")"), strlen(setting_rows[i].otherwise));
		assert_memory_equal(named, setting_rows[i].otherwise, strlen(setting_rows[i].otherwise));
	}
}

/* --- Into the environment --- */

static void test_put(void **state)
{
	const struct settings given = {
	    .alias = ALIAS_DISTINCT, .load = LOAD_NC, .quiet = true, .interleave = 20, .kernels = "^a"};
	struct settings s;

	(void)state;
	setenv("ROMARK_VERIFY", "1", 1);
	setenv("ROMARK_ISA", "avx2", 1);
	settings_put(&given);
	assert_string_equal(getenv("ROMARK_DEVICE"), "cpu");
	assert_string_equal(getenv("ROMARK_ALIAS"), "distinct");
	assert_string_equal(getenv("ROMARK_LOAD"), "nc");
	assert_string_equal(getenv("ROMARK_QUIET"), "1");
	assert_string_equal(getenv("ROMARK_INTERLEAVE"), "20");
	assert_null(getenv("ROMARK_VERIFY"));  /* an option that was not given */
	assert_non_null(getenv("ROMARK_ISA")); /* has none */
	assert_int_equal(settings_read(&s, NULL), 0);
	assert_int_equal(s.alias, ALIAS_DISTINCT);
	assert_string_equal(s.kernels, "^a");
	clear_environment(NULL);
}

/* --- The page --- */

/* "a|b" as `VARIABLE=a`, `b`. */
static void add_values(struct strbuf *out, const struct setting *row)
{
	const char *at = row->values;

	strbuf_addf(out, "| `%s=", row->variable);
	for (; at[strcspn(at, "|")]; at += strcspn(at, "|") + 1)
		strbuf_addf(out, "%.*s`, `", (int)strcspn(at, "|"), at);
	strbuf_addf(out, "%s` |", at);
}

static void add_row(struct strbuf *out, const struct setting *row)
{
	static const char *const readers[] = {
	    [SETTING_OF_PROGRAM] = "programs", [SETTING_OF_PLUGIN] = "the LLVM plugin", [SETTING_OF_ROMARK] = "romark"};

	add_values(out, row);
	strbuf_addf(out, row->otherwise ? " `%s` |" : " |", row->otherwise);
	strbuf_addf(out, " %s |", readers[row->reader]);
	strbuf_addf(out, row->option ? " `--%s` |" : " |", row->option);
	strbuf_addf(out, " %s |\n", row->help);
}

static void test_page(void **state)
{
	struct strbuf table = STRBUF_INIT;
	struct diag d = DIAG_INIT;
	struct file_data page;

	(void)state;
	strbuf_adds(&table,
		    "| variable | default | read by | option of `romark run` | effect |\n|---|---|---|---|---|\n");
	for (size_t i = 0; i < SETTINGS; i++)
		add_row(&table, &setting_rows[i]);
	strbuf_adds(&table, "\n");
	assert_int_equal(file_read(PAGE, &page, &d), 0);
	if (!strstr(page.data, table.data)) {
		fputs(table.data, stderr);
		fail_msg("%s does not have the table of settings as it is above", PAGE);
	}
	file_data_release(&page);
	strbuf_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_defaults),     cmocka_unit_test(test_choices),
	    cmocka_unit_test(test_other_types),  cmocka_unit_test(test_wrong_values),
	    cmocka_unit_test(test_right_values), cmocka_unit_test(test_the_others_are_read),
	    cmocka_unit_test(test_names),        cmocka_unit_test(test_tools),
	    cmocka_unit_test(test_help),         cmocka_unit_test(test_put),
	    cmocka_unit_test(test_page),
	};

	return cmocka_run_group_tests_name("settings", tests, clear_environment, NULL);
}
