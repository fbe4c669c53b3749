/* Reads objects for what the device link needs, and writes the object's source that ends it. */
#include "cli/cc_link.h"

#include "common/file.h"
#include "ptx-analyzer/input.h"
#include "ptx-analyzer/link.h"

#include <ctype.h>
#include <elf.h>
#include <string.h>
#include <sys/stat.h>

static const char section[] = "__nv_relfatbin", wrapper[] = "__fatbinwrap";
static const char registration[] = "__cudaRegisterLinkedBinary";

static bool is_object(const struct file_data *file)
{
	Elf64_Half type;

	if (file->size < sizeof(Elf64_Ehdr) || memcmp(file->data, ELFMAG, SELFMAG) != 0)
		return false;
	memcpy(&type, file->data + offsetof(Elf64_Ehdr, e_type), sizeof type);
	return type == ET_REL;
}

static bool is_library(const struct file_data *file)
{
	return file->size > 8 && memcmp(file->data, "!<arch>\n", 8) == 0;
}

/* --- Reading ----------------------------------------------------------------------------------------------------- */

static bool has_id(const struct cc_link *link, const char *id, size_t len)
{
	for (size_t i = 0; i < link->ids.len; i++)
		if (strlen(link->ids.data[i]) == len && strncmp(link->ids.data[i], id, len) == 0)
			return true;
	return false;
}

/* The string tables hold the functions' names as they are. */
static void add_ids(struct cc_link *link, const struct file_data *file)
{
	const char *at = file->data, *end = file->data + file->size;
	size_t prefix = sizeof registration - 1;

	while ((at = memmem(at, (size_t)(end - at), registration, prefix))) {
		size_t len = 0;

		at += prefix;
		while (at + len < end && (isalnum((unsigned char)at[len]) || at[len] == '_'))
			len++;
		if (len && !has_id(link, at, len))
			vec_push(&link->ids, xstrndup(at, len));
	}
}

static int add_part(struct cc_link *link, const struct ptx_input *in, size_t entry, struct diag *d)
{
	const struct ptx_entry *e = &in->entries[entry];
	struct file_data text;
	struct ptx_module *m;

	if (ptx_input_text(in, entry, &text, d) < 0)
		return DIAG_ERROR;
	m = ptx_parse(e->name, text.data, text.size, d);
	file_data_release(&text);
	if (!m)
		return DIAG_ERROR;
	vec_push(&link->parts, m);
	if (e->sm > link->arch)
		link->arch = e->sm;
	return 0;
}

static int add_parts(struct cc_link *link, const char *path, const struct file_data *file, struct diag *d)
{
	struct ptx_input in;
	int result = 0;

	if (ptx_input_memory(path, file->data, file->size, &in, d) < 0)
		return DIAG_ERROR;
	for (size_t i = 0; result == 0 && i < in.count; i++) {
		if (!in.entries[i].relocatable)
			continue;
		if (in.entries[i].kind == PTX_ENTRY_CUBIN)
			result = diag_file(d, in.entries[i].name,
					   "holds relocatable machine code; compile it with romark cc -dc");
		else if (in.entries[i].kind == PTX_ENTRY_PTX)
			result = add_part(link, &in, i, d);
	}
	ptx_input_release(&in);
	return result;
}

/* False for a file that was scanned before. */
static bool is_new(struct cc_link *link, const char *path)
{
	struct stat status;

	if (stat(path, &status) < 0)
		return true;
	for (size_t i = 0; i < link->files.len; i++)
		if (link->files.data[i].device == status.st_dev && link->files.data[i].inode == status.st_ino)
			return false;
	vec_push(&link->files, (struct cc_file_id){status.st_dev, status.st_ino});
	return true;
}

int cc_link_scan(struct cc_link *link, const char *path, struct diag *d)
{
	struct file_data file;
	int result = 0;

	if (!is_new(link, path))
		return 0;
	if (file_read(path, &file, d) < 0)
		return DIAG_ERROR;
	if ((is_object(&file) || is_library(&file)) && memmem(file.data, file.size, section, sizeof section)) {
		add_ids(link, &file);
		result = add_parts(link, path, &file, d);
	}
	file_data_release(&file);
	return result;
}

