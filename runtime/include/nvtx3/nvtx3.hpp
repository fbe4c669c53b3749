/*
 * NVTX for C++: ranges that end with their scope. Without a profiler they do nothing, and romark has no profiler. So no
 * text or colour is kept.
 */
#ifndef ROMARK_NVTX3_HPP
#define ROMARK_NVTX3_HPP

#include <stddef.h>
#include <stdint.h>

#include <string>

#include "nvToolsExt.h"

#define NVTX3_CPP_DEFINITIONS_V1_0
#define NVTX3_CPP_VERSION_MAJOR 1
#define NVTX3_CPP_VERSION_MINOR 0

namespace nvtx3
{
inline namespace v1
{

class domain
{
public:
	struct global {
		static constexpr const char *name = "";
	};
	template <typename D = global>
	static const domain &get() noexcept
	{
		static const domain the_one;

		return the_one;
	}
	operator nvtxDomainHandle_t() const noexcept
	{
		return nullptr;
	}

private:
	domain() = default;
	domain(const domain &) = delete;
	domain &operator=(const domain &) = delete;
};

struct rgb {
	using component_type = uint8_t;

	constexpr rgb(component_type r, component_type g, component_type b) noexcept : red{r}, green{g}, blue{b}
	{
	}
	component_type red, green, blue;
};

struct argb final : rgb {
	constexpr argb(component_type a, component_type r, component_type g, component_type b) noexcept
	    : rgb{r, g, b}, alpha{a}
	{
	}
	component_type alpha;
};

class color
{
public:
	using value_type = uint32_t;

	explicit constexpr color(value_type argb_value) noexcept : value{argb_value}
	{
	}
	constexpr color(argb c) noexcept
	    : value{(value_type)c.alpha << 24 | (value_type)c.red << 16 | (value_type)c.green << 8 | c.blue}
	{
	}
	constexpr color(rgb c) noexcept : color(argb{0xff, c.red, c.green, c.blue})
	{
	}
	constexpr value_type get_value() const noexcept
	{
		return value;
	}
	constexpr nvtxColorType_t get_type() const noexcept
	{
		return NVTX_COLOR_ARGB;
	}

private:
	value_type value;
};

class category
{
public:
	using id_type = uint32_t;

	explicit constexpr category(id_type number) noexcept : id{number}
	{
	}
	constexpr id_type get_id() const noexcept
	{
		return id;
	}

private:
	id_type id;
};

/* C: a type with the members `name` and `id`. */
template <typename D = domain::global>
class named_category_in final : public category
{
public:
	template <typename C>
	static const named_category_in &get() noexcept
	{
		static const named_category_in the_one(C::id, C::name);

		return the_one;
	}
	named_category_in(id_type number, const char *) noexcept : category{number}
	{
	}
	named_category_in(id_type number, const wchar_t *) noexcept : category{number}
	{
	}
};
using named_category = named_category_in<domain::global>;

/* M: a type with the member `message`. */
template <typename D = domain::global>
class registered_string_in
{
public:
	template <typename M>
	static const registered_string_in &get() noexcept
	{
		static const registered_string_in the_one(M::message);

		return the_one;
	}
	explicit registered_string_in(const char *) noexcept
	{
	}
	explicit registered_string_in(const std::string &) noexcept
	{
	}
	explicit registered_string_in(const wchar_t *) noexcept
	{
	}
	explicit registered_string_in(const std::wstring &) noexcept
	{
	}
	nvtxStringHandle_t get_handle() const noexcept
	{
		return nullptr;
	}
};
using registered_string = registered_string_in<domain::global>;

class message
{
public:
	constexpr message(const char *) noexcept
	{
	}
	message(const std::string &) noexcept
	{
	}
	constexpr message(const wchar_t *) noexcept
	{
	}
	message(const std::wstring &) noexcept
	{
	}
	template <typename D>
	message(const registered_string_in<D> &) noexcept
	{
	}
};

class payload
{
public:
	explicit constexpr payload(int64_t) noexcept
	{
	}
	explicit constexpr payload(int32_t) noexcept
	{
	}
	explicit constexpr payload(uint64_t) noexcept
	{
	}
	explicit constexpr payload(uint32_t) noexcept
	{
	}
	explicit constexpr payload(float) noexcept
	{
	}
	explicit constexpr payload(double) noexcept
	{
	}
};

/* Any of a message, a colour, a category and a payload, in any order. */
class event_attributes
{
public:
	constexpr event_attributes() noexcept = default;
	template <typename... Rest>
	explicit event_attributes(const message &, const Rest &...rest) noexcept : event_attributes(rest...)
	{
	}
	template <typename... Rest>
	explicit event_attributes(const color &, const Rest &...rest) noexcept : event_attributes(rest...)
	{
	}
	template <typename... Rest>
	explicit event_attributes(const category &, const Rest &...rest) noexcept : event_attributes(rest...)
	{
	}
	template <typename... Rest>
	explicit event_attributes(const payload &, const Rest &...rest) noexcept : event_attributes(rest...)
	{
	}
};

/* A range that ends with its scope. */
template <typename D = domain::global>
class scoped_range_in
{
public:
	scoped_range_in() noexcept
	{
	}
	explicit scoped_range_in(const event_attributes &) noexcept
	{
	}
	template <typename First, typename... Rest>
	explicit scoped_range_in(const First &first, const Rest &...rest) noexcept
	    : scoped_range_in(event_attributes{first, rest...})
	{
	}
	~scoped_range_in() noexcept
	{
	}
	scoped_range_in(const scoped_range_in &) = delete;
	scoped_range_in &operator=(const scoped_range_in &) = delete;
	void *operator new(size_t) = delete;
};
using scoped_range = scoped_range_in<domain::global>;

struct range_handle {
	using value_type = nvtxRangeId_t;

	constexpr explicit range_handle(value_type number = 0) noexcept : id{number}
	{
	}
	constexpr value_type get_value() const noexcept
	{
		return id;
	}
	constexpr explicit operator bool() const noexcept
	{
		return id != 0;
	}
	value_type id;
};
constexpr bool operator==(range_handle a, range_handle b) noexcept
{
	return a.id == b.id;
}
constexpr bool operator!=(range_handle a, range_handle b) noexcept
{
	return a.id != b.id;
}

/* `event_attributes` are made to see that the arguments are such. */
template <typename D = domain::global, typename... Args>
range_handle start_range_in(const Args &...args) noexcept
{
	event_attributes{args...};
	return range_handle{};
}
template <typename... Args>
range_handle start_range(const Args &...args) noexcept
{
	return start_range_in<domain::global>(args...);
}
template <typename D = domain::global>
void end_range_in(range_handle) noexcept
{
}
inline void end_range(range_handle) noexcept
{
}
template <typename D = domain::global, typename... Args>
void mark_in(const Args &...args) noexcept
{
	event_attributes{args...};
}
template <typename... Args>
void mark(const Args &...args) noexcept
{
	mark_in<domain::global>(args...);
}

/* A range that ends with the object, which may be moved. */
template <typename D = domain::global>
class unique_range_in
{
public:
	unique_range_in() noexcept
	{
	}
	explicit unique_range_in(const event_attributes &) noexcept
	{
	}
	template <typename First, typename... Rest>
	explicit unique_range_in(const First &first, const Rest &...rest) noexcept
	    : unique_range_in(event_attributes{first, rest...})
	{
	}
	~unique_range_in() noexcept
	{
	}
	unique_range_in(unique_range_in &&) noexcept
	{
	}
	unique_range_in &operator=(unique_range_in &&) noexcept
	{
		return *this;
	}
};
using unique_range = unique_range_in<domain::global>;

} // namespace v1
} // namespace nvtx3

#define NVTX3_FUNC_RANGE_IN(D)                                                                                         \
	const ::nvtx3::scoped_range_in<D> romark_nvtx3_range                                                           \
	{                                                                                                              \
		__func__                                                                                               \
	}
#define NVTX3_FUNC_RANGE() NVTX3_FUNC_RANGE_IN(::nvtx3::domain::global)
#define NVTX3_FUNC_RANGE_IF_IN(D, condition)                                                                           \
	const bool romark_nvtx3_wanted = (condition);                                                                  \
	(void)romark_nvtx3_wanted;                                                                                     \
	NVTX3_FUNC_RANGE_IN(D)
#define NVTX3_FUNC_RANGE_IF(condition) NVTX3_FUNC_RANGE_IF_IN(::nvtx3::domain::global, condition)
#define NVTX3_V1_FUNC_RANGE_IN NVTX3_FUNC_RANGE_IN
#define NVTX3_V1_FUNC_RANGE NVTX3_FUNC_RANGE
#define NVTX3_V1_FUNC_RANGE_IF_IN NVTX3_FUNC_RANGE_IF_IN
#define NVTX3_V1_FUNC_RANGE_IF NVTX3_FUNC_RANGE_IF

#endif
