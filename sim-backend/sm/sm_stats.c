/* The rows of the SMs' counters. */
#include "sim-backend/sm/sm_stats.h"

#include "sim-backend/sm/line_stats.h"

#define CLASS_ROWS(name, cls)                                                                                          \
	STAT_NAMED(struct sm_stats, by_class[cls], "inst_" name, "warp instructions",                                  \
		   "warp instructions of this class"),                                                                 \
	    STAT_NAMED(struct sm_stats, thread_by_class[cls], "thread_inst_" name, "thread instructions",              \
		       "thread instructions of this class")

const struct stat_row sm_stat_rows[] = {
#define STAT(...) STAT_ROW(struct sm_stats, __VA_ARGS__)
#include "sim-backend/sm/sm_stats.def"
#define SLOT(name, counter, word, help) STAT_NAMED(struct sm_stats, slots[SLOT_##name], counter, "issue slots", help),
#include "sim-backend/sm/issue_slots.def"
#undef SLOT
    CLASS_ROWS("int", TRACE_INT),
    CLASS_ROWS("fp32", TRACE_FP32),
    CLASS_ROWS("fp64", TRACE_FP64),
    CLASS_ROWS("fp16", TRACE_FP16),
    CLASS_ROWS("sfu", TRACE_SFU),
    CLASS_ROWS("tensor", TRACE_TENSOR),
    CLASS_ROWS("move", TRACE_MOVE),
    CLASS_ROWS("convert", TRACE_CONVERT),
    CLASS_ROWS("load", TRACE_LOAD),
    CLASS_ROWS("store", TRACE_STORE),
    CLASS_ROWS("atomic", TRACE_ATOMIC),
    CLASS_ROWS("async_copy", TRACE_ASYNC_COPY),
    CLASS_ROWS("texture", TRACE_TEXTURE),
    CLASS_ROWS("barrier", TRACE_BARRIER),
    CLASS_ROWS("fence", TRACE_FENCE),
    CLASS_ROWS("branch", TRACE_BRANCH),
    CLASS_ROWS("call", TRACE_CALL),
    CLASS_ROWS("exit", TRACE_EXIT),
    CLASS_ROWS("warp", TRACE_WARP),
    CLASS_ROWS("other", TRACE_OTHER),
    STAT_END,
};

const struct stat_row line_stat_rows[] = {
#define STAT(...) STAT_ROW(struct line_stats, __VA_ARGS__)
#include "sim-backend/sm/line_stats.def"
    STAT_END};
