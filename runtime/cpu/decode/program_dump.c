/*
 * The text of a decoded program. Operands get their names back: a place in the frame becomes a register, a place in the
 * pool a number.
 */
#include "runtime/cpu/decode/program_dump.h"

#include "ptx-analyzer/language/table/vocabulary.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "runtime/cpu/decode/decode.h"
#include "runtime/cpu/engine/engine_op.h"

#include <inttypes.h>

/* --- Operands --- */

static const char *const warp_specials[WARP_SPECIALS] = {
    [WARP_TID_X] = "%tid.x", [WARP_TID_Y] = "%tid.y", [WARP_TID_Z] = "%tid.z", [WARP_INDEX] = "%warpid"};
static const char *const cta_specials[CTA_SPECIALS] = {[CTA_X] = "%ctaid.x",
						       [CTA_Y] = "%ctaid.y",
						       [CTA_Z] = "%ctaid.z",
						       [CTA_NTID_X] = "%ntid.x",
						       [CTA_NTID_Y] = "%ntid.y",
						       [CTA_NTID_Z] = "%ntid.z",
						       [CTA_NCTAID_X] = "%nctaid.x",
						       [CTA_NCTAID_Y] = "%nctaid.y",
						       [CTA_NCTAID_Z] = "%nctaid.z",
						       [CTA_NWARPS] = "%nwarpid",
						       [CTA_DYNAMIC_SHARED] = "%dynamic_smem_size",
						       [CTA_TOTAL_SHARED] = "%total_smem_size",
						       [CTA_ENVREG1] = "%envreg1",
						       [CTA_ENVREG2] = "%envreg2"};
static const char *const ramps[] = {
    [RAMP_NONE] = "",           [RAMP_LANE] = "%laneid",    [RAMP_EQ] = "%lanemask_eq", [RAMP_LE] = "%lanemask_le",
    [RAMP_LT] = "%lanemask_lt", [RAMP_GE] = "%lanemask_ge", [RAMP_GT] = "%lanemask_gt"};

static void add_frame(struct strbuf *out, const struct code *code, uint32_t offset)
{
	for (uint32_t r = 0; r < code->function->nregs; r++)
		if (code->register_offset[r] == offset) {
			strbuf_adds(out, ptx_reg_name(code->function, r));
			return;
		}
	if (offset)
		strbuf_addf(out, "scratch at %" PRIu32, offset);
	else
		strbuf_adds(out, "true");
}

static void add_number(struct strbuf *out, uint64_t number)
{
	strbuf_addf(out, number < 1000000 ? "%" PRIu64 : "0x%" PRIx64, number);
}

static void add_pool(struct strbuf *out, const struct code *code, uint32_t offset)
{
	for (uint32_t i = 0; i < code->nconstants; i++) {
		const struct constant *c = &code->constants[i];

		if (c->offset != offset)
			continue;
		if (c->ramp)
			strbuf_adds(out, ramps[c->ramp]);
		else
			add_number(out, c->value);
		return;
	}
	strbuf_addf(out, "pool at %" PRIu32, offset);
}

static void add_operand(struct strbuf *out, const struct code *code, uint32_t operand)
{
	uint32_t offset = operand & ((UINT32_C(1) << OPERAND_SHIFT) - 1), slot = offset / (LANES * 4);

	switch ((enum operand_base)(operand >> OPERAND_SHIFT)) {
	case BASE_FRAME: add_frame(out, code, offset); break;
	case BASE_POOL: add_pool(out, code, offset); break;
	case BASE_WARP: strbuf_adds(out, slot < WARP_SPECIALS ? warp_specials[slot] : "?"); break;
	default: strbuf_adds(out, slot < CTA_SPECIALS ? cta_specials[slot] : "?"); break;
	}
}

/* --- The row that runs --- */

static const char *const op_names[PTX_OP_COUNT] = {
#define OP(id, text, ...) [PTX_OP_##id] = text,
#include "ptx-analyzer/language/table/ptx_ops.def"
#undef OP
};

static const char *const mod_names[] = {
#define M(bit, mod) [EXEC_BIT_##bit] = #mod,
    EXEC_MODS(M)
#undef M
	[EXEC_BIT_COMBINED] = "combined",
};

