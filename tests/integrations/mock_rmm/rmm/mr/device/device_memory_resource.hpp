/* The part of RMM's interface of memory resources that an adaptor meets, for where RMM is not installed. */
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace rmm
{

class cuda_stream_view {
public:
	cuda_stream_view(cudaStream_t stream) : stream_(stream)
	{
	}
	cudaStream_t value() const
	{
		return stream_;
	}

private:
	cudaStream_t stream_;
};

namespace mr
{

class device_memory_resource {
public:
	virtual ~device_memory_resource() = default;
	void *allocate(std::size_t bytes, cuda_stream_view stream)
	{
		return do_allocate(bytes, stream);
	}
	void deallocate(void *p, std::size_t bytes, cuda_stream_view stream)
	{
		do_deallocate(p, bytes, stream);
	}
	bool is_equal(const device_memory_resource &other) const noexcept
	{
		return do_is_equal(other);
	}

private:
	virtual void *do_allocate(std::size_t bytes, cuda_stream_view stream) = 0;
	virtual void do_deallocate(void *p, std::size_t bytes, cuda_stream_view stream) noexcept = 0;
	virtual bool do_is_equal(const device_memory_resource &other) const noexcept
	{
		return this == &other;
	}
};

} // namespace mr
} // namespace rmm
