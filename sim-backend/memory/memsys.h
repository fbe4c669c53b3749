/*
 * The memory system below the L1s as the SMs see it: a network that takes requests, one port per SM, and gives replies
 * back. Behind it are routers, LLC slices and DRAM channels.
 *
 * One cycle is the SM clock. All links inside are bounded queues whose content becomes visible one cycle after it
 * was pushed, so the order in which modules are ticked cannot change a result.
 */
#ifndef ROMARK_SIM_MEMSYS_H
#define ROMARK_SIM_MEMSYS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { MEM_SECTOR_BYTES = 32 };

enum mem_kind { MEM_READ, MEM_WRITE, MEM_ATOMIC, MEM_KIND_COUNT };

/*
 * A request's flags travel to the LLC and come back with the reply, unchanged unless a feature of the LLC sets some. An
 * L1 policy gets the reply's flags.
 */
enum mem_flag {
	MEM_READ_ONLY = 1, /* came from a load with the read-only mark */
	MEM_NO_REPLY = 2,  /* a write, or an atomic whose value nobody reads */
	/*
	 * Never in a request. In a reply: the LLC remembers that this SM has had the line before, so its L1 has lost
	 * it early.
	 */
	MEM_VICTIM = 4,
	/*
	 * The L1 does not keep what comes back. In a request: since the load goes past it, so the SM will not have the
	 * line. Set in a reply by the LLC: it tells the L1 not to keep the line.
	 */
	MEM_BYPASS = 8,
};

/* One request of an L1 (a line, or some sectors of it), and its reply: the same struct travels back. */
struct mem_request {
	uint64_t line;   /* address of the first byte of the line */
	uint32_t bytes;  /* payload: bytes wanted (read, atomic) or carried (write) */
	uint8_t sectors; /* 32 B sectors of the line, bit 0 = lowest */
	uint8_t kind, flags;
	uint8_t alike_log2; /* atomics, with llc.atomic_alike: 2^n lanes name the same address, rounded up */
	uint16_t sm;
	uint16_t structure; /* data structure to charge: index in the run's structure table */
	uint32_t cookie;    /* the requester's own; its answer brings it back unchanged */
	uint64_t issued;    /* cycle of injection, for latency statistics; set by memsys_send */
};

struct memsys;
struct diag;
struct memsys_config;  /* sim-backend/memory/memsys_config.h */
struct llc_policy_ops; /* sim-backend/llc/llc_policy.h */
struct memsys_stats;   /* sim-backend/memory/memsys_stats.h */
struct request_log;    /* sim-backend/memory/request_log.h */
struct contents_stats; /* sim-backend/memory/charges.h */

/*
 * `config` must have passed memsys_config_check. `policy_knobs`: the policy's own settings, filled from its knob table
 * (NULL when it has none). Both are copied.
 */
struct memsys *memsys_create(const struct memsys_config *config, const struct llc_policy_ops *policy,
			     const void *policy_knobs, unsigned nstructures);
void memsys_free(struct memsys *ms);
/*
 * From here on memsys_check also finds requests that were served an older value than the memory model allows
 * (versions.h). To be called before the first request; costs time and memory, and changes no result.
 */
void memsys_follow_versions(struct memsys *ms);

/* From here on it is counted how many SMs ask for the same lines (sharing.h); changes no result. */
void memsys_watch_sharing(struct memsys *ms);

/* From here on the memory system writes each request's stages and the policy's decisions into `log`. Not with boxes. */
void memsys_log_requests(struct memsys *ms, struct request_log *log);

/*
 * The SM's side. `cycle` is the SM's current cycle; an SM may call these before or after memsys_tick of that cycle, the
 * result is the same. An SM can send one request per cycle.
 */
/* Room in the SM's injection port for a request now? */
bool memsys_can_send(const struct memsys *ms, unsigned sm, uint64_t cycle);
/* Requires memsys_can_send. `issued` is set to `cycle`. */
void memsys_send(struct memsys *ms, unsigned sm, uint64_t cycle, const struct mem_request *request);
/* Bit set over the SMs: those without their bit have no reply now. */
const uint64_t *memsys_replies(const struct memsys *ms);
/* A reply that has arrived at the SM, oldest first; false when there is none. */
bool memsys_receive(struct memsys *ms, unsigned sm, uint64_t cycle, struct mem_request *reply);
/*
 * For prefetching, when memsys_receive has returned false: the reply that it will return next, and in how many cycles
 * of the networks. NULL when no reply is that near, or it is not easily found. The reply itself is not in the host's
 * cache.
 */
