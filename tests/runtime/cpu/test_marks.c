/*
 * Findings of ROMARK_VERIFY: marks by hand on loads of data that the launch writes, in every way in which it can, and
 * cases that only look like that.
 */
#include "tests/runtime/cpu/harness.h"

#include <stdio.h>

enum { DATA_BYTES = 12288 };

static const struct harness_launch one_thread = {.block = {1}};

/* Thread %i has %a, which is 16 * %i bytes into the data, and %b, likewise into other memory. %c is the CTA, %d the
 * data's start, %s the surface's handle, %sh the address of shared memory. Line 42 is the first of a case. */
static const char head[] =
    ".extern .func (.param .b32 r) cudaStreamCreateWithFlags(.param .b64 s, .param .b32 f); "
    ".func copy(.param .b64 to, .param .b64 from, .param .b32 count)\n{\n.reg .u64 %t, %f;\n.reg .u32 %n, %v;\n.reg .pred %p;\n"
    "ld.param.u64 %t, [to];\nld.param.u64 %f, [from];\nld.param.u32 %n, [count];\nL:\nld.u8 %v, [%f];\n"
    "st.u8 [%t], %v;\nadd.u64 %t, %t, 1;\nadd.u64 %f, %f, 1;\nsub.u32 %n, %n, 1;\nsetp.ne.u32 %p, %n, 0;\n@%p bra L;\nret;\n}\n"
    ".visible .entry k(.param .u64 data, .param .u64 other, .param .u64 surface)\n{\n"
    ".reg .u64 %a, %b, %d, %s, %w, %sh, %ge;\n.reg .u32 %i, %c, %x, %y, %z, %u;\n.reg .f32 %f;\n.reg .pred %p, %never;\n"
    ".shared .align 128 .b8 box[1024];\n.local .align 16 .b8 mine[16];\n"
    "ld.param.u64 %d, [data];\nld.param.u64 %b, [other];\nld.param.u64 %s, [surface];\nmov.u32 %i, %tid.x;\nmov.u32 %c, %ctaid.x;\n"
    "mul.wide.u32 %w, %i, 16;\nadd.u64 %a, %d, %w;\nadd.u64 %b, %b, %w;\nmov.u64 %sh, box;\nmov.f32 %f, 0f00000000;\n"
    "setp.gt.u32 %p, %c, 0;\nsetp.gt.u32 %never, %i, 1000;\n";
struct test_case {
	const char *body;
	bool violates;
	const char *says; /* in the message, besides both lines; NULL: nothing more */
};

static uint64_t parameters[3];

static uint64_t image_of(void *memory, bool is_surface)
{
	const struct device_image image = {.channels = 1,
					   .channel_bytes = 4,
					   .format = IMAGE_FLOAT,
					   .nlevels = 1,
					   .levels = {{.address = DEVICE_POINTER(memory),
						       .pitch = 512,
						       .slice = 2048,
						       .width = 128,
						       .height = 4,
						       .depth = 1}},
					   .is_surface = is_surface};
	uint64_t handle = 0;

	assert_int_equal(cpu_device_ops.image_create(harness_device(), &image, &handle), DEVICE_OK);
	return handle;
}

static int open_verifying(void **state)
{
	void *data;

	(void)state;
	/* The marks stay as written: the analysis would remove the wrong marks. */
	setenv("ROMARK_LOAD", "keep", 1);
	harness_open_with("ROMARK_VERIFY", "1");
	unsetenv("ROMARK_LOAD");
	data = harness_alloc(DATA_BYTES, "data");
	parameters[0] = DEVICE_POINTER(data);
	parameters[1] = DEVICE_POINTER(harness_alloc(DATA_BYTES, "other"));
	parameters[2] = image_of(data, true);
	return 0;
}

static enum device_status run_body(const char *body)
{
	static const struct harness_launch two_ctas = {.grid = {2}, .block = {32}};
	struct device_module *m;
	enum device_status status;
	char ptx[8000];

	snprintf(ptx, sizeof ptx, "%s%s\nret;\n}\n", head, body);
	m = harness_load(ptx);
	status = harness_run(m, "k", &two_ctas, parameters, 3);
	harness_unload(m);
	return status;
}

static void expect_in_message(const char *text, const char *body)
{
	if (!strstr(harness_diag.message, text))
		fail_msg("'%s'\nno '%s' in: %s", body, text, harness_diag.message);
}

