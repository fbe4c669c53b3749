/*
 * Private to ptx-analyzer/language: what a module keeps beside its public structures, which is what the printer needs
 * to put the text together again.
 */
#ifndef ROMARK_PTX_PRIVATE_H
#define ROMARK_PTX_PRIVATE_H

#include "ptx-analyzer/language/table/opcode.h"
#include "ptx-analyzer/language/module/ptx.h"

enum item_kind { ITEM_FUNCTION, ITEM_VARIABLE, ITEM_EXTERN, ITEM_FILE, ITEM_VERBATIM, ITEM_PRAGMA, ITEM_ALIAS };

/* Top-level things in text order. */
struct item {
	enum item_kind kind;
	uint32_t id, id2; /* function, symbol, file; ALIAS: the two symbols */
	const char *text; /* VERBATIM, PRAGMA; FILE: what follows the name */
};

enum decoration_kind {
	DECOR_LABEL,
	DECOR_OPEN,
	DECOR_CLOSE,
	DECOR_REG,
	DECOR_VARIABLE,
	DECOR_LOC,
	DECOR_PRAGMA,
	DECOR_PROTOTYPE,
	DECOR_TARGETS
};

struct ptx_decoration {
	uint32_t inst; /* comes before this instruction */
	uint8_t kind;
	uint32_t id; /* label, register declaration, symbol, loc, string in module->private_->strings */
};

struct ptx_directive {
	const char *name; /* ".maxntid" */
	uint32_t values[3], nvalues;
	const char *text; /* of .pragma */
};

/* `function_name` of a .loc, kept beside module->locs. */
struct loc_name {
	uint32_t name;    /* in the parser's names, or PTX_NONE: no inlining was written */
	const char *text; /* the name, once the module is complete */
	uint32_t file, line, column;
	int64_t offset;
};

struct ptx_private {
	struct opcode_table opcodes;
	struct item *items;
	uint32_t nitems;
	const char **strings;
	uint32_t nstrings;
	struct loc_name *loc_names; /* nlocs */
};

static inline struct ptx_private *ptx_private(const struct ptx_module *m)
{
	return m->private_;
}

#endif
