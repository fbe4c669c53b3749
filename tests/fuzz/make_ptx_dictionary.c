/* libFuzzer's dictionary of PTX: every name of the tables, and the words of the grammar. */
#include <stdio.h>

static const char *const words[] = {
#define OP(id, text, ...) text " ",
#include "ptx-analyzer/language/table/ptx_ops.def"
#undef OP
#define TYPE(id, text, ...) "." text,
#include "ptx-analyzer/language/table/ptx_types.def"
#undef TYPE
#define MOD(id, text, ...) "." text,
#include "ptx-analyzer/language/table/ptx_mods.def"
#undef MOD
#define SREG(id, text, ...) text,
#include "ptx-analyzer/language/table/ptx_sregs.def"
#undef SREG
    ".version 8.3\n",
    ".target sm_80\n",
    ".address_size 64\n",
    ".visible ",
    ".extern ",
    ".weak ",
    ".common ",
    ".entry k(",
    ".func f(",
    ".func (.param .b32 o) ",
    ".param .u64 a",
    ".ptr ",
    ".align 8 ",
    ".reg .b32 %r<9>;",
    ".reg .pred %p;",
    ".maxntid 1, 1, 1",
    ".reqntid ",
    ".noreturn",
    ".pragma \"x\";",
    ".file 1 \"x\"",
    ".loc 1 2 3",
    ", function_name ",
    ", inlined_at 1 2 3",
    ".section .debug_str {",
    ".branchtargets ",
    ".callprototype (",
    ".calltargets ",
    ".alias ",
    ".attribute(.managed)",
    ".global ",
    ".shared ",
    ".local ",
    ".const ",
    "generic(",
    "0xFF(",
    "0f3F800000",
    "0d3FF0000000000000",
    "[%r1+-4]",
    "{%r1, %r2}",
    "@%p ",
    "@!%p ",
    "%r1|%p",
    "_",
    "// ",
    "/* */",
    "L: ",
    "L;",
    "};",
    "@@",
    "(.s64)",
    "WARP_SZ",
    "%r1.b0",
    "(%r1), f, (%r2)",
};

int main(void)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		putchar('"');
		for (const char *p = words[i]; *p; p++)
			if (*p == '"' || *p == '\\' || *p == '\n')
				printf("\\x%02X", (unsigned)*p);
			else
				putchar(*p);
		puts("\"");
	}
	return 0;
}
