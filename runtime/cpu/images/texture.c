/* From the operands of texture and surface instructions to the memory that each lane touches. */
#include "runtime/cpu/images/texture.h"
#include "runtime/cpu/images/image.h"

#include <inttypes.h>
#include <string.h>

static uint32_t word_of(const struct warp *w, const struct inst *in, unsigned operand, unsigned lane)
{
	return in->list[operand] == OPERAND_NONE ? 0 : ((const uint32_t *)source(w, in->list[operand]))[lane];
}

static float float_of(const struct warp *w, const struct inst *in, unsigned operand, unsigned lane)
{
	uint32_t word = word_of(w, in, operand, lane);
	float value;

	memcpy(&value, &word, sizeof value);
	return value;
}

static const struct device_image *named(const struct warp *w, const struct inst *in, unsigned lane)
{
	return image_named(w->launch, ((const uint64_t *)source(w, in->a))[lane]);
}

static const char *kind_of(const struct warp *w, const struct device_image *image, uint64_t operand)
{
	if (image)
		return image->is_surface ? "a surface" : "a texture";
	return memory_find(w->launch->memory, operand) ? "a reference that is not bound" : "no object";
}

const struct device_image *texture_image(struct warp *w, const struct inst *in, unsigned lane, bool surface)
{
	const struct device_image *image = named(w, in, lane);
	uint64_t operand;

	if (image && image->is_surface == surface)
		return image;
	operand = ((const uint64_t *)source(w, in->a))[lane];
	fault_at(w, in, 1u << lane, DEVICE_ILLEGAL_ADDRESS, "0x%" PRIx64 " is %s where a %s is needed", operand,
		 kind_of(w, image, operand), surface ? "surface" : "texture");
	return NULL;
}

/* --- Textures --- */

static struct sample_point point_of(const struct warp *w, const struct inst *in, unsigned lane)
{
	struct sample_point p;

	p.geometry = image_geometry_of(in);
	p.by_index = in->variant & IMAGE_BY_INDEX;
	p.has_gradient = in->list[IMAGE_DX] != OPERAND_NONE;
	for (unsigned i = 0; i < 3; i++) {
		p.index[i] = (int32_t)word_of(w, in, IMAGE_COORDINATE + i, lane);
		p.at[i] = float_of(w, in, IMAGE_COORDINATE + i, lane);
	}
	for (unsigned i = 0; i < 3 && p.has_gradient; i++) {
		p.dx[i] = float_of(w, in, IMAGE_DX + i, lane);
		p.dy[i] = float_of(w, in, IMAGE_DY + i, lane);
	}
	p.layer = word_of(w, in, IMAGE_LAYER, lane);
	p.level = float_of(w, in, IMAGE_LEVEL, lane);
	return p;
}

void texture_locate(const struct warp *w, const struct inst *in, unsigned lane, const struct device_image *image,
		    struct texels *texels)
{
	struct sample_point p = point_of(w, in, lane);

	if (in->variant & IMAGE_GATHER)
		sample_locate_gather(image, &p, texels);
	else
		sample_locate(image, &p, texels);
}

static enum image_geometry shape_of(const struct ptx_opcode *o)
{
	switch (o->group[PTX_GROUP_SHAPE]) {
	case PTX_MOD_dim_2d: return IMAGE_2D;
	case PTX_MOD_dim_3d: return IMAGE_3D;
	case PTX_MOD_dim_a1d: return IMAGE_A1D;
	case PTX_MOD_dim_a2d: return IMAGE_A2D;
	case PTX_MOD_dim_cube: return IMAGE_CUBE;
	case PTX_MOD_dim_acube: return IMAGE_ACUBE;
	default: return IMAGE_1D;
	}
}

unsigned texture_parts(const struct ptx_inst *inst)
{
	const struct ptx_opcode *o = inst->opcode;
	bool leveled = ptx_has_mod(o, PTX_MOD_level) || ptx_has_mod(o, PTX_MOD_grad);

	if (o->op == PTX_OP_tld4)
		return GATHERED_TEXELS;
	if (o->op != PTX_OP_tex || o->type[1] != PTX_f32)
		return 1;
	return (1u << geometry_dimensions(shape_of(o))) * (leveled ? 2 : 1);
}

void texture_footprint(const struct warp *w, const struct inst *in, uint32_t mask, struct texture_reads *reads)
{
	memset(reads->lanes, 0, sizeof reads->lanes);
	for (unsigned lane = 0; lane < LANES; lane++) {
		const struct device_image *image = mask >> lane & 1 ? named(w, in, lane) : NULL;
		struct texels t;

		if (!image || image->is_surface)
			continue;
		texture_locate(w, in, lane, image, &t);
		reads->bytes[lane] = (uint8_t)image_texel_bytes(image);
		for (unsigned i = 0; i < t.count; i++) {
			reads->address[i][lane] = t.texel[i].address;
			if (t.texel[i].address && (t.texel[i].weight > 0 || in->variant & IMAGE_GATHER))
				reads->lanes[i] |= 1u << lane;
		}
	}
}

/* --- Surfaces --- */

/* False when `x` is outside [0, most] and is not to be moved inside. */
static bool inside(int64_t *x, int64_t most, bool clamps)
{
	if (*x >= 0 && *x <= most)
		return true;
	*x = *x < 0 ? 0 : most;
	return clamps && most >= 0;
}

enum surface_place surface_locate(const struct warp *w, const struct inst *in, unsigned lane,
				  const struct device_image *image, uint64_t *address)
{
	const struct image_level *level = &image->levels[0];
	enum image_geometry geometry = image_geometry_of(in);
	unsigned dimensions = geometry_dimensions(geometry), bytes = in->bytes * in->vec;
	bool layered = geometry == IMAGE_A1D || geometry == IMAGE_A2D, clamps = in->variant & IMAGE_BEYOND_CLAMP;
	const int64_t most[3] = {(int64_t)level->width * image_texel_bytes(image) - bytes, (int64_t)level->height - 1,
				 (int64_t)level->depth - 1};
	int64_t at[3] = {0}, layer = (int32_t)word_of(w, in, IMAGE_LAYER, lane);

	for (unsigned i = 0; i < dimensions; i++) {
		at[i] = (int32_t)word_of(w, in, IMAGE_COORDINATE + i, lane);
		if (!inside(&at[i], most[i], clamps))
			return SURFACE_OUTSIDE;
	}
	if (layered && !inside(&layer, (int64_t)image->layers - 1, clamps))
		return SURFACE_OUTSIDE;
	if (at[0] % bytes)
		return SURFACE_MISALIGNED;
	*address = level->address + (uint64_t)(at[2] + layer) * level->slice + (uint64_t)at[1] * level->pitch +
		   (uint64_t)at[0];
	return SURFACE_INSIDE;
}

uint32_t surface_footprint(const struct warp *w, const struct inst *in, uint32_t mask, uint64_t address[LANES])
{
	uint32_t touched = 0;

	for (unsigned lane = 0; lane < LANES; lane++) {
		const struct device_image *image = mask >> lane & 1 ? named(w, in, lane) : NULL;

		if (image && image->is_surface && surface_locate(w, in, lane, image, &address[lane]) == SURFACE_INSIDE)
			touched |= 1u << lane;
	}
	return touched;
}
