/*
 * Soundness by execution: random kernels that push pointers through locals, by-value structs, memory, calls, integers
 * and copies are run on the host (LLVM's interpreter), and whatever memory they change must be memory that the pass
 * says they write.
 *
 *   random_ir LLI FIRST_SEED COUNT
 *
 * Parameters p0 to p3 point to buffers A to D, p4 to a buffer H of pointers to E and F, p5 is a struct of pointers to G
 * and K. A program that goes wrong on its own (a number used as a pointer) is undefined and says nothing.
 */
#include "passes/passes.h"

#include "common/file.h"
#include "common/strbuf.h"
#include "common/vec.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The structure of each buffer. */
static const struct {
	char name;
	const char *structure;
} buffers[] = {
    {'A', "p0"},  {'B', "p1"}, {'C', "p2"},   {'D', "p3"},   {'E', "*p4"},
    {'F', "*p4"}, {'H', "p4"}, {'G', "p5+0"}, {'K', "p5+8"},
};
enum { BUFFERS = sizeof buffers / sizeof *buffers };

/* --- Generator --- */

struct generator {
	uint64_t state;
	unsigned next, functions; /* numbers given out; functions that may be called */
	unsigned roots;           /* the first of `pointers` are the function's own, the others came a longer way */
	VEC(unsigned) pointers, integers;
	struct strbuf *out;
};

static unsigned pick(struct generator *g, unsigned below)
{
	g->state = g->state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(g->state >> 33) % below;
}

static unsigned pointer(struct generator *g)
{
	return g->pointers.data[pick(g, (unsigned)g->pointers.len)];
}

static unsigned integer(struct generator *g)
{
	return g->integers.data[pick(g, (unsigned)g->integers.len)];
}

/* One of the memory cells that hold pointers. */
static const char *cell(struct generator *g)
{
	static const char *const cells[] = {"%cell0", "%cell1", "%array", "%array1"};

	return cells[pick(g, 4)];
}

static void add_load(struct generator *g)
{
	strbuf_addf(g->out, " %%t%u = load i64, ptr %%t%u\n", g->next, pointer(g));
	vec_push(&g->integers, g->next++);
}

/*
 * A pointer to write through. It prefers pointers that came a long way, so that a missing step shows. False if there is
 * none yet.
 */
static bool target(struct generator *g, unsigned *to)
{
	unsigned derived = (unsigned)g->pointers.len - g->roots, back = pick(g, 3);

	if (derived)
		*to = g->pointers.data[g->pointers.len - 1 - (back < derived ? back : 0)];
	return derived > 0;
}

static void add_store(struct generator *g)
{
	unsigned to;

	if (target(g, &to))
		strbuf_addf(g->out, " store i64 %u, ptr %%t%u\n", 1000 + pick(g, 1000), to);
}

static void add_cell_store(struct generator *g)
{
	strbuf_addf(g->out, " store ptr %%t%u, ptr %s\n", pointer(g), cell(g));
}

static void add_cell_load(struct generator *g)
{
	strbuf_addf(g->out, " %%t%u = load ptr, ptr %s\n", g->next, cell(g));
	vec_push(&g->pointers, g->next++);
}

static void add_select(struct generator *g)
{
	unsigned a = pointer(g), b = pointer(g);

	strbuf_addf(g->out, " %%t%u = icmp eq i64 %%t%u, %u\n", g->next, integer(g), pick(g, 3));
	strbuf_addf(g->out, " %%t%u = select i1 %%t%u, ptr %%t%u, ptr %%t%u\n", g->next + 1, g->next, a, b);
	vec_push(&g->pointers, g->next + 1);
	g->next += 2;
}

static void add_integer_trip(struct generator *g)
{
	unsigned n = g->next;

	strbuf_addf(g->out, " %%t%u = ptrtoint ptr %%t%u to i64\n", n, pointer(g));
	strbuf_addf(g->out, " %%t%u = add i64 %%t%u, 8\n %%t%u = sub i64 %%t%u, 8\n", n + 1, n, n + 2, n + 1);
	strbuf_addf(g->out, " %%t%u = inttoptr i64 %%t%u to ptr\n", n + 3, n + 2);
	vec_push(&g->pointers, n + 3);
	g->next += 4;
}

