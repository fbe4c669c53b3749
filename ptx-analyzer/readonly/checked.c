/*
 * The text of a checked kernel. A load of S bytes at A takes a byte of the N bytes from F on if A - (F - (S - 1)) is
 * below N + S - 1, as an unsigned number. Both differences are made once, at the kernel's entry; each load then costs a
 * subtraction and a comparison for each range, and the load that is not executed.
 *
 *   sub.s64 %romark_at, %rd4, %romark_first0_4;
 *   setp.ge.u64 %romark_out, %romark_at, %romark_bytes0_4;
 *   @%romark_out ld.global.nc.f32 %f1, [%rd4];
 *   @!%romark_out ld.global.f32 %f1, [%rd4];
 */
#include "ptx-analyzer/readonly/checked.h"

#include "ptx-analyzer/language/module/ptx_access.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <inttypes.h>
#include <string.h>

/* --- What is checked --- */

/* The address is a register of 64 bits or a variable, and a number. */
static bool has_plain_address(const struct ptx_function *f, const struct ptx_inst *inst)
{
	const struct ptx_operand *o = &inst->operands[1];

	if (o->kind != PTX_OPERAND_MEM || o->count != 1)
		return false;
	return o->elems[0].kind == PTX_OPERAND_SYMBOL ||
	       (o->elems[0].kind == PTX_OPERAND_REG && ptx_type_bits(f->regs[o->elems[0].id].type) == 64);
}

static bool is_checked(const struct ptx_analysis *a, uint32_t function, uint32_t index)
{
	const struct ptx_function *f = &ptx_analysis_module(a)->functions[function];
	const struct ptx_inst *inst = &f->insts[index];

	return inst->opcode->op == PTX_OP_ld && ptx_is_marked(a, function, index) && !ptx_is_promised(inst->opcode) &&
	       has_plain_address(f, inst) && ptx_access_bytes(inst) > 0;
}

bool ptx_can_check(const struct ptx_analysis *a, uint32_t function)
{
	const struct ptx_function *f = &ptx_analysis_module(a)->functions[function];

	for (uint32_t i = 0; f->is_kernel && i < f->ninsts; i++)
		if (is_checked(a, function, i))
			return true;
	return false;
}

/* --- Text --- */

struct checking {
	const struct ptx_analysis *a;
	uint32_t function;
};

/* Sizes of loads are powers of 2 up to 32. */
enum { MOST_SIZE = 32 };

static void add_registers(struct strbuf *out, unsigned size)
{
	for (unsigned i = 0; i < CHECKED_RANGES; i++) {
		strbuf_addf(out, "\t.reg .b64 %%romark_first%u_%u, %%romark_bytes%u_%u;\n", i, size, i, size);
		strbuf_addf(out, "\tsub.s64 %%romark_first%u_%u, %%romark_first%u, %u;\n", i, size, i, size - 1);
		strbuf_addf(out, "\tadd.s64 %%romark_bytes%u_%u, %%romark_bytes%u, %u;\n", i, size, i, size - 1);
	}
}

static void add_entry(const struct ptx_analysis *a, uint32_t function, struct strbuf *out)
{
	const struct ptx_function *f = &ptx_analysis_module(a)->functions[function];

	strbuf_adds(out, "\t.reg .b64 %romark_at;\n\t.reg .pred %romark_out, %romark_in, %romark_if;\n");
	for (unsigned i = 0; i < CHECKED_RANGES; i++) {
		strbuf_addf(out, "\t.reg .b64 %%romark_first%u, %%romark_bytes%u;\n", i, i);
		strbuf_addf(out, "\tld.param.u64 %%romark_first%u, [romark_first%u];\n", i, i);
		strbuf_addf(out, "\tld.param.u64 %%romark_bytes%u, [romark_bytes%u];\n", i, i);
	}
	for (unsigned size = 1; size <= MOST_SIZE; size *= 2) {
		bool used = false;

		for (uint32_t i = 0; i < f->ninsts && !used; i++)
			used = is_checked(a, function, i) && ptx_access_bytes(&f->insts[i]) == size;
		if (used)
			add_registers(out, size);
	}
}

/* %romark_at = address - first. */
static void add_distance(const struct ptx_inst *inst, const char *address, unsigned range, struct strbuf *out)
{
	const struct ptx_operand *o = &inst->operands[1];
	unsigned size = (unsigned)ptx_access_bytes(inst);
	int base = (int)strcspn(address, "+]");

	if (o->elems[0].kind == PTX_OPERAND_SYMBOL) {
		strbuf_addf(out, "\tmov.u64 %%romark_at, %.*s;\n", (int)strcspn(address, "]"), address);
		strbuf_addf(out, "\tsub.s64 %%romark_at, %%romark_at, %%romark_first%u_%u;\n", range, size);
		return;
	}
	strbuf_addf(out, "\tsub.s64 %%romark_at, %.*s, %%romark_first%u_%u;\n", base, address, range, size);
	if (o->imm)
		strbuf_addf(out, "\tadd.s64 %%romark_at, %%romark_at, %" PRId64 ";\n", o->imm);
}

