/*
 * Whether it pays to keep the lines of a structure with read-only marks. The prediction is made from the hits and
 * losses of the structure's earlier lines. A mark carries the structure's number, which picks an entry of a small
 * table. An entry counts over a fixed number of lines and then begins anew.
 *
 *   ro_reuse_line   a line of the structure came; `lost`: the L1 had it before
 *   ro_reuse_hit    a load found one
 *   ro_reuse_of     what is known now
 */
#ifndef ROMARK_SIM_RO_REUSE_H
#define ROMARK_SIM_RO_REUSE_H

#include <stdbool.h>
#include <stdint.h>

enum reuse {
	REUSE_OPEN,     /* not known yet, or neither of the others */
	REUSE_STREAMED, /* hardly a line is used again, be it here or after it was lost */
	REUSE_KEPT      /* lines that stay are used again */
};

struct ro_reuse_knobs {
	uint32_t entries;
	uint32_t period;           /* lines */
	uint32_t streamed, reused; /* % of the lines */
};

struct ro_entry {
	uint32_t lines, hits, lost; /* of this period */
	uint8_t reuse;              /* enum reuse, by the period before */
};

struct ro_reuse {
	const struct ro_reuse_knobs *knobs;
	struct ro_entry *entries;
};

void ro_reuse_init(struct ro_reuse *r, const struct ro_reuse_knobs *knobs);
void ro_reuse_clear(struct ro_reuse *r);
void ro_reuse_line(struct ro_reuse *r, uint32_t structure, bool lost);
void ro_reuse_hit(struct ro_reuse *r, uint32_t structure);
enum reuse ro_reuse_of(const struct ro_reuse *r, uint32_t structure);
/* Bits of the table. */
uint64_t ro_reuse_bits(const struct ro_reuse_knobs *knobs);

#endif