/* The two halves of a pointer, and together again. */
static void add_halves(struct generator *g)
{
	unsigned n = g->next;

	strbuf_addf(g->out, " %%t%u = ptrtoint ptr %%t%u to i64\n", n, pointer(g));
	strbuf_addf(g->out, " %%t%u = trunc i64 %%t%u to i32\n %%t%u = lshr i64 %%t%u, 32\n", n + 1, n, n + 2, n);
	strbuf_addf(g->out, " %%t%u = zext i32 %%t%u to i64\n %%t%u = shl i64 %%t%u, 32\n", n + 3, n + 1, n + 4, n + 2);
	strbuf_addf(g->out, " %%t%u = or i64 %%t%u, %%t%u\n", n + 5, n + 4, n + 3);
	strbuf_addf(g->out, " %%t%u = inttoptr i64 %%t%u to ptr\n", n + 6, n + 5);
	vec_push(&g->pointers, n + 6);
	g->next += 7;
}

/* Numbers that are the difference %d of two pointers, as %n. */
static const char *const disguises[] = {
    "%n.N = add i64 %d.N, 0",
    "%w.N = trunc i64 %d.N to i32\n %n.N = sext i32 %w.N to i64",
    "%w.N = mul i64 %d.N, 3\n %x.N = shl i64 %d.N, 1\n %n.N = sub i64 %w.N, %x.N",
    "%w.N = sitofp i64 %d.N to double\n %n.N = fptosi double %w.N to i64",
    "%w.N = shl i64 %d.N, 5\n %x.N = shl i64 %w.N, 5\n %n.N = ashr i64 %x.N, 10",
    "store i64 %d.N, ptr %word\n %n.N = load i64, ptr %word",
    ("%w.N = trunc i64 %d.N to i32\n store i32 %w.N, ptr %word\n %x.N = load i32, ptr %word\n"
     " %n.N = sext i32 %x.N to i64"),
    "%w.N = urem i64 %j.N, 1099511627776\n %x.N = urem i64 %i.N, 1099511627776\n %n.N = sub i64 %w.N, %x.N",
    "%w.N = bitcast i64 %d.N to <4 x i16>\n %n.N = bitcast <4 x i16> %w.N to i64",
};

/* Writes the text with the number of its statement for each N. */
static void add_numbered(struct generator *g, const char *text, unsigned number)
{
	for (; *text; text++)
		if (*text == 'N')
			strbuf_addf(g->out, "%u", number);
		else
			strbuf_addc(g->out, *text);
}

/* A pointer, made from another pointer and the difference of the two. */
static void add_disguise(struct generator *g)
{
	unsigned n = g->next++, p = pointer(g), q = pointer(g);

	strbuf_addf(g->out, " %%i.%u = ptrtoint ptr %%t%u to i64\n %%j.%u = ptrtoint ptr %%t%u to i64\n", n, p, n, q);
	add_numbered(g, " %d.N = sub i64 %j.N, %i.N\n ", n);
	add_numbered(g, disguises[pick(g, sizeof disguises / sizeof *disguises)], n);
	strbuf_addf(g->out, "\n %%t%u = getelementptr i8, ptr %%t%u, i64 %%n.%u\n", n, p, n);
	vec_push(&g->pointers, n);
}

static void add_copy(struct generator *g)
{
	strbuf_addf(g->out, " call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %s, i64 8, i1 false)\n", cell(g), cell(g));
}

static void add_call(struct generator *g)
{
	if (!g->functions)
		return;
	strbuf_addf(g->out, " %%t%u = call ptr @f%u(ptr %%t%u, ptr %%t%u, i64 %%t%u)\n", g->next, pick(g, g->functions),
		    pointer(g), pointer(g), integer(g));
	vec_push(&g->pointers, g->next++);
}

/* A pointer put where others may find it. */
static void add_publication(struct generator *g)
{
	unsigned to;

	if (!target(g, &to))
		return;
	strbuf_addf(g->out, " %%t%u = getelementptr i8, ptr %%t%u, i64 8\n", g->next, to);
	strbuf_addf(g->out, " store ptr %%t%u, ptr %%t%u\n", pointer(g), g->next);
	g->next++;
}

static void add_indexed_load(struct generator *g)
{
	unsigned n = g->next;

	strbuf_addf(g->out, " %%t%u = and i64 %%t%u, 1\n", n, integer(g));
	strbuf_addf(g->out, " %%t%u = getelementptr ptr, ptr %%array, i64 %%t%u\n", n + 1, n);
	strbuf_addf(g->out, " %%t%u = load ptr, ptr %%t%u\n", n + 2, n + 1);
	vec_push(&g->pointers, n + 2);
	g->next += 3;
}

static void add_statements(struct generator *g, unsigned count)
{
	static void (*const statements[])(struct generator *g) = {
	    add_load,      add_store,     add_store,       add_cell_store,   add_cell_store,
	    add_cell_load, add_cell_load, add_select,      add_integer_trip, add_halves,
	    add_copy,      add_call,      add_publication, add_indexed_load, add_disguise,
	};

	while (count--)
		statements[pick(g, sizeof statements / sizeof *statements)](g);
}

