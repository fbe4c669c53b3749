; Stores through pointers from memory reach what these lead to, and anything if bits of another pointer went in.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; EXPECT guarded to_parameter: p0=read-write:0/1 p1=unused:0/0 p2=read-write:0/1 *p0=write-only:0/0 unknown=write-only:0/0
define ptx_kernel void @to_parameter(ptr %p, ptr %q, ptr %a) {
  %r = load ptr, ptr %p, align 8
  %x = load i32, ptr %a, align 4
  %r.n = ptrtoint ptr %r to i64
  %q.n = ptrtoint ptr %q to i64
  %n = sub i64 %q.n, %r.n
  %d = getelementptr i8, ptr %r, i64 %n
  store i32 %x, ptr %d, align 4
  ret void
}

; EXPECT guarded to_word: p0=read-write:0/1 p1=read-write:0/1 p2=read-write:0/1 *p0=write-only:0/0 unknown=write-only:0/0
define ptx_kernel void @to_word(ptr %p, ptr %q, ptr %a) {
  %r = load ptr, ptr %p, align 8
  %x = load i32, ptr %a, align 4
  %r.n = ptrtoint ptr %r to i64
  %s = load ptr, ptr %q, align 8
  %s.n = ptrtoint ptr %s to i64
  %n = sub i64 %s.n, %r.n
  %d = getelementptr i8, ptr %r, i64 %n
  store i32 %x, ptr %d, align 4
  ret void
}

; EXPECT guarded by_remainder: p0=read-write:0/1 p1=read-write:0/1 p2=read-write:0/1 *p0=write-only:0/0 unknown=write-only:0/0
define ptx_kernel void @by_remainder(ptr %p, ptr %q, ptr %a) {
  %r = load ptr, ptr %p, align 8
  %x = load i32, ptr %a, align 4
  %s = load ptr, ptr %q, align 8
  %s.n = ptrtoint ptr %s to i64
  %n = urem i64 %s.n, 1099511627776
  %d = getelementptr i8, ptr %r, i64 %n
  store i32 %x, ptr %d, align 4
  ret void
}

; EXPECT guarded by_double: p0=read-write:0/1 p1=read-write:0/1 p2=read-write:0/1 *p0=write-only:0/0 unknown=write-only:0/0
define ptx_kernel void @by_double(ptr %p, ptr %q, ptr %a) {
  %r = load ptr, ptr %p, align 8
  %x = load i32, ptr %a, align 4
  %s = load ptr, ptr %q, align 8
  %s.n = ptrtoint ptr %s to i64
  %f = uitofp i64 %s.n to double
  %n = fptoui double %f to i64
  %d = getelementptr i8, ptr %r, i64 %n
  store i32 %x, ptr %d, align 4
  ret void
}

; EXPECT guarded by_comparison: p0=read-write:0/1 p1=read-write:0/1 p2=read-write:0/1 *p0=write-only:0/0 unknown=write-only:0/0
define ptx_kernel void @by_comparison(ptr %p, ptr %q, ptr %a) {
  %r = load ptr, ptr %p, align 8
  %x = load i32, ptr %a, align 4
  %s = load ptr, ptr %q, align 8
  %c = icmp ult ptr %s, %r
  %n = select i1 %c, i64 8, i64 0
  %d = getelementptr i8, ptr %r, i64 %n
  store i32 %x, ptr %d, align 4
  ret void
}

; EXPECT guarded by_assembly: p0=read-write:0/1 p1=read-write:0/1 p2=read-write:0/1 *p0=write-only:0/0 unknown=write-only:0/0
define ptx_kernel void @by_assembly(ptr %p, ptr %q, ptr %a) {
  %r = load ptr, ptr %p, align 8
  %x = load i32, ptr %a, align 4
  %s = load ptr, ptr %q, align 8
  %n = call i64 asm "mov.b64 $0, $1;", "=l,l"(ptr %s)
  %d = getelementptr i8, ptr %r, i64 %n
  store i32 %x, ptr %d, align 4
  ret void
}

; EXPECT guarded by_memory: p0=read-write:0/1 p1=read-write:0/1 p2=read-write:0/1 *p0=write-only:0/0 unknown=write-only:0/0
define ptx_kernel void @by_memory(ptr %p, ptr %q, ptr %a) {
  %r = load ptr, ptr %p, align 8
  %x = load i32, ptr %a, align 4
  %s = load ptr, ptr %q, align 8
  %s.n = ptrtoint ptr %s to i64
  %cell = alloca i64, align 8
  %f = urem i64 %s.n, 1099511627776
  store i64 %f, ptr %cell, align 8
  %n = load i64, ptr %cell, align 8
  %d = getelementptr i8, ptr %r, i64 %n
  store i32 %x, ptr %d, align 4
  ret void
}

; EXPECT guarded in_range: p0=read-only:2/2 p1=unused:0/0 p2=read-only:1/1 *p0=write-only:0/0
define ptx_kernel void @in_range(ptr %p, ptr %q, ptr %a) {
  %r = load ptr, ptr %p, align 8
  %x = load i32, ptr %a, align 4
  %e.at = getelementptr i8, ptr %p, i64 8
  %e = load ptr, ptr %e.at, align 8
  %r.n = ptrtoint ptr %r to i64
  %e.n = ptrtoint ptr %e to i64
  %l = sub i64 %e.n, %r.n
  %n = sdiv i64 %l, 2
  %d = getelementptr i8, ptr %r, i64 %n
  store i32 %x, ptr %d, align 4
  ret void
}

; EXPECT guarded by_index: p0=read-only:1/1 p1=read-only:1/1 p2=read-only:1/1 *p0=write-only:0/0
define ptx_kernel void @by_index(ptr %p, ptr %q, ptr %a) {
  %r = load ptr, ptr %p, align 8
  %x = load i32, ptr %a, align 4
  %n = load i64, ptr %q, align 8
  %d = getelementptr i8, ptr %r, i64 %n
  store i32 %x, ptr %d, align 4
  ret void
}

; EXPECT guarded other_range: p0=read-write:0/1 p1=read-write:0/2 p2=read-write:0/1 *p0=write-only:0/0 unknown=write-only:0/0
define ptx_kernel void @other_range(ptr %p, ptr %q, ptr %a) {
  %r = load ptr, ptr %p, align 8
  %x = load i32, ptr %a, align 4
  %s = load ptr, ptr %q, align 8
  %s.n = ptrtoint ptr %s to i64
  %e.at = getelementptr i8, ptr %q, i64 8
  %e = load ptr, ptr %e.at, align 8
  %e.n = ptrtoint ptr %e to i64
  %n = sub i64 %e.n, %s.n
  %d = getelementptr i8, ptr %r, i64 %n
  store i32 %x, ptr %d, align 4
  ret void
}
