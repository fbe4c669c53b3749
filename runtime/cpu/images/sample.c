/*
 * Texture fetching, a lane at a time. Each axis gives a texel number, or two with weights; an instruction reads the
 * product of its axes. Positions between texels have 8 bits of fraction, as the guide has it for filter weights.
 */
#include "runtime/cpu/images/sample.h"
#include "runtime/cpu/engine/half.h"
#include "runtime/cpu/engine/device_memory.h"

#include <math.h>
#include <string.h>

enum { FRACTION_BITS = 8, FRACTION_ONE = 1 << FRACTION_BITS };

/* Texel numbers along a dimension; weights in 1 / FRACTION_ONE. */
struct axis {
	unsigned count;
	int64_t index[2]; /* -1: outside */
	int weight[2];
};

/* --- One axis --- */

static int64_t positive_modulo(int64_t a, int64_t n)
{
	return a % n < 0 ? a % n + n : a % n;
}

/* The texel at position `index` of an axis of `n` texels; -1: none. */
static int64_t at_edge(int64_t index, int64_t n, enum image_edge edge)
{
	if (index >= 0 && index < n)
		return index;
	switch (edge) {
	case IMAGE_WRAP: return positive_modulo(index, n);
	case IMAGE_CLAMP: return index < 0 ? 0 : n - 1;
	case IMAGE_MIRROR: index = positive_modulo(index, 2 * n); return index < n ? index : 2 * n - 1 - index;
	default: return -1;
	}
}

/* Coordinate `x` in texels. Wrapping takes off whole periods first, so that the fraction keeps its digits. */
static float in_texels(float x, uint32_t n, bool normalized, enum image_edge edge)
{
	const float far = 0x1p30f;

	if (normalized) {
		if (edge == IMAGE_WRAP)
			x -= floorf(x);
		else if (edge == IMAGE_MIRROR)
			x -= 2 * floorf(x / 2);
		x *= (float)n;
	}
	if (!(x > -far)) /* not a number, too */
		return x == x ? -far : 0;
	return x < far ? x : far;
}

/* Wrapping and mirroring are for normalised coordinates; others are clamped. */
static enum image_edge edge_of(const struct device_image *image, unsigned dimension, bool normalized)
{
	enum image_edge edge = image->edge[dimension];

	return normalized || edge == IMAGE_BORDER ? edge : IMAGE_CLAMP;
}

static struct axis sample_axis(float x, uint32_t n, bool normalized, enum image_edge edge, bool filters)
{
	struct axis a = {.count = 1, .weight = {FRACTION_ONE}};
	float scaled = in_texels(x, n, normalized, edge);
	int64_t fixed;

	if (!filters) {
		a.index[0] = at_edge((int64_t)floorf(scaled), n, edge);
		return a;
	}
	fixed = (int64_t)floor((double)scaled * FRACTION_ONE + 0.5) - FRACTION_ONE / 2;
	a.count = 2;
	a.weight[1] = (int)positive_modulo(fixed, FRACTION_ONE);
	a.weight[0] = FRACTION_ONE - a.weight[1];
	fixed = (fixed - a.weight[1]) / FRACTION_ONE;
	a.index[0] = at_edge(fixed, n, edge);
	a.index[1] = at_edge(fixed + 1, n, edge);
	return a;
}

static struct axis index_axis(int32_t index, uint32_t n)
{
	return (struct axis){
	    .count = 1, .index = {index >= 0 && (uint32_t)index < n ? index : -1}, .weight = {FRACTION_ONE}};
}

/* --- Cube maps --- */

/*
 * The face that a direction goes through, and where: the guide's table of faces, coordinates and major axis. Faces are
 * numbered +x, -x, +y, -y, +z, -z.
 */
static unsigned cube_face(const float direction[3], float at[2])
{
	float x = direction[0], y = direction[1], z = direction[2];
	float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), s, t, major;
	unsigned face;

	if (ax >= ay && ax >= az) {
		face = x >= 0 ? 0 : 1;
		s = x >= 0 ? -z : z;
		t = -y;
		major = ax;
	} else if (ay >= az) {
		face = y >= 0 ? 2 : 3;
		s = x;
		t = y >= 0 ? z : -z;
		major = ay;
	} else {
		face = z >= 0 ? 4 : 5;
		s = z >= 0 ? x : -x;
		t = -y;
		major = az;
	}
	at[0] = (s / major + 1) / 2;
	at[1] = (t / major + 1) / 2;
	return face;
}

