/*
 * The account of issue slots: what each scheduler did with each cycle. It adds up to schedulers x SM cycles exactly.
 *
 *   In a cycle with ready warps one is issued; or all wait for units (UNIT), or at least one for the LSU (LSU). Warps
 *   that the scheduler does not look at (two_level) are not ready.
 *   Cycles without a ready warp are charged to what the next warp that is ready had waited for. Its wait covers all of
 *   them, and its end lets the scheduler go on. Of several such warps the one with the lowest number counts, and of
 *   several registers that it waited for the one that came last.
 *   In front of a warp that was just placed, the first of the scheduler's other warps counts; without one, NO_WARP.
 *
 * So nothing is done in a cycle without a ready warp, and cycles in which an SM is not ticked are not lost. sm_settle
 * charges the last ones.
 */
#ifndef ROMARK_SIM_ISSUE_SLOTS_H
#define ROMARK_SIM_ISSUE_SLOTS_H

/* clang-format off */
enum issue_slot {
#define SLOT(name, counter, word, help) SLOT_##name,
#include "sim-backend/sm/issue_slots.def"
#undef SLOT
	SLOT_COUNT
};
/* clang-format on */

#endif
