/* The facts as a report: structures in the order of the parameters, then by name, each reason with its source line. */
#include "passes/readonly/ir_report.h"

#include "passes/ir/ir_print.h"
#include "passes/readonly/kernel_clones.h"
#include "passes/readonly/ir_places.h"
#include "passes/readonly/ir_why.h"
#include "verdict/reason.h"
#include "verdict/report/verdict_report.h"

#include <string.h>

/* Listed structures come first. */
static int compare_structures(const void *a, const void *b)
{
	const struct ir_structure *const *x = a, *const *y = b;

	if ((*x)->listed != (*y)->listed)
		return (*x)->listed ? -1 : 1;
	return structure_compare(&(*x)->pub, &(*y)->pub);
}

static int compare_guards(const void *a, const void *b)
{
	const struct guard *x = a, *y = b;

	if (x->reads != y->reads)
		return x->reads < y->reads ? -1 : 1;
	return (x->writes > y->writes) - (x->writes < y->writes);
}

/* The function that contains an operation. */
static const char *symbol_of(const struct facts *facts, LLVMValueRef inst)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));

	return facts->program.functions.data[ir_function(&facts->program, function)].name;
}

static const char *print(struct facts *facts, struct ir_printer *printer, LLVMValueRef inst)
{
	char *text = ir_print(printer, inst);
	const char *kept = arena_strdup(&facts->arena, text);

	free(text);
	return kept;
}

/* Fills in the source place of the operation that decided. */
static void locate_reason(struct facts *facts, const struct ir_kernel *k, const struct ir_structure *from,
			  struct structure *to, struct ir_printer *printer)
{
	LLVMValueRef inst = from->why_op == NO_OP ? NULL : facts->program.ops.data[from->why_op].inst;
	unsigned len = 0;
	const char *name;

	to->why_line = inst ? LLVMGetDebugLocLine(inst) : 0;
	name = to->why && to->why_line ? LLVMGetDebugLocFilename(inst, &len) : NULL;
	to->why_file = name && len ? arena_strndup(&facts->arena, name, len) : NULL;
	if (!inst || !to->why)
		return;
	to->why_symbol = symbol_of(facts, inst);
	to->why_instruction = print(facts, printer, inst);
	to->why_places = ir_places(facts, inst);
	to->why_calls = ir_calls(facts, k, from->why_way, &to->nwhy_calls);
}

/* Guards may name structures that are not listed. These come last. */
static void sort_structures(struct facts *facts, const struct ir_kernel *k, struct kernel_facts *to, uint32_t *place,
			    struct ir_printer *printer)
{
	size_t count = k->structures.len;
	const struct ir_structure **order = xcalloc(count + 1, sizeof *order);

	to->structures = arena_array(&facts->arena, struct structure, count);
	for (size_t i = 0; i < count; i++)
		order[i] = &k->structures.data[i];
	qsort(order, count, sizeof *order, compare_structures);
	for (uint32_t i = 0; i < count; i++) {
		place[order[i] - k->structures.data] = i;
		to->structures[i] = order[i]->pub;
		to->structures[i].marked = order[i]->proof != PROOF_NONE;
		to->structures[i].is_image = order[i]->by_fetch || order[i]->by_surface;
		to->nstructures += order[i]->listed;
		locate_reason(facts, k, order[i], &to->structures[i], printer);
	}
	free(order);
}

static void sort_guards(struct facts *facts, const struct ir_kernel *k, struct kernel_facts *to, const uint32_t *place)
{
	to->nguards = (uint32_t)k->guards.len;
	to->guards = arena_array(&facts->arena, struct guard, k->guards.len);
	for (size_t i = 0; i < k->guards.len; i++)
		to->guards[i] = (struct guard){place[k->guards.data[i].reads], place[k->guards.data[i].writes]};
	qsort(to->guards, to->nguards, sizeof *to->guards, compare_guards);
}

/* Uses the names that the front end has kept, such as arguments' names with -fno-discard-value-names. */
static void name_structures(struct facts *facts, const struct ir_kernel *k, struct kernel_facts *to)
{
	LLVMValueRef function = facts->program.functions.data[k->function].value;

	for (uint32_t i = 0; i < k->structures.len; i++) {
		struct structure *s = &to->structures[i];
		const char *name;
		size_t len;

		if (s->kind == STRUCTURE_VARIABLE)
			s->name = structure_name_of_variable(&facts->arena, s->id);
		if (s->kind != STRUCTURE_PARAM && s->kind != STRUCTURE_FIELD)
			continue;
		name = structure_name(&facts->arena, LLVMGetValueName2(LLVMGetParam(function, s->param), &len));
		if (name && s->kind == STRUCTURE_FIELD && strchr(s->id, '+'))
			name = arena_printf(&facts->arena, "%s%s", name, strchr(s->id, '+'));
		s->name = name;
	}
}

