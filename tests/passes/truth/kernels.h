// Shared by the kernels of this folder. truth.c explains the line TRUTH above each.
#pragma once
#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
typedef unsigned long long u64;
typedef unsigned u32;
