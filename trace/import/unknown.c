/* A trace without part of its memory traffic would give a simulation that looks right, so it is refused. */
#include "trace/import/unknown.h"

#include "common/diag.h"
#include "trace/import/sass.h"

#include <inttypes.h>
#include <string.h>

/* A known instruction: it moves memory beyond the SM, and has no addresses. */
static bool is_blind(const struct traceg_inst *inst, const struct trace_inst *row)
{
	bool moves = row->cls == TRACE_LOAD || row->cls == TRACE_STORE || row->cls == TRACE_ATOMIC ||
		     row->cls == TRACE_ASYNC_COPY;

	if (inst->width || !inst->mask)
		return false;
	return row->space == TRACE_GLOBAL ? moves || row->cls == TRACE_TEXTURE
					  : row->space == TRACE_SPACE_NONE && moves;
}

static enum left_out left_out_of(const struct traceg_inst *inst, const struct trace_inst *row)
{
	switch (sass_kind(inst->code->opcode)) {
	case SASS_KNOWN: return is_blind(inst, row) ? LEFT_OUT_ADDRESSES : LEFT_OUT_NOTHING;
	case SASS_UNSEEN: return LEFT_OUT_ADDRESSES;
	case SASS_UNKNOWN_MEMORY: return LEFT_OUT_UNKNOWN_MOVES;
	case SASS_UNKNOWN: break;
	}
	return inst->width ? LEFT_OUT_UNKNOWN_MOVES : LEFT_OUT_UNKNOWN;
}

void unknown_count(struct unknown_opcodes *u, const struct traceg_inst *inst, const struct trace_inst *row)
{
	struct unknown_opcode added = {.what = left_out_of(inst, row), .count = 1};
	size_t len = strcspn(inst->code->opcode, ".");

	if (added.what == LEFT_OUT_NOTHING)
		return;
	memcpy(added.name, inst->code->opcode, len);
	for (size_t i = 0; i < u->list.len; i++) {
		struct unknown_opcode *o = &u->list.data[i];

		if (o->what == added.what && strcmp(o->name, added.name) == 0) {
			o->count++;
			return;
		}
	}
	vec_push(&u->list, added);
}

static const char *const texts[] = {
    [LEFT_OUT_UNKNOWN] = "is not known, and taken for work without memory",
    [LEFT_OUT_ADDRESSES] = "moves memory, of which the trace has no addresses",
    [LEFT_OUT_UNKNOWN_MOVES] = "is not known, and moves memory",
};

int unknown_refuse(const struct unknown_opcodes *u, const char *kernel, struct diag *d)
{
	for (size_t i = 0; i < u->list.len; i++) {
		const struct unknown_opcode *o = &u->list.data[i];

		if (o->what != LEFT_OUT_UNKNOWN)
			return diag_file(d, kernel,
					 "instruction %s %s (%" PRIu64 " so far): its traffic would be missing; "
					 "--unknown=skip imports the rest",
					 o->name, texts[o->what], o->count);
	}
	return 0;
}

void unknown_print(const struct unknown_opcodes *u, struct strbuf *out)
{
	for (size_t i = 0; i < u->list.len; i++) {
		const struct unknown_opcode *o = &u->list.data[i];

		strbuf_addf(out, "instruction %s %s: %" PRIu64 " warp instructions\n", o->name, texts[o->what],
			    o->count);
	}
}

void unknown_release(struct unknown_opcodes *u)
{
	vec_release(&u->list);
}
