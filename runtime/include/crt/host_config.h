/* A name that programs include; romark has its contents in ../host_config.h. */
#ifndef ROMARK_CRT_HOST_CONFIG_H
#define ROMARK_CRT_HOST_CONFIG_H
#include "../host_config.h"
#endif
