/* The table of kernels: what the analysis says of each compiler's PTX, at each alias level, against table.txt. */
#include "common/file.h"
#include "common/strbuf.h"
#include "common/vec.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "ptx-analyzer/readonly/analysis.h"

#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { LEVELS = 3, FIELDS = 6 };

/* Columns of table.txt from `structure` on, and whether some module had the row. */
struct row {
	char module[32], compiler[8], kernel[64], fields[FIELDS - 1][32];
	bool seen;
};

static VEC(struct row) rows;
static const char *const compilers[] = {"nvcc", "clang"};

static void read_table(void)
{
	struct file_data file;
	char module[32] = "", *save = NULL;

	assert_int_equal(file_read(TABLE_DIR "/table.txt", &file, NULL), 0);
	for (char *line = strtok_r(file.data, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		struct row r = {.seen = false};

		if (line[0] == '#' || sscanf(line, "[%31[^]]]", module) == 1)
			continue;
		assert_int_equal(sscanf(line, "%7s %63s %31s %31s %31s %31s %31s", r.compiler, r.kernel, r.fields[0],
					r.fields[1], r.fields[2], r.fields[3], r.fields[4]),
				 7);
		strcpy(r.module, module);
		vec_push(&rows, r);
	}
	file_data_release(&file);
}

static struct ptx_module *parse(const char *module, const char *compiler)
{
	struct diag d = DIAG_INIT;
	struct file_data file;
	struct ptx_module *m;
	char path[512];

	snprintf(path, sizeof path, TABLE_DIR "/kernels/%s.%s.ptx", module, compiler);
	if (file_read(path, &file, &d) < 0)
		fail_msg("%s", d.message);
	m = ptx_parse(path, file.data, file.size, &d);
	if (!m)
		fail_msg("%s:%u: %s", path, d.line, d.message);
	file_data_release(&file);
	return m;
}

static const char *level_code(const struct structure *s)
{
	static const char *const codes[] = {[VERDICT_UNUSED] = "un",
					    [VERDICT_WRITE_ONLY] = "wo",
					    [VERDICT_READ_WRITE] = "rw",
					    [VERDICT_READ_ONLY] = "ro-"};

	if (s->verdict != VERDICT_READ_ONLY)
		return s->loads_marked ? "marked although written" : codes[s->verdict];
	if (s->loads_marked == s->loads)
		return "ro+";
	return s->loads_marked ? "ro~" : "ro-";
}

static struct row *find_row(const char *module, const char *compiler, const char *kernel, const char *id)
{
	for (size_t i = 0; i < rows.len; i++) {
		struct row *r = &rows.data[i];

		if (strcmp(r->module, module) == 0 && fnmatch(r->kernel, kernel, 0) == 0 &&
		    strcmp(r->fields[0], id) == 0 &&
		    (strcmp(r->compiler, "both") == 0 || strcmp(r->compiler, compiler) == 0))
			return r;
	}
	return NULL;
}

/* Compares one structure at all levels; returns the number of differences, which it prints. */
static int compare(const char *module, const char *compiler, const char *kernel, const struct structure *levels[])
{
	struct row *r = find_row(module, compiler, kernel, levels[0]->id);
	int bad = 0;

	if (!r) {
		print_error("%s.%s: %s %s: no row\n", module, compiler, kernel, levels[0]->id);
		return 1;
	}
	r->seen = true;
	for (int level = 0; level < LEVELS; level++) {
		if (strcmp(level_code(levels[level]), r->fields[1 + level]) == 0)
			continue;
		print_error("%s.%s: %s %s at level %s: %s, expected %s\n", module, compiler, kernel, r->fields[0],
			    alias_level_name(level), level_code(levels[level]), r->fields[1 + level]);
		bad++;
	}
	if (strcmp(sharing_name(levels[0]->sharing), r->fields[4])) {
		print_error("%s.%s: %s %s: sharing %s, expected %s\n", module, compiler, kernel, r->fields[0],
			    sharing_name(levels[0]->sharing), r->fields[4]);
		bad++;
	}
	return bad;
}

static int compare_module(const char *module, const char *compiler)
{
	struct ptx_module *m = parse(module, compiler);
	struct ptx_analysis *a[LEVELS];
	int bad = 0;

	for (int level = 0; level < LEVELS; level++)
		a[level] = ptx_analyze(m, level);
	for (size_t k = 0; k < ptx_analysis_kernels(a[0]); k++) {
		const struct kernel_facts *f = ptx_analysis_kernel(a[0], k);

		for (uint32_t s = 0; s < f->nstructures; s++) {
			const struct structure *levels[LEVELS];

			for (int level = 0; level < LEVELS; level++)
				levels[level] = &ptx_analysis_kernel(a[level], k)->structures[s];
			bad += compare(module, compiler, f->name, levels);
		}
	}
	for (int level = 0; level < LEVELS; level++)
		ptx_analysis_free(a[level]);
	ptx_module_free(m);
	return bad;
}

typedef int visit_module(const char *module, const char *compiler);

/* Each module of the table with each compiler; the sum of what `visit` returns. */
static int each_module(visit_module *visit)
{
	const char *last = "";
	int sum = 0;

	for (size_t i = 0; i < rows.len; i++) {
		if (strcmp(rows.data[i].module, last) == 0)
			continue;
		last = rows.data[i].module;
		for (size_t c = 0; c < 2; c++)
			sum += visit(last, compilers[c]);
	}
	return sum;
}

static void test_verdicts(void **state)
{
	(void)state;
	assert_int_equal(each_module(compare_module), 0);
	for (size_t i = 0; i < rows.len; i++)
		if (!rows.data[i].seen)
			fail_msg("row %s %s %s matched nothing", rows.data[i].compiler, rows.data[i].kernel,
				 rows.data[i].fields[0]);
}

/* --- Against the compilers' own marks --- */

static bool spelled_nc(const struct ptx_inst *inst)
{
	return inst->opcode->op == PTX_OP_ld && ptx_has_mod(inst->opcode, PTX_MOD_nc);
}

/* The only place where the compiler's mark is not kept: the kernel itself breaks its promise. */
static bool is_broken_promise(const char *kernel)
{
	return strcmp(kernel, "ldg_and_store") == 0;
}

static int count_lost_marks(const char *module, const char *compiler)
{
	struct ptx_module *m = parse(module, compiler);
	int lost = 0;

	for (int level = 0; level < LEVELS; level++) {
		struct ptx_analysis *a = ptx_analyze(m, level);

		for (size_t k = 0; k < ptx_analysis_kernels(a); k++) {
			size_t count;
			const struct access *all = ptx_kernel_accesses(a, k, &count);

			for (size_t i = 0; i < count; i++) {
				const struct ptx_function *f = &m->functions[all[i].function];

				if (!spelled_nc(&f->insts[all[i].inst]) || all[i].marked || is_broken_promise(f->name))
					continue;
				print_error("%s.%s: %s line %u: not marked at level %s\n", module, compiler, f->name,
					    f->insts[all[i].inst].line, alias_level_name(level));
				lost++;
			}
		}
		ptx_analysis_free(a);
	}
	ptx_module_free(m);
	return lost;
}

static void test_superset_of_compilers(void **state)
{
	(void)state;
	assert_int_equal(each_module(count_lost_marks), 0);
}

/* --- Rewriting --- */

static bool is_ordered(const struct ptx_opcode *o)
{
	return ptx_has_mod(o, PTX_MOD_volatile) || ptx_has_mod(o, PTX_MOD_relaxed) || ptx_has_mod(o, PTX_MOD_acquire) ||
	       ptx_has_mod(o, PTX_MOD_cv) || ptx_has_mod(o, PTX_MOD_lu) || o->op != PTX_OP_ld;
}

/* Marks, prints, parses again: marked loads carry the mark, others do not, and a second analysis adds nothing. */
static int check_rewriting(const char *module, const char *compiler)
{
	struct ptx_module *m = parse(module, compiler), *again;
	struct ptx_analysis *a = ptx_analyze(m, ALIAS_GUARDED);
	struct strbuf text = STRBUF_INIT;
	struct diag d = DIAG_INIT;
	size_t marked = 0, found = 0;

	ptx_mark_loads(a, LOAD_RO);
	ptx_print(m, &text);
	again = ptx_parse("marked", text.data, text.len, &d);
	if (!again)
		fail_msg("%s.%s: marked text: line %u: %s", module, compiler, d.line, d.message);
	for (uint32_t f = 0; f < again->nfunctions; f++)
		for (uint32_t i = 0; i < again->functions[f].ninsts; i++) {
			const struct ptx_opcode *o = again->functions[f].insts[i].opcode;

			found += ptx_has_mod(o, PTX_MOD_ro);
			assert_false(ptx_has_mod(o, PTX_MOD_ro) && (is_ordered(o) || o->space != PTX_SPACE_GLOBAL));
		}
	for (uint32_t f = 0; f < m->nfunctions; f++)
		for (uint32_t i = 0; i < m->functions[f].ninsts; i++)
			marked += ptx_has_mod(m->functions[f].insts[i].opcode, PTX_MOD_ro);
	assert_int_equal(found, marked);
	ptx_analysis_free(a);
	a = ptx_analyze(again, ALIAS_GUARDED);
	assert_int_equal(ptx_mark_loads(a, LOAD_RO), 0);
	ptx_analysis_free(a);
	ptx_module_free(again);
	ptx_module_free(m);
	strbuf_release(&text);
	return marked > 0;
}

static void test_rewriting(void **state)
{
	(void)state;
	assert_true(each_module(check_rewriting) >= 16);
}

static void test_size_of_table(void **state)
{
	const char *last = "";
	int kernels = 0;

	(void)state;
	for (size_t i = 0; i < rows.len; i++) {
		kernels += strcmp(rows.data[i].kernel, last) != 0;
		last = rows.data[i].kernel;
	}
	assert_true(kernels >= 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_verdicts),
	    cmocka_unit_test(test_superset_of_compilers),
	    cmocka_unit_test(test_rewriting),
	    cmocka_unit_test(test_size_of_table),
	};
	int failed;

	read_table();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	vec_release(&rows);
	return failed;
}
