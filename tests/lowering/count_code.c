/*
 * Static counts of machine instructions by pipe, ours beside those of ptxas:
 *
 *   count_code GENERATION FILE.ptx FILE.cubin
 *
 * prints a line "kernel ours theirs differences  pipe:ours/theirs .. registers:ours/theirs loop:ours/theirs" for each
 * kernel. The loop is the largest one that has no loop inside; 0 = there is none. An instruction's opcode is the low 12
 * bits of its 16 bytes (public opcode tables of sm_70 and later); the low 9 of them do not depend on the kinds of
 * operands.
 */
#include "common/xalloc.h"
#include "lowering/machine_kernel.h"
#include "ptx-analyzer/flow/cfg.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct counts {
	unsigned pipe[MACHINE_PIPE_COUNT], all, registers, loop; /* loop: the largest that has no loop inside */
};

static char *read_whole(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	char *text;

	if (!f) {
		perror(path);
		exit(2);
	}
	fseek(f, 0, SEEK_END);
	*size = (size_t)ftell(f);
	rewind(f);
	text = xmalloc(*size + 1);
	*size = fread(text, 1, *size, f);
	text[*size] = 0;
	fclose(f);
	return text;
}

/* --- Decoding --- */

struct code_range {
	unsigned first, last;
	enum machine_pipe pipe;
};

/* By the low nine bits; the first row that holds them. */
static const struct code_range ranges[] = {
    {0x020, 0x021, MACHINE_FMA},    {0x023, 0x024, MACHINE_FMA},     {0x025, 0x025, MACHINE_WIDE},
    {0x026, 0x026, MACHINE_FMA},    {0x027, 0x027, MACHINE_WIDE},    {0x028, 0x02b, MACHINE_FP64},
    {0x030, 0x035, MACHINE_HALF},   {0x037, 0x037, MACHINE_TENSOR},  {0x03b, 0x03b, MACHINE_LSU},
    {0x03c, 0x03d, MACHINE_TENSOR}, {0x03f, 0x03f, MACHINE_TENSOR},  {0x03a, 0x03a, MACHINE_TENSOR},
    {0x000, 0x07f, MACHINE_ALU},    {0x080, 0x0ff, MACHINE_UNIFORM}, {0x100, 0x113, MACHINE_XU},
    {0x118, 0x118, MACHINE_SYNC},   {0x119, 0x11d, MACHINE_SYNC},    {0x141, 0x15f, MACHINE_BRANCH},
    {0x160, 0x16f, MACHINE_TEX},    {0x180, 0x181, MACHINE_LSU},     {0x182, 0x182, MACHINE_CONST},
    {0x183, 0x191, MACHINE_LSU},    {0x192, 0x192, MACHINE_SYNC},    {0x1a1, 0x1a1, MACHINE_LSU},
    {0x1a7, 0x1aa, MACHINE_LSU},    {0x1ab, 0x1ab, MACHINE_SYNC},    {0x1ae, 0x1ae, MACHINE_LSU},
    {0x1af, 0x1af, MACHINE_SYNC},   {0x1c2, 0x1c4, MACHINE_UNIFORM}, {0x1f0, 0x1ff, MACHINE_TENSOR},
};

static enum machine_pipe pipe_of(unsigned opcode)
{
	for (unsigned i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
		if ((opcode & 0x1ff) >= ranges[i].first && (opcode & 0x1ff) <= ranges[i].last)
			return ranges[i].pipe;
	return MACHINE_LSU;
}

static uint64_t word(const char *at)
{
	uint64_t w;

	memcpy(&w, at, sizeof w);
	return w;
}

enum { CALL_RELATIVE = 0x944, BRANCH = 0x947, RETURN = 0x950, EXIT = 0x94d, NOTHING = 0x918 };

/* Instructions that a call or branch goes ahead, from the one behind it. sm_90 has the low byte of the offset in
 * another place.
 */
static int64_t branch_distance(uint64_t low, uint64_t high, enum machine_generation g)
{
	int64_t offset = (int64_t)((low >> 34 | high << 30) << 16) >> 16;

	return (g == MACHINE_HOPPER ? offset * 256 + (int64_t)(low >> 16 & 0xff) : offset) / 4;
}

/* ptxas also jumps by CALL. A subroutine comes to a return before it comes to an exit. */
static bool is_subroutine(const char *code, size_t n, size_t at)
{
	for (; at < n; at++) {
		unsigned opcode = word(code + 16 * at) & 0xfff;

		if (opcode == RETURN || opcode == EXIT)
			return opcode == RETURN;
	}
	return false;
}

/* Where the code's own subroutines begin: the first target of a call. Slow paths of divisions stand there. */
static size_t end_of_body(const char *code, size_t n, enum machine_generation g)
{
	size_t end = n;

	for (size_t i = 0; i < n; i++) {
		uint64_t low = word(code + 16 * i), high = word(code + 16 * i + 8);
		int64_t to = (int64_t)i + 1 + branch_distance(low, high, g);

		if ((low & 0xfff) == CALL_RELATIVE && to > (int64_t)i && (size_t)to < end &&
		    is_subroutine(code, n, (size_t)to))
			end = (size_t)to;
	}
	return end;
}

static bool goes_back(const char *code, size_t i, enum machine_generation g, size_t *to)
{
	uint64_t low = word(code + 16 * i), high = word(code + 16 * i + 8);
	int64_t at = (int64_t)i + 1 + branch_distance(low, high, g);

	*to = (size_t)at;
	return (low & 0xfff) == BRANCH && at >= 0 && at < (int64_t)i;
}

/* A loop is what a branch goes back over; one has none inside when no branch in it goes back within it. */
static unsigned largest_loop(const char *code, size_t n, enum machine_generation g)
{
	unsigned largest = 0;

	for (size_t i = 0; i < n; i++) {
		size_t to, inner, loops = 0, count = 0;

		if (!goes_back(code, i, g, &to))
			continue;
		for (size_t k = to; k <= i; k++) {
			loops += k < i && goes_back(code, k, g, &inner) && inner >= to;
			count += (word(code + 16 * k) & 0xfff) != NOTHING;
		}
		if (!loops && count > largest)
			largest = (unsigned)count;
	}
	return largest;
}

static struct counts count_code(const char *code, size_t bytes, enum machine_generation g)
{
	struct counts c = {.all = 0};
	size_t n = bytes / 16, end = end_of_body(code, n, g);

