/* Conversions and operators of the small floating-point classes, for compare.h. */
template <class F>
struct exactly : F {
	static const char *name()
	{
		return __PRETTY_FUNCTION__;
	}
	static unsigned units()
	{
		return 0;
	}
};

template <class To, class From>
struct cast {
	using type = To(From);
	static __device__ To call(From a)
	{
		return static_cast<To>(a);
	}
};

template <class... To, class From>
static void check_casts(From *, To *...)
{
	(check<exactly<cast<To, From>>>(), ...);
}

template <class C>
static void check_numbers()
{
	C *c = nullptr;

	check_casts(c, (bool *)0, (char *)0, (signed char *)0, (unsigned char *)0, (short *)0, (unsigned short *)0,
		    (int *)0, (unsigned *)0, (long *)0, (unsigned long *)0, (long long *)0, (unsigned long long *)0,
		    (float *)0);
	check_casts((short *)0, c);
	check_casts((unsigned short *)0, c);
	check_casts((int *)0, c);
	check_casts((unsigned *)0, c);
	check_casts((long *)0, c);
	check_casts((unsigned long *)0, c);
	check_casts((long long *)0, c);
	check_casts((unsigned long long *)0, c);
	check_casts((float *)0, c);
	check_casts((double *)0, c);
}

#define OPERATOR(name, result, op)                                                                                     \
	template <class T>                                                                                             \
	struct name {                                                                                                  \
		using type = result(T, T);                                                                             \
		static __device__ result call(T a, T b)                                                                \
		{                                                                                                      \
			return a op b;                                                                                 \
		}                                                                                                      \
	};
OPERATOR(sum, T, +)
OPERATOR(difference, T, -)
OPERATOR(product, T, *)
OPERATOR(quotient, T, /)
OPERATOR(is_equal, bool, ==)
OPERATOR(is_other, bool, !=)
OPERATOR(is_less, bool, <)
OPERATOR(is_at_most, bool, <=)
OPERATOR(is_more, bool, >)
OPERATOR(is_at_least, bool, >=)
template <class T>
struct negative {
	using type = T(T);
	static __device__ T call(T a)
	{
		return -a;
	}
};
template <class T>
struct next {
	using type = T(T);
	static __device__ T call(T a)
	{
		return ++a;
	}
};
template <class T>
struct previous {
	using type = T(T);
	static __device__ T call(T a)
	{
		return --a;
	}
};

template <class T>
static void check_operators()
{
	check<exactly<sum<T>>>();
	check<exactly<difference<T>>>();
	check<exactly<product<T>>>();
	check<exactly<quotient<T>>>();
	check<exactly<is_equal<T>>>();
	check<exactly<is_other<T>>>();
	check<exactly<is_less<T>>>();
	check<exactly<is_at_most<T>>>();
	check<exactly<is_more<T>>>();
	check<exactly<is_at_least<T>>>();
	check<exactly<negative<T>>>();
}

template <class One, class Two, class Four>
static void check_fp8()
{
	One *one = nullptr;
	Two *two = nullptr;
	Four *four = nullptr;

	check_numbers<One>();
	check_casts(one, (__half *)0, (__nv_bfloat16 *)0);
	check_casts((__half *)0, one);
	check_casts((__nv_bfloat16 *)0, one);
	check_casts(two, (float2 *)0, (__half2 *)0);
	check_casts((float2 *)0, two);
	check_casts((double2 *)0, two);
	check_casts((__half2 *)0, two);
	check_casts((__nv_bfloat162 *)0, two);
	check_casts(four, (float4 *)0);
	check_casts((float4 *)0, four);
}

static void check_classes()
{
	check_numbers<__half>();
	check_numbers<__nv_bfloat16>();
	check_operators<__half>();
	check_operators<__half2>();
	check_operators<__nv_bfloat16>();
	check_operators<__nv_bfloat162>();
	check<exactly<next<__half>>>();
	check<exactly<next<__nv_bfloat16>>>();
	check<exactly<previous<__half>>>();
	check<exactly<previous<__nv_bfloat16>>>();
	check_fp8<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>();
	check_fp8<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>();
}
