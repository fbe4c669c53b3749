/* LLC slices send requests to memory controllers, and get the data of reads back. */
#ifndef ROMARK_SIM_DRAM_REQUEST_H
#define ROMARK_SIM_DRAM_REQUEST_H

#include "sim-backend/base/port.h"

/*
 * With hardware coherence (chips/directory.h) slices and directories also send notes to each other. A slice claims a
 * line that it has written. A directory makes a slice give up a copy (INVALIDATE), send the written data and give up
 * the copy (RECALL), or only send the written data (DOWNGRADE). The slice answers the last two.
 */
enum dram_note {
	NOTE_NONE,
	NOTE_CLAIM,
	NOTE_ANSWER,
	NOTE_INVALIDATE,
	NOTE_RECALL,
	NOTE_DOWNGRADE,
	NOTE_FROM_SLICE, /* data that a slice of the line's chip had; only without directories (llc/slice_asked.c) */
};

/* Up to a line in one row. The data of a read comes back as the same struct. */
struct dram_request {
	uint64_t line; /* its address */
	uint32_t row;
	uint32_t versions;      /* what travels, when versions are followed (versions.h) */
	uint16_t structure;     /* to charge */
	uint16_t mshr;          /* of the slice that asked; comes back with the data */
	uint8_t channel, slice; /* within the memory controller; slices from its last on are links */
	uint8_t bank;
	uint8_t bursts : 7;
	uint8_t write : 1;
	/* A slice of another chip that asks past the slices here: the chip, and the slice within its controller. */
	uint8_t chip : 2, far_slice : 6;
	uint8_t sectors; /* of the line, that a read brings */
	uint8_t note;    /* enum dram_note; with a note, only the write of an answer goes to memory */
};

_Static_assert(sizeof(struct dram_request) == 32, "kept small: channels copy it");

struct dram_port {
	PORT(struct dram_request);
};

#endif
