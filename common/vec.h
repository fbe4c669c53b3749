/*
 * Growable array of any type.
 *
 *   VEC(int) v = VEC_INIT;
 *   vec_push(&v, 3);
 *   for (size_t i = 0; i < v.len; i++) use(v.data[i]);
 *   vec_release(&v);
 *
 * Pointers into `data` end at the next push.
 */
#ifndef ROMARK_COMMON_VEC_H
#define ROMARK_COMMON_VEC_H

#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

#define VEC(type)                                                                                                      \
	struct {                                                                                                       \
		type *data;                                                                                            \
		size_t len, cap;                                                                                       \
	}
#define VEC_INIT {NULL, 0, 0}

#define vec_reserve(v, wanted)                                                                                         \
	do {                                                                                                           \
		size_t vec_wanted_ = (wanted);                                                                         \
		if ((v)->cap < vec_wanted_) {                                                                          \
			size_t vec_cap_ = (v)->cap ? (v)->cap * 2 : 8;                                                 \
			(v)->cap = vec_cap_ < vec_wanted_ ? vec_wanted_ : vec_cap_;                                    \
			(v)->data = xrealloc((v)->data, (v)->cap * sizeof(*(v)->data));                                \
		}                                                                                                      \
	} while (0)

#define vec_push(v, ...)                                                                                               \
	do {                                                                                                           \
		vec_reserve((v), (v)->len + 1);                                                                        \
		(v)->data[(v)->len++] = (__VA_ARGS__);                                                                 \
	} while (0)

/* One more element, zeroed; evaluates to nothing: read it as (v)->data[(v)->len - 1]. */
#define vec_grow(v)                                                                                                    \
	do {                                                                                                           \
		vec_reserve((v), (v)->len + 1);                                                                        \
		memset(&(v)->data[(v)->len++], 0, sizeof(*(v)->data));                                                 \
	} while (0)

#define vec_pop(v) ((v)->data[--(v)->len])
#define vec_last(v) ((v)->data[(v)->len - 1])

#define vec_release(v)                                                                                                 \
	do {                                                                                                           \
		xfree((v)->data);                                                                                      \
		(v)->data = NULL;                                                                                      \
		(v)->len = (v)->cap = 0;                                                                               \
	} while (0)

#endif
