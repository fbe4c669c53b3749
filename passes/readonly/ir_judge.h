/* From accesses to verdicts, marks and guards; facts.c goes through the kernels. */
#ifndef ROMARK_PASSES_IR_JUDGE_H
#define ROMARK_PASSES_IR_JUDGE_H

#include "passes/readonly/facts.h"

/* The verdicts on what the kernel's accesses reach, and which marks they allow. */
void judge_kernel(struct facts *facts, struct ir_kernel *k);
/* The marks that all kernels allow, counted for each, and the guards that they rest on. */
void judge_loads(struct facts *facts);
/* The grounds of a load's mark, as far as this kernel is concerned. */
enum proof access_proof(const struct ir_kernel *k, const struct ir_access *a);
/* True if kernels that are not visible here may call the function. */
bool reached_from_elsewhere(const struct facts *facts, const struct function_code *f);

#endif
