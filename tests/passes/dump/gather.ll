target triple = "nvptx64-nvidia-cuda"

define internal i32 @pick(ptr %t, i32 %i) noinline {
  %o = sext i32 %i to i64
  %a = getelementptr i32, ptr %t, i64 %o
  %b = getelementptr i8, ptr %a, i64 8
  %v = load i32, ptr %b
  ret i32 %v
}

define ptx_kernel void @gather(ptr addrspace(1) %table, ptr addrspace(1) %out, i32 %n) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t = addrspacecast ptr addrspace(1) %table to ptr
  %v = call i32 @pick(ptr %t, i32 %i)
  %o = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %o
  %w = load i32, ptr addrspace(1) %p
  %s = add i32 %v, %w
  store i32 %s, ptr addrspace(1) %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
