/* From accesses to verdicts, marks and guards; facts.c goes through the kernels. */
#ifndef ROMARK_PASSES_JUDGE_H
#define ROMARK_PASSES_JUDGE_H

#include "passes/readonly/facts.h"

/* The verdicts on what the kernel's accesses reach, and which marks they allow. */
void judge_kernel(struct facts *facts, struct ir_kernel *k);
/* The marks that all kernels allow, counted for each, and the guards that they rest on. */
void judge_loads(struct facts *facts);
/* What the mark of a load rests on, as far as this kernel goes. */
enum proof access_proof(const struct ir_kernel *k, const struct ir_access *a);
/* Whether kernels that are not seen here may call the function. */
bool reached_from_elsewhere(const struct facts *facts, const struct function_code *f);

#endif
