/*
 * Textures and surfaces of the CPU device: handles to images. A handle is a number in a window of addresses that no
 * memory uses. It is the same in every run, and no other image ever gets it. An instruction names an image by its
 * handle, or by the address of a variable that holds a handle (.texref, .surfref).
 */
#ifndef ROMARK_CPU_IMAGE_H
#define ROMARK_CPU_IMAGE_H

#include "runtime/device/device.h"

struct launch;

struct image_table;

uint64_t image_add(struct image_table *t, const struct device_image *image);
bool image_remove(struct image_table *t, uint64_t handle);
void image_table_release(struct image_table *t);
/* The image with this handle; NULL if there is none. */
const struct device_image *image_at(const struct image_table *t, uint64_t handle);
/* The image that an instruction's operand names, or NULL. */
const struct device_image *image_named(const struct launch *launch, uint64_t operand);

static inline unsigned image_texel_bytes(const struct device_image *image)
{
	return image->channels * image->channel_bytes;
}

#endif
