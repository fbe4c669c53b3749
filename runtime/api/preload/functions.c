/* Reads the symbol table of an ELF file in memory. The file is not trusted: each offset is checked against its size. */
#include "runtime/api/preload/functions.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool map(const char *path, struct elf_functions *f)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat about;
	void *file = MAP_FAILED;

	if (fd < 0)
		return false;
	if (fstat(fd, &about) == 0 && (size_t)about.st_size > sizeof(Elf64_Ehdr))
		file = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (file == MAP_FAILED)
		return false;
	*f = (struct elf_functions){.file = file, .size = (size_t)about.st_size};
	return true;
}

static bool lies_within(const struct elf_functions *f, size_t offset, size_t size)
{
	return offset <= f->size && size <= f->size - offset;
}

static bool is_elf(const struct elf_functions *f)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)f->file;

	return memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 && head->e_ident[EI_CLASS] == ELFCLASS64 &&
	       head->e_shentsize == sizeof(Elf64_Shdr) && head->e_shoff % _Alignof(Elf64_Shdr) == 0 &&
	       lies_within(f, head->e_shoff, (size_t)head->e_shnum * sizeof(Elf64_Shdr));
}

static bool take_symbols(struct elf_functions *f, const Elf64_Shdr *sections, unsigned n, const Elf64_Shdr *table)
{
	const Elf64_Shdr *names = table->sh_link < n ? &sections[table->sh_link] : table;

	if (!lies_within(f, table->sh_offset, table->sh_size) || !lies_within(f, names->sh_offset, names->sh_size) ||
	    table->sh_offset % _Alignof(Elf64_Sym) || !names->sh_size ||
	    f->file[names->sh_offset + names->sh_size - 1] != '\0')
		return false;
	f->symbols = (const Elf64_Sym *)(f->file + table->sh_offset);
	f->nsymbols = table->sh_size / sizeof(Elf64_Sym);
	f->names = f->file + names->sh_offset;
	f->names_size = names->sh_size;
	return true;
}

static bool is_device_code(const struct elf_functions *f, const Elf64_Shdr *sections, unsigned n, const Elf64_Shdr *s)
{
	static const char name[] = ".nv_fatbin";
	unsigned at = ((const Elf64_Ehdr *)f->file)->e_shstrndx;

	return at < n && lies_within(f, sections[at].sh_offset, sections[at].sh_size) &&
	       s->sh_name <= sections[at].sh_size && sections[at].sh_size - s->sh_name >= sizeof name &&
	       memcmp(f->file + sections[at].sh_offset + s->sh_name, name, sizeof name) == 0;
}

bool functions_open(const char *path, struct elf_functions *f)
{
	const Elf64_Shdr *sections;
	unsigned n;

	if (!map(path, f))
		return false;
	n = is_elf(f) ? ((const Elf64_Ehdr *)f->file)->e_shnum : 0;
	sections = (const Elf64_Shdr *)(f->file + ((const Elf64_Ehdr *)f->file)->e_shoff);
	for (unsigned i = 0; i < n; i++) {
		if (sections[i].sh_type == SHT_SYMTAB)
			f->has_symbol_table = take_symbols(f, sections, n, &sections[i]);
		else if (sections[i].sh_type == SHT_DYNSYM && !f->has_symbol_table)
			take_symbols(f, sections, n, &sections[i]);
		if (is_device_code(f, sections, n, &sections[i]))
			f->has_device_code = true;
	}
	if (n)
		return true;
	functions_close(f);
	return false;
}

void functions_close(struct elf_functions *f)
{
	munmap((void *)f->file, f->size);
}

const char *function_name(const struct elf_functions *f, const Elf64_Sym *symbol)
{
	if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF ||
	    symbol->st_name >= f->names_size)
		return NULL;
	return f->names + symbol->st_name;
}

const Elf64_Sym *functions_find(const struct elf_functions *f, const char *name)
{
	if (!f->names || !memmem(f->names, f->names_size, name, strlen(name) + 1))
		return NULL;
	for (size_t i = 0; i < f->nsymbols; i++) {
		const char *found = function_name(f, &f->symbols[i]);

		if (found && strcmp(found, name) == 0)
			return &f->symbols[i];
	}
	return NULL;
}