/* Why each is what it is, and how the source calls it. */
static void word_structures(struct facts *facts, const struct ir_kernel *k, struct kernel_facts *to)
{
	name_structures(facts, k, to);
	for (uint32_t i = 0; i < to->nstructures; i++) {
		struct structure *s = &to->structures[i];

		if (s->verdict == VERDICT_READ_ONLY && !s->why)
			s->why = reason_of_read_only(&facts->arena, to, i);
		if (s->verdict == VERDICT_UNUSED)
			s->why = "no load or store reaches it";
	}
}

/* --- Loads --- */

static void describe_load(struct facts *facts, const struct ir_kernel *k, const struct ir_access *a,
			  const uint32_t *place, struct ir_printer *printer, struct report_access *out)
{
	LLVMValueRef inst = facts->program.ops.data[a->op].inst;
	struct access *access = arena_new(&facts->arena, struct access);
	uint32_t *structures = arena_array(&facts->arena, uint32_t, a->nstructures);
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));

	for (uint32_t i = 0; i < a->nstructures; i++)
		structures[i] = place[a->structures[i]];
	*access = (struct access){.function = ir_function(&facts->program, function),
				  .inst = a->op,
				  .structures = structures,
				  .nstructures = a->nstructures,
				  .is_load = true,
				  .marked = facts->op_proof[a->op] != PROOF_NONE};
	if (!access->marked)
		access->why = unmarked_load_reason(facts, k, a, &access->denied_by, &access->why_kind);
	*out = (struct report_access){.access = access,
				      .line = LLVMGetDebugLocLine(inst),
				      .instruction = print(facts, printer, inst),
				      .places = ir_places(facts, inst)};
	if (out->places.count) {
		out->file = out->places.places[0].file;
		out->source = out->places.places[0].file;
		out->source_line = out->places.places[0].line;
	}
}

static void describe_loads(struct facts *facts, const struct ir_kernel *k, const uint32_t *place,
			   struct ir_printer *printer, struct report_kernel *out)
{
	struct report_access *list = arena_array(&facts->arena, struct report_access, k->accesses.len);

	for (size_t i = 0; i < k->accesses.len; i++)
		if (k->accesses.data[i].is_load)
			describe_load(facts, k, &k->accesses.data[i], place, printer, &list[out->naccesses++]);
	out->accesses = list;
}

/* By their numbers in the program. */
static void describe_functions(struct facts *facts, struct report_module *out)
{
	size_t count = facts->program.functions.len;
	struct report_function *functions = arena_array(&facts->arena, struct report_function, count);

	for (size_t i = 0; i < count; i++)
		functions[i].name = facts->program.functions.data[i].name;
	out->functions = functions;
	out->nfunctions = count;
}

/* --- The whole --- */

static void describe_kernel(struct facts *facts, const struct ir_kernel *k, bool loads, struct ir_printer *printer,
			    struct report_kernel *out)
{
	struct kernel_facts *to = arena_new(&facts->arena, struct kernel_facts);
	uint32_t *place = xcalloc(k->structures.len + 1, sizeof *place);

	to->name = facts->program.functions.data[k->function].name;
	to->function = k->function;
	to->loads = k->loads;
	to->loads_marked = k->loads_marked;
	to->ncopies = facts_list_clones(facts, k->function, &to->copies);
	sort_structures(facts, k, to, place, printer);
	sort_guards(facts, k, to, place);
	for (uint32_t i = 0; i < k->structures.len; i++)
		if (to->structures[i].kind == STRUCTURE_POINTEE)
			to->structures[i].holder = place[to->structures[i].holder];
	word_structures(facts, k, to);
	structure_name_pointees(&facts->arena, to->structures, (uint32_t)k->structures.len);
	out->facts = to;
	if (loads)
		describe_loads(facts, k, place, printer, out);
	free(place);
}

char *facts_report(struct facts *facts, const char *file, bool loads)
{
	struct report_kernel *kernels = arena_array(&facts->arena, struct report_kernel, facts->kernels.len);
	struct report_module module = {.kernels = kernels, .nkernels = facts->kernels.len};
	struct report report = {.file = file,
				.form = &report_of_ir,
				.modules = &module,
				.nmodules = 1,
				.alias = facts->alias,
				.loads = loads};
	struct ir_printer *printer = ir_printer_create(facts->program.module);
	struct strbuf text = STRBUF_INIT;

	explain_unmarked(facts);
	describe_functions(facts, &module);
	for (size_t i = 0; i < facts->kernels.len; i++)
		describe_kernel(facts, &facts->kernels.data[i], loads, printer, &kernels[i]);
	ir_printer_free(printer);
	report_json(&report, &text);
	return strbuf_detach(&text);
}