static void expect_cases(const struct test_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct test_case *c = &cases[i];

		if (run_body(c->body) != (c->violates ? DEVICE_TRAP : DEVICE_OK))
			fail_msg("'%s'\n%s", c->body, harness_diag.message);
		if (c->violates)
			expect_in_message("read-only mark violated", c->body);
		if (c->says)
			expect_in_message(c->says, c->body);
	}
}

#define EXPECT_CASES(cases) expect_cases(cases, sizeof(cases) / sizeof(cases)[0])

static void test_every_way_to_write_is_seen(void **state)
{
	static const struct test_case cases[] = {
	    {"ld.global.ro.u32 %x, [%a];\nst.global.u32 [%a], %i;", true, "the store of line 43"},
	    {"st.global.u32 [%a], %i;\nld.global.ro.u32 %x, [%a];", true, "the marked load of line 43"},
	    {"ld.global.nc.u32 %x, [%a];\nst.u32 [%a], %i;", true, "line 42"},
	    {"ld.global.ro.u32 %x, [%a+12];\nst.global.v4.u32 [%a], {%i, %i, %i, %i};", true, "12 bytes into data"},
	    {"ld.global.ro.v4.u32 {%x, %y, %z, %u}, [%a];\nst.global.u32 [%a+8], %i;", true, "8 bytes into data"},
	    {"ld.global.ro.u32 %x, [%a];\natom.global.add.u32 %x, [%a], 1;", true, "'atom.global"},
	    {"ld.global.ro.u32 %x, [%a];\natom.cas.b32 %x, [%a], 1, 2;", true, "'atom.cas"},
	    {"ld.global.ro.u32 %x, [%a];\nred.global.or.b32 [%a], 1;", true, "'red.global"},
	    {"ld.global.ro.u32 %x, [%a];\ncp.async.bulk.global.shared::cta.bulk_group [%a], [%sh], 16;", true,
	     "'cp.async.bulk"},
	    {"ld.global.ro.u32 %x, [%d+260];\nwmma.store.d.sync.aligned.m16n16k16.global.row.f32 [%d], {%f, %f, %f, %f, %f, "
	     "%f, %f, %f}, 32;",
	     true, "260 bytes into data"},
	    {"ld.global.ro.u32 %x, [%d+516];\nmul.lo.u32 %x, %i, 4;\nsust.b.2d.b32.trap [%s, {%x, 1}], {%i};", true,
	     "'sust"},
	    {"ld.global.ro.u32 %x, [%d+516];\nmul.lo.u32 %x, %i, 4;\nsured.b.2d.add.u32.trap [%s, {%x, 1}], %i;", true,
	     "'sured"},
	    {"ld.global.ro.u32 %x, [%a];\n{\n.param .b64 t;\n.param .b64 f;\n.param .b32 n;\nst.param.b64 [t], %a;\n"
	     "st.param.b64 [f], %b;\nst.param.b32 [n], 5;\ncall.uni copy, (t, f, n);\n}",
	     true, "in 'copy'"},
	    {"ld.global.ro.u32 %x, [%a+4];\n{\n.param .b64 s;\n.param .b32 f;\n.param .b32 r;\nst.param.b64 [s], %a;\n"
	     "st.param.b32 [f], 0;\ncall.uni (r), cudaStreamCreateWithFlags, (s, f);\n}",
	     true, "'call"},
	    {"@!%p ld.global.ro.u32 %x, [%a];\n@%p st.global.u32 [%a], %i;", true, "CTA (1,0,0)"},
	    {"@!%p st.global.u32 [%a], %i;\n@%p ld.global.ro.u32 %x, [%a];", true, "CTA (1,0,0)"},
	};

	(void)state;
	EXPECT_CASES(cases);
}

