/*
 * Texture fetching against a reference that works the other way round: an image without end, and a tent of weights
 * around the place of the fetch, over all texels near it.
 */
#include "tests/runtime/cpu/harness.h"

#include "runtime/cpu/images/sample.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 8, FACES = 6, SLICES = MOST * FACES };

/* Channel `c` of a texel is any of these; what is stored is `image.format` of it. */
static float texels[SLICES][MOST][MOST];
static uint8_t stored[SLICES * MOST * MOST * 16];

/* --- The reference --- */

/* The texel that continues an image of `n` at place `i`, found step by step; -1 outside a border. */
static int continued(int i, int n, enum image_edge edge)
{
	switch (edge) {
	case IMAGE_WRAP:
		while (i < 0)
			i += n;
		while (i >= n)
			i -= n;
		return i;
	case IMAGE_MIRROR:
		while (i < 0 || i >= n)
			i = i < 0 ? -1 - i : 2 * n - 1 - i;
		return i;
	case IMAGE_CLAMP: return i < 0 ? 0 : i >= n ? n - 1 : i;
	default: return i < 0 || i >= n ? -1 : i;
	}
}

static double at_texel(const int n[3], const enum image_edge edge[3], int slice, int x, int y, int z)
{
	x = continued(x, n[0], edge[0]);
	y = continued(y, n[1], edge[1]);
	z = continued(z, n[2], edge[2]);
	return x < 0 || y < 0 || z < 0 ? 0 : (double)texels[slice + z][y][x];
}

static double tent(double distance)
{
	return distance < 0 ? tent(-distance) : distance < 1 ? 1 - distance : 0;
}

/* `p` in texels, in steps of 1/256. */
static double filtered(const int n[3], const enum image_edge edge[3], int slice, const double p[3], int dimensions)
{
	double sum = 0, q[3];

	for (int i = 0; i < 3; i++)
		q[i] = i < dimensions ? floor(p[i] * 256 + 0.5) / 256 : 0.5;
	for (int z = (int)floor(q[2]) - 1; z <= (int)floor(q[2]) + 1; z++)
		for (int y = (int)floor(q[1]) - 1; y <= (int)floor(q[1]) + 1; y++)
			for (int x = (int)floor(q[0]) - 1; x <= (int)floor(q[0]) + 1; x++)
				sum += tent(q[0] - x - 0.5) * tent(q[1] - y - 0.5) * tent(q[2] - z - 0.5) *
				       at_texel(n, edge, slice, x, y, z);
	return sum;
}

static double nearest(const int n[3], const enum image_edge edge[3], int slice, const double p[3], int dimensions)
{
	int at[3] = {0};

	for (int i = 0; i < dimensions; i++)
		at[i] = (int)floor(p[i]);
	return at_texel(n, edge, slice, at[0], at[1], at[2]);
}

/* --- Images --- */

static void fill_texels(void)
{
	for (size_t i = 0; i < sizeof texels / sizeof(float); i++)
		(&texels[0][0][0])[i] = (float)(harness_random() % 4096) / 16;
}

static struct device_image float_image(const int n[3], const enum image_edge edge[3])
{
	return (struct device_image){.channels = 1,
				     .channel_bytes = 4,
				     .format = IMAGE_FLOAT,
				     .nlevels = 1,
				     .levels = {{.address = (uintptr_t)texels,
						 .pitch = sizeof texels[0][0],
						 .slice = sizeof texels[0],
						 .width = (uint32_t)n[0],
						 .height = (uint32_t)n[1],
						 .depth = (uint32_t)n[2]}},
				     .edge = {edge[0], edge[1], edge[2]}};
}

static float fetched(const struct device_image *image, const struct sample_point *p)
{
	struct texels t;
	uint32_t value[4];
	float f;

	sample_locate(image, p, &t);
	sample_read(image, &t, value);
	memcpy(&f, &value[0], sizeof f);
	return f;
}

/* A coordinate around [0, n), in steps that every calculation keeps. */
static double random_place(int n)
{
	return (double)(int64_t)(harness_random() % (uint64_t)(3 * n * 1024)) / 1024 - n;
}

/* --- Tests --- */

