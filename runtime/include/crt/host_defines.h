/* A name that programs include; romark has its contents in ../host_defines.h. */
#ifndef ROMARK_CRT_HOST_DEFINES_H
#define ROMARK_CRT_HOST_DEFINES_H
#include "../host_defines.h"
#endif
