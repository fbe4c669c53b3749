/*
 * Marks that are known at a launch's end, against brute force: the trace itself says which bytes each load and each
 * store of a launch touched. So which structures were apart (ROMARK_ALIAS=observed) is counted from it again, and
 * whether a load that was marked after a check of each access took a byte that was written.
 */
#include "tests/runtime/cpu/harness.h"

#include "common/strbuf.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { POINTERS = 4, ACCESSES = 8, BUFFER = 4096, PROGRAMS = 60, LAUNCHES = 4 };

enum what { LOAD, VOLATILE_LOAD, STORE, ATOMIC, KINDS };

/* One access of a random kernel. */
struct random_access {
	enum what what;
	bool hidden;                    /* no analysis follows its index, which comes out of memory */
	unsigned bytes, pointer, other; /* other: it may also be through this one, where that differs */
	unsigned stride, first, mask;
	uint32_t line; /* in the PTX */
};

struct random_program {
	struct random_access accesses[ACCESSES];
	struct strbuf text;
	uint32_t lines;
	bool mostly_loads;
};

static unsigned below(unsigned limit)
{
	return (unsigned)(harness_random() % limit);
}

__attribute__((format(printf, 2, 3))) static void add_line(struct random_program *p, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	strbuf_vaddf(&p->text, format, args);
	va_end(args);
	strbuf_addc(&p->text, '\n');
	p->lines++;
}

/* Each has a register of its own for its address: the analysis takes one register as one set of pointers. */
static void add_access(struct random_program *p, unsigned n)
{
	struct random_access *a = &p->accesses[n];
	static const char *const kinds[KINDS] = {"ld.global", "ld.volatile.global", "st.global", "atom.global.add"};

	a->what = p->mostly_loads && below(2) ? LOAD : (enum what)below(KINDS);
	a->hidden = below(a->what == LOAD ? 2 : 16) == 0;
	a->bytes = a->what == ATOMIC ? 4 : 1u << below(4);
	a->pointer = below(POINTERS);
	a->other = below(3) ? a->pointer : below(POINTERS);
	a->stride = 1 + below(3);
	a->first = below(64);
	a->mask = (16u << below(4)) - 1;
	add_line(p, "mad.lo.u32 %%i, %%t, %u, %u;", a->stride, a->first);
	add_line(p, "and.b32 %%i, %%i, %u;", a->mask);
	if (a->hidden) {
		add_line(p, "st.shared.u32 [%%s], %%i;");
		add_line(p, "ld.shared.u32 %%i, [%%s];");
	}
	add_line(p, "mul.wide.u32 %%w, %%i, %u;", a->bytes);
	add_line(p, "selp.b64 %%a%u, %%p%u, %%p%u, %%odd;", n, a->pointer, a->other);
	add_line(p, "add.u64 %%a%u, %%a%u, %%w;", n, n);
	if (a->what == STORE)
		add_line(p, "st.global.u%u [%%a%u], %%v%u;", 8 * a->bytes, n, a->bytes);
	else
		add_line(p, "%s.u%u %%v%u, [%%a%u]%s;", kinds[a->what], 8 * a->bytes, a->bytes, n,
			 a->what == ATOMIC ? ", 1" : "");
	a->line = p->lines;
}

static void make_program(struct random_program *p, bool mostly_loads)
{
	*p = (struct random_program){.text = STRBUF_INIT, .mostly_loads = mostly_loads};
	add_line(p, ".version 7.0");
	add_line(p, ".target sm_75");
	add_line(p, ".address_size 64");
	add_line(p, ".visible .entry k(.param .u64 q0, .param .u64 q1, .param .u64 q2, .param .u64 q3)");
	add_line(p, "{");
	add_line(p, ".reg .u64 %%p<%d>, %%a<%d>, %%w, %%v8;", POINTERS, ACCESSES);
	add_line(p, ".reg .u32 %%t, %%i, %%s, %%v4;");
	add_line(p, ".shared .u32 hiding[64];");
	add_line(p, ".reg .u16 %%v1, %%v2;");
	add_line(p, ".reg .pred %%odd;");
	for (unsigned i = 0; i < POINTERS; i++)
		add_line(p, "ld.param.u64 %%p%u, [q%u];", i, i);
	for (unsigned i = 0; i < POINTERS; i++)
		add_line(p, "cvta.to.global.u64 %%p%u, %%p%u;", i, i);
	add_line(p, "mov.u32 %%t, %%tid.x;");
	add_line(p, "mov.u32 %%s, hiding;");
	add_line(p, "mad.lo.u32 %%s, %%t, 4, %%s;");
	add_line(p, "and.b32 %%i, %%t, 1;");
	add_line(p, "setp.eq.u32 %%odd, %%i, 1;");
	for (unsigned n = 1; n <= 8; n *= 2)
		add_line(p, "mov.u%u %%v%u, %u;", n == 1 ? 16 : 8 * n, n, n);
	for (unsigned i = 0; i < ACCESSES; i++)
		add_access(p, i);
	add_line(p, "ret;");
	add_line(p, "}");
}

