/* The rows of what requests are charged with. */
#include "sim-backend/memory/charges.h"

const struct stat_row stages_stat_rows[] = {
#define STAT(...) STAT_ROW(struct stage_stats, __VA_ARGS__)
#include "sim-backend/memory/stage_stats.def"
    STAT_END,
};

#define LINE_CYCLES(type, of)                                                                                          \
	STAT_NAMED(type, of local, "local_line_cycles", "line cycles",                                                 \
		   "lines of the own chip's memory that slices had a place for, times the cycles"),                    \
	    STAT_NAMED(type, of remote, "remote_line_cycles", "line cycles", "the same of other chips' memory")

const struct stat_row responses_stat_rows[] = {
#define STAT(...) STAT_ROW(struct response_stats, __VA_ARGS__)
#include "sim-backend/memory/response_stats.def"
    STAT_END,
};

const struct stat_row contents_stat_rows[] = {
    LINE_CYCLES(struct contents_stats, ),
    STAT_END,
};

const struct stat_row chip_stat_rows[] = {
#define STAT(kind, field, unit, help) STAT_NAMED(struct chip_stats, responses.field, #field, unit, help),
#include "sim-backend/memory/response_stats.def"
    LINE_CYCLES(struct chip_stats, contents.),
    STAT_END,
};
