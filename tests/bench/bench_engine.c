/*
 * Speed of the CPU device: warp instructions per second of a naive and a tiled matrix product, per instruction set, and
 * of loops with a texture fetch among ten instructions.
 */
#include "common/file.h"
#include "runtime/cpu/cpu.h"
#include "runtime/cpu/engine/cpu_device.h"
#include "runtime/cpu/exec/exec.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 512, REPEATS = 3 };

/* Processor time: the machine may have other things to do. */
static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int measure(const struct file_data *ptx, const char *set, const char *kernel)
{
	struct diag d = DIAG_INIT;
	struct device_module *module = NULL;
	struct device_kernel *k = NULL;
	struct settings settings;
	struct device *dev;
	uint64_t buffer[3], params[4];
	struct launch_params launch = {
	    .grid = {N / 16, N / 16, 1}, .block = {16, 16, 1}, .params = params, .param_bytes = sizeof params};
	double best = 1e9;

	setenv("ROMARK_ISA", set, 1);
	settings_read(&settings, NULL);
	dev = cpu_device_ops.open(&settings, &d);
	if (!dev || cpu_device_ops.load(dev, ptx->data, ptx->size, "matmul.ptx", &module, &d) != DEVICE_OK ||
	    cpu_device_ops.kernel(dev, module, kernel, &k) != DEVICE_OK) {
		diag_print(&d, stderr);
		return 1;
	}
	for (int i = 0; i < 3; i++) {
		const float one = 1.0f;

		cpu_device_ops.alloc(dev, (size_t)N * N * sizeof one, "matrix", &buffer[i]);
		cpu_device_ops.fill(dev, buffer[i], &one, sizeof one, (size_t)N * N);
		params[i] = buffer[i];
	}
	params[3] = N;
	for (int i = 0; i < REPEATS; i++) {
		double start = cpu_seconds(), seconds;

		((struct cpu_device *)dev)->instructions = 0;
		if (cpu_device_ops.launch(dev, k, &launch, &d) != DEVICE_OK) {
			diag_print(&d, stderr);
			return 1;
		}
		seconds = cpu_seconds() - start;
		best = seconds < best ? seconds : best;
	}
	printf("%-10s %-8s %10llu warp instructions  %7.1f million/s\n", ((struct cpu_device *)dev)->set->name, kernel,
	       (unsigned long long)((struct cpu_device *)dev)->instructions,
	       (double)((struct cpu_device *)dev)->instructions / best / 1e6);
	cpu_device_ops.close(dev);
	return 0;
}

/* --- Texture fetches --- */

enum { SIDE = 256, FETCHES = 200 };

/* %a is a texel number, %x and %y are places in a plane of SIDE x SIDE texels. */
#define FETCH_KERNEL(name, fetch)                                                                                      \
	".visible .entry " name "(.param .u64 t, .param .u64 out, .param .u32 n)\n{\n"                                 \
	".reg .u64 %t, %o;\n.reg .u32 %i, %n, %a, %c;\n.reg .f32 %x, %y, %s, %p, %q, %r, %v;\n.reg .pred %more;\n"     \
	"ld.param.u64 %t, [t];\nld.param.u64 %o, [out];\nld.param.u32 %n, [n];\nmov.u32 %i, %tid.x;\n"                 \
	"mov.u32 %c, %ctaid.x;\nmad.lo.u32 %a, %c, 1237, %i;\nmov.u32 %i, 0;\nmov.f32 %s, 0f00000000;\n"               \
	"L:\nadd.u32 %a, %a, 37;\nand.b32 %a, %a, 65535;\nand.b32 %c, %a, 255;\ncvt.rn.f32.u32 %x, %c;\n"              \
	"fma.rn.f32 %y, %x, 0f3f350000, 0f3fa00000;\n" fetch "\nadd.f32 %s, %s, %p;\nadd.u32 %i, %i, 1;\n"             \
	"setp.lt.u32 %more, %i, %n;\n@%more bra L;\nst.global.f32 [%o], %s;\nret;\n}\n"