/* --- The trace, counted again --- */

struct counted {
	bool written[2 * BUFFER];
	bool read[ACCESSES][2 * BUFFER];
};

static const struct random_access *access_at(const struct random_program *p, const struct trace_inst *inst)
{
	for (unsigned i = 0; i < ACCESSES; i++)
		if (p->accesses[i].line == inst->ptx_line)
			return &p->accesses[i];
	return NULL;
}

static void count_op(const struct random_program *p, const struct trace_op *op, uint64_t base, struct counted *c)
{
	const struct random_access *a = access_at(p, op->inst);

	for (unsigned lane = 0; a && lane < 32; lane++) {
		uint64_t at = op->address[lane] - base;

		if (!(op->access_mask >> lane & 1))
			continue;
		assert_true(at + a->bytes <= sizeof c->written);
		for (unsigned i = 0; i < a->bytes; i++)
			*(a->what == LOAD || a->what == VOLATILE_LOAD ? &c->read[a - p->accesses][at + i]
								      : &c->written[at + i]) = true;
	}
}

/* A plain load through the pointer, or through one of two of which the pointer is one, took a written byte. */
static bool is_spoiled(const struct random_program *p, const struct counted *c, unsigned pointer, bool *loaded)
{
	bool spoiled = false;

	*loaded = false;
	for (unsigned i = 0; i < ACCESSES; i++) {
		const struct random_access *a = &p->accesses[i];

		if (a->what != LOAD || (a->pointer != pointer && a->other != pointer))
			continue;
		*loaded = true;
		for (unsigned byte = 0; byte < sizeof c->written; byte++)
			spoiled |= c->read[i][byte] && c->written[byte];
	}
	return spoiled;
}

static unsigned check_marks_of(const struct random_program *p, const struct trace_kernel *k,
			       const struct trace_launch *launch, const struct counted *c)
{
	bool spoiled[POINTERS], loaded[POINTERS];
	unsigned marked = 0;

	for (unsigned i = 0; i < POINTERS; i++)
		spoiled[i] = is_spoiled(p, c, i, &loaded[i]);
	for (uint32_t row = 0; row < k->ninsts; row++) {
		const struct random_access *a = access_at(p, &k->insts[row]);
		bool expected = a && a->what == LOAD && !spoiled[a->pointer] && !spoiled[a->other];

		assert_int_equal(trace_is_marked(launch, &k->insts[row], row), expected);
		marked += expected;
	}
	for (uint32_t i = 0; i < k->nstructures; i++) {
		unsigned pointer = (unsigned)(k->structures[i][1] - '0');

		assert_int_equal(k->structures[i][0], 'p');
		assert_int_equal(launch->structures[i].marked, loaded[pointer] && !spoiled[pointer]);
	}
	return marked;
}

struct seen {
	unsigned marked, plain; /* loads in launches whose marks are observed or checked */
};

/* Whatever the marks rest on: a marked load takes no byte that the launch writes. */
static void check_no_mark_is_wrong(const struct random_program *p, const struct trace_kernel *k,
				   const struct trace_launch *launch, const struct counted *c, struct seen *seen)
{
	for (uint32_t row = 0; row < k->ninsts; row++) {
		const struct random_access *a = access_at(p, &k->insts[row]);
		bool marked = trace_is_marked(launch, &k->insts[row], row);

		assert_true(!marked || (a && a->what == LOAD));
		for (unsigned byte = 0; marked && byte < sizeof c->written; byte++)
			assert_false(c->read[a - p->accesses][byte] && c->written[byte]);
		seen->marked += marked && launch->marks == TRACE_MARKS_CHECKED;
		seen->plain += a && a->what == LOAD && !marked && launch->marks == TRACE_MARKS_CHECKED;
	}
}

