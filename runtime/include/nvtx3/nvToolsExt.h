/* A name that programs include; romark has its contents in ../nvToolsExt.h. */
#ifndef ROMARK_NVTX3_NV_TOOLS_EXT_H
#define ROMARK_NVTX3_NV_TOOLS_EXT_H
#include "../nvToolsExt.h"
#endif
