/*
 * cudaDeviceReset: takes back, topic by topic, all that the program made on the device. No other file knows all topics.
 */
#include "runtime/api/cudart/topics.h"

#include "runtime/api/driver/driver.h"
#include "runtime/api/cudart/allocations.h"
#include "runtime/api/textures/textures.h"

#include <string.h>

/*
 * The order has a meaning: each row lets go of what the rows below it still hold. Events are moments in the work of
 * kernels, so they end before the kernels' modules do. Module variables (shared with the host, or of a texture
 * reference) go before the images whose handles they hold. References forget the objects of the row above them. Images
 * and arrays are views of allocations, so the memory goes last. Streams, pools, registered device code, and reserved
 * ranges of the driver API stay.
 */
static void (*const release[])(struct runtime *rt) = {
    events_release,            /* events of the program stay, as if never recorded */
    modules_unload,            /* loaded again when something of them is next used */
    image_objects_release,     /* textures and surfaces */
    image_references_release,  /* unbinds them */
    driver_references_release, /* the same for modules of the driver API */
    arrays_release,            /* and mipmaps */
    allocations_release,       /* device, managed, pinned, registered */
};

/* The device stays open, so that a trace goes on. */
static cudaError_t reset(struct runtime *rt)
{
	if (!rt->device)
		return cudaSuccess;
	for (size_t i = 0; i < sizeof release / sizeof *release; i++)
		release[i](rt);
	memset(rt->about.limits, 0, sizeof rt->about.limits);
	rt->sticky = cudaSuccess;
	return rt->ops->reset ? status_error(rt, rt->ops->reset(rt->device)) : cudaSuccess;
}

/* Also ends the failed state after a kernel's failure, if the device can forget it. */
cudaError_t cudaDeviceReset(void)
{
	struct runtime *rt = runtime_lock();

	return runtime_leave(reset(rt));
}