static const char *const mov_forms[] = {"pack", "pack.2", "unpack", "unpack.2", "vector", "local", "clock"};

static void add_type(struct strbuf *out, unsigned type)
{
	if (type >= PTX_MOV_PACK && type <= PTX_MOV_CLOCK)
		strbuf_addf(out, ".%s", mov_forms[type - PTX_MOV_PACK]);
	else if (type != PTX_untyped && type < PTX_TYPE_COUNT)
		strbuf_addf(out, ".%s", ptx_type_name((enum ptx_type)type));
}

static void add_row(struct strbuf *out, const struct exec_row *row)
{
	strbuf_adds(out, op_names[row->op]);
	for (unsigned bit = 0; bit < EXEC_BIT_SPACE; bit++)
		if (row->mods >> bit & 1)
			strbuf_addf(out, ".%s", mod_names[bit]);
	for (unsigned space = 0; EXEC_BIT_SPACE + space < 64; space++)
		if (row->mods >> (EXEC_BIT_SPACE + space) & 1)
			strbuf_addf(out, ".%s", ptx_space_name((enum ptx_space)space));
	if (row->which != PTX_MOD_NONE)
		strbuf_addf(out, ".%s", ptx_mod_name((enum ptx_mod)row->which));
	add_type(out, row->type[0]);
	add_type(out, row->type[1]);
}

/* --- Instructions --- */

static bool is_memory(const struct inst *in)
{
	return in->bytes && in->ptx && in->flags & INST_REAL && !in->matrix;
}

static void add_address(struct strbuf *out, const struct code *code, const struct inst *in)
{
	static const char *const kinds[] = {[ADDRESS_CONSTANT] = "",
					    [ADDRESS_REG64] = "",
					    [ADDRESS_REG32] = " of 32 bits",
					    [ADDRESS_LOW32] = ", its lower half",
					    [ADDRESS_FRAME] = " of the frame"};

	strbuf_addf(out, " %s[", ptx_space_name((enum ptx_space)in->space));
	if (in->address != ADDRESS_CONSTANT && in->address != ADDRESS_FRAME)
		add_operand(out, code, in->a);
	if (in->address != ADDRESS_CONSTANT && in->address != ADDRESS_FRAME && in->imm)
		strbuf_addf(out, "%+" PRId64, in->imm);
	else if (in->address == ADDRESS_CONSTANT || in->address == ADDRESS_FRAME)
		add_number(out, (uint64_t)in->imm);
	strbuf_addf(out, "]%s of ", kinds[in->address]);
	if (in->vec > 1)
		strbuf_addf(out, "%u times ", in->vec);
	strbuf_addf(out, "%u bytes", in->bytes);
}

/* All but the first, which is `d` or `b`. */
static void add_elements(struct strbuf *out, const struct code *code, const struct inst *in)
{
	for (unsigned i = 1; i < in->vec; i++) {
		strbuf_addc(out, ',');
		if (in->list[i] == OPERAND_NONE)
			strbuf_addc(out, '_');
		else
			add_operand(out, code, in->list[i]);
	}
}

static void add_operands(struct strbuf *out, const struct code *code, const struct inst *in)
{
	const struct {
		const char *name;
		uint32_t operand;
	} all[] = {{"d", in->d}, {"a", in->a}, {"b", in->b}, {"c", in->c}, {"e", in->e}};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		if (all[i].operand == OPERAND_NONE || (i == 1 && is_memory(in)))
			continue;
		strbuf_addf(out, " %s=", all[i].name);
		add_operand(out, code, all[i].operand);
	}
	if (is_memory(in) && in->vec > 1)
		add_elements(out, code, in);
	if (is_memory(in))
		add_address(out, code, in);
	if (in->predicate) {
		strbuf_addf(out, " where %s", in->predicate_flip ? "not " : "");
		add_frame(out, code, in->predicate);
	}
}

static void add_block_of(struct strbuf *out, const char *what, const struct code *code, const struct block *b)
{
	if (b)
		strbuf_addf(out, "; %s block %" PRIu32, what, (uint32_t)(b - code->blocks));
}

