; Textures and surfaces go by their handles and references, as pointers do; a fetch counts as a load, and as marked under
; the same conditions.
; PTX ro 5 ld.global.ro.
; SAME
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

%texel = type { i32, i32, i32, i32 }
%view = type { i64, ptr }

@tex = addrspace(1) externally_initialized global i64 undef, align 4
@surf = addrspace(1) externally_initialized global i64 undef, align 4
@variable = addrspace(1) externally_initialized global [64 x i32] zeroinitializer, align 4

; An object may be of memory that a pointer writes, whatever noalias says of the pointers.
; EXPECT guarded object: p0=read-only:1/1 p1=write-only:0/0
; EXPECT strict object: p0=read-write:0/1 p1=write-only:0/0
; EXPECT distinct object: p0=read-only:1/1 p1=write-only:0/0
; GUARDS object: p0/p1
; SHARING object: p0=thread
define ptx_kernel void @object(i64 %texture, ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t = call %texel asm "tex.1d.v4.s32.s32 {$0, $1, $2, $3}, [$4, {$5}];", "=r,=r,=r,=r,l,r"(i64 %texture, i32 %x)
  %v = extractvalue %texel %t, 0
  store i32 %v, ptr %out, align 4
  ret void
}

; EXPECT guarded field: p0+0=read-only:2/2 p0+8=write-only:0/0
; GUARDS field: p0+0/p0+8
define ptx_kernel void @field(ptr byval(%view) align 8 %s) {
  %handle = load i64, ptr %s, align 8
  %at = getelementptr i8, ptr %s, i64 8
  %out = load ptr, ptr %at, align 8
  %t = call %texel asm "tex.1d.v4.s32.s32 {$0, $1, $2, $3}, [$4, {$5}];", "=r,=r,=r,=r,l,r"(i64 %handle, i32 0)
  %u = call %texel asm "tld4.r.2d.v4.s32.f32 {$0, $1, $2, $3}, [$4, {$5, $5}];", "=r,=r,=r,=r,l,f"(i64 %handle, float 0.0)
  %v = extractvalue %texel %t, 0
  %w = extractvalue %texel %u, 1
  %sum = add i32 %v, %w
  store i32 %sum, ptr %out, align 4
  ret void
}

; EXPECT guarded table: p0=read-only:1/1 p1=write-only:0/0 *p0=read-only:1/1
; GUARDS table: p0/p1 *p0/p1
define ptx_kernel void @table(ptr %textures, ptr %out) {
  %handle = load i64, ptr %textures, align 8
  %t = call %texel asm "tex.1d.v4.s32.s32 {$0, $1, $2, $3}, [$4, {$5}];", "=r,=r,=r,=r,l,r"(i64 %handle, i32 0)
  %v = extractvalue %texel %t, 0
  store i32 %v, ptr %out, align 4
  ret void
}

; A reference is a variable, but may be bound to another one's memory, or to the array of a reference of the other kind.
; EXPECT guarded reference: tex=read-only:1/1 variable=write-only:0/0
; EXPECT strict reference: tex=read-write:0/1 variable=write-only:0/0
; GUARDS reference: tex/variable
; EXPECT guarded references: surf=write-only:0/0 tex=read-only:1/1
; EXPECT strict references: surf=write-only:0/0 tex=read-write:0/1
; GUARDS references: tex/surf
define ptx_kernel void @reference() {
  %h = call i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1) @tex)
  %handle = call i64 asm "mov.b64 $0, $1;", "=l,l"(i64 %h)
  %t = call %texel asm "tex.1d.v4.s32.s32 {$0, $1, $2, $3}, [$4, {$5}];", "=r,=r,=r,=r,l,r"(i64 %handle, i32 0)
  %v = extractvalue %texel %t, 0
  store i32 %v, ptr addrspace(1) @variable, align 4
  ret void
}
define ptx_kernel void @references() {
  %h = call i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1) @tex)
  %texture = call i64 asm "mov.b64 $0, $1;", "=l,l"(i64 %h)
  %g = call i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1) @surf)
  %surface = call i64 asm "mov.b64 $0, $1;", "=l,l"(i64 %g)
  %t = call %texel asm "tex.1d.v4.s32.s32 {$0, $1, $2, $3}, [$4, {$5}];", "=r,=r,=r,=r,l,r"(i64 %texture, i32 0)
  %v = extractvalue %texel %t, 0
  call void asm sideeffect "sust.b.1d.b32.trap [$1, {$2}], $0;", "r,l,r,~{memory}"(i32 %v, i64 %surface, i32 0)
  ret void
}

; A surface is no memory that pointers reach, and is never marked. What was read from it may be any address.
; EXPECT strict surface: p0=write-only:0/0 p1=read-only:1/1
; EXPECT guarded update: p0=read-write:0/0 p1=read-only:1/1
; EXPECT guarded surface_read: p0=read-only:0/1 p1=read-only:1/1 p2=write-only:0/0
; EXPECT guarded surface_pointer: p0=read-write:0/1 p1=read-write:0/1 unknown=write-only:0/0
define ptx_kernel void @surface(i64 %surface, ptr %in) {
  %v = load i32, ptr %in, align 4
  call void asm sideeffect "sust.b.1d.b32.trap [$1, {$2}], $0;", "r,l,r,~{memory}"(i32 %v, i64 %surface, i32 0)
  ret void
}
define ptx_kernel void @update(i64 %surface, ptr %in) {
  %v = load i32, ptr %in, align 4
  call void asm sideeffect "sured.b.add.1d.u32.trap [$1, {$2}], $0;", "r,l,r,~{memory}"(i32 %v, i64 %surface, i32 0)
  ret void
}
define ptx_kernel void @surface_read(i64 %surface, ptr %in, ptr %out) {
  %w = call i32 asm sideeffect "suld.b.1d.b32.trap $0, [$1, {$2}];", "=r,l,r,~{memory}"(i64 %surface, i32 0)
  %v = load i32, ptr %in, align 4
  %sum = add i32 %v, %w
  store i32 %sum, ptr %out, align 4
  ret void
}
define ptx_kernel void @surface_pointer(i64 %surface, ptr %in) {
  %w = call i64 asm sideeffect "suld.b.1d.b64.trap $0, [$1, {$2}];", "=l,l,r,~{memory}"(i64 %surface, i32 0)
  %v = load i32, ptr %in, align 4
  %p = inttoptr i64 %w to ptr
  store i32 %v, ptr %p, align 4
  ret void
}

; Texture and surface of one handle are one structure; a handle that is not seen may be any.
; EXPECT guarded both: p0=read-write:0/1
; EXPECT guarded unseen: p0=read-only:1/1 p1=write-only:0/0 unknown=read-write:0/1
define ptx_kernel void @both(i64 %handle) {
  %t = call %texel asm "tex.1d.v4.s32.s32 {$0, $1, $2, $3}, [$4, {$5}];", "=r,=r,=r,=r,l,r"(i64 %handle, i32 0)
  %v = extractvalue %texel %t, 0
  call void asm sideeffect "sust.b.1d.b32.trap [$1, {$2}], $0;", "r,l,r,~{memory}"(i32 %v, i64 %handle, i32 0)
  ret void
}
define ptx_kernel void @unseen(ptr %in, ptr %out) {
  %t = call %texel asm "tex.1d.v4.s32.s32 {$0, $1, $2, $3}, [$4, {$5}];", "=r,=r,=r,=r,l,r"(i64 4096, i32 0)
  %v = load i32, ptr %in, align 4
  %w = extractvalue %texel %t, 0
  %sum = add i32 %v, %w
  store i32 %sum, ptr %out, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1))
