/*
 * Limits of CUDA that several rooms need. The API reports them to programs and refuses launches beyond them; the CPU
 * device checks them again.
 */
#ifndef ROMARK_RUNTIME_LIMITS_H
#define ROMARK_RUNTIME_LIMITS_H

/* clang-format off */
#define MAX_GRID {2147483647, 65535, 65535} /* CTAs by dimension */
#define MAX_BLOCK {1024, 1024, 64}          /* threads by dimension */
/* clang-format on */

enum {
	MAX_CTA_THREADS = 1024,
	MAX_PARAM_BYTES = 32764,       /* of a kernel's parameters, since sm_70 */
	USUAL_SHARED_BYTES = 48 << 10, /* of a CTA, unless the kernel was given more */
	/* The CPU device's: */
	MULTIPROCESSORS = 64,
	CAPABILITY_MAJOR = 8,
	CAPABILITY_MINOR = 0,
};

#endif
