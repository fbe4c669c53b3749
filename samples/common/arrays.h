/* Arrays that live on both sides, the host's and the device's, and numbers to fill them with. */
#ifndef ROMARK_SAMPLES_ARRAYS_H
#define ROMARK_SAMPLES_ARRAYS_H

#include "check.h"

#include <cmath>
#include <vector>

/* An array on both sides. A kernel is given `device`. */
template <typename T>
struct array {
	std::vector<T> host;
	T *device;

	explicit array(size_t size) : host(size)
	{
		CHECK(cudaMalloc(&device, size * sizeof(T)));
	}
	~array()
	{
		cudaFree(device);
	}
	array(const array &) = delete;
	array &operator=(const array &) = delete;

	void upload() const
	{
		CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
	}
	std::vector<T> download() const
	{
		std::vector<T> copy(host.size());

		CHECK(cudaMemcpy(copy.data(), device, copy.size() * sizeof(T), cudaMemcpyDeviceToHost));
		return copy;
	}
};

/* Numbers in [-scale, scale), repeatable. */
template <typename T>
static void fill(array<T> &a, unsigned seed, double scale)
{
	unsigned state = seed;

	for (T &value : a.host)
		value = (T)((next_random(&state) - 0.5) * 2 * scale);
	a.upload();
}

/* How many of the device's values are not those of the host, by more than `tolerance` of them and of 1. */
template <typename T>
static int differences(const array<T> &a, double tolerance)
{
	std::vector<T> device = a.download();
	int wrong = 0;

	for (size_t i = 0; i < device.size(); i++)
		wrong += !(std::fabs((double)device[i] - (double)a.host[i]) <=
			   tolerance * (1 + std::fabs((double)a.host[i])));
	return wrong;
}

#endif
