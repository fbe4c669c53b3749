/*
 * Ranges of single kernels: what must come out exactly, and what must not be claimed because numbers go round, loops
 * jump over their bound, or somebody else has a say. Truth is counted by hand, in bytes from the pointer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/diag.h"
#include "common/strbuf.h"
#include "ptx-analyzer/language/text/ptx_text.h"
#include "ptx-analyzer/ranges/ranges.h"

#include <stdio.h>
#include <string.h>

enum { GRID = 4, BLOCK = 64 };
#define BASE UINT64_C(0x7f0000000000)

enum expected {
	IS,    /* exactly from first to last */
	HOLDS, /* not known, or with all from first to last */
	NEVER,
	UNKNOWN,
};

/*
 * %rd0 is the pointer, %r0 n, %r1 m, %r2 the thread in the grid (0 to 255), %r3 the thread in the CTA. The last access
 * of global memory counts.
 */
static const struct trap {
	const char *name, *body;
	int64_t n, m;
	enum expected expected;
	int64_t first, last;
} traps[] = {
    {"thread", "mul.wide.s32 %rd1, %r2, 4; add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];", 0, 0, IS, 0, 1023},
    {"below n",
     "setp.ge.s32 %p0, %r2, %r0; @%p0 bra END; mul.wide.s32 %rd1, %r2, 4; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.f32 %f0, [%rd1]; END:",
     10, 0, IS, 0, 39},
    {"below n, guarded",
     "setp.lt.s32 %p0, %r2, %r0; mul.wide.s32 %rd1, %r2, 4; add.s64 %rd1, %rd1, %rd0;\n"
     "@%p0 st.global.f32 [%rd1+-4], %f0;",
     10, 0, IS, -4, 35},
    {"nobody", "setp.ge.s32 %p0, %r2, %r0; @%p0 bra END; st.global.f32 [%rd0], %f0; END:", 0, 0, NEVER, 0, 0},
    {"early return",
     "setp.ge.u32 %p0, %r2, %r0; @%p0 ret; mul.wide.u32 %rd1, %r2, 8; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.f64 %fd0, [%rd1];",
     7, 0, IS, 0, 55},
    {"grid stride",
     "mov.u32 %r4, %r2; L: setp.ge.s32 %p0, %r4, %r0; @%p0 bra END; mul.wide.s32 %rd1, %r4, 4;\n"
     "add.s64 %rd1, %rd1, %rd0; st.global.f32 [%rd1], %f0; add.s32 %r4, %r4, 256; bra L; END:",
     1000, 0, IS, 0, 3999},
    {"pointer and counter",
     "mov.b64 %rd1, %rd0; mov.u32 %r4, 0; L: ld.global.f32 %f0, [%rd1]; add.s64 %rd1, %rd1, 4;\n"
     "add.s32 %r4, %r4, 1; setp.lt.s32 %p0, %r4, %r0; @%p0 bra L;",
     100, 0, IS, 0, 399},
    {"a pointer up to its end",
     "mul.wide.s32 %rd2, %r0, 4; add.s64 %rd2, %rd2, %rd0; mov.b64 %rd1, %rd0;\n"
     "L: ld.global.f32 %f0, [%rd1]; add.s64 %rd1, %rd1, 4; setp.ne.s64 %p0, %rd1, %rd2; @%p0 bra L;",
     64, 0, IS, 0, 255},
    {"down to 0",
     "mov.u32 %r4, %r0; L: add.s32 %r4, %r4, -1; mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.f32 %f0, [%rd1]; setp.gt.s32 %p0, %r4, 0; @%p0 bra L;",
     50, 0, IS, 0, 199},
    {"vector", "mul.wide.s32 %rd1, %r3, 16; add.s64 %rd1, %rd1, %rd0; ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd1];",
     0, 0, IS, 0, 1023},
    {"atomic", "mul.wide.s32 %rd1, %r3, 4; add.s64 %rd1, %rd1, %rd0; atom.global.add.u32 %r4, [%rd1+8], 1;", 0, 0, IS,
     8, 263},
    {"clamp",
     "max.s32 %r4, %r2, 3; min.s32 %r4, %r4, %r0; mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.f32 %f0, [%rd1];",
     20, 0, IS, 12, 83},
    {"remainder taken away",
     "rem.u32 %r4, %r2, %r0; sub.u32 %r4, %r2, %r4; mul.wide.u32 %rd1, %r4, 4;\n"
     "add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     10, 0, IS, 0, 1003},

    /* Numbers go round. */
    {"u < n - 1 for n of 0",
     "sub.u32 %r4, %r0, 1; setp.ge.u32 %p0, %r2, %r4; @%p0 ret; mul.wide.u32 %rd1, %r2, 4;\n"
     "add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     0, 0, HOLDS, 0, 1023},
    {"a loop to n - 1 for n of 0",
     "sub.u32 %r5, %r0, 1; mov.u32 %r4, 0; L: setp.ge.u32 %p0, %r4, %r5; @%p0 ret;\n"
     "mul.wide.u32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];\n"
     "add.u32 %r4, %r4, 1; bra L;",
     0, 0, HOLDS, 0, 0x3fffffff0},
    {"a product of 32 bits",
     "mul.lo.s32 %r4, %r2, %r0; mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.f32 %f0, [%rd1];",
     0x40000000, 0, HOLDS, -0x200000000, 0x100000003},
    {"a shifted index of 32 bits",
     "shl.b32 %r4, %r2, 24; mul.wide.s32 %rd1, %r4, 1; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.b8 %r5, [%rd1];",
     0, 0, HOLDS, -0x80000000LL, 0x7f000000},
    {"a negative index as unsigned",
     "sub.s32 %r4, %r2, 1; mul.wide.u32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.f32 %f0, [%rd1];",
     0, 0, HOLDS, 0, 0x3ffffffff},
    {"an offset beyond 2^63",
     "mul.wide.s32 %rd1, %r3, 4; mov.b64 %rd2, -1024; add.s64 %rd1, %rd1, %rd2;\n"
     "add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     0, 0, IS, -1024, -769},
    {"up beyond the end",
     "mov.u32 %r4, 0x7ffffff0; L: mul.wide.s32 %rd1, %r4, 1; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.b8 %r5, [%rd1]; add.s32 %r4, %r4, 7; setp.lt.s32 %p0, %r4, %r0; @%p0 bra L;",
     0x7fffffff, 0, HOLDS, -0x7ffffffbLL, 0x7ffffff0},
    {"down below 0",
     "mov.u32 %r4, 5; L: mul.wide.u32 %rd1, %r4, 1; add.s64 %rd1, %rd1, %rd0; ld.global.b8 %r5, [%rd1];\n"
     "add.s32 %r4, %r4, -3; setp.ge.u32 %p0, %r4, 1; @%p0 bra L;",
     0, 0, HOLDS, 2, 0xffffffff},
    {"a narrow counter",
     "mov.u16 %rs0, 0; L: cvt.u32.u16 %r4, %rs0; mul.wide.u32 %rd1, %r4, 1; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.b8 %r5, [%rd1]; add.s16 %rs0, %rs0, 1; setp.lt.u32 %p0, %r4, %r0; @%p0 bra L;",
     100000, 0, HOLDS, 0, 65535},

    /* Loops. */
    {"!= jumped over",
     "mov.u32 %r4, 0; L: mul.wide.u32 %rd1, %r4, 1; add.s64 %rd1, %rd1, %rd0; ld.global.b8 %r5, [%rd1];\n"
     "add.s32 %r4, %r4, 3; setp.ne.s32 %p0, %r4, %r0; @%p0 bra L;",
     10, 0, HOLDS, 0, 0xfffffffe},
    {"!= away from the bound",
     "mov.u32 %r4, 8; L: mul.wide.s32 %rd1, %r4, 1; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.b8 %r5, [%rd1]; add.s32 %r4, %r4, 4; setp.ne.s32 %p0, %r4, %r0; @%p0 bra L;",
     4, 0, HOLDS, -0x80000000LL, 0x7ffffffc},
    {"!= with a bound that changes",
     "mov.u32 %r4, 0; mov.u32 %r5, 12; L: mul.wide.u32 %rd1, %r4, 1;\n"
     "add.s64 %rd1, %rd1, %rd0; ld.global.b8 %r6, [%rd1]; add.s32 %r4, %r4, 4;\n"
     "setp.eq.s32 %p1, %r5, 12; selp.b32 %r5, 8, 12, %p1; setp.ne.s32 %p0, %r4, %r5; @%p0 bra L;",
     0, 0, HOLDS, 0, 4096},
    {"a bound that is loaded in each round",
     "mov.u32 %r4, 0; L: mul.wide.u32 %rd1, %r4, 1; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.u32 %r5, [%rd0]; st.global.b8 [%rd1], %r6; add.s32 %r4, %r4, 1;\n"
     "setp.lt.u32 %p0, %r4, %r5; @%p0 bra L;",
     0, 0, HOLDS, 0, 0xfffffffe},
    {"a round without the test",
     "mov.u32 %r4, 0; L: mul.wide.u32 %rd1, %r4, 1; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.b8 %r5, [%rd1]; add.s32 %r4, %r4, 1; setp.eq.s32 %p1, %r5, 0; @%p1 bra M;\n"
     "setp.lt.s32 %p0, %r4, %r0; @%p0 bra L; ret; M: bra L;",
     10, 0, HOLDS, 0, 0x7fffffff},
    {"variables that bound each other",
     "mov.u32 %r4, 0; mov.u32 %r5, 10; L: setp.ge.s32 %p0, %r4, %r5; @%p0 ret;\n"
     "mul.wide.s32 %rd1, %r5, 1; add.s64 %rd1, %rd1, %rd0; ld.global.b8 %r6, [%rd1];\n"
     "add.s32 %r4, %r4, 1; add.s32 %r5, %r5, 2; bra L;",
     0, 0, HOLDS, 10, 0x7ffffffe},
    {"a test of an inner loop only",
     "mov.u32 %r4, 0; L: mov.u32 %r5, 0; M: mul.wide.s32 %rd1, %r4, 1;\n"
     "add.s64 %rd1, %rd1, %rd0; ld.global.b8 %r6, [%rd1]; add.s32 %r5, %r5, 1;\n"
     "setp.lt.s32 %p0, %r5, %r0; @%p0 bra M; add.s32 %r4, %r4, 1;\n"
     "setp.ne.s32 %p1, %r6, 0; @%p1 bra L;",
     10, 0, HOLDS, 0, 0x7fffffff},
    {"a step that grows",
     "mov.u32 %r4, 0; mov.u32 %r5, 1; L: mul.wide.s32 %rd1, %r4, 1; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.b8 %r6, [%rd1]; add.s32 %r4, %r4, %r5; shl.b32 %r5, %r5, 1;\n"
     "setp.lt.s32 %p0, %r4, %r0; @%p0 bra L;",
     100, 0, HOLDS, 0, 63},

    /* Variables that move together, and where loops end. */
    {"a pointer that goes as a counter does",
     "setp.ge.s32 %p0, %r2, %r0; @%p0 ret; mov.u32 %r4, %r2; mul.wide.s32 %rd1, %r2, 4; add.s64 %rd1, %rd1, %rd0;\n"
     "L: ld.global.f32 %f0, [%rd1]; add.s64 %rd1, %rd1, 1024; add.s32 %r4, %r4, 256; setp.lt.s32 %p0, %r4, %r0;\n"
     "@%p0 bra L;",
     1000, 0, IS, 0, 3999},
    {"the same by a stride of the launch",
     "setp.ge.s32 %p0, %r2, %r0; @%p0 ret; mov.u32 %r4, %r2; mul.wide.s32 %rd1, %r2, 4; add.s64 %rd1, %rd1, %rd0;\n"
     "mov.u32 %r5, %nctaid.x; mov.u32 %r6, %ntid.x; mul.lo.s32 %r5, %r5, %r6; mul.wide.s32 %rd2, %r5, 4;\n"
     "L: ld.global.f32 %f0, [%rd1]; add.s64 %rd1, %rd1, %rd2; add.s32 %r4, %r4, %r5; setp.lt.s32 %p0, %r4, %r0;\n"
     "@%p0 bra L;",
     1000, 0, IS, 0, 3999},
    {"a counter that goes round where its pointer does not",
     "mov.u32 %r4, %r0; mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0; add.s32 %r5, %r0, 32;\n"
     "L: ld.global.f32 %f0, [%rd1]; add.s64 %rd1, %rd1, 4; add.s32 %r4, %r4, 1; setp.ne.s32 %p0, %r4, %r5;\n"
     "@%p0 bra L;",
     0x7ffffff0, 0, IS, 0x1ffffffc0, 0x20000003f},
    {"what a loop ends with",
     "mov.u32 %r4, 0; and.b32 %r5, %r2, 3; setp.eq.s32 %p0, %r5, 0; @%p0 bra M;\n"
     "L: add.s32 %r4, %r4, 1; add.s32 %r5, %r5, -1; setp.ne.s32 %p0, %r5, 0; @%p0 bra L;\n"
     "M: sub.s32 %r4, %r2, %r4; mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     0, 0, HOLDS, 0, 4 * 252 + 3},
    {"a loop that is left by another way",
     "mov.u32 %r4, 0; and.b32 %r5, %r2, 3; setp.eq.s32 %p0, %r5, 0; @%p0 bra M;\n"
     "L: ld.volatile.global.u32 %r6, [%rd0]; setp.eq.s32 %p1, %r6, 7; @%p1 bra M;\n"
     "add.s32 %r4, %r4, 1; add.s32 %r5, %r5, -1; setp.ne.s32 %p0, %r5, 0; @%p0 bra L;\n"
     "M: sub.s32 %r4, %r2, %r4; mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     0, 0, HOLDS, 0, 4 * 255 + 3},
    {"a rest, then whole rounds",
     "mov.u32 %r4, 0; and.b32 %r5, %r2, 3; setp.eq.s32 %p0, %r5, 0; @%p0 bra M;\n"
     "L: add.s32 %r4, %r4, 1; add.s32 %r5, %r5, -1; setp.ne.s32 %p0, %r5, 0; @%p0 bra L;\n"
     "M: setp.lt.s32 %p0, %r2, 4; @%p0 bra END; mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0;\n"
     "N: ld.global.f32 %f0, [%rd1+12]; add.s64 %rd1, %rd1, 16; add.s32 %r4, %r4, 4;\n"
     "setp.lt.s32 %p0, %r4, %r2; @%p0 bra N; END:",
     0, 0, IS, 12, 4 * 254 + 3},
    {"whole rounds, counted down",
     "setp.lt.s32 %p0, %r2, 4; @%p0 ret; and.b32 %r5, %r2, 3; sub.s32 %r5, %r2, %r5; mov.b64 %rd1, %rd0;\n"
     "N: ld.global.f32 %f0, [%rd1+12]; add.s64 %rd1, %rd1, 16; add.s32 %r5, %r5, -4;\n"
     "setp.ne.s32 %p0, %r5, 0; @%p0 bra N;",
     0, 0, IS, 12, 4 * 251 + 3},
    {"what is left of another mask",
     "and.b32 %r5, %r2, 5; sub.s32 %r5, %r2, %r5; mul.wide.s32 %rd1, %r5, 4; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.f32 %f0, [%rd1];",
     0, 0, HOLDS, 0, 4 * 250 + 3},
    {"whole rounds whose rest is another one",
     "and.b32 %r4, %r2, 5; setp.ge.s32 %p0, %r4, %r2; @%p0 ret;\n"
     "N: mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1]; add.s32 %r4, %r4, 4;\n"
     "setp.lt.s32 %p0, %r4, %r2; @%p0 bra N;",
     0, 0, HOLDS, 0, 4 * 253 + 3},
    {"a test of the lower half",
     "setp.ge.s32 %p0, %r3, %r0; @%p0 ret; cvt.u64.u32 %rd2, %r3;\n"
     "L: shl.b64 %rd1, %rd2, 2; add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1]; add.s64 %rd2, %rd2, 64;\n"
     "cvt.u32.u64 %r4, %rd2; setp.lt.s32 %p0, %r4, %r0; @%p0 bra L;",
     1000, 0, IS, 0, 3999 + 24 * 4},
    {"a test of the lower half, where the upper half moves",
     "mov.b64 %rd2, 0; mov.b64 %rd3, 0x100000001;\n"
     "L: add.s64 %rd1, %rd2, %rd0; ld.global.b8 %r5, [%rd1]; add.s64 %rd2, %rd2, %rd3;\n"
     "cvt.u32.u64 %r4, %rd2; setp.lt.u32 %p0, %r4, %r0; @%p0 bra L;",
     100, 0, HOLDS, 0, 99 * 0x100000001},
    {"the larger of two is below n",
     "add.s32 %r4, %r2, 1; max.s32 %r5, %r4, %r3; setp.ge.s32 %p0, %r5, %r0; @%p0 ret;\n"
     "mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     10, 0, IS, 4, 39},
    {"the smaller of two is below n",
     "add.s32 %r4, %r2, 1; min.s32 %r5, %r4, %r3; setp.ge.s32 %p0, %r5, %r0; @%p0 ret;\n"
     "mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     10, 0, HOLDS, 4, 4 * 202 + 3},
    {"the larger of n and what is less",
     "setp.ge.s32 %p0, %r2, %r0; @%p0 ret; add.s32 %r4, %r2, 1; max.s32 %r4, %r0, %r4;\n"
     "mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     10, 0, IS, 40, 43},
    {"the larger of n and one more than n",
     "setp.gt.s32 %p0, %r2, %r0; @%p0 ret; add.s32 %r4, %r2, 1; max.s32 %r4, %r0, %r4;\n"
     "mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     10, 0, IS, 40, 47},
    {"the larger by another order",
     "setp.ge.u32 %p0, %r0, %r2; @%p0 ret; max.s32 %r4, %r0, %r2;\n"
     "mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     -2, 0, NEVER, 0, 0},
    {"a difference that may be 0",
     "setp.lt.s32 %p0, %r2, %r0; @%p0 ret; sub.s32 %r4, %r2, %r0; mul.wide.s32 %rd1, %r4, 4;\n"
     "add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     10, 0, IS, 0, 983},
    {"a difference that is not 0",
     "setp.le.s32 %p0, %r2, %r3; @%p0 ret; sub.s32 %r4, %r2, %r3; mul.wide.s32 %rd1, %r4, 4;\n"
     "add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     0, 0, IS, 4, 1023},
    {"a difference that is less than 0",
     "setp.ge.u32 %p0, %r3, %r2; @%p0 ret; sub.s32 %r4, %r3, %r2; mul.wide.s32 %rd1, %r4, 4;\n"
     "add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     0, 0, IS, -1020, -1},

    /* Who has a say. */
    {"a loaded index",
     "ld.global.s32 %r4, [%rd0]; mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.f32 %f0, [%rd1];",
     0, 0, HOLDS, -0x200000000LL, 0x1ffffffff},
    {"what a call returns",
     "call (%r4), f, (%r2); mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.f32 %f0, [%rd1];",
     0, 0, HOLDS, -0x200000000LL, 0x1ffffffff},
    {"a shared address", "mov.u64 %rd1, tile; cvta.shared.u64 %rd2, %rd1; ld.f32 %f0, [%rd2];", 0, 0, UNKNOWN, 0, 0},
    {"another thread's number",
     "shfl.sync.idx.b32 %r4|%p0, %r2, 0, 31, -1; @%p0 mul.wide.s32 %rd1, %r4, 4;\n"
     "add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     0, 0, HOLDS, -0x200000000LL, 0x1ffffffff},
    {"a predicate that its own instruction writes",
     "setp.lt.s32 %p0, %r2, %r0; mov.pred %p1, 0;\n"
     "@%p0 setp.gt.s32 %p0|%p1, %r2, 100; @!%p1 ret;\n"
     "mul.wide.s32 %rd1, %r2, 4; add.s64 %rd1, %rd1, %rd0;\n"
     "ld.global.f32 %f0, [%rd1];",
     50, 0, HOLDS, 0, 199},
    {"added to an instruction that saturates",
     "add.sat.s32 %r4, %r0, 1; mul.wide.s32 %rd1, %r4, 1;\n"
     "add.s64 %rd1, %rd1, %rd0; ld.global.b8 %r5, [%rd1];",
     0x7fffffff, 0, HOLDS, 0x7fffffff, 0x7fffffff},
    {"one way that is not taken",
     "mov.u32 %r4, 5; setp.gt.s32 %p0, %r0, 3; @%p0 bra L; ld.global.u32 %r4, [%rd0];\n"
     "L: mul.wide.s32 %rd1, %r4, 4; add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     4, 0, IS, 20, 23},
    {"a branch to what follows",
     "setp.gt.s32 %p0, %r2, 3; @%p0 bra L; L: mul.wide.s32 %rd1, %r2, 4;\n"
     "add.s64 %rd1, %rd1, %rd0; ld.global.f32 %f0, [%rd1];",
     0, 0, IS, 0, 1023},
};

static const char head[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
			   ".shared .f32 tile[64];\n"
			   ".func (.reg .b32 r) f(.reg .b32 a) { mov.b32 r, a; ret; }\n"
			   ".visible .entry k(.param .u64 p, .param .u32 n, .param .u32 m)\n{\n"
			   "\t.reg .pred %p<4>; .reg .b16 %rs<4>; .reg .b32 %r<10>; .reg .b64 %rd<8>;\n"
			   "\t.reg .f32 %f<8>; .reg .f64 %fd<4>;\n"
			   "\tld.param.u64 %rd0, [p]; ld.param.u32 %r0, [n]; ld.param.u32 %r1, [m];\n"
			   "\tcvta.to.global.u64 %rd0, %rd0;\n"
			   "\tmov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
			   "\tmad.lo.s32 %r2, %r2, %r3, %r4; mov.u32 %r3, %tid.x;\n";

static struct byte_range claim_of(const struct trap *t)
{
	struct strbuf text = STRBUF_INIT;
	struct {
		uint64_t p;
		uint32_t n, m;
	} params = {BASE, (uint32_t)t->n, (uint32_t)t->m};
	struct range_launch launch = {
	    .grid = {GRID, 1, 1}, .block = {BLOCK, 1, 1}, .params = &params, .param_bytes = sizeof params};
	struct byte_range claim = {RANGE_UNKNOWN, 0, 0};
	struct diag d = DIAG_INIT;
	struct kernel_ranges *k;
	struct launch_ranges *l;
	struct ptx_module *m;
	struct ptx_function *f;

	strbuf_addf(&text, "%s\t%s\n\tret;\n}\n", head, t->body);
	m = ptx_parse(t->name, text.data, text.len, &d);
	if (!m)
		fail_msg("%s: line %u: %s", t->name, d.line, d.message);
	f = ptx_find_function(m, "k");
	k = ptx_ranges_prepare(f);
	l = ptx_ranges_evaluate(k, &launch);
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].opcode->space == PTX_SPACE_GLOBAL ||
		    (f->insts[i].opcode->op == PTX_OP_ld && f->insts[i].opcode->space == PTX_SPACE_GENERIC))
			if (f->insts[i].opcode->op != PTX_OP_cvta)
				claim = ptx_ranges_of(l, i);
	ptx_ranges_release(l);
	ptx_ranges_free(k);
	ptx_module_free(m);
	strbuf_release(&text);
	return claim;
}

static bool is_as_expected(const struct trap *t, struct byte_range claim)
{
	uint64_t first = BASE + (uint64_t)t->first, last = BASE + (uint64_t)t->last;

	switch (t->expected) {
	case IS: return claim.kind == RANGE_KNOWN && claim.first == first && claim.last == last;
	case HOLDS:
		return claim.kind == RANGE_UNKNOWN ||
		       (claim.kind == RANGE_KNOWN && claim.first <= first && last <= claim.last);
	case NEVER: return claim.kind == RANGE_NEVER;
	default: return claim.kind == RANGE_UNKNOWN;
	}
}

static void test_each(void **state)
{
	unsigned failures = 0;

	(void)state;
	for (unsigned i = 0; i < sizeof traps / sizeof *traps; i++) {
		struct byte_range claim = claim_of(&traps[i]);

		if (is_as_expected(&traps[i], claim))
			continue;
		printf("%s: claimed %s %lld .. %lld\n", traps[i].name,
		       claim.kind == RANGE_KNOWN   ? ""
		       : claim.kind == RANGE_NEVER ? "never"
						   : "unknown",
		       (long long)(claim.first - BASE), (long long)(claim.last - BASE));
		failures++;
	}
	assert_int_equal(failures, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_each)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
