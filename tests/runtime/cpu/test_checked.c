/*
 * The check per access: launches whose guards fail, in one allocation. Loads are marked in the trace if all writes of
 * the launch have known bytes and no execution of the load took one of these.
 */
#include "tests/runtime/cpu/harness.h"

#include "common/strbuf.h"
#include "trace/trace.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 32, WORDS = 1024 };

/*
 * y[t] = x[index[t]], where a shuffle hides the number from the analysis, and the case's own lines, which may write
 * elsewhere. %y: the thread's own word. %never does not hold, and no analysis knows that.
 */
static const char head[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".extern .func (.param .b64 p) malloc(.param .b64 n);\n"
    ".func put(.param .b64 to)\n{\n.reg .u64 %t;\nld.param.u64 %t, [to];\nst.global.u32 [%t], 1;\nret;\n}\n"
    ".func nothing()\n{\nret;\n}\n"
    ".visible .entry k(.param .u64 x, .param .u64 index, .param .u64 y, .param .u64 surface)\n{\n"
    ".reg .u64 %x, %n, %y, %w, %g, %s, %f;\n.reg .u32 %t, %i, %v, %z;\n.reg .f32 %q<8>;\n.reg .pred %never;\n"
    ".shared .align 128 .b8 box[1024];\n.local .align 8 .b8 mine[16];\n"
    "ld.param.u64 %x, [x];\nld.param.u64 %n, [index];\nld.param.u64 %y, [y];\nld.param.u64 %s, [surface];\n"
    "cvta.to.global.u64 %x, %x;\ncvta.to.global.u64 %n, %n;\ncvta.to.global.u64 %y, %y;\n"
    "mov.u32 %t, %tid.x;\nmul.wide.u32 %w, %t, 4;\nadd.u64 %n, %n, %w;\nadd.u64 %y, %y, %w;\n"
    "mov.f32 %q1, 0f00000000;\nmov.f32 %q2, 0f00000000;\nmov.u32 %z, 0;\n"
    "ld.global.u32 %i, [%n];\nshfl.sync.idx.b32 %i, %i, %t, 31, -1;\n"
    "mul.wide.u32 %w, %i, 4;\nadd.u64 %x, %x, %w;\nld.global.u32 %v, [%x];\n"
    "st.global.u32 [%y], %v;\nsetp.gt.u32 %never, %v, 1000000;\n";

struct outcome {
	bool in_force, x, index;
	uint8_t marks;
	unsigned launches;
};

static void open_guarded(char *path, bool verified)
{
	close(mkstemp(path));
	if (verified)
		setenv("ROMARK_VERIFY", "1", 1);
	harness_open_with("ROMARK_TRACE", path);
}

static void close_guarded(void)
{
	harness_close();
	unsetenv("ROMARK_TRACE");
	unsetenv("ROMARK_VERIFY");
	harness_open();
}

static bool is_marked(const struct trace_launch *launch, const struct trace_kernel *k, const char *structure)
{
	bool marked = true, found = false;

	for (uint32_t i = 0; i < k->nstructures; i++)
		for (uint32_t row = 0; row < k->ninsts && strcmp(k->structures[i], structure) == 0; row++)
			if (k->insts[row].structure == i && k->insts[row].cls == TRACE_LOAD) {
				found = true;
				marked = marked && trace_is_marked(launch, &k->insts[row], row);
				assert_int_equal(launch->structures[i].marked,
						 trace_is_marked(launch, &k->insts[row], row));
			}
	return marked && found;
}

static void note_launch(void *data, const struct trace_launch *launch, const struct trace_kernel *k)
{
	struct outcome *o = data;

	o->x = is_marked(launch, k, "p0");
	o->index = is_marked(launch, k, "p1");
}

static struct outcome last_launch(const char *path)
{
	struct outcome o = {0};
	struct harness_traced t = harness_read_trace(path, note_launch, &o);

	assert_false(t.failed);
	o.launches = t.launches;
	o.in_force = t.in_force;
	o.marks = t.marks;
	return o;
}

/* Places in words of the arena, and the word of x that thread t reads: first + t * step. */
struct places {
	unsigned x, index, y, first, step;
};

static void run_in_arena(struct device_module *m, uint32_t *arena, const struct places *p)
{
	static const struct harness_launch shape = {.block = {THREADS}};

	for (unsigned t = 0; t < THREADS; t++)
		arena[p->index + t] = p->first + t * p->step;
	harness_run_ok(m, "k", &shape,
		       (uint64_t[]){DEVICE_POINTER(arena + p->x), DEVICE_POINTER(arena + p->index),
				    DEVICE_POINTER(arena + p->y), 0},
		       4);
}

static struct outcome run(const char *body, const struct places *places, unsigned launches, bool verified)
{
	char path[] = "/tmp/romark-checked-XXXXXX";
	struct strbuf text = STRBUF_INIT;
	struct device_module *m;
	uint32_t *arena;

	strbuf_addf(&text, "%s%s\nret;\n}\n", head, body);
	open_guarded(path, verified);
	arena = harness_alloc(WORDS * sizeof *arena, "arena");
	m = harness_load(text.data);
	for (unsigned i = 0; i < launches; i++)
		run_in_arena(m, arena, &places[i]);
	harness_unload(m);
	close_guarded();
	strbuf_release(&text);
	struct outcome o = last_launch(path);
	assert_int_equal(o.launches, launches);
	unlink(path);
	return o;
}

/* A gather may read anywhere. What it does read decides, at each launch anew. */
static void test_what_a_gather_reads_decides(void **state)
{
	static const struct {
		struct places places;
		bool x, index;
	} cases[] = {
	    {{0, 256, 512, 0, 3}, true, true},   /* apart */
	    {{0, 256, 128, 0, 4}, true, true},   /* x[0], .. x[124]; x[128] to x[159] are written */
	    {{0, 256, 128, 4, 4}, false, true},  /* the last thread reads the first word that is written */
	    {{0, 256, 128, 160, 1}, true, true}, /* behind the last one */
	    {{0, 256, 128, 159, 1}, false, true},
	    {{0, 256, 224, 0, 3}, true, true}, /* the written words end where the index begins */
	    {{0, 256, 225, 0, 3}, true, false},
	    {{0, 256, 256, 0, 3}, true, false}, /* in place of the index */
	};
	struct places all[sizeof cases / sizeof *cases];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bool any = cases[i].x || cases[i].index;

		all[i] = cases[i].places;
		for (int verified = 0; verified <= 1; verified++) {
			struct outcome alone = run("", &cases[i].places, 1, verified);
			struct outcome after = run("", all, (unsigned)i + 1, verified);

			assert_int_equal(alone.x, cases[i].x);
			assert_int_equal(alone.index, cases[i].index);
			assert_int_equal(alone.in_force, any);
			assert_int_equal(alone.marks, TRACE_MARKS_CHECKED);
			assert_memory_equal(&after.x, &alone.x, sizeof after.x);
			assert_memory_equal(&after.index, &alone.index, sizeof after.index);
		}
	}
}

