/* A program is functions of statements, and kernels that share them. */
#include "tests/passes/random_generator.h"

#include "tests/passes/random_disguises.h"

/* --- Functions --- */

/* Slots of an object in memory of the program's own, which begins with nothing in it. */
static void fill_slots(struct generator *g, unsigned object)
{
	for (unsigned node = 0; node < OBJECT_NODES; node++)
		for (unsigned slot = 0; slot < NODE_SLOTS; slot++) {
			unsigned at = value(g, "getelementptr i8, ptr %%t%u, i64 %u", object,
					    node * NODE_BYTES + SLOTS_AT + slot * 8);

			line(g, "store ptr %%t%u, ptr %%t%u, align 8", g->pointers.data[pick(g, g->roots)], at);
		}
	line(g, "call void @llvm.memset.p0.i64(ptr align 8 %%t%u, i8 0, i64 32, i1 false)", object);
	object = value(g, "getelementptr i8, ptr %%t%u, i64 %u", object, NODE_BYTES);
	line(g, "call void @llvm.memset.p0.i64(ptr align 8 %%t%u, i8 0, i64 32, i1 false)", object);
}

/* Allocas, with something in each. */
static void add_locals(struct generator *g)
{
	line(g, "%%cell0 = alloca ptr, align 8");
	line(g, "%%cell1 = alloca ptr, align 8");
	line(g, "%%closure = alloca %%S, align 8");
	line(g, "%%scratch = alloca [8 x i64], align 8");
	line(g, "%%functions = addrspacecast ptr addrspace(1) @functions to ptr");
	line(g, "store ptr %%t%u, ptr %%cell0, align 8", pointer(g));
	line(g, "store ptr %%t%u, ptr %%cell1, align 8", pointer(g));
}

/* Values 0.. are `count` pointers and then a number. */
static void begin(struct generator *g, unsigned count)
{
	forget(g, 0, 0);
	for (unsigned i = 0; i < count; i++)
		keep_pointer(g, i);
	keep_number(g, count);
	g->text.next = count + 1;
	g->roots = count;
	g->nesting = 0;
	label(g, g->text.next++);
}

/* The pointers of the structure %s. */
static void open_structure(struct generator *g)
{
	unsigned second = value(g, "getelementptr %%S, ptr %%s, i64 0, i32 1");

	keep_pointer(g, value(g, "load ptr, ptr %%s, align 8"));
	keep_pointer(g, value(g, "load ptr, ptr %%t%u, align 8", second));
}

/* Calls itself once more if its number says so. */
static void end_function(struct generator *g, unsigned function)
{
	unsigned again = g->text.next, done = g->text.next + 1, a = pointer(g), test, n, b, before = g->block;

	g->text.next += 2;
	test = value(g, "icmp ugt i64 %%t2, 0");
	line(g, "br i1 %%t%u, label %%b%u, label %%b%u", test, again, done);
	label(g, again);
	n = value(g, "sub i64 %%t2, 1");
	b = value(g, "call ptr @f%u(ptr %%t%u, ptr %%t%u, i64 %%t%u)", function, pointer(g), pointer(g), n);
	line(g, "br label %%b%u", done);
	label(g, done);
	a = value(g, "phi ptr [ %%t%u, %%b%u ], [ %%t%u, %%b%u ]", a, before, b, again);
	line(g, "ret ptr %%t%u", a);
	strbuf_adds(g->text.out, "}\n");
}

static void add_function(struct generator *g)
{
	strbuf_addf(g->text.out, "define internal ptr @f%u(ptr %%t0, ptr %%t1, i64 %%t2) %s {\n", g->functions,
		    chance(g, 3) ? "" : "noinline");
	begin(g, 2);
	add_locals(g);
	add_statements(g, 1 + pick(g, 5));
	end_function(g, g->functions);
	g->functions++;
}

static void add_closure(struct generator *g, const char *name, const char *attributes)
{
	strbuf_addf(g->text.out, "define internal ptr @%s(ptr %s %%s, i64 %%t0) noinline {\n", name, attributes);
	begin(g, 0);
	open_structure(g);
	g->roots = 2;
	add_locals(g);
	add_statements(g, 1 + pick(g, 4));
	line(g, "ret ptr %%t%u", pointer(g));
	strbuf_adds(g->text.out, "}\n");
}

/* All numbers go into what p7 points to, so that no load is idle. */
static void end_kernel(struct generator *g)
{
	unsigned sum = g->numbers.data[0];

	for (size_t i = 1; i < g->numbers.len; i++)
		sum = value(g, "add i64 %%t%u, %%t%u", sum, g->numbers.data[i]);
	line(g, "store i64 %%t%u, ptr %%p7, align 8", sum);
	line(g, "ret void");
	strbuf_adds(g->text.out, "}\n");
}

/* Memory that lives as long as the kernel: pointers to it may go anywhere. */
static void add_own_object(struct generator *g, const char *definition)
{
	unsigned object = value(g, "%s", definition);

	fill_slots(g, object);
	keep_pointer(g, object);
	g->roots++;
}