/* The cells, each with some pointer in it. */
static void add_cells(struct generator *g)
{
	strbuf_adds(g->out, " %array = alloca [2 x ptr]\n %array1 = getelementptr ptr, ptr %array, i64 1\n"
			    " %cell0 = alloca ptr\n %cell1 = alloca ptr\n %word = alloca i64\n");
	strbuf_addf(g->out, " store ptr %%t%u, ptr %%cell0\n store ptr %%t%u, ptr %%cell1\n", pointer(g), pointer(g));
	strbuf_addf(g->out, " store ptr %%t%u, ptr %%array\n store ptr %%t%u, ptr %%array1\n", pointer(g), pointer(g));
}

/* Values 0..count-1 are the function's pointers, `count` its integer. */
static void begin_function(struct generator *g, unsigned count)
{
	g->pointers.len = g->integers.len = 0;
	for (unsigned i = 0; i < count; i++)
		vec_push(&g->pointers, i);
	vec_push(&g->integers, count);
	g->next = count + 1;
	g->roots = count;
}

static void add_function(struct generator *g)
{
	begin_function(g, 2);
	strbuf_addf(g->out, "define internal ptr @f%u(ptr %%t0, ptr %%t1, i64 %%t2) noinline {\n", g->functions);
	add_cells(g);
	add_statements(g, 1 + pick(g, 6));
	add_store(g);
	strbuf_addf(g->out, " ret ptr %%t%u\n}\n", pointer(g));
	g->functions++;
}

static void add_kernel(struct generator *g)
{
	static const char *const loads[] = {" %%t%u = load ptr, ptr %%h\n", " %%t%u = load ptr, ptr %%h1\n",
					    " %%t%u = load ptr, ptr %%s\n", " %%t%u = load ptr, ptr %%s1\n"};

	begin_function(g, 4);
	strbuf_adds(g->out, "define void @kernel(ptr %t0, ptr %t1, ptr %t2, ptr %t3, ptr %h, "
			    "ptr byval({ptr, ptr}) align 8 %s, i64 %t4) {\n"
			    " %h1 = getelementptr ptr, ptr %h, i64 1\n %s1 = getelementptr ptr, ptr %s, i64 1\n");
	add_cells(g);
	for (unsigned i = 0; i < 4; i++)
		if (pick(g, 5) < 2) {
			strbuf_addf(g->out, loads[i], g->next);
			vec_push(&g->pointers, g->next++);
		}
	add_statements(g, 3 + pick(g, 12));
	add_store(g);
	strbuf_adds(g->out, " ret void\n}\n");
}

static void generate(uint64_t seed, struct strbuf *out)
{
	struct generator g = {.state = seed * 0x9e3779b97f4a7c15u, .out = out};

	for (unsigned functions = pick(&g, 4); functions; functions--)
		add_function(&g);
	add_kernel(&g);
	vec_release(&g.pointers);
	vec_release(&g.integers);
}

/* --- Execution --- */

static void add_buffer(struct strbuf *ir, char name, const char *suffix)
{
	strbuf_addf(ir, "@%c%s = global [8 x i64] [", name, suffix);
	for (unsigned i = 0; i < 8; i++)
		if (name == 'H')
			strbuf_addf(ir, "%si64 ptrtoint (ptr @%c to i64)", i ? ", " : "", i % 2 ? 'F' : 'E');
		else
			strbuf_addf(ir, "%si64 %u", i ? ", " : "", i * 3 % 4);
	strbuf_adds(ir, "]\n");
}

/* A main that runs the kernel and prints the names of the buffers that it changed. */
static void add_main(struct strbuf *ir)
{
	strbuf_adds(ir, "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare i32 @putchar(i32)\n"
			"declare i32 @memcmp(ptr, ptr, i64)\n@S = global { ptr, ptr } { ptr @G, ptr @K }\n");
	for (unsigned i = 0; i < BUFFERS; i++) {
		add_buffer(ir, buffers[i].name, "");
		add_buffer(ir, buffers[i].name, "_before");
	}
	strbuf_adds(ir, "define i32 @main() {\n call void @kernel(ptr @A, ptr @B, ptr @C, ptr @D, ptr @H, "
			"ptr byval({ptr, ptr}) align 8 @S, i64 1)\n br label %test0\n");
	for (unsigned i = 0; i < BUFFERS; i++) {
		char name = buffers[i].name;

		strbuf_addf(ir, "test%u:\n %%d%u = call i32 @memcmp(ptr @%c, ptr @%c_before, i64 64)\n", i, i, name,
			    name);
		strbuf_addf(ir, " %%c%u = icmp ne i32 %%d%u, 0\n br i1 %%c%u, label %%changed%u, label %%test%u\n", i,
			    i, i, i, i + 1);
		strbuf_addf(ir, "changed%u:\n %%p%u = call i32 @putchar(i32 %d)\n br label %%test%u\n", i, i, name,
			    i + 1);
	}
	strbuf_addf(ir, "test%u:\n ret i32 0\n}\n", BUFFERS);
}

