/*
 * Holds the LLVM pass and the PTX analyser against each other on one module:
 *
 *   crosscheck [--table] [--known=FILE] [--nvcc=FILE.ptx] NAME MODULE.bc CLANG.ptx
 *
 * MODULE.bc is analysed by the pass; LLVM's PTX of it by the analyser; the guarded verdict of every structure of every
 * kernel is compared, and the number of marks in the PTX. CLANG.ptx (what Clang itself makes) and FILE.ptx (nvcc's)
 * count their own ld.global.nc. FILE lists differences that have a reason, one a line: KERNEL ID REASON; '*' stands for
 * any.
 * --table prints a line a kernel: loads and marks of each. Exits 1 on a difference without a reason, or where Clang
 * or nvcc marks more loads of a kernel than both of ours.
 */
#include "passes/passes.h"
#include "ptx-analyzer/readonly/analysis.h"

#include "common/file.h"
#include "common/vec.h"
#include "common/xalloc.h"

#include <fnmatch.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct known {
	char *kernel, *id, *reason;
};

struct crosscheck {
	const char *name;
	bool table;
	VEC(struct known) known;
	struct ptx_module *clang, *nvcc; /* what they make, to count their ld.global.nc */
	unsigned compared, explained, unexplained;
};

static void die(const struct diag *d)
{
	diag_print(d, stderr);
	exit(1);
}

static void read_known(struct crosscheck *c, const char *path)
{
	struct file_data file;
	struct diag d = DIAG_INIT;
	char *next, *line;

	if (file_read(path, &file, &d) < 0)
		die(&d);
	next = file.data;
	while ((line = strsep(&next, "\n"))) {
		char *rest = line, *kernel = strsep(&rest, " \t"), *id = strsep(&rest, " \t");

		if (*line && *line != '#' && rest)
			vec_push(&c->known, (struct known){xstrdup(kernel), xstrdup(id), xstrdup(rest)});
	}
	file_data_release(&file);
}

static const char *reason_for(const struct crosscheck *c, const char *kernel, const char *id)
{
	for (size_t i = 0; i < c->known.len; i++)
		if (fnmatch(c->known.data[i].kernel, kernel, 0) == 0 && fnmatch(c->known.data[i].id, id, 0) == 0)
			return c->known.data[i].reason;
	return NULL;
}

/* --- Counting what others mark --- */

static struct ptx_module *parse_file(const char *path)
{
	struct file_data file;
	struct diag d = DIAG_INIT;
	struct ptx_module *module;

	if (file_read(path, &file, &d) < 0)
		die(&d);
	module = ptx_parse(path, file.data, file.size, &d);
	if (!module)
		die(&d);
	file_data_release(&file);
	return module;
}

/* Loads with modifier `mod` in a kernel's own body, or -1 if the module has no such kernel. */
static int count_loads(const struct ptx_module *m, const char *kernel, enum ptx_mod mod)
{
	const struct ptx_function *f = m ? ptx_find_function((struct ptx_module *)m, kernel) : NULL;
	int count = 0;

	if (!f)
		return -1;
	for (uint32_t i = 0; i < f->ninsts; i++)
		count += f->insts[i].opcode->op == PTX_OP_ld && ptx_has_mod(f->insts[i].opcode, mod);
	return count;
}

/* --- Comparing --- */

static void differ(struct crosscheck *c, const char *kernel, const char *id, const char *pass, const char *ptx)
{
	const char *reason = reason_for(c, kernel, id);

	fprintf(stderr, "%s: %s %s: pass says %s, PTX analyser %s: %s\n", c->name, kernel, id, pass, ptx,
		reason ? reason : "NO REASON KNOWN");
	c->explained += reason != NULL;
	c->unexplained += reason == NULL;
}

static const char *ptx_says(const struct kernel_facts *k, const char *id)
{
	for (uint32_t i = 0; i < k->nstructures; i++)
		if (strcmp(k->structures[i].id, id) == 0)
			return verdict_name(k->structures[i].verdict);
	return "nothing";
}

static const char *pass_says(const json_t *kernel, const char *id)
{
	const json_t *s;
	size_t i;

	json_array_foreach(json_object_get(kernel, "structures"), i,
			   s) if (strcmp(json_string_value(json_object_get(s, "id")), id) ==
				  0) return json_string_value(json_object_get(s, "verdict"));
	return "nothing";
}

/* A pointer that nobody uses is no structure to one of the two now and then; that is no difference. */
static bool agree(const char *a, const char *b)
{
	bool a_idle = strcmp(a, "unused") == 0 || strcmp(a, "nothing") == 0;
	bool b_idle = strcmp(b, "unused") == 0 || strcmp(b, "nothing") == 0;

	return strcmp(a, b) == 0 || (a_idle && b_idle);
}

static void compare_kernel(struct crosscheck *c, const json_t *kernel, const struct kernel_facts *ptx)
{
	const char *name = json_string_value(json_object_get(kernel, "name"));
	const json_t *s;
	size_t i;

	json_array_foreach(json_object_get(kernel, "structures"), i, s)
	{
		const char *id = json_string_value(json_object_get(s, "id")), *pass = pass_says(kernel, id);

		c->compared++;
		if (!agree(pass, ptx_says(ptx, id)))
			differ(c, name, id, pass, ptx_says(ptx, id));
	}
	for (uint32_t n = 0; n < ptx->nstructures; n++) {
		const char *id = ptx->structures[n].id;

		if (strcmp(pass_says(kernel, id), "nothing") == 0 && !agree("nothing", ptx_says(ptx, id)))
			differ(c, name, id, "nothing", ptx_says(ptx, id));
	}
}

