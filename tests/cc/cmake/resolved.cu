// The same in a library, for programs that know nothing of CUDA.
#include "separate.h"

int run_separate()
{
	return run();
}
