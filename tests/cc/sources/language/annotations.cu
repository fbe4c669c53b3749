// NVTX for C++: every way to name a range compiles, and the code inside the ranges runs.
// options: -std=c++17
#include <cstdio>
#include <string>
#include <utility>

#include <nvtx3/nvtx3.hpp>

struct own_domain {
	static constexpr const char *name = "own";
};
struct own_message {
	static constexpr const char *message = "registered";
};
struct own_category {
	static constexpr const char *name = "copies";
	static constexpr uint32_t id = 7;
};

__global__ void add(int *sum)
{
	atomicAdd(sum, 1);
}

static void launch(int *sum)
{
	NVTX3_FUNC_RANGE();
	add<<<1, 32>>>(sum);
}

static void launch_if(int *sum, bool wanted)
{
	NVTX3_FUNC_RANGE_IF_IN(own_domain, wanted);
	add<<<1, 32>>>(sum);
}

static nvtx3::unique_range moved(const std::string &text)
{
	nvtx3::unique_range range{text, nvtx3::rgb{1, 2, 3}};

	return range;
}

int main()
{
	const nvtx3::event_attributes attributes{nvtx3::payload{3}, "all", nvtx3::category{4}, nvtx3::color{0xff00ff00}};
	const nvtx3::color blue{nvtx3::rgb{0, 0, 255}};
	int *sum, result = 0;

	if (cudaMalloc(&sum, sizeof *sum) || cudaMemset(sum, 0, sizeof *sum))
		return 1;
	{
		nvtx3::scoped_range plain{"plain", blue};
		nvtx3::scoped_range_in<own_domain> own{nvtx3::registered_string_in<own_domain>::get<own_message>(),
						       nvtx3::named_category_in<own_domain>::get<own_category>()};
		nvtx3::scoped_range all{attributes}, nameless;
		nvtx3::unique_range range = moved("text");

		range = moved("other");
		launch(sum);
		launch_if(sum, false);
	}
	const nvtx3::range_handle handle = nvtx3::start_range(L"wide", nvtx3::payload{2.5});
	nvtx3::mark("here");
	nvtx3::mark_in<own_domain>(attributes);
	nvtx3::end_range(handle);
	nvtxDomainMarkEx(nvtx3::domain::get<own_domain>(), nullptr);
	if (cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDefault) || result != 64 || blue.get_value() != 0xff0000ff ||
	    nvtx3::named_category::get<own_category>().get_id() != 7) {
		std::printf("%d, %x\n", result, blue.get_value());
		return 1;
	}
	std::puts("ok");
	return 0;
}
