/* A program without romark: the calls do nothing, and succeed. */
#include <romark.h>

int main(void)
{
	char memory[512];

	return romark_region(memory, sizeof memory, NULL) || romark_region(memory, sizeof memory, NULL) ||
	       romark_region_end(memory, NULL);
}
