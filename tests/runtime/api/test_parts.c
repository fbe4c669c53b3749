/* A program whose device code spans several files: the link's own image is empty, and the files' images are joined. */
#include "tests/runtime/api/program.h"

#include <stdlib.h>
#include <string.h>

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"
#define ADD "add(.param .b32 value, .param .b32 step)"
#define DECLARED ".extern .func (.param .b32 sum) " ADD ";\n"
#define DEFINED                                                                                                        \
	".visible .func (.param .b32 sum) " ADD "\n{\n.reg .u32 %v, %s;\nld.param.u32 %v, [value];\n"                  \
	"ld.param.u32 %s, [step];\nadd.u32 %v, %v, %s;\nst.param.b32 [sum], %v;\nret;\n}\n"

static const char calls[] =
    HEAD DECLARED ".visible .entry raise(.param .u64 data, .param .u32 step)\n{\n.reg .u64 %d;\n.reg .u32 %v, %s;\n"
		  "ld.param.u64 %d, [data];\nld.param.u32 %s, [step];\nld.global.u32 %v, [%d];\n{\n"
		  ".param .b32 a;\n.param .b32 b;\n.param .b32 r;\nst.param.b32 [a], %v;\nst.param.b32 [b], %s;\n"
		  "call (r), add, (a, b);\nld.param.b32 %v, [r];\n}\nst.global.u32 [%d], %v;\nret;\n}\n";
static const char defines[] = HEAD DEFINED;

struct fat_binary {
	uint32_t magic;
	uint16_t version, header;
	uint64_t payload;
	uint16_t kind, flags;
	uint32_t entry_header;
	uint64_t stored;
	uint32_t words[12];
	char text[sizeof defines];
};

enum { WORD_SM = 1, ENTRY_HEADER = 64, FAT_HEADER = 16 };

/* The same function again, for a GPU newer than the device: joined too, it would be defined twice. */
static struct fat_binary for_newer_gpu(void)
{
	struct fat_binary fat = {.magic = 0xBA55ED50,
				 .version = 1,
				 .header = FAT_HEADER,
				 .payload = ENTRY_HEADER + sizeof fat.text,
				 .kind = 1,
				 .flags = 0x101,
				 .entry_header = ENTRY_HEADER,
				 .stored = sizeof fat.text};

	fat.words[2 + WORD_SM] = 900;
	memcpy(fat.text, defines, sizeof fat.text);
	return fat;
}

static uint32_t raised(const void *const *parts, const void *image, char *stub, cudaError_t expected)
{
	static struct image_wrapper wrappers[4];
	static unsigned used;
	struct image_wrapper *wrapper = &wrappers[used++];
	uint32_t value = 40, step = 2, *words;
	void *args[] = {&words, &step}, **handle;

	*wrapper = (struct image_wrapper){0x466243b1, 2, image, parts};
	handle = __cudaRegisterFatBinary(wrapper);
	__cudaRegisterFunction(handle, stub, "raise", "raise", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFatBinaryEnd(handle);
	assert_int_equal(cudaMalloc((void **)&words, sizeof value), cudaSuccess);
	assert_int_equal(cudaMemcpy(words, &value, sizeof value, cudaMemcpyHostToDevice), cudaSuccess);
	assert_int_equal(cudaLaunchKernel(stub, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, NULL), expected);
	assert_int_equal(cudaMemcpy(&value, words, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
	return value;
}

static void test_files_are_joined(void **state)
{
	static const struct fat_binary empty = {.magic = 0xBA55ED50, .version = 1, .header = FAT_HEADER};
	static struct fat_binary newer;
	const void *const parts[] = {calls, &newer, defines, NULL};
	static char stub;

	(void)state;
	newer = for_newer_gpu();
	assert_int_equal(raised(parts, &empty, &stub, cudaSuccess), 42);
}

static void test_a_missing_file_is_an_error(void **state)
{
	static const struct fat_binary empty = {.magic = 0xBA55ED50, .version = 1, .header = FAT_HEADER};
	const void *const parts[] = {calls, NULL};
	static char stub;

	(void)state;
	assert_int_equal(raised(parts, &empty, &stub, cudaErrorNoKernelImageForDevice), 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_files_are_joined),
	    cmocka_unit_test(test_a_missing_file_is_an_error),
	};

	setenv("ROMARK_QUIET", "1", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
