/* Blocks, edges and post-dominators: by hand, and against the definition on random graphs. */
#include "tests/ptx-analyzer/language/ptxtest.h"
#include "ptx-analyzer/flow/cfg.h"

#include <stdlib.h>

static struct ptx_function *build(struct ptx_module *m)
{
	struct ptx_function *f = ptx_find_function(m, "k");
	struct diag d = DIAG_INIT;

	assert_int_equal(ptx_build_cfg(f, &d), 0);
	assert_int_equal(ptx_build_cfg(f, &d), 0);
	return f;
}

static void assert_block(const struct ptx_function *f, uint32_t block, uint32_t first, uint32_t count, uint32_t ipdom)
{
	assert_int_equal(f->blocks[block].first, first);
	assert_int_equal(f->blocks[block].count, count);
	assert_int_equal(f->blocks[block].ipdom, ipdom);
	for (uint32_t i = first; i < first + count; i++)
		assert_int_equal(f->insts[i].block, block);
}

static void test_if_else(void **state)
{
	struct ptx_module *m = parse_text(KERNEL("mov.b32 %r1, 1; @%p1 bra ELSE; mov.b32 %r1, 2; bra END;\n"
						 "ELSE: mov.b32 %r1, 3; END: ret;"));
	struct ptx_function *f = build(m);

	(void)state;
	assert_int_equal(f->nblocks, 4);
	assert_block(f, 0, 0, 2, 3);
	assert_block(f, 1, 2, 2, 3);
	assert_block(f, 2, 4, 1, 3);
	assert_block(f, 3, 5, 1, PTX_NONE);
	assert_int_equal(f->blocks[0].nsucc, 2);
	assert_int_equal(f->blocks[0].succ[0], 2); /* taken first */
	assert_int_equal(f->blocks[0].succ[1], 1);
	assert_int_equal(f->blocks[3].npred, 2);
	assert_int_equal(f->blocks[0].rpo, 0);
	assert_int_equal(f->blocks[3].rpo, 3);
	ptx_module_free(m);
}

static void test_guarded_exit_call_and_switch(void **state)
{
	struct ptx_module *m = parse_text(KERNEL("@%p1 exit; call g; t: .branchtargets A, B, A;\n"
						 "brx.idx %r1, t; mov.b32 %r1, 9; A: mov.b32 %r1, 1; B: ret;"));
	struct ptx_function *f = build(m);

	(void)state;
	assert_int_equal(f->nblocks, 6);
	assert_int_equal(f->blocks[0].nsucc, 1);
	assert_int_equal(f->blocks[0].ipdom, PTX_NONE); /* some lanes leave here */
	assert_int_equal(f->blocks[1].nsucc, 1);
	assert_int_equal(f->blocks[2].nsucc, 2);
	assert_int_equal(f->blocks[2].succ[0], 4);
	assert_int_equal(f->blocks[2].succ[1], 5);
	assert_int_equal(f->blocks[2].ipdom, 5);
	assert_false(f->blocks[3].reachable);
	assert_int_equal(f->blocks[3].rpo, PTX_NONE);
	ptx_module_free(m);
}

static void test_endless_loop_and_end(void **state)
{
	struct ptx_module *m = parse_text(KERNEL("@%p1 bra OUT; L: mov.b32 %r1, 1; bra L; OUT: @%p2 bra END;\n"
						 "mov.b32 %r1, 1; END:"));
	struct ptx_function *f = build(m);

	(void)state;
	assert_int_equal(f->nblocks, 4);
	assert_int_equal(f->blocks[0].ipdom, PTX_NONE);
	assert_int_equal(f->blocks[1].ipdom, PTX_NONE);
	assert_int_equal(f->blocks[2].nsucc, 1); /* END is the function's end */
	assert_int_equal(f->blocks[2].ipdom, PTX_NONE);
	ptx_module_free(m);
	m = parse_text(HEAD ".entry k() { }");
	f = build(m);
	assert_int_equal(f->nblocks, 1);
	assert_int_equal(f->blocks[0].count, 0);
	ptx_module_free(m);
}

static void test_labels_without_branches(void **state)
{
	struct ptx_module *m = parse_text(KERNEL("D: mov.b32 %r1, 1; E: mov.b32 %r1, 2; bra F; F: ret;"));
	struct ptx_function *f = build(m);

	(void)state;
	assert_int_equal(f->nblocks, 2);
	assert_block(f, 0, 0, 3, 1);
	ptx_module_free(m);
}

