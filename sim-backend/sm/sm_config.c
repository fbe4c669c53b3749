/* The rows of the sections `sm`, `exec` and `cta`. */
#include "sim-backend/sm/sm_config.h"

/* "|gto|lrr|.." */
#define SCHEDULER(name, ops) "|" name
static const char schedulers[] =
#include "sim-backend/sm/warp_schedulers.def"
    ;
#undef SCHEDULER

#define TABLE1 "SelRep Table I"

const struct knob sm_knobs[] = {
    KNOB_UINT(struct sm_config, threads, "threads", 32, 2048, 2048, "resident threads per SM", TABLE1),
    KNOB_UINT(struct sm_config, warps, "warps", 1, SM_MAX_WARPS, 64, "resident warps per SM",
	      "SelRep Table I: 2048 threads"),
    KNOB_UINT(struct sm_config, ctas, "CTAs", 1, SM_MAX_CTAS, 32, "CTA slots per SM", KNOB_OPEN),
    KNOB_UINT(struct sm_config, registers, "registers", 1024, 1 << 20, 65536, "32-bit registers per SM", TABLE1),
    KNOB_UINT(struct sm_config, register_granule, "registers", 1, 4096, 256,
	      "a warp's registers are rounded up to this", KNOB_OPEN),
    KNOB_UINT(struct sm_config, shared_bytes, "bytes", 0, 1 << 20, 65536, "shared memory per SM", TABLE1),
    KNOB_UINT(struct sm_config, shared_granule, "bytes", 1, 4096, 256, "a CTA's shared memory is rounded up to this",
	      KNOB_OPEN),
    KNOB_UINT(struct sm_config, schedulers, "", 1, SM_MAX_SCHEDULERS, 2,
	      "warp schedulers per SM, one instruction per cycle each", TABLE1),
    KNOB_CHOICE(struct sm_config, scheduler, &schedulers[1], 0, "warp scheduling policy", "SelRep Table I: GTO"),
    KNOB_UINT(struct sm_config, active_warps, "warps", 1, SM_MAX_WARPS, 8,
	      "active warps per scheduler, under scheduler: two_level", "Narasiman et al., MICRO 2011"),
    KNOB_UINT(struct sm_config, lsu_queue, "instructions", 1, SM_MAX_LSU_QUEUE, 4,
	      "memory instructions that wait in front of the L1", KNOB_OPEN),
    KNOB_UINT(struct sm_config, loads_in_flight, "instructions", 1, 4096, 512, "load instructions in flight per SM",
	      KNOB_OPEN),
    KNOB_CHOICE(struct sm_config, coalescing, "sectors|segments", 0,
		"sectors: one request per 128 B line with a mask of 32 B sectors; segments: 32, 64 or 128 B requests",
		"compute capability >= 4.0; 2.x"),
    KNOB_UINT(struct sm_config, shared_banks, "banks", 1, 64, 32, "4-byte banks of the shared memory", KNOB_OPEN),
    KNOB_UINT(struct sm_config, shared_latency, "cycles", 1, 1000, 24, "shared-memory load without conflicts",
	      KNOB_OPEN),
    KNOB_UINT(struct sm_config, const_latency, "cycles", 1, 1000, 8, "constant and parameter load (always hits)",
	      KNOB_OPEN),
    KNOB_UINT(struct sm_config, barrier_latency, "cycles", 1, 1000, 4,
	      "from the last warp's arrival to the next instruction", KNOB_OPEN),
    KNOB_BOOL(struct sm_config, write_acks, true, "stores are answered; without, fences do not wait for them",
	      KNOB_OPEN),
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
    KNOB_CHOICE(struct cta_config, policy, "2lrr|rr|bcs|distributed", CTA_2LRR,
		"2lrr: over SM-routers first, then their SMs; rr: over SMs; bcs: blocks of consecutive CTAs to one SM; "
		"distributed: a contiguous range of the launch to each chip, 2lrr within it",
		"SelRep section IV"),
    KNOB_UINT(struct cta_config, per_cycle, "CTAs", 1, 1024, 16, "CTAs placed per cycle in the whole GPU", KNOB_OPEN),
    KNOB_UINT(struct cta_config, block, "CTAs", 1, 8, 2, "size of a block under bcs", "BCS, HPCA 2014: pairs"),
    KNOB_UINT(struct cta_config, chunk, "CTAs", 0, 1048576, 0,
	      "consecutive CTAs that a chip takes under distributed, in turn with the others; 0: a range each",
	      KNOB_OPEN),
    KNOB_END,
};
