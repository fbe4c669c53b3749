/* The result of decoding a video instruction. */
#ifndef ROMARK_CPU_VIDEO_H
#define ROMARK_CPU_VIDEO_H

/* inst->variant: which types are signed; vset: its results are added up. */
enum video_variant { VIDEO_SIGNED_D = 1, VIDEO_SIGNED_A = 2, VIDEO_SIGNED_B = 4, VIDEO_SUMS = 8 };

/*
 * inst->list of a scalar instruction: the parts of its operands (enum video_part); the second operation, a modifier or
 * PTX_MOD_NONE; .sat.
 */
enum { SCALAR_PART_D, SCALAR_PART_A, SCALAR_PART_B, SCALAR_SECOND, SCALAR_SATURATES, SCALAR_WORDS };

enum video_part { PART_WORD, PART_B0, PART_B1, PART_B2, PART_B3, PART_H0, PART_H1 };

#endif
