/*
 * Texture fetches of a whole warp at once, for nearly all fetches: the lanes name the same image, it has one level and
 * one to three dimensions, layered or not, and all of it is accessible. Axis by axis coordinates become texel numbers
 * and weights, then offsets, then values; each step is a loop over the lanes. images/sample.c does all other fetches.
 * For these here it gives the same results, bit by bit.
 */
#include "runtime/cpu/exec/fetch.h"
#include "runtime/cpu/engine/half.h"
#include "runtime/cpu/images/image.h"
#include "runtime/cpu/images/texture.h"

enum { DIMENSIONS = 3, FRACTION_ONE = 256 };

/* --- The fetches that are done here --- */

/* The conversion of a channel in memory to a word of a register. */
enum channel_kind {
	CHANNEL_WORD, /* unchanged */
	CHANNEL_U8,
	CHANNEL_S8,
	CHANNEL_U16,
	CHANNEL_S16,
	CHANNEL_HALF,
	CHANNEL_NORMALIZED, /* and one of the four integers: a number up to 1 */
	CHANNEL_OTHER = CHANNEL_NORMALIZED + CHANNEL_HALF
};

static enum channel_kind kind_of(const struct device_image *image)
{
	bool normalized = image->normalized_values && image->format != IMAGE_FLOAT;
	unsigned kind = (image->channel_bytes == 1 ? CHANNEL_U8 : CHANNEL_U16) + (image->format == IMAGE_SIGNED);

	if (image->srgb)
		return CHANNEL_OTHER;
	if (image->format == IMAGE_FLOAT && image->channel_bytes == 2)
		return CHANNEL_HALF;
	if (image->channel_bytes == 4)
		return normalized ? CHANNEL_OTHER : CHANNEL_WORD;
	return normalized ? CHANNEL_NORMALIZED + kind : kind;
}

struct fetch {
	const struct device_image *image;
	const struct image_level *level;
	unsigned dimensions;
	enum channel_kind kind;
	bool by_index, filters, floats; /* the results are floating-point numbers */
	uint32_t layers;                /* 0: the fetch has no layer */
};

/* True if the level is accessible, and its offsets fit into 32 bits. */
static bool is_accessible(const struct warp *w, const struct fetch *f)
{
	const struct device_image *image = f->image;
	const uint32_t size[DIMENSIONS] = {f->level->width, f->level->height, f->level->depth};
	uint64_t bytes = (uint64_t)f->level->width * image_texel_bytes(image), planes = f->layers ? f->layers : 1;
	uint64_t odd = (f->level->address | f->level->pitch | f->level->slice) & (image->channel_bytes - 1u);

	for (unsigned i = 0; i < f->dimensions; i++)
		if (size[i] == 0 || size[i] > INT32_MAX / 2)
			return false;
	if (f->dimensions > 1)
		bytes += (f->level->height - 1) * (uint64_t)f->level->pitch;
	if (f->dimensions > 2)
		planes += f->level->depth - 1;
	bytes += (planes - 1) * f->level->slice;
	return odd == 0 && bytes <= UINT32_MAX && memory_contains(w->launch->memory, f->level->address, bytes);
}

static bool plan_fetch(const struct warp *w, const struct inst *in, const struct device_image *image, struct fetch *f)
{
	enum image_geometry geometry = image_geometry_of(in);

	if (in->variant & IMAGE_GATHER || image->nlevels != 1 || geometry == IMAGE_CUBE || geometry == IMAGE_ACUBE)
		return false;
	*f = (struct fetch){.image = image,
			    .level = &image->levels[0],
			    .dimensions = geometry_dimensions(geometry),
			    .kind = kind_of(image),
			    .by_index = in->variant & IMAGE_BY_INDEX,
			    .floats = image->format == IMAGE_FLOAT || image->normalized_values,
			    .layers = geometry == IMAGE_A1D || geometry == IMAGE_A2D ? image->layers : 0};
	f->filters = image->filters && !f->by_index;
	/* A filter of integers has no meaning; sample.c decides. */
	return f->kind != CHANNEL_OTHER && !(f->filters && !f->floats) && is_accessible(w, f);
}

/* --- Coordinates --- */

/* Texel numbers, -1 outside; where two are filtered, the weight of the second. */
struct axis_lanes {
	int32_t index[2][LANES];
	int32_t weight[LANES];
};

static void scale_to_texels(float x[LANES], float n, bool normalized, enum image_edge edge)
{
	const float far = 0x1p30f;

	if (normalized && edge == IMAGE_WRAP)
		LANE_LOOP x[i] -= floorf(x[i]);
	if (normalized && edge == IMAGE_MIRROR)
		LANE_LOOP x[i] -= 2 * floorf(x[i] / 2);
	if (normalized)
		LANE_LOOP x[i] *= n;
	LANE_LOOP
	{
		float inside = x[i] < far ? x[i] : far, below = x[i] == x[i] ? -far : 0;

		x[i] = x[i] > -far ? inside : below;
	}
}

