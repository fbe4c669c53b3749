/* Between LLVM's plugin interface and pass_mark_module. */
#ifndef ROMARK_PASSES_PLUGIN_H
#define ROMARK_PASSES_PLUGIN_H

#include <llvm-c/Types.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Marks `module` if it is device code. `parameters`: "alias=strict;load=nc;relocatable=yes;report=FILE", each part
 * optional; what it leaves out is as the settings of the plugin say (settings/settings.def): by default strict, for no
 * launch checks what guarded marks rest on. Returns whether the module was changed. A wrong parameter ends the process.
 */
int plugin_run(LLVMModuleRef module, const char *parameters);

/* Whether `module` is device code. */
bool plugin_concerns(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
