/*
 * Sharing classes: who computes the same addresses, from what the addresses depend on.
 *
 * indirect  the address depends on a loaded value
 * grid      CTAs share the addresses: they depend on no CTA index, or leave out a dimension of the grid that the
 *           kernel uses (the rows of `a` in c = a * b depend on ctaid.y alone, so all CTAs of a row share them)
 * cta       they depend on every CTA index that the kernel uses, and not on the thread
 * thread    they depend on the thread, and no other CTA shares them
 *
 * A kernel that reads no CTA index counts as a single CTA: addresses that depend on the thread are class `thread`.
 */
#include "verdict/verdict.h"

enum sharing sharing_class(unsigned depends, unsigned reads)
{
	unsigned ctas = depends & DEPENDS_CTAID, used = reads & DEPENDS_CTAID;

	if (depends & DEPENDS_MEMORY)
		return SHARING_INDIRECT;
	if (!ctas && !(depends & DEPENDS_TID))
		return SHARING_GRID;
	if (ctas != used)
		return SHARING_GRID;
	return depends & DEPENDS_TID ? SHARING_THREAD : SHARING_CTA;
}
