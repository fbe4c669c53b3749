// A relaxed atomic load from a restrict pointer: Clang 19 cannot generate code for it by itself.
#include "prelude.h"

// PTX ro 0 ld.global.ro
// PTX nc 0 ld.global.nc
// SAME
// EXPECT guarded relaxed: p0=read-only:0/1 p1=write-only:0/0
KERNEL relaxed(const int *__restrict__ a, int *__restrict__ b) { b[0] = __atomic_load_n(a, __ATOMIC_RELAXED); }
