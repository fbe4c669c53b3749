/* Device code between Clang's passes: checked for completeness, marked, and packed for the host pass. */
#include "cc/steps.h"

#include "cc/fatbin_entry.h"
#include "cc/cc_resources.h"
#include "common/file.h"
#include "ptx-analyzer/language/text/ptx_link.h"

#include <string.h>

/* Whether the result is PTX, a text of its own. */
static bool makes_ptx(const struct cc_options *options)
{
	return options->stage == CC_EMIT_PTX || options->stage == CC_ASSEMBLE;
}

bool cc_makes_device_code(const struct cc_options *options)
{
	return makes_ptx(options) || options->stage == CC_EMIT_FATBIN || options->stage == CC_EMIT_CUBIN;
}

/*
 * Appends the marked PTX of `source` to `out`. Inside a program it stays unmarked unless --load asks for marks: the
 * device makes them when it loads the program, as `romark run --alias --load` say. Code that is still to be joined with
 * other files is marked, and reported, when it is joined.
 */
static int mark(struct cc_job *job, const char *source, const struct file_data *ptx, struct strbuf *out)
{
	bool joined_later = job->options.relocatable && job->options.stage <= CC_COMPILE;
	bool apply = (job->options.load_asked || makes_ptx(&job->options)) && !joined_later;

	if (joined_later && job->options.stage != CC_COMPILE) {
		strbuf_add(out, ptx->data, ptx->size);
		return 0;
	}
	return cc_marks_apply(&job->marks, &job->options, apply ? job->options.load : LOAD_KEEP, source, ptx, out,
			      &job->diag);
}

/*
 * The code of a file must not need another file's code. For most files a quick look is enough to see that it does not.
 */
static int check_complete(struct cc_job *job, const char *source, const struct file_data *ptx)
{
	struct ptx_module *m;
	int result;

	if (job->options.relocatable || makes_ptx(&job->options) || !strstr(ptx->data, "\n.extern "))
		return 0;
	m = cc_parse_ptx(source, ptx, &job->diag);
	if (!m)
		return DIAG_ERROR;
	result = ptx_check_complete(m, &job->diag);
	ptx_module_free(m);
	return result;
}

int cc_pack_device_code(struct cc_job *job, const char *source, const char *ptx, const char *image)
{
	struct strbuf text = STRBUF_INIT;
	struct file_data file;
	int result;

	if (job->options.show)
		return 0;
	if (file_read(ptx, &file, &job->diag) < 0)
		return DIAG_ERROR;
	result = check_complete(job, source, &file);
	if (result == 0 && job->options.resources && !makes_ptx(&job->options))
		result = cc_print_resources(source, &file, job->options.arch, stderr, &job->diag);
	if (result == 0)
		result = mark(job, source, &file, &text);
	if (result == 0 && makes_ptx(&job->options))
		result = file_write(image, text.data, text.len, &job->diag);
	else if (result == 0)
		result = cc_fatbin_write(image, text.data, text.len, job->options.arch, &job->diag);
	file_data_release(&file);
	strbuf_release(&text);
	return result;
}
