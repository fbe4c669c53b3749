/*
 * Holds a module against the expectations in its source's comments:
 *
 *   check [--from-O1] SOURCE MODULE      MODULE = SOURCE for IR, bitcode compiled from it for CUDA
 *
 *   EXPECT LEVEL KERNEL: ID=VERDICT:MARKED/LOADS ...   all structures of a kernel at an alias level;
 *                                                      MARKED/LOADS may be `all`
 *   EXPECT+ ...                                        only where the module was optimised (--from-O1)
 *   GUARDS KERNEL: READS/WRITES ...                    all guards, guarded level
 *   SHARING KERNEL: ID=CLASS ...                       some structures' classes
 *   SAME                                               --load=ro and --load=keep differ in marks alone
 *   ORDER TEXT | TEXT ...                              these stand in the PTX one after the other, --load=ro
 *   PTX LOAD COUNT TEXT                                how often TEXT stands in the PTX, --load=LOAD, guarded
 */
#include "passes/passes.h"

#include "common/file.h"
#include "common/strbuf.h"
#include "common/xalloc.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct check {
	const char *source;
	struct file_data module;
	json_t *reports[ALIAS_LEVELS];
	char *ptx[3];   /* per enum load_mark, guarded */
	bool wants_ptx; /* false: the source says NOPTX, for what cannot be generated can still be analysed */
	unsigned checks, failures;
};

static void run(struct check *c, enum alias_level alias, enum load_mark load)
{
	struct pass_options options = PASS_OPTIONS_INIT;
	struct diag d = DIAG_INIT;
	struct pass_output out;

	options.alias = alias;
	options.load = load;
	options.copies = true;
	options.emit = c->wants_ptx ? PASS_EMIT_PTX : PASS_EMIT_BITCODE;
	if (pass_run(c->source, c->module.data, c->module.size, &options, &out, &d) < 0) {
		diag_print(&d, stderr);
		exit(1);
	}
	if (!c->reports[alias])
		c->reports[alias] = json_loads(out.report, 0, NULL);
	if (alias == ALIAS_GUARDED && c->wants_ptx)
		c->ptx[load] = xstrdup(out.text);
	pass_output_release(&out);
}

static const json_t *find_by(const json_t *list, const char *key, const char *value)
{
	const json_t *item;
	size_t i;

	json_array_foreach(list, i,
			   item) if (strcmp(json_string_value(json_object_get(item, key)), value) == 0) return item;
	return NULL;
}

/* CUDA kernels have mangled names; the expectation names the plain part. */
static const json_t *find_kernel(const json_t *report, const char *name)
{
	return find_by(json_object_get(report, "kernels"), "name", name);
}

static char *describe_structures(const json_t *kernel)
{
	struct strbuf text = STRBUF_INIT;
	const json_t *s;
	size_t i;

	json_array_foreach(json_object_get(kernel, "structures"), i, s)
	    strbuf_addf(&text, " %s=%s:%d/%d", json_string_value(json_object_get(s, "id")),
			json_string_value(json_object_get(s, "verdict")),
			(int)json_integer_value(json_object_get(s, "loads_marked")),
			(int)json_integer_value(json_object_get(s, "loads")));
	return strbuf_detach(&text);
}

static char *describe_guards(const json_t *kernel)
{
	struct strbuf text = STRBUF_INIT;
	const json_t *g;
	size_t i;

	json_array_foreach(json_object_get(kernel, "guards"), i, g)
	    strbuf_addf(&text, " %s/%s", json_string_value(json_object_get(g, "reads")),
			json_string_value(json_object_get(g, "writes")));
	return strbuf_detach(&text);
}

static void fail(struct check *c, const char *line, const char *what, const char *found)
{
	fprintf(stderr, "%s: expected %s\n  %s:%s\n", c->source, line, what, found);
	c->failures++;
}

/* Splits "KERNEL: rest" and returns the kernel's report, or fails. */
static const json_t *kernel_of(struct check *c, const char *line, const char *at, enum alias_level level,
			       const char **rest)
{
	const char *colon = strchr(at, ':');
	char *name = xstrndup(at, colon ? (size_t)(colon - at) : strlen(at));
	const json_t *kernel = find_kernel(c->reports[level], name);

	if (!kernel)
		fail(c, line, "no such kernel", name);
	*rest = colon ? colon + 1 : "";
	free(name);
	return kernel;
}

