/* Device printf prints what the host's does with the same arguments, and returns the number of these. */
#include "expect.h"

#include <climits>
#include <cstdint>
#include <cstring>
#include <string>
#include <unistd.h>

/* Each call P(FORMAT, ARGUMENTS...) of the list prints a line or a part of one. */
#define PRINT_ALL(P)                                                                                                   \
	P("plain text and 100%%\n")                                                                                    \
	P("[%d|%5d|%-5d|%+d|% d|%05d|%.3d|%i]\n", 42, 42, 42, 42, 42, 42, 7, -1)                                       \
	P("[%x|%X|%#x|%#X|%o|%#o|%u|%08x]\n", 255, 255, 255, 255, 64, 8, 4000000000u, 0xbeef)                          \
	P("[%f|%F|%.0f|%#.0f|%10.3f|%-10.3f|%+.2e|%E]\n", 3.14159, 1e3, 2.5, 2.5, 2.71828, 2.71828, 12345.678, -0.0)   \
	P("[%g|%G|%#g|%g|%a|%A|%.3a]\n", 1e-10, 1e20, 1.0, 100000.0, 1.0, 0.1, 0.1)                                    \
	P("[%f|%f|%F|%5.1f|%05.1f]\n", 1.0 / zero, -1.0 / zero, -1.0 / zero, 1.0 / zero, 1.0 / zero)                   \
	P("[%c|%5c|%-3c|%c]\n", 'a', 'b', 'c', 256 + 'd')                                                              \
	P("[%s|%10s|%-10s|%.2s|%10.2s|%.0s|%.*s|%s]\n", "abc", "abc", "abc", "abc", "abc", "abc", -1, "abc", none)     \
	P("[%hd|%hd|%hhd|%hhd|%hu|%hhu|%hx|%hho]\n", 70000, -70000, 300, 200, 70000, 511, 0x12345, 0777)               \
	P("[%ld|%lld|%llu|%llx|%lx]\n", -5L, -5000000000LL, 18446744073709551615ULL, 0xdeadbeefcafeULL, LONG_MIN)      \
	P("[%zu|%zd|%jd|%td]\n", sizeof(int), (size_t)3, (intmax_t) - 1, (ptrdiff_t)-2)                                \
	P("[%*d|%-*d|%*d|%.*f|%.*f|%*.*e]\n", 6, 42, 6, 42, -6, 42, 3, 1.0, -3, 1.0, 12, -1, 1.5)                      \
	P("[%.*d|%.*x|%.*g|%-+ #012.5d|%+-+-8d]\n", -1, 5, INT_MIN, 255, -7, 1e-3, 42, 42)                             \
	P("[%070000d|%.70000f]\n", 7, 0.1)                                                                             \
	P("[%d|%99999999999d|%d]\n", 1, 2, 3)                                                                          \
	P("\n[%.*d|%.99999999999d]\n", 3, 1, 2)

#define ON_DEVICE(...) printf(__VA_ARGS__);
__global__ void print(double zero, const char *none){PRINT_ALL(ON_DEVICE)}

__global__ void count(int *results)
{
	results[0] = printf("");
	results[1] = printf("%d %*d %s %f\n", 1, 2, 3, "text", 5.0);
	results[2] = printf(nullptr);
}

/* The standard output is a file meanwhile. */
template <class F>
static std::string printed(F action)
{
	FILE *file = tmpfile();
	std::string text;
	char part[4096];
	int kept;

	fflush(stdout);
	kept = dup(1);
	dup2(fileno(file), 1);
	action();
	fflush(stdout);
	dup2(kept, 1);
	close(kept);
	rewind(file);
	for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;)
		text.append(part, n);
	fclose(file);
	return text;
}

static void compare(const std::string &device, const std::string &host)
{
	size_t at = 0;

	EXPECT(device == host);
	while (at < host.size() && at < device.size() && host[at] == device[at])
		at++;
	if (device != host)
		printf("from byte %zu on the device prints\n%.60s\nand the host\n%.60s\n", at, device.c_str() + at,
		       host.c_str() + at);
}

int main()
{
	int *results;

	compare(printed([] {
			print<<<1, 1>>>(0.0, nullptr);
			EXPECT(cudaDeviceSynchronize() == cudaSuccess);
		}),
		printed([] {
			volatile double zero = 0;
			const char *volatile none = nullptr;
			PRINT_ALL(ON_DEVICE)
		}));
	cudaMallocManaged(&results, 3 * sizeof *results);
	printed([=] {
		count<<<1, 1>>>(results);
		EXPECT(cudaDeviceSynchronize() == cudaSuccess);
	});
	EXPECT(results[0] == 0 && results[1] == 5 && results[2] == -1);
	if (wrong == 0)
		puts("ok");
	return wrong;
}
