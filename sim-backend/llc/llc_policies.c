/* The list of LLC policies. */
#include "sim-backend/llc/llc_policy.h"

#include <string.h>

extern const struct llc_policy_ops llc_shared, llc_private, llc_degree2, llc_degree4, llc_degree8, llc_degree16,
    llc_adaptive, llc_selrep, llc_selrep_structures, llc_policy_memory_side, llc_policy_sm_side, llc_sac, llc_static,
    llc_dynamic, llc_memory_side_ro, llc_sac_ro;

const struct llc_policy_ops *const llc_policies[] = {
    &llc_shared,         &llc_private,  &llc_degree2, &llc_degree4,           &llc_degree8,
    &llc_degree16,       &llc_adaptive, &llc_selrep,  &llc_selrep_structures, &llc_policy_memory_side,
    &llc_policy_sm_side, &llc_sac,      &llc_static,  &llc_dynamic,           &llc_memory_side_ro,
    &llc_sac_ro,         NULL,
};

const struct llc_policy_ops *llc_policy_find(const char *name)
{
	for (size_t i = 0; llc_policies[i]; i++)
		if (!strcmp(llc_policies[i]->name, name))
			return llc_policies[i];
	return NULL;
}
