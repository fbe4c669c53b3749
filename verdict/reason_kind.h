/* The kinds of reasons, by which reports group them. */
#ifndef ROMARK_VERDICT_REASON_KIND_H
#define ROMARK_VERDICT_REASON_KIND_H

#include <stdbool.h>

enum reason_kind {
	REASON_NONE,
	/* Why a structure is not read-only: */
	REASON_WRITTEN,
	REASON_ALIAS,
	REASON_UNKNOWN_POINTER,
	REASON_HIDDEN_WRITE,
	REASON_UNKNOWN_CODE,
	REASON_GRID_WAIT,
	REASON_LISTENS,
	/* Why a load of read-only structures is not marked: */
	REASON_INSTRUCTION,
	REASON_OTHER_SPACE,
	REASON_OTHER_STRUCTURE,
	REASON_HEAP,
	REASON_OTHER_KERNEL,
	REASON_OTHER_MODULE,
	REASON_KINDS
};

/* The texts of reports for each kind. */
struct reason_kind_row {
	const char *name;    /* "written" */
	bool is_program;     /* the program does so on purpose: no other code or option would give a mark */
	const char *summary; /* a sentence without a full stop */
	const char *help;    /* what to do about it */
};
extern const struct reason_kind_row reason_kinds[REASON_KINDS];

#endif