static void test_reads_like_the_reference(void **state)
{
	static const enum image_geometry geometries[] = {IMAGE_1D, IMAGE_2D, IMAGE_3D};

	(void)state;
	fill_texels();
	for (int round = 0; round < 60000; round++) {
		uint64_t bits = harness_random();
		bool normalized = bits & 1, filters = bits & 2;
		int dimensions = 1 + (int)(bits >> 2 & 0xff) % 3, n[3] = {1, 1, 1};
		enum image_edge asked[3], edge[3];
		struct sample_point point = {.geometry = geometries[dimensions - 1]};
		struct device_image image;
		double p[3] = {0}, wanted;

		for (int i = 0; i < 3; i++) {
			if (i <
			    dimensions) /* powers of two where the coordinate is multiplied, so that it stays exact */
				n[i] =
				    normalized ? 1 << (bits >> (10 + 2 * i) & 3) : 1 + (int)(bits >> (10 + 3 * i) & 7);
			asked[i] = (enum image_edge)(bits >> (20 + 2 * i) & 3);
			edge[i] = normalized || asked[i] == IMAGE_BORDER ? asked[i] : IMAGE_CLAMP;
			p[i] = random_place(n[i]);
			point.at[i] = (float)(normalized ? p[i] / n[i] : p[i]);
		}
		image = float_image(n, asked);
		image.filters = filters;
		image.normalized_coordinates = normalized;
		wanted = filters ? filtered(n, edge, 0, p, dimensions) : nearest(n, edge, 0, p, dimensions);
		if (fetched(&image, &point) != (float)wanted)
			fail_msg("round %d: %dD, %d x %d x %d, edges %d %d %d, %s, %s: (%g, %g, %g) is %.9g, not %.9g",
				 round, dimensions, n[0], n[1], n[2], asked[0], asked[1], asked[2],
				 normalized ? "normalised" : "in texels", filters ? "linear" : "nearest", p[0], p[1],
				 p[2], (double)fetched(&image, &point), wanted);
	}
}

static void test_layers_are_chosen_and_clamped(void **state)
{
	const int n[3] = {4, 4, 1};
	const enum image_edge edge[3] = {IMAGE_CLAMP, IMAGE_CLAMP, IMAGE_CLAMP};
	struct device_image image = float_image(n, edge);

	(void)state;
	fill_texels();
	image.layers = 5;
	for (uint32_t layer = 0; layer < 9; layer++) {
		struct sample_point p = {.geometry = IMAGE_A2D, .at = {2.5f, 1.5f}, .layer = layer};

		assert_float_equal(fetched(&image, &p), texels[layer < 5 ? layer : 4][1][2], 0);
		p.geometry = IMAGE_A1D;
		assert_float_equal(fetched(&image, &p), texels[layer < 5 ? layer : 4][0][2], 0);
	}
}

/* From a place on a face, s to the right and t down, to a direction. */
static void direction(unsigned face, float s, float t, float d[3])
{
	const float all[FACES][3] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}};

	memcpy(d, all[face], sizeof all[face]);
}

static void test_cube_maps_find_face_and_texel(void **state)
{
	const int n[3] = {8, 8, 1};
	const enum image_edge edge[3] = {IMAGE_WRAP, IMAGE_WRAP, IMAGE_WRAP};
	struct device_image image = float_image(n, edge);

	(void)state;
	fill_texels();
	image.layers = 2 * FACES;
	for (unsigned cube = 0; cube < 2; cube++)
		for (unsigned face = 0; face < FACES; face++)
			for (int y = 0; y < 8; y++)
				for (int x = 0; x < 8; x++) {
					struct sample_point p = {.geometry = IMAGE_ACUBE, .layer = cube};

					direction(face, (float)(2 * x + 1) / 8 - 1, (float)(2 * y + 1) / 8 - 1, p.at);
					image.filters = (x + y) % 2; /* in the middle of a texel both are the same */
					assert_float_equal(fetched(&image, &p), texels[cube * FACES + face][y][x], 0);
					p.at[0] *= 3; /* the length does not matter */
					p.at[1] *= 3;
					p.at[2] *= 3;
					assert_float_equal(fetched(&image, &p), texels[cube * FACES + face][y][x], 0);
				}
}

