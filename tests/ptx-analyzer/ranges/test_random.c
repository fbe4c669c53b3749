/*
 * Ranges by execution: random kernels are evaluated for random launches, and every address that a thread of the launch
 * computes is held against what was claimed of its access: by the evaluation of the launch, and by the text of the
 * access with the launch's numbers. What a thread does is found by tests/.../random_run.c, which knows no PTX.
 *
 *   ROMARK_RANDOM_RANGES=100000    so many kernels (3000 without)
 *   ROMARK_RANDOM_FIRST=1234       from this one on; a failure names its number
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/diag.h"
#include "ptx-analyzer/language/module/ptx_access.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "ptx-analyzer/ranges/range_text.h"
#include "ptx-analyzer/ranges/ranges.h"
#include "tests/ptx-analyzer/ranges/random_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS = 3000, LAUNCHES = 6, MOST_ACCESSES = 256 };

static struct tally {
	unsigned long long launches, scanned, accesses, happened, close, tight, unknown, never, steps, told, told_tight,
	    told_known;
} tally;

/* A launch: the parameters in the order of the kernel's text. */
struct params {
	uint64_t bases[BASES], wide, table;
	uint32_t numbers[PARAMS];
};

/* Far from all other memory; now and then a base is in it. */
static const uint64_t table_at = 0x7e0000000000;

struct checker {
	unsigned char table[TABLE_BYTES]; /* as it is while threads run */
	bool stores[MOST_ACCESSES];
	const struct program *program;
	const char *text;
	uint64_t seed;
	struct params params;
	uint32_t grid, block, tid, ctaid;
	struct byte_range claims[MOST_ACCESSES], texts[MOST_ACCESSES]; /* by evaluation, and by text */
	struct byte_range seen[MOST_ACCESSES];                         /* RANGE_KNOWN once it has happened */
};

static void print_launch(const struct checker *c)
{
	printf("%s\nkernel %llu, grid %u, block %u, CTA %u, thread %u, w %lld, n", c->text, (unsigned long long)c->seed,
	       c->grid, c->block, c->ctaid, c->tid, (long long)c->params.wide);
	for (unsigned i = 0; i < PARAMS; i++)
		printf(" %d", (int)c->params.numbers[i]);
	printf("\n");
}

static void note_seen(struct byte_range *seen, uint64_t first, uint64_t last)
{
	if (seen->kind != RANGE_KNOWN)
		*seen = (struct byte_range){RANGE_KNOWN, first, last};
	seen->first = first < seen->first ? first : seen->first;
	seen->last = last > seen->last ? last : seen->last;
}

/* A store into the table leaves numbers there that nobody has looked at. */
static void write_table(struct checker *c, uint64_t address, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		if (address + i - table_at < TABLE_BYTES)
			c->table[address + i - table_at] = (unsigned char)program_random();
}

static void check_claim(const struct checker *c, const struct byte_range *claim, const char *whose, unsigned nth,
			uint64_t address, unsigned bytes)
{
	if (claim->kind == RANGE_UNKNOWN || (claim->kind == RANGE_KNOWN && claim->first <= address &&
					     address <= claim->last && claim->last - address >= bytes - 1))
		return;
	print_launch(c);
	fail_msg("access %u of %u bytes at %#llx is outside of its range by %s, %s %#llx .. %#llx", nth, bytes,
		 (unsigned long long)address, whose, claim->kind == RANGE_NEVER ? "never" : "",
		 (unsigned long long)claim->first, (unsigned long long)claim->last);
}

static void check_access(void *data, unsigned nth, uint64_t address, unsigned bytes)
{
	struct checker *c = data;

	tally.steps++;
	if (c->stores[nth])
		write_table(c, address, bytes);
	note_seen(&c->seen[nth], address, address + bytes - 1);
	check_claim(c, &c->claims[nth], "evaluation", nth, address, bytes);
	check_claim(c, &c->texts[nth], "text", nth, address, bytes);
}

