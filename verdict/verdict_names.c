/* The names of verdicts, alias levels, marks, sharing classes and dependences: each list is only here. */
#include "verdict/verdict.h"

#include <stddef.h>

const char *const verdict_names[VERDICTS + 1] = {
    [VERDICT_UNUSED] = "unused",
    [VERDICT_READ_ONLY] = "read-only",
    [VERDICT_WRITE_ONLY] = "write-only",
    [VERDICT_READ_WRITE] = "read-write",
};

const char *const alias_level_names[ALIAS_LEVELS + 1] = {
    [ALIAS_GUARDED] = "guarded",
    [ALIAS_STRICT] = "strict",
    [ALIAS_DISTINCT] = "distinct",
};

const char *const load_mark_names[LOAD_MARKS + 1] = {
    [LOAD_RO] = "ro",
    [LOAD_NC] = "nc",
    [LOAD_KEEP] = "keep",
};

static const char *const sharing_names[SHARINGS] = {
    [SHARING_UNKNOWN] = "unknown", [SHARING_GRID] = "grid",         [SHARING_CTA] = "cta",
    [SHARING_THREAD] = "thread",   [SHARING_INDIRECT] = "indirect",
};

const char *verdict_name(enum verdict v)
{
	return verdict_names[v];
}

const char *alias_level_name(enum alias_level level)
{
	return alias_level_names[level];
}

const char *sharing_name(enum sharing s)
{
	return sharing_names[s];
}

const char *dependence_name(unsigned bit)
{
	switch (bit) {
	case DEPENDS_TID_X: return "tid.x";
	case DEPENDS_TID_Y: return "tid.y";
	case DEPENDS_TID_Z: return "tid.z";
	case DEPENDS_CTAID_X: return "ctaid.x";
	case DEPENDS_CTAID_Y: return "ctaid.y";
	case DEPENDS_CTAID_Z: return "ctaid.z";
	default: return "memory";
	}
}
