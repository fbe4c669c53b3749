/* The source of line.ptx: a line that loads and stores. */
__global__ void copy(const int *in, int *out)
{
	*out = *in;
}