static void test_bytes_count_not_words(void **state)
{
	static const struct test_case cases[] = {
	    {"ld.global.ro.u32 %x, [%a];\nst.global.u8 [%a+3], %i;", true, "3 bytes into data"},
	    {"ld.global.ro.u32 %x, [%a];\nst.global.u8 [%a+4], %i;", false, NULL},
	    {"ld.global.ro.u8 %x, [%a+1];\nst.global.u8 [%a+2], %i;", false, NULL},
	    {"ld.global.ro.u8 %x, [%a+1];\nst.global.u16 [%a+2], %i;\nst.global.u8 [%a], %i;", false, NULL},
	    /* Bytes of a word have their own places. */
	    {"ld.global.ro.u8 %x, [%a+1];\nld.global.ro.u8 %x, [%a+2];\nst.global.u8 [%a+1], %i;", true,
	     "[%a+1];', line 42"},
	    {"ld.global.ro.u8 %x, [%a+1];\nst.global.u8 [%a+2], %i;\nld.global.ro.u8 %x, [%a+2];", true,
	     "[%a+2], %i;', line 43"},
	    /* Over the end of a page, and the last lane's bytes. */
	    {"shl.b64 %w, %w, 3;\nadd.u64 %a, %d, %w;\nld.global.ro.v4.u32 {%x, %y, %z, %u}, [%a+16];\n"
	     "st.global.u8 [%d+4127], %i;",
	     false, NULL},
	    {"mul.wide.u32 %w, %i, 4;\nadd.u64 %a, %d, %w;\nld.global.ro.u32 %x, [%a+4032];\nst.global.u8 [%d+4159], %i;",
	     true, "4159 bytes into data"},
	    {"mul.wide.u32 %w, %i, 4;\nadd.u64 %a, %d, %w;\nld.global.ro.u32 %x, [%a+4032];\nst.global.u8 [%d+4160], %i;",
	     false, NULL},
	    /* A lane's elements of a matrix that is stored by columns, and between the columns. */
	    {"ld.global.ro.u32 %x, [%d+384];\nwmma.store.d.sync.aligned.m16n16k16.global.col.f32 [%d], {%f, %f, %f, %f, "
	     "%f, %f, %f, %f}, 32;",
	     true, "384 bytes into data"},
	    {"ld.global.ro.u32 %x, [%d+80];\nwmma.store.d.sync.aligned.m16n16k16.global.col.f32 [%d], {%f, %f, %f, %f, "
	     "%f, %f, %f, %f}, 32;",
	     false, NULL},
	};

	(void)state;
	EXPECT_CASES(cases);
}

static void test_what_is_no_violation_is_none(void **state)
{
	static const struct test_case cases[] = {
	    {"ld.global.u32 %x, [%a];\nst.global.u32 [%a], %i;", false, NULL},
	    {"ld.global.ro.u32 %x, [%a];\nst.global.u32 [%b], %i;", false, NULL},
	    {"ld.global.ro.u32 %x, [%a];\n@%never st.global.u32 [%a], %i;", false, NULL},
	    {"@%never ld.global.ro.u32 %x, [%a];\nst.global.u32 [%a], %i;", false, NULL},
	    {"ld.global.ro.u32 %x, [%a];\nst.shared.u32 [box], %i;", false, NULL},
	    {"ld.global.ro.u32 %x, [%a];\ncvta.shared.u64 %ge, %sh;\nst.u32 [%ge], %i;", false, NULL},
	    {"ld.global.ro.u32 %x, [%a];\natom.shared.add.u32 %x, [box], 1;", false, NULL},
	    /* They read marked data and write shared memory. */
	    {"ld.global.ro.u32 %x, [%a];\ncp.async.ca.shared.global [%sh], [%a], 16;", false, NULL},
	    {"ld.global.ro.u32 %x, [%a];\nmbarrier.init.shared.b64 [box+512], 1;\n"
	     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%sh], [%a], 16, [box+512];",
	     false, NULL},
	};

	(void)state;
	EXPECT_CASES(cases);
}

static void test_a_marked_load_is_of_device_memory(void **state)
{
	static const struct test_case cases[] = {
	    {"cvta.shared.u64 %ge, %sh;\nld.global.ro.u32 %x, [%ge+8];", true,
	     "the marked load of line 43 is of shared memory: 0x1000040000008 (offset 8 of shared memory,"},
	    {"mov.u64 %w, mine;\ncvta.local.u64 %ge, %w;\nld.global.ro.u32 %x, [%ge];", true, "is of local memory"},
	    {"mov.b64 %ge, data;\ncvta.param.u64 %ge, %ge;\nld.global.ro.u32 %x, [%ge];", true,
	     "is of parameter memory"},
	};

	(void)state;
	EXPECT_CASES(cases);
	/* Memory of no space at all is the access's own fault. */
	assert_int_equal(run_body("mov.u64 %ge, 64;\nld.global.ro.u32 %x, [%ge];"), DEVICE_ILLEGAL_ADDRESS);
}

/* --- Messages --- */

