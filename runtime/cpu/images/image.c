/* The table of images behind the handles of textures and surfaces. */
#include "runtime/cpu/images/image.h"
#include "runtime/cpu/engine/cpu_device.h"

#include <stdlib.h>
#include <string.h>

#define IMAGE_WINDOW UINT64_C(0x0005000000000000)
enum { HANDLE_STEP = 32 };

static uint64_t handle_of(size_t index)
{
	return IMAGE_WINDOW + (index + 1) * HANDLE_STEP;
}

/* Its slot, or NULL. */
static struct device_image **slot_of(const struct image_table *t, uint64_t handle)
{
	uint64_t index = (handle - IMAGE_WINDOW) / HANDLE_STEP - 1;

	return handle % HANDLE_STEP == 0 && index < t->images.len ? &t->images.data[index] : NULL;
}

uint64_t image_add(struct image_table *t, const struct device_image *image)
{
	struct device_image *added = xmalloc(sizeof *added);

	*added = *image;
	t->changes++;
	vec_push(&t->images, added);
	return handle_of(t->images.len - 1);
}

bool image_remove(struct image_table *t, uint64_t handle)
{
	struct device_image **slot = slot_of(t, handle);

	if (!slot || !*slot)
		return false;
	t->changes++;
	free(*slot);
	*slot = NULL;
	return true;
}

void image_table_release(struct image_table *t)
{
	for (size_t i = 0; i < t->images.len; i++)
		free(t->images.data[i]);
	vec_release(&t->images);
}

const struct device_image *image_at(const struct image_table *t, uint64_t handle)
{
	struct device_image **slot = slot_of(t, handle);

	return slot ? *slot : NULL;
}

const struct device_image *image_named(const struct launch *launch, uint64_t operand)
{
	uint64_t handle = operand;

	if (operand % sizeof handle == 0 && memory_contains(launch->memory, operand, sizeof handle))
		memcpy(&handle, memory_host(operand), sizeof handle);
	return image_at(&launch->device->images, handle);
}
