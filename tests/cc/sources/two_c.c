/* C, which is compiled as C: `new` is a name there. */
#include "two.h"

int one_from_c(void)
{
	int new = 1;

	return new;
}
