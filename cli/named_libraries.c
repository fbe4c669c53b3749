/* Reads the dynamic section of an ELF file. The file is not trusted: a read beyond its end is no library. */
#include "cli/named_libraries.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

static bool take(int fd, size_t offset, void *out, size_t size)
{
	return pread(fd, out, size, (off_t)offset) == (ssize_t)size;
}

/* The i-th segment of the type, or false. */
static bool segment_of(int fd, const Elf64_Ehdr *head, unsigned type, unsigned i, Elf64_Phdr *out)
{
	for (unsigned at = 0; at < head->e_phnum; at++) {
		if (!take(fd, head->e_phoff + (size_t)at * sizeof *out, out, sizeof *out))
			return false;
		if (out->p_type == type && i-- == 0)
			return true;
	}
	return false;
}

/* Where the file has what is at the address when the program runs; 0 = nowhere. */
static size_t offset_of(int fd, const Elf64_Ehdr *head, Elf64_Addr address)
{
	Elf64_Phdr load;

	for (unsigned i = 0; segment_of(fd, head, PT_LOAD, i, &load); i++)
		if (address >= load.p_vaddr && address - load.p_vaddr < load.p_filesz)
			return load.p_offset + (address - load.p_vaddr);
	return 0;
}

/* The i-th entry with the tag, or false. */
static bool entry_of(int fd, const Elf64_Phdr *dynamic, Elf64_Sxword tag, unsigned i, Elf64_Dyn *out)
{
	for (size_t at = 0; at + sizeof *out <= dynamic->p_filesz; at += sizeof *out) {
		if (!take(fd, dynamic->p_offset + at, out, sizeof *out) || out->d_tag == DT_NULL)
			return false;
		if (out->d_tag == tag && i-- == 0)
			return true;
	}
	return false;
}

/* The name is at `offset`. */
static bool is_gone(int fd, size_t offset)
{
	char path[PATH_MAX];
	ssize_t len = pread(fd, path, sizeof path, (off_t)offset);

	return len > 0 && memchr(path, 0, (size_t)len) && strchr(path, '/') && access(path, F_OK) < 0;
}

static bool names_what_is_gone(int fd)
{
	Elf64_Dyn names, needed;
	Elf64_Phdr dynamic;
	Elf64_Ehdr head;
	size_t start;

	if (!take(fd, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
	    head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof(Elf64_Phdr) ||
	    !segment_of(fd, &head, PT_DYNAMIC, 0, &dynamic) || !entry_of(fd, &dynamic, DT_STRTAB, 0, &names))
		return false;
	start = offset_of(fd, &head, names.d_un.d_ptr);
	for (unsigned i = 0; start && entry_of(fd, &dynamic, DT_NEEDED, i, &needed); i++)
		if (is_gone(fd, start + needed.d_un.d_val))
			return true;
	return false;
}

bool named_library_is_gone(const char *program)
{
	int fd = open(program, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	bool gone = fd >= 0 && names_what_is_gone(fd);

	if (fd >= 0)
		close(fd);
	return gone;
}
