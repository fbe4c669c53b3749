/*
 * The results of control flow and data flow for a module, as text for people: a line for each fact, in the order of the
 * text.
 *
 *   dump_cfg(f, &text);           // a function whose blocks are built
 *   dump_origins(flow, &text);    // a function whose origins are known
 */
#ifndef ROMARK_PTX_FLOW_DUMP_H
#define ROMARK_PTX_FLOW_DUMP_H

#include "common/strbuf.h"
#include "ptx-analyzer/flow/flow.h"

/* ".entry saxpy, line 5", without line end. */
void dump_function_name(const struct ptx_function *f, struct strbuf *out);
/* "      12  ld.global.f32 %f1, [%rd4];", without line end. */
void dump_inst(const struct ptx_function *f, uint32_t inst, struct strbuf *out);

/*
 * Blocks with their edges, dominators, post-dominators, and where lanes that part at the end of a block meet again.
 * Requires ptx_build_cfg.
 */
void dump_cfg(const struct ptx_function *f, struct strbuf *out);

/* "{p0, *p1}": the roots of a set, in the words of docs/looking-inside.md. */
void dump_roots(const struct flow *fl, set_id set, struct strbuf *out);
/* The dependences of a number, as "tid.x ctaid.x"; "nothing" if there are none. */
void dump_dependences(uint64_t deps, struct strbuf *out);
/* Each access of the function and the origins of its address, then what each call binds. */
void dump_origins(const struct flow *fl, struct strbuf *out);

#endif
