// Compiled to PTX.
extern "C" __global__ void set(int *number, int value)
{
	*number = value;
}
