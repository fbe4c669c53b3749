/*
 * CUDA's words in C and C++, as attributes for Clang. They are empty where a host compiler reads the API headers. Some
 * headers have CUDA's include guards, since libraries test these.
 */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

/*
 * Clang's CUDA mode. Its own macro for that, which no source of nvcc's sees, is there for Clang's headers alone;
 * cuda_runtime.h takes it away.
 */
#if defined(__CUDA__) && defined(__clang__)
#define ROMARK_CUDA
#endif

#if defined(ROMARK_CUDA)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
/* Host and device share the variable: the runtime maps its pages into both, and nothing else is in these pages. */
#define __managed__ __attribute__((device)) __attribute__((aligned(4096)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#if __has_attribute(grid_constant)
#define __grid_constant__ __attribute__((grid_constant))
#else
#define __grid_constant__
#endif
#define __device_builtin_surface_type__ __attribute__((device_builtin_surface_type))
#define __device_builtin_texture_type__ __attribute__((device_builtin_texture_type))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#define __device_builtin_surface_type__
#define __device_builtin_texture_type__
#endif

#define __device_builtin__
#define __cudart_builtin__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __maxnreg__(n)
#define __cluster_dims__(...)
#define __block_size__(...)
#ifndef __CUDA_ARCH__
#define __thread__ __thread
#endif
#define __import__
#define __export__
#define __cdecl
#define __specialization_static static
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define __CUDA_API_VER_MAJOR__ __CUDACC_VER_MAJOR__
#define __CUDA_API_VER_MINOR__ __CUDACC_VER_MINOR__

#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_DEVICE __device__
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

#endif
