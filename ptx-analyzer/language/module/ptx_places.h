/* The source places of instructions, from the module's .file and .loc. */
#ifndef ROMARK_PTX_PLACES_H
#define ROMARK_PTX_PLACES_H

#include "ptx-analyzer/language/module/ptx.h"
#include "verdict/place.h"

/* All places of an instruction, the innermost first, in `arena`; none where no .loc with a known file is in force. */
struct place_chain ptx_places(const struct ptx_module *m, const struct ptx_inst *inst, struct arena *arena);

#endif
