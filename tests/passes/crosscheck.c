/*
 * Reads the output of `romark pass --cross-check --report=json` for a module, and compares it with compilers:
 *
 *   crosscheck [--table] [--known=FILE] [--nvcc=FILE.ptx] NAME REPORT.json CLANG.ptx
 *
 * Every load about which the two analysers differ is printed with its ground. CLANG.ptx (what Clang itself makes) and
 * FILE.ptx (nvcc's) count their own ld.global.nc: do they mark loads of a kernel, we should mark some, too. Kernels and
 * functions for which that does not hold, or in which a difference has no ground, stand in FILE with the reason that
 * somebody found, one a line: KERNEL REASON; '*' stands for any. --table prints a line a kernel: loads and marks of
 * each at guarded. Exits 1 on a difference without a ground, or a kernel without a reason.
 */
#include "ptx-analyzer/language/module/ptx.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include "common/file.h"
#include "common/vec.h"

#include <fnmatch.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct crosscheck {
	const char *name;
	bool table;
	struct file_data known;
	struct ptx_module *clang, *nvcc; /* their PTX, to count its ld.global.nc */
	unsigned compared, explained, unexplained;
};

static void die(const struct diag *d)
{
	diag_print(d, stderr);
	exit(1);
}

static void read_all(const char *path, struct file_data *file)
{
	struct diag d = DIAG_INIT;

	if (file_read(path, file, &d) < 0)
		die(&d);
}

/* The rest of the first line of `known` that begins with a pattern for `kernel`, with its length; NULL if none does. */
static const char *reason_for(const struct crosscheck *c, const char *kernel, size_t *len)
{
	const char *line = c->known.data;

	for (; line && *line; line += line[0] != '\0') {
		size_t word = strcspn(line, " \t\n"), end = strcspn(line, "\n");
		char pattern[64];

		snprintf(pattern, sizeof pattern, "%.*s", (int)word, line);
		*len = end - word;
		if (*line != '#' && fnmatch(pattern, kernel, 0) == 0)
			return line + word;
		line += end;
	}
	return NULL;
}

/* --- Marks of compilers --- */

static struct ptx_module *parse_file(const char *path)
{
	struct file_data file;
	struct diag d = DIAG_INIT;
	struct ptx_module *module;

	read_all(path, &file);
	module = ptx_parse(path, file.data, file.size, &d);
	if (!module)
		die(&d);
	file_data_release(&file);
	return module;
}

/* ld.global.nc in a kernel's own body, or -1 if the module has no such kernel. */
static int count_promises(const struct ptx_module *m, const char *kernel)
{
	const struct ptx_function *f = m ? ptx_find_function(m, kernel) : NULL;
	int count = 0;

	if (!f)
		return -1;
	for (uint32_t i = 0; i < f->ninsts; i++)
		count += f->insts[i].opcode->op == PTX_OP_ld && ptx_has_mod(f->insts[i].opcode, PTX_MOD_nc);
	return count;
}

/* --- The report --- */

static int number(const json_t *object, const char *key)
{
	return (int)json_integer_value(json_object_get(object, key));
}

static const char *text(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "";
}

static const json_t *named(const json_t *list, const char *key, const char *name)
{
	const json_t *item;
	size_t i;

	json_array_foreach(list, i, item) if (strcmp(text(item, key), name) == 0) return item;
	return NULL;
}

/* A difference with a ground, or one whose kernel or function is in the list. */
static void print_difference(struct crosscheck *c, const char *level, const json_t *d)
{
	const char *ground = json_string_value(json_object_get(d, "reason")), *known = NULL;
	size_t len = 0;

	if (!ground)
		known = reason_for(c, text(d, "function"), &len);
	fprintf(stderr, "%s: %s: %s in %s: marked by the pass: %d, by the PTX analyser: %d: ", c->name, level,
		text(d, "load"), text(d, "function"), json_is_true(json_object_get(d, "pass")),
		json_is_true(json_object_get(d, "ptx")));
	if (known)
		fprintf(stderr, "known:%.*s\n", (int)len, known);
	else
		fprintf(stderr, "%s\n", ground ? ground : "NO GROUND");
	c->explained += ground || known;
	c->unexplained += !ground && !known;
}

static void print_differences(struct crosscheck *c, const json_t *level)
{
	const json_t *d;
	size_t i;

	json_array_foreach(json_object_get(level, "differences"), i, d) print_difference(c, text(level, "alias"), d);
	c->compared += (unsigned)number(level, "loads");
}

/* nvcc unrolls by its own lights, so of its marks only their presence compares. */
static void hold_against_compilers(struct crosscheck *c, const json_t *kernel, const json_t *ptx)
{
	const char *name = text(kernel, "name"), *reason;
	int loads = number(kernel, "loads"), marked = number(kernel, "loads_marked");
	int clang = count_promises(c->clang, name), nvcc = count_promises(c->nvcc, name);
	char nvcc_text[16] = "-";
	size_t len = 0;

	if (nvcc >= 0)
		snprintf(nvcc_text, sizeof nvcc_text, "%d", nvcc);
	if (c->table)
		printf("%s\t%s\t%d/%d\t%d/%d\t%d\t%s\n", c->name, name, marked, loads, number(ptx, "loads_marked"),
		       number(ptx, "loads"), clang, nvcc_text);
	if ((clang <= 0 && nvcc <= 0) || loads == 0 || marked > 0)
		return;
	reason = reason_for(c, name, &len);
	fprintf(stderr, "%s: %s: a compiler marks loads, we none:%.*s\n", c->name, name, reason ? (int)len : 15,
		reason ? reason : " NO REASON KNOWN");
	c->explained += reason != NULL;
	c->unexplained += reason == NULL;
}

static void check(struct crosscheck *c, const char *path)
{
	const json_t *levels, *level, *kernel, *guarded;
	struct file_data file;
	json_t *report;
	size_t i;

	read_all(path, &file);
	report = json_loads(file.data, 0, NULL);
	levels = json_object_get(report, "cross_check");
	json_array_foreach(levels, i, level) print_differences(c, level);
	guarded = named(levels, "alias", "guarded");
	/* A report that lacks them compares nothing. */
	c->unexplained += json_array_size(levels) != 3 || !guarded;
	json_array_foreach(json_object_get(report, "kernels"), i, kernel)
	    hold_against_compilers(c, kernel, named(json_object_get(guarded, "kernels"), "name", text(kernel, "name")));
	json_decref(report);
	file_data_release(&file);
}

int main(int argc, char **argv)
{
	struct crosscheck c = {.table = false};

	for (; argc > 1 && argv[1][0] == '-'; argc--, argv++)
		if (strcmp(argv[1], "--table") == 0)
			c.table = true;
		else if (strncmp(argv[1], "--known=", 8) == 0)
			read_all(argv[1] + 8, &c.known);
		else if (strncmp(argv[1], "--nvcc=", 7) == 0)
			c.nvcc = parse_file(argv[1] + 7);
	if (argc != 4) {
		fprintf(stderr,
			"usage: crosscheck [--table] [--known=FILE] [--nvcc=FILE.ptx] NAME REPORT.json CLANG.ptx\n");
		return 2;
	}
	c.name = argv[1];
	c.clang = parse_file(argv[3]);
	check(&c, argv[2]);
	fprintf(stderr, "%s: %u loads compared, %u differences with a reason, %u without\n", c.name, c.compared,
		c.explained, c.unexplained);
	ptx_module_free(c.clang);
	if (c.nvcc)
		ptx_module_free(c.nvcc);
	file_data_release(&c.known);
	return c.unexplained != 0;
}
