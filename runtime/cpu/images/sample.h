/*
 * Texture fetching: from coordinates to texels with weights, and from these to a value.
 *
 *   sample_locate(image, &point, &texels);   // which texels; their memory is not touched
 *   sample_read(image, &texels, value);      // four words: floats, or integers as the image has them
 *
 * The rules follow the section on texture fetching in the CUDA C++ Programming Guide.
 */
#ifndef ROMARK_CPU_SAMPLE_H
#define ROMARK_CPU_SAMPLE_H

#include "runtime/device/device.h"

enum image_geometry { IMAGE_1D, IMAGE_2D, IMAGE_3D, IMAGE_A1D, IMAGE_A2D, IMAGE_CUBE, IMAGE_ACUBE };

/* Two neighbours in each of three dimensions, in two mipmap levels. */
enum { MAX_TEXELS = 16, GATHERED_TEXELS = 4 };

/* The coordinates of a lane's fetch. */
struct sample_point {
	enum image_geometry geometry;
	bool by_index;      /* `index` counts; else `at` */
	int32_t index[3];   /* texel numbers */
	float at[3];        /* coordinates, or the direction in a cube map */
	uint32_t layer;     /* for layered images */
	float level;        /* mipmap level, before bias and limits */
	bool has_gradient;  /* `level` comes from these */
	float dx[3], dy[3]; /* change of the coordinates from pixel to pixel */
};

struct texel {
	uint64_t address; /* 0: outside, the border's colour */
	double weight;    /* a multiple of 2^-24, or 2^-32 between levels: exact, as products with floats nearly are */
};

struct texels {
	unsigned count;
	struct texel texel[MAX_TEXELS];
};

/* Dimensions that coordinates have; layers and faces do not count. */
unsigned geometry_dimensions(enum image_geometry geometry);
void sample_locate(const struct device_image *image, const struct sample_point *point, struct texels *texels);
/* The four texels of a linear filter, in the order of tld4's results. */
void sample_locate_gather(const struct device_image *image, const struct sample_point *point, struct texels *texels);
/* All texels must be accessible. Channels that the image lacks are 0. */
void sample_read(const struct device_image *image, const struct texels *texels, uint32_t value[4]);
/* Channel `channel` of each of four texels. */
void sample_gather(const struct device_image *image, const struct texels *texels, unsigned channel, uint32_t value[4]);

#endif