/* Runs the kernel on the host; false when it went wrong. `changed` gets the names of the buffers. */
static bool execute(const char *lli, const char *kernel, char changed[BUFFERS + 1])
{
	char path[] = "/tmp/random_ir_XXXXXX", *command;
	struct strbuf ir = STRBUF_INIT, line = STRBUF_INIT;
	int fd = mkstemp(path);
	bool done;
	FILE *run;

	close(fd);
	add_main(&ir);
	strbuf_adds(&ir, kernel);
	if (file_write(path, ir.data, ir.len, NULL) < 0)
		exit(1);
	strbuf_addf(&line, "exec '%s' %s 2> /dev/null", lli, path);
	command = strbuf_detach(&line);
	run = popen(command, "r");
	changed[fread(changed, 1, BUFFERS, run)] = '\0';
	done = pclose(run) == 0;
	unlink(path);
	free(command);
	strbuf_release(&ir);
	return done;
}

/* --- Verdicts --- */

/* The pass's report, at the level at which a write through `unknown` kills nothing, so that it must find each by name.
 */
static json_t *analyse(const char *kernel)
{
	struct pass_options options = PASS_OPTIONS_INIT;
	struct strbuf ir = STRBUF_INIT;
	struct diag d = DIAG_INIT;
	struct pass_output out;
	json_t *report;

	strbuf_adds(&ir, "target triple = \"nvptx64-nvidia-cuda\"\n"
			 "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n"
			 "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n");
	strbuf_adds(&ir, kernel);
	strbuf_adds(&ir, "!nvvm.annotations = !{!0}\n!0 = !{ptr @kernel, !\"kernel\", i32 1}\n");
	options.alias = ALIAS_DISTINCT;
	options.emit = PASS_EMIT_BITCODE;
	if (pass_run("random", ir.data, ir.len, &options, &out, &d) < 0) {
		diag_print(&d, stderr);
		exit(1);
	}
	report = json_loads(out.report, 0, NULL);
	pass_output_release(&out);
	strbuf_release(&ir);
	return report;
}

static bool is_written(const json_t *report, const char *id)
{
	const json_t *kernel = json_array_get(json_object_get(report, "kernels"), 0), *s;
	size_t i;

	json_array_foreach(json_object_get(kernel, "structures"), i,
			   s) if (strcmp(json_string_value(json_object_get(s, "id")), id) ==
				  0) return json_integer_value(json_object_get(s, "stores")) > 0;
	return false;
}

struct tally {
	unsigned ran, changed, unknown, wrong;
};

static void check_seed(struct tally *t, const char *lli, uint64_t seed)
{
	struct strbuf kernel = STRBUF_INIT;
	char changed[BUFFERS + 1];
	json_t *report;

	generate(seed, &kernel);
	if (!execute(lli, kernel.data, changed)) {
		strbuf_release(&kernel);
		return;
	}
	report = analyse(kernel.data);
	t->ran++;
	t->unknown += is_written(report, "unknown");
	for (unsigned i = 0; i < BUFFERS; i++) {
		if (!strchr(changed, buffers[i].name))
			continue;
		t->changed++;
		if (is_written(report, buffers[i].structure) || is_written(report, "unknown"))
			continue;
		t->wrong++;
		fprintf(stderr, "seed %llu writes %c, and %s is not said to be written:\n%s", (unsigned long long)seed,
			buffers[i].name, buffers[i].structure, kernel.data);
	}
	json_decref(report);
	strbuf_release(&kernel);
}

int main(int argc, char **argv)
{
	struct tally t = {0, 0, 0, 0};
	uint64_t first, count;

	if (argc != 4) {
		fprintf(stderr, "usage: random_ir LLI FIRST_SEED COUNT\n");
		return 2;
	}
	first = strtoull(argv[2], NULL, 10);
	count = strtoull(argv[3], NULL, 10);
	for (uint64_t seed = first; seed < first + count; seed++)
		check_seed(&t, argv[1], seed);
	printf("%u kernels ran, %u buffers changed, %u kernels with unknown writes, %u writes missed\n", t.ran,
	       t.changed, t.unknown, t.wrong);
	return t.wrong || t.ran < count / 2 || t.changed == 0;
}