/* --- Mipmap levels --- */

static float length_in_texels(const struct device_image *image, const float d[3], unsigned dimensions)
{
	const struct image_level *base = &image->levels[0];
	const uint32_t size[3] = {base->width, base->height, base->depth};
	double sum = 0;

	for (unsigned i = 0; i < dimensions; i++) {
		double part = image->normalized_coordinates ? (double)d[i] * size[i] : d[i];

		sum += part * part;
	}
	return (float)sqrt(sum);
}

static float level_of(const struct device_image *image, const struct sample_point *p)
{
	unsigned dimensions = geometry_dimensions(p->geometry);
	float level = p->level, most = (float)(image->nlevels - 1);

	if (p->has_gradient) {
		float x = length_in_texels(image, p->dx, dimensions), y = length_in_texels(image, p->dy, dimensions);

		level = log2f(x > y ? x : y);
	}
	level += image->level_bias;
	level = level < image->most_level ? level : image->most_level;
	level = level > image->least_level ? level : image->least_level;
	return level > 0 ? (level < most ? level : most) : 0;
}

/* --- Texels --- */

unsigned geometry_dimensions(enum image_geometry geometry)
{
	static const uint8_t dimensions[] = {[IMAGE_1D] = 1,  [IMAGE_2D] = 2,   [IMAGE_3D] = 3,   [IMAGE_A1D] = 1,
					     [IMAGE_A2D] = 2, [IMAGE_CUBE] = 2, [IMAGE_ACUBE] = 2};

	return dimensions[geometry];
}

static bool is_layered(enum image_geometry geometry)
{
	return geometry >= IMAGE_A1D;
}

/* The layer to read; a number beyond the last layer means the last. */
static uint32_t layer_of(const struct device_image *image, const struct sample_point *p, unsigned face)
{
	uint32_t layer = p->layer;

	if (!is_layered(p->geometry) || !image->layers)
		return 0;
	if (p->geometry == IMAGE_CUBE)
		return face < image->layers ? face : image->layers - 1;
	if (p->geometry == IMAGE_ACUBE) {
		uint32_t cubes = image->layers / IMAGE_FACES;

		return cubes ? (layer < cubes ? layer : cubes - 1) * IMAGE_FACES + face : 0;
	}
	return layer < image->layers ? layer : image->layers - 1;
}

static void add_texels(const struct device_image *image, const struct image_level *level, const struct axis axes[3],
		       uint32_t layer, double weight, struct texels *out)
{
	for (unsigned z = 0; z < axes[2].count; z++)
		for (unsigned y = 0; y < axes[1].count; y++)
			for (unsigned x = 0; x < axes[0].count; x++) {
				int64_t ix = axes[0].index[x], iy = axes[1].index[y], iz = axes[2].index[z];
				struct texel *t = &out->texel[out->count++];

				t->address = ix < 0 || iy < 0 || iz < 0
						 ? 0
						 : level->address + ((uint64_t)iz + layer) * level->slice +
						       (uint64_t)iy * level->pitch +
						       (uint64_t)ix * image->channels * image->channel_bytes;
				t->weight = weight * axes[0].weight[x] * axes[1].weight[y] * axes[2].weight[z] *
					    (1.0 / FRACTION_ONE / FRACTION_ONE / FRACTION_ONE);
			}
}

static void locate_in_level(const struct device_image *image, const struct sample_point *p, unsigned number,
			    bool filters, double weight, struct texels *out)
{
	const struct image_level *level = &image->levels[number];
	const uint32_t size[3] = {level->width, level->height, level->depth};
	bool is_cube = p->geometry == IMAGE_CUBE || p->geometry == IMAGE_ACUBE;
	bool normalized = image->normalized_coordinates || is_cube;
	struct axis axes[3];
	const float *at = p->at;
	float on_face[2];
	unsigned face = 0;

	if (is_cube) {
		face = cube_face(p->at, on_face);
		at = on_face;
	}
	for (unsigned i = 0; i < 3; i++)
		if (i >= geometry_dimensions(p->geometry))
			axes[i] = (struct axis){.count = 1, .weight = {FRACTION_ONE}};
		else if (p->by_index)
			axes[i] = index_axis(p->index[i], size[i]);
		else
			axes[i] = sample_axis(at[i], size[i], normalized,
					      is_cube ? IMAGE_CLAMP : edge_of(image, i, normalized), filters);
	add_texels(image, level, axes, layer_of(image, p, face), weight, out);
}

