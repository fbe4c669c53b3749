/*
 * The water in columns of air, with the shape of WSM5, the weather prediction of the ISPASS-2009 suite: a thread for
 * each column, in blocks of 8 x 8, which goes over its 28 levels many times. Ten fields are in global memory, where a
 * warp's load touches four rows of eight words. Twenty quantities of each level are in arrays of the thread's own, in
 * local memory: 2.2 KB for each thread and 70 KB for each warp, which no L1 holds. The physics are simplified: vapour
 * condenses, drops and flakes grow, fall, melt, freeze and evaporate, with none of it sudden.
 *
 *   weather [small|study|SIDE], SIDE x SIDE columns
 *
 * The size `study` is 64: 4096 columns.
 */
#include "../common/arrays.h"
#include "../common/size.h"
#include "formulas.h"
#include "reference.h"

enum { LEVELS = 28, BLOCK = 8, SMALL = 12 };

#define STEP 60.0f        /* seconds */
#define MINOR_STEP 120.0f /* at most this at once */

/* The fields, all [row][level][column]. */
struct air {
	float *potential, *exner, *vapour, *cloud, *ice, *rain, *snow, *density, *pressure, *thickness;
};

/* Water that has reached the ground, in all and in this step, and the share of snow. */
struct ground {
	float *all, *all_snow, *now, *now_snow, *share;
};

struct drops {
	float slope[LEVELS], power[LEVELS], squared[LEVELS], cubed[LEVELS], fall[LEVELS];
};

/* A thread's working values of its column. */
struct column {
	float temperature[LEVELS], heat[LEVELS], latent[LEVELS];
	float water_saturation[LEVELS], ice_saturation[LEVELS], water_humidity[LEVELS], ice_humidity[LEVELS];
	float crystals[LEVELS], snow_factor[LEVELS], lightness[LEVELS];
	drops rain, snow;
	int base, stride; /* of its levels in the fields */

	__device__ int at(int level) const
	{
		return base + level * stride;
	}
};

__device__ void begin(const air &a, column &c, int levels)
{
	for (int k = 0; k < levels; k++)
		c.temperature[k] = a.potential[c.at(k)] * a.exner[c.at(k)];
	for (int k = 0; k < levels; k++) {
		a.cloud[c.at(k)] = fmaxf(a.cloud[c.at(k)], 0);
		a.ice[c.at(k)] = fmaxf(a.ice[c.at(k)], 0);
		a.rain[c.at(k)] = fmaxf(a.rain[c.at(k)], 0);
		a.snow[c.at(k)] = fmaxf(a.snow[c.at(k)], 0);
	}
	for (int k = 0; k < levels; k++) {
		float vapour = fmaxf(a.vapour[c.at(k)], (float)LEAST);

		c.heat[k] = (float)HEAT_DRY * (1 - vapour) + vapour * (float)HEAT_VAPOUR;
		c.latent[k] = (float)LATENT_VAPOUR - 3472.5f * (c.temperature[k] - (float)FREEZING);
	}
}

__device__ void saturate(const air &a, column &c, int levels)
{
	for (int k = 0; k < levels; k++) {
		float pressure = a.pressure[c.at(k)], t = c.temperature[k], vapour = a.vapour[c.at(k)];

		c.water_saturation[k] = saturation(t, pressure, false);
		c.water_humidity[k] = fmaxf(vapour / c.water_saturation[k], (float)LEAST);
		c.ice_saturation[k] = saturation(t, pressure, t < (float)TRIPLE);
		c.ice_humidity[k] = fmaxf(vapour / c.ice_saturation[k], (float)LEAST);
	}
}

__device__ void set_slopes(column &c, int k, float rain, float snow, float density)
{
	float r = slope_of(rain, density, RAIN_NUMBER, 1.0f, 1000, 1.25e-5);
	float s = slope_of(snow, density, SNOW_NUMBER, c.snow_factor[k], 100, 1e-5);

	c.rain.slope[k] = r;
	c.rain.power[k] = exp(log(r) * 0.8f);
	c.rain.squared[k] = r * r;
	c.rain.cubed[k] = c.rain.squared[k] * r;
	c.snow.slope[k] = s;
	c.snow.power[k] = exp(log(s) * 0.41f);
	c.snow.squared[k] = s * s;
	c.snow.cubed[k] = c.snow.squared[k] * s;
}

