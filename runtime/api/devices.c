/* One row a device. */
#include "runtime/api/devices.h"

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
	if (!name || !*name)
		return devices[0].ops;
	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
		if (strcmp(devices[i].name, name) == 0)
			return devices[i].ops;
	diag_file(d, NULL, "ROMARK_DEVICE=%s: no such device", name);
	return NULL;
}
