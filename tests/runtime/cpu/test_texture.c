/* Texture and surface instructions: operand forms, faults, guards and marks, and what of a fetch reaches a trace. */
#include "tests/runtime/cpu/harness.h"

#include "trace/trace.h"

#include <stdio.h>
#include <unistd.h>

static const struct harness_launch one_warp = {.block = {32}};

/* 32 floats, or 8 x 4 of them, that count up from 0. */
static float *counting(const char *name)
{
	float *data = harness_alloc(128, name);

	for (int i = 0; i < 32; i++)
		data[i] = (float)i;
	return data;
}

static uint64_t handle_of(const struct device_image *image)
{
	uint64_t handle = 0;

	assert_int_equal(cpu_device_ops.image_create(harness_device(), image, &handle), DEVICE_OK);
	return handle;
}

static struct device_image line_of(const float *data)
{
	return (struct device_image){
	    .channels = 1,
	    .channel_bytes = 4,
	    .format = IMAGE_FLOAT,
	    .nlevels = 1,
	    .levels =
		{{.address = DEVICE_POINTER(data), .pitch = 128, .slice = 128, .width = 32, .height = 1, .depth = 1}},
	    .edge = {IMAGE_CLAMP, IMAGE_CLAMP, IMAGE_CLAMP}};
}

static struct device_image plane_of(const float *data)
{
	struct device_image image = line_of(data);

	image.levels[0].width = 8;
	image.levels[0].height = 4;
	image.levels[0].pitch = 32;
	return image;
}

static struct device_image surface_of(const float *data)
{
	struct device_image image = plane_of(data);

	image.is_surface = true;
	return image;
}

/*
 * Parameters t and out; %i is the thread, %x and %y its coordinates in a plane of 8 x 4; the result %r goes to out[%i].
 */
#define KERNEL(name, body)                                                                                                 \
	".visible .entry " name "(.param .u64 t, .param .u64 out)\n{\n"                                                    \
	".reg .u64 %t, %o, %w;\n.reg .u32 %i, %j, %x, %y, %xb, %n;\n.reg .f32 %r, %s, %u, %v, %fx, %fy;\n.reg .pred %p;\n" \
	"ld.param.u64 %t, [t];\nld.param.u64 %o, [out];\nmov.u32 %i, %tid.x;\nand.b32 %x, %i, 7;\nshr.u32 %y, %i, 3;\n"    \
	"shl.b32 %xb, %x, 2;\ncvt.rn.f32.u32 %fx, %x;\ncvt.rn.f32.u32 %fy, %y;\n"                                          \
	"mul.wide.u32 %w, %i, 4;\nadd.u64 %o, %o, %w;\n" body "\nst.global.f32 [%o], %r;\nret;\n}\n"

static float *run(const char *ptx, uint64_t handle)
{
	float *out = harness_alloc(128, "out");
	const uint64_t params[] = {handle, DEVICE_POINTER(out)};
	struct device_module *m = harness_load(ptx);

	harness_run_ok(m, "k", &one_warp, params, 2);
	harness_unload(m);
	return out;
}

/* --- Forms --- */

static void test_handles_and_references_name_images(void **state)
{
	static const char *const forms[] = {
	    KERNEL("k", "tex.1d.v4.f32.s32 {%r, %s, %u, %v}, [%t, {%i}];"),
	    KERNEL("k", "tex.1d.v4.f32.s32 {%r, _, _, _}, [%t, %i];"),
	    KERNEL("k", "tex.1d.v4.f32.s32 {%r, %s, %u, %v}|%p, [%t, {%i}];\n@!%p mov.f32 %r, 0f00000000;"),
	    ".global .texref t1;\n" KERNEL("k", "tex.1d.v4.f32.s32 {%r, %s, %u, %v}, [t1, {%i}];"),
	    ".global .texref t1;\n" KERNEL("k", "mov.u64 %t, t1;\ntex.1d.v4.f32.s32 {%r, %s, %u, %v}, [%t, {%i}];"),
	};
	const float *data = counting("data");
	const struct device_image image = line_of(data);
	uint64_t handle = handle_of(&image), address;
	size_t size;

	(void)state;
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		float *out = harness_alloc(128, "out");
		const uint64_t params[] = {handle, DEVICE_POINTER(out)};
		struct device_module *m = harness_load(forms[i]);

		if (strstr(forms[i], ".texref")) {
			assert_int_equal(cpu_device_ops.variable(harness_device(), m, "t1", &address, &size),
					 DEVICE_OK);
			assert_int_equal(size, sizeof handle);
			memcpy((void *)(uintptr_t)address, &handle, sizeof handle);
		}
		harness_run_ok(m, "k", &one_warp, params, 2);
		assert_memory_equal(out, data, 128);
		harness_unload(m);
	}
}

