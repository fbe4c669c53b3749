/* A step of srad on the CPU. */
#ifndef ROMARK_SAMPLES_IMAGE_H
#define ROMARK_SAMPLES_IMAGE_H

#include "../common/arrays.h"
#include "../common/size.h"

#include <algorithm>
#include <cmath>
#include <vector>

#define RATE 0.5f

static void exponential(std::vector<float> &image)
{
	for (float &value : image)
		value = std::exp(value);
}

/* The speckle of `count` pixels: their variance relative to the square of their mean. */
static float speckle(double sum, double squares, int count)
{
	double mean = sum / count;

	return (float)((squares / count - mean * mean) / (mean * mean));
}

/* That of an image's upper left corner of `height` by `width` pixels. */
static float corner_speckle(const std::vector<float> &image, int columns, int height, int width)
{
	double sum = 0, squares = 0;

	for (int row = 0; row < height; row++)
		for (int column = 0; column < width; column++) {
			double value = image[(size_t)row * columns + column];

			sum += value;
			squares += value * value;
		}
	return speckle(sum, squares, height * width);
}

/* Differences from a pixel to its neighbours above, below, left and right. Beyond an edge the difference is 0. */
struct slopes {
	double above, below, left, right;
};

static slopes slopes_at(const std::vector<float> &image, int rows, int columns, int row, int column)
{
	auto pixel = [&](int r, int c) {
		r = std::min(std::max(r, 0), rows - 1);
		c = std::min(std::max(c, 0), columns - 1);
		return (double)image[(size_t)r * columns + c];
	};
	double here = pixel(row, column);

	return {pixel(row - 1, column) - here, pixel(row + 1, column) - here, pixel(row, column - 1) - here,
		pixel(row, column + 1) - here};
}

static double coefficient_on_cpu(double here, const slopes &s, double q0)
{
	double length = s.above * s.above + s.below * s.below + s.left * s.left + s.right * s.right;
	double bend = (s.above + s.below + s.left + s.right) / here, turn = 1 + bend / 4;
	double q = (length / (here * here) / 2 - bend * bend / 16) / (turn * turn);

	return std::min(std::max(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0.0), 1.0);
}

/* The image may as well be stored by columns, since both directions are treated alike. */
static void step_on_cpu(std::vector<float> &image, int rows, int columns, double q0)
{
	std::vector<double> coefficients(image.size());
	std::vector<float> before = image;

	for (int row = 0; row < rows; row++)
		for (int column = 0; column < columns; column++) {
			size_t me = (size_t)row * columns + column;

			coefficients[me] =
			    coefficient_on_cpu(before[me], slopes_at(before, rows, columns, row, column), q0);
		}
	for (int row = 0; row < rows; row++)
		for (int column = 0; column < columns; column++) {
			size_t me = (size_t)row * columns + column;
			slopes s = slopes_at(before, rows, columns, row, column);
			double below = coefficients[row == rows - 1 ? me : me + columns];
			double right = coefficients[column == columns - 1 ? me : me + 1];

			image[me] = (float)(before[me] + RATE / 4 *
							     (coefficients[me] * (s.above + s.left) + below * s.below +
							      right * s.right));
		}
}

#endif
