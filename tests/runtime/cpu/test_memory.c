/* Memory: spaces, widths, vectors, initialisers, atomics, and every way an access can be wrong. */
#include "tests/runtime/cpu/harness.h"

#include "runtime/cpu/engine/device_memory.h"

#include <stdio.h>
#include <sys/mman.h>

static void run(const char *ptx, unsigned threads, unsigned shared, const uint64_t *params, size_t nparams)
{
	const struct harness_launch launch = {.block = {threads}, .shared = shared};
	struct device_module *m = harness_load(ptx);

	harness_run_ok(m, "k", &launch, params, nparams);
	harness_unload(m);
}

/* --- Widths and vectors --- */

/* Thread i copies element perm(i) of `in` to element i of `out`, in every width; the address pattern is chosen. */
static void copy_elements(const char *type, const char *reg, unsigned vec, unsigned bytes, int pattern)
{
	enum { THREADS = 64 };
	uint8_t *in = harness_alloc(THREADS * bytes, "in"), *out = harness_alloc(THREADS * bytes, "out");
	const uint64_t params[] = {DEVICE_POINTER(in), DEVICE_POINTER(out)};
	static const char *const index[] = {"mov.u32 %j, %i;", "mov.u32 %j, 5;", "xor.b32 %j, %i, 29;",
					    "{ .reg .pred %p; setp.gt.u32 %p, %i, 40; @%p bra END; mov.u32 %j, %i; }"};
	char ptx[1600], vector[16] = "", registers[64] = "%v0";

	if (vec > 1)
		snprintf(vector, sizeof vector, ".v%u", vec);
	if (vec == 2)
		snprintf(registers, sizeof registers, "{%%v0, %%v1}");
	if (vec == 4)
		snprintf(registers, sizeof registers, "{%%v0, %%v1, %%v2, %%v3}");
	snprintf(
	    ptx, sizeof ptx,
	    ".visible .entry k(.param .u64 a, .param .u64 b)\n{\n.reg .u64 %%a, %%b, %%w;\n.reg .u32 %%i, %%j;\n"
	    ".reg %s %%v<4>;\n.shared .align 16 .b8 box[%u];\n.local .align 16 .b8 own[%u];\n"
	    "ld.param.u64 %%a, [a];\nld.param.u64 %%b, [b];\nmov.u32 %%i, %%tid.x;\n%s\nmul.wide.u32 %%w, %%j, %u;\n"
	    "add.u64 %%a, %%a, %%w;\nmul.wide.u32 %%w, %%i, %u;\nadd.u64 %%b, %%b, %%w;\n"
	    "ld.global%s.%s %s, [%%a];\n"
	    "st.local%s.%s [own+%u], %s;\nld.local%s.%s %s, [own+%u];\n"
	    "mov.u64 %%a, box;\nadd.u64 %%a, %%a, %%w;\nst.shared%s.%s [%%a], %s;\nld.shared%s.%s %s, [%%a];\n"
	    "cvta.shared.u64 %%a, %%a;\nst%s.%s [%%a], %s;\nld%s.%s %s, [%%a];\n"
	    "st%s.%s [%%b], %s;\nEND:\nret;\n}\n",
	    reg, THREADS * bytes, 2 * bytes, index[pattern], bytes, bytes, vector, type, registers, vector, type, bytes,
	    registers, vector, type, registers, bytes, vector, type, registers, vector, type, registers, vector, type,
	    registers, vector, type, registers, vector, type, registers);
	for (unsigned i = 0; i < THREADS * bytes; i++)
		in[i] = (uint8_t)harness_random();
	run(ptx, THREADS, 0, params, 2);
	for (unsigned i = 0; i < THREADS; i++) {
		unsigned from = pattern == 0 || pattern == 3 ? i : pattern == 1 ? 5 : i ^ 29;
		static const uint8_t zeros[32];

		assert_memory_equal(out + i * bytes, pattern == 3 && i > 40 ? zeros : in + from * bytes, bytes);
	}
	harness_free(in);
	harness_free(out);
}

