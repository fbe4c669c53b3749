/* The devices behind runtime/device/device.h, one row a device. */
#include "runtime/cpu/cpu.h"
#include "runtime/device/name.h"
#include "runtime/gpu/gpu.h"

static const struct device_ops *const devices[DEVICE_KINDS] = {
    [DEVICE_CPU] = &cpu_device_ops,
#ifdef ROMARK_HAVE_GPU
    [DEVICE_CUDA] = &gpu_device_ops,
#endif
};

const struct device_ops *device_choose(const char *text, struct diag *d)
{
	struct device_name name;

	if (device_name_parse(text, "ROMARK_DEVICE", &name, d) < 0)
		return NULL;
	if (!devices[name.kind])
		diag_file(d, NULL, "ROMARK_DEVICE=%s: romark was built without it", text);
	return devices[name.kind];
}