	while (end == n && n && (word(code + 16 * (n - 1)) & 0xfff) == NOTHING)
		end = --n;
	if (end == n && n && (word(code + 16 * (n - 1)) & 0xfff) == BRANCH)
		end--; /* the loop that stands behind a kernel's end */
	c.loop = largest_loop(code, end, g);
	for (size_t i = 0; i < end; i++) {
		unsigned opcode = word(code + 16 * i) & 0xfff;

		if (opcode == NOTHING)
			continue;
		c.pipe[pipe_of(opcode)]++;
		c.all++;
		if (getenv("COUNT_VERBOSE"))
			fprintf(stderr, "%4zu %03x %s\n", i, opcode, machine_pipe_name(pipe_of(opcode)));
	}
	return c;
}

static bool count_theirs(const char *cubin, size_t size, const char *kernel, enum machine_generation g,
			 struct counts *c)
{
	const Elf64_Ehdr *h = (const Elf64_Ehdr *)(const void *)cubin;
	const Elf64_Shdr *s = (const Elf64_Shdr *)(const void *)(cubin + h->e_shoff);
	const char *names = cubin + s[h->e_shstrndx].sh_offset;

	for (unsigned i = 0; i < h->e_shnum; i++) {
		const char *name = names + s[i].sh_name;

		if (strncmp(name, ".text.", 6) || strcmp(name + 6, kernel) || s[i].sh_offset + s[i].sh_size > size)
			continue;
		*c = count_code(cubin + s[i].sh_offset, s[i].sh_size, g);
		c->registers = s[i].sh_info >> 24;
		return true;
	}
	return false;
}

/* Every access is performed by one instruction: as many as there are, and none twice. */
static bool has_all_accesses(const struct machine_kernel *m, const struct ptx_function *f)
{
	unsigned expected = 0, found = 0;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		enum ptx_op op = f->insts[i].opcode->op;

		expected += (op == PTX_OP_ld || op == PTX_OP_st) && f->insts[i].opcode->space == PTX_SPACE_SHARED;
	}
	for (uint32_t b = 0; b < m->nblocks; b++)
		for (uint32_t i = 0; i < m->blocks[b].ninsts; i++) {
			const struct machine_inst *in = &m->blocks[b].insts[i];

			found += in->op == MACHINE_LDS || in->op == MACHINE_STS ? in->naccess : 0;
		}
	return found == expected;
}

static void count_insts(struct counts *c, const struct machine_inst *insts, uint32_t n, uint32_t block, unsigned times)
{
	for (uint32_t i = 0; i < n; i++) {
		if (insts[i].op == MACHINE_NOP)
			continue;
		c->pipe[insts[i].pipe] += times;
		c->all += times;
		if (getenv("COUNT_VERBOSE"))
			fprintf(stderr, "   block %u %s\n", block, machine_op_name((enum machine_op)insts[i].op));
	}
}

/* A loop of one block of which only copies are left, that follow one another. */
static bool is_gone(const struct machine_block *b)
{
	return b->unrolled && !b->rest && b->region->insts[b->region->ninsts - 1].op != MACHINE_BRA;
}

static unsigned size_of(const struct machine_block *b)
{
	return b->unrolled ? b->region->ninsts : b->ninsts;
}