/* "p0=read-only:all" means any number of loads, all of them marked. */
static bool word_fits(const char *wanted, const char *found)
{
	const char *colon = strrchr(wanted, ':'), *found_colon = strrchr(found, ':');
	int marked, loads;

	if (!colon || !found_colon || strcmp(colon, ":all") != 0)
		return strcmp(wanted, found) == 0;
	return colon - wanted == found_colon - found && memcmp(wanted, found, (size_t)(colon - wanted)) == 0 &&
	       sscanf(found_colon, ":%d/%d", &marked, &loads) == 2 && marked == loads && loads > 0;
}

static bool words_fit(const char *wanted, const char *found)
{
	char *w = xstrdup(wanted), *f = xstrdup(found), *next_w = w, *next_f = f;
	bool fit = true;

	while (fit && (next_w || next_f)) {
		char *word_w = strsep(&next_w, " "), *word_f = strsep(&next_f, " ");

		fit = word_w && word_f && word_fits(word_w, word_f);
	}
	free(w);
	free(f);
	return fit;
}

static void check_expect(struct check *c, const char *line, const char *at)
{
	const char *rest;
	unsigned level = 0;
	const json_t *kernel;
	char *found;

	while (level < ALIAS_LEVELS && strncmp(at, alias_level_names[level], strlen(alias_level_names[level])) != 0)
		level++;
	if (level == ALIAS_LEVELS)
		return fail(c, line, "no such level", at);
	kernel = kernel_of(c, line, at + strlen(alias_level_names[level]) + 1, level, &rest);
	if (!kernel)
		return;
	found = describe_structures(kernel);
	if (!words_fit(rest, found))
		fail(c, line, "found", found);
	free(found);
}

static void check_guards(struct check *c, const char *line, const char *at)
{
	const char *rest;
	const json_t *kernel = kernel_of(c, line, at, ALIAS_GUARDED, &rest);
	char *found = kernel ? describe_guards(kernel) : NULL;

	if (found && strcmp(found, rest) != 0)
		fail(c, line, "found", found);
	free(found);
}

static void check_sharing(struct check *c, const char *line, const char *at)
{
	const char *rest;
	const json_t *kernel = kernel_of(c, line, at, ALIAS_GUARDED, &rest);
	char *words = xstrdup(rest), *next = words, *word;

	while (kernel && (word = strsep(&next, " "))) {
		char *class = strchr(word, '=');
		const json_t *s;

		if (!class)
			continue;
		*class ++= '\0';
		s = find_by(json_object_get(kernel, "structures"), "id", word);
		if (!s || strcmp(json_string_value(json_object_get(s, "sharing")), class) != 0)
			fail(c, line, word, s ? json_string_value(json_object_get(s, "sharing")) : "no such structure");
	}
	free(words);
}

static void check_ptx(struct check *c, const char *line, const char *at)
{
	unsigned load = 0, wanted, count = 0;
	char *text;

	while (load < 3 && strncmp(at, load_mark_names[load], strlen(load_mark_names[load])) != 0)
		load++;
	if (load == 3)
		return fail(c, line, "no such load", at);
	wanted = (unsigned)strtoul(at + strlen(load_mark_names[load]), &text, 10);
	text++;
	for (const char *hit = strstr(c->ptx[load], text); hit; hit = strstr(hit + 1, text))
		count++;
	if (count != wanted) {
		char number[16];

		snprintf(number, sizeof number, " %u", count);
		fail(c, line, "found", number);
	}
}

/* The PTX without its marks. */
static char *unmarked(const char *ptx)
{
	struct strbuf text = STRBUF_INIT;

	while (*ptx) {
		if (strncmp(ptx, ".global.ro.", 11) == 0 || strncmp(ptx, ".global.nc.", 11) == 0) {
			strbuf_adds(&text, ".global.");
			ptx += 11;
		} else {
			strbuf_addc(&text, *ptx++);
		}
	}
	return strbuf_detach(&text);
}

static void check_same(struct check *c, const char *line, const char *at)
{
	char *ro = unmarked(c->ptx[LOAD_RO]), *keep = unmarked(c->ptx[LOAD_KEEP]);

	(void)at;
	if (strcmp(ro, keep) != 0)
		fail(c, line, "marked code differs", " in more than marks");
	free(ro);
	free(keep);
}