static void check_trace(const struct random_program *p, const char *path, uint64_t base, bool observed,
			struct seen *seen)
{
	struct diag d = DIAG_INIT;
	struct trace_reader *r = trace_open(path, &d);
	struct trace_launch launch;
	unsigned n = 0;

	assert_non_null(r);
	while (trace_next_launch(r, &launch, &d) > 0) {
		const struct trace_kernel *k = trace_kernel_of(r, launch.kernel);
		struct counted *c = calloc(1, sizeof *c);
		struct trace_cta cta;

		assert_int_equal(launch.marks == TRACE_MARKS_OBSERVED, observed);
		assert_true(!observed || launch.marks_in_force);
		while (trace_next_cta(r, &cta, &d) > 0) {
			for (uint32_t warp = 0; warp < cta.nwarps; warp++) {
				struct trace_warp_cursor cursor;
				struct trace_op op;

				trace_warp_start(&cursor, k, &cta, warp);
				while (trace_warp_next(&cursor, &op))
					count_op(p, &op, base, c);
				assert_false(cursor.bad);
			}
			trace_cta_release(&cta);
		}
		if (observed)
			seen->marked += check_marks_of(p, k, &launch, c);
		check_no_mark_is_wrong(p, k, &launch, c, seen);
		free(c);
		n++;
	}
	assert_false(diag_is_set(&d));
	assert_int_equal(n, LAUNCHES);
	trace_close(r);
}

/* --- Launches --- */

static void open_traced(char *path, const char *alias)
{
	close(mkstemp(path));
	setenv("ROMARK_ALIAS", alias, 1);
	harness_open_with("ROMARK_TRACE", path);
}

static void close_traced(void)
{
	harness_close();
	unsetenv("ROMARK_ALIAS");
	unsetenv("ROMARK_TRACE");
	harness_open();
}

/* Pointers anywhere in two allocations beside each other, often the same or overlapping. */
static uint64_t random_pointer(const char *base)
{
	return DEVICE_POINTER(base) + (below(2) ? 0 : 8 * below(BUFFER / 16)) + (below(2) ? BUFFER : 0);
}

static void run_random(const struct random_program *p, const char *base)
{
	static const struct harness_launch shape = {.grid = {2, 1, 1}, .block = {48, 1, 1}};
	struct device_module *m = harness_load(p->text.data);

	for (unsigned i = 0; i < LAUNCHES; i++) {
		uint64_t params[POINTERS];

		for (unsigned k = 0; k < POINTERS; k++)
			params[k] = random_pointer(base);
		harness_run_ok(m, "k", &shape, params, POINTERS);
	}
	harness_unload(m);
}

/* A random program, traced. Returns how many loads its launches have. */
static unsigned trace_random(const char *alias, struct seen *seen)
{
	bool observed = strcmp(alias, "observed") == 0;
	char path[] = "/tmp/romark-apart-XXXXXX";
	struct random_program p;
	unsigned loads = 0;
	char *base;

	make_program(&p, !observed);
	open_traced(path, alias);
	base = harness_alloc(2 * BUFFER, "both");
	run_random(&p, base);
	close_traced();
	check_trace(&p, path, DEVICE_POINTER(base), observed, seen);
	for (unsigned i = 0; i < ACCESSES; i++)
		loads += LAUNCHES * (p.accesses[i].what == LOAD);
	strbuf_release(&p.text);
	unlink(path);
	return loads;
}

static void test_marks_are_what_brute_force_finds(void **state)
{
	struct seen seen = {0, 0};
	unsigned loads = 0;

	(void)state;
	for (unsigned n = 0; n < PROGRAMS; n++)
		loads += trace_random("observed", &seen);
	/* Both outcomes appear. */
	assert_in_range(seen.marked, loads / 10, loads - loads / 10);
}