/* The blocks that are ahead of `from` and lead to it without passing `head`, both included. */
static unsigned count_loop(const struct machine_kernel *m, const struct ptx_function *f, uint32_t head, uint32_t from)
{
	bool *in = xcalloc(f->nblocks, sizeof *in);
	unsigned count = 0;
	bool changed = true, nested = false;

	in[head] = in[from] = true;
	while (changed) {
		changed = false;
		for (uint32_t b = 0; b < f->nblocks; b++)
			for (uint32_t k = 0; k < f->blocks[b].nsucc && !in[b] && f->blocks[b].reachable; k++)
				if (in[f->blocks[b].succ[k]] && f->blocks[b].succ[k] != head)
					changed = in[b] = true;
	}
	for (uint32_t b = 0; b < f->nblocks; b++) {
		for (uint32_t k = 0; k < f->blocks[b].nsucc && in[b]; k++) {
			uint32_t to = f->blocks[b].succ[k];

			nested |= to != head && in[to] && f->blocks[to].rpo <= f->blocks[b].rpo &&
				  !(to == b && is_gone(&m->blocks[b]));
		}
		count += in[b] ? size_of(&m->blocks[b]) : 0;
	}
	free(in);
	return nested ? 0 : count;
}

/* Blocks of the kernel come first, as its graph has them. A loop that is unrolled counts with its copies. */
static unsigned our_loop(const struct machine_kernel *m, const struct ptx_function *f)
{
	unsigned largest = 0;

	for (uint32_t b = 0; b < f->nblocks; b++)
		for (uint32_t k = 0; k < f->blocks[b].nsucc; k++) {
			uint32_t to = f->blocks[b].succ[k];
			unsigned n;

			if (!f->blocks[b].reachable || f->blocks[to].rpo > f->blocks[b].rpo || is_gone(&m->blocks[to]))
				continue;
			n = count_loop(m, f, to, b);
			largest = n > largest ? n : largest;
		}
	return largest;
}

static bool count_ours(const char *ptx, size_t size, struct ptx_function *f, enum machine_generation g,
		       struct counts *c)
{
	struct diag d = DIAG_INIT;
	struct machine_kernel *m = machine_kernel_create(
	    &(struct lowering_request){.ptx = ptx, .size = size, .kernel = f->name, .generation = g}, &d);

	if (!m) {
		diag_print(&d, stderr);
		return false;
	}
	if (ptx_build_cfg(f, &d) < 0 || !has_all_accesses(m, f)) {
		fprintf(stderr, "%s: accesses are missing, or are made twice\n", f->name);
		exit(1);
	}
	*c = (struct counts){.registers = m->registers_per_thread};
	for (uint32_t b = 0; b < m->nblocks; b++) {
		const struct machine_block *block = &m->blocks[b];

		count_insts(c, block->insts, block->ninsts, b, block->unrolled ? block->rest : 1);
		if (block->unrolled)
			count_insts(c, block->region->insts, block->region->ninsts, b, 1);
	}
	c->loop = our_loop(m, f);
	machine_kernel_free(m);
	return true;
}

static void print_counts(const char *kernel, const struct counts *ours, const struct counts *theirs)
{
	unsigned differ = 0;

	for (unsigned p = 0; p < MACHINE_PIPE_COUNT; p++)
		differ += (unsigned)abs((int)ours->pipe[p] - (int)theirs->pipe[p]);
	printf("%s %u %u %u ", kernel, ours->all, theirs->all, differ);
	for (unsigned p = 0; p < MACHINE_PIPE_COUNT; p++)
		if (ours->pipe[p] || theirs->pipe[p])
			printf(" %s:%u/%u", machine_pipe_name((enum machine_pipe)p), ours->pipe[p], theirs->pipe[p]);
	printf(" registers:%u/%u loop:%u/%u\n", ours->registers, theirs->registers, ours->loop, theirs->loop);
}

int main(int argc, char **argv)
{
	enum machine_generation g = argc == 4 ? machine_generation_by_name(argv[1]) : MACHINE_GENERATION_COUNT;
	struct diag d = DIAG_INIT;
	struct ptx_module *m;
	size_t size, cubin_size;
	char *ptx, *cubin;

	if (g == MACHINE_GENERATION_COUNT) {
		fprintf(stderr, "usage: count_code GENERATION FILE.ptx FILE.cubin\n");
		return 2;
	}
	ptx = read_whole(argv[2], &size);
	cubin = read_whole(argv[3], &cubin_size);
	m = ptx_parse(argv[2], ptx, size, &d);
	if (!m) {
		diag_print(&d, stderr);
		return 1;
	}
	for (uint32_t i = 0; i < m->nfunctions; i++) {
		struct ptx_function *f = &m->functions[i];
		struct counts ours, theirs;

		if (f->is_kernel && !f->is_declaration && count_theirs(cubin, cubin_size, f->name, g, &theirs) &&
		    count_ours(ptx, size, f, g, &ours))
			print_counts(f->name, &ours, &theirs);
	}
	ptx_module_free(m);
	free(ptx);
	free(cubin);
	return 0;
}
