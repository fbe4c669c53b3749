/* The same numbers from two headers: layouts.c is compiled once with each. */
#ifndef ROMARK_TESTS_LAYOUTS_H
#define ROMARK_TESTS_LAYOUTS_H

#include <stddef.h>

#ifdef FROM_TOOLKIT
#define LAYOUTS toolkit_layouts
#define LAYOUTS_COUNT toolkit_layouts_count
#else
#define LAYOUTS own_layouts
#define LAYOUTS_COUNT own_layouts_count
#endif

extern const size_t own_layouts[], own_layouts_count, toolkit_layouts[], toolkit_layouts_count;

#endif
