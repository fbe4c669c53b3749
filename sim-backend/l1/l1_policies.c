/* The L1 policies that --l1 accepts. */
#include "sim-backend/l1/l1_policy.h"

#include <string.h>

#define POLICY(ops) extern const struct l1_policy_ops ops;
#include "sim-backend/l1/l1_policies.def"
#undef POLICY

const struct l1_policy_ops *const l1_policy_table[] = {
#define POLICY(ops) &ops,
#include "sim-backend/l1/l1_policies.def"
#undef POLICY
    NULL,
};

const struct l1_policy_ops *l1_policy_find(const char *name)
{
	for (size_t i = 0; l1_policy_table[i]; i++)
		if (strcmp(l1_policy_table[i]->name, name) == 0)
			return l1_policy_table[i];
	return NULL;
}
