// A program whose device code is in three files, one of them in a library.
#include "separate.h"

int main()
{
	return run();
}
