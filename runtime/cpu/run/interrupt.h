/*
 * Ctrl-C while a kernel runs: the kernel stops at the end of a warp's turn, romark says where, and the process ends by
 * the signal. A program that handles the signal itself is left alone.
 */
#ifndef ROMARK_CPU_INTERRUPT_H
#define ROMARK_CPU_INTERRUPT_H

#include "common/diag.h"

#include <signal.h>

/* 0, or the signal that has come while a kernel ran: the kernel is to end. Only interrupt.c writes it. */
extern volatile sig_atomic_t interrupt_pending;

/* A kernel begins; it may be inside another. */
void interrupt_begin(void);
/* The kernel has ended. After the signal: prints `d` and ends the process by it, unless others wait for this kernel. */
void interrupt_end(const struct diag *d);

#endif
