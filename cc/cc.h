/*
 * The compiler driver, `romark cc`: it compiles CUDA, C++ and C sources to programs that run on romark's devices. The
 * room's only other interface is cc/installation.h.
 *
 *   int code = cc_main(argc, argv);    // argv[0] is the command's name, the words follow
 */
#ifndef ROMARK_CC_H
#define ROMARK_CC_H

enum { CC_OK = 0, CC_FAILED = 1, CC_WRONG_USAGE = 2 };

/*
 * Does what the words ask (docs/building-cuda-programs.md) and returns the exit code: CC_FAILED for errors in the
 * sources or a step that could not be done, CC_WRONG_USAGE for words that make no sense; then stderr has the message.
 * Outputs appear complete or not at all, and no temporary file stays. A termination signal that arrives meanwhile ends
 * the process, but only after this has cleaned up.
 */
int cc_main(int argc, char **argv);

#endif
