/* The opcode's first part finds its row; the parts behind the dots say how a load or store may be cached. */
#include "trace/import/sass.h"

#include <string.h>

static const struct sass_row {
	const char *name;
	uint8_t cls, space, flags;
	bool unseen;
} rows[] = {
#define SASS(name, cls, space, flags) {name, TRACE_##cls, TRACE_##space, flags, false},
#define SASS_UNSEEN(name) {name, TRACE_OTHER, TRACE_SPACE_NONE, 0, true},
#include "trace/import/sass_ops.def"
#undef SASS_UNSEEN
#undef SASS
};

/* How the names of instructions that move memory begin. */
static const char *const memory_names[] = {"LD", "ST",   "ATOM", "RED",  "SU",  "TEX", "TLD",
					   "TX", "UBLK", "ULD",  "URED", "UST", "UTMA"};

static const struct {
	const char *part;
	uint8_t flag;
} modifiers[] = {
    {"CONSTANT", TRACE_READ_ONLY}, {"STRONG", TRACE_VOLATILE}, {"VOLATILE", TRACE_VOLATILE},
    {"BYPASS", TRACE_NO_L1},       {"NA", TRACE_NO_L1}, /* no allocation */
};

static const struct sass_row *find_row(const char *opcode)
{
	size_t len = strcspn(opcode, ".");

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strlen(rows[i].name) == len && memcmp(rows[i].name, opcode, len) == 0)
			return &rows[i];
	return NULL;
}

enum sass_kind sass_kind(const char *opcode)
{
	const struct sass_row *row = find_row(opcode);

	if (row)
		return row->unseen ? SASS_UNSEEN : SASS_KNOWN;
	for (size_t i = 0; i < sizeof memory_names / sizeof *memory_names; i++)
		if (strncmp(opcode, memory_names[i], strlen(memory_names[i])) == 0)
			return SASS_UNKNOWN_MEMORY;
	return SASS_UNKNOWN;
}

static uint8_t modifier_flags(const char *opcode)
{
	uint8_t flags = 0;

	for (const char *at = strchr(opcode, '.'); at; at = strchr(at + 1, '.')) {
		size_t len = strcspn(at + 1, ".");

		for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
			if (strlen(modifiers[i].part) == len && memcmp(modifiers[i].part, at + 1, len) == 0)
				flags |= modifiers[i].flag;
	}
	return flags;
}

/* The tracer names the first register of a wide load; the others follow it. */
static void add_wide_destinations(struct trace_inst *inst, unsigned width)
{
	while (inst->ndst > 0 && inst->ndst < width / 4 && inst->ndst < TRACE_MAX_DESTINATIONS &&
	       inst->dst[0] + inst->ndst < 255) {
		inst->dst[inst->ndst] = (uint16_t)(inst->dst[0] + inst->ndst);
		inst->ndst++;
	}
}

void sass_describe(const struct traceg_code *from, struct trace_inst *to)
{
	const struct sass_row *row = find_row(from->opcode);

	*to = (struct trace_inst){.cls = row ? row->cls : TRACE_OTHER,
				  .barrier = TRACE_ANY_BARRIER,
				  .space = row ? row->space : TRACE_SPACE_NONE,
				  .flags = row ? row->flags : 0,
				  .access_bytes = (uint8_t)from->width,
				  .ndst = from->ndst,
				  .nsrc = from->nsrc,
				  .structure = TRACE_NO_STRUCTURE,
				  .source_line = from->line};
	memcpy(to->dst, from->dst, from->ndst * sizeof *to->dst);
	memcpy(to->src, from->src, from->nsrc * sizeof *to->src);
	if (to->cls == TRACE_LOAD || to->cls == TRACE_STORE || to->cls == TRACE_ATOMIC)
		to->flags |= modifier_flags(from->opcode);
	if (to->cls != TRACE_LOAD || to->space != TRACE_GLOBAL)
		to->flags &= (uint8_t)~TRACE_READ_ONLY;
	if (to->cls == TRACE_LOAD && from->width > 4)
		add_wide_destinations(to, from->width);
}
