/*
 * Texture fetches of whole warps against sample.c, which looks at one lane at a time: the same bits for all formats,
 * edges, filters and geometries, under any mask.
 */
#include "tests/runtime/cpu/harness.h"

#include "runtime/cpu/images/sample.h"

#include <math.h>
#include <stdio.h>

enum { LANES_OF_WARP = 32, IMAGE_ROOM = 1 << 16, TRIALS = 3000 };

/* A warp's fetches: a coordinate or texel number in x, y and z, a layer, and whether the lane fetches. */
struct request {
	uint32_t at[3], layer, fetches;
};

static uint8_t *texels;
static struct request *requests;
static uint32_t (*results)[4];

static const struct {
	const char *name, *coordinates; /* the registers, by letter */
	enum image_geometry geometry;
} geometries[] = {
    {"1d", "{X}", IMAGE_1D},       {"2d", "{X, Y}", IMAGE_2D},          {"3d", "{X, Y, Z, Z}", IMAGE_3D},
    {"a1d", "{%l, X}", IMAGE_A1D}, {"a2d", "{%l, X, Y, Y}", IMAGE_A2D}, {"cube", "{X, Y, Z, Z}", IMAGE_CUBE}};
enum { GEOMETRIES = sizeof geometries / sizeof geometries[0] };

static void add_kernel(char *text, size_t room, unsigned geometry, bool by_index)
{
	char coordinates[64] = "";

	for (const char *c = geometries[geometry].coordinates; *c; c++)
		snprintf(coordinates + strlen(coordinates), sizeof coordinates - strlen(coordinates),
			 *c >= 'X' && *c <= 'Z' ? "%%%c%c" : "%c", *c >= 'X' && *c <= 'Z' ? (by_index ? 'i' : 'f') : *c,
			 *c - 'X' + 'x');
	snprintf(text + strlen(text), room - strlen(text),
		 ".visible .entry %s_%s(.param .u64 t, .param .u64 in, .param .u64 out)\n{\n"
		 ".reg .u64 %%t, %%in, %%out, %%w;\n.reg .u32 %%i, %%ix, %%iy, %%iz, %%l, %%go, %%a, %%b, %%c, %%d;\n"
		 ".reg .f32 %%fx, %%fy, %%fz;\n.reg .pred %%p;\n"
		 "ld.param.u64 %%t, [t];\nld.param.u64 %%in, [in];\nld.param.u64 %%out, [out];\nmov.u32 %%i, %%tid.x;\n"
		 "mad.wide.u32 %%in, %%i, 20, %%in;\nmad.wide.u32 %%out, %%i, 16, %%out;\n"
		 "ld.global.u32 %%ix, [%%in];\nld.global.u32 %%iy, [%%in+4];\nld.global.u32 %%iz, [%%in+8];\n"
		 "ld.global.u32 %%l, [%%in+12];\nld.global.u32 %%go, [%%in+16];\nsetp.ne.u32 %%p, %%go, 0;\n"
		 "mov.b32 %%fx, %%ix;\nmov.b32 %%fy, %%iy;\nmov.b32 %%fz, %%iz;\n"
		 "mov.u32 %%a, 7;\nmov.u32 %%b, 7;\nmov.u32 %%c, 7;\nmov.u32 %%d, 7;\n"
		 "@%%p tex.%s.v4.u32.%s {%%a, %%b, %%c, %%d}, [%%t, %s];\n"
		 "st.global.v4.u32 [%%out], {%%a, %%b, %%c, %%d};\nret;\n}\n",
		 by_index ? "index" : "place", geometries[geometry].name, geometries[geometry].name,
		 by_index ? "s32" : "f32", coordinates);
}

static unsigned pick(unsigned count)
{
	return (unsigned)(harness_random() % count);
}

/* Sizes from a single texel up, so that edges are met often. */
static struct device_image random_image(void)
{
	static const struct {
		uint8_t bytes;
		enum image_format format;
	} formats[] = {{1, IMAGE_UNSIGNED}, {1, IMAGE_SIGNED}, {2, IMAGE_UNSIGNED}, {2, IMAGE_SIGNED},
		       {4, IMAGE_UNSIGNED}, {4, IMAGE_SIGNED}, {2, IMAGE_FLOAT},    {4, IMAGE_FLOAT}};
	unsigned which = pick(8);
	struct device_image image = {.channels = (uint8_t)(1 << pick(3)),
				     .channel_bytes = formats[which].bytes,
				     .format = formats[which].format,
				     .layers = pick(2) ? 6 : 0,
				     .nlevels = 1,
				     .filters = pick(2),
				     .normalized_coordinates = pick(2),
				     .normalized_values = pick(2),
				     .srgb = pick(8) == 0,
				     .border = {0.25f, -3, 1e20f, 7}};
	struct image_level *level = &image.levels[0];

