/*
 * Texture and surface instructions: where their operands are, and which memory they touch. exec_texture.c executes
 * them; traces and checks need only the addresses.
 */
#ifndef ROMARK_CPU_TEXTURE_H
#define ROMARK_CPU_TEXTURE_H

#include "runtime/cpu/engine/engine.h"
#include "runtime/cpu/images/sample.h"

/* inst->list: operands of all forms; those that a form lacks are OPERAND_NONE. inst->a is the image. */
enum {
	IMAGE_VALUE,                        /* four results, or four values to store */
	IMAGE_COORDINATE = IMAGE_VALUE + 4, /* three: floats or texel numbers; of surfaces the first is in bytes */
	IMAGE_LAYER = IMAGE_COORDINATE + 3,
	IMAGE_LEVEL,
	IMAGE_DX, /* three each */
	IMAGE_DY = IMAGE_DX + 3,
	IMAGE_OPERANDS = IMAGE_DY + 3
};

/* inst->variant: the geometry and flags. */
enum {
	IMAGE_GEOMETRY = 7,
	IMAGE_BY_INDEX = 8,
	IMAGE_GATHER = 16,
	IMAGE_CHANNEL_SHIFT = 5,  /* of a gather: 0 to 3 */
	IMAGE_BEYOND_CLAMP = 128, /* surfaces: a place outside means the nearest place inside */
	IMAGE_BEYOND_ZERO = 256,  /* surfaces: outside reads as 0 and ignores stores; neither flag: an error */
};

static inline enum image_geometry image_geometry_of(const struct inst *in)
{
	return (enum image_geometry)(in->variant & IMAGE_GEOMETRY);
}

/* The image that a lane names, or NULL after a fault. */
const struct device_image *texture_image(struct warp *w, const struct inst *in, unsigned lane, bool surface);
/* The texels that a lane's tex or tld4 reads. */
void texture_locate(const struct warp *w, const struct inst *in, unsigned lane, const struct device_image *image,
		    struct texels *texels);
/* The most texels that a lane of this instruction reads; 1 for surfaces. */
unsigned texture_parts(const struct ptx_inst *inst);

/* The texels that the lanes of a tex or tld4 read. A lane without an image reads nothing. */
struct texture_reads {
	uint32_t lanes[MAX_TEXELS];
	uint64_t address[MAX_TEXELS][LANES];
	uint8_t bytes[LANES]; /* of a texel */
};
void texture_footprint(const struct warp *w, const struct inst *in, uint32_t mask, struct texture_reads *reads);

enum surface_place { SURFACE_INSIDE, SURFACE_OUTSIDE, SURFACE_MISALIGNED };
/* The address of a lane's in->bytes * in->vec bytes, clamped if the instruction clamps. */
enum surface_place surface_locate(const struct warp *w, const struct inst *in, unsigned lane,
				  const struct device_image *image, uint64_t *address);
/* Lanes of `mask` that touch memory, and where. */
uint32_t surface_footprint(const struct warp *w, const struct inst *in, uint32_t mask, uint64_t address[LANES]);

#endif
