/* What decoding a video instruction finds out. */
#ifndef ROMARK_CPU_VIDEO_H
#define ROMARK_CPU_VIDEO_H

/* inst->variant: which types are signed; vset: its results are added up. */
enum video_variant { VIDEO_SIGNED_D = 1, VIDEO_SIGNED_A = 2, VIDEO_SIGNED_B = 4, VIDEO_SUMS = 8 };

#endif
