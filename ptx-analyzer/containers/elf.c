/* The sections of an ELF file in which compilers put device code: 64-bit little-endian, as every CUDA host is. */
#include "ptx-analyzer/containers/container.h"

#include <elf.h>
#include <string.h>

static const char *const section_names[] = {".nv_fatbin", "__nv_relfatbin"};
enum { MACHINE_CUDA = 190, SECTIONS = 2, RELOCATABLE = 1 };

bool is_elf(const uint8_t *data, size_t size)
{
	return size >= SELFMAG && !memcmp(data, ELFMAG, SELFMAG);
}

static bool inside(struct file_span s, uint64_t offset, uint64_t size)
{
	return offset <= s.size && size <= s.size - offset;
}

/* Index in section_names of the section whose name is at `offset`, or -1. */
static int device_section(struct file_span names, uint32_t offset)
{
	for (int i = 0; i < SECTIONS; i++) {
		size_t len = strlen(section_names[i]) + 1;

		if (inside(names, offset, len) && !memcmp(names.data + offset, section_names[i], len))
			return i;
	}
	return -1;
}

static int read_section(struct file_span code, bool relocatable, struct entries *out, struct diag *d)
{
	size_t first = out->list.len;

	if (read_images(code, out, d) < 0)
		return DIAG_ERROR;
	for (size_t i = first; i < out->list.len; i++)
		out->list.data[i].relocatable = relocatable;
	return 0;
}

static Elf64_Shdr section_header(struct file_span s, const Elf64_Ehdr *header, unsigned index)
{
	Elf64_Shdr section;

	memcpy(&section, s.data + header->e_shoff + (uint64_t)index * sizeof(section), sizeof(section));
	return section;
}

static int read_header(struct file_span s, Elf64_Ehdr *header, struct diag *d)
{
	if (s.size < sizeof(*header))
		return diag_file(d, s.name, "this ELF file is cut off in its header");
	memcpy(header, s.data, sizeof(*header));
	if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
		return diag_file(d, s.name, "only 64-bit little-endian ELF files are read");
	if (header->e_machine == MACHINE_CUDA)
		return diag_file(d, s.name,
				 "this is a cubin: machine code of one GPU without PTX; give the PTX or the "
				 "executable it was made for");
	if (header->e_shentsize != sizeof(Elf64_Shdr) ||
	    !inside(s, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)) ||
	    header->e_shstrndx >= header->e_shnum)
		return diag_file(d, s.name, "this ELF file has no usable table of sections; is it complete?");
	return 0;
}

int read_elf(struct file_span s, struct entries *out, struct diag *d)
{
	Elf64_Ehdr header = {.e_shnum = 0};
	Elf64_Shdr section;
	struct file_span names = {s.name, NULL, 0};

	if (read_header(s, &header, d) < 0)
		return DIAG_ERROR;
	section = section_header(s, &header, header.e_shstrndx);
	if (!inside(s, section.sh_offset, section.sh_size))
		return diag_file(d, s.name, "this ELF file is cut off in its section names");
	names.data = s.data + section.sh_offset;
	names.size = section.sh_size;
	for (unsigned i = 0; i < header.e_shnum; i++) {
		struct file_span code = {s.name, NULL, 0};
		int which;

		section = section_header(s, &header, i);
		which = device_section(names, section.sh_name);
		if (section.sh_type == SHT_NOBITS || which < 0)
			continue;
		if (!inside(s, section.sh_offset, section.sh_size))
			return diag_file(d, s.name, "this ELF file is cut off in its device code");
		code.data = s.data + section.sh_offset;
		code.size = section.sh_size;
		if (read_section(code, which == RELOCATABLE, out, d) < 0)
			return DIAG_ERROR;
	}
	return 0;
}
