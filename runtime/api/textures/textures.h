/* Texture and surface objects: what a descriptor of CUDA means to the device. */
#ifndef ROMARK_API_TEXTURES_H
#define ROMARK_API_TEXTURES_H

#include "runtime/api/cudart/topics.h"

/* An image of a texture (`texture` given) or a surface (NULL). cudaSuccess, or what is wrong with the descriptors. */
cudaError_t image_describe(struct device_image *image, const struct cudaResourceDesc *resource,
			   const struct cudaTextureDesc *texture);
/* Makes an image and remembers what it was made of. */
cudaError_t image_object_create(struct runtime *rt, const struct cudaResourceDesc *resource,
				const struct cudaTextureDesc *texture, uint64_t *handle);
cudaError_t image_object_destroy(struct runtime *rt, uint64_t handle, bool is_surface);
/* The format of an image's texels. */
cudaError_t image_describe_format(struct device_image *image, const struct cudaChannelFormatDesc *format);
/* Destroys all: cudaDeviceReset. */
void image_objects_release(struct runtime *rt);
/* Forgets all arrays and mipmaps, before their memory goes: cudaDeviceReset. */
void arrays_release(struct runtime *rt);
/* Forgets what references are bound to; their objects are destroyed by the call above. */
void image_references_release(struct runtime *rt);

#endif