static void tabulate(struct crosscheck *c, const json_t *kernel, const struct kernel_facts *ptx)
{
	const char *name = json_string_value(json_object_get(kernel, "name"));
	int loads = (int)json_integer_value(json_object_get(kernel, "loads"));
	int marked = (int)json_integer_value(json_object_get(kernel, "loads_marked"));
	int clang = count_loads(c->clang, name, PTX_MOD_nc), nvcc = count_loads(c->nvcc, name, PTX_MOD_nc);
	char nvcc_text[16] = "-";

	if (nvcc >= 0)
		snprintf(nvcc_text, sizeof nvcc_text, "%d", nvcc);
	if (c->table)
		printf("%s\t%s\t%d/%d\t%u/%u\t%d\t%s\n", c->name, name, marked, loads, ptx->loads_marked, ptx->loads,
		       clang, nvcc_text);
	/* nvcc unrolls by its own lights, so of its marks only their presence compares. */
	if ((clang > 0 || nvcc > 0) && loads > 0 && marked == 0)
		differ(c, name, "loads", "none is read-only", "some compiler marks one");
}

/* The marks that reach the PTX: the pass's own, and the analyser's on the same code. */
static void compare_marks(struct crosscheck *c, const char *kernel, const struct ptx_module *pass,
			  const struct ptx_module *ptx)
{
	int by_pass = count_loads(pass, kernel, PTX_MOD_ro), by_ptx = count_loads(ptx, kernel, PTX_MOD_ro);
	char text[2][32];

	if (by_pass == by_ptx)
		return;
	snprintf(text[0], sizeof text[0], "%d in its PTX", by_pass);
	snprintf(text[1], sizeof text[1], "%d", by_ptx);
	differ(c, kernel, "marks", text[0], text[1]);
}

/* The pass's PTX of the module, parsed. */
static struct ptx_module *pass_ptx(const char *name, const struct file_data *file, enum load_mark load, json_t **report)
{
	struct pass_options options = PASS_OPTIONS_INIT;
	struct diag d = DIAG_INIT;
	struct pass_output out;
	struct ptx_module *module;

	options.load = load;
	if (pass_run(name, file->data, file->size, &options, &out, &d) < 0)
		die(&d);
	module = ptx_parse(name, out.text, out.size, &d);
	if (!module)
		die(&d);
	if (report)
		*report = json_loads(out.report, 0, NULL);
	pass_output_release(&out);
	return module;
}

static void check(struct crosscheck *c, const char *bitcode)
{
	struct ptx_module *plain, *marked;
	struct ptx_analysis *analysis;
	struct file_data file;
	struct diag d = DIAG_INIT;
	const json_t *kernel;
	json_t *report;
	size_t i;

	if (file_read(bitcode, &file, &d) < 0)
		die(&d);
	plain = pass_ptx(bitcode, &file, LOAD_KEEP, NULL);
	marked = pass_ptx(bitcode, &file, LOAD_RO, &report);
	analysis = ptx_analyze(plain, ALIAS_GUARDED);
	json_array_foreach(json_object_get(report, "kernels"), i, kernel)
	{
		const char *name = json_string_value(json_object_get(kernel, "name"));
		const struct kernel_facts *ptx = ptx_kernel_facts(analysis, name);

		if (!ptx) {
			differ(c, name, "*", "it is a kernel", "it is not there");
			continue;
		}
		compare_kernel(c, kernel, ptx);
		tabulate(c, kernel, ptx);
	}
	ptx_mark_loads(analysis, LOAD_RO);
	json_array_foreach(json_object_get(report, "kernels"), i, kernel)
	    compare_marks(c, json_string_value(json_object_get(kernel, "name")), marked, plain);
	json_decref(report);
	ptx_analysis_free(analysis);
	ptx_module_free(plain);
	ptx_module_free(marked);
	file_data_release(&file);
}

int main(int argc, char **argv)
{
	struct crosscheck c = {.table = false};

	for (; argc > 1 && argv[1][0] == '-'; argc--, argv++)
		if (strcmp(argv[1], "--table") == 0)
			c.table = true;
		else if (strncmp(argv[1], "--known=", 8) == 0)
			read_known(&c, argv[1] + 8);
		else if (strncmp(argv[1], "--nvcc=", 7) == 0)
			c.nvcc = parse_file(argv[1] + 7);
	if (argc != 4) {
		fprintf(stderr,
			"usage: crosscheck [--table] [--known=FILE] [--nvcc=FILE.ptx] NAME MODULE.bc CLANG.ptx\n");
		return 2;
	}
	c.name = argv[1];
	c.clang = parse_file(argv[3]);
	check(&c, argv[2]);
	fprintf(stderr, "%s: %u structures compared, %u differences with a reason, %u without\n", c.name, c.compared,
		c.explained, c.unexplained);
	ptx_module_free(c.clang);
	if (c.nvcc)
		ptx_module_free(c.nvcc);
	for (size_t i = 0; i < c.known.len; i++) {
		free(c.known.data[i].kernel);
		free(c.known.data[i].id);
		free(c.known.data[i].reason);
	}
	vec_release(&c.known);
	return c.unexplained != 0;
}
