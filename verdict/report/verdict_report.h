/*
 * Reports of an analysis: text for a terminal, JSON for scripts, SARIF for editors, and an HTML page to read beside the
 * source.
 *
 *   struct report r = {.file = "k.ptx", .form = &report_of_ptx, .modules = modules, .nmodules = 1,
 *                      .alias = ALIAS_GUARDED};
 *   report_json(&r, &text);
 *
 * Each appends to `out`; the same facts give the same bytes. An analyser fills the modules (ptx_describe does it for
 * the PTX analyser); what they point to stays its own and must outlive the report.
 */
#ifndef ROMARK_VERDICT_REPORT_H
#define ROMARK_VERDICT_REPORT_H

#include "common/strbuf.h"
#include "verdict/structure.h"

#include <jansson.h>
#include <regex.h>
#include <stddef.h>

/* One instruction that touches memory, and its place. */
struct report_access {
	const struct access *access;
	uint32_t line;           /* of the text that was analysed, or of `file` */
	const char *file;        /* source file, or NULL */
	const char *instruction; /* "ld.global.f32" */
	const char *source;      /* source file of the innermost place, or NULL */
	uint32_t source_line;
	struct place_chain places;
	const char *space; /* of a load that is not of global memory: "shared"; else NULL */
	const char *bytes; /* that it may touch, "p0[0 .. 4*n)", or "unknown: ..."; NULL: nobody asked */
	bool bytes_known;
	const char *const *scans; /* not known: numbers that a launch looks through for them, "p2[0 .. 4*n)" */
	size_t nscans;
};

struct report_kernel {
	const struct kernel_facts *facts;
	const struct report_access *accesses; /* for `loads` and the HTML page */
	size_t naccesses;
	const struct report_access *others; /* for `loads`: loads of memory that is not global */
	size_t nothers;
};

struct report_function {
	const char *name;
	uint32_t line, last_line;
	const uint32_t *positions; /* of each place where it changes: line, source file, source line */
	size_t npositions;
};

/* A module of the input: a PTX file has one, an executable may have several. */
struct report_module {
	const char *name; /* for the reader; NULL when the input is the module */
	const struct report_kernel *kernels;
	size_t nkernels;
	bool ranges; /* the accesses have `bytes` */
	/* For the HTML page: */
	const struct report_function *functions;
	size_t nfunctions;
	const char *const *files; /* source files; NULL where a number has no name */
	size_t nfiles;
	const char *text; /* as read */
	size_t size;
};

/* The parts and the layout of an analyser's report. */
struct report_form {
	unsigned indent;
	bool dependences; /* "depends_on" */
	bool ambiguities; /* "ambiguous" */
};
extern const struct report_form report_of_ptx, report_of_ir;

enum report_sort {
	REPORT_IN_ORDER,    /* of the input */
	REPORT_BY_UNMARKED, /* most unmarked loads first */
	REPORT_BY_NAME,     /* as in C++ */
};

struct report {
	const char *file;
	const struct report_form *form;
	const struct report_module *modules;
	size_t nmodules;
	enum alias_level alias;
	bool loads;             /* text and JSON: every load, too */
	bool ranges;            /* text and JSON: the bytes of every access, too; the HTML page has them */
	enum report_sort sort;  /* of kernels, over all modules; the HTML page begins so */
	bool unmarked;          /* only kernels with loads that are not marked; the HTML page begins so */
	const regex_t *kernels; /* only kernels whose name, as in PTX or as in C++, matches; NULL = all */
	/* The HTML page: */
	const char *const *source_folders; /* whose source files may be shown, too */
	size_t nsource_folders;
	/*
	 * Measured facts to show beside the code: a list of objects with the lists "structures" and "lines" of results
	 * of `romark sim --lines` or `romark info`. NULL: none.
	 */
	json_t *facts;
	struct strbuf *notes; /* gets a line for each source file that is not shown; may be NULL */
};

void report_text(const struct report *r, struct strbuf *out);
void report_json(const struct report *r, struct strbuf *out);
/* Source files are read where .file names them, if report_source() lets them through. */
void report_html(const struct report *r, struct strbuf *out);
/* The text form of a JSON report, with what a cross-check has added to it. */
void report_text_of_json(const char *json, struct strbuf *out);

/* The command that a report in SARIF says it came from. */
struct report_run {
	const char *version;          /* of romark */
	const char *const *arguments; /* without the name of the program */
	size_t narguments;
	const char *folder; /* in which it ran, absolute */
};
/* SARIF 2.1.0, for editors and code hosts: the loads without a mark. The same facts and run give the same bytes. */
void report_sarif(const struct report *r, const struct report_run *run, struct strbuf *out);
/* The same of a JSON report with loads. */
void report_sarif_of_json(const char *json, const struct report_run *run, struct strbuf *out);

/* Differences between `old` and `new`, with kernels and structures matched by name: their verdicts and marks. */
void diff_text(const struct report *old, const struct report *new, struct strbuf *out);
void diff_json(const struct report *old, const struct report *new, struct strbuf *out);

/* The next kernel that --kernel lets through, over all modules; NULL at the end. Start with a zeroed position. */
struct report_position {
	size_t module, kernel;
};
const struct report_kernel *report_next(const struct report *r, struct report_position *at,
					const struct report_module **module);

#endif
