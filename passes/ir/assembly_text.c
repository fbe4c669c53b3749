/*
 * The text and constraints of inline assembly. Before LLVM 18 the C API cannot read them, so they come from the printed
 * value.
 */
#include "passes/ir/assembly_text.h"

#include "common/strbuf.h"
#include "common/xalloc.h"

#include <llvm/Config/llvm-config.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if LLVM_VERSION_MAJOR >= 18
char *assembly_text(LLVMValueRef callee, char **constraints)
{
	size_t len;
	const char *text = LLVMGetInlineAsmConstraintString(callee, &len);

	*constraints = xstrndup(text, len);
	text = LLVMGetInlineAsmAsmString(callee, &len);
	return xstrndup(text, len);
}
#else
/* Undoes the printer's escapes (\0A) up to the closing quote; *at ends behind the quote. */
static char *unquote(const char **at)
{
	struct strbuf text = STRBUF_INIT;
	unsigned code;

	for ((*at)++; **at && **at != '"'; (*at)++)
		if (**at == '\\' && sscanf(*at + 1, "%2x", &code) == 1) {
			strbuf_addc(&text, (char)code);
			*at += 2;
		} else {
			strbuf_addc(&text, **at);
		}
	*at += **at == '"';
	return strbuf_detach(&text);
}

/* The C API shows the text only as part of the printed value: TYPE asm [words] "text", "constraints". */
char *assembly_text(LLVMValueRef callee, char **constraints)
{
	char *printed = LLVMPrintValueToString(callee), *text;
	const char *at = strstr(printed, " asm ");

	at = at ? strchr(at, '"') : NULL;
	text = at ? unquote(&at) : xstrdup("call unseen");
	at = at ? strchr(at, '"') : NULL;
	*constraints = at ? unquote(&at) : xstrdup("");
	LLVMDisposeMessage(printed);
	return text;
}
#endif

/* True if the word is between `asm` and the text of the printed value. */
static bool has_word(const char *printed, const char *word)
{
	const char *begin = strstr(printed, " asm "), *end = begin ? strchr(begin, '"') : NULL;

	return end && memmem(begin, (size_t)(end - begin), word, strlen(word));
}

void assembly_set_text(LLVMValueRef call, const char *text)
{
	LLVMValueRef old = LLVMGetCalledValue(call), changed;
	char *printed = LLVMPrintValueToString(old), *constraints, *own = assembly_text(old, &constraints);

	changed =
	    LLVMGetInlineAsm(LLVMGetCalledFunctionType(call), (char *)text, strlen(text), constraints,
			     strlen(constraints), has_word(printed, "sideeffect"), has_word(printed, "alignstack"),
			     LLVMInlineAsmDialectATT, has_word(printed, "unwind"));
	LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, changed);
	LLVMDisposeMessage(printed);
	free(own);
	free(constraints);
}
