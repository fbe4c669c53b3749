/* A name that programs include; romark has its contents in host_defines.h. */
#ifndef ROMARK_HOST_CONFIG_H
#define ROMARK_HOST_CONFIG_H
#include "host_defines.h"
#endif