	*level = (struct image_level){
	    .address = DEVICE_POINTER(texels), .width = 1 + pick(9), .height = 1 + pick(9), .depth = 1 + pick(5)};
	level->pitch = 160 + 16 * pick(3);
	level->slice = level->pitch * (level->height + pick(2));
	for (unsigned i = 0; i < 3; i++)
		image.edge[i] = (enum image_edge)pick(4);
	return image;
}

static uint32_t random_coordinate(const struct device_image *image, bool by_index)
{
	static const float rare[] = {INFINITY, -INFINITY, NAN, 1e30f, -1e30f, -0.0f, 1, 0x1p-149f, -0x1p-30f};
	float value = (float)((int)pick(8192) - 2048) / 256 + (pick(3) ? 0 : (float)pick(1000) / 3e6f);
	uint32_t word;

	if (by_index)
		return pick(16) ? pick(14) - 3 : (uint32_t)harness_random();
	if (image->normalized_coordinates)
		value /= (float)(1 << pick(5));
	if (pick(16) == 0)
		value = rare[pick(sizeof rare / sizeof rare[0])];
	memcpy(&word, &value, sizeof word);
	return word;
}

static struct sample_point point_of(const struct request *r, unsigned geometry, bool by_index)
{
	struct sample_point p = {.geometry = geometries[geometry].geometry, .by_index = by_index, .layer = r->layer};

	for (unsigned i = 0; i < 3; i++) {
		p.index[i] = (int32_t)r->at[i];
		memcpy(&p.at[i], &r->at[i], sizeof p.at[i]);
	}
	return p;
}

static void expect_results(const struct device_image *image, unsigned geometry, bool by_index)
{
	for (unsigned lane = 0; lane < LANES_OF_WARP; lane++) {
		struct sample_point p = point_of(&requests[lane], geometry, by_index);
		uint32_t want[4] = {7, 7, 7, 7};
		struct texels t;

		if (requests[lane].fetches) {
			sample_locate(image, &p, &t);
			sample_read(image, &t, want);
		}
		if (memcmp(want, results[lane], sizeof want) != 0)
			fail_msg("%s, lane %u, format %d of %u bytes, filters %d, edge %d, normalized %d: %x, not %x",
				 geometries[geometry].name, lane, image->format, image->channel_bytes, image->filters,
				 image->edge[0], image->normalized_coordinates, results[lane][0], want[0]);
	}
}

static struct device_module *load_kernels(void)
{
	static char text[32768];

	text[0] = 0;
	for (unsigned g = 0; g < GEOMETRIES; g++)
		for (unsigned by_index = 0; by_index < (geometries[g].geometry == IMAGE_CUBE ? 1 : 2); by_index++)
			add_kernel(text, sizeof text, g, by_index);
	return harness_load(text);
}

static void random_texels(void)
{
	for (size_t i = 0; i < IMAGE_ROOM; i++)
		texels[i] = (uint8_t)harness_random();
}

static void try_image(struct device_module *m, const struct device_image *image, unsigned geometry, bool by_index)
{
	static const struct harness_launch one_warp = {.block = {LANES_OF_WARP}};
	uint32_t everyone = pick(2);
	uint64_t params[] = {0, DEVICE_POINTER(requests), DEVICE_POINTER(results)};
	char kernel[32];

	for (unsigned lane = 0; lane < LANES_OF_WARP; lane++) {
		for (unsigned i = 0; i < 3; i++)
			requests[lane].at[i] = random_coordinate(image, by_index);
		requests[lane].layer = pick(8);
		requests[lane].fetches = everyone || pick(2);
	}
	assert_int_equal(cpu_device_ops.image_create(harness_device(), image, &params[0]), DEVICE_OK);
	snprintf(kernel, sizeof kernel, "%s_%s", by_index ? "index" : "place", geometries[geometry].name);
	harness_run_ok(m, kernel, &one_warp, params, 3);
	expect_results(image, geometry, by_index);
	cpu_device_ops.image_destroy(harness_device(), params[0], false);
}

static void test_warps_fetch_what_lanes_fetch(void **state)
{
	struct device_module *m = load_kernels();

	(void)state;
	texels = harness_alloc(IMAGE_ROOM, "texels");
	requests = harness_alloc(LANES_OF_WARP * sizeof *requests, "requests");
	results = harness_alloc(LANES_OF_WARP * sizeof *results, "results");
	random_texels();
	for (unsigned i = 0; i < TRIALS; i++) {
		const struct device_image image = random_image();
		unsigned geometry = pick(GEOMETRIES);

		try_image(m, &image, geometry, geometries[geometry].geometry != IMAGE_CUBE && pick(2));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_warps_fetch_what_lanes_fetch)};

	return cmocka_run_group_tests(tests, harness_setup, harness_teardown);
}
