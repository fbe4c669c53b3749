/* `romark cc`: the compiler driver, which is a room of its own. */
#include "cli/command.h"

#include "cc/cc.h"
#include "cli/alias_words.h"

_Static_assert(CC_FAILED == (int)EXIT_BAD_INPUT && CC_WRONG_USAGE == (int)EXIT_WRONG_USAGE, "exit codes are romark's");

int cmd_cc(int argc, char **argv)
{
	return alias_words_check(argc, argv) ? cc_main(argc, argv) : EXIT_WRONG_USAGE;
}
