/* Reads bytes of debug sections. Past the end all bytes are zero, and `bad` is set. Private to dwarf*.c. */
#ifndef ROMARK_PTX_DWARF_BYTES_H
#define ROMARK_PTX_DWARF_BYTES_H

#include "common/vec.h"
#include "ptx-analyzer/language/module/ptx.h"

typedef VEC(uint8_t) byte_list;

struct cursor {
	const uint8_t *start, *at, *end;
	bool bad;
};

/*
 * Appends the contents of the module's section `name`: `.b8 1,2` and the like. `.debug_str+7` becomes 7. Any other
 * symbol becomes all ones, which is not an offset.
 */
void dwarf_section(const struct ptx_module *m, const char *name, byte_list *out);

struct cursor cursor_at(const byte_list *bytes, size_t offset);
uint64_t cursor_fixed(struct cursor *c, unsigned bytes);
uint64_t cursor_uleb(struct cursor *c);
/* The bytes up to a NUL, and passes that; NULL if there is no NUL. */
const char *cursor_string(struct cursor *c);
void cursor_skip(struct cursor *c, uint64_t bytes);

#endif
