/*
 * Texture fetches, queries, and loads, stores and reductions on surfaces: a lane at a time, but for the fetches that
 * exec_fetch.c takes.
 */
#include "runtime/cpu/images/image.h"
#include "runtime/cpu/exec/fetch.h"
#include "runtime/cpu/exec/lanes.h"
#include "runtime/cpu/exec/update.h"
#include "runtime/cpu/images/texture.h"

#include <inttypes.h>

/* --- Textures --- */

/* False after a fault: the memory that the texture was made for is there no more. */
static bool texels_accessible(struct warp *w, const struct inst *in, unsigned lane, const struct texels *t,
			      unsigned bytes)
{
	for (unsigned i = 0; i < t->count; i++)
		if (t->texel[i].address && !memory_contains(w->launch->memory, t->texel[i].address, bytes)) {
			fault_address(w, in, lane, DEVICE_ILLEGAL_ADDRESS, t->texel[i].address);
			return false;
		}
	return true;
}

static int fetch_lanes(struct warp *w, const struct inst *in, uint32_t mask)
{
	const uint64_t *named = source(w, in->a);
	const struct device_image *image = NULL;
	uint64_t last = 0; /* what `image` is named by: mostly the same in all lanes */

	FOR_EACH_LANE(i, mask) {
		uint32_t value[4];
		struct texels t;

		if (!image || named[i] != last)
			image = texture_image(w, in, i, false);
		last = named[i];
		if (!image)
			return STOP_FAULT;
		texture_locate(w, in, i, image, &t);
		if (!texels_accessible(w, in, i, &t, image_texel_bytes(image)))
			return STOP_FAULT;
		if (in->variant & IMAGE_GATHER)
			sample_gather(image, &t, in->variant >> IMAGE_CHANNEL_SHIFT & 3, value);
		else
			sample_read(image, &t, value);
		for (unsigned k = 0; k < 4; k++)
			if (in->list[IMAGE_VALUE + k] != OPERAND_NONE)
				((uint32_t *)destination(w, in->list[IMAGE_VALUE + k]))[i] = value[k];
	}
	return STOP_NOT;
}

/* The image, if all lanes of `mask` name the same one; else NULL. */
static const struct device_image *common_image(const struct warp *w, const struct inst *in, uint32_t mask)
{
	const uint64_t *named = source(w, in->a), first = named[__builtin_ctz(mask)];
	const struct device_image *image;

	LANES_WHERE(, named[i] != first)
	if (lanes & mask)
		return NULL;
	image = image_named(w->launch, first);
	return image && !image->is_surface ? image : NULL;
}

EXEC_FUNCTION(texture_fetch)
{
	const struct device_image *image = common_image(w, in, mask);

	if (!image || !EXEC_TABLE(fetch_warp)(w, in, mask, image)) {
		int stop = fetch_lanes(w, in, mask);

		if (stop != STOP_NOT)
			return stop;
	}
	if (in->e != OPERAND_NONE)
		write_predicate(w, in->e, mask, mask); /* all of a texture is resident */
	return STOP_NOT;
}

/* txq, suq: in->variant is the modifier that names the queried property. */
static uint32_t image_property(const struct device_image *image, unsigned asked)
{
	switch (asked) {
	case PTX_MOD_width: return image->levels[0].width;
	case PTX_MOD_height: return image->levels[0].height;
	case PTX_MOD_depth: return image->levels[0].depth;
	case PTX_MOD_array_size: return image->layers;
	case PTX_MOD_num_mipmap_levels: return image->nlevels;
	case PTX_MOD_normalized_coords: return image->normalized_coordinates;
	default: return 0;
	}
}

EXEC_FUNCTION(image_query)
{
	uint32_t *rd = destination(w, in->d);

	FOR_EACH_LANE(i, mask) {
		const struct device_image *image = texture_image(w, in, i, in->ptx->opcode->op == PTX_OP_suq);

		if (!image)
			return STOP_FAULT;
		rd[i] = image_property(image, in->variant);
	}
	return STOP_NOT;
}

/* --- Surfaces --- */

/*
 * The bytes of a lane. NULL after a fault, or for a place outside that reads as 0 and ignores stores; then *go_on is
 * true.
 */