/*
 * Returns the number of parts that the step is divided into, so that in no part anything falls through a whole level.
 */
__device__ int set_fall(const air &a, column &c, int levels, float step)
{
	int parts = 1;

	for (int k = 0; k < levels; k++) {
		float density = a.density[c.at(k)], thickness = a.thickness[c.at(k)];

		c.snow_factor[k] = snow_factor((float)FREEZING - c.temperature[k]);
		set_slopes(c, k, a.rain[c.at(k)], a.snow[c.at(k)], density);
		c.lightness[k] = sqrt((float)DENSITY / density);
		c.rain.fall[k] = 2500.0f * c.rain.power[k] * c.lightness[k] / thickness;
		c.snow.fall[k] = 20.05f * c.snow.power[k] * c.lightness[k] / thickness;
		parts = max(parts, (int)(fmaxf(c.rain.fall[k], c.snow.fall[k]) * step + 1));
		c.crystals[k] = crystals_of(a.ice[c.at(k)], density);
	}
	return parts;
}

/* Moves water down by a part of a step; returns the water that reaches the ground. */
__device__ float fall_once(float *water, const float *fall, const air &a, const column &c, int levels, float part)
{
	float above = 0, thickness_above = 0;

	for (int k = levels - 1; k >= 0; k--) {
		float thickness = a.thickness[c.at(k)], density = a.density[c.at(k)];
		float out = density * water[c.at(k)] * fall[k];

		water[c.at(k)] =
		    fmaxf(water[c.at(k)] - (out - above * thickness_above / thickness) * part / density, 0);
		above = out;
		thickness_above = thickness;
	}
	return above * thickness_above * part;
}

__device__ void melt_snow(const air &a, column &c, int levels, float part)
{
	for (int k = levels - 1; k >= 0; k--) {
		float t = c.temperature[k], density = a.density[c.at(k)], snow = a.snow[c.at(k)], melting;

		if (t <= (float)FREEZING || snow <= 0)
			continue;
		melting =
		    1414 * viscosity(t, density) * density / (float)LATENT_MELTING * (t - (float)FREEZING) *
		    (float)M_PI_2 * c.snow_factor[k] *
		    (5.2e6f * c.snow.squared[k] + 1.868e7f * ventilation(a.pressure[c.at(k)], t, density) *
						      c.snow.squared[k] * sqrt(c.snow.slope[k] * c.snow.power[k]));
		melting = fminf(melting * part, snow);
		a.snow[c.at(k)] = snow - melting;
		a.rain[c.at(k)] += melting;
		c.temperature[k] -= (float)LATENT_MELTING / c.heat[k] * melting;
	}
}

/* The fall speeds of rain are of no more use by now. */
__device__ int set_ice_fall(const air &a, column &c, int levels, float step)
{
	int parts = 1;

	for (int k = levels - 1; k >= 0; k--) {
		float mass = a.density[c.at(k)] * a.ice[c.at(k)] / c.crystals[k];
		float diameter = fmaxf(fminf(11.9f * sqrt(mass), 5e-4f), 1e-25f);

		c.rain.fall[k] = 1.49e4f * exp(log(diameter) * 1.31f) / a.thickness[c.at(k)];
		parts = max(parts, (int)(c.rain.fall[k] * step + 1));
	}
	return parts;
}

/* Rates of change of a level, each from a kind of water to another. */
struct rates {
	float cloud_to_rain, cloud_onto_rain, cloud_onto_snow, vapour_to_rain, vapour_to_ice, vapour_to_snow;
	float ice_to_snow, ice_onto_snow;
};

struct level {
	float t, vapour, cloud, ice, rain, snow, density, pressure, heat, latent;
};

