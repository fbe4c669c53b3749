/* The source of a launch's CTAs, in launch order. An implementation embeds this struct and finds itself by it. */
#ifndef ROMARK_SIM_CTA_SOURCE_H
#define ROMARK_SIM_CTA_SOURCE_H

#include "trace/trace.h"

struct cta_source {
	/* 1 = *cta is filled and belongs to the caller, 0 = no more CTAs, DIAG_ERROR. */
	int (*next)(struct cta_source *source, struct trace_cta *cta, struct diag *d);
};

#endif