/* The numbers at which expressions go round, and usual sizes. */
static uint32_t trap(void)
{
	static const uint32_t traps[] = {0, 1, UINT32_MAX, 0x80000000, 0x7FFFFFFF, 1 << 30, 2, 3, 17, 64, 100, 1000};

	if (program_random() % 3 == 0)
		return (uint32_t)(program_random() % 300);
	return program_random() % 8 == 0 ? (uint32_t)program_random() : traps[program_random() % 12];
}

/* Small numbers, numbers around 0, ascending ones as the rows of a sparse matrix, or any. */
static void arrange_table(struct checker *c)
{
	unsigned how = (unsigned)(program_random() % 4), bytes = 1u << program_random() % 4;
	uint64_t number = 0;

	for (unsigned i = 0; i < TABLE_BYTES; i += bytes) {
		if (how == 0)
			number = program_random() % 100;
		else if (how == 1)
			number = program_random() % 100 - 50;
		else if (how == 2)
			number += program_random() % 4;
		else
			number = program_random() >> program_random() % 64;
		memcpy(c->table + i, &number, bytes);
	}
}

static bool find(void *table, uint64_t address, uint64_t *base, size_t *size)
{
	(void)table;
	*base = table_at;
	*size = TABLE_BYTES;
	return address - table_at < TABLE_BYTES;
}

static const void *view(void *table, uint64_t address, size_t size)
{
	assert_true(address >= table_at && address + size <= table_at + TABLE_BYTES);
	return (unsigned char *)table + (address - table_at);
}

static void arrange(struct checker *c)
{
	for (unsigned i = 0; i < BASES; i++)
		c->params.bases[i] = 0x7f0000000000 + ((uint64_t)i << 40) + program_random() % 4 * 256;
	c->params.table = table_at;
	if (program_random() % 3 == 0)
		c->params.bases[program_random() % BASES] = table_at + program_random() % TABLE_BYTES / 8 * 8;
	arrange_table(c);
	c->params.wide = program_random() % 3 ? program_random() % 4096 : (uint64_t)(int64_t)(int32_t)trap();
	for (unsigned i = 0; i < PARAMS; i++)
		c->params.numbers[i] = program_random() % 3 ? (uint32_t)(program_random() % 200) : trap();
	c->grid = 1 + (uint32_t)(program_random() % 3);
	c->block = 1 + (uint32_t)(program_random() % 5) * 7;
}

/* Accesses in the order of the text; volatile ones and those of the table only load a number. */
static void take_claims(struct checker *c, const struct ptx_function *f, const struct launch_ranges *l,
			const struct range_texts *texts, const struct range_launch *shape)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ptx_inst *inst = &f->insts[i];
		bool access = inst->opcode->op == PTX_OP_ld || inst->opcode->op == PTX_OP_st;

		if (!access || inst->opcode->space != PTX_SPACE_GLOBAL || inst->opcode->group[PTX_GROUP_ORDER] ||
		    ptx_is_promised(inst->opcode))
			continue;
		c->stores[n] = inst->opcode->op == PTX_OP_st;
		c->texts[n] = ptx_range_text_evaluate(texts, i, shape);
		c->claims[n++] = ptx_ranges_of(l, i);
	}
	assert_int_equal(n, c->program->naccesses);
}

/* How good the claims are: a claim is close if it holds at most 64 KiB more than was accessed. */
static void count(const struct byte_range *claim, const struct byte_range *seen)
{
	uint64_t more;

	tally.accesses++;
	tally.never += claim->kind == RANGE_NEVER;
	tally.unknown += claim->kind == RANGE_UNKNOWN;
	if (seen->kind != RANGE_KNOWN)
		return;
	tally.happened++;
	if (claim->kind != RANGE_KNOWN)
		return;
	more = (claim->last - claim->first) - (seen->last - seen->first);
	tally.close += more <= 65536;
	tally.tight += more == 0;
}

static void count_text(const struct byte_range *text, const struct byte_range *claim, const struct byte_range *seen)
{
	if (seen->kind != RANGE_KNOWN)
		return;
	tally.told_known += claim->kind == RANGE_KNOWN;
	tally.told += text->kind == RANGE_KNOWN;
	tally.told_tight += text->kind == RANGE_KNOWN && text->first == seen->first && text->last == seen->last;
}

