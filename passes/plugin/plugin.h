/* Between LLVM's plugin interface and pass_mark_module. */
#ifndef ROMARK_PASSES_PLUGIN_H
#define ROMARK_PASSES_PLUGIN_H

#include <llvm-c/Types.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Marks `module` if it is device code, and returns whether it changed. `parameters`:
 * "alias=strict;load=nc;relocatable=yes;report=FILE", each part optional; the plugin's settings (settings/settings.def)
 * give the others. The default level is strict: no launch checks guards here, so no mark may need them. A wrong
 * parameter ends the process.
 */
int plugin_run(LLVMModuleRef module, const char *parameters);

/* True if `module` is device code. */
bool plugin_concerns(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
