/*
 * The control-flow graph of a function: its blocks, their edges, and where lanes that part meet again.
 *
 *   ptx_build_cfg(f, &diag);   // fills f->blocks
 */
#ifndef ROMARK_PTX_CFG_H
#define ROMARK_PTX_CFG_H

#include "ptx-analyzer/language/module/ptx.h"

/* Blocks, edges, reverse post-order and immediate post-dominators; does nothing when done already. 0 or DIAG_ERROR. */
int ptx_build_cfg(struct ptx_function *f, struct diag *d);

#endif