static void add_control(struct strbuf *out, const struct code *code, const struct control *c)
{
	add_block_of(out, "to", code, c->taken);
	for (uint32_t i = 0; i < c->table_count; i++)
		add_block_of(out, "to", code, c->table[i]);
	if (c->site)
		strbuf_addf(out, "; calls %s", c->site->callee ? c->site->callee->function->name : "what it points to");
	add_block_of(out, c->taken || c->table_count ? "else" : "then", code, c->site ? c->site->back : c->rest);
}

static void add_flags(struct strbuf *out, const struct inst *in)
{
	static const struct {
		uint16_t flag;
		const char *name;
	} names[] = {{INST_MARKED, "marked"},         {INST_NEGATE, "predicate complemented"},
		     {INST_PREDICATED, "predicated"}, {INST_PREDICATE_NOT, "predicate complemented"},
		     {INST_OBSERVED, "observed"},     {INST_CHECKED, "marks checked"},
		     {INST_RACES, "races looked for"}};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (in->flags & names[i].flag)
			strbuf_addf(out, ", %s", names[i].name);
}

static void add_inst(struct strbuf *out, const struct code *code, const struct exec_set *set, const struct inst *in)
{
	exec_fn runs = in->plain ? in->plain : in->exec;
	const struct exec_row *row = in->ptx ? exec_row_of(set, runs, in->ptx->opcode, in->variant) : NULL;

	strbuf_adds(out, in->flags & INST_REAL ? "            " : "          + ");
	if (row && row->op == PTX_OP_bra && !(in->flags & INST_REAL))
		strbuf_adds(out, "goes on");
	else if (row)
		add_row(out, row);
	else
		strbuf_adds(out, "a function of the device");
	add_operands(out, code, in);
	if (in->control)
		add_control(out, code, in->control);
	add_flags(out, in);
	strbuf_addc(out, '\n');
}

/* The PTX once, above all that was made of it. */
static void add_text(struct strbuf *out, const struct code *code, const struct inst *in, const struct ptx_inst *last)
{
	if (!in->ptx || in->ptx == last)
		return;
	strbuf_addf(out, "%8" PRIu32 "  ", in->ptx->line);
	ptx_print_inst(code->function, in->ptx, out);
	strbuf_addc(out, '\n');
}

/* --- Programs --- */

static void add_code(struct strbuf *out, const struct code *code, const struct exec_set *set)
{
	const struct ptx_inst *last = NULL;

	strbuf_addf(out,
		    "%s %s, line %" PRIu32 ": %" PRIu32 " blocks, %" PRIu32 " instructions, frame %" PRIu32
		    " bytes a warp, local %" PRIu32 " a thread\n",
		    code->function->is_kernel ? ".entry" : ".func", code->function->name, code->function->line,
		    code->nblocks, code->ninsts, code->frame_bytes, code->local_bytes);
	for (uint32_t b = 0; b < code->nblocks; b++) {
		const struct block *block = &code->blocks[b];
		const struct inst *end = b + 1 < code->nblocks ? block[1].first : code->insts + code->ninsts;

		strbuf_addf(out, "  block %" PRIu32 ": %" PRIu32 " of the text", b, block->count);
		add_block_of(out, "lanes meet at", code, block->join);
		strbuf_addc(out, '\n');
		for (const struct inst *in = block->first; in < end; in++) {
			add_text(out, code, in, last);
			add_inst(out, code, set, in);
			last = in->ptx ? in->ptx : last;
		}
	}
}

void program_dump(const struct program *p, const struct exec_set *set, struct strbuf *out)
{
	strbuf_addf(out,
		    "kernel %s: %" PRIu32 " function%s, shared %" PRIu32 " bytes a CTA, local %" PRIu32
		    " a thread%s, %" PRIu32 " registers\n",
		    p->kernel->name, p->ncodes, p->ncodes == 1 ? "" : "s", p->static_shared, p->local_bytes,
		    p->recursive ? " and a stack" : "", p->registers);
	for (uint32_t i = 0; i < p->ncodes; i++)
		add_code(out, &p->codes[i], set);
}
