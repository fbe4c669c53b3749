/*
 * Whether a page of Markdown is from the study as it is now. The page lists the study's inputs with their hashes.
 *
 *   struct page_check check;
 *   if (page_check("study.yaml", "page.md", &check, &diag) < 0) ...     // one of them cannot be read
 *   if (check.changes.len && !check.stale) ... the page is old and does not say so ...
 *   page_check_release(&check);
 */
#ifndef ROMARK_STUDY_REPORT_PAGE_CHECK_H
#define ROMARK_STUDY_REPORT_PAGE_CHECK_H

#include "common/arena.h"
#include "common/diag.h"
#include "common/vec.h"

struct page_check {
	struct arena arena;
	VEC(const char *) changes; /* a sentence for each input that differs, without a full stop */
	const char *stale;         /* the page's own line "**Stale since 2026-11-28:** why"; NULL: no such line */
};

int page_check(const char *study, const char *page, struct page_check *check, struct diag *d);
void page_check_release(struct page_check *check);

#endif
