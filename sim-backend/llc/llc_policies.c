/* The LLC policies that --llc accepts. */
#include "sim-backend/llc/llc_policy.h"

#include <string.h>

#define POLICY(ops) extern const struct llc_policy_ops ops;
#include "sim-backend/llc/llc_policies.def"
#undef POLICY

const struct llc_policy_ops *const llc_policy_table[] = {
#define POLICY(ops) &ops,
#include "sim-backend/llc/llc_policies.def"
#undef POLICY
    NULL,
};

const struct llc_policy_ops *llc_policy_find(const char *name)
{
	for (size_t i = 0; llc_policy_table[i]; i++)
		if (strcmp(llc_policy_table[i]->name, name) == 0)
			return llc_policy_table[i];
	return NULL;
}
