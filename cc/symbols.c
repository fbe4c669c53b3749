/* Reads ELF symbol tables, which may be at any alignment in a library. */
#include "cc/symbols.h"

#include "common/file.h"

#include <elf.h>
#include <string.h>

static const char wrapper[] = "__fatbinwrap";

bool cc_is_object(const char *data, size_t size)
{
	Elf64_Half type;

	if (size < sizeof(Elf64_Ehdr) || memcmp(data, ELFMAG, SELFMAG) != 0 || data[EI_CLASS] != ELFCLASS64)
		return false;
	memcpy(&type, data + offsetof(Elf64_Ehdr, e_type), sizeof type);
	return type == ET_REL;
}

/* A symbol table and its names, as offsets that are inside the file. */
struct table {
	const char *data;
	size_t symbols, count;
	size_t names, names_size;
};

static bool read_section(const char *data, size_t size, unsigned index, Elf64_Shdr *section)
{
	Elf64_Ehdr header;

	memcpy(&header, data, sizeof header);
	if (index >= header.e_shnum || header.e_shoff > size ||
	    (size - header.e_shoff) / sizeof *section < header.e_shnum)
		return false;
	memcpy(section, data + header.e_shoff + index * sizeof *section, sizeof *section);
	return section->sh_offset <= size && section->sh_size <= size - section->sh_offset;
}

static bool find_table(const char *data, size_t size, struct table *t)
{
	Elf64_Ehdr header;
	Elf64_Shdr symbols, names;

	if (!cc_is_object(data, size))
		return false;
	memcpy(&header, data, sizeof header);
	for (unsigned i = 0; i < header.e_shnum; i++) {
		if (!read_section(data, size, i, &symbols) || symbols.sh_type != SHT_SYMTAB ||
		    !read_section(data, size, symbols.sh_link, &names))
			continue;
		*t = (struct table){data, symbols.sh_offset, symbols.sh_size / sizeof(Elf64_Sym), names.sh_offset,
				    names.sh_size};
		return true;
	}
	return false;
}

/* The name of symbol `index`; NULL when it does not end inside the table of names. */
static const char *get(const struct table *t, size_t index, Elf64_Sym *s)
{
	const char *name;

	memcpy(s, t->data + t->symbols + index * sizeof *s, sizeof *s);
	if (s->st_name >= t->names_size)
		return NULL;
	name = t->data + t->names + s->st_name;
	return memchr(name, 0, t->names_size - s->st_name) ? name : NULL;
}

void cc_symbols(const char *data, size_t size, void (*name)(void *arg, const char *name, bool defined), void *arg)
{
	struct table t = {0};

	find_table(data, size, &t);
	for (size_t i = 1; i < t.count; i++) { /* 0 is no symbol */
		Elf64_Sym s;
		const char *text = get(&t, i, &s);
		unsigned binding = ELF64_ST_BIND(s.st_info);
		bool defined = s.st_shndx != SHN_UNDEF;

		if (text && *text && (binding == STB_GLOBAL || (binding == STB_WEAK && defined)))
			name(arg, text, defined);
	}
}

static bool weaken(struct file_data *file)
{
	struct table t = {0};
	bool changed = false;

	find_table(file->data, file->size, &t);
	for (size_t i = 0; i < t.count; i++) {
		Elf64_Sym s;
		const char *name = get(&t, i, &s);

		if (!name || strncmp(name, wrapper, sizeof wrapper - 1) != 0)
			continue;
		s.st_info = ELF64_ST_INFO(STB_WEAK, ELF64_ST_TYPE(s.st_info));
		memcpy(file->data + t.symbols + i * sizeof s, &s, sizeof s);
		changed = true;
	}
	return changed;
}

int cc_weaken_unit_symbol(const char *path, struct diag *d)
{
	struct file_data file;
	int result = 0;

	if (file_read(path, &file, d) < 0)
		return DIAG_ERROR;
	if (weaken(&file))
		result = file_write(path, file.data, file.size, d);
	file_data_release(&file);
	return result;
}
