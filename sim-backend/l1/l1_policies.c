/* The L1 policies that --l1 accepts. */
#include "sim-backend/l1/l1_policy.h"

extern const struct l1_policy_ops l1_lru, l1_srrip, l1_brrip, l1_drrip, l1_pdp3, l1_pdp8, l1_spdp, l1_gcache,
    l1_gcache_ro, l1_elastic32, l1_elastic64, l1_dycache;

const struct l1_policy_ops *const l1_policy_table[] = {
    &l1_lru,    &l1_srrip,     &l1_brrip,     &l1_drrip,     &l1_pdp3,    &l1_pdp8, &l1_spdp,
    &l1_gcache, &l1_gcache_ro, &l1_elastic32, &l1_elastic64, &l1_dycache, NULL,
};