/*
 * Moves numbers into the image. Where the image repeats, whole periods are gone already, so numbers are at most a few
 * texels outside.
 */
static void put_inside(int32_t index[LANES], int32_t n, enum image_edge edge)
{
	int32_t period = edge == IMAGE_MIRROR ? 2 * n : n;

	switch (edge) {
	case IMAGE_WRAP:
	case IMAGE_MIRROR:
		LANE_LOOP index[i] += index[i] < 0 ? period : 0;
		LANE_LOOP index[i] -= index[i] >= period ? period : 0;
		LANE_LOOP index[i] -= index[i] >= period ? period : 0;
		LANE_LOOP index[i] = index[i] < n ? index[i] : 2 * n - 1 - index[i];
		break;
	case IMAGE_CLAMP: LANE_LOOP index[i] = index[i] < 0 ? 0 : index[i] < n ? index[i] : n - 1; break;
	default: LANE_LOOP index[i] = index[i] >= 0 && index[i] < n ? index[i] : -1; break;
	}
}

static void nearest_texels(const float x[LANES], int32_t index[LANES])
{
	LANE_LOOP index[i] = (int32_t)floorf(x[i]);
}

/* Positions between texels are rounded to 1/256; all of this is exact but for that. */
static void neighbouring_texels(const float x[LANES], struct axis_lanes *axis)
{
	LANE_LOOP
	{
		double fixed = floor((double)x[i] * FRACTION_ONE + 0.5) - FRACTION_ONE / 2;
		double whole = floor(fixed * (1.0 / FRACTION_ONE));

		axis->weight[i] = (int32_t)(fixed - whole * FRACTION_ONE);
		axis->index[0][i] = (int32_t)whole;
		axis->index[1][i] = (int32_t)whole + 1;
	}
}

static void find_texels(const struct warp *w, const struct inst *in, const struct fetch *f, unsigned dimension,
			struct axis_lanes *axis)
{
	const int32_t size[DIMENSIONS] = {(int32_t)f->level->width, (int32_t)f->level->height,
					  (int32_t)f->level->depth};
	const void *coordinate = source(w, in->list[IMAGE_COORDINATE + dimension]);
	bool normalized = f->image->normalized_coordinates;
	enum image_edge edge = f->image->edge[dimension];
	int32_t n = size[dimension];
	float x[LANES];

	if (f->by_index) {
		memcpy(axis->index[0], coordinate, sizeof axis->index[0]);
		put_inside(axis->index[0], n, IMAGE_BORDER);
		return;
	}
	if (!normalized && edge != IMAGE_BORDER)
		edge = IMAGE_CLAMP;
	memcpy(x, coordinate, sizeof x);
	scale_to_texels(x, (float)(uint32_t)n, normalized, edge);
	if (f->filters)
		neighbouring_texels(x, axis);
	else
		nearest_texels(x, axis->index[0]);
	for (unsigned k = 0; k < (f->filters ? 2 : 1); k++)
		put_inside(axis->index[k], n, edge);
}

/* --- Texels --- */

/* One texel of each lane: where it is, the lanes for which it is outside, and its weight in 1 / FRACTION_ONE^n. */
struct texel_lanes {
	uint32_t offset[LANES];
	uint32_t outside;
	int32_t weight[LANES];
};

static void add_layer(const struct warp *w, const struct inst *in, const struct fetch *f, uint32_t offset[LANES])
{
	const uint32_t *layer;
	uint32_t last = f->layers - 1, slice = (uint32_t)f->level->slice;

	LANE_LOOP offset[i] = 0;
	if (!f->layers)
		return;
	layer = source(w, in->list[IMAGE_LAYER]);
	LANE_LOOP offset[i] = (layer[i] < last ? layer[i] : last) * slice;
}

/* Places texel `number` of a filter: bit d of it chooses between the two texels along dimension d. */
static void place_texel(const struct fetch *f, const struct axis_lanes axes[DIMENSIONS], const uint32_t start[LANES],
			unsigned number, struct texel_lanes *t)
{
	const uint32_t stride[DIMENSIONS] = {image_texel_bytes(f->image), (uint32_t)f->level->pitch,
					     (uint32_t)f->level->slice};
	int32_t any[LANES] = {0};

	memcpy(t->offset, start, sizeof t->offset);
	LANE_LOOP t->weight[i] = 1;
	for (unsigned d = 0; d < f->dimensions; d++) {
		unsigned second = number >> d & 1;
		const int32_t *index = axes[d].index[second], *weight = axes[d].weight;

		LANE_LOOP t->offset[i] += (uint32_t)index[i] * stride[d];
		LANE_LOOP any[i] |= index[i];
		if (f->filters)
			LANE_LOOP t->weight[i] *= second ? weight[i] : FRACTION_ONE - weight[i];
	}
	LANES_WHERE(, any[i] < 0)
	t->outside = lanes;
	LANE_LOOP t->offset[i] = any[i] < 0 ? 0 : t->offset[i];
}

