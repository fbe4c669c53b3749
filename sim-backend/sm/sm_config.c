/* The rows of the sections `sm`, `exec` and `cta`. */
#include "sim-backend/sm/sm_config.h"

/* "|gto|lrr|.." */
#define SCHEDULER(name, ops) "|" name
static const char schedulers[] =
#include "sim-backend/sm/warp_schedulers.def"
    ;
#undef SCHEDULER

const struct knob sm_knobs[] = {
#define KNOB(...) KNOB_ROW(struct sm_config, __VA_ARGS__)
#include "sim-backend/sm/sm_knobs.def"
    KNOB_END,
};

#define UNIT(name, cls, cycles, every, what)                                                                           \
	{name "_latency", KNOB_TYPE_UINT, offsetof(struct exec_config, latency[cls]),       "cycles", 1, 1000,         \
	 cycles,          NULL,           what ": until a dependent instruction may issue", KNOB_OPEN},                \
	{                                                                                                              \
		name "_interval", KNOB_TYPE_UINT, offsetof(struct exec_config, interval[cls]), "cycles", 1, 1000,      \
		    every, NULL, what ": between two issues of one scheduler", KNOB_OPEN                               \
	}

const struct knob exec_knobs[] = {
    UNIT("int", TRACE_INT, 6, 1, "integer and logic"),
    UNIT("fp32", TRACE_FP32, 6, 1, "single precision"),
    UNIT("fp64", TRACE_FP64, 8, 2, "double precision"),
    UNIT("fp16", TRACE_FP16, 6, 1, "half precision"),
    UNIT("sfu", TRACE_SFU, 18, 4, "special functions"),
    UNIT("tensor", TRACE_TENSOR, 16, 4, "matrix instructions"),
    UNIT("move", TRACE_MOVE, 6, 1, "moves and selects"),
    UNIT("convert", TRACE_CONVERT, 8, 2, "conversions"),
    UNIT("warp", TRACE_WARP, 24, 2, "shuffles, votes"),
    UNIT("branch", TRACE_BRANCH, 4, 1, "branches; the warp's next instruction waits"),
    UNIT("call", TRACE_CALL, 8, 1, "calls and returns; the warp's next instruction waits"),
    UNIT("other", TRACE_OTHER, 6, 1, "everything else"),
    KNOB_END,
};

const struct knob cta_knobs[] = {
#define KNOB(...) KNOB_ROW(struct cta_config, __VA_ARGS__)
#include "sim-backend/sm/cta_knobs.def"
    KNOB_END,
};
