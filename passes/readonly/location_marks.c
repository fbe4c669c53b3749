/* Bits 14 and 15 of the column carry the mark; no source line is as long as that. */
#include "passes/readonly/location_marks.h"

#include "ptx-analyzer/language/module/ptx_access.h"

#include <stdlib.h>
#include <string.h>

enum {
	MARKED = 0x8000,
	INVENTED = 0x4000, /* the load had no location of its own */
	COLUMN = 0x3fff,
	DIRECTIVES_ONLY = 3, /* emission kind: .loc directives and no debug sections */
};
#define FILE_NAME "romark-marks"

/* --- Before code generation --- */

/* Compile units that emit no debug information do not count. */
bool has_debug_information(LLVMModuleRef module)
{
	unsigned count = LLVMGetNamedMetadataNumOperands(module, "llvm.dbg.cu");
	LLVMValueRef *units = xcalloc(count, sizeof *units);
	bool speaks = false;

	LLVMGetNamedMetadataOperands(module, "llvm.dbg.cu", units);
	for (unsigned i = 0; i < count; i++) {
		char *text = LLVMPrintValueToString(units[i]);

		speaks |= strstr(text, "emissionKind: NoDebug") == NULL;
		LLVMDisposeMessage(text);
	}
	free(units);
	return speaks;
}

void location_marker_init(struct location_marker *m, LLVMModuleRef module)
{
	*m = (struct location_marker){.module = module, .context = LLVMGetModuleContext(module)};
	/* A unit that emits nothing would suppress the marks of its functions. Removing it loses nothing. */
	if (!has_debug_information(module))
		LLVMStripModuleDebugInfo(module);
}

static void make_unit(struct location_marker *m)
{
	static const char flag[] = "Debug Info Version";
	LLVMValueRef version = LLVMConstInt(LLVMInt32TypeInContext(m->context), LLVMDebugMetadataVersion(), false);

	m->builder = LLVMCreateDIBuilder(m->module);
	m->file = LLVMDIBuilderCreateFile(m->builder, FILE_NAME, strlen(FILE_NAME), "", 0);
	LLVMDIBuilderCreateCompileUnit(m->builder, LLVMDWARFSourceLanguageC, m->file, "", 0, true, "", 0, 0, "", 0,
				       (LLVMDWARFEmissionKind)DIRECTIVES_ONLY, 0, false, false, "", 0, "", 0);
	if (!LLVMGetModuleFlag(m->module, flag, strlen(flag)))
		LLVMAddModuleFlag(m->module, LLVMModuleFlagBehaviorWarning, flag, strlen(flag),
				  LLVMValueAsMetadata(version));
}

/* Calls between functions with debug information must have a location; line 0 is "none". */
static void locate_calls(struct location_marker *m, LLVMValueRef function, LLVMMetadataRef scope)
{
	LLVMMetadataRef none = LLVMDIBuilderCreateDebugLocation(m->context, 0, 0, scope, NULL);

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMIsACallInst(i) && !LLVMInstructionGetDebugLoc(i))
				LLVMInstructionSetDebugLoc(i, none);
}

static LLVMMetadataRef scope_of(struct location_marker *m, LLVMValueRef function)
{
	LLVMMetadataRef scope = LLVMGetSubprogram(function), type;
	const char *name;
	size_t len;

	if (scope)
		return scope;
	if (!m->builder)
		make_unit(m);
	name = LLVMGetValueName2(function, &len);
	type = LLVMDIBuilderCreateSubroutineType(m->builder, m->file, NULL, 0, LLVMDIFlagZero);
	scope = LLVMDIBuilderCreateFunction(m->builder, m->file, name, len, "", 0, m->file, 0, type, false, true, 0,
					    LLVMDIFlagZero, true);
	LLVMSetSubprogram(function, scope);
	locate_calls(m, function, scope);
	return scope;
}

void mark_location(struct location_marker *m, LLVMValueRef inst)
{
	LLVMMetadataRef old = LLVMInstructionGetDebugLoc(inst), marked;
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
	unsigned line = old ? LLVMDILocationGetLine(old) : 0, column;

	if (line) {
		column = LLVMDILocationGetColumn(old);
		marked = LLVMDIBuilderCreateDebugLocation(m->context, line, (column & COLUMN) | MARKED,
							  LLVMDILocationGetScope(old), LLVMDILocationGetInlinedAt(old));
	} else {
		marked =
		    LLVMDIBuilderCreateDebugLocation(m->context, 1, MARKED | INVENTED, scope_of(m, function), NULL);
	}
	LLVMInstructionSetDebugLoc(inst, marked);
	m->marked++;
}

