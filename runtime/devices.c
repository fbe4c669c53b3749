/* What stands behind the waist, one row a device. A device apart from the host may be one of several: its name takes a
 * number, "cuda:1". */
#include "runtime/cpu/cpu.h"
#include "runtime/gpu/gpu.h"

#include <string.h>

static const struct {
	const char *name;
	const struct device_ops *ops;
} devices[] = {
    {"cpu", &cpu_device_ops},
#ifdef ROMARK_HAVE_GPU
    {"cuda", &gpu_device_ops},
#endif
};

const struct device_ops *device_choose(const char *name, struct diag *d)
{
	size_t length = strcspn(name, ":");

	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
		if (strncmp(devices[i].name, name, length) == 0 && !devices[i].name[length] &&
		    (!name[length] || devices[i].ops->attribute))
			return devices[i].ops;
	diag_file(d, NULL, "ROMARK_DEVICE=%s: no such device; there are cpu, cuda and cuda:N", name);
	return NULL;
}
