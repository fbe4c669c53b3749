/*
 * PTX as users have it: text files, fat binaries, ELF executables, objects and shared libraries that hold fat binaries
 * or plain PTX text in `.nv_fatbin` or `__nv_relfatbin`, and archives of such objects.
 *
 *   struct ptx_input in;
 *   if (ptx_input_open("a.out", &in, &d) < 0) ...
 *   for (size_t i = 0; i < in.count; i++)
 *       if (in.entries[i].kind == PTX_ENTRY_PTX && ptx_input_text(&in, i, &text, &d) == 0) {
 *           m = ptx_parse(in.entries[i].name, text.data, text.size, &d);
 *           file_data_release(&text);
 *       }
 *   ptx_input_release(&in);
 *
 * Everything read from the input is checked against its bounds; damage is an error in `d` that names the place.
 */
#ifndef ROMARK_PTX_INPUT_H
#define ROMARK_PTX_INPUT_H

#include "common/arena.h"
#include "common/file.h"

#include <stdbool.h>
#include <stdint.h>

enum ptx_entry_kind { PTX_ENTRY_PTX, PTX_ENTRY_CUBIN, PTX_ENTRY_OTHER };
enum ptx_packing { PTX_PACKED_PLAIN, PTX_PACKED_LZ4, PTX_PACKED_ZSTD };

struct ptx_entry {
	const char *name; /* the file's, and "(x.o)" of a library's member; then "#2" where there are several */
	enum ptx_entry_kind kind;
	enum ptx_packing packing;
	unsigned sm;         /* 75 of compute_75 or sm_75; 0 = plain text, see its .target */
	bool relocatable;    /* a part of a module, to be linked with others: from `__nv_relfatbin` */
	const uint8_t *data; /* as stored, not NUL-terminated */
	size_t stored;       /* bytes at `data` */
	size_t size;         /* bytes when unpacked */
};

struct ptx_input {
	struct ptx_entry *entries;
	size_t count;
	struct file_data file; /* empty unless opened by name */
	struct arena arena;
};

/* Each returns 0, or DIAG_ERROR with nothing to release. An input without any entry is an error too. */
int ptx_input_open(const char *path, struct ptx_input *in, struct diag *d);
/* `data` must stay until ptx_input_release; `name` is for messages. */
int ptx_input_memory(const char *name, const void *data, size_t size, struct ptx_input *in, struct diag *d);
/*
 * Opens an image in memory, as cuModuleLoadData gets it and a compiler's registered wrapper points to it: a fat binary,
 * whose header has its size, or PTX text that ends with a NUL.
 */
int ptx_input_image(const char *name, const void *image, struct ptx_input *in, struct diag *d);
void ptx_input_release(struct ptx_input *in);

/* PTX text of an entry, unpacked; release with file_data_release. Machine code is an error. */
int ptx_input_text(const struct ptx_input *in, size_t index, struct file_data *out, struct diag *d);

/*
 * Index of the PTX entry to run or analyse: the entry with the highest architecture not above `sm` (0 = the highest of
 * all). Of sm_80, sm_86 and sm_90, `sm` 89 gets sm_86. -1 when there is no such entry.
 */
int ptx_input_best(const struct ptx_input *in, unsigned sm);

const char *ptx_entry_kind_name(enum ptx_entry_kind kind);
const char *ptx_packing_name(enum ptx_packing packing);

#endif