/* Guards fail, and then the loads are checked one by one. */
static void test_no_checked_mark_is_wrong(void **state)
{
	struct seen seen = {0, 0};

	(void)state;
	for (unsigned n = 0; n < PROGRAMS; n++)
		trace_random("guarded", &seen);
	assert_true(seen.marked > PROGRAMS && seen.plain > PROGRAMS);
}

/* b[i] = a[i]: each thread copies a word. */
static const char copy_ptx[] =
    ".visible .entry copy(.param .u64 a, .param .u64 b)\n{\n.reg .u64 %a, %b, %w;\n.reg .u32 %t, %x;\n"
    "ld.param.u64 %a, [a];\nld.param.u64 %b, [b];\ncvta.to.global.u64 %a, %a;\ncvta.to.global.u64 %b, %b;\n"
    "mov.u32 %t, %tid.x;\nmul.wide.u32 %w, %t, 4;\nadd.u64 %a, %a, %w;\nadd.u64 %b, %b, %w;\n"
    "ld.global.u32 %x, [%a];\nst.global.u32 [%b], %x;\nret;\n}\n";

/* The same, but what is stored at depends on what was loaded. */
static const char copy_by_index_ptx[] =
    ".visible .entry copy(.param .u64 a, .param .u64 b)\n{\n.reg .u64 %a, %b, %w;\n.reg .u32 %t, %x;\n"
    "ld.param.u64 %a, [a];\nld.param.u64 %b, [b];\ncvta.to.global.u64 %a, %a;\ncvta.to.global.u64 %b, %b;\n"
    "mov.u32 %t, %tid.x;\nmul.wide.u32 %w, %t, 4;\nadd.u64 %a, %a, %w;\nadd.u64 %b, %b, %w;\n"
    "ld.global.u32 %x, [%a];\nshfl.sync.idx.b32 %x, %x, %t, 31, -1;\nmul.wide.u32 %w, %x, 4;\n"
    "add.u64 %b, %b, %w;\nst.global.u32 [%b], %x;\nret;\n}\n";

struct outcome {
	bool in_force, marked, failed;
	uint8_t marks;
	unsigned launches;
};

static void note_launch(void *marked, const struct trace_launch *launch, const struct trace_kernel *k)
{
	(void)k;
	*(bool *)marked = launch->structures[0].marked;
}

static struct outcome last_launch(const char *path)
{
	bool marked = false;
	struct harness_traced t = harness_read_trace(path, note_launch, &marked);

	return (struct outcome){t.in_force, marked, t.failed, t.marks, t.launches};
}

/*
 * Parts of one allocation are apart in what the launch did. Neither the guards nor a check of each load
 * can know that, since an index from a shuffle has no bound.
 */
static void test_observed_is_more_than_guarded(void **state)
{
	static const struct harness_launch shape = {.block = {32}};

	(void)state;
	for (int observed = 0; observed <= 1; observed++) {
		char path[] = "/tmp/romark-apart-XXXXXX";
		struct device_module *m;
		struct outcome o;
		char *both;

		open_traced(path, observed ? "observed" : "guarded");
		both = harness_alloc(256, "both");
		memset(both, 0, 256);
		m = harness_load(copy_by_index_ptx);
		harness_run_ok(m, "copy", &shape, (uint64_t[]){DEVICE_POINTER(both + 128), DEVICE_POINTER(both)}, 2);
		harness_unload(m);
		close_traced();
		o = last_launch(path);
		assert_int_equal(o.launches, 1);
		assert_int_equal(o.marks, observed ? TRACE_MARKS_OBSERVED : TRACE_MARKS_GUARDED);
		assert_int_equal(o.in_force, observed);
		assert_int_equal(o.marked, observed);
		unlink(path);
	}
}