static void test_bad_targets(void **state)
{
	struct ptx_module *m = parse_text(KERNEL("A: bra A;"));
	struct diag d = DIAG_INIT;

	(void)state;
	ptx_find_function(m, "k")->insts[0].operands[0].kind = PTX_OPERAND_INT; /* an edit gone wrong */
	assert_int_equal(ptx_build_cfg(ptx_find_function(m, "k"), &d), DIAG_ERROR);
	assert_int_equal(d.line, 7);
	assert_non_null(strstr(d.message, "not a label"));
	ptx_module_free(m);
}

/* --- Against the definition --- */

enum { MOST_BLOCKS = 24 };

/* A kernel of n blocks; each ends in nothing, a branch, a predicated branch, ret or a predicated ret. */
static struct ptx_module *random_kernel(unsigned n)
{
	struct strbuf sb = STRBUF_INIT;
	struct ptx_module *m;

	strbuf_adds(&sb, HEAD ".entry k() { .reg .pred %p1; .reg .b32 %r1;\n");
	for (unsigned i = 0; i < n; i++) {
		strbuf_addf(&sb, "L%u: mov.b32 %%r1, %u;\n", i, i);
		switch (rand() % 5) {
		case 0: strbuf_addf(&sb, "bra L%u;\n", (unsigned)rand() % n); break;
		case 1:
		case 2: strbuf_addf(&sb, "@%%p1 bra L%u;\n", (unsigned)rand() % n); break;
		case 3: strbuf_adds(&sb, rand() % 3 ? "@%p1 ret;\n" : "ret;\n"); break;
		default: break;
		}
	}
	strbuf_adds(&sb, "}\n");
	m = parse_text(sb.data);
	strbuf_release(&sb);
	return m;
}

static bool leaves(const struct ptx_function *f, uint32_t b)
{
	const struct ptx_inst *last = &f->insts[f->blocks[b].first + f->blocks[b].count - 1];

	return last->opcode->op == PTX_OP_ret ||
	       (b + 1 == f->nblocks && (last->opcode->op != PTX_OP_bra || last->predicate != PTX_NONE));
}

/* Can the exit be reached from `from` without passing `without`? */
static bool reaches_exit(const struct ptx_function *f, uint32_t from, uint32_t without)
{
	uint32_t stack[MOST_BLOCKS * 4], depth = 0;
	bool seen[MOST_BLOCKS * 2] = {false};

	stack[depth++] = from;
	while (depth) {
		uint32_t b = stack[--depth];

		if (b == without || seen[b])
			continue;
		seen[b] = true;
		if (leaves(f, b))
			return true;
		for (uint32_t s = 0; s < f->blocks[b].nsucc; s++)
			stack[depth++] = f->blocks[b].succ[s];
	}
	return false;
}

static void check_against_definition(const struct ptx_function *f)
{
	for (uint32_t b = 0; b < f->nblocks; b++) {
		uint32_t post = f->blocks[b].ipdom;

		if (!f->blocks[b].reachable || !reaches_exit(f, b, PTX_NONE))
			continue;
		if (post != PTX_NONE)
			assert_false(reaches_exit(f, b, post));
		/* every other post-dominator of b post-dominates ipdom(b) as well */
		for (uint32_t c = 0; c < f->nblocks; c++)
			if (c != b && c != post && !reaches_exit(f, b, c))
				assert_true(post != PTX_NONE && !reaches_exit(f, post, c));
	}
}

static bool reaches(const struct ptx_function *f, uint32_t from, uint32_t to, uint32_t without)
{
	uint32_t stack[MOST_BLOCKS * 4], depth = 0;
	bool seen[MOST_BLOCKS * 2] = {false};

	stack[depth++] = from;
	while (depth) {
		uint32_t b = stack[--depth];

		if (b == without || seen[b])
			continue;
		seen[b] = true;
		if (b == to)
			return true;
		for (uint32_t s = 0; s < f->blocks[b].nsucc; s++)
			stack[depth++] = f->blocks[b].succ[s];
	}
	return false;
}

/*
 * Where threads meet before the post-dominator, two ways lead there, and every way to some exit does: those that do not
 * leave elsewhere.
 */
static unsigned check_meets(const struct ptx_function *f)
{
	unsigned early = 0;

	for (uint32_t b = 0; b < f->nblocks; b++) {
		uint32_t meet = f->blocks[b].meet, ways = 0;
		bool holds = false;

		if (meet == f->blocks[b].ipdom)
			continue;
		early++;
		assert_true(meet != PTX_NONE && f->blocks[b].reachable);
		for (uint32_t s = 0; s < f->blocks[b].nsucc; s++)
			ways += reaches(f, f->blocks[b].succ[s], meet, PTX_NONE);
		assert_true(ways >= 2);
		for (uint32_t e = 0; e < f->nblocks; e++)
			holds |= leaves(f, e) && reaches(f, b, e, PTX_NONE) && !reaches(f, b, e, meet);
		assert_true(holds);
	}
	return early;
}