static uint8_t *surface_bytes(struct warp *w, const struct inst *in, unsigned lane, bool *go_on)
{
	const struct device_image *image = texture_image(w, in, lane, true);
	uint64_t address = 0;

	*go_on = false;
	if (!image)
		return NULL;
	switch (surface_locate(w, in, lane, image, &address)) {
	case SURFACE_MISALIGNED:
		fault_at(w, in, lane_bit[lane], DEVICE_MISALIGNED,
			 "the x coordinate of a surface is in bytes, and here no multiple of the %u bytes accessed",
			 in->bytes * in->vec);
		return NULL;
	case SURFACE_OUTSIDE:
		*go_on = in->variant & IMAGE_BEYOND_ZERO;
		if (!*go_on)
			fault_at(w, in, lane_bit[lane], DEVICE_ILLEGAL_ADDRESS,
				 "a place outside the surface of %u x %u x %u texels of %u bytes",
				 image->levels[0].width, image->levels[0].height,
				 image->layers ? image->layers : image->levels[0].depth, image_texel_bytes(image));
		return NULL;
	default:
		*go_on = memory_contains(w->launch->memory, address, (uint64_t)in->bytes * in->vec);
		if (!*go_on)
			fault_address(w, in, lane, DEVICE_ILLEGAL_ADDRESS, address);
		return *go_on ? memory_host(address) : NULL;
	}
}

/* Registers of up to 32 bits are words; of 64 bits double words. */
static size_t lane_offset(const struct inst *in, unsigned lane)
{
	return (size_t)lane * (in->bytes == 8 ? 8 : 4);
}

EXEC_FUNCTION(surface_load)
{
	FOR_EACH_LANE(i, mask) {
		bool go_on;
		const uint8_t *from = surface_bytes(w, in, i, &go_on);

		if (!go_on)
			return STOP_FAULT;
		for (unsigned k = 0; k < in->vec; k++) {
			uint64_t value = 0;

			if (from)
				memcpy(&value, from + k * in->bytes, in->bytes);
			if (in->list[IMAGE_VALUE + k] != OPERAND_NONE)
				memcpy((uint8_t *)destination(w, in->list[IMAGE_VALUE + k]) + lane_offset(in, i),
				       &value, in->bytes == 8 ? 8 : 4);
		}
	}
	return STOP_NOT;
}

EXEC_FUNCTION(surface_store)
{
	FOR_EACH_LANE(i, mask) {
		bool go_on;
		uint8_t *to = surface_bytes(w, in, i, &go_on);

		if (!go_on)
			return STOP_FAULT;
		for (unsigned k = 0; to && k < in->vec; k++)
			memcpy(to + k * in->bytes,
			       (const uint8_t *)source(w, in->list[IMAGE_VALUE + k]) + lane_offset(in, i), in->bytes);
	}
	return STOP_NOT;
}

ALWAYS_INLINE int surface_reduce(struct warp *w, const struct inst *in, uint32_t mask, unsigned bytes, update_fn update)
{
	const uint8_t *rb = source(w, in->list[IMAGE_VALUE]);

	FOR_EACH_LANE(i, mask) {
		bool go_on;
		uint8_t *at = surface_bytes(w, in, i, &go_on);

		if (!go_on)
			return STOP_FAULT;
		if (at)
			set_element(at, bytes, update(element_at(at, bytes, false), lane_value(rb, i, bytes), 0));
	}
	return STOP_NOT;
}

/* clang-format off */
#define SURFACE(name, bytes, update)                                                                                   \
	EXEC_FUNCTION(surface_##name) { return surface_reduce(w, in, mask, bytes, update); }
/* clang-format on */
SURFACE(add_u32, 4, update_add)
SURFACE(add_u64, 8, update_add)
SURFACE(min_u32, 4, update_min_u32)
SURFACE(max_u32, 4, update_max_u32)
SURFACE(min_s32, 4, update_min_s32)
SURFACE(max_s32, 4, update_max_s32)
SURFACE(and_b32, 4, update_and)
SURFACE(or_b32, 4, update_or)

#define ROW(op, fn) {PTX_OP_##op, {PTX_untyped}, PTX_MOD_NONE, 0, fn, 0}
#define REDUCTION(which, type, fn) {PTX_OP_sured, {PTX_##type}, PTX_MOD_##which, 0, surface_##which##_##fn, 0}

extern const struct exec_row EXEC_TABLE(exec_texture)[];
/* clang-format off */
const struct exec_row EXEC_TABLE(exec_texture)[] = {
	ROW(tex, texture_fetch), ROW(tld4, texture_fetch), ROW(txq, image_query), ROW(suq, image_query),
	ROW(suld, surface_load), ROW(sust, surface_store),
	REDUCTION(add, u32, u32), REDUCTION(add, s32, u32), REDUCTION(add, u64, u64),
	REDUCTION(min, u32, u32), REDUCTION(max, u32, u32), REDUCTION(min, s32, s32), REDUCTION(max, s32, s32),
	REDUCTION(and, b32, b32), REDUCTION(or, b32, b32),
	{0}};
/* clang-format on */