/* The parent loads what its child writes while the parent waits for it, or what nobody writes. */
static const char parent_ptx[] =
    ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 k, .param .align 4 .b8 g[12], "
    ".param .align 4 .b8 b[12], .param .b32 s);\n"
    ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 p, .param .b64 s);\n"
    ".extern .func (.param .b32 r) cudaDeviceSynchronize();\n"
    ".visible .entry child(.param .u64 data)\n{\n.reg .u64 %d;\nld.param.u64 %d, [data];\n"
    "st.global.u32 [%d], 7;\nret;\n}\n"
    ".visible .entry parent(.param .u64 read, .param .u64 data)\n{\n.reg .u64 %a, %d, %k, %q;\n.reg .u32 %x, %e;\n"
    "ld.param.u64 %a, [read];\nld.param.u64 %d, [data];\nld.global.u32 %x, [%a];\nmov.u64 %k, child;\n"
    "{\n.param .b64 a;\n.param .align 4 .b8 g[12];\n.param .align 4 .b8 b[12];\n.param .b32 s;\n.param .b64 r;\n"
    "st.param.b64 [a], %k;\nst.param.b32 [g], 1;\nst.param.b32 [g+4], 1;\nst.param.b32 [g+8], 1;\n"
    "st.param.b32 [b], 1;\nst.param.b32 [b+4], 1;\nst.param.b32 [b+8], 1;\nst.param.b32 [s], 0;\n"
    "call.uni (r), __cudaCDP2GetParameterBufferV2, (a, g, b, s);\nld.param.b64 %q, [r];\n}\nst.u64 [%q], %d;\n"
    "{\n.param .b64 a;\n.param .b64 t;\n.param .b32 r;\nst.param.b64 [a], %q;\nst.param.b64 [t], 0;\n"
    "call.uni (r), __cudaCDP2LaunchDeviceV2, (a, t);\nld.param.b32 %e, [r];\n}\n"
    "{\n.param .b32 r;\ncall.uni (r), cudaDeviceSynchronize, ();\nld.param.b32 %e, [r];\n}\nret;\n}\n";

static void test_what_runs_inside_a_launch_writes_for_it(void **state)
{
	static const struct harness_launch shape = {.block = {1}};

	(void)state;
	for (int apart = 0; apart <= 1; apart++) {
		char path[] = "/tmp/romark-apart-XXXXXX";
		struct device_module *m;
		struct outcome o;
		char *data;

		open_traced(path, "observed");
		data = harness_alloc(256, "data");
		m = harness_load(parent_ptx);
		harness_run_ok(m, "parent", &shape,
			       (uint64_t[]){DEVICE_POINTER(data + (apart ? 128 : 0)), DEVICE_POINTER(data)}, 2);
		harness_unload(m);
		close_traced();
		o = last_launch(path);
		assert_int_equal(o.launches, 1);
		assert_true(o.in_force);
		assert_int_equal(o.marked, apart);
		unlink(path);
	}
}

/* A launch that fails is in a pipe's trace as one without marks, and the trace ends there. */
static void test_a_launch_that_fails_has_no_marks(void **state)
{
	static const struct harness_launch shape = {.block = {32}};
	char path[] = "/tmp/romark-apart-XXXXXX";
	struct device_module *m;
	struct outcome o;
	FILE *file;
	char held[80], number[32];
	int fd = mkstemp(path);
	char *memory;

	(void)state;
	file = fdopen(fd, "r+");
	snprintf(number, sizeof number, "fd:%d", fd);
	{
		struct stat status;

		fstat(fd, &status);
		snprintf(held, sizeof held, "%llu:%llu", (unsigned long long)status.st_dev,
			 (unsigned long long)status.st_ino);
	}
	setenv("ROMARK_ALIAS", "observed", 1);
	setenv("ROMARK_TRACE_FILE", held, 1);
	harness_open_with("ROMARK_TRACE", number);
	memory = harness_alloc(128, "memory");
	m = harness_load(copy_ptx);
	assert_int_equal(harness_run(m, "copy", &shape, (uint64_t[]){DEVICE_POINTER(memory), 0}, 2),
			 DEVICE_ILLEGAL_ADDRESS);
	harness_unload(m);
	unsetenv("ROMARK_TRACE_FILE");
	close_traced();
	o = last_launch(path);
	assert_true(o.failed);
	assert_false(o.in_force);
	assert_false(o.marked);
	fclose(file);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_marks_are_what_brute_force_finds),
	    cmocka_unit_test(test_no_checked_mark_is_wrong),
	    cmocka_unit_test(test_observed_is_more_than_guarded),
	    cmocka_unit_test(test_what_runs_inside_a_launch_writes_for_it),
	    cmocka_unit_test(test_a_launch_that_fails_has_no_marks),
	};

	setenv("ROMARK_QUIET", "1", 1);
	return cmocka_run_group_tests(tests, harness_setup, harness_teardown);
}
