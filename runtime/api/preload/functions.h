/*
 * The functions that an ELF file defines, by name: from its symbol table, which programs have until they are stripped,
 * else from what it exports.
 *
 *   struct elf_functions f;
 *   if (functions_open(path, &f)) {
 *       const Elf64_Sym *symbol = functions_find(&f, "cudaMalloc");
 *       functions_close(&f);
 *   }
 */
#ifndef ROMARK_PRELOAD_FUNCTIONS_H
#define ROMARK_PRELOAD_FUNCTIONS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>

struct elf_functions {
	const char *file; /* mapped */
	size_t size;
	const Elf64_Sym *symbols;
	size_t nsymbols;
	const char *names;
	size_t names_size;
	bool has_device_code;  /* what nvcc embeds */
	bool has_symbol_table; /* false: stripped */
};

/* False if the file is not an ELF file, or cannot be read. */
bool functions_open(const char *path, struct elf_functions *f);
void functions_close(struct elf_functions *f);
/* The name, or NULL if the symbol is not a function that this file defines. */
const char *function_name(const struct elf_functions *f, const Elf64_Sym *symbol);
/* NULL if the file defines no such function. */
const Elf64_Sym *functions_find(const struct elf_functions *f, const char *name);

#endif
