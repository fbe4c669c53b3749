/* Addresses and instructions in words, for faults and reports. Each function adds to `out`. */
#ifndef ROMARK_CPU_FAULT_WORDS_H
#define ROMARK_CPU_FAULT_WORDS_H

#include "common/strbuf.h"
#include "runtime/cpu/engine/engine.h"

/* " 0x40 of shared memory, which has 64 bytes,", " 0x200000000800, 0 bytes behind the end of cudaMalloc#2 (...)" */
void describe_address(const struct launch *launch, const struct fault *f, struct strbuf *out);
/* " (file.cu:9)" or " (file.cu:9, inlined from header.h:3)", where the module has that. */
void describe_source(const struct ptx_module *m, const struct ptx_inst *inst, struct strbuf *out);
/* "'st.global.u32 [%rd1], %r2' in 'f' (file.cu:9)"; the function only where it is not `kernel` itself. */
void describe_place(struct fault_place place, const struct ptx_function *kernel, struct strbuf *out);

#endif
