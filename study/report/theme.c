/* Two ramps of the same order: on dark ground the darkest step is still lighter than the ground. */
#include "study/report/theme.h"

const struct theme_colour theme[THEME_COLOURS] = {
    {"--ink", "#1b1f24", "#e6e8eb"}, {"--faint", "#d0d4d9", "#3a4048"}, {"--ground", "#ffffff", "#14171b"},
    {"--r0", "#122a5c", "#3460a8"},  {"--r1", "#173969", "#346cab"},    {"--r2", "#1d4876", "#3477ae"},
    {"--r3", "#225782", "#3483b2"},  {"--r4", "#28658d", "#368fb3"},    {"--r5", "#2f738f", "#3f9ab1"},
    {"--r6", "#378192", "#48a5ae"},  {"--r7", "#3e8f95", "#51b0ab"},    {"--r8", "#4d9c92", "#61baa5"},
    {"--r9", "#64a88a", "#77c29b"},  {"--r10", "#7ab582", "#8dca91"},   {"--r11", "#90c17a", "#a3d287"},
    {"--r12", "#a9ca7a", "#b9d988"}, {"--r13", "#c2d27d", "#cfdf8c"},   {"--r14", "#dbda7f", "#e6e691"},
    {"--r15", "#f4e282", "#fcec96"},
};

/* Only figures with many series use the lightest steps: light bars on a light ground are hard to see. */
size_t theme_series(size_t i, size_t count)
{
	size_t last = count < 2 ? 4 : count < 4 ? 12 : THEME_STEPS - 1;

	if (count < 2)
		return THEME_RAMP + last;
	return THEME_RAMP + (i % count) * last / (count - 1);
}
