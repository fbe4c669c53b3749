/* The results of functions that romark does not have. */
#ifndef ROMARK_API_UNSUPPORTED_H
#define ROMARK_API_UNSUPPORTED_H

/* The error's number; the runtime's is remembered for cudaGetLastError. */
int unsupported_by_runtime(void);
int unsupported_by_driver(void);

#endif
