/* The rows of what requests are charged with. */
#include "sim-backend/memory/charges.h"

const struct stat_row stages_stat_rows[] = {
    STAT_COUNT(struct stage_stats, requests, "requests", "requests that were answered"),
    STAT_COUNT(struct stage_stats, injection_cycles, "cycles", "in the SM's injection port"),
    STAT_COUNT(struct stage_stats, request_network_cycles, "cycles", "in the request network, to the slice's queue"),
    STAT_COUNT(struct stage_stats, slice_queue_cycles, "cycles", "in the slice's input queue"),
    STAT_COUNT(struct stage_stats, pipeline_cycles, "cycles", "in the slice's pipeline, to the look-up"),
    STAT_COUNT(struct stage_stats, memory_cycles, "cycles",
	       "from the look-up until the reply is sent: data port, memory, stalls"),
    STAT_COUNT(struct stage_stats, reply_queue_cycles, "cycles", "in the slice's port into the reply network"),
    STAT_COUNT(struct stage_stats, reply_network_cycles, "cycles",
	       "in the reply network, until the SM takes the reply"),
    STAT_END,
};

#define RESPONSE(type, of, field, help) STAT_NAMED(type, of field, #field, "responses", help)
#define RESPONSES(type, of)                                                                                            \
	RESPONSE(type, of, local_llc, "found in the LLC of the SM's chip, or on their way to it from memory"),         \
	    RESPONSE(type, of, remote_llc, "the same in another chip's LLC"),                                          \
	    RESPONSE(type, of, local_memory, "that asked the memory of the SM's chip"),                                \
	    RESPONSE(type, of, remote_memory, "that asked another chip's memory")

#define LINE_CYCLES(type, of)                                                                                          \
	STAT_NAMED(type, of local, "local_line_cycles", "line cycles",                                                 \
		   "lines of the own chip's memory that slices had a place for, times the cycles"),                    \
	    STAT_NAMED(type, of remote, "remote_line_cycles", "line cycles", "the same of other chips' memory")

const struct stat_row responses_stat_rows[] = {
    RESPONSES(struct response_stats, ),
    STAT_END,
};

const struct stat_row contents_stat_rows[] = {
    LINE_CYCLES(struct contents_stats, ),
    STAT_END,
};

const struct stat_row chip_stat_rows[] = {
    RESPONSES(struct chip_stats, responses.),
    LINE_CYCLES(struct chip_stats, contents.),
    STAT_END,
};
