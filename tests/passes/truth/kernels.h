// What the kernels of this folder have in common. A line TRUTH above each says what truth.c explains.
#pragma once
#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
typedef unsigned long long u64;
typedef unsigned u32;