static void test_widths(void **state)
{
	static const struct {
		const char *type, *reg;
		unsigned vec, bytes;
	} forms[] = {
	    {"u8", ".b16", 1, 1},     {"s8", ".b32", 1, 1},   {"b16", ".b16", 1, 2}, {"s16", ".b32", 1, 2},
	    {"u32", ".b32", 1, 4},    {"f32", ".f32", 1, 4},  {"f64", ".f64", 1, 8}, {"b64", ".b64", 1, 8},
	    {"b128", ".b128", 1, 16}, {"u8", ".b16", 4, 4},   {"u16", ".b16", 2, 4}, {"f32", ".f32", 2, 8},
	    {"u32", ".b32", 4, 16},   {"f64", ".f64", 2, 16}, {"s32", ".b64", 1, 4}, {"u8", ".b64", 1, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
		for (int pattern = 0; pattern < 4; pattern++)
			copy_elements(forms[i].type, forms[i].reg, forms[i].vec, forms[i].bytes, pattern);
}

/* Narrow loads into wide registers are extended by their type. */
static void test_extension(void **state)
{
	int64_t *out = harness_alloc(64, "out");
	const uint64_t params[] = {DEVICE_POINTER(out)};

	(void)state;
	run(".global .align 8 .b8 bytes[8] = {0x80, 0xff, 0xfe, 0xff, 0xfd, 0xff, 0xff, 0xff};\n"
	    ".visible .entry k(.param .u64 o)\n{\n.reg .u64 %o, %d;\n.reg .u32 %r;\nld.param.u64 %o, [o];\n"
	    "ld.global.s8 %d, [bytes];\nst.u64 [%o], %d;\nld.global.u8 %d, [bytes];\nst.u64 [%o+8], %d;\n"
	    "ld.global.s16 %d, [bytes+2];\nst.u64 [%o+16], %d;\nld.global.s32 %d, [bytes+4];\nst.u64 [%o+24], %d;\n"
	    "ld.global.s8 %r, [bytes];\nst.u32 [%o+32], %r;\nst.u8 [%o+40], %d;\nret;\n}\n",
	    1, 0, params, 1);
	assert_int_equal(out[0], -128);
	assert_int_equal(out[1], 128);
	assert_int_equal(out[2], -2);
	assert_int_equal(out[3], -3);
	assert_int_equal((int32_t)out[4], -128);
	assert_int_equal(out[5], 0xfd);
	harness_free(out);
}

static void test_initialisers(void **state)
{
	uint64_t *out = harness_alloc(64, "out");
	const uint64_t params[] = {DEVICE_POINTER(out)};

	(void)state;
	run(".const .align 4 .f32 half = 0f3F000000;\n.global .align 4 .u32 data[3] = {7, 8, 9};\n"
	    ".global .align 8 .u64 pointer = generic(data)+4;\n"
	    ".visible .entry k(.param .u64 o)\n{\n.reg .u64 %o, %p;\n.reg .u32 %r;\n.reg .f32 %f;\nld.param.u64 %o, [o];\n"
	    "ld.const.f32 %f, [half];\nst.f32 [%o], %f;\nld.global.u64 %p, [pointer];\nld.u32 %r, [%p+4];\nst.u32 [%o+4], %r;\n"
	    "mov.u64 %p, data;\nld.global.u32 %r, [%p];\nst.u32 [%o+8], %r;\nret;\n}\n",
	    1, 0, params, 1);
	assert_int_equal(((uint32_t *)out)[0], 0x3f000000);
	assert_int_equal(((uint32_t *)out)[1], 9);
	assert_int_equal(((uint32_t *)out)[2], 7);
	harness_free(out);
}

static void test_dynamic_shared(void **state)
{
	uint32_t *out = harness_alloc(64 * 4, "out");
	const uint64_t params[] = {DEVICE_POINTER(out)};

	(void)state;
	run(".extern .shared .align 16 .b8 heap[];\n.visible .entry k(.param .u64 o)\n{\n.reg .u64 %o, %p, %w;\n"
	    ".reg .u32 %i, %j, %r;\n.shared .align 4 .b8 fixed[20];\nld.param.u64 %o, [o];\nmov.u32 %i, %tid.x;\n"
	    "mul.wide.u32 %w, %i, 4;\nmov.u64 %p, heap;\nadd.u64 %p, %p, %w;\nst.shared.u32 [%p], %i;\nst.shared.u32 [fixed+16], 5;\n"
	    "bar.sync 0;\nsub.u32 %j, 63, %i;\nmul.wide.u32 %w, %j, 4;\nmov.u64 %p, heap;\nadd.u64 %p, %p, %w;\n"
	    "ld.shared.u32 %r, [%p];\nmul.wide.u32 %w, %i, 4;\nadd.u64 %o, %o, %w;\nst.global.u32 [%o], %r;\nret;\n}\n",
	    64, 256, params, 1);
	for (uint32_t i = 0; i < 64; i++)
		assert_int_equal(out[i], 63 - i);
	harness_free(out);
}

/* --- Atomics: all threads on one word, then the sum of what they saw --- */

struct atomic_case {
	const char *op, *type, *reg;
	uint64_t start, operand, expected;
};

static void test_atomics(void **state)
{
	static const struct atomic_case cases[] = {
	    {"add", "u32", ".b32", 5, 3, 5 + 3 * 40},
	    {"add", "u64", ".b64", UINT64_C(0xffffffff), 2, UINT64_C(0xffffffff) + 80},
	    {"add", "s32", ".b32", 0, UINT64_C(0xffffffff), UINT64_C(0xffffffd8)},
	    {"min", "s32", ".b32", 7, UINT64_C(0xfffffff0), UINT64_C(0xfffffff0)},
	    {"min", "u32", ".b32", 7, UINT64_C(0xfffffff0), 7},
	    {"max", "s64", ".b64", 7, UINT64_MAX, 7},
	    {"max", "u64", ".b64", 7, UINT64_MAX, UINT64_MAX},
	    {"inc", "u32", ".b32", 0, 6, 40 % 7},
	    {"dec", "u32", ".b32", 3, 6, 5},
	    {"and", "b32", ".b32", 0xff, 0x3c, 0x3c},
	    {"or", "b64", ".b64", 1, UINT64_C(0x8000000000000000), UINT64_C(0x8000000000000001)},
	    {"xor", "b32", ".b32", 1, 3, 1},
	    {"exch", "b32", ".b32", 1, 77, 77},
	    {"add", "f32", ".f32", 0x3f800000, 0x3f000000, 0x41a80000},
	    {"add", "f64", ".f64", 0, UINT64_C(0x3ff8000000000000), UINT64_C(0x404e000000000000)},
	    {"add.noftz", "f16x2", ".b32", 0, 0x3c004000, 0x51005500},
	    {"add.noftz", "bf16", ".b16", 0, 0x3f80, 0x4220},
	};
	static const char *const spaces[] = {"global", "shared"};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (int s = 0; s < 2; s++) {
			const struct atomic_case *c = &cases[i];
			uint64_t *out = harness_alloc(16, "out");
			const uint64_t params[] = {DEVICE_POINTER(out), c->operand, c->start};
			char ptx[1200];

			snprintf(
			    ptx, sizeof ptx,
			    ".visible .entry k(.param .u64 o, .param .u64 v, .param .u64 s)\n{\n.reg .u64 %%o, %%p, %%s, %%v64;\n"
			    ".reg .u32 %%v32;\n.reg .u16 %%v16;\n.reg %s %%v, %%old;\n.shared .align 8 .b8 box[8];\n"
			    "ld.param.u64 %%o, [o];\nld.param%s %%v, [v];\nld.param.u64 %%s, [s];\n%s\n"
			    "st.%s.u64 [%%p], %%s;\nbar.sync 0;\n%s.%s.%s.%s %s[%%p], %%v;\nbar.sync 0;\n"
			    "ld.%s.u64 %%s, [%%p];\nst.global.u64 [%%o], %%s;\nret;\n}\n",
			    c->reg, c->reg, s ? "mov.u64 %p, box;" : "add.u64 %p, %o, 8;", spaces[s],
			    i & 1 ? "red" : "atom", spaces[s], c->op, c->type, i & 1 ? "" : "%old, ", spaces[s]);
			if (strcmp(c->op, "exch") == 0 && i & 1) {
				harness_free(out);
				continue;
			}
			run(ptx, 40, 0, params, 3);
			if (out[0] != c->expected)
				fail_msg("%s.%s.%s: 0x%llx, expected 0x%llx", spaces[s], c->op, c->type,
					 (unsigned long long)out[0], (unsigned long long)c->expected);
			harness_free(out);
		}
}

/* Compare-and-swap loops: 64 threads add 1 to a word. */
static void test_compare_and_swap(void **state)
{
	uint32_t *word = harness_alloc(16, "word");
	const uint64_t params[] = {DEVICE_POINTER(word)};

	(void)state;
	run(".visible .entry k(.param .u64 o)\n{\n.reg .u64 %o;\n.reg .u32 %old, %new, %seen;\n.reg .pred %p;\nld.param.u64 %o, [o];\n"
	    "ld.global.u32 %old, [%o];\nAGAIN:\nadd.u32 %new, %old, 1;\natom.global.cas.b32 %seen, [%o], %old, %new;\n"
	    "setp.ne.u32 %p, %seen, %old;\nmov.u32 %old, %seen;\n@%p bra AGAIN;\nret;\n}\n",
	    64, 0, params, 1);
	assert_int_equal(word[0], 64);
	harness_free(word);
}

static void test_alloca(void **state)
{
	uint32_t *out = harness_alloc(32 * 4, "out");
	const uint64_t params[] = {DEVICE_POINTER(out)};

	(void)state;
	run(".visible .entry k(.param .u64 o)\n{\n.reg .u64 %o, %p, %q, %n, %w, %s;\n.reg .u32 %i, %v, %u;\nld.param.u64 %o, [o];\n"
	    "mov.u32 %i, %tid.x;\ncvt.u64.u32 %n, %i;\nmad.lo.u64 %n, %n, 4, 4;\nstacksave.u64 %s;\nalloca.u64 %p, %n, 16;\n"
	    "alloca.u64 %q, 8;\nst.local.u32 [%p], %i;\nst.local.u32 [%q+4], 7;\nld.local.u32 %v, [%p];\nld.local.u32 %u, [%q+4];\n"
	    "add.u32 %v, %v, %u;\nstackrestore.u64 %s;\nmul.wide.u32 %w, %i, 4;\nadd.u64 %o, %o, %w;\nst.global.u32 [%o], %v;\n"
	    "ret;\n}\n",
	    32, 0, params, 1);
	for (uint32_t i = 0; i < 32; i++)
		assert_int_equal(out[i], i + 7);
	harness_free(out);
}

/* --- Wrong accesses --- */

static void expect(const char *body, uint64_t address, enum device_status status, const char *words)
{
	const struct harness_launch launch = {.grid = {3}, .block = {64}};
	struct device_module *m;
	char ptx[900];

	snprintf(
	    ptx, sizeof ptx,
	    ".visible .entry k(.param .u64 o)\n{\n.reg .u64 %%o;\n.reg .u32 %%i, %%v;\n.reg .pred %%p;\n"
	    ".shared .align 4 .b8 box[64];\n.local .align 4 .b8 own[16];\nld.param.u64 %%o, [o];\nmov.u32 %%i, %%tid.x;\n"
	    "setp.ne.u32 %%p, %%i, 37;\n@%%p bra END;\n%s\nEND:\nret;\n}\n",
	    body);
	m = harness_load(ptx);
	assert_int_equal(harness_run(m, "k", &launch, &address, 1), status);
	if (!strstr(harness_diag.message, words))
		fail_msg("'%s' is not in: %s", words, harness_diag.message);
	harness_unload(m);
}

static void test_wrong_accesses(void **state)
{
	uint32_t *data;
	uint64_t at;

	(void)state;
	harness_open();
	data = harness_alloc(64, "data");
	at = DEVICE_POINTER(data);
	expect("ld.global.u32 %v, [%o];", 0, DEVICE_ILLEGAL_ADDRESS,
	       "illegal address 0x0 of global memory, in no allocation, at 'ld.global.ro.u32 %v, [%o];'");
	expect("ld.global.u32 %v, [%o];", 0, DEVICE_ILLEGAL_ADDRESS, "CTA (0,0,0), thread (37,0,0)");
	expect("ld.global.u32 %v, [%o];", at + 2, DEVICE_MISALIGNED, "2 bytes into data (64 bytes at");
	expect("st.global.u64 [%o], %o;", at + 4, DEVICE_MISALIGNED, "misaligned address");
	expect("ld.global.v4.u32 {%v, _, _, _}, [%o];", at + 8, DEVICE_MISALIGNED, "misaligned address");
	expect("st.global.u32 [%o], 1;", at + (1 << 20), DEVICE_ILLEGAL_ADDRESS,
	       "1048512 bytes behind the end of data");
	expect("ld.u32 %v, [%o];", UINT64_MAX - 3, DEVICE_ILLEGAL_ADDRESS,
	       "illegal address 0xfffffffffffffffc of global memory, in no allocation, at");
	expect("ld.global.u32 %v, [%o];", at + (UINT64_C(1) << 34), DEVICE_ILLEGAL_ADDRESS,
	       " of global memory, in no allocation, at");
	expect("ld.global.u32 %v, [%o];", at - 8, DEVICE_ILLEGAL_ADDRESS,
	       " of global memory, 8 bytes before data (64 bytes at");
	expect("ld.const.u32 %v, [%o];", at + 65, DEVICE_MISALIGNED,
	       " of const memory, 1 bytes behind the end of data");
	expect("ld.param.u32 %v, [%o];", 4096, DEVICE_ILLEGAL_ADDRESS,
	       " 0x1000 of param memory, which has 8 bytes, at");
	expect("atom.global.add.u32 %v, [%o], 1;", 12, DEVICE_ILLEGAL_ADDRESS, "illegal address 0xc");
	expect("red.global.add.u32 [%o], 1;", at + 1, DEVICE_MISALIGNED, "misaligned");
	expect("st.shared.u32 [%o], 1;", 64, DEVICE_ILLEGAL_ADDRESS,
	       "illegal address 0x40 of shared memory, which has 0 bytes, at 'st.shared.u32 [%o], 1;'");
	expect("ld.shared.u32 %v, [box+60];", 0, DEVICE_OK, "");
	expect("ld.shared.u32 %v, [box+64];", 0, DEVICE_ILLEGAL_ADDRESS, "illegal address");
	expect("ld.local.u32 %v, [own+16];", 0, DEVICE_ILLEGAL_ADDRESS,
	       "illegal address 0x10 of local memory, which has 16 bytes, at");
	expect("cvta.shared.u64 %o, %o;\nst.u32 [%o], 1;", 100, DEVICE_ILLEGAL_ADDRESS,
	       "(offset 100 of shared memory, which has 0 bytes) at");
	expect("cvta.shared.u64 %o, %o;\nst.shared.u32 [%o], 1;", 0, DEVICE_ILLEGAL_ADDRESS,
	       "of shared memory, which has 0 bytes, at 'st.shared.u32 [%o], 1;'");
	expect("mov.u64 %o, own;\ncvta.local.u64 %o, %o;\nst.local.u32 [%o], 1;", 0, DEVICE_ILLEGAL_ADDRESS,
	       "of local memory, which has 16 bytes, at 'st.local.u32 [%o], 1;'");
	expect("trap;", 0, DEVICE_TRAP, "trap instruction executed");
	harness_free(data);
}

/* A host address is not device memory. */
static void test_host_address(void **state)
{
	uint32_t word = 0;

	(void)state;
	expect("st.global.u32 [%o], 1;", DEVICE_POINTER(&word), DEVICE_ILLEGAL_ADDRESS, "illegal address");
	assert_int_equal(word, 0);
}

/* The check of memory reports a fault in lines of its own, in place of the sentence. */
static void expect_report(const char *body, uint64_t offset, const char *says)
{
	const char *heard;

	harness_listen();
	expect(body, offset, says ? DEVICE_ILLEGAL_ADDRESS : DEVICE_OK, "");
	heard = harness_heard();
	if (says ? !strstr(heard, says) : *heard)
		fail_msg("'%s'\nexpected: %s\nsaid: %s", body, says ? says : "nothing", heard);
}

static void test_check_of_memory(void **state)
{
	uint32_t *data, *freed;

	(void)state;
	harness_open_with("ROMARK_CHECK", "memory");
	data = harness_alloc(60, "data");
	freed = harness_alloc(60, "freed");
	harness_alloc(60, "last");
	harness_free(freed);
	expect_report("ld.global.u32 %v, [%o];", DEVICE_POINTER(data + 14), NULL);
	expect_report("ld.global.u32 %v, [%o];", DEVICE_POINTER(data + 15), "Invalid __global__ read of size 4 bytes");
	expect_report("st.global.u32 [%o], %v;", DEVICE_POINTER(data + 15), "0 bytes behind the end of data");
	expect_report("ld.global.u64 %o, [%o];", DEVICE_POINTER(data + 14), "56 bytes into data");
	expect_report("atom.global.add.u32 %v, [%o], 1;", DEVICE_POINTER(data + 15),
		      "Invalid __global__ atomic access");
	expect_report("st.shared.u32 [box], 1;", 0, NULL);
	expect_report("st.shared.u32 [box+4096], 1;", 0, "Invalid __shared__ write of size 4 bytes");
	/* Freed memory keeps its place, so that it is not taken for what came there later. */
	harness_alloc(60, "later");
	expect_report("ld.global.u32 %v, [%o];", DEVICE_POINTER(freed + 2),
		      "is freed memory, 8 bytes into freed (60 bytes");
	harness_open();
}

static void test_freed_memory_is_used_again_when_nothing_else_is_left(void **state)
{
	const uint64_t room = UINT64_C(256) << 20;
	struct device *dev;
	uint64_t address;

	(void)state;
	harness_open_with("ROMARK_CHECK", "memory");
	dev = harness_device();
	assert_int_equal(cpu_device_ops.alloc(dev, MEMORY_BYTES - room, "most", &address), DEVICE_OK);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(cpu_device_ops.alloc(dev, room, "rest", &address), DEVICE_OK);
		assert_int_equal(cpu_device_ops.release(dev, address), DEVICE_OK);
		assert_int_equal(cpu_device_ops.release(dev, address), DEVICE_ILLEGAL_ADDRESS);
	}
	harness_open();
}

/* --- The allocator and copies --- */

static void test_allocator(void **state)
{
	struct device *dev = harness_device();
	uint64_t a, b, c, base;
	size_t size, before, now, total;

	(void)state;
	cpu_device_ops.memory_info(dev, &before, &total);
	assert_int_equal(cpu_device_ops.alloc(dev, 1000, "a", &a), DEVICE_OK);
	assert_int_equal(cpu_device_ops.alloc(dev, 1, "b", &b), DEVICE_OK);
	assert_int_equal(a % 256, 0);
	assert_int_equal(b, a + 1024);
	cpu_device_ops.memory_info(dev, &now, &total);
	assert_int_equal(before - now, 1024 + 256);
	assert_true(cpu_device_ops.find(dev, a + 999, &base, &size));
	assert_int_equal(base, a);
	assert_int_equal(size, 1000);
	assert_false(cpu_device_ops.find(dev, a + 1000, &base, &size));
	assert_int_equal(cpu_device_ops.release(dev, a + 1), DEVICE_ILLEGAL_ADDRESS);
	assert_int_equal(cpu_device_ops.release(dev, a), DEVICE_OK);
	assert_int_equal(cpu_device_ops.release(dev, a), DEVICE_ILLEGAL_ADDRESS);
	assert_int_equal(cpu_device_ops.alloc(dev, 500, "c", &c), DEVICE_OK);
	assert_int_equal(c, a);
	assert_int_equal(cpu_device_ops.alloc(dev, total, "too much", &a), DEVICE_OUT_OF_MEMORY);
	assert_int_equal(cpu_device_ops.alloc(dev, SIZE_MAX, "too much", &a), DEVICE_OUT_OF_MEMORY);
	cpu_device_ops.release(dev, b);
	cpu_device_ops.release(dev, c);
}

/*
 * An allocator that looks at every allocation there is gives what the tree does, and the tree looks at few: a perfect
 * tree of 40,000 is 16 deep, and an allocation goes down it twice.
 */
static void test_allocator_scales(void **state)
{
	enum { COUNT = 40000, HELD = 64, STEPS = 64 };
	struct memory m;
	struct diag d = DIAG_INIT;
	uint64_t address[HELD] = {0}, at = 0, other;

	(void)state;
	harness_close();
	assert_int_equal(memory_open(&m, &d), 0);
	for (uint64_t i = 0; i < COUNT; i++) {
		assert_true(memory_alloc(&m, 300, "block", &at));
		assert_int_equal(at, MEMORY_BASE + i * 512);
	}
	assert_in_range(m.live.steps, COUNT, (uint64_t)COUNT * STEPS);
	assert_int_equal(m.used, (uint64_t)COUNT * 512);
	/* Holes of every size: the allocator takes the first that is large enough. */
	for (uint64_t i = 0; i < HELD; i++)
		for (uint64_t k = 0; k <= i; k++)
			assert_true(memory_release(&m, MEMORY_BASE + (i * 100 + k) * 512));
	for (uint64_t i = HELD; i-- > 0;) {
		assert_true(memory_alloc(&m, (i + 1) * 512, "fits", &address[i]));
		assert_int_equal(address[i], MEMORY_BASE + i * 100 * 512);
	}
	assert_true(memory_alloc(&m, 1, "behind", &other));
	assert_int_equal(other, MEMORY_BASE + (uint64_t)COUNT * 512);
	assert_int_equal(memory_find(&m, address[7] + 8 * 512 - 1)->address, address[7]);
	assert_string_equal(memory_find(&m, address[7] + 8 * 512)->name, "block");
	assert_null(memory_find(&m, other + 1));
	m.live.steps = 0;
	while (memory_above(&m, 0))
		assert_true(memory_release(&m, memory_above(&m, 0)->address));
	assert_in_range(m.live.steps, 1, (uint64_t)COUNT * STEPS);
	assert_int_equal(m.used, 0);
	memory_close(&m);
	harness_open();
}

/* Pages that a variable and the host have in common: contents of the variable, neighbours of the host. */
static void test_shared_pages(void **state)
{
	static const char ptx[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
				  ".visible .global .align 4096 .u32 own[2] = {7, 8};\n"
				  ".visible .global .align 4 .u32 small = 9;\n";
	struct device *dev = harness_device();
	uint32_t *host = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct device_module *module;
	struct diag d = DIAG_INIT;
	uint64_t address;
	size_t size;
	volatile uint32_t *device;

	(void)state;
	assert_ptr_not_equal(host, MAP_FAILED);
	host[0] = 1;
	host[2] = 3;
	host[1024] = 5;
	assert_int_equal(cpu_device_ops.load(dev, ptx, sizeof ptx, "shared", &module, &d), DEVICE_OK);
	assert_int_equal(cpu_device_ops.share(dev, module, "small", host), DEVICE_NOT_FOUND);
	assert_int_equal(cpu_device_ops.share(dev, module, "none", host), DEVICE_NOT_FOUND);
	assert_int_equal(cpu_device_ops.share(dev, module, "own", host + 1), DEVICE_NOT_FOUND);
	assert_int_equal(cpu_device_ops.share(dev, module, "own", host), DEVICE_OK);
	assert_int_equal(cpu_device_ops.variable(dev, module, "own", &address, &size), DEVICE_OK);
	assert_int_equal(address % 4096, 0);
	assert_int_equal(size, 8);
	device = (volatile uint32_t *)(uintptr_t)address;
	assert_int_equal(host[0], 7);
	assert_int_equal(host[1], 8);
	assert_int_equal(host[2], 3);
	assert_int_equal(host[1024], 5);
	*(volatile uint32_t *)host = 100;
	assert_int_equal(device[0], 100);
	device[1] = 200;
	assert_int_equal(*(volatile uint32_t *)&host[1], 200);
	cpu_device_ops.unload(dev, module);
	device[0] = 1; /* memory of the device, no longer the host's */
	assert_int_equal(*(volatile uint32_t *)host, 100);
	munmap(host, 8192);
}

/* Whoever writes behind the end of an allocation does not meet a variable of a module that is loaded later. */
static void test_variables_are_apart(void **state)
{
	const uint64_t data = DEVICE_POINTER(harness_alloc(100, "data"));
	struct device *dev = harness_device();
	struct device_module *module;
	uint64_t first, second;
	size_t size;

	(void)state;
	module = harness_load(".global .u32 a = 1;\n.const .u32 b = 2;\n");
	assert_int_equal(cpu_device_ops.variable(dev, module, "a", &first, &size), DEVICE_OK);
	assert_int_equal(cpu_device_ops.variable(dev, module, "b", &second, &size), DEVICE_OK);
	assert_true(first >= data + 100 + (1 << 20));
	assert_int_equal(second - first, 256);
	assert_true(DEVICE_POINTER(harness_alloc(100, "more")) < first);
	harness_unload(module);
	harness_open();
}

/* Modules that come and go take the places of those that are gone, whatever else lives meanwhile. */
static void test_modules_do_not_drift(void **state)
{
	enum { LOADS = 5000, ALIVE = 3 };
	struct device *dev = harness_device();
	struct device_module *alive[ALIVE] = {NULL};
	uint64_t first = 0, address, highest = 0;
	size_t size;

	(void)state;
	for (unsigned i = 0; i < LOADS; i++) {
		void *data = harness_alloc(1 << 16, "data");
		struct device_module **slot = &alive[i % ALIVE];

		if (*slot)
			harness_unload(*slot);
		*slot = harness_load(".global .u32 a = 1;\n.const .u32 b[20];\n");
		assert_int_equal(cpu_device_ops.variable(dev, *slot, "a", &address, &size), DEVICE_OK);
		first = i ? first : address;
		highest = address > highest ? address : highest;
		harness_free(data);
	}
	assert_in_range(highest - first, 0, (uint64_t)ALIVE * (MEMORY_GAP + 4096));
	for (unsigned i = 0; i < ALIVE; i++)
		harness_unload(alive[i]);
	harness_open();
}

static void test_copies(void **state)
{
	struct device *dev = harness_device();
	uint8_t *data = harness_alloc(100, "data"), host[200] = {1, 2, 3};
	const uint32_t pattern = 0xdeadbeef;

	(void)state;
	assert_int_equal(cpu_device_ops.copy(dev, DEVICE_POINTER(data), DEVICE_POINTER(host), 100), DEVICE_OK);
	assert_memory_equal(data, host, 100);
	assert_int_equal(cpu_device_ops.copy(dev, DEVICE_POINTER(data), DEVICE_POINTER(host), 101), DEVICE_BAD_VALUE);
	assert_int_equal(cpu_device_ops.copy(dev, DEVICE_POINTER(host), DEVICE_POINTER(data + 50), 51),
			 DEVICE_BAD_VALUE);
	assert_int_equal(cpu_device_ops.copy(dev, DEVICE_POINTER(data + 1), DEVICE_POINTER(data), 99), DEVICE_OK);
	assert_memory_equal(data + 1, host, 99);
	assert_int_equal(cpu_device_ops.fill(dev, DEVICE_POINTER(data), &pattern, 4, 25), DEVICE_OK);
	assert_memory_equal(data + 96, &pattern, 4);
	assert_int_equal(cpu_device_ops.fill(dev, DEVICE_POINTER(data), &pattern, 4, 26), DEVICE_BAD_VALUE);
	assert_int_equal(cpu_device_ops.fill(dev, DEVICE_POINTER(data), &pattern, 4, SIZE_MAX), DEVICE_BAD_VALUE);
	harness_free(data);
}

/* nvcc splits the index -1 of a row into a register below the variable and an offset that leads back to it. */
static void test_addresses_of_32_bits_wrap(void **state)
{
	uint32_t *out = harness_alloc(4, "out");
	const uint64_t params[] = {DEVICE_POINTER(out)};

	(void)state;
	run(".visible .entry k(.param .u64 o)\n{\n.reg .u64 %o;\n.reg .u32 %s, %v;\n.shared .align 4 .b8 box[16];\n"
	    "ld.param.u64 %o, [o];\nmov.u32 %s, box;\nsub.u32 %s, %s, 4096;\nst.shared.u32 [%s+4100], 40;\n"
	    "atom.shared.add.u32 %v, [%s+4100], 2;\nld.shared.u32 %v, [%s+4100];\nst.global.u32 [%o], %v;\nret;\n}\n",
	    1, 0, params, 1);
	assert_int_equal(*out, 42);
	harness_free(out);
}

/*
 * Clang adds an index that wrapped as an unsigned number to a 64-bit address. Addresses of shared and local memory have
 * 32 bits, so that the sum is right there, in every kind of access.
 */
static void test_long_registers_are_cut(void **state)
{
	static const char *const bodies[] = {
	    "st.shared.u32 [%s], 40;\nst.shared.u32 [%s+4], 41;\natom.shared.max.u32 %v, [%s], 42;\nld.shared.u32 %v, [%s];",
	    "st.shared.v2.u32 [%s], {41, 42};\nld.shared.v2.u32 {_, %v}, [%s];",
	    ("st.global.u32 [%o+16], 42;\ncp.async.ca.shared.global [%s], [%o+16], 4;\ncp.async.wait_all;\n"
	     "ld.shared.u32 %v, [box+64];"),
	    "st.shared.v4.u32 [box+64], {42, 42, 42, 42};\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%v}, [%s];",
	    "st.local.u32 [%l], 42;\nld.local.u32 %v, [own+8];",
	};
	uint32_t *out = harness_alloc(32, "out");
	const uint64_t params[] = {DEVICE_POINTER(out)};
	char ptx[1200];

	(void)state;
	for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
		*out = 0;
		snprintf(ptx, sizeof ptx,
			 ".version 7.8\n.target sm_80\n.address_size 64\n"
			 ".visible .entry k(.param .u64 o)\n{\n.reg .u64 %%o, %%s, %%l;\n.reg .u32 %%v;\n"
			 ".shared .align 16 .b8 box[256];\n.local .align 8 .b8 own[16];\nld.param.u64 %%o, [o];\n"
			 "mov.u64 %%s, box;\nadd.u64 %%s, %%s, 0x400000040;\nmov.u64 %%l, own;\n"
			 "add.u64 %%l, %%l, 0xffffffff00000008;\n%s\nst.global.u32 [%%o], %%v;\nret;\n}\n",
			 bodies[i]);
		run(ptx, 32, 0, params, 1);
		assert_int_equal(*out, 42);
	}
	harness_free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_addresses_of_32_bits_wrap),
					   cmocka_unit_test(test_long_registers_are_cut),
					   cmocka_unit_test(test_widths),
					   cmocka_unit_test(test_extension),
					   cmocka_unit_test(test_initialisers),
					   cmocka_unit_test(test_dynamic_shared),
					   cmocka_unit_test(test_atomics),
					   cmocka_unit_test(test_compare_and_swap),
					   cmocka_unit_test(test_alloca),
					   cmocka_unit_test(test_wrong_accesses),
					   cmocka_unit_test(test_host_address),
					   cmocka_unit_test(test_check_of_memory),
					   cmocka_unit_test(test_freed_memory_is_used_again_when_nothing_else_is_left),
					   cmocka_unit_test(test_allocator),
					   cmocka_unit_test(test_allocator_scales),
					   cmocka_unit_test(test_modules_do_not_drift),
					   cmocka_unit_test(test_shared_pages),
					   cmocka_unit_test(test_variables_are_apart),
					   cmocka_unit_test(test_copies)};

	return cmocka_run_group_tests(tests, harness_setup, harness_teardown);
}