/* A pointer of the packed structure, which begins at byte 4 or 12, whole or by its halves. */
static unsigned packed_pointer(struct generator *g)
{
	unsigned at = 4 + 8 * pick(g, 2), low = value(g, "getelementptr i8, ptr %%packed, i64 %u", at), high, v;

	switch (pick(g, 4)) {
	case 0: return value(g, "load ptr, ptr %%t%u, align 4", low);
	case 1:
		v = value(g, "getelementptr i8, ptr %%packed, i64 4");
		v = value(g, "load <2 x i64>, ptr %%t%u, align 4", v);
		v = value(g, "extractelement <2 x i64> %%t%u, i32 %u", v, at / 12);
		return value(g, "inttoptr i64 %%t%u to ptr", v);
	case 2:
		/* Eight bytes from the upper half on, or up to the lower half. */
		v = value(g, "getelementptr i8, ptr %%packed, i64 8");
		v = value(g, "load i64, ptr %%t%u, align 4", v);
		high = value(g, "getelementptr i8, ptr %%t%u, i64 4", low);
		low = value(g, "load i32, ptr %%t%u, align 4", at == 4 ? low : high);
		low = value(g, "zext i32 %%t%u to i64", low);
		if (at == 4) {
			v = value(g, "shl i64 %%t%u, 32", v);
		} else {
			v = value(g, "lshr i64 %%t%u, 32", v);
			low = value(g, "shl i64 %%t%u, 32", low);
		}
		return value(g, "inttoptr i64 %%t%u to ptr", value(g, "or i64 %%t%u, %%t%u", v, low));
	default:
		line(g,
		     "call void @llvm.memcpy.p0.p0.i64(ptr align 4 %%scratch, ptr align 4 %%packed, i64 20, i1 false)");
		low = value(g, "getelementptr i8, ptr %%scratch, i64 %u", at);
		return value(g, "load ptr, ptr %%t%u, align 4", low);
	}
}

/* Some of the roots that only some kernels have. */
static void add_kernel_roots(struct generator *g)
{
	static const char *const casts[] = {"addrspacecast ptr addrspace(1) @g0 to ptr",
					    "addrspacecast ptr addrspace(1) @g1 to ptr", "inttoptr i64 %p6 to ptr"};

	for (unsigned i = 0; i < 3; i++)
		if (chance(g, 3)) {
			keep_pointer(g, value(g, "%s", casts[i]));
			g->roots++;
		}
	if (chance(g, 3))
		add_own_object(g, "addrspacecast ptr addrspace(3) @shared to ptr");
	if (chance(g, 2))
		add_own_object(g, "alloca [16 x i64], align 16");
}

/* Returns which of p0..p3 are noalias, bit by bit. */
static unsigned add_kernel(struct generator *g, unsigned index)
{
	unsigned noalias = 0;

	strbuf_addf(g->text.out, "define ptx_kernel void @k%u(", index);
	for (unsigned i = 0; i < 4; i++) {
		bool alone = chance(g, 4);

		noalias |= (unsigned)alone << i;
		strbuf_addf(g->text.out, "ptr %s%%t%u, ", alone ? "noalias " : "", i);
	}
	strbuf_adds(g->text.out, "ptr byval(%S) align 8 %s, i64 %t4, i64 %p6, ptr noalias %p7, "
				 "ptr byval(%P) align 4 %packed) {\n");
	begin(g, 4);
	g->in_kernel = true;
	add_kernel_roots(g);
	add_locals(g);
	if (chance(g, 3))
		open_structure(g);
	if (chance(g, 3))
		keep_pointer(g, packed_pointer(g));
	/* Where little else is done, marks depend on the disguise. */
	add_statements(g, g->disguises ? pick(g, 6) : 4 + pick(g, 14));
	add_disguise(g);
	end_kernel(g);
	g->in_kernel = false;
	return noalias;
}

/* A kernel that calls the same functions with shared and local memory: its loads there may have no mark. */
static void add_other_kernel(struct generator *g)
{
	static const char *const objects[] = {"addrspacecast ptr addrspace(3) @shared to ptr",
					      "alloca [16 x i64], align 16"};

	strbuf_adds(g->text.out, "define ptx_kernel void @other(i64 %t0) {\n");
	begin(g, 0);
	for (g->roots = 0; g->roots < 2; g->roots++)
		keep_pointer(g, value(g, "%s", objects[g->roots]));
	for (unsigned i = 0; i < 2; i++)
		fill_slots(g, g->pointers.data[i]);
	add_locals(g);
	for (unsigned i = 0; i < 2; i++)
		add_call(g);
	line(g, "ret void");
	strbuf_adds(g->text.out, "}\n");
}

static void add_variables(struct generator *g)
{
	strbuf_adds(g->text.out,
		    "target triple = \"nvptx64-nvidia-cuda\"\n"
		    "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n%S = type { ptr, ptr, i64 }\n"
		    "%P = type <{ i32, ptr, ptr }>\n"
		    "@shared = internal addrspace(3) global [16 x i64] undef, align 16\n");
	for (unsigned i = 0; i < 2; i++)
		strbuf_addf(g->text.out,
			    "@g%u = addrspace(1) externally_initialized global [16 x i64] zeroinitializer, align 16\n",
			    i);
	strbuf_adds(g->text.out,
		    "@functions = internal addrspace(1) constant [4 x ptr] [ptr @f0, ptr @f1, ptr @f0, ptr @f1]\n"
		    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
		    "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)\n"
		    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n");
}

void random_program(struct random *r, struct strbuf *out, unsigned noalias[KERNELS])
{
	struct generator g = {.random = r, .text = {out, 0}};

	add_variables(&g);
	for (g.functions = 0; g.functions < FUNCTIONS; g.calls = true)
		add_function(&g);
	g.calls = false;
	add_closure(&g, "closure", "");
	add_closure(&g, "by_value", "byval(%S) align 8");
	g.calls = true;
	for (unsigned i = 0; i < KERNELS; i++) {
		g.disguises = chance(&g, 2);
		noalias[i] = add_kernel(&g, i);
	}
	if (chance(&g, 3))
		add_other_kernel(&g);
	random_disguises_define(out);
	vec_release(&g.pointers);
	vec_release(&g.numbers);
}