/* Freezes and melts what is on the wrong side of freezing. */
__device__ void freeze(level &l, float rain_slope, float step)
{
	float cold = (float)FREEZING - l.t, melting = ((float)LATENT_SUBLIMATION - l.latent) / l.heat, much;

	if (cold < 0) {
		much = l.ice * fminf(1, -cold);
		l.ice -= much;
		l.cloud += much;
		l.t -= melting * much;
	}
	if (cold > 40) {
		much = l.cloud * fminf(1, cold - 40);
		l.cloud -= much;
		l.ice += much;
		l.t += melting * much;
	}
	if (cold > 0) {
		float seeds = 100 * (exp(0.66f * cold) - 1), power = rain_slope * rain_slope * rain_slope;

		much = fminf(seeds * l.density / 3e11f * l.cloud * l.cloud * step, l.cloud);
		l.cloud -= much;
		l.ice += much;
		l.t += melting * much;
		much = fminf(1.579e12f / l.density * step * seeds * (power * power * rain_slope), l.rain);
		l.rain -= much;
		l.snow += much;
		l.t += melting * much;
	}
}

/* Cloud that joins rain and snow, and rain that evaporates or grows. */
__device__ void warm_rates(rates &r, const level &l, const column &c, int k, float step)
{
	float excess = (fmaxf(l.vapour, (float)LEAST) - c.water_saturation[k]) / step;
	float grown = c.rain.squared[k] * sqrt(c.rain.slope[k] * c.rain.power[k]);

	if (l.cloud > (float)CLOUD_LIMIT)
		r.cloud_to_rain = fminf(6.77f * (exp(log(l.cloud) * (7 / 3.0f)) - 2.0e-8f), l.cloud / step);
	r.cloud_to_rain = fmaxf(r.cloud_to_rain, 0);
	if (l.rain > (float)LEAST_FALLING && l.cloud > (float)LEAST)
		r.cloud_onto_rain =
		    fminf(2.48e10f * c.rain.cubed[k] * c.rain.power[k] * l.cloud * c.lightness[k], l.cloud / step);
	if (l.rain > 0) {
		float rate = (c.water_humidity[k] - 1) *
			     (3.92e7f * c.rain.squared[k] + 8.26e8f * ventilation(l.pressure, l.t, l.density) * grown) /
			     resistance(l.latent, l.pressure, l.t, l.density, c.water_saturation[k]);

		r.vapour_to_rain = rate < 0 ? fmaxf(fmaxf(rate, -l.rain / step), excess / 2) : fminf(rate, excess / 2);
	}
	if (l.snow > (float)LEAST_FALLING && l.cloud > (float)LEAST)
		r.cloud_onto_snow =
		    fminf(5.54e6f * c.snow_factor[k] * c.snow.cubed[k] * c.snow.power[k] * l.cloud * c.lightness[k],
			  l.cloud / step);
}

/* A rate of growth out of vapour, or of loss to it, that takes no more than half of what is too much or too little. */
__device__ float limited(float rate, float excess, float stock, float step)
{
	return rate < 0 ? fmaxf(fmaxf(rate, excess / 2), -stock / step) : fminf(rate, excess / 2);
}

