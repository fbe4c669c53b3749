/*
 * The colours of figures: a ramp that grows lighter step by step, so that series differ in print without colours and
 * for people who see few of them. In pages each colour is a variable of CSS, which has another value on dark ground.
 */
#ifndef ROMARK_STUDY_REPORT_THEME_H
#define ROMARK_STUDY_REPORT_THEME_H

#include <stddef.h>

enum { THEME_STEPS = 16 };

struct theme_colour {
	const char *variable; /* "--ink" */
	const char *light, *dark;
};

/* Text and axes, grid lines, ground, then the steps of the ramp from dark to light. */
enum { THEME_INK, THEME_FAINT, THEME_GROUND, THEME_RAMP, THEME_COLOURS = THEME_RAMP + THEME_STEPS };
extern const struct theme_colour theme[THEME_COLOURS];

/* The colour of series `i` of `count`, as a member of `theme`. */
size_t theme_series(size_t i, size_t count);

#endif