static void test_gathers_the_four_of_a_filter(void **state)
{
	const int n[3] = {8, 8, 1};
	const enum image_edge edge[3] = {IMAGE_CLAMP, IMAGE_CLAMP, IMAGE_CLAMP};
	const struct device_image image = float_image(n, edge);
	const struct sample_point p = {.geometry = IMAGE_2D, .at = {3.0f, 5.0f}};
	const float wanted[4] = {texels[0][5][2], texels[0][5][3], texels[0][4][3], texels[0][4][2]};
	struct texels t;
	uint32_t value[4];

	(void)state;
	sample_locate_gather(&image, &p, &t);
	sample_gather(&image, &t, 0, value);
	assert_memory_equal(value, wanted, sizeof wanted);
}

static void test_mipmap_levels_are_chosen_and_mixed(void **state)
{
	const int n[3] = {8, 8, 1};
	const enum image_edge edge[3] = {IMAGE_CLAMP, IMAGE_CLAMP, IMAGE_CLAMP};
	struct device_image image = float_image(n, edge);
	struct sample_point p = {.geometry = IMAGE_2D, .at = {0.5f, 0.5f}};

	(void)state;
	for (unsigned level = 0; level < 4; level++) {
		image.levels[level] = image.levels[0];
		image.levels[level].address = (uintptr_t)texels[level];
		image.levels[level].width = image.levels[level].height = 8 >> level;
		texels[level][4 >> level][4 >> level] = (float)(10 * level + 10);
	}
	image.nlevels = 4;
	image.normalized_coordinates = true;
	image.most_level = 9;
	p.level = 1.25f;
	assert_float_equal(fetched(&image, &p), 20, 0);
	p.level = 1.75f;
	assert_float_equal(fetched(&image, &p), 30, 0);
	image.filters_levels = true;
	assert_float_equal(fetched(&image, &p), 27.5f, 0);
	p.level = 99;
	assert_float_equal(fetched(&image, &p), 40, 0);
	p.level = -3;
	assert_float_equal(fetched(&image, &p), 10, 0);
	image.level_bias = 0.5f;
	p.level = 1;
	assert_float_equal(fetched(&image, &p), 25, 0);
	image.level_bias = 0;
	image.most_level = 1.5f;
	p.level = 3;
	assert_float_equal(fetched(&image, &p), 25, 0);
	/* A step of a quarter of the width is two texels of level 0: level 1. */
	image.most_level = 9;
	p.has_gradient = true;
	p.dx[0] = 0.25f;
	p.dy[1] = 0.125f;
	assert_float_equal(fetched(&image, &p), 20, 0);
}

static void test_indices_outside_are_zero(void **state)
{
	const int n[3] = {8, 1, 1};
	const enum image_edge edge[3] = {IMAGE_CLAMP, IMAGE_CLAMP, IMAGE_CLAMP};
	const struct device_image image = float_image(n, edge);
	static const int32_t outside[] = {-1, 8, INT32_MIN, INT32_MAX};
	struct sample_point p = {.geometry = IMAGE_1D, .by_index = true};

	(void)state;
	for (int i = 0; i < 8; i++) {
		p.index[0] = i;
		assert_float_equal(fetched(&image, &p), texels[0][0][i], 0);
	}
	for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
		p.index[0] = outside[i];
		assert_float_equal(fetched(&image, &p), 0, 0);
	}
}

static void test_odd_coordinates_read_something(void **state)
{
	static const float odd[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-40f, -0.0f, 0x1p31f};
	const int n[3] = {5, 3, 2};

	(void)state;
	for (unsigned i = 0; i < sizeof odd / sizeof odd[0]; i++)
		for (unsigned e = 0; e < 16; e++) {
			const enum image_edge edge[3] = {(enum image_edge)(e % 4), (enum image_edge)(e % 4),
							 IMAGE_WRAP};
			struct device_image image = float_image(n, edge);
			struct sample_point p = {
			    .geometry = e & 4 ? IMAGE_CUBE : IMAGE_3D, .at = {odd[i], odd[i], odd[i]}, .level = odd[i]};

			image.filters = e & 8;
			image.normalized_coordinates = i & 1;
			image.layers = e & 4 ? FACES : 0;
			image.nlevels = 1;
			fetched(&image, &p);
		}
}

