/*
 * A memory resource for RMM. It passes every request on to another resource, and tells romark about the memory that
 * this hands out.
 *
 *   rmm::mr::cuda_memory_resource cuda;
 *   rmm::mr::pool_memory_resource<rmm::mr::cuda_memory_resource> pool(&cuda, 1u << 30);
 *   romark::region_adaptor<decltype(pool)> told(&pool);
 *   rmm::mr::set_current_device_resource(&told);
 */
#pragma once

#include <rmm/mr/device/device_memory_resource.hpp>

#include <romark.h>

#include <cstddef>

namespace romark
{

template <typename Upstream>
class region_adaptor final : public rmm::mr::device_memory_resource
{
public:
	explicit region_adaptor(Upstream *upstream) : upstream_(upstream)
	{
	}

	Upstream *upstream() const
	{
		return upstream_;
	}

private:
	/*
	 * Takes one byte more, so that the end of a region is never the start of another. RMM's resources align to 256
	 * bytes, as regions require.
	 */
	void *do_allocate(std::size_t bytes, rmm::cuda_stream_view stream) override
	{
		void *p = upstream_->allocate(bytes + 1, stream);

		romark_region(p, bytes ? bytes : 1, stream.value());
		return p;
	}

	void do_deallocate(void *p, std::size_t bytes, rmm::cuda_stream_view stream) noexcept override
	{
		romark_region_end(p, stream.value());
		upstream_->deallocate(p, bytes + 1, stream);
	}

	bool do_is_equal(const rmm::mr::device_memory_resource &other) const noexcept override
	{
		auto same = dynamic_cast<const region_adaptor *>(&other);

		return same && upstream_->is_equal(*same->upstream_);
	}

	Upstream *upstream_;
};

} // namespace romark
