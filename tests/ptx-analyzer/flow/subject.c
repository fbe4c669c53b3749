/* Analyses modules written by hand for the tests of the analysis. */
#include "tests/ptx-analyzer/flow/subject.h"

#include "ptx-analyzer/language/text/ptx_text.h"

void analyze(struct subject *s, const char *text, enum alias_level alias)
{
	struct diag d = DIAG_INIT;

	s->module = ptx_parse("test", text, strlen(text), &d);
	if (!s->module)
		fail_msg("line %u: %s", d.line, d.message);
	s->analysis = ptx_analyze(s->module, alias);
}

void release(struct subject *s)
{
	ptx_analysis_free(s->analysis);
	ptx_module_free(s->module);
}

void add_kernel(struct strbuf *text, const char *body)
{
	strbuf_adds(text, ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 n)\n{\n"
			  ".reg .b64 %rd<40>; .reg .b32 %r<40>; .reg .f32 %f<9>; .reg .pred %p<9>;\n"
			  "ld.param.u64 %rd11, [a]; ld.param.u64 %rd12, [b]; ld.param.u64 %rd13, [c];\n"
			  "cvta.to.global.u64 %rd1, %rd11; cvta.to.global.u64 %rd2, %rd12;\n"
			  "cvta.to.global.u64 %rd3, %rd13;\n"
			  "ld.param.u64 %rd4, [n]; cvt.u32.u64 %r1, %rd4;\n");
	strbuf_adds(text, body);
	strbuf_adds(text, "\nret;\n}\n");
}

void analyze_body(struct subject *s, const char *body, enum alias_level alias)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, HEADER);
	add_kernel(&text, body);
	analyze(s, text.data, alias);
	strbuf_release(&text);
}

const struct structure *find(const struct subject *s, const char *kernel, const char *id)
{
	const struct kernel_facts *f = ptx_kernel_facts(s->analysis, kernel);

	for (uint32_t i = 0; f && i < f->nstructures; i++)
		if (strcmp(f->structures[i].id, id) == 0)
			return &f->structures[i];
	return NULL;
}

int verdict(const char *body, const char *id, enum alias_level alias)
{
	const struct structure *found;
	struct subject s;
	int result;

	analyze_body(&s, body, alias);
	found = find(&s, "k", id);
	result = found ? (int)found->verdict : -1;
	release(&s);
	return result;
}
