/* Parameters of an SM, of its functional units and of CTA placement; the rows are in sm_config.c. */
#ifndef ROMARK_SIM_SM_CONFIG_H
#define ROMARK_SIM_SM_CONFIG_H

#include "sim-backend/knobs/knob.h"
#include "trace/trace.h"

enum { SM_MAX_WARPS = 64, SM_MAX_CTAS = 32, SM_MAX_SCHEDULERS = 4, SM_MAX_LSU_QUEUE = 8 };

enum coalesce_rule { COALESCE_SECTORS, COALESCE_SEGMENTS };
enum sm_code { CODE_PTX, CODE_VOLTA, CODE_AMPERE, CODE_HOPPER };
enum cta_policy { CTA_2LRR, CTA_RR, CTA_BCS, CTA_DISTRIBUTED };

struct sm_config {
#define KNOB KNOB_FIELD
#include "sim-backend/sm/sm_knobs.def"
};

/* By enum trace_class; classes that touch memory take their time from the memory path instead. */
struct exec_config {
	uint32_t latency[TRACE_CLASS_COUNT], interval[TRACE_CLASS_COUNT];
};

struct cta_config {
#define KNOB KNOB_FIELD
#include "sim-backend/sm/cta_knobs.def"
};

extern const struct knob sm_knobs[], exec_knobs[], cta_knobs[];

#endif