/* `share` is 0 at freezing and 1 from a degree below on. */
__device__ void cold_rates(rates &r, const level &l, column &c, int k, float step, float share)
{
	float excess = (fmaxf(l.vapour, (float)LEAST) - c.ice_saturation[k]) / step, cold = (float)FREEZING - l.t;
	float resist = resistance((float)LATENT_SUBLIMATION, l.pressure, l.t, l.density, c.ice_saturation[k]);
	float growth = share * (c.ice_humidity[k] - 1) / resist, diameter, squared, speed;
	float grown = c.snow.squared[k] * sqrt(c.snow.slope[k] * c.snow.power[k]);

	c.crystals[k] = crystals_of(l.ice, l.density);
	diameter = fminf(11.9f * sqrt(l.density * l.ice / c.crystals[k]), 5e-4f);
	if (l.snow > (float)LEAST_FALLING && l.ice > (float)LEAST) {
		speed = 20.05f * c.snow.power[k] * c.lightness[k] - 1.49e4f * exp(log(diameter) * 1.31f);
		squared =
		    2 * c.snow.cubed[k] + 2 * diameter * c.snow.squared[k] + diameter * diameter * c.snow.slope[k];
		r.ice_onto_snow = share * (float)(M_PI_4 * SNOW_NUMBER) * l.ice * exp(-0.07f * cold) *
				  c.snow_factor[k] * fabsf(speed) * squared;
	}
	if (l.ice > 0)
		r.vapour_to_ice = limited(4 * diameter * c.crystals[k] * growth, excess, l.ice, step);
	if (l.snow > 0)
		r.vapour_to_snow = limited(
		    c.snow_factor[k] * growth *
			(5.2e6f * c.snow.squared[k] + 1.868e7f * ventilation(l.pressure, l.t, l.density) * grown),
		    excess, l.snow, step);
	r.ice_to_snow = share * fmaxf(0, (l.ice - (float)MOST_ICE / l.density) / step);
}

/* No more cloud and ice than there is may go. */
__device__ void conserve(rates &r, const level &l, float step)
{
	float cloud = (r.cloud_to_rain + r.cloud_onto_rain + r.cloud_onto_snow) * step;
	float ice = (r.ice_to_snow + r.ice_onto_snow - r.vapour_to_ice) * step;

	if (cloud > fmaxf(l.cloud, (float)LEAST)) {
		float factor = l.cloud / cloud;

		r.cloud_to_rain *= factor;
		r.cloud_onto_rain *= factor;
		r.cloud_onto_snow *= factor;
	}
	if (ice > fmaxf(l.ice, (float)LEAST)) {
		float factor = l.ice / ice;

		r.ice_to_snow *= factor;
		r.ice_onto_snow *= factor;
		r.vapour_to_ice *= factor;
	}
}

__device__ void apply(level &l, const rates &r, float step, float share)
{
	float frozen = r.vapour_to_ice + r.vapour_to_snow, to_snow = r.cloud_onto_snow * share;

	l.vapour -= (r.vapour_to_rain + frozen) * step;
	l.cloud = fmaxf(l.cloud - (r.cloud_to_rain + r.cloud_onto_rain + r.cloud_onto_snow) * step, 0);
	l.rain = fmaxf(
	    l.rain + (r.cloud_to_rain + r.cloud_onto_rain + r.cloud_onto_snow - to_snow + r.vapour_to_rain) * step, 0);
	l.ice = fmaxf(l.ice - (r.ice_to_snow + r.ice_onto_snow - r.vapour_to_ice) * step, 0);
	l.snow = fmaxf(l.snow + (r.vapour_to_snow + r.ice_to_snow + r.ice_onto_snow + to_snow) * step, 0);
	l.t += ((float)LATENT_SUBLIMATION * frozen + l.latent * r.vapour_to_rain +
		((float)LATENT_SUBLIMATION - l.latent) * to_snow) /
	       l.heat * step;
}

/* Cloud condenses from what vapour is too much, or evaporates into what is too little. */
__device__ void condense(level &l)
{
	float saturated = saturation(l.t, l.pressure, false);
	float much = (fmaxf(l.vapour, (float)LEAST) - saturated) /
		     (1 + l.latent * l.latent / ((float)GAS_VAPOUR * l.heat) * saturated / (l.t * l.t));

	much = much > 0 ? fminf(much, l.vapour) : fmaxf(much, -l.cloud);
	l.vapour -= much;
	l.cloud = fmaxf(l.cloud + much, 0);
	l.t += much * l.latent / l.heat;
}