static void test_a_message_has_both_places(void **state)
{
	static const char ptx[] =
	    ".version 8.6\n.target sm_100\n.address_size 64\n.file 1 \"sum.cu\"\n"
	    ".func _Z3putPh(.param .b64 p)\n{\n.reg .u64 %a;\nld.param.u64 %a, [p];\n.loc 1 20 0\n"
	    "st.u8 [%a+2], 1;\nret;\n}\n"
	    ".visible .entry _Z1kPh(.param .u64 p)\n{\n.reg .u64 %a;\n.reg .u32 %x;\n"
	    "ld.param.u64 %a, [p];\n.loc 1 30 0\n.loc 2 5 0, function_name s, inlined_at 1 30 0\nld.global.ro.u32 %x, [%a];\n"
	    "{\n.param .b64 q;\nst.param.b64 [q], %a;\ncall.uni _Z3putPh, (q);\n}\nret;\n}\n"
	    ".file 2 \"/usr/include/in.h\"\n.section .debug_str\n{\ns:\n.b8 0\n}\n";
	const uint64_t address = parameters[0] + 64;
	struct device_module *m = harness_load(ptx);
	char expected[600];

	(void)state;
	assert_int_equal(harness_run(m, "_Z1kPh", &one_thread, &address, 1), DEVICE_TRAP);
	snprintf(
	    expected, sizeof expected,
	    "kernel 'k': read-only mark violated: the store of line 10 writes what a marked load of this launch takes: "
	    "0x%llx, 66 bytes into data (12288 bytes at 0x%llx) at 'st.u8 [%%a+2], 1;' in 'put' (sum.cu:20), CTA (0,0,0), "
	    "thread (0,0,0); the other one is 'ld.global.ro.u32 %%x, [%%a];' (sum.cu:30, inlined from in.h:5), line 20",
	    (unsigned long long)address + 2, (unsigned long long)parameters[0]);
	assert_string_equal(harness_diag.message, expected);
	harness_unload(m);
}

/* --- Launches --- */

static void test_launches_are_apart(void **state)
{
	const struct harness_launch one_warp = {.block = {32}};
	const uint64_t data = parameters[0], other = parameters[1];
	const uint64_t loads_data[] = {data, other, 0}, writes_data[] = {other, data, 0}, both[] = {data, data, 0};
	struct device_module *m;
	char ptx[8000];

	(void)state;
	snprintf(ptx, sizeof ptx, "%sld.global.ro.u32 %%x, [%%a];\nst.global.u32 [%%b], %%i;\nret;\n}\n", head);
	m = harness_load(ptx);
	for (int i = 0; i < 3; i++) {
		harness_run_ok(m, "k", &one_warp, loads_data, 3);
		harness_run_ok(m, "k", &one_warp, writes_data, 3);
		assert_int_equal(harness_run(m, "k", &one_warp, both, 3), DEVICE_TRAP);
	}
	harness_unload(m);
}

static void test_memory_may_come_back(void **state)
{
	const struct harness_launch one_warp = {.block = {32}};
	void *first = harness_alloc(4096, "first"), *second;
	uint64_t params[] = {DEVICE_POINTER(first), parameters[1], 0};
	struct device_module *m;
	char ptx[8000];

	(void)state;
	snprintf(ptx, sizeof ptx, "%sld.global.ro.u32 %%x, [%%a];\nst.global.u32 [%%b], %%i;\nret;\n}\n", head);
	m = harness_load(ptx);
	harness_run_ok(m, "k", &one_warp, params, 3);
	harness_free(first);
	second = harness_alloc(4096, "second");
	assert_ptr_equal(first, second);
	params[0] = parameters[1];
	params[1] = DEVICE_POINTER(second);
	harness_run_ok(m, "k", &one_warp, params, 3);
	harness_unload(m);
}

/* --- Marks that the analysis makes --- */

/* From here to the end of a test marks are made, and no notices. */
static void open_marking(uint64_t params[2])
{
	setenv("ROMARK_VERIFY", "1", 1);
	harness_open_with("ROMARK_QUIET", "1");
	unsetenv("ROMARK_VERIFY");
	params[0] = DEVICE_POINTER(harness_alloc(64, "from"));
	params[1] = DEVICE_POINTER(harness_alloc(64, "to"));
}