#define QUERY(query) KERNEL("k", query " %n, [%t];\nmov.b32 %r, %n;")

static void test_queries_are_answered(void **state)
{
	static const struct {
		const char *ptx;
		bool of_surface;
		uint32_t answer;
	} rows[] = {{QUERY("txq.width.b32"), false, 8},
		    {QUERY("txq.height.b32"), false, 4},
		    {QUERY("txq.depth.b32"), false, 1},
		    {QUERY("txq.array_size.b32"), false, 0},
		    {QUERY("txq.num_mipmap_levels.b32"), false, 1},
		    {QUERY("txq.normalized_coords.b32"), false, 0},
		    {QUERY("suq.width.b32"), true, 8},
		    {QUERY("suq.height.b32"), true, 4}};
	const float *data = counting("data");
	const struct device_image texture = plane_of(data), surface = surface_of(data);

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const float *out = run(rows[i].ptx, handle_of(rows[i].of_surface ? &surface : &texture));

		assert_memory_equal(out, &rows[i].answer, sizeof rows[i].answer);
	}
}

/* The four threads of column 3 reduce 6 into row 0 there. */
#define REDUCTION(operation, type)                                                                                     \
	KERNEL("k", "mov.f32 %r, 0f00000000;\nmov.u32 %n, 6;\nmov.u32 %j, 0;\nsetp.eq.u32 %p, %x, 3;\n"                \
		    "@%p sured.b." operation ".2d." type ".trap [%t, {%xb, %j}], %n;")

static void test_surfaces_are_reduced(void **state)
{
	static const struct {
		const char *ptx;
		uint32_t before, after;
	} rows[] = {{REDUCTION("add", "u32"), 5, 5 + 4 * 6},
		    {REDUCTION("min", "u32"), 9, 6},
		    {REDUCTION("max", "u32"), 2, 6},
		    {REDUCTION("min", "s32"), UINT32_MAX, UINT32_MAX},
		    {REDUCTION("max", "s32"), UINT32_MAX, 6},
		    {REDUCTION("and", "b32"), 0xfe, 6},
		    {REDUCTION("or", "b32"), 1, 7}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		float *data = counting("data");
		const struct device_image surface = surface_of(data);

		memcpy(&data[3], &rows[i].before, sizeof rows[i].before);
		run(rows[i].ptx, handle_of(&surface));
		assert_memory_equal(&data[3], &rows[i].after, sizeof rows[i].after);
		assert_float_equal(data[2], 2, 0);
	}
}

/* --- Faults --- */

