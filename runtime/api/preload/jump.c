/* A jump is an instruction, then the address that it goes to. A lead has its way in %r11, which no call needs. */
#include "runtime/api/preload/jump.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const unsigned char jump_through_next[] = {0xff, 0x25, 0, 0, 0, 0}; /* jmp *0(%rip) */
static const unsigned char next_to_r11[] = {0x49, 0xbb};                   /* movabs $..., %r11 */

static_assert(sizeof jump_through_next + sizeof(void *) == JUMP_BYTES, "a jump and where it goes");
static_assert(sizeof next_to_r11 + sizeof(void *) + JUMP_BYTES == LEAD_BYTES, "a way and a jump");
static_assert(offsetof(struct way, target) == 0, "romark_lead reads it there");

/*
 * Goes to the way's target. If there is none yet, calls way_find and goes to its result. Keeps all registers that may
 * hold arguments.
 */
extern const char romark_lead[] __attribute__((visibility("hidden")));
__asm__(".text\n"
	".hidden romark_lead\n"
	".globl romark_lead\n"
	".type romark_lead, @function\n"
	"romark_lead:\n"
	"	movq (%r11), %r10\n"
	"	testq %r10, %r10\n"
	"	jz 1f\n"
	"	jmp *%r10\n"
	"1:	pushq %rax\n"
	"	pushq %rdi\n"
	"	pushq %rsi\n"
	"	pushq %rdx\n"
	"	pushq %rcx\n"
	"	pushq %r8\n"
	"	pushq %r9\n"
	"	subq $128, %rsp\n"
	"	movups %xmm0, (%rsp)\n"
	"	movups %xmm1, 16(%rsp)\n"
	"	movups %xmm2, 32(%rsp)\n"
	"	movups %xmm3, 48(%rsp)\n"
	"	movups %xmm4, 64(%rsp)\n"
	"	movups %xmm5, 80(%rsp)\n"
	"	movups %xmm6, 96(%rsp)\n"
	"	movups %xmm7, 112(%rsp)\n"
	"	movq %r11, %rdi\n"
	"	call way_find\n"
	"	movq %rax, %r11\n"
	"	movups (%rsp), %xmm0\n"
	"	movups 16(%rsp), %xmm1\n"
	"	movups 32(%rsp), %xmm2\n"
	"	movups 48(%rsp), %xmm3\n"
	"	movups 64(%rsp), %xmm4\n"
	"	movups 80(%rsp), %xmm5\n"
	"	movups 96(%rsp), %xmm6\n"
	"	movups 112(%rsp), %xmm7\n"
	"	addq $128, %rsp\n"
	"	popq %r9\n"
	"	popq %r8\n"
	"	popq %rcx\n"
	"	popq %rdx\n"
	"	popq %rsi\n"
	"	popq %rdi\n"
	"	popq %rax\n"
	"	jmp *%r11\n"
	".size romark_lead, . - romark_lead\n");

static bool protect(void *start, size_t size, int how)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)start & ~(page - 1);

	return mprotect((void *)first, (uintptr_t)start + size - first, how) == 0;
}

bool code_open(void *start, size_t size)
{
	return protect(start, size, PROT_READ | PROT_WRITE);
}

bool code_close(void *start, size_t size)
{
	return protect(start, size, PROT_READ | PROT_EXEC);
}

static char *put(char *code, const void *bytes, size_t size)
{
	memcpy(code, bytes, size);
	return code + size;
}

void jump_write(void *code, const void *target)
{
	put(put(code, jump_through_next, sizeof jump_through_next), &target, sizeof(void *));
}

void lead_write(void *code, const struct way *way)
{
	jump_write(put(put(code, next_to_r11, sizeof next_to_r11), &way, sizeof(struct way *)), romark_lead);
}
