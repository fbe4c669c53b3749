/*
 * Speed and memory of the PTX front end: bench_ptx FILE... or, without files, a generated module of 64 MB. Each stage
 * is timed alone, in processor time; "together" is what `romark ptx` does: parse, analyse, mark, print.
 */
#include "common/file.h"
#include "ptx-analyzer/flow/cfg.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "ptx-analyzer/readonly/analysis.h"

#include <stdlib.h>
#include <time.h>

static double seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

struct totals {
	double parse, cfg, analyse, print;
	size_t text, memory, instructions;
};

/* One kernel of common shape: index arithmetic, a loop with loads, a call sequence, a store. */
static void add_kernel(struct strbuf *sb, unsigned n)
{
	strbuf_addf(
	    sb,
	    ".visible .entry kernel_%u(\n\t.param .u64 kernel_%u_param_0,\n\t.param .u64 kernel_%u_param_1,\n"
	    "\t.param .u32 kernel_%u_param_2\n)\n{\n"
	    "\t.reg .pred \t%%p<3>;\n\t.reg .f32 \t%%f<40>;\n\t.reg .b32 \t%%r<20>;\n\t.reg .b64 \t%%rd<20>;\n\n",
	    n, n, n, n);
	strbuf_addf(sb,
		    "\tld.param.u64 \t%%rd1, [kernel_%u_param_0];\n\tld.param.u64 \t%%rd2, [kernel_%u_param_1];\n"
		    "\tld.param.u32 \t%%r1, [kernel_%u_param_2];\n\tcvta.to.global.u64 \t%%rd3, %%rd1;\n"
		    "\tcvta.to.global.u64 \t%%rd4, %%rd2;\n\tmov.u32 \t%%r2, %%ctaid.x;\n\tmov.u32 \t%%r3, %%ntid.x;\n"
		    "\tmov.u32 \t%%r4, %%tid.x;\n\tmad.lo.s32 \t%%r5, %%r2, %%r3, %%r4;\n"
		    "\tsetp.ge.s32 \t%%p1, %%r5, %%r1;\n\t@%%p1 bra \t$L__BB%u_3;\n\n\tmov.f32 \t%%f1, 0f00000000;\n"
		    "\tmov.u32 \t%%r6, 0;\n\n$L__BB%u_2:\n",
		    n, n, n, n, n);
	for (unsigned i = 0; i < 32; i++)
		strbuf_addf(sb,
			    "\tmul.wide.s32 \t%%rd5, %%r6, 4;\n\tadd.s64 \t%%rd6, %%rd3, %%rd5;\n"
			    "\tld.global.f32 \t%%f%u, [%%rd6+%u];\n\tfma.rn.f32 \t%%f1, %%f%u, 0f3F800000, %%f1;\n",
			    2 + i, 4 * i, 2 + i);
	strbuf_addf(sb,
		    "\tadd.s32 \t%%r6, %%r6, 1;\n\tsetp.lt.s32 \t%%p2, %%r6, %%r1;\n\t@%%p2 bra \t$L__BB%u_2;\n\n"
		    "\tmul.wide.s32 \t%%rd7, %%r5, 4;\n\tadd.s64 \t%%rd8, %%rd4, %%rd7;\n"
		    "\tst.global.f32 \t[%%rd8], %%f1;\n\n$L__BB%u_3:\n\tret;\n\n}\n",
		    n, n);
}

static void measure(const char *name, const char *text, size_t size, struct totals *t)
{
	struct diag d = DIAG_INIT;
	struct strbuf out = STRBUF_INIT;
	double start = seconds(), parsed, graphed, analysed;
	struct ptx_module *m = ptx_parse(name, text, size, &d);
	struct ptx_analysis *a;

	if (!m) {
		diag_print(&d, stderr);
		exit(1);
	}
	parsed = seconds();
	for (uint32_t i = 0; i < m->nfunctions; i++) {
		t->instructions += m->functions[i].ninsts;
		ptx_build_cfg(&m->functions[i], NULL);
	}
	graphed = seconds();
	a = ptx_analyze(m, ALIAS_GUARDED);
	ptx_mark_loads(a, LOAD_RO);
	analysed = seconds();
	ptx_print(m, &out);
	t->parse += parsed - start;
	t->cfg += graphed - parsed;
	t->analyse += analysed - graphed;
	t->print += seconds() - analysed;
	t->text += size;
	t->memory += m->arena.total;
	ptx_analysis_free(a);
	ptx_module_free(m);
	strbuf_release(&out);
}

static void report(const struct totals *t)
{
	double mb = (double)t->text / 1e6, all = t->parse + t->cfg + t->analyse + t->print;

	printf("%.1f MB of PTX, %zu instructions\n", mb, t->instructions);
	printf(
	    "parse    %8.1f MB/s\ncfg      %8.1f MB/s\nanalyse  %8.1f MB/s\nprint    %8.1f MB/s\ntogether %8.1f MB/s\n",
	    mb / t->parse, mb / t->cfg, mb / t->analyse, mb / t->print, mb / all);
	printf("module in memory: %.1f times the text\n", (double)t->memory / (double)t->text);
}

int main(int argc, char **argv)
{
	struct totals t = {0};
	struct diag d = DIAG_INIT;

	for (int i = 1; i < argc; i++) {
		struct file_data file;

		if (file_read(argv[i], &file, &d) < 0) {
			diag_print(&d, stderr);
			return 1;
		}
		measure(argv[i], file.data, file.size, &t);
		file_data_release(&file);
	}
	if (argc == 1) {
		struct strbuf sb = STRBUF_INIT;

		strbuf_adds(&sb, ".version 8.0\n.target sm_75\n.address_size 64\n\n");
		for (unsigned n = 0; sb.len < 64000000; n++)
			add_kernel(&sb, n);
		measure("generated", sb.data, sb.len, &t);
		strbuf_release(&sb);
	}
	report(&t);
	return 0;
}
