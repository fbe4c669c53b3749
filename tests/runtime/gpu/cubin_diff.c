/*
 * cubin_diff FILE.cubin: the effect of the marks on the machine code. For each kernel with two versions it prints the
 * sizes of both and the instructions (16 bytes each since Volta) that differ. Among these it counts the instructions
 * that differ in a single bit of equal opcodes: loads that became loads through the read-only path. Exits with 1 when
 * nothing differs anywhere.
 */
#include "common/file.h"
#include "ptx-analyzer/readonly/guarded.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { INSTRUCTION = 16, OPCODE_BITS = 0xfff };

struct cubin {
	const char *bytes;
	const Elf64_Shdr *sections;
	unsigned count;
	const char *names;
};

static const Elf64_Shdr *find(const struct cubin *c, const char *name)
{
	for (unsigned i = 0; i < c->count; i++)
		if (strcmp(c->names + c->sections[i].sh_name, name) == 0)
			return &c->sections[i];
	return NULL;
}

/* Bits that differ between two instructions. */
static unsigned distance(const uint64_t *a, const uint64_t *b)
{
	return (unsigned)(__builtin_popcountll(a[0] ^ b[0]) + __builtin_popcountll(a[1] ^ b[1]));
}

/* The number of the only bit that differs. */
static int bit_of(const uint64_t *a, const uint64_t *b)
{
	return a[0] != b[0] ? __builtin_ctzll(a[0] ^ b[0]) : 64 + __builtin_ctzll(a[1] ^ b[1]);
}

static unsigned compare(const struct cubin *c, const char *kernel, const Elf64_Shdr *marked, const Elf64_Shdr *plain)
{
	uint64_t most = marked->sh_size < plain->sh_size ? marked->sh_size : plain->sh_size;
	unsigned differ = 0, one_bit = 0;
	int bit = -1;
	bool several = false;

	for (uint64_t i = 0; i + INSTRUCTION <= most; i += INSTRUCTION) {
		uint64_t a[2], b[2];
		unsigned bits;

		memcpy(a, c->bytes + marked->sh_offset + i, sizeof a);
		memcpy(b, c->bytes + plain->sh_offset + i, sizeof b);
		bits = distance(a, b);
		differ += bits != 0;
		if (bits != 1 || (a[0] & OPCODE_BITS) != (b[0] & OPCODE_BITS))
			continue;
		one_bit++;
		several = several || (bit >= 0 && bit != bit_of(a, b));
		bit = bit_of(a, b);
	}
	printf("  %-44s %7llu %7llu bytes, %5u instructions differ, %5u in one bit (%d%s)\n", kernel,
	       (unsigned long long)marked->sh_size, (unsigned long long)plain->sh_size, differ, one_bit, bit,
	       several ? " and others" : "");
	return differ + (marked->sh_size != plain->sh_size);
}

static unsigned compare_all(const struct cubin *c)
{
	static const char text[] = ".text.";
	unsigned differ = 0;

	for (unsigned i = 0; i < c->count; i++) {
		const char *name = c->names + c->sections[i].sh_name;
		char plain[1024];
		const Elf64_Shdr *other;

		if (strncmp(name, text, strlen(text)) != 0)
			continue;
		snprintf(plain, sizeof plain, "%s" PTX_PLAIN_SUFFIX, name);
		other = find(c, plain);
		if (other)
			differ += compare(c, name + strlen(text), &c->sections[i], other);
	}
	return differ;
}

int main(int argc, char **argv)
{
	struct diag d = DIAG_INIT;
	struct file_data file;
	struct cubin c;
	const Elf64_Ehdr *head;
	unsigned differ;

	if (argc != 2 || file_read(argv[1], &file, &d) < 0) {
		diag_print(&d, stderr);
		return 2;
	}
	head = (const Elf64_Ehdr *)(const void *)file.data;
	c = (struct cubin){file.data, (const Elf64_Shdr *)(const void *)(file.data + head->e_shoff), head->e_shnum,
			   NULL};
	c.names = file.data + c.sections[head->e_shstrndx].sh_offset;
	differ = compare_all(&c);
	file_data_release(&file);
	return differ == 0;
}
