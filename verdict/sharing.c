/*
 * Sharing classes: who computes the same addresses, from what the addresses depend on.
 *
 * indirect  the address depends on a loaded value
 * grid      CTAs share the addresses: they depend on no CTA index, or leave out a dimension of the grid that the
 *           kernel uses (the rows of `a` in c = a * b depend on ctaid.y alone, so all CTAs of a row share them)
 * cta       they depend on every CTA index that the kernel uses, and not on the thread
 * thread    they depend on the thread, and no other CTA shares them
 *
 * A kernel that reads no CTA index at all is taken as one CTA: what depends on the thread is the thread's.
 */
#include "ptx-analyzer/readonly/kernel.h"

enum ptx_sharing sharing_class(uint64_t deps, uint64_t reads)
{
	uint64_t ctas = deps & DEP_CTAID_ALL, used = reads & DEP_CTAID_ALL;

	if (deps & DEP_MEMORY)
		return PTX_SHARING_INDIRECT;
	if (!ctas && !(deps & DEP_TID_ALL))
		return PTX_SHARING_GRID;
	if (ctas != used)
		return PTX_SHARING_GRID;
	return deps & DEP_TID_ALL ? PTX_SHARING_THREAD : PTX_SHARING_CTA;
}
