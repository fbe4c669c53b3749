/* A name that programs include; romark has its contents in host_defines.h. */
#ifndef ROMARK_DEVICE_TYPES_H
#define ROMARK_DEVICE_TYPES_H
#include "host_defines.h"
#endif