const struct mem_request *memsys_foresee(const struct memsys *ms, unsigned sm, uint64_t cycle, uint64_t *wait);

/*
 * For SMs that are ticked by several threads, beside the memory system: each SM has a box for what it sends and one for
 * what it receives in a cycle. memsys_can_send, _send and _receive then touch an SM's boxes only, and memsys_tick
 * touches none. A cycle is:
 *
 *   memsys_fill_boxes     one thread alone; `ticked`: memsys_tick will be called for the cycle
 *   memsys_tick           while other threads tick SMs, and find those of theirs that have sent something
 *   memsys_empty_boxes    one thread alone, for each of these sets
 */
void memsys_use_boxes(struct memsys *ms);
bool memsys_has_boxes(const struct memsys *ms);
/*
 * From here on the reply network has boxes too. memsys_tick then leaves it out: any thread calls memsys_tick_replies
 * beside memsys_tick, in the same cycles. False, and nothing is changed, with several chips. Requires boxes.
 */
bool memsys_use_reply_boxes(struct memsys *ms);
void memsys_tick_replies(struct memsys *ms, uint64_t cycle, bool reverse);
void memsys_fill_boxes(struct memsys *ms, uint64_t cycle, bool ticked);
/* Finds the SMs from `first` up to `end` that have sent something. `set` is a bit set over all SMs. */
void memsys_find_sent(struct memsys *ms, unsigned first, unsigned end, uint64_t *set);
void memsys_empty_boxes(struct memsys *ms, uint64_t cycle, const uint64_t *set);

/* One SM cycle of everything below the L1s. `reverse` ticks the modules backwards; the result is the same. */
void memsys_tick(struct memsys *ms, uint64_t cycle, bool reverse);
/* The next cycle > `cycle` in which something can happen here: cycle + 1 when busy, UINT64_MAX when empty. */
uint64_t memsys_next_event(const struct memsys *ms, uint64_t cycle);
bool memsys_is_empty(const struct memsys *ms);
/* Whether no chip's LLC policy has yet to choose how the kernel goes on, or to bring it into force. */
bool memsys_is_settled(const struct memsys *ms);

/*
 * Kernel boundary. kernel_end starts what the policy must do (write back, invalidate replicas); the boundary is over
 * when memsys_is_empty. Both are paid for in cycles.
 */
void memsys_kernel_begin(struct memsys *ms, uint64_t cycle, bool has_atomics);
void memsys_kernel_end(struct memsys *ms, uint64_t cycle);

const struct memsys_stats *memsys_statistics(struct memsys *ms);
/* Counters of the replacement policy, the sum over all slices, into `values`. Requires that it has some. */
void memsys_replacement(const struct memsys *ms, void *values);
/*
 * Does what channels without requests had to do before `cycle`, which has not been ticked: their refreshes. Before
 * counters are read; changes no time.
 */
void memsys_settle(struct memsys *ms, uint64_t cycle);
/* Contents of each chip's slices up to `cycle`, which has not been ticked; [chips]. */
void memsys_contents(const struct memsys *ms, uint64_t cycle, struct contents_stats *by_chip);
/* The run is over in `cycle`: windows that have begun and go over several kernels are counted. */
void memsys_end_watch(struct memsys *ms, uint64_t cycle);
/*
 * The policy's values over time (llc_policy.h), before the tick of `cycle`; with several chips, the values of the first
 * chip's policy. Requires that it has series_rows.
 */
void memsys_series(const struct memsys *ms, uint64_t cycle, void *values);
/* Cycles between two decisions of the policy; 0 when it has no fixed number. */
uint64_t memsys_epoch(const struct memsys *ms);
/* Things moved so far, for the deadlock watch: no change over many cycles while not empty = deadlock. */
uint64_t memsys_progress(const struct memsys *ms);

/* Lists which parts wait, and for whom, one line each. */
void memsys_dump(const struct memsys *ms, FILE *out);
/*
 * Conservation: requests, flits and DRAM bursts that went in came out. To be called when empty. NULL = conserved,
 * else a sentence about the first that is not (static storage).
 */
const char *memsys_check(const struct memsys *ms);
/* The first request that was served an older value than it may be; NULL: none, or nobody follows versions. */
const char *memsys_old_value(const struct memsys *ms);

#endif
