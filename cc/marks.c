/* Parse, analyse, mark, print: one module of device code. */
#include "cc/marks.h"

#include "ptx-analyzer/readonly/guarded.h"
#include "ptx-analyzer/language/text/lines_name.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* Hardware has no guard of its own, so code for it has each marked kernel and beside it the plain version. */
static void print_marked(struct ptx_analysis *analysis, struct ptx_module *module, enum load_mark mark,
			 struct strbuf *out)
{
	if (mark == LOAD_NC) {
		ptx_print_guarded(analysis, module, mark, out);
		return;
	}
	ptx_mark_loads(analysis, mark);
	ptx_print(module, out);
}

/* Other files' code may call this module's functions, unless the device link has joined it: then it is complete. */
static bool is_part(const struct cc_options *options)
{
	return options->relocatable && options->stage >= CC_COMPILE;
}

struct ptx_module *cc_parse_ptx(const char *source, const struct file_data *ptx, struct diag *d)
{
	char name[PTX_LINES_NAME_SIZE];

	return ptx_parse(ptx_lines_name(source, name), ptx->data, ptx->size, d);
}

int cc_marks_apply(struct cc_marks *marks, const struct cc_options *options, enum load_mark mark, const char *source,
		   const struct file_data *ptx, struct strbuf *out, struct diag *d)
{
	struct report_module described = {.name = source};
	struct ptx_analysis *analysis;
	struct ptx_module *m;

	if (mark == LOAD_KEEP)
		strbuf_add(out, ptx->data, ptx->size);
	if (mark == LOAD_KEEP && !options->report)
		return 0;
	m = cc_parse_ptx(source, ptx, d);
	if (!m)
		return DIAG_ERROR;
	analysis = ptx_analyze_to_mark(m, options->alias, is_part(options), mark);
	if (options->report)
		ptx_describe(analysis, &described);
	if (mark != LOAD_KEEP)
		print_marked(analysis, m, mark, out);
	if (!options->report) {
		ptx_analysis_free(analysis);
		ptx_module_free(m);
		return 0;
	}
	vec_push(&marks->modules, described);
	vec_push(&marks->analyses, analysis);
	vec_push(&marks->parsed, m);
	return 0;
}

/* The ending says which form the report has. */
static bool is_sarif(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && strcmp(dot, ".sarif") == 0;
}

static void write_sarif(const struct report *report, const struct cc_options *options, struct strbuf *out)
{
	char folder[PATH_MAX];
	struct report_run run = {.version = ROMARK_VERSION,
				 .arguments = options->command,
				 .narguments = options->ncommand,
				 .folder = getcwd(folder, sizeof folder) ? folder : "/"};

	report_sarif(report, &run, out);
}

int cc_marks_report(const struct cc_marks *marks, const struct cc_options *options, struct diag *d)
{
	struct report report = {.file = options->inputs.data[0].path,
				.form = &report_of_ptx,
				.modules = marks->modules.data,
				.nmodules = marks->modules.len,
				.alias = options->alias};
	struct strbuf text = STRBUF_INIT;
	int result;

	if (is_sarif(options->report))
		write_sarif(&report, options, &text);
	else
		report_json(&report, &text);
	result = file_write(options->report, text.data, text.len, d);
	strbuf_release(&text);
	return result;
}

void cc_marks_release(struct cc_marks *marks)
{
	for (size_t i = 0; i < marks->modules.len; i++) {
		ptx_analysis_free(marks->analyses.data[i]);
		ptx_module_free(marks->parsed.data[i]);
	}
	vec_release(&marks->modules);
	vec_release(&marks->analyses);
	vec_release(&marks->parsed);
}
