/* Names of classes, spaces, verdicts and kinds of marks as reports print them. */
#include "trace/trace.h"

static const char *const class_names[TRACE_CLASS_COUNT] = {
    [TRACE_INT] = "int",         [TRACE_FP32] = "fp32",       [TRACE_FP64] = "fp64",
    [TRACE_FP16] = "fp16",       [TRACE_SFU] = "sfu",         [TRACE_TENSOR] = "tensor",
    [TRACE_MOVE] = "move",       [TRACE_CONVERT] = "convert", [TRACE_LOAD] = "load",
    [TRACE_STORE] = "store",     [TRACE_ATOMIC] = "atomic",   [TRACE_ASYNC_COPY] = "async copy",
    [TRACE_TEXTURE] = "texture", [TRACE_BARRIER] = "barrier", [TRACE_FENCE] = "fence",
    [TRACE_BRANCH] = "branch",   [TRACE_CALL] = "call",       [TRACE_EXIT] = "exit",
    [TRACE_WARP] = "warp",       [TRACE_OTHER] = "other",
};

static const char *const space_names[TRACE_SPACE_COUNT] = {
    [TRACE_SPACE_NONE] = "none", [TRACE_GLOBAL] = "global", [TRACE_SHARED] = "shared",
    [TRACE_LOCAL] = "local",     [TRACE_CONST] = "const",   [TRACE_PARAM] = "param",
};

/* The names of verdict/verdict_names.c, which this folder may not include. */
static const char *const verdict_names[TRACE_VERDICT_COUNT] = {
    [TRACE_UNUSED] = "unused",
    [TRACE_IS_READ_ONLY] = "read-only",
    [TRACE_IS_WRITE_ONLY] = "write-only",
    [TRACE_IS_READ_WRITE] = "read-write",
};

/* The levels have the names of verdict/verdict_names.c, too. */
static const char *const marks_names[TRACE_MARKS_COUNT] = {
    [TRACE_MARKS_UNKNOWN] = "unknown", [TRACE_MARKS_OWN] = "own",           [TRACE_MARKS_STRICT] = "strict",
    [TRACE_MARKS_GUARDED] = "guarded", [TRACE_MARKS_DISTINCT] = "distinct", [TRACE_MARKS_OBSERVED] = "observed",
    [TRACE_MARKS_CHECKED] = "checked",
};

const char *trace_class_name(enum trace_class cls)
{
	return (unsigned)cls < TRACE_CLASS_COUNT ? class_names[cls] : "?";
}

const char *trace_space_name(enum trace_space space)
{
	return (unsigned)space < TRACE_SPACE_COUNT ? space_names[space] : "?";
}

const char *trace_verdict_name(enum trace_verdict verdict)
{
	return (unsigned)verdict < TRACE_VERDICT_COUNT ? verdict_names[verdict] : "?";
}

const char *trace_marks_name(enum trace_marks marks)
{
	return (unsigned)marks < TRACE_MARKS_COUNT ? marks_names[marks] : "?";
}

static bool is_guarded(const char *name)
{
	return name == marks_names[TRACE_MARKS_GUARDED] || name == marks_names[TRACE_MARKS_CHECKED];
}

void trace_marks_add(const char **known, enum trace_marks marks)
{
	const char *name = trace_marks_name(marks);

	if (!*known)
		*known = name;
	else if (*known != name)
		*known = is_guarded(*known) && is_guarded(name) ? marks_names[TRACE_MARKS_CHECKED] : "mixed";
}
