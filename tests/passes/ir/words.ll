; Words from memory that a kernel changes before it takes them for addresses. A launch looks them up as they stand, so
; what they are made into is unknown, unless the look-up sees through the change.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; EXPECT guarded xor_constant: p0=read-only:1/1 p1=write-only:0/0 unknown=read-write:0/1
define ptx_kernel void @xor_constant(ptr %table, ptr %out, i64 %n) {
  %w = load i64, ptr %table, align 8
  %x = xor i64 %w, 65536
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; EXPECT guarded complement: p0=read-only:1/1 p1=write-only:0/0 unknown=read-write:0/1
define ptx_kernel void @complement(ptr %table, ptr %out, i64 %n) {
  %w = load i64, ptr %table, align 8
  %x = xor i64 %w, -1
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; EXPECT guarded xor_number: p0=read-only:1/1 p1=write-only:0/0 unknown=read-write:0/1
define ptx_kernel void @xor_number(ptr %table, ptr %out, i64 %n) {
  %w = load i64, ptr %table, align 8
  %x = xor i64 %w, %n
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; EXPECT guarded negated: p0=read-only:1/1 p1=write-only:0/0 unknown=read-write:0/1
define ptx_kernel void @negated(ptr %table, ptr %out, i64 %n) {
  %w = load i64, ptr %table, align 8
  %x = sub i64 0, %w
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; EXPECT guarded or_constant: p0=read-only:1/1 p1=write-only:0/0 unknown=read-write:0/1
define ptx_kernel void @or_constant(ptr %table, ptr %out, i64 %n) {
  %w = load i64, ptr %table, align 8
  %x = or i64 %w, 256
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; EXPECT guarded or_number: p0=read-only:1/1 p1=write-only:0/0 unknown=read-write:0/1
define ptx_kernel void @or_number(ptr %table, ptr %out, i64 %n) {
  %w = load i64, ptr %table, align 8
  %x = or i64 %w, %n
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; EXPECT guarded and_number: p0=read-only:1/1 p1=write-only:0/0 unknown=read-write:0/1
define ptx_kernel void @and_number(ptr %table, ptr %out, i64 %n) {
  %w = load i64, ptr %table, align 8
  %x = and i64 %w, %n
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; EXPECT guarded and_page: p0=read-only:1/1 p1=write-only:0/0 unknown=read-write:0/1
define ptx_kernel void @and_page(ptr %table, ptr %out, i64 %n) {
  %w = load i64, ptr %table, align 8
  %x = and i64 %w, -512
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; EXPECT guarded compressed: p0=read-only:1/1 p1=write-only:0/0 unknown=read-write:0/1
define ptx_kernel void @compressed(ptr %table, ptr %out, i64 %n) {
  %w = load i64, ptr %table, align 8
  %x = shl i64 %w, 4
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; EXPECT guarded packed: p0=read-only:1/1 p1=write-only:0/0 unknown=read-write:0/1
define ptx_kernel void @packed(ptr %table, ptr %out, i64 %n) {
  %w = load i64, ptr %table, align 8
  %x = lshr i64 %w, 16
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; EXPECT guarded product: p0=read-only:1/1 p1=write-only:0/0 unknown=read-write:0/1
define ptx_kernel void @product(ptr %table, ptr %out, i64 %n) {
  %w = load i64, ptr %table, align 8
  %x = mul i64 %w, 3
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; EXPECT guarded quotient: p0=read-only:1/1 p1=write-only:0/0 unknown=read-write:0/1
define ptx_kernel void @quotient(ptr %table, ptr %out, i64 %n) {
  %w = load i64, ptr %table, align 8
  %x = udiv i64 %w, 3
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; EXPECT guarded low_tag: p0=read-only:1/1 p1=write-only:0/0 *p0=read-only:1/1
define ptx_kernel void @low_tag(ptr %table, ptr %out, i64 %n) {
  %w = load i64, ptr %table, align 8
  %x = and i64 %w, -8
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; EXPECT guarded high_tag: p0=read-only:1/1 p1=write-only:0/0 *p0=read-only:1/1
define ptx_kernel void @high_tag(ptr %table, ptr %out, i64 %n) {
  %w = load i64, ptr %table, align 8
  %x = and i64 %w, 281474976710655
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; EXPECT guarded low_bits: p0=read-only:1/1 p1=write-only:0/0 *p0=read-only:1/1
define ptx_kernel void @low_bits(ptr %table, ptr %out, i64 %n) {
  %w = load i64, ptr %table, align 8
  %x = or i64 %w, 255
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; EXPECT guarded moved: p0=read-only:1/1 p1=write-only:0/0 *p0=read-only:1/1
define ptx_kernel void @moved(ptr %table, ptr %out, i64 %n) {
  %w = load i64, ptr %table, align 8
  %x = add i64 %w, 64
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; A parameter that is encoded with a constant, and its own bits masked.
; EXPECT guarded encoded: p1=write-only:0/0 unknown=read-write:0/1
define ptx_kernel void @encoded(i64 %number, ptr %out) {
  %x = xor i64 %number, 65536
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; EXPECT guarded aligned: p0=read-only:1/1 p1=write-only:0/0
define ptx_kernel void @aligned(i64 %number, ptr %out) {
  %x = and i64 %number, -4096
  %p = inttoptr i64 %x to ptr
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}

; As an index a changed word is a number like any other.
; EXPECT guarded index: p0=read-only:1/1 p1=write-only:0/0 p2=read-only:1/1
define ptx_kernel void @index(ptr %table, ptr %out, ptr %data) {
  %w = load i64, ptr %table, align 8
  %x = xor i64 %w, 5
  %y = lshr i64 %x, 3
  %p = getelementptr float, ptr %data, i64 %y
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  ret void
}
