/*
 * Start here: a kernel in LLVM IR goes into the pass, and PTX with marked loads and a report come out. The kernel adds
 * two arrays, c[i] = a[i] + b[i], as Clang writes it for NVIDIA's GPUs. The tests in ir/ say the same in a line each:
 * "; EXPECT guarded add: p0=read-only:1/1 ...".
 */
#include "passes/passes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

static const char add_arrays[] = "target triple = \"nvptx64-nvidia-cuda\"\n"
				 "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
				 "define ptx_kernel void @add(ptr %a, ptr %b, ptr %c) {\n"
				 "  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
				 "  %pa = getelementptr i32, ptr %a, i32 %i\n"
				 "  %pb = getelementptr i32, ptr %b, i32 %i\n"
				 "  %pc = getelementptr i32, ptr %c, i32 %i\n"
				 "  %x = load i32, ptr %pa, align 4\n"
				 "  %y = load i32, ptr %pb, align 4\n"
				 "  %sum = add i32 %x, %y\n"
				 "  store i32 %sum, ptr %pc, align 4\n"
				 "  ret void\n"
				 "}\n";

static struct pass_output run(enum alias_level alias)
{
	struct pass_options options = PASS_OPTIONS_INIT;
	struct pass_output out;
	struct diag d = DIAG_INIT;

	options.alias = alias;
	if (pass_run("add.ll", add_arrays, strlen(add_arrays), &options, &out, &d) < 0)
		fail_msg("%s", d.message);
	return out;
}

/* The verdict on structure `index` of the report's only kernel. */
static const char *verdict(const json_t *report, size_t index)
{
	json_t *kernel = json_array_get(json_object_get(report, "kernels"), 0);
	json_t *structure = json_array_get(json_object_get(kernel, "structures"), index);

	return json_string_value(json_object_get(structure, "verdict"));
}

static void test_what_is_only_read_is_marked(void **state)
{
	struct pass_output out = run(ALIAS_GUARDED);
	json_t *report = json_loads(out.report, 0, NULL);

	(void)state;
	assert_int_equal(out.marked, 2);
	assert_non_null(strstr(out.text, "ld.global.ro."));
	assert_string_equal(verdict(report, 0), "read-only");
	assert_string_equal(verdict(report, 1), "read-only");
	assert_string_equal(verdict(report, 2), "write-only");
	json_decref(report);
	pass_output_release(&out);
}

/* The level that takes nothing on trust: c may be a. With noalias on c it could not. */
static void test_the_strict_level_needs_proof(void **state)
{
	struct pass_output out = run(ALIAS_STRICT);

	(void)state;
	assert_int_equal(out.marked, 0);
	assert_null(strstr(out.text, "ld.global.ro."));
	pass_output_release(&out);
}

static void test_bad_input_is_a_diagnostic(void **state)
{
	struct pass_options options = PASS_OPTIONS_INIT;
	struct pass_output out;
	struct diag d = DIAG_INIT;

	(void)state;
	assert_int_equal(pass_run("bad.ll", "nonsense", 8, &options, &out, &d), DIAG_ERROR);
	assert_string_equal(d.file, "bad.ll");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_what_is_only_read_is_marked),
	    cmocka_unit_test(test_the_strict_level_needs_proof),
	    cmocka_unit_test(test_bad_input_is_a_diagnostic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
