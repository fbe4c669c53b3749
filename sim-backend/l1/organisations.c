/* The organisations that `l1.organisation` accepts. */
#include "sim-backend/l1/organisation.h"

#define ORGANISATION(name, ops) extern const struct l1_organisation_ops ops;
#include "sim-backend/l1/organisations.def"
#undef ORGANISATION

const struct l1_organisation_ops *const l1_organisation_table[] = {
#define ORGANISATION(name, ops) &ops,
#include "sim-backend/l1/organisations.def"
#undef ORGANISATION
    NULL,
};
