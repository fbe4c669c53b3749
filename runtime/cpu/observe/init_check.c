/*
 * The check of uninitialised reads (ROMARK_CHECK=init): a load or atomic operation must not take bytes that nothing has
 * been written to, in memory that the program allocated or in a CTA's shared memory.
 *
 * A value that is only stored again is not used: so structures may be copied with the bytes between their members. What
 * was stored counts as written.
 */
#include "runtime/cpu/engine/checks.h"
#include "runtime/cpu/engine/engine_op.h"
#include "runtime/cpu/engine/undefined.h"
#include "runtime/cpu/observe/observe.h"
#include "runtime/cpu/observe/touched.h"

#include <string.h>

/* --- Values that are only copied --- */

static void note_use(bool *used, const struct ptx_operand *o)
{
	if (o->kind == PTX_OPERAND_REG)
		used[o->id] = true;
	for (unsigned i = 0; i < o->count && !(o->flags & PTX_FLAG_COMPONENT) && o->elems; i++)
		note_use(used, &o->elems[i]);
}

/* A store to memory that is not the thread's own only copies its value. */
static bool is_copying(const struct ptx_inst *inst, unsigned operand)
{
	const struct ptx_opcode *o = inst->opcode;

	return o->cls == PTX_CLASS_STORE && (o->space == PTX_SPACE_GLOBAL || o->space == PTX_SPACE_SHARED) &&
	       ptx_operand_role(inst, operand) == PTX_ROLE_SRC;
}

static void note_uses(bool *used, const struct ptx_inst *inst)
{
	if (inst->predicate != PTX_NONE)
		used[inst->predicate] = true;
	for (unsigned i = 0; i < inst->noperands; i++)
		if (ptx_operand_role(inst, i) != PTX_ROLE_DST && !is_copying(inst, i))
			note_use(used, &inst->operands[i]);
}

static bool takes_used(const bool *used, const struct ptx_operand *o)
{
	bool any = o->kind == PTX_OPERAND_REG && used[o->id];

	for (unsigned i = 0; i < o->count && o->elems; i++)
		any |= o->elems[i].kind == PTX_OPERAND_REG && used[o->elems[i].id];
	return any;
}

void mark_copying_loads(struct code *code)
{
	const struct ptx_function *f = code->function;
	bool *used = xcalloc(f->nregs + 1, sizeof *used);

	for (uint32_t i = 0; i < f->ninsts; i++)
		note_uses(used, &f->insts[i]);
	for (uint32_t i = 0; i < code->ninsts; i++) {
		struct inst *in = &code->insts[i];

		if (in->flags & INST_REAL && in->ptx->opcode->cls == PTX_CLASS_LOAD && in->ptx->noperands &&
		    !takes_used(used, &in->ptx->operands[0]))
			in->flags |= INST_COPYING;
	}
	free(used);
}

/* --- Instructions that take part --- */

bool inst_concerns_init(const struct inst *in)
{
	enum ptx_space space = (enum ptx_space)in->space;

	if (!(in->flags & INST_REAL) || op_is(in->ptx, OP_FETCHES))
		return false;
	if (op_is(in->ptx, OP_COPIES))
		return true;
	return inst_has_role(in, 1u << PTX_ROLE_LOAD | WRITING_ROLES) &&
	       (space == PTX_SPACE_GLOBAL || space == PTX_SPACE_SHARED || space == PTX_SPACE_GENERIC);
}

static bool reads(const struct inst *in)
{
	uint8_t cls = (uint8_t)in->ptx->opcode->cls;

	if (op_is(in->ptx, OP_COPIES) || in->flags & INST_COPYING)
		return false;
	return cls == PTX_CLASS_ATOMIC || inst_has_role(in, 1u << PTX_ROLE_LOAD);
}

static bool writes(const struct inst *in)
{
	return op_is(in->ptx, OP_COPIES) || inst_has_role(in, WRITING_ROLES);
}

/* --- The bytes --- */

/* Where the bits of some bytes are. */
struct place_of_bits {
	uint8_t *shared; /* the CTA's, or NULL: of device memory */
	uint64_t first;
};

/* False for memory that is not looked at, and for wrong addresses, which the access itself reports. */
static bool find_bits(const struct warp *w, const struct inst *in, uint64_t address, uint64_t bytes,
		      struct place_of_bits *out)
{
	enum ptx_space space =
	    op_is(in->ptx, OP_COPIES) ? (enum ptx_space)in->list[COPY_TO_SPACE] : (enum ptx_space)in->space;

	space = resolve_space(space, address, &out->first);
	out->shared = NULL;
	if (space == PTX_SPACE_SHARED) {
		out->shared = w->cta->undefined;
		return out->first <= w->launch->shared_bytes && bytes <= w->launch->shared_bytes - out->first;
	}
	return space == PTX_SPACE_GLOBAL && memory_contains(w->launch->memory, address, bytes);
}

static bool is_undefined(const struct warp *w, const struct place_of_bits *p, uint64_t bytes)
{
	return p->shared ? bits_any(p->shared, p->first, bytes)
			 : undefined_any(w->launch->device->memory.undefined, p->first, bytes);
}

static void define(const struct warp *w, const struct place_of_bits *p, uint64_t bytes)
{
	if (p->shared)
		bits_put(p->shared, p->first, bytes, false);
	else
		undefined_clear(w->launch->device->memory.undefined, p->first, bytes);
}

static void report_read(struct warp *w, const struct inst *in, uint32_t lanes, uint64_t address, uint64_t bytes,
			bool shared)
{
	struct launch *l = w->launch;

	if (!pair_is_new(l->program, in->trace + 1, PAIR_INIT))
		return;
	fault_contradiction(w, in, (uint32_t)__builtin_ctz(lanes), shared ? address + SHARED_WINDOW : address,
			    (struct fault_place){NULL, NULL}, "Uninitialized %s memory read of size %u bytes",
			    shared ? "__shared__" : "__global__", (unsigned)bytes);
	l->fault.others = (uint32_t)__builtin_popcount(lanes) - 1;
	report(l, &l->fault, NULL);
	l->fault = (struct fault){0};
}

/* The lanes of a run that read undefined bytes. */
static uint32_t undefined_lanes(const struct warp *w, const struct inst *in, const struct accesses *a)
{
	uint32_t lanes = 0;

	for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);
		struct place_of_bits p;

		if (find_bits(w, in, a->address[lane], a->bytes, &p) && is_undefined(w, &p, a->bytes))
			lanes |= 1u << lane;
	}
	return lanes;
}

static int touch(struct warp *w, const struct inst *in, const struct accesses *a, unsigned lane, uint64_t address,
		 uint64_t bytes)
{
	struct place_of_bits p;

	if (!find_bits(w, in, address, bytes, &p))
		return STOP_NOT;
	if (reads(in) && is_undefined(w, &p, bytes)) {
		uint32_t lanes = a ? undefined_lanes(w, in, a) : 1u << lane;
		uint64_t at = a && lanes ? a->address[__builtin_ctz(lanes)] : address;

		if (lanes && find_bits(w, in, at, 1, &p))
			report_read(w, in, lanes, p.first, a ? a->bytes : bytes, p.shared);
		find_bits(w, in, address, bytes, &p);
	}
	if (writes(in))
		define(w, &p, bytes);
	return STOP_NOT;
}

void check_init(struct warp *w, const struct inst *in, uint32_t mask)
{
	if (mask && w->cta->undefined)
		each_touched_range(w, in, mask, touch);
}