static void check_order(struct check *c, const char *line, const char *at)
{
	char *words = xstrdup(at), *next = words, *word;
	const char *ptx = c->ptx[LOAD_RO];

	while (ptx && (word = strsep(&next, "|"))) {
		word += strspn(word, " ");
		word[strcspn(word, " ")] = '\0';
		ptx = strstr(ptx, word);
		if (!ptx)
			fail(c, line, "not found in this order", word);
		else
			ptx++;
	}
	free(words);
}

/* Marked loads in a kernel's own body. */
static unsigned count_marks(const char *ptx, const char *kernel)
{
	struct strbuf head = STRBUF_INIT;
	const char *body, *end;
	unsigned count = 0;

	strbuf_addf(&head, ".entry %s(", kernel);
	body = strstr(ptx, head.data);
	end = body ? strstr(body, "\n}\n") : NULL;
	for (; end && (body = strstr(body, ".global.ro.")) && body < end; body++)
		count++;
	strbuf_release(&head);
	return count;
}

/* Kernels that the report calls unmarked have no marks in the PTX. */
static void check_unmarked_kernels(struct check *c)
{
	const json_t *kernel;
	size_t i;

	json_array_foreach(json_object_get(c->reports[ALIAS_GUARDED], "kernels"), i, kernel)
	{
		const char *name = json_string_value(json_object_get(kernel, "name"));

		if (json_integer_value(json_object_get(kernel, "loads_marked")) == 0 &&
		    count_marks(c->ptx[LOAD_RO], name) != 0)
			fail(c, "no mark in the PTX of a kernel without marks", "marked", name);
	}
}

static void check_line(struct check *c, const char *line, bool optimised)
{
	static const struct {
		const char *word;
		void (*check)(struct check *c, const char *line, const char *at);
		bool needs_optimised;
	} rows[] = {
	    {"EXPECT ", check_expect, false},   {"EXPECT+ ", check_expect, true},   {"GUARDS ", check_guards, false},
	    {"SHARING ", check_sharing, false}, {"SHARING+ ", check_sharing, true}, {"PTX ", check_ptx, false},
	    {"PTX+ ", check_ptx, true},         {"SAME", check_same, false},        {"ORDER ", check_order, false},
	};

	line += strspn(line, ";/ ");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strncmp(line, rows[i].word, strlen(rows[i].word)) == 0) {
			c->checks++;
			if (optimised || !rows[i].needs_optimised)
				rows[i].check(c, line, line + strlen(rows[i].word));
		}
}

int main(int argc, char **argv)
{
	bool optimised = argc > 1 && strcmp(argv[1], "--from-O1") == 0;
	struct check c = {.source = NULL};
	struct file_data source;
	struct diag d = DIAG_INIT;
	char *next, *line;

	argv += optimised;
	argc -= optimised;
	if (argc != 3) {
		fprintf(stderr, "usage: check [--from-O1] SOURCE MODULE\n");
		return 2;
	}
	c.source = argv[1];
	if (file_read(argv[1], &source, &d) < 0 || file_read(argv[2], &c.module, &d) < 0) {
		diag_print(&d, stderr);
		return 1;
	}
	c.wants_ptx = strstr(source.data, "NOPTX") == NULL;
	for (int level = 0; level < ALIAS_LEVELS; level++)
		run(&c, (enum alias_level)level, LOAD_RO);
	run(&c, ALIAS_GUARDED, LOAD_NC);
	run(&c, ALIAS_GUARDED, LOAD_KEEP);
	next = source.data;
	while ((line = strsep(&next, "\n")))
		check_line(&c, line, optimised);
	if (c.wants_ptx)
		check_unmarked_kernels(&c);
	for (int i = 0; i < ALIAS_LEVELS; i++) {
		json_decref(c.reports[i]);
		free(c.ptx[i]);
	}
	file_data_release(&source);
	file_data_release(&c.module);
	if (c.checks == 0) {
		fprintf(stderr, "%s: no expectations\n", argv[1]);
		return 1;
	}
	printf("%s: %u expectations, %u failures\n", argv[1], c.checks, c.failures);
	return c.failures != 0;
}