/* The predicate under which the load runs, in %romark_if; "" where it always does. */
static const char *add_condition(const char *text, struct strbuf *out)
{
	if (*text != '@')
		return "";
	if (text[1] == '!')
		strbuf_addf(out, "\tnot.pred %%romark_if, %.*s;\n", (int)strcspn(text + 2, " "), text + 2);
	else
		strbuf_addf(out, "\tmov.pred %%romark_if, %.*s;\n", (int)strcspn(text + 1, " "), text + 1);
	return "%romark_if";
}

static void add_comparison(unsigned range, unsigned size, const char *condition, struct strbuf *out)
{
	const char *joined = range ? "%romark_out" : condition;

	strbuf_addf(out, "\tsetp.ge%s.u64 %%romark_out, %%romark_at, %%romark_bytes%u_%u%s%s;\n", *joined ? ".and" : "",
		    range, size, *joined ? ", " : "", joined);
}

/* Both spellings of the load, of which one runs. */
static void add_loads(const struct ptx_inst *inst, const char *operands, const char *condition, struct strbuf *out)
{
	const char *spelling = inst->opcode->text;
	struct strbuf marked = STRBUF_INIT;

	if (!ptx_spell_load(spelling, strlen(spelling), LOAD_NC, &marked))
		BUG("'%s' cannot carry a mark", spelling);
	strbuf_addf(out, "\t@%%romark_out %s%s\n", marked.data, operands);
	if (*condition)
		strbuf_addf(out, "\txor.pred %%romark_in, %%romark_out, %s;\n\t@%%romark_in %s%s\n", condition,
			    spelling, operands);
	else
		strbuf_addf(out, "\t@!%%romark_out %s%s\n", spelling, operands);
	strbuf_release(&marked);
}

static bool print_check(const struct ptx_function *f, uint32_t index, struct strbuf *out, void *data)
{
	const struct checking *c = data;
	const struct ptx_inst *inst = &f->insts[index];
	struct strbuf text = STRBUF_INIT;
	const char *condition, *operands;

	if (!is_checked(c->a, c->function, index))
		return false;
	ptx_print_inst(f, inst, &text);
	condition = add_condition(text.data, out);
	operands = strstr(text.data, inst->opcode->text) + strlen(inst->opcode->text);
	for (unsigned i = 0; i < CHECKED_RANGES; i++) {
		add_distance(inst, strchr(operands, '[') + 1, i, out);
		add_comparison(i, (unsigned)ptx_access_bytes(inst), condition, out);
	}
	add_loads(inst, operands, condition, out);
	strbuf_release(&text);
	return true;
}

void ptx_print_checked(const struct ptx_analysis *a, uint32_t function, const char *name, struct strbuf *out)
{
	struct checking c = {a, function};
	struct strbuf params = STRBUF_INIT, entry = STRBUF_INIT;
	struct ptx_function_edits edits = {.inst = print_check, .data = &c};

	for (unsigned i = 0; i < CHECKED_RANGES; i++)
		strbuf_addf(&params, "%s.param .u64 romark_first%u,\n\t.param .u64 romark_bytes%u", i ? ",\n\t" : "", i,
			    i);
	add_entry(a, function, &entry);
	edits.params = params.data;
	edits.entry = entry.data;
	ptx_print_edited(&ptx_analysis_module(a)->functions[function], name, &edits, out);
	strbuf_release(&params);
	strbuf_release(&entry);
}

/* --- At a launch --- */

/* Joins the two neighbours with the least between them. */
static size_t join_nearest(struct byte_range *ranges, size_t count)
{
	size_t nearest = 0;

	for (size_t i = 1; i + 1 < count; i++)
		if (ranges[i + 1].first - ranges[i].last < ranges[nearest + 1].first - ranges[nearest].last)
			nearest = i;
	ranges[nearest].last = ranges[nearest + 1].last;
	for (size_t i = nearest + 1; i + 1 < count; i++)
		ranges[i] = ranges[i + 1];
	return count - 1;
}

void ptx_checked_params(const range_list *written, uint64_t params[CHECKED_PARAMS])
{
	struct byte_range *ranges = xcalloc(written->len + 1, sizeof *ranges);
	size_t count = written->len;

	if (count)
		memcpy(ranges, written->data, count * sizeof *ranges);
	while (count > CHECKED_RANGES)
		count = join_nearest(ranges, count);
	memset(params, 0, CHECKED_PARAMS * sizeof *params);
	for (size_t i = 0; i < count; i++) {
		params[2 * i] = ranges[i].first;
		params[2 * i + 1] = ranges[i].last - ranges[i].first + 1;
	}
	free(ranges);
}