__device__ void change(const air &a, column &c, int k, float step)
{
	int at = c.at(k);
	level l = {c.temperature[k], a.vapour[at],  a.cloud[at],    a.ice[at], a.rain[at],
		   a.snow[at],       a.density[at], a.pressure[at], c.heat[k], c.latent[k]};
	rates r = {};
	float share;

	freeze(l, c.rain.slope[k], step);
	share = fminf(fmaxf((float)FREEZING - l.t, 0), 1);
	c.snow_factor[k] = snow_factor((float)FREEZING - l.t);
	set_slopes(c, k, l.rain, l.snow, l.density);
	warm_rates(r, l, c, k, step);
	if (share > 0)
		cold_rates(r, l, c, k, step, share);
	conserve(r, l, step);
	apply(l, r, step, share);
	condense(l);
	a.vapour[at] = l.vapour;
	c.temperature[k] = l.t;
	a.rain[at] = l.rain;
	a.cloud[at] = l.cloud;
	a.snow[at] = l.snow;
	a.ice[at] = l.ice;
}

__device__ void record(const ground &g, int at, float rain, float frozen)
{
	g.now[at] = rain + frozen;
	g.all[at] += rain + frozen;
	g.now_snow[at] = frozen;
	g.all_snow[at] += frozen;
	g.share[at] = frozen / (rain + frozen + 1e-12f);
}

__global__ void advance(air a, ground g, int width, int height, int levels, float whole)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	int minor = max((int)(whole / MINOR_STEP + 0.5f), 1);
	float step = whole / minor;
	column c;

	if (x >= width || y >= height)
		return;
	c.base = x + y * width * levels;
	c.stride = width;
	begin(a, c, levels);
	for (int i = 0; i < minor; i++) {
		float rain = 0, frozen = 0;
		int parts;

		saturate(a, c, levels);
		parts = set_fall(a, c, levels, step);
		for (int part = 0; part < parts; part++) {
			rain += fall_once(a.rain, c.rain.fall, a, c, levels, step / parts);
			frozen += fall_once(a.snow, c.snow.fall, a, c, levels, step / parts);
			melt_snow(a, c, levels, step / parts);
		}
		parts = set_ice_fall(a, c, levels, step);
		for (int part = 0; part < parts; part++)
			frozen += fall_once(a.ice, c.rain.fall, a, c, levels, step / parts);
		record(g, x + y * width, rain, frozen);
		for (int k = 0; k < levels; k++)
			change(a, c, k, step);
	}
	for (int k = 0; k < levels; k++)
		a.potential[c.at(k)] = c.temperature[k] / a.exner[c.at(k)];
}

struct weather {
	int side;
	array<float> potential, exner, water[KINDS], density, pressure, thickness;
	array<float> all, all_snow, now, now_snow, share;

