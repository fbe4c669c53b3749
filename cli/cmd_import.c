/* romark import: traces of other tools, and their descriptions of GPUs, as ours. */
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/used_files.h"
#include "common/file.h"
#include "common/options.h"
#include "common/progress.h"
#include "common/xalloc.h"
#include "sim-backend/config/config.h"
#include "sim-backend/config/gpgpusim.h"
#include "trace/import/accelsim.h"

#include <stdio.h>
#include <string.h>

static void show_progress(void *context, uint64_t ctas)
{
	progress_update(context, ctas, "CTAs");
}

static int import(const char *list, const char *output, struct accelsim_options options)
{
	struct diag d = DIAG_INIT;
	struct trace_writer *w = trace_create(output, &d);
	struct strbuf notes = STRBUF_INIT;
	struct progress progress;
	int status = w ? 0 : DIAG_ERROR;

	options.progress = show_progress;
	options.context = &progress;
	options.notes = &notes;
	if (w) {
		progress_start(&progress, "importing", 0);
		status = accelsim_import(list, w, &options, &d);
		progress_end(&progress);
		notes_print(&notes);
		if (status == 0)
			status = trace_finish(w, &d);
		else
			trace_abandon(w);
	}
	strbuf_release(&notes);
	if (status == 0)
		return EXIT_OK;
	diag_print(&d, stderr);
	return EXIT_BAD_INPUT;
}

/* --- GPUs --- */

enum { MOST_CONFIGURATION = 1 << 20 };

/* The output's name without folder and ending; characters that a name in YAML might not have become '-'. */
static void name_of(const char *output, char *name, size_t size)
{
	const char *slash = strrchr(output, '/'), *base = slash ? slash + 1 : output, *dot = strrchr(base, '.');
	size_t len = dot && dot > base ? (size_t)(dot - base) : strlen(base);

	if (strcmp(output, "-") == 0 || len == 0) {
		snprintf(name, size, "imported");
		return;
	}
	snprintf(name, size, "%.*s", (int)(len < size ? len : size - 1), base);
	for (char *at = name; *at; at++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *at))
			*at = '-';
}

static int read_configurations(struct gpgpusim *g, int count, char **files, struct diag *d)
{
	for (int i = 0; i < count; i++) {
		struct file_data text;
		int status = file_read_regular(files[i], MOST_CONFIGURATION, &text, d);

		if (status < 0)
			return status;
		status = gpgpusim_read(g, (const char *)text.data, text.size, files[i], d);
		file_data_release(&text);
		if (status < 0)
			return status;
	}
	return gpgpusim_mapped(g) + gpgpusim_unmapped(g) ? 0
							 : diag_file(d, files[0], "no option ('-name value') in it");
}

/* Whether romark can simulate what came out; a message says what has to be changed by hand. */
static void check_gpu(const struct strbuf *yaml, const char *output)
{
	struct sim_config *config = sim_config_create();
	struct diag d = DIAG_INIT;

	if (sim_config_parse(config, yaml->data, yaml->len, output, &d) < 0 || sim_config_check(config, &d) < 0) {
		fprintf(stderr, "romark: import: the GPU file needs changes by hand before it can be simulated:\n");
		diag_print(&d, stderr);
	}
	sim_config_free(config);
}

static int write_gpu(struct gpgpusim *g, const char *output, struct diag *d)
{
	struct strbuf yaml = STRBUF_INIT;
	struct outfile out;
	char name[64];
	int status;

	name_of(output, name, sizeof name);
	gpgpusim_write(g, name, &yaml);
	status = outfile_open(&out, output, d);
	if (status == 0) {
		fwrite(yaml.data, 1, yaml.len, out.stream);
		status = outfile_commit(&out, d);
	}
	if (status == 0) {
		fprintf(stderr, "romark: import: %zu options became keys, %zu have no counterpart (listed in %s)\n",
			gpgpusim_mapped(g), gpgpusim_unmapped(g), strcmp(output, "-") == 0 ? "the output" : output);
		check_gpu(&yaml, output);
	}
	strbuf_release(&yaml);
	return status;
}

static int import_gpu(int count, char **files, const char *output)
{
	struct gpgpusim *g = gpgpusim_create();
	struct diag d = DIAG_INIT;
	int status = read_configurations(g, count, files, &d);

	if (status == 0)
		status = write_gpu(g, output, &d);
	gpgpusim_free(g);
	if (status == 0)
		return EXIT_OK;
	diag_print(&d, stderr);
	return EXIT_BAD_INPUT;
}

static int import_marked(const char *list, const char *output, const char *ranges_file, bool skips_unknown)
{
	struct accelsim_options options = {.skips_unknown = skips_unknown};
	struct accelsim_range *ranges = NULL;
	struct diag d = DIAG_INIT;
	int status;

	if (ranges_file && accelsim_read_ranges(ranges_file, &ranges, &options.nranges, &d) < 0) {
		diag_print(&d, stderr);
		return EXIT_BAD_INPUT;
	}
	options.ranges = ranges;
	status = import(list, output, options);
	xfree(ranges);
	return status;
}

static bool check_files(const char *list, const char *output)
{
	const struct used_file files[] = {{list, "the list", NULL}, {output, NULL, "output"}};

	return used_files_check("import", files, sizeof files / sizeof *files);
}

int cmd_import(int argc, char **argv)
{
	const char *output = NULL, *ranges = NULL;
	int from = 0, unknown = 0;
	bool gpu = false;
	const struct option_row rows[] = {
	    {0, "from", OPT_CHOICE, &from, "accelsim", "the tool that wrote the trace (default accelsim)"},
	    {'o', "output", OPT_STRING, &output, "FILE", "write trace or GPU here; '-' for standard output"},
	    {0, "gpu", OPT_FLAG, &gpu, NULL,
	     "the operands are gpgpusim.config, and trace.config if there is one; writes a GPU file for --gpu=FILE.yaml"},
	    {0, "unknown", OPT_CHOICE, &unknown, "refuse|skip",
	     "instructions that move memory and are not known, or have no addresses (default refuse)"},
	    {0, "ro-ranges", OPT_STRING, &ranges, "FILE",
	     "mark loads that stay in these ranges of addresses: lines 'BEGIN END' or 'BEGIN +BYTES'"},
	    {0},
	};
	const struct usage usage = {
	    "import", "kernelslist.g | --gpu gpgpusim.config [trace.config]",
	    "Turns a trace of Accel-Sim into a trace of romark, or its description of a GPU into a GPU file.", rows,
	    "The kernels' files lie beside the list, plain, packed with xz, zstd or gzip, or as .tracez. Loads\n"
	    "with CONSTANT in their opcode carry the read-only mark."};
	int operands = options_parse(&usage, argc, argv);

	if (operands < 0)
		return usage_exit(operands);
	if (!output || operands == 0 || (operands != 1 && !gpu)) {
		fprintf(stderr, "romark: import: %s; see 'romark import --help'\n",
			!output ? "no output given (-o FILE)"
			: gpu   ? "a gpgpusim.config wanted"
				: "one list of kernels wanted");
		return EXIT_WRONG_USAGE;
	}
	if (gpu)
		return check_files(argv[0], output) ? import_gpu(operands, argv, output) : EXIT_WRONG_USAGE;
	return check_files(argv[0], output) ? import_marked(argv[0], output, ranges, unknown == 1) : EXIT_WRONG_USAGE;
}
