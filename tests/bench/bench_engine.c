/* Speed of the CPU device: warp instructions per second of a naive and a tiled matrix product, per instruction set. */
#include "common/file.h"
#include "runtime/cpu/cpu.h"
#include "runtime/cpu/engine/device.h"
#include "runtime/cpu/exec/exec.h"

#include <stdlib.h>
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
	settings_read(&settings);
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
	return 0;
}