/* --- Values --- */

#define AT(type) (*(const type *)(const void *)(at + offset[i]))
#define WORDS(value)                                                                                                   \
	LANE_LOOP out[i] = (value);                                                                                    \
	break

static inline uint32_t normalized_word(int32_t value, float largest)
{
	float v = (float)value / largest;

	return float_bits(v < -1 ? -1 : v);
}

/* A channel of all lanes' texels; of an image that is all in memory any offset may be read. */
static void load_channel(enum channel_kind kind, const uint8_t *at, const uint32_t offset[LANES], uint32_t out[LANES])
{
	switch ((unsigned)kind) {
	case CHANNEL_U8: WORDS(AT(uint8_t));
	case CHANNEL_S8: WORDS((uint32_t)AT(int8_t));
	case CHANNEL_U16: WORDS(AT(uint16_t));
	case CHANNEL_S16: WORDS((uint32_t)AT(int16_t));
	case CHANNEL_HALF: WORDS(float_bits(f16_to_f32(AT(uint16_t))));
	case CHANNEL_NORMALIZED + CHANNEL_U8: WORDS(normalized_word(AT(uint8_t), UINT8_MAX));
	case CHANNEL_NORMALIZED + CHANNEL_S8: WORDS(normalized_word(AT(int8_t), INT8_MAX));
	case CHANNEL_NORMALIZED + CHANNEL_U16: WORDS(normalized_word(AT(uint16_t), UINT16_MAX));
	case CHANNEL_NORMALIZED + CHANNEL_S16: WORDS(normalized_word(AT(int16_t), INT16_MAX));
	default: WORDS(AT(uint32_t));
	}
}

static uint32_t border_word(const struct fetch *f, unsigned channel)
{
	float value = f->image->border[channel];

	if (f->floats)
		return float_bits(value);
	return fabsf(value) < 0x1p32f ? (uint32_t)(int64_t)value : 0;
}

static void read_channel(const struct fetch *f, const struct texel_lanes *t, unsigned channel, uint32_t out[LANES])
{
	const uint8_t *at = memory_host(f->level->address);
	uint32_t border;

	load_channel(f->kind, at + channel * f->image->channel_bytes, t->offset, out);
	if (!t->outside)
		return;
	border = border_word(f, channel);
	LANE_LOOP out[i] = t->outside & lane_bit[i] ? border : out[i];
}

static void store_channel(const struct warp *w, const struct inst *in, uint32_t mask, unsigned channel,
			  const uint32_t value[LANES])
{
	uint32_t *rd = destination(w, in->list[IMAGE_VALUE + channel]);

	LANE_LOOP rd[i] = mask & lane_bit[i] ? value[i] : rd[i];
}

/* Skips a texel of weight 0, so that an infinity or NaN in it does not reach its neighbours. */
static void filter_channel(const struct fetch *f, const struct texel_lanes t[], unsigned channel, uint32_t out[LANES])
{
	const double unit = f->dimensions == 1   ? 1.0 / FRACTION_ONE
			    : f->dimensions == 2 ? 1.0 / FRACTION_ONE / FRACTION_ONE
						 : 1.0 / FRACTION_ONE / FRACTION_ONE / FRACTION_ONE;
	double sum[LANES] = {0};

	for (unsigned k = 0; k < 1u << f->dimensions; k++) {
		read_channel(f, &t[k], channel, out);
		LANE_LOOP
		{
			double part = t[k].weight[i] * unit * (double)bits_float(out[i]);

			sum[i] += t[k].weight[i] > 0 ? part : 0.0;
		}
	}
	LANE_LOOP out[i] = float_bits((float)sum[i]);
}

bool EXEC_TABLE(fetch_warp)(struct warp *w, const struct inst *in, uint32_t mask, const struct device_image *image)
{
	struct axis_lanes axes[DIMENSIONS];
	struct texel_lanes texels[1 << DIMENSIONS];
	uint32_t start[LANES], value[LANES];
	struct fetch f;

	if (!plan_fetch(w, in, image, &f))
		return false;
	for (unsigned d = 0; d < f.dimensions; d++)
		find_texels(w, in, &f, d, &axes[d]);
	add_layer(w, in, &f, start);
	for (unsigned k = 0; k < (f.filters ? 1u << f.dimensions : 1); k++)
		place_texel(&f, axes, start, k, &texels[k]);
	for (unsigned c = 0; c < 4; c++) {
		if (in->list[IMAGE_VALUE + c] == OPERAND_NONE)
			continue;
		if (c >= image->channels)
			memset(value, 0, sizeof value);
		else if (f.filters)
			filter_channel(&f, texels, c, value);
		else
			read_channel(&f, &texels[0], c, value);
		store_channel(w, in, mask, c, value);
	}
	return true;
}
