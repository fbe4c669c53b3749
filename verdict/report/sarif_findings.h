/*
 * The unmarked loads of a report, put together so that a reader acts on each finding once: the loads that one data
 * structure of a kernel keeps unmarked for one reason are one finding, and so are the same lines in several kernels, as
 * the instances of a template are.
 */
#ifndef ROMARK_VERDICT_REPORT_SARIF_FINDINGS_H
#define ROMARK_VERDICT_REPORT_SARIF_FINDINGS_H

#include "common/vec.h"
#include "verdict/reason_kind.h"

#include <jansson.h>
#include <stdbool.h>

/* All parts belong to the report. */
struct sarif_finding {
	enum reason_kind kind;
	const json_t *structure;      /* that the first load may touch, or NULL for unknown memory */
	bool by_structure;            /* .. and that is not read-only: it has the reason, not the load */
	VEC(const json_t *) loads;    /* of the first kernel */
	VEC(const json_t *) kernels;  /* the first, and those with the same lines */
	unsigned long long all_loads; /* of all these kernels */
};

struct sarif_findings {
	VEC(struct sarif_finding) list;
};

/* The findings of a report with loads, in its order. */
void sarif_findings_make(struct sarif_findings *out, const json_t *report);
void sarif_findings_release(struct sarif_findings *f);

#endif
