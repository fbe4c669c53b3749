/* Places: which files are the toolkit's, and which line of a chain is shown. */
#include "verdict/place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_headers_of_toolkits_are_told_from_the_users(void **state)
{
	static const struct {
		const char *file;
		bool toolkit;
	} files[] = {
	    {"/usr/local/cuda/bin/../targets/x86_64-linux/include/cuda_fp16.hpp", true},
	    {"/opt/conda/targets/sbsa-linux/include/cuda_fp16.hpp", true},
	    {"/usr/local/cuda-13.0/include/cub/block/block_load.cuh", true},
	    {"/opt/cuda/include/cuda_fp16.h", true},
	    {"/data/.venv/lib/python3/site-packages/nvidia/cuda_runtime/include/cuda_fp16.h", true},
	    {"/usr/lib/llvm-19/lib/clang/19/include/__clang_cuda_device_functions.h", true},
	    {"/data/llvm/lib/clang/19/include/__clang_cuda_device_functions.h", true},
	    {"/usr/include/c++/12/cmath", true},
	    {"/usr/local/lib/romark/include/cuda_fp16.h", true},
	    {SOURCE_DIR "/runtime/include/cuda_fp16.h", true},
	    {"/data/k.cu", false},
	    {"k.cu", false},
	    {"include/k.cuh", false},
	    {"/data/nvidia/include/k.cuh", false},
	    {"/data/cuda/include/k.cuh", false},
	    {"/data/targets/include/k.cuh", false},
	    {"/usr/src/k.cu", false},
	    {"/usr/libk.cu", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (place_is_of_toolkit(files[i].file) != files[i].toolkit)
			fail_msg("%s is taken for %s", files[i].file,
				 files[i].toolkit ? "the user's" : "the toolkit's");
}

static void test_the_innermost_line_of_the_user_is_shown(void **state)
{
	static const struct source_place places[] = {
	    {"/usr/include/a.h", 1, 0}, {"/usr/include/b.h", 2, 0}, {"k.cu", 3, 4}, {"k.cu", 5, 6}};
	struct arena arena = ARENA_INIT;
	struct place_chain all = place_chain_make(&arena, places, 4), headers = place_chain_make(&arena, places, 2);
	struct place_chain none = place_chain_make(&arena, NULL, 0);

	(void)state;
	assert_int_equal(all.own, 2);
	assert_int_equal(place_shown(&all)->line, 3);
	assert_int_equal(headers.own, 0);
	assert_int_equal(place_shown(&headers)->line, 1);
	assert_null(place_shown(&none));
	arena_release(&arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_headers_of_toolkits_are_told_from_the_users),
	    cmocka_unit_test(test_the_innermost_line_of_the_user_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