void sample_locate(const struct device_image *image, const struct sample_point *p, struct texels *texels)
{
	float level = image->nlevels > 1 ? level_of(image, p) : 0;
	unsigned first = (unsigned)(image->filters_levels ? level : level + 0.5f);
	int fraction = image->filters_levels ? (int)((level - (float)first) * FRACTION_ONE + 0.5f) : 0;

	texels->count = 0;
	locate_in_level(image, p, first, image->filters && !p->by_index, 1 - (double)fraction / FRACTION_ONE, texels);
	if (fraction)
		locate_in_level(image, p, first + 1, image->filters && !p->by_index, (double)fraction / FRACTION_ONE,
				texels);
}

void sample_locate_gather(const struct device_image *image, const struct sample_point *p, struct texels *texels)
{
	struct texels found = {0};

	locate_in_level(image, p, 0, true, 1, &found);
	texels->count = GATHERED_TEXELS;
	for (unsigned i = 0; i < GATHERED_TEXELS; i++)
		texels->texel[i] = found.texel[(const uint8_t[]){2, 3, 1, 0}[i]];
}

/* --- Values --- */

static float srgb_to_linear(float v)
{
	return v <= 0.04045f ? v / 12.92f : powf((v + 0.055f) / 1.055f, 2.4f);
}

static int64_t integer_channel(const struct device_image *image, const uint8_t *at)
{
	bool is_signed = image->format == IMAGE_SIGNED;
	uint16_t half;
	uint32_t word;

	switch (image->channel_bytes) {
	case 1: return is_signed ? (int64_t)(int8_t)*at : *at;
	case 2: memcpy(&half, at, sizeof half); return is_signed ? (int64_t)(int16_t)half : half;
	default: memcpy(&word, at, sizeof word); return is_signed ? (int64_t)(int32_t)word : word;
	}
}

static float float_channel(const struct device_image *image, const uint8_t *at)
{
	uint16_t half;
	float value;

	if (image->channel_bytes == 2) {
		memcpy(&half, at, sizeof half);
		return f16_to_f32(half);
	}
	memcpy(&value, at, sizeof value);
	return value;
}

static float normalized_channel(const struct device_image *image, unsigned channel, const uint8_t *at)
{
	unsigned bits = 8u * image->channel_bytes;
	float largest = (float)((UINT64_C(1) << (image->format == IMAGE_SIGNED ? bits - 1 : bits)) - 1);
	float v = (float)integer_channel(image, at) / largest;

	if (image->srgb && image->channel_bytes == 1 && channel < 3)
		v = srgb_to_linear(v);
	return v < -1 ? -1 : v;
}

static bool gives_floats(const struct device_image *image)
{
	return image->format == IMAGE_FLOAT || image->normalized_values;
}

static float float_of(const struct device_image *image, const struct texel *t, unsigned channel)
{
	const uint8_t *at = memory_host(t->address + channel * image->channel_bytes);

	if (!t->address)
		return image->border[channel];
	return image->format == IMAGE_FLOAT ? float_channel(image, at) : normalized_channel(image, channel, at);
}

static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

/* One channel of one texel as a register has it. */
static uint32_t word_of(const struct device_image *image, const struct texel *t, unsigned channel)
{
	if (gives_floats(image))
		return bits_of(float_of(image, t, channel));
	if (!t->address)
		return fabsf(image->border[channel]) < 0x1p32f ? (uint32_t)(int64_t)image->border[channel] : 0;
	return (uint32_t)integer_channel(image, memory_host(t->address + channel * image->channel_bytes));
}

void sample_read(const struct device_image *image, const struct texels *texels, uint32_t value[4])
{
	value[1] = value[2] = value[3] = 0;
	for (unsigned c = 0; c < image->channels; c++) {
		double sum = 0;

		if (texels->count == 1 || !gives_floats(image)) {
			value[c] = word_of(image, &texels->texel[0], c);
			continue;
		}
		/* Skips a texel of weight 0, so that an infinity or NaN in it does not reach its neighbours. */
		for (unsigned i = 0; i < texels->count; i++)
			if (texels->texel[i].weight > 0)
				sum += texels->texel[i].weight * (double)float_of(image, &texels->texel[i], c);
		value[c] = bits_of((float)sum);
	}
}

void sample_gather(const struct device_image *image, const struct texels *texels, unsigned channel, uint32_t value[4])
{
	for (unsigned i = 0; i < 4; i++)
		value[i] = channel < image->channels ? word_of(image, &texels->texel[i], channel) : 0;
}
