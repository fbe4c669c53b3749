/* Gathers the entries of a file in a list, whatever container they came in. */
#include "ptx-analyzer/containers/input.h"

#include "common/xalloc.h"
#include "ptx-analyzer/containers/archive.h"
#include "ptx-analyzer/containers/container.h"

#include <stdlib.h>
#include <string.h>

/* Whether the input is text. If it is not a PTX module, the parser gives the error, with line and column. */
static bool is_text(struct file_span s)
{
	return !memchr(s.data, 0, s.size < 512 ? s.size : 512);
}

/* The objects in a static library. */
static int read_archive(struct file_span s, struct entries *out, struct diag *d)
{
	struct archive archive = {.name = s.name, .data = s.data, .size = s.size};
	struct archive_member m;
	int more;

	while ((more = archive_next(&archive, out->names, &m, d)) > 0)
		if (is_elf(m.data, m.size) && read_elf((struct file_span){m.name, m.data, m.size}, out, d) < 0)
			return DIAG_ERROR;
	return more;
}

static int read_any(struct file_span s, struct entries *out, struct diag *d)
{
	if (is_elf(s.data, s.size))
		return read_elf(s, out, d);
	if (is_archive(s.data, s.size))
		return read_archive(s, out, d);
	if (is_fatbin(s.data, s.size))
		return read_images(s, out, d);
	if (!s.size)
		return diag_file(d, s.name, "this file is empty");
	if (!is_text(s))
		return diag_file(d, s.name, "this is neither PTX text nor a fat binary nor an ELF file");
	vec_push(&out->list,
		 (struct ptx_entry){
		     .name = s.name, .kind = PTX_ENTRY_PTX, .data = s.data, .stored = s.size, .size = s.size});
	return 0;
}

/* Moves the entries to the arena, and appends "#2" and so on to their names where there are several. */
static void keep_entries(struct ptx_input *in, struct entries *found)
{
	for (size_t i = 0; i < found->list.len; i++)
		found->list.data[i].name = found->list.len > 1
					       ? arena_printf(&in->arena, "%s#%zu", found->list.data[i].name, i + 1)
					       : arena_strdup(&in->arena, found->list.data[i].name);
	in->count = found->list.len;
	in->entries = arena_memdup(&in->arena, found->list.data, in->count * sizeof(struct ptx_entry));
}

static int read_span(struct file_span s, int (*read)(struct file_span, struct entries *, struct diag *),
		     struct ptx_input *in, struct diag *d)
{
	struct entries found = {VEC_INIT, &in->arena};
	int result;

	*in = (struct ptx_input){.arena = ARENA_INIT};
	result = read(s, &found, d);
	if (result == 0 && !found.list.len)
		result = diag_file(
		    d, s.name, "there is no device code in this file (no .nv_fatbin or __nv_relfatbin with entries)");
	if (result == 0)
		keep_entries(in, &found);
	else
		arena_release(&in->arena);
	vec_release(&found.list);
	return result;
}

int ptx_input_memory(const char *name, const void *data, size_t size, struct ptx_input *in, struct diag *d)
{
	return read_span((struct file_span){name, data, size}, read_any, in, d);
}

int ptx_input_open(const char *path, struct ptx_input *in, struct diag *d)
{
	struct file_data file;

	if (file_read(path, &file, d) < 0)
		return DIAG_ERROR;
	if (ptx_input_memory(path, file.data, file.size, in, d) < 0) {
		file_data_release(&file);
		return DIAG_ERROR;
	}
	in->file = file;
	return 0;
}

int ptx_input_image(const char *name, const void *image, struct ptx_input *in, struct diag *d)
{
	struct file_span s = {name, image, 0};
	size_t room = readable_bytes(image);

	if (is_fatbin(s.data, room)) {
		if (room < FATBIN_HEADER || fatbin_size(s.data) > room)
			return diag_file(d, name,
					 "damaged fat binary: by its header it is larger than the memory behind it");
		s.size = (size_t)fatbin_size(s.data);
	} else if (is_elf(s.data, room)) {
		return diag_file(d, name, "this module is a cubin: machine code of one GPU without PTX");
	} else {
		s.size = room ? strnlen(image, room) : 0;
		if (s.size == room)
			return diag_file(d, name, "this module is neither a fat binary nor text that ends");
	}
	return read_span(s, read_images, in, d);
}

void ptx_input_release(struct ptx_input *in)
{
	if (in->file.data)
		file_data_release(&in->file);
	arena_release(&in->arena);
	*in = (struct ptx_input){.arena = ARENA_INIT};
}

int ptx_input_text(const struct ptx_input *in, size_t index, struct file_data *out, struct diag *d)
{
	const struct ptx_entry *e = &in->entries[index];

	if (e->kind != PTX_ENTRY_PTX)
		return diag_file(d, e->name, "this entry is %s, not PTX", ptx_entry_kind_name(e->kind));
	out->data = xmalloc(e->size + 1);
	if (unpack_entry(e, out->data, d) < 0) {
		free(out->data);
		out->data = NULL;
		return DIAG_ERROR;
	}
	for (out->size = e->size; out->size && !out->data[out->size - 1];)
		out->size--;
	out->data[out->size] = '\0';
	return 0;
}

int ptx_input_best(const struct ptx_input *in, unsigned sm)
{
	int best = -1;

	for (size_t i = 0; i < in->count; i++) {
		const struct ptx_entry *e = &in->entries[i];

		if (e->kind == PTX_ENTRY_PTX && (!sm || e->sm <= sm) && (best < 0 || e->sm > in->entries[best].sm))
			best = (int)i;
	}
	return best;
}

const char *ptx_entry_kind_name(enum ptx_entry_kind kind)
{
	static const char *const names[] = {"PTX", "machine code", "of unknown kind"};

	return names[kind];
}

const char *ptx_packing_name(enum ptx_packing packing)
{
	static const char *const names[] = {"plain", "LZ4", "zstd"};

	return names[packing];
}
