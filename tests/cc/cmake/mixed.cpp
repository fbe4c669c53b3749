// C++ only: the kernels are behind a function.
#include <cstdio>

int incremented(int number);

int main()
{
	int result = incremented(20);

	printf("%d\n", result);
	return result != 42;
}