/* --- Formats --- */

/* One texel of four channels with these bits, read as raw integers or as floats. */
static void check_format(enum image_format format, unsigned bytes, bool normalized, const uint32_t bits[4],
			 const double wanted[4])
{
	struct device_image image = {.channels = 4,
				     .channel_bytes = (uint8_t)bytes,
				     .format = format,
				     .nlevels = 1,
				     .levels = {{.address = (uintptr_t)stored, .width = 1, .height = 1, .depth = 1}},
				     .normalized_values = normalized};
	const struct sample_point p = {.geometry = IMAGE_1D};
	struct texels t;
	uint32_t value[4];

	for (unsigned c = 0; c < 4; c++)
		memcpy(stored + c * bytes, &bits[c], bytes);
	for (unsigned channels = 1; channels <= 4; channels *= 2) {
		image.channels = (uint8_t)channels;
		sample_locate(&image, &p, &t);
		sample_read(&image, &t, value);
		for (unsigned c = 0; c < 4; c++) {
			float f;

			memcpy(&f, &value[c], sizeof f);
			if (c >= channels)
				assert_int_equal(value[c], 0);
			else if (format == IMAGE_FLOAT || normalized)
				assert_float_equal(f, (float)wanted[c], 0);
			else
				assert_int_equal(value[c], (uint32_t)(int64_t)wanted[c]);
		}
	}
}

static void test_all_formats_are_read(void **state)
{
	(void)state;
	check_format(IMAGE_UNSIGNED, 1, false, (const uint32_t[]){0, 1, 128, 255}, (const double[]){0, 1, 128, 255});
	check_format(IMAGE_SIGNED, 1, false, (const uint32_t[]){0, 127, 128, 255}, (const double[]){0, 127, -128, -1});
	check_format(IMAGE_UNSIGNED, 2, false, (const uint32_t[]){0, 1, 32768, 65535},
		     (const double[]){0, 1, 32768, 65535});
	check_format(IMAGE_SIGNED, 2, false, (const uint32_t[]){0, 32767, 32768, 65535},
		     (const double[]){0, 32767, -32768, -1});
	check_format(IMAGE_UNSIGNED, 4, false, (const uint32_t[]){0, 1, 1u << 31, UINT32_MAX},
		     (const double[]){0, 1, 0x1p31, UINT32_MAX});
	check_format(IMAGE_SIGNED, 4, false, (const uint32_t[]){0, 1, 1u << 31, UINT32_MAX},
		     (const double[]){0, 1, -0x1p31, -1});
	check_format(IMAGE_UNSIGNED, 1, true, (const uint32_t[]){0, 1, 51, 255},
		     (const double[]){0, 1 / 255.0, 0.2, 1});
	check_format(IMAGE_SIGNED, 1, true, (const uint32_t[]){0, 127, 128, 0x81}, (const double[]){0, 1, -1, -1});
	check_format(IMAGE_UNSIGNED, 2, true, (const uint32_t[]){0, 1, 13107, 65535},
		     (const double[]){0, 1 / 65535.0, 0.2, 1});
	check_format(IMAGE_SIGNED, 2, true, (const uint32_t[]){0, 32767, 32768, 1},
		     (const double[]){0, 1, -1, 1 / 32767.0});
	check_format(IMAGE_FLOAT, 2, false, (const uint32_t[]){0, 0x3c00, 0xc000, 0x0001},
		     (const double[]){0, 1, -2, 0x1p-24});
	check_format(IMAGE_FLOAT, 4, false, (const uint32_t[]){0, 0x3f800000, 0xc0000000, 0x00000001},
		     (const double[]){0, 1, -2, 0x1p-149});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_reads_like_the_reference),
	    cmocka_unit_test(test_layers_are_chosen_and_clamped),
	    cmocka_unit_test(test_cube_maps_find_face_and_texel),
	    cmocka_unit_test(test_gathers_the_four_of_a_filter),
	    cmocka_unit_test(test_mipmap_levels_are_chosen_and_mixed),
	    cmocka_unit_test(test_indices_outside_are_zero),
	    cmocka_unit_test(test_odd_coordinates_read_something),
	    cmocka_unit_test(test_all_formats_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
