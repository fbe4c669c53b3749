/* double_ptx [--check] FILE.ptx: the module as the GPU device hands it to the driver, marked and plain, on stdout. */
#include "common/file.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "runtime/gpu/gpu_device.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	struct diag d = DIAG_INIT;
	struct strbuf out = STRBUF_INIT;
	struct ptx_module *m = NULL;
	struct ptx_analysis *a;
	struct file_data file;
	bool checks = argc == 3 && strcmp(argv[1], "--check") == 0;
	const char *path = argv[argc - 1];
	int code;

	if ((argc == 2 || checks) && file_read(path, &file, &d) == 0)
		m = ptx_parse(path, file.data, file.size, &d);
	if (!m) {
		diag_print(&d, stderr);
		return 1;
	}
	a = ptx_analyze(m, ALIAS_GUARDED);
	code = gpu_print(a, m, LOAD_NC, checks, &out, &d);
	if (code < 0)
		diag_print(&d, stderr);
	else
		fputs(out.data, stdout);
	strbuf_release(&out);
	ptx_analysis_free(a);
	ptx_module_free(m);
	file_data_release(&file);
	return code < 0;
}