/* Nothing is marked where no load passes, and the launch is one whose guards failed. */
static void test_no_load_passes(void **state)
{
	static const struct places places = {256, 256, 256, 0, 0};
	struct outcome o = run("", &places, 1, true);

	(void)state;
	assert_false(o.in_force || o.x || o.index);
	assert_int_equal(o.marks, TRACE_MARKS_GUARDED);
}

/* All ways to write, beside the store that is known: with one whose bytes are not known nothing is checked. */
static void test_all_writes_must_be_known(void **state)
{
	static const struct places places = {0, 256, 512, 0, 3};
	static const struct {
		const char *body;
		bool checked;
	} cases[] = {
	    {"red.global.add.u32 [%y], 1;", true},
	    {"atom.global.exch.b32 %v, [%y+128], 1;", true},
	    {"st.shared.u32 [box], 1;", true},
	    {"st.local.u32 [mine], 1;", true},
	    {"cvta.global.u64 %g, %y;\nst.u32 [%g], 1;", true},
	    {"call nothing, ();", true},
	    {"{\n.param .b64 f;\n.param .b64 a;\n.param .b32 r;\nmov.u64 %f, 0;\nst.param.b64 [f], %f;\n"
	     "st.param.b64 [a], %f;\n@%never call (r), vprintf, (f, a);\n}",
	     true},
	    {"add.u64 %g, %y, %w;\nst.global.u32 [%g], 1;", true}, /* behind x and index, wherever it is */
	    {"mul.lo.s64 %g, %w, -1;\nadd.u64 %g, %g, %y;\n@%never st.global.u32 [%g], 1;", false},
	    {"mul.lo.u64 %g, %w, %w;\nmul.lo.u64 %g, %g, %g;\nadd.u64 %g, %g, %y;\n@%never st.global.u32 [%g], 1;",
	     false},
	    {"@%never st.global.u32 [%y+4096], 1;", true},
	    {"@%never st.volatile.global.u32 [%y+-1536], 1;", true}, /* between x and index */
	    {"{\n.param .b64 to;\nst.param.b64 [to], %y;\ncall put, (to);\n}", false},
	    {"{\n.param .b64 n;\n.param .b64 p;\nmov.u64 %f, 8;\nst.param.b64 [n], %f;\n@%never call (p), malloc, (n);\n}",
	     false},
	    {"mov.u64 %f, box;\n@%never cp.async.bulk.global.shared::cta.bulk_group [%y], [%f], 16;", false},
	    {"@%never wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%y], "
	     "{%q0, %q1, %q2, %q3, %q4, %q5, %q6, %q7};",
	     false},
	    {"@%never sust.b.1d.b32.trap [%s, {%z}], {%v};", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct outcome o = run(cases[i].body, &places, 1, false);

		if (o.x != cases[i].checked || o.index != cases[i].checked)
			fail_msg("x is %d, index %d, and not %d: %s", o.x, o.index, cases[i].checked, cases[i].body);
		assert_int_equal(o.marks, cases[i].checked ? TRACE_MARKS_CHECKED : TRACE_MARKS_GUARDED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_what_a_gather_reads_decides),
	    cmocka_unit_test(test_no_load_passes),
	    cmocka_unit_test(test_all_writes_must_be_known),
	};

	setenv("ROMARK_QUIET", "1", 1);
	return cmocka_run_group_tests(tests, harness_setup, harness_teardown);
}