int cc_link_join(struct cc_link *link, struct strbuf *ptx, struct diag *d)
{
	return ptx_link(link->parts.data, link->parts.len, ptx, d);
}

void cc_link_release(struct cc_link *link)
{
	for (size_t i = 0; i < link->parts.len; i++)
		ptx_module_free(link->parts.data[i]);
	for (size_t i = 0; i < link->ids.len; i++)
		free(link->ids.data[i]);
	vec_release(&link->parts);
	vec_release(&link->files);
	vec_release(&link->ids);
}

/* --- The registering object -------------------------------------------------------------------------------------- */

/* A path in an assembler's string in a C string. */
static void add_path(struct strbuf *out, const char *path)
{
	for (; *path; path++) {
		if (*path == '"' || *path == '\\')
			strbuf_adds(out, "\\\\\\");
		strbuf_addc(out, *path);
	}
}

void cc_link_source(const struct cc_link *link, const char *fatbin, struct strbuf *out)
{
	if (!link->parts.len) {
		strbuf_adds(out, "typedef int nothing_to_register;\n");
		return;
	}
	strbuf_adds(out, "__asm__(\".section .nv_fatbin,\\\"a\\\"\\n.balign 8\\nromark_image:\\n.incbin \\\"");
	add_path(out, fatbin);
	strbuf_adds(out, "\\\"\\n.previous\\n\");\n"
			 "extern const char romark_image[] __attribute__((visibility(\"hidden\")));\n"
			 "static const struct { int magic, version; const void *data; void *unused; } wrapper\n"
			 "\t__attribute__((section(\".nvFatBinSegment\"), used)) = {0x466243b1, 1, romark_image, 0};\n"
			 "void **__cudaRegisterFatBinary(const void *wrapper);\n"
			 "static void **handle;\n"
			 "static void add(void (*globals)(void **))\n"
			 "{\n\tif (!handle)\n\t\thandle = __cudaRegisterFatBinary(&wrapper);\n\tglobals(handle);\n}\n");
	for (size_t i = 0; i < link->ids.len; i++)
		strbuf_addf(out,
			    "__attribute__((weak, visibility(\"hidden\"))) void %s%s(void (*globals)(void **), void *w,\n"
			    "\tvoid *name, void *finish)\n{\n\t(void)w, (void)name, (void)finish;\n\tadd(globals);\n}\n",
			    registration, link->ids.data[i]);
}

/* --- Objects of one source --------------------------------------------------------------------------------------- */

static Elf64_Shdr *find_symbols(const struct file_data *file)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)file->data;
	Elf64_Shdr *sections = (Elf64_Shdr *)(file->data + header->e_shoff);

	if (header->e_shoff > file->size || (file->size - header->e_shoff) / sizeof *sections < header->e_shnum)
		return NULL;
	for (unsigned i = 0; i < header->e_shnum; i++)
		if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < header->e_shnum &&
		    sections[i].sh_offset + sections[i].sh_size <= file->size)
			return &sections[i];
	return NULL;
}

static bool soften(struct file_data *file)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)file->data;
	const Elf64_Shdr *symbols = find_symbols(file);
	const Elf64_Shdr *strings = symbols ? (Elf64_Shdr *)(file->data + header->e_shoff) + symbols->sh_link : NULL;
	bool changed = false;

	for (size_t i = 0; symbols && i < symbols->sh_size / sizeof(Elf64_Sym); i++) {
		Elf64_Sym *s = (Elf64_Sym *)(file->data + symbols->sh_offset) + i;
		uint64_t name = strings->sh_offset + s->st_name;

		if (name + sizeof wrapper > file->size || strncmp(file->data + name, wrapper, sizeof wrapper - 1) != 0)
			continue;
		s->st_info = ELF64_ST_INFO(STB_WEAK, ELF64_ST_TYPE(s->st_info));
		changed = true;
	}
	return changed;
}

int cc_link_soften(const char *path, struct diag *d)
{
	struct file_data file;
	int result = 0;

	if (file_read(path, &file, d) < 0)
		return DIAG_ERROR;
	if (is_object(&file) && soften(&file))
		result = file_write(path, file.data, file.size, d);
	file_data_release(&file);
	return result;
}
