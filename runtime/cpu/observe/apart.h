/*
 * What turned out apart in one launch: of which data structures no byte that their loads read was written, before or
 * after, by anything in the launch. It looks at every byte, so it holds for that launch and says nothing of others.
 *
 *   apart_begin(a, launch, facts);                       (a traced launch begins)
 *   note_apart(w, in, mask);                             (an instruction that apart_concerns is about to run)
 *   apart_end(a);                                        (then a->rows and a->structures)
 */
#ifndef ROMARK_CPU_APART_H
#define ROMARK_CPU_APART_H

#include "runtime/cpu/engine/engine.h"

struct kernel_facts;

struct apart *apart_new(void);
void apart_free(struct apart *a);
/* A plain load of global memory or a fetch, which may carry a mark; or it may write global memory. */
bool apart_concerns(const struct inst *in);
/* `facts` may be NULL. */
void apart_begin(struct apart *a, const struct launch *launch, const struct kernel_facts *facts);
/* Records what a launch's instruction touches: the launch itself, or one that runs inside it, whose writes count. */
int note_apart(struct warp *w, const struct inst *in, uint32_t mask);
/* Device memory is written otherwise than by an instruction's operand. */
void apart_note_written(struct apart *a, uint64_t address, uint64_t bytes);
void apart_end(struct apart *a);
/* After apart_end, until the next apart_begin. A bit for each row of the program: its loads may be marked. */
const uint8_t *apart_rows(const struct apart *a);
/* Structure `index` is loaded by instructions that may carry marks, and is apart. */
bool apart_structure(const struct apart *a, uint32_t index);

#endif