static void launch(struct checker *c, const struct ptx_function *f, const struct kernel_ranges *k,
		   const struct range_texts *texts)
{
	struct range_launch shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
	const struct guard_context memory = {c->table, find, NULL, view, NULL};
	struct launch_ranges *l, *scanned;
	struct run run = {.program = c->program, .table = c->table, .access = check_access, .data = c};

	arrange(c);
	shape.grid[0] = c->grid;
	shape.block[0] = c->block;
	shape.params = &c->params;
	shape.param_bytes = sizeof c->params;
	l = ptx_ranges_evaluate(k, &shape);
	scanned = ptx_ranges_scan(k, &shape, l, &memory, NULL);
	tally.scanned += scanned != NULL;
	take_claims(c, f, scanned ? scanned : l, texts, &shape);
	memset(c->seen, 0, sizeof c->seen);
	memcpy(run.params, c->params.numbers, sizeof run.params);
	memcpy(run.bases, c->params.bases, sizeof run.bases);
	run.wide = c->params.wide;
	run.ntid = c->block;
	for (run.ctaid = 0; run.ctaid < c->grid; run.ctaid++)
		for (run.tid = 0; run.tid < c->block; run.tid++) {
			c->tid = run.tid;
			c->ctaid = run.ctaid;
			run_thread(&run);
		}
	tally.launches++;
	for (unsigned i = 0; i < c->program->naccesses; i++)
		count(&c->claims[i], &c->seen[i]);
	for (unsigned i = 0; i < c->program->naccesses; i++)
		count_text(&c->texts[i], &c->claims[i], &c->seen[i]);
	ptx_ranges_release(l);
	ptx_ranges_release(scanned);
}

static void check_kernel(uint64_t seed)
{
	struct program *p = program_make(seed);
	struct strbuf text = STRBUF_INIT;
	struct checker c = {.program = p, .seed = seed};
	struct diag d = DIAG_INIT;
	struct kernel_ranges *k;
	struct range_texts *texts;
	struct ptx_module *m;
	struct ptx_function *f;

	program_text(p, &text);
	c.text = text.data;
	m = ptx_parse("random", text.data, text.len, &d);
	if (!m)
		fail_msg("line %u: %s\n%s", d.line, d.message, text.data);
	assert_true(p->naccesses <= MOST_ACCESSES);
	f = ptx_find_function(m, "k");
	k = ptx_ranges_prepare(f);
	texts = ptx_range_texts(k);
	for (unsigned i = 0; i < LAUNCHES; i++)
		launch(&c, f, k, texts);
	ptx_range_texts_free(texts);
	ptx_ranges_free(k);
	ptx_module_free(m);
	strbuf_release(&text);
	program_free(p);
}

static uint64_t setting(const char *name, uint64_t usual)
{
	const char *set = getenv(name);

	return set ? strtoull(set, NULL, 10) : usual;
}

static void test_no_claim_is_wrong(void **state)
{
	uint64_t first = setting("ROMARK_RANDOM_FIRST", 1), count = setting("ROMARK_RANDOM_RANGES", KERNELS);

	(void)state;
	for (uint64_t i = 0; i < count; i++)
		check_kernel(first + i);
	printf(
	    "%llu launches, %llu of them with scans, %llu addresses; %llu accesses: %llu claimed never, %llu unknown; "
	    "%llu happened: %llu claims are exact, %llu close\n",
	    tally.launches, tally.scanned, tally.steps, tally.accesses, tally.never, tally.unknown, tally.happened,
	    tally.tight, tally.close);
	printf("texts: %llu that happened have a range at the launch, %llu of these are exact; evaluation knows %llu\n",
	       tally.told, tally.told_tight, tally.told_known);
	/* A test of claims needs claims. */
	assert_true(count < 100 || (tally.close * 2 > tally.happened && tally.tight * 4 > tally.happened &&
				    tally.scanned * 50 > tally.launches));
	assert_true(count < 100 || tally.told * 8 > tally.happened);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_claim_is_wrong)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
