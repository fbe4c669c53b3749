/*
 * The account of issue slots: what each scheduler did with each cycle. It adds up to schedulers x SM cycles exactly.
 *
 *   In a cycle with ready warps the scheduler issues one of them; or all wait for units (UNIT), or some wait for the
 *   LSU (LSU). Inactive warps of two_level are not ready. Cycles without a ready warp are charged to the reason of the
 *   next warp that becomes ready. Its wait covers all of these cycles, and its end lets the scheduler go on. Of several
 *   such warps, the warp with the lowest number counts; of several registers that it waited for, the register that came
 *   last. Before a warp that was just placed, the first of the scheduler's other warps counts; without other warps,
 *   NO_WARP.
 *
 * So a cycle without a ready warp needs no work, and cycles in which an SM is not ticked are not lost. sm_settle
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
