__global__ void copy(const int *in, int *out)
{
	*out = *in;
}