void locate_inlined_call(struct location_marker *m, LLVMValueRef call)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
	LLVMMetadataRef old = LLVMInstructionGetDebugLoc(call);

	if (old && LLVMDILocationGetLine(old))
		return;
	LLVMInstructionSetDebugLoc(
	    call, LLVMDIBuilderCreateDebugLocation(m->context, 1, INVENTED, scope_of(m, function), NULL));
}

void location_marker_finish(struct location_marker *m)
{
	if (!m->builder)
		return;
	LLVMDIBuilderFinalize(m->builder);
	LLVMDisposeDIBuilder(m->builder);
}

/* --- In the PTX --- */

struct resolver {
	enum load_mark load;
	bool marked;        /* the .loc in force is a mark */
	bool in_assembly;   /* inline assembly: its loads are its own */
	bool only_marks;    /* the module had no debug information of its own */
	struct strbuf last; /* the .loc printed last */
	struct strbuf *out;
};

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

static bool starts(const char *at, const char *end, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(end - at) >= len && memcmp(at, word, len) == 0;
}

/* `.loc FILE LINE COLUMN ...`: takes note of the mark and prints what is left, if anything is. */
static void resolve_loc(struct resolver *r, const char *line, const char *at, const char *end)
{
	struct strbuf loc = STRBUF_INIT;
	unsigned long number, column;
	const char *column_text;
	char *rest;

	strtoul(at + strlen(".loc"), &rest, 10);
	number = strtoul(rest, &rest, 10);
	column_text = skip_blanks(rest, end);
	column = strtoul(column_text, &rest, 10);
	/* Line 0 is "no location", whatever column is printed with it. */
	r->marked = number != 0 && (column & MARKED);
	if (number == 0 || (column & INVENTED) || r->only_marks)
		return;
	strbuf_add(&loc, line, (size_t)(column_text - line));
	strbuf_addf(&loc, "%lu", column & COLUMN);
	strbuf_add(&loc, rest, (size_t)(end - rest));
	/* Without the mark the line may equal the previous one. */
	if (!r->last.data || strcmp(loc.data, r->last.data) != 0)
		strbuf_add(r->out, loc.data, loc.len);
	strbuf_release(&r->last);
	r->last = loc;
}

/* Labels and sections that only the debug information of the marks has called for. */
static bool is_only_for_marks(const struct resolver *r, const char *at, const char *end)
{
	static const char *const words[] = {"$L__func_begin", "$L__func_end", "$L__tmp", ".section\t.debug_"};

	if (starts(at, end, ".file"))
		return memmem(at, (size_t)(end - at), FILE_NAME, strlen(FILE_NAME)) != NULL;
	for (size_t i = 0; r->only_marks && i < sizeof words / sizeof *words; i++)
		if (starts(at, end, words[i]))
			return true;
	return false;
}

/* A marked load is respelled; a spelling that cannot carry the mark stays. */
static void resolve_load(struct resolver *r, const char *line, const char *at, const char *end)
{
	size_t len = 0;

	while (at + len < end && !strchr(" \t\n", at[len]))
		len++;
	strbuf_add(r->out, line, (size_t)(at - line));
	if (!ptx_spell_load(at, len, r->load, r->out))
		strbuf_add(r->out, at, len);
	strbuf_add(r->out, at + len, (size_t)(end - at) - len);
}

static void resolve_line(struct resolver *r, const char *line, const char *end)
{
	const char *at = skip_blanks(line, end);

	/* A function without marks has no .loc, and must not inherit the previous function's mark. */
	if (*line == '}')
		r->marked = false;
	if (starts(at, end, "// begin inline asm"))
		r->in_assembly = true;
	if (starts(at, end, "// end inline asm"))
		r->in_assembly = false;
	if (starts(at, end, ".loc\t") || starts(at, end, ".loc "))
		resolve_loc(r, line, at, end);
	else if (is_only_for_marks(r, at, end))
		return;
	else if (r->marked && !r->in_assembly && r->load != LOAD_KEEP && starts(at, end, "ld.global."))
		resolve_load(r, line, at, end);
	else
		strbuf_add(r->out, line, (size_t)(end - line));
}

void location_marks_resolve(const char *ptx, size_t size, enum load_mark load, bool only_marks, struct strbuf *out)
{
	struct resolver r = {.load = load, .only_marks = only_marks, .out = out};
	const char *end = ptx + size;

	strbuf_reserve(out, size + size / 32);
	while (ptx < end) {
		const char *line_end = memchr(ptx, '\n', (size_t)(end - ptx));

		line_end = line_end ? line_end + 1 : end;
		resolve_line(&r, ptx, line_end);
		ptx = line_end;
	}
	strbuf_release(&r.last);
}