static void test_faults_say_what_is_wrong(void **state)
{
	const float *data = counting("data");
	const struct device_image texture = plane_of(data), surface = surface_of(data);
	const struct {
		const char *ptx;
		uint64_t handle;
		enum device_status status;
		const char *says;
	} rows[] = {
	    {KERNEL("k", "tex.1d.v4.f32.s32 {%r, %s, %u, %v}, [%t, {%i}];"), 77, DEVICE_ILLEGAL_ADDRESS,
	     "0x4d is no object where a texture is needed at 'tex.1d"},
	    {KERNEL("k", "tex.1d.v4.f32.s32 {%r, %s, %u, %v}, [%t, {%i}];"), handle_of(&surface),
	     DEVICE_ILLEGAL_ADDRESS, "is a surface where a texture is needed"},
	    {".global .texref t1;\n" KERNEL("k", "tex.1d.v4.f32.s32 {%r, %s, %u, %v}, [t1, {%i}];"), 0,
	     DEVICE_ILLEGAL_ADDRESS, "is a reference that is not bound"},
	    {KERNEL("k", "suld.b.2d.b32.trap {%r}, [%t, {%xb, %y}];"), handle_of(&texture), DEVICE_ILLEGAL_ADDRESS,
	     "is a texture where a surface is needed"},
	    {KERNEL("k", "add.u32 %xb, %xb, 4;\nsuld.b.2d.b32.trap {%r}, [%t, {%xb, %y}];"), handle_of(&surface),
	     DEVICE_ILLEGAL_ADDRESS, "a place outside the surface of 8 x 4 x 1 texels of 4 bytes"},
	    {KERNEL("k", "suld.b.2d.b32.zero {%r}, [%t, {%x, %y}];"), handle_of(&surface), DEVICE_MISALIGNED,
	     "the x coordinate of a surface is in bytes"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const uint64_t params[] = {rows[i].handle, DEVICE_POINTER(harness_alloc(128, "out"))};
		struct device_module *m = harness_load(rows[i].ptx);

		assert_int_equal(harness_run(m, "k", &one_warp, params, 2), rows[i].status);
		if (!strstr(harness_diag.message, rows[i].says) || harness_diag.line == 0)
			fail_msg("row %zu says: line %u: %s", i, harness_diag.line, harness_diag.message);
		harness_unload(m);
	}
}

static void test_freed_memory_is_found_by_the_bounds_check(void **state)
{
	float *data;
	struct device_image image;
	struct device_module *m;

	(void)state;
	harness_open_with("ROMARK_CHECK", "memory");
	data = counting("data");
	image = line_of(data);
	m = harness_load(KERNEL("k", "tex.1d.v4.f32.s32 {%r, %s, %u, %v}, [%t, {%i}];"));
	const uint64_t params[] = {handle_of(&image), DEVICE_POINTER(harness_alloc(128, "out"))};

	harness_run_ok(m, "k", &one_warp, params, 2);
	harness_free(data);
	assert_int_equal(harness_run(m, "k", &one_warp, params, 2), DEVICE_ILLEGAL_ADDRESS);
	harness_unload(m);
	harness_open();
}

static void test_destroyed_handles_are_no_objects(void **state)
{
	const float *data = counting("data");
	const struct device_image image = line_of(data);
	uint64_t handle = handle_of(&image);

	(void)state;
	assert_int_equal(cpu_device_ops.image_destroy(harness_device(), handle, false), DEVICE_OK);
	assert_int_equal(cpu_device_ops.image_destroy(harness_device(), handle, false), DEVICE_NOT_FOUND);
	assert_int_equal(cpu_device_ops.image_destroy(harness_device(), handle + 1, false), DEVICE_NOT_FOUND);
	/* No other object is taken for it. */
	assert_int_not_equal(handle_of(&image), handle);
	assert_int_equal(cpu_device_ops.image_destroy(harness_device(), handle, false), DEVICE_NOT_FOUND);
}

/* --- Traces and marks --- */

struct fetches {
	unsigned instructions, parts, lanes, marked;
	uint64_t first; /* address that lane 0 of the instruction itself reads */
};

/* The rows of texture fetches and surface accesses in a trace. */
static struct fetches read_trace(const char *path)
{
	struct fetches found = {0};
	struct trace_warp_cursor cursor;
	struct diag d = DIAG_INIT;
	struct trace_reader *r = trace_open(path, &d);
	struct trace_launch launch;
	struct trace_cta cta;
	struct trace_op op;

	assert_non_null(r);
	assert_int_equal(trace_next_launch(r, &launch, &d), 1);
	assert_int_equal(trace_next_cta(r, &cta, &d), 1);
	trace_warp_start(&cursor, trace_kernel_of(r, launch.kernel), &cta, 0);
	while (trace_warp_next(&cursor, &op)) {
		if (op.inst->cls != TRACE_TEXTURE)
			continue;
		assert_int_equal(op.space, TRACE_GLOBAL);
		assert_string_equal(trace_kernel_of(r, launch.kernel)->structures[op.inst->structure], "p0");
		if (!found.instructions)
			found.first = op.address[0];
		*(op.inst->flags & TRACE_PART ? &found.parts : &found.instructions) += 1;
		found.lanes += (unsigned)__builtin_popcount(op.access_mask);
		found.marked += trace_is_marked(&launch, op.inst, op.inst_index);
	}
	assert_false(cursor.bad);
	trace_cta_release(&cta);
	trace_close(r);
	return found;
}

/* Runs kernel k on an image of 32 floats, with its output in memory of its own or in the image's. */
static struct fetches traced(const char *ptx, struct device_image (*make)(const float *data), bool filters,
			     bool aliased)
{
	char path[] = "/tmp/romark-texture-XXXXXX";
	struct device_image image;
	struct device_module *m;
	struct fetches found;
	float *data;

	close(mkstemp(path));
	setenv("ROMARK_QUIET", "1", 1);
	setenv("ROMARK_VERIFY", "1", 1);
	harness_open_with("ROMARK_TRACE", path);
	data = counting("data");
	image = make(data);
	image.filters = filters;
	m = harness_load(ptx);
	const uint64_t params[] = {handle_of(&image), DEVICE_POINTER(aliased ? data : harness_alloc(128, "out"))};

	harness_run_ok(m, "k", &one_warp, params, 2);
	harness_unload(m);
	harness_close();
	unsetenv("ROMARK_QUIET");
	unsetenv("ROMARK_VERIFY");
	unsetenv("ROMARK_ALIAS");
	found = read_trace(path);
	if (!aliased)
		assert_int_equal(found.first, DEVICE_POINTER(data));
	unlink(path);
	harness_open();
	return found;
}

static const char by_index[] = KERNEL("k", "tex.1d.v4.f32.s32 {%r, %s, %u, %v}, [%t, {%i}];");
static const char in_middle[] = KERNEL("k", "add.f32 %fx, %fx, 0f3f400000;\nadd.f32 %fy, %fy, 0f3f400000;\n"
					    "tex.2d.v4.f32.f32 {%r, %s, %u, %v}, [%t, {%fx, %fy}];");

static void test_fetches_are_global_loads_of_their_texels(void **state)
{
	struct fetches f = traced(by_index, line_of, false, false);

	(void)state;
	assert_int_equal(f.instructions, 1);
	assert_int_equal(f.parts, 0);
	assert_int_equal(f.lanes, 32);
	assert_int_equal(f.marked, 1);
	f = traced(in_middle, plane_of, false, false);
	assert_int_equal(f.instructions, 1);
	assert_int_equal(f.parts, 0); /* they have no lanes */
	assert_int_equal(f.lanes, 32);
	f = traced(in_middle, plane_of, true, false);
	assert_int_equal(f.instructions, 1);
	assert_int_equal(f.parts, 3);
	assert_int_equal(f.lanes, 4 * 32);
	assert_int_equal(f.marked, 4);
}

static void test_surfaces_are_traced_but_never_marked(void **state)
{
	struct fetches f = traced(KERNEL("k", "suld.b.2d.b32.zero {%r}, [%t, {%xb, %y}];\n"
					      "sust.b.2d.b32.zero [%t, {%xb, %i}], {%r};"),
				  surface_of, false, false);

	(void)state;
	assert_int_equal(f.instructions, 2);
	assert_int_equal(f.lanes, 32 + 4); /* of the 32 rows stored to there are four, each by one thread */
	assert_int_equal(f.marked, 0);
}

/* The texture's memory is written through a pointer: the launch runs unmarked and violates nothing. */
static void test_a_texture_of_written_memory_is_not_marked(void **state)
{
	struct fetches f = traced(by_index, line_of, false, true);

	(void)state;
	assert_int_equal(f.instructions, 1);
	assert_int_equal(f.marked, 0);
}

static struct fetches observed(const char *ptx, struct device_image (*make)(const float *data), bool filters,
			       bool aliased)
{
	setenv("ROMARK_ALIAS", "observed", 1);
	return traced(ptx, make, filters, aliased);
}

/* The same where marks are what the launch did: all texels of a fetch are marked, or none. */
static void test_observed_fetches_are_those_that_nobody_wrote(void **state)
{
	(void)state;
	assert_int_equal(observed(by_index, line_of, false, false).marked, 1);
	assert_int_equal(observed(in_middle, plane_of, true, false).marked, 4);
	assert_int_equal(observed(by_index, line_of, false, true).marked, 0);
	assert_int_equal(
	    observed(KERNEL("k", "suld.b.2d.b32.zero {%r}, [%t, {%xb, %y}];"), surface_of, false, false).marked, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_handles_and_references_name_images, harness_setup, harness_teardown),
	    cmocka_unit_test_setup_teardown(test_queries_are_answered, harness_setup, harness_teardown),
	    cmocka_unit_test_setup_teardown(test_surfaces_are_reduced, harness_setup, harness_teardown),
	    cmocka_unit_test_setup_teardown(test_faults_say_what_is_wrong, harness_setup, harness_teardown),
	    cmocka_unit_test_setup_teardown(test_freed_memory_is_found_by_the_bounds_check, harness_setup,
					    harness_teardown),
	    cmocka_unit_test_setup_teardown(test_destroyed_handles_are_no_objects, harness_setup, harness_teardown),
	    cmocka_unit_test_setup_teardown(test_fetches_are_global_loads_of_their_texels, harness_setup,
					    harness_teardown),
	    cmocka_unit_test_setup_teardown(test_surfaces_are_traced_but_never_marked, harness_setup, harness_teardown),
	    cmocka_unit_test_setup_teardown(test_a_texture_of_written_memory_is_not_marked, harness_setup,
					    harness_teardown),
	    cmocka_unit_test_setup_teardown(test_observed_fetches_are_those_that_nobody_wrote, harness_setup,
					    harness_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