	explicit weather(int columns)
	    : side(columns), potential(count()), exner(count()),
	      water{array<float>(count()), array<float>(count()), array<float>(count()), array<float>(count()),
		    array<float>(count())},
	      density(count()), pressure(count()), thickness(count()), all(side * side), all_snow(side * side),
	      now(side * side), now_snow(side * side), share(side * side)
	{
		unsigned state = 1;

		for (int y = 0; y < side; y++)
			for (int x = 0; x < side; x++)
				generate(x, y, &state);
		for (const array<float> *a : {&potential, &exner, &density, &pressure, &thickness, &all, &all_snow})
			a->upload();
		for (const array<float> &a : water)
			a.upload();
	}
	size_t count() const
	{
		return (size_t)side * side * LEVELS;
	}
	size_t at(int x, int y, int level) const
	{
		return ((size_t)y * LEVELS + level) * side + x;
	}
	air fields() const
	{
		return {potential.device,  exner.device,       water[VAPOUR].device, water[CLOUD].device,
			water[ICE].device, water[RAIN].device, water[SNOW].device,   density.device,
			pressure.device,   thickness.device};
	}
	cells cells_of(int x, int y) const
	{
		cells column(LEVELS);

		for (int k = 0; k < LEVELS; k++) {
			size_t i = at(x, y, k);
			cell &c = column[k];

			c.exner = exner.host[i];
			c.t = potential.host[i] * c.exner;
			for (int kind = 0; kind < KINDS; kind++)
				c.water[kind] = water[kind].host[i];
			c.density = density.host[i];
			c.pressure = pressure.host[i];
			c.thickness = thickness.host[i];
		}
		return column;
	}

private:
	/* Colder and thinner upwards, damp, and with some of everything that falls. */
	void generate(int x, int y, unsigned *state)
	{
		double ground = 280 + 20 * next_random(state), height = 0, damp = 0.6 + 0.45 * next_random(state);
		bool is_cloudy = next_random(state) < 0.6f;

		for (int k = 0; k < LEVELS; k++) {
			size_t i = at(x, y, k);
			double thick = 300 + 20 * k, t = std::fmax(ground - 0.0065 * (height + thick / 2), 210);

			thickness.host[i] = (float)thick;
			pressure.host[i] = (float)(1e5 * std::exp(-(height + thick / 2) / 8000));
			density.host[i] = (float)(pressure.host[i] / (287 * t));
			exner.host[i] = (float)std::pow(pressure.host[i] / 1e5, 0.2857);
			potential.host[i] = (float)t / exner.host[i];
			water[VAPOUR].host[i] = (float)(damp * saturation<double>(t, pressure.host[i], t < FREEZING));
			if (is_cloudy) {
				water[CLOUD].host[i] = t > 240 ? 1e-3f * next_random(state) : 0;
				water[RAIN].host[i] = t > 265 ? 1e-3f * next_random(state) : 0;
				water[ICE].host[i] = t < 270 ? 2e-4f * next_random(state) : 0;
				water[SNOW].host[i] = t < 275 ? 1e-3f * next_random(state) : 0;
			}
			height += thick;
		}
	}
};

static void advance_all_on_cpu(weather &w)
{
	for (int y = 0; y < w.side; y++)
		for (int x = 0; x < w.side; x++) {
			cells column = w.cells_of(x, y);
			std::pair<double, double> fallen = advance_on_cpu(column, STEP);
			int here = y * w.side + x;

			for (int k = 0; k < LEVELS; k++) {
				size_t i = w.at(x, y, k);

				w.potential.host[i] = (float)(column[k].t / column[k].exner);
				for (int kind = 0; kind < KINDS; kind++)
					w.water[kind].host[i] = (float)column[k].water[kind];
			}
			w.all.host[here] = w.now.host[here] = (float)(fallen.first + fallen.second);
			w.all_snow.host[here] = w.now_snow.host[here] = (float)fallen.second;
			w.share.host[here] = (float)(fallen.second / (fallen.first + fallen.second + 1e-12));
		}
}

/* The number of values that are off by more than a ten thousandth of the largest. */
static int wrong_values(const array<float> &a)
{
	std::vector<float> device = a.download();
	float largest = 0;
	int wrong = 0;

	for (float value : a.host)
		largest = std::max(largest, std::fabs(value));
	for (size_t i = 0; i < device.size(); i++)
		wrong += !(std::fabs(device[i] - a.host[i]) <= 1e-4f * largest);
	return wrong;
}

int main(int argc, char **argv)
{
	static const char usage[] = "weather [small|study|SIDE], SIDE at most 1024";
	int side = small_or_study(argc, argv, SMALL, 64, usage), blocks = (side + BLOCK - 1) / BLOCK, wrong = 0;

	if (side > 1024) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	weather w(side);
	ground g = {w.all.device, w.all_snow.device, w.now.device, w.now_snow.device, w.share.device};

	advance<<<dim3(blocks, blocks), dim3(BLOCK, BLOCK)>>>(w.fields(), g, side, side, LEVELS, STEP);
	CHECK(cudaGetLastError());
	advance_all_on_cpu(w);
	for (const array<float> *a : {&w.potential, &w.all, &w.all_snow, &w.now, &w.now_snow, &w.share})
		wrong += wrong_values(*a);
	for (const array<float> &a : w.water)
		wrong += wrong_values(a);
	printf("weather: %d columns, %d wrong\n", side * side, wrong);
	return wrong != 0;
}
