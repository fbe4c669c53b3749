/*
 * Launches in device code. For a Clang that cannot compile them, `romark cc` rewrites
 *   kernel<<<grid, block>>>(a, b)   to   ::romark_launch<decltype(&kernel), &kernel>(grid, block)(a, b)
 * Device code cannot name a kernel's address, but the initial value of a variable can.
 */
#ifndef ROMARK_DEVICE_LAUNCH_H
#define ROMARK_DEVICE_LAUNCH_H

template <class Pointer, Pointer kernel>
struct romark_kernel {
	static constexpr Pointer address = kernel;
};

/* Parameters lie one behind another, each aligned as its type is. */
template <class T>
static __device__ inline void romark_put_parameter(char *buffer, size_t &end, const T &value)
{
	end = (end + alignof(T) - 1) / alignof(T) * alignof(T);
	__builtin_memcpy(buffer + end, &value, sizeof value);
	end += sizeof value;
}

template <class T>
static __host__ __device__ constexpr size_t romark_parameter_room()
{
	return sizeof(T) + alignof(T) - 1;
}

template <class... P>
struct romark_launcher {
	void *kernel;
	dim3 grid, block;
	unsigned int shared;
	cudaStream_t stream;

	__device__ void operator()(P... arguments) const
	{
		constexpr size_t rooms[] = {1, romark_parameter_room<P>()...};
		size_t bytes = 0, end = 0;
		char *buffer;

		for (size_t room : rooms)
			bytes += room;
		buffer = static_cast<char *>(cudaGetParameterBuffer(64, bytes));
		if (!buffer)
			return;
		const int each[] = {0, (romark_put_parameter(buffer, end, arguments), 0)...};
		(void)each;
		cudaLaunchDevice(kernel, buffer, grid, block, shared, stream);
	}
};

template <class... P>
static __device__ inline romark_launcher<P...> romark_make_launcher(void (*kernel)(P...))
{
	return {reinterpret_cast<void *>(kernel), dim3(), dim3(), 0, nullptr};
}

template <class Pointer, Pointer kernel>
static __device__ inline auto romark_launch(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr)
    -> decltype(romark_make_launcher(kernel))
{
	auto launcher = romark_make_launcher(romark_kernel<Pointer, kernel>::address);

	launcher.grid = grid;
	launcher.block = block;
	launcher.shared = static_cast<unsigned int>(shared);
	launcher.stream = stream;
	return launcher;
}

#endif
