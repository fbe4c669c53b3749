/*
 * The origin of a study's numbers, for pages of any kind: how many points are done, who computed them and when, and
 * from which traces.
 *
 *   struct origin_counts counts = origin_count(database, study, &points);
 *   origin_lay_out_traces(&sheet, database, study, &points);
 */
#ifndef ROMARK_STUDY_REPORT_ORIGIN_H
#define ROMARK_STUDY_REPORT_ORIGIN_H

#include "study/report/sheet.h"
#include "study/results.h"

#include <inttypes.h>

struct origin_counts {
	int64_t points, done, failed, missing;
	int64_t cut, estimates; /* of the done points */
	int64_t others;         /* results of points that the study does not have any more */
};

struct origin_counts origin_count(struct database *db, const struct study *s, const struct results_points *points);
/* A row for each build of romark and machine. */
void origin_lay_out_machines(struct sheet *t, struct database *db, const struct study *s,
			     const struct results_points *points);
/* A row for each version of romark, with the days of its first and last run: nothing that depends on the machine. */
void origin_lay_out_versions(struct sheet *t, struct database *db, const struct study *s,
			     const struct results_points *points);
void origin_lay_out_traces(struct sheet *t, struct database *db, const struct study *s,
			   const struct results_points *points);

#endif