static bool all_reach_exit(const struct ptx_function *f)
{
	for (uint32_t b = 0; b < f->nblocks; b++)
		if (f->blocks[b].reachable && !reaches_exit(f, b, PTX_NONE))
			return false;
	return true;
}

static void test_random_graphs(void **state)
{
	unsigned checked = 0, early = 0;

	(void)state;
	srand(1);
	for (int i = 0; i < 3000; i++) {
		struct ptx_module *m = random_kernel(2 + (unsigned)rand() % MOST_BLOCKS);
		struct ptx_function *f = build(m);

		if (all_reach_exit(f)) {
			check_against_definition(f);
			checked++;
		}
		early += check_meets(f);
		ptx_module_free(m);
	}
	assert_true(checked > 1000 && early > 1000);
}

static void test_early_exits(void **state)
{
	static const char *const arms[] = {"@%p2 ret;", "@%p2 trap;", "@%p2 bra OUT;", "@%p2 bra LATE;",
					   "@%p2 bra DEAD;"};

	(void)state;
	for (size_t i = 0; i < sizeof arms / sizeof arms[0]; i++) {
		struct strbuf sb = STRBUF_INIT;
		struct ptx_module *m;
		const struct ptx_function *f;

		strbuf_addf(&sb,
			    "%s.entry k() { .reg .pred %%p<4>; .reg .b32 %%r1;\nLOOP: @%%p1 bra EVEN;\n%s\n"
			    "mov.b32 %%r1, 1; bra MEET;\nEVEN: mov.b32 %%r1, 2;\nMEET: @%%p3 bra LOOP;\n"
			    "mov.b32 %%r1, 3; OUT: ret;\nLATE: mov.b32 %%r1, 4; ret;\nDEAD: trap; }\n",
			    HEAD, arms[i]);
		m = parse_text(sb.data);
		f = build(m);
		assert_int_equal(f->insts[f->blocks[0].first].opcode->op, PTX_OP_bra);
		assert_int_equal(f->blocks[0].meet, 4);
		assert_int_equal(f->blocks[4].meet, 5);
		ptx_module_free(m);
		strbuf_release(&sb);
	}
}

/* A ladder of 100,000 predicated branches backwards and forwards takes a moment, not minutes. */
static void test_large_function(void **state)
{
	enum { RUNGS = 100000 };
	struct strbuf sb = STRBUF_INIT;
	struct ptx_module *m;
	struct ptx_function *f;

	(void)state;
	strbuf_adds(&sb, HEAD ".entry k() { .reg .pred %p1;\n");
	for (unsigned i = 0; i < RUNGS; i++)
		strbuf_addf(&sb, "L%u: @%%p1 bra L%u;\n@%%p1 bra L%u;\n", i, i / 2, RUNGS - 1 - i / 3);
	strbuf_adds(&sb, "ret; }\n");
	m = parse_text(sb.data);
	f = build(m);
	assert_int_equal(f->nblocks, 2 * RUNGS + 1);
	assert_int_equal(f->blocks[2 * RUNGS].ipdom, PTX_NONE);
	assert_int_equal(f->blocks[2 * RUNGS - 1].ipdom, 2 * RUNGS);
	strbuf_release(&sb);
	ptx_module_free(m);
}

/* As many exits as branches. */
static void test_many_exits(void **state)
{
	enum { RUNGS = 100000 };
	struct strbuf sb = STRBUF_INIT;
	struct ptx_module *m;
	struct ptx_function *f;

	(void)state;
	strbuf_adds(&sb, HEAD ".entry k() { .reg .pred %p1; .reg .b32 %r1;\n");
	for (unsigned i = 0; i < RUNGS; i++)
		strbuf_addf(&sb, "@%%p1 bra L%u;\n@%%p1 exit;\nL%u: mov.b32 %%r1, 1;\n", i, i);
	strbuf_adds(&sb, "ret; }\n");
	m = parse_text(sb.data);
	f = build(m);
	assert_int_equal(f->nblocks, 2 * RUNGS + 1);
	for (unsigned i = 0; i < RUNGS; i++)
		assert_int_equal(f->blocks[2 * i].meet, 2 * i + 2);
	strbuf_release(&sb);
	ptx_module_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_if_else),
	    cmocka_unit_test(test_guarded_exit_call_and_switch),
	    cmocka_unit_test(test_endless_loop_and_end),
	    cmocka_unit_test(test_labels_without_branches),
	    cmocka_unit_test(test_bad_targets),
	    cmocka_unit_test(test_random_graphs),
	    cmocka_unit_test(test_early_exits),
	    cmocka_unit_test(test_many_exits),
	    cmocka_unit_test(test_large_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
