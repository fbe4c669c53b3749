# What libclc's and our functions need, as text of LLVM, to be a device library.

# Releases of LLVM differ in the data layout of the target. To a library that looks as NVIDIA's does, in its name, its
# triple and having no layout, they give that of the code it is linked to.
/^target datalayout/d
s/^target triple.*/target triple = "nvptx64-nvidia-gpulibs"/

# -ffreestanding leaves this on each function; LLVM inlines no such function into code without it.
s/ "no-builtins"//g

# libclc splits numbers into heads and tails. CUDA code is compiled with multiplications fused with additions wherever
# they meet, which breaks that: sin(1000) had two right digits in single precision, and eleven in double. So nothing is
# fused with these multiplications.
s/= fmul double \([^,]*\), \(.*\)$/= call double @llvm.nvvm.mul.rn.d(double \1, double \2)/
s/= fmul float \([^,]*\), \(.*\)$/= call float @llvm.nvvm.mul.rn.f(float \1, float \2)/
/^declare .* @llvm\.nvvm\.mul\.rn\.[df](/d
$a declare double @llvm.nvvm.mul.rn.d(double, double)
$a declare float @llvm.nvvm.mul.rn.f(float, float)
