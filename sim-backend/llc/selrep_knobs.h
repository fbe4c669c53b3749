/* Knobs of the policies that choose replication degrees by a directory; selrep_knobs.def has their rows. */
#ifndef ROMARK_SIM_SELREP_KNOBS_H
#define ROMARK_SIM_SELREP_KNOBS_H

#include <stdbool.h>
#include <stdint.h>

enum selrep_model { MODEL_PAPER, MODEL_WINDOWS, MODEL_SERVICE, MODEL_TRIALS };
enum selrep_directory { DIRECTORY_VECTORS, DIRECTORY_SLICE };
enum selrep_fallback { FALLBACK_KEEP, FALLBACK_INITIAL };
enum selrep_counter_end { COUNTER_STOPS, COUNTER_HALVES };
enum selrep_accesses { ACCESS_ONE, ACCESS_PER_DEGREE };
enum selrep_memory { SHARE_SLICE, SHARE_CHANNEL, SHARE_MC, SHARE_GPU, SHARE_UNLIMITED };
enum selrep_flush { SELREP_FLUSH_REPLICAS, SELREP_FLUSH_READ_ONLY, SELREP_FLUSH_ALL };
enum selrep_clean { SELREP_CLEAN_KERNEL, SELREP_CLEAN_CHANGE };

struct selrep_knobs {
	uint32_t epoch_cycles, decision_cycles, initial_degree, kernel_start, unsampled;
	uint32_t model, window_cycles;
	double idle;
	uint32_t directory, rdd_sets, rdd_ways, tag_bits, counter_bits, counter_end, access_counters;
	bool monotone;
	uint32_t memory_share;
	double threshold;
	uint32_t flush, clean;
	double trial_gain;        /* of selrep alone */
	uint32_t slots, fixed[4]; /* of selrep-structures alone */
};

#endif