static const char fetch_kernels[] = ".version 7.5\n.target sm_75\n.address_size 64\n" FETCH_KERNEL(
    "fetch_index", "tex.1d.v4.f32.s32 {%p, %q, %r, %v}, [%t, {%a}];")
    FETCH_KERNEL("fetch_point", "tex.2d.v4.f32.f32 {%p, %q, %r, %v}, [%t, {%x, %y}];")
	FETCH_KERNEL("fetch_linear", "tex.2d.v4.f32.f32 {%p, %q, %r, %v}, [%t, {%x, %y}];");

static int measure_fetches(const char *kernel, unsigned channels, bool filters)
{
	struct diag d = DIAG_INIT;
	struct device_module *module = NULL;
	struct device_kernel *k = NULL;
	struct settings settings;
	struct device *dev;
	uint64_t params[3] = {0, 0, FETCHES}, texels = 0;
	struct launch_params launch = {
	    .grid = {64, 1, 1}, .block = {256, 1, 1}, .params = params, .param_bytes = sizeof params};
	bool line = strcmp(kernel, "fetch_index") == 0;
	struct device_image image = {.channels = (uint8_t)channels,
				     .channel_bytes = 4,
				     .format = IMAGE_FLOAT,
				     .nlevels = 1,
				     .edge = {IMAGE_CLAMP, IMAGE_CLAMP, IMAGE_CLAMP},
				     .filters = filters};
	const float one = 1.0f;
	double best = 1e9;

	settings_read(&settings, NULL);
	dev = cpu_device_ops.open(&settings, &d);
	if (!dev ||
	    cpu_device_ops.load(dev, fetch_kernels, sizeof fetch_kernels - 1, "fetch.ptx", &module, &d) != DEVICE_OK ||
	    cpu_device_ops.kernel(dev, module, kernel, &k) != DEVICE_OK) {
		diag_print(&d, stderr);
		return 1;
	}
	cpu_device_ops.alloc(dev, (size_t)SIDE * SIDE * 16, "texels", &texels);
	cpu_device_ops.fill(dev, texels, &one, sizeof one, (size_t)SIDE * SIDE * 4);
	cpu_device_ops.alloc(dev, 4, "out", &params[1]);
	image.levels[0] = (struct image_level){.address = texels,
					       .pitch = SIDE * 4 * channels,
					       .slice = SIDE * SIDE * 4 * channels,
					       .width = line ? SIDE * SIDE : SIDE,
					       .height = line ? 1 : SIDE,
					       .depth = 1};
	cpu_device_ops.image_create(dev, &image, &params[0]);
	for (int i = 0; i < REPEATS; i++) {
		double start = cpu_seconds(), seconds;

		((struct cpu_device *)dev)->instructions = 0;
		if (cpu_device_ops.launch(dev, k, &launch, &d) != DEVICE_OK) {
			diag_print(&d, stderr);
			return 1;
		}
		seconds = cpu_seconds() - start;
		best = seconds < best ? seconds : best;
	}
	printf("%-12s x%u %10llu warp instructions  %7.1f million/s\n", kernel, channels,
	       (unsigned long long)((struct cpu_device *)dev)->instructions,
	       (double)((struct cpu_device *)dev)->instructions / best / 1e6);
	cpu_device_ops.close(dev);
	return 0;
}

int main(void)
{
	static const char *const sets[] = {"avx512", "avx2", "baseline"}, *const kernels[] = {"naive", "tiled"};
	struct diag d = DIAG_INIT;
	struct file_data ptx;

	if (file_read(ROMARK_MATMUL_PTX, &ptx, &d) < 0) {
		diag_print(&d, stderr);
		return 1;
	}
	for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++)
		for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
			if (measure(&ptx, sets[s], kernels[k]))
				return 1;
	file_data_release(&ptx);
	unsetenv("ROMARK_ISA");
	for (unsigned channels = 1; channels <= 4; channels += 3)
		if (measure_fetches("fetch_index", channels, false) ||
		    measure_fetches("fetch_point", channels, false) || measure_fetches("fetch_linear", channels, true))
			return 1;
	return 0;
}