#define MARKED_KERNEL(registers, body)                                                                                 \
	".visible .entry k(.param .u64 from, .param .u64 to)\n{\n.reg .u64 %f, %t;\n.reg .u32 %x;\n" registers         \
	"ld.param.u64 %f, [from];\nld.param.u64 %t, [to];\nld.global.u32 %x, [%f];\n" body                             \
	"st.global.u32 [%t], %x;\nret;\n}\n"

/* If its guards fail, a kernel has no marked loads, and marks of earlier launches do not matter. */
static void test_a_launch_without_its_marks_is_not_checked(void **state)
{
	struct device_module *m;
	uint64_t apart[2];

	open_marking(apart);
	m = harness_load(MARKED_KERNEL("", ""));
	const uint64_t aliased[] = {apart[0], apart[0]};

	for (int i = 0; i < 2; i++) {
		harness_run_ok(m, "k", &one_thread, apart, 2);
		harness_run_ok(m, "k", &one_thread, aliased, 2);
	}
	harness_unload(m);
	open_verifying(state);
}

/*
 * The analysis does not follow bits that travel only by control flow. Here these are the bits of the distance between
 * two buffers, by which the store gets from one to the other. The load is marked, and no guard covers it.
 */
static void test_a_wrong_mark_is_caught(void **state)
{
	struct device_module *m;
	uint64_t apart[2];

	open_marking(apart);
	m = harness_load(MARKED_KERNEL(".reg .u64 %apart, %bit, %has, %n;\n.reg .pred %p;\n",
				       "sub.u64 %apart, %f, %t;\nmov.u64 %n, 0;\nmov.u64 %bit, 1;\nL:\n"
				       "and.b64 %has, %apart, %bit;\nsetp.ne.u64 %p, %has, 0;\n@!%p bra N;\n"
				       "or.b64 %n, %n, %bit;\nN:\nshl.b64 %bit, %bit, 1;\n"
				       "setp.ne.u64 %p, %bit, 0;\n@%p bra L;\nadd.u64 %t, %t, %n;\n"));
	assert_int_equal(harness_run(m, "k", &one_thread, apart, 2), DEVICE_TRAP);
	expect_in_message("0 bytes into from", "k");
	expect_in_message("the other one is 'ld.global.ro.u32", "k");
	harness_unload(m);
	open_verifying(state);
}

/* The same of a texture's texels, by an offset that leaves its buffer. */
static void test_texels_are_marked_loads(void **state)
{
	static const char ptx[] =
	    ".visible .entry k(.param .u64 from, .param .u64 to, .param .u64 apart)\n{\n"
	    ".reg .u64 %f, %t, %n;\n.reg .u32 %i;\n.reg .f32 %r, %s, %u, %v;\nmov.u32 %i, 2;\n"
	    "ld.param.u64 %f, [from];\nld.param.u64 %t, [to];\ncvta.to.global.u64 %t, %t;\nld.param.u64 %n, [apart];\n"
	    "tex.1d.v4.f32.s32 {%r, %s, %u, %v}, [%f, {%i}];\nadd.u64 %t, %t, %n;\n"
	    "st.global.f32 [%t], %r;\nret;\n}\n";
	struct device_module *m;
	uint64_t apart[2], params[3];

	open_marking(apart);
	m = harness_load(ptx);
	params[0] = image_of((void *)(uintptr_t)apart[0], false);
	params[1] = apart[1];
	params[2] = apart[0] - apart[1] + 12; /* behind the texel */
	harness_run_ok(m, "k", &one_thread, params, 3);
	params[2] -= 4;
	assert_int_equal(harness_run(m, "k", &one_thread, params, 3), DEVICE_TRAP);
	expect_in_message("8 bytes into from", "k");
	expect_in_message("the other one is 'tex.1d", "k");
	harness_unload(m);
	open_verifying(state);
}

/* --- Kernels launched by kernels --- */

#define DECLARATIONS                                                                                                   \
	".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 k, .param .align 4 .b8 g[12], "      \
	".param .align 4 .b8 b[12], .param .b32 s);\n"                                                                 \
	".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 p, .param .b64 s);\n"                      \
	".extern .func (.param .b32 r) cudaDeviceSynchronize();\n"
