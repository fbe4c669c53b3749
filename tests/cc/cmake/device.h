// Shared by the files' device code.
extern __device__ int launches;
extern __constant__ int factors[4];
__device__ int scaled(int number, int index);
