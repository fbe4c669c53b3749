/*
 * Damaged fat binaries in a running program, registered at its start or loaded by the driver API: each is an error or
 * a module that works, never the end of the process.
 *
 * The image lies at the end of its pages, and behind these is a page that cannot be read: a byte too far is a signal.
 */
#include "tests/runtime/api/program.h"

#include "runtime/include/cuda.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <zstd.h>

static const char text[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 4 .u32 table[4] = {1, 2, 3, 4};\n"
    ".visible .entry twice(.param .u64 data)\n{\n.reg .u64 %d, %w;\n.reg .u32 %i, %v;\n.reg .pred %p;\n"
    ".shared .align 4 .b8 box[128];\nld.param.u64 %d, [data];\nmov.u32 %i, %tid.x;\n"
    "mul.wide.u32 %w, %i, 4;\nadd.u64 %d, %d, %w;\nld.global.u32 %v, [%d];\nst.shared.u32 [box], %v;\n"
    "setp.eq.u32 %p, %v, 7;\n@%p bra END;\nadd.u32 %v, %v, %v;\nst.global.u32 [%d], %v;\nEND:\nret;\n}\n";

enum { PAGE = 4096, PAGES = 2, MUTANTS = 1500, LAUNCHES = 300 };

struct image {
	unsigned char data[PAGE];
	size_t size;
};

static void put_number(struct image *image, uint64_t value, unsigned bytes)
{
	memcpy(image->data + image->size, &value, bytes);
	image->size += bytes;
}

static void put_entry(struct image *image, unsigned sm, uint64_t flags, const void *stored, size_t size)
{
	size_t padded = (size + 7) / 8 * 8;

	put_number(image, 1, 2);
	put_number(image, 0x101, 2);
	put_number(image, 0x40, 4);
	put_number(image, padded, 8);
	put_number(image, flags ? size : 0, 4);
	put_number(image, 0, 8);
	put_number(image, sm, 4);
	put_number(image, 0, 8);
	put_number(image, flags, 8);
	put_number(image, 0, 8);
	put_number(image, flags ? sizeof text - 1 : 0, 8);
	memcpy(image->data + image->size, stored, size);
	image->size += padded;
}

/* The text plain and packed with zstd, as compilers write both; the device takes the text for the newer GPU. */
static struct image fat_binary(unsigned sm_plain, unsigned sm_packed)
{
	struct image image = {.size = 16};
	unsigned char packed[2048];
	size_t size = ZSTD_compress(packed, sizeof packed, text, sizeof text - 1, 3), all;

	assert_false(ZSTD_isError(size));
	put_entry(&image, sm_plain, 0, text, sizeof text - 1);
	put_entry(&image, sm_packed, 0x8000, packed, size);
	all = image.size;
	image.size = 0;
	put_number(&image, 0xBA55ED50, 4);
	put_number(&image, 1, 2);
	put_number(&image, 16, 2);
	put_number(&image, all - 16, 8);
	image.size = all;
	return image;
}

/* A copy whose last byte is the last that can be read. */
static unsigned char *at_the_end(const struct image *image)
{
	static unsigned char *pages;
	unsigned char *at;

	if (!pages) {
		pages = mmap(NULL, (PAGES + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		assert_ptr_not_equal(pages, MAP_FAILED);
		assert_int_equal(mprotect(pages + PAGES * PAGE, PAGE, PROT_NONE), 0);
	}
	at = pages + PAGES * PAGE - image->size;
	memcpy(at, image->data, image->size);
	return at;
}

static uint64_t next_random(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* A byte, a bit, a number at the place of a size, or the end is wrong. */
static struct image mutant_of(struct image image)
{
	static const uint64_t sizes[] = {0, 1, 0x7fffffff, 0xffffffff, (uint64_t)1 << 40, UINT64_MAX, UINT64_MAX - 15};
	size_t at = next_random() % (next_random() % 2 ? image.size : 0x60);
	uint64_t number = sizes[next_random() % (sizeof sizes / sizeof *sizes)];

	switch (next_random() % 4) {
	case 0: image.data[at] = (unsigned char)next_random(); break;
	case 1: image.data[at] ^= (unsigned char)(1u << next_random() % 8); break;
	case 2: memcpy(image.data + at / 4 * 4, &number, next_random() % 2 ? 4 : 8); break;
	default: image.size = 1 + next_random() % image.size; break;
	}
	return image;
}

static void *device_words(void)
{
	void *words;

	assert_int_equal(cudaMalloc(&words, 32 * 4), cudaSuccess);
	assert_int_equal(cudaMemset(words, 0, 32 * 4), cudaSuccess);
	return words;
}

static void test_loaded_by_the_driver(void **state)
{
	const struct image whole[] = {fat_binary(75, 80), fat_binary(80, 75)};
	CUmodule module;
	unsigned loaded = 0;

	(void)state;
	assert_int_equal(cuModuleLoadData(&module, at_the_end(&whole[0])), CUDA_SUCCESS);
	assert_int_equal(cuModuleUnload(module), CUDA_SUCCESS);
	for (unsigned i = 0; i < MUTANTS; i++) {
		const struct image mutant = mutant_of(whole[i % 2]);
		CUfunction function;
		CUdeviceptr address;
		size_t size;

		if (cuModuleLoadData(&module, at_the_end(&mutant)))
			continue;
		loaded++;
		cuModuleGetFunction(&function, module, "twice");
		cuModuleGetGlobal(&address, &size, module, "table");
		assert_int_equal(cuModuleUnload(module), CUDA_SUCCESS);
	}
	/* Much of the image is text, or not looked at. */
	assert_in_range(loaded, 1, MUTANTS - 1);
}

static void test_registered_by_the_program(void **state)
{
	static char stubs[LAUNCHES], variables[LAUNCHES];
	static struct image_wrapper wrappers[LAUNCHES];
	const struct image whole[] = {fat_binary(75, 80), fat_binary(80, 75)};

	(void)state;
	cudaGetLastError();
	for (unsigned i = 0; i < LAUNCHES; i++) {
		struct image mutant = i ? mutant_of(whole[i % 2]) : whole[0];
		void *words, *args[] = {&words};
		uint32_t back[4];
		void **handle;

		wrappers[i] = (struct image_wrapper){0x466243b1, 1, at_the_end(&mutant), NULL};
		handle = __cudaRegisterFatBinary(&wrappers[i]);
		__cudaRegisterFunction(handle, &stubs[i], "twice", "twice", -1, NULL, NULL, NULL, NULL, NULL);
		__cudaRegisterVar(handle, &variables[i], "table", "table", 0, 16, 0, 0);
		__cudaRegisterFatBinaryEnd(handle);
		cudaDeviceReset();
		words = device_words();
		cudaLaunchKernel(&stubs[i], (dim3){1, 1, 1}, (dim3){32, 1, 1}, args, 0, NULL);
		cudaDeviceSynchronize();
		cudaMemcpyFromSymbol(back, &variables[i], sizeof back, 0, cudaMemcpyDeviceToHost);
		if (!i)
			assert_int_equal(cudaGetLastError(), cudaSuccess);
	}
	cudaDeviceReset();
}

/* No image at all, and text whose end cannot be read. */
static void test_no_image(void **state)
{
	struct image text_alone = {.size = sizeof text};
	static struct image_wrapper wrapper = {0x466243b1, 1, NULL, NULL};
	static char stub;
	void *args[1] = {NULL};
	CUmodule module;

	(void)state;
	memcpy(text_alone.data, text, sizeof text);
	assert_int_equal(cuModuleLoadData(&module, at_the_end(&text_alone)), CUDA_SUCCESS);
	assert_int_equal(cuModuleUnload(module), CUDA_SUCCESS);
	text_alone.size--;
	assert_int_not_equal(cuModuleLoadData(&module, at_the_end(&text_alone)), CUDA_SUCCESS);
	assert_int_not_equal(cuModuleLoadData(&module, (void *)0x10), CUDA_SUCCESS);
	__cudaRegisterFunction(__cudaRegisterFatBinary(&wrapper), &stub, "k", "k", -1, NULL, NULL, NULL, NULL, NULL);
	assert_int_equal(cudaLaunchKernel(&stub, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, NULL),
			 cudaErrorNoKernelImageForDevice);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_loaded_by_the_driver),
	    cmocka_unit_test(test_registered_by_the_program),
	    cmocka_unit_test(test_no_image),
	};

	setenv("ROMARK_QUIET", "1", 1);
	setenv("ROMARK_MAX_INSTRUCTIONS", "1000000", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
