#ifndef ROMARK_CUDA_H
#define ROMARK_CUDA_H
#define CUDA_VERSION 12000
typedef unsigned int cuuint32_t;
typedef unsigned long long cuuint64_t;
#endif