#define REGISTERS ".reg .u64 %d, %k, %q;\n.reg .u32 %x, %e;\nld.param.u64 %d, [data];\n"
#define KERNEL(name, body) ".visible .entry " name "(.param .u64 data)\n{\n" REGISTERS body "ret;\n}\n"
#define LAUNCH(kernel, stream)                                                                                          \
	"mov.u64 %k, " kernel ";\n{\n.param .b64 a;\n.param .align 4 .b8 g[12];\n.param .align 4 .b8 b[12];\n"          \
	".param .b32 s;\n.param .b64 r;\nst.param.b64 [a], %k;\nst.param.b32 [g], 1;\nst.param.b32 [g+4], 1;\n"         \
	"st.param.b32 [g+8], 1;\nst.param.b32 [b], 1;\nst.param.b32 [b+4], 1;\nst.param.b32 [b+8], 1;\n"                \
	"st.param.b32 [s], 0;\ncall.uni (r), __cudaCDP2GetParameterBufferV2, (a, g, b, s);\nld.param.b64 %q, [r];\n}\n" \
	"st.u64 [%q], %d;\n"                                                                                            \
	"{\n.param .b64 a;\n.param .b64 t;\n.param .b32 r;\nst.param.b64 [a], %q;\nst.param.b64 [t], " stream ";\n"     \
	"call.uni (r), __cudaCDP2LaunchDeviceV2, (a, t);\nld.param.b32 %e, [r];\n}\n"
#define WAIT "{\n.param .b32 r;\ncall.uni (r), cudaDeviceSynchronize, ();\nld.param.b32 %e, [r];\n}\n"
#define LOAD "ld.global.ro.u32 %x, [%d];\n"
#define STORE "st.global.u32 [%d], 7;\n"
#define TAIL_STREAM "3"

static const char nested_ptx[] = DECLARATIONS KERNEL("loads", LOAD) KERNEL("stores", STORE)
    KERNEL("between", LAUNCH("stores", "0")) KERNEL("child_stores", LOAD LAUNCH("stores", "0"))
	KERNEL("grandchild_stores", LOAD LAUNCH("between", "0")) KERNEL("child_loads", STORE LAUNCH("loads", "0"))
	    KERNEL("one_after_the_other", LAUNCH("loads", "0") LAUNCH("stores", "0") LAUNCH("loads", "0"))
		KERNEL("tail_stores", LOAD LAUNCH("stores", TAIL_STREAM))
		    KERNEL("tail_of_child", LAUNCH("tail_stores", "0"))
			KERNEL("between_tail", LAUNCH("stores", TAIL_STREAM))
			    KERNEL("parent_of_tail", LOAD LAUNCH("between_tail", "0"))
				KERNEL("loads_behind_child", LAUNCH("stores", "0") WAIT LOAD)
				    KERNEL("stores_behind_child", LAUNCH("loads", "0") WAIT STORE);

static void test_a_child_runs_inside_its_parent(void **state)
{
	static const struct {
		const char *kernel, *says; /* says NULL: no violation */
	} cases[] = {
	    {"child_stores", "of kernel 'child_stores'"},
	    {"grandchild_stores", "of kernel 'grandchild_stores'"},
	    {"loads_behind_child", "of kernel 'stores'"},
	    {"parent_of_tail", "of kernel 'parent_of_tail'"},
	    {"child_loads", NULL},
	    {"one_after_the_other", NULL},
	    {"tail_stores", NULL},
	    {"tail_of_child", NULL},
	    {"stores_behind_child", NULL},
	};
	struct device_module *m = harness_load(nested_ptx);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		enum device_status status = harness_run(m, cases[i].kernel, &one_thread, parameters, 1);

		if (status != (cases[i].says ? DEVICE_TRAP : DEVICE_OK))
			fail_msg("%s: %s", cases[i].kernel, harness_diag.message);
		if (cases[i].says)
			expect_in_message(cases[i].says, cases[i].kernel);
	}
	harness_unload(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_every_way_to_write_is_seen),
	    cmocka_unit_test(test_bytes_count_not_words),
	    cmocka_unit_test(test_what_is_no_violation_is_none),
	    cmocka_unit_test(test_a_marked_load_is_of_device_memory),
	    cmocka_unit_test(test_a_message_has_both_places),
	    cmocka_unit_test(test_launches_are_apart),
	    cmocka_unit_test(test_memory_may_come_back),
	    cmocka_unit_test(test_a_launch_without_its_marks_is_not_checked),
	    cmocka_unit_test(test_a_wrong_mark_is_caught),
	    cmocka_unit_test(test_texels_are_marked_loads),
	    cmocka_unit_test(test_a_child_runs_inside_its_parent),
	};

	return cmocka_run_group_tests(tests, open_verifying, harness_teardown);
}
