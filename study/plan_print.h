/* Prints for people what a sweep would do. */
#ifndef ROMARK_STUDY_PLAN_PRINT_H
#define ROMARK_STUDY_PLAN_PRINT_H

#include "study/database/database.h"
#include "study/plan.h"

#include <stdio.h>

/* A line for each point, and a sum. `db` may be NULL: nothing has been run. */
int plan_print(struct plan *p, struct database *db, FILE *out, struct diag *d);

#endif
