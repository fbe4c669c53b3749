/* The column of air on the host, in double precision, level by level, a change between two kinds of water at a time. */
#ifndef ROMARK_SAMPLES_REFERENCE_H
#define ROMARK_SAMPLES_REFERENCE_H

#include "formulas.h"

#include <algorithm>
#include <utility>
#include <vector>

enum kind { VAPOUR, CLOUD, ICE, RAIN, SNOW, KINDS };

struct cell {
	double t, water[KINDS], density, pressure, exner, thickness, heat, latent;
	double water_saturation, ice_saturation, water_humidity, ice_humidity, rain_slope, snow_slope, snow_factor,
	    fall;

	void turn(kind from, kind to, double much, double warmth)
	{
		water[from] -= much;
		water[to] += much;
		t += warmth * much / heat;
	}
	double cold() const
	{
		return FREEZING - t;
	}
	void measure_drops()
	{
		snow_factor = ::snow_factor(cold());
		rain_slope = slope_of(water[RAIN], density, RAIN_NUMBER, 1.0, 1000, 1.25e-5);
		snow_slope = slope_of(water[SNOW], density, SNOW_NUMBER, snow_factor, 100, 1e-5);
	}
	double lightness() const
	{
		return std::sqrt(DENSITY / density);
	}
	double rain_speed() const
	{
		return 2500 * std::pow(rain_slope, 0.8) * lightness();
	}
	double snow_speed() const
	{
		return 20.05 * std::pow(snow_slope, 0.41) * lightness();
	}
	double ice_diameter() const
	{
		return std::fmin(11.9 * std::sqrt(density * water[ICE] / crystals_of(water[ICE], density)), 5e-4);
	}
	double ice_speed() const
	{
		return 1.49e4 * std::pow(std::fmax(ice_diameter(), 1e-25), 1.31);
	}
	/* The rates at which flakes and drops exchange water with vapour, or melt. */
	double snow_exchange() const
	{
		return 5.2e6 * std::pow(snow_slope, 2) +
		       1.868e7 * ventilation(pressure, t, density) * std::pow(snow_slope, 2.705);
	}
	double rain_exchange() const
	{
		return 3.92e7 * std::pow(rain_slope, 2) +
		       8.26e8 * ventilation(pressure, t, density) * std::pow(rain_slope, 2.9);
	}
};

using cells = std::vector<cell>;

/* One part of a step: all levels lose at once, and gain what those above have lost. */
static double sink(cells &column, kind what, double part)
{
	std::vector<double> lost(column.size() + 1);

	for (size_t k = 0; k < column.size(); k++)
		lost[k] = column[k].density * column[k].water[what] * column[k].fall * part;
	for (size_t k = 0; k < column.size(); k++) {
		double gained = lost[k + 1] / column[k].thickness;

		column[k].water[what] += (gained - lost[k] / column[k].thickness) / column[k].density;
	}
	return lost[0];
}

static int parts_of(const cells &column, double step)
{
	double most = 0;

	for (const cell &c : column)
		most = std::fmax(most, c.fall / c.thickness);
	return std::max(1, (int)(most * step + 1));
}

static void fall_at(cells &column, double (cell::*speed)() const)
{
	for (cell &c : column)
		c.fall = (c.*speed)();
}

static void melt_on_cpu(cells &column, double part)
{
	for (cell &c : column)
		if (c.cold() < 0 && c.water[SNOW] > 0) {
			double conduction = 1414 * viscosity(c.t, c.density) * c.density / LATENT_MELTING;
			double melting = -c.cold() * conduction * M_PI_2 * c.snow_factor * c.snow_exchange() * part;

			c.turn(SNOW, RAIN, std::fmin(melting, c.water[SNOW]), -LATENT_MELTING);
		}
}

/* Returns what falls to the ground: rain, and what is frozen. */
static std::pair<double, double> fall_on_cpu(cells &column, double step)
{
	double rain = 0, frozen = 0;
	int parts;

	for (cell &c : column)
		c.measure_drops();
	fall_at(column, &cell::snow_speed);
	parts = parts_of(column, step);
	fall_at(column, &cell::rain_speed);
	parts = std::max(parts, parts_of(column, step));
	for (int part = 0; part < parts; part++) {
		fall_at(column, &cell::rain_speed);
		rain += sink(column, RAIN, step / parts);
		fall_at(column, &cell::snow_speed);
		frozen += sink(column, SNOW, step / parts);
		melt_on_cpu(column, step / parts);
	}
	fall_at(column, &cell::ice_speed);
	parts = parts_of(column, step);
	for (int part = 0; part < parts; part++)
		frozen += sink(column, ICE, step / parts);
	return {rain, frozen};
}

static void freeze_on_cpu(cell &c, double step)
{
	double cold = c.cold(), melting = LATENT_SUBLIMATION - c.latent, seeds = 100 * (std::exp(0.66 * cold) - 1);

	if (cold < 0)
		c.turn(ICE, CLOUD, c.water[ICE] * std::fmin(1, -cold), -melting);
	if (cold > 40)
		c.turn(CLOUD, ICE, c.water[CLOUD] * std::fmin(1, cold - 40), melting);
	if (cold <= 0)
		return;
	c.turn(CLOUD, ICE, std::fmin(seeds * c.density / 3e11 * std::pow(c.water[CLOUD], 2) * step, c.water[CLOUD]),
	       melting);
	c.turn(RAIN, SNOW, std::fmin(1.579e12 / c.density * step * seeds * std::pow(c.rain_slope, 7), c.water[RAIN]),
	       melting);
}

/* Both have the same sign. */
static double nearer_to_zero(double a, double b)
{
	return a < 0 ? std::fmax(a, b) : std::fmin(a, b);
}

/* Growth out of vapour, or loss to it. */
static double growth_on_cpu(double rate, double excess, double stock)
{
	return stock > 0 && rate != 0 ? std::fmax(nearer_to_zero(rate, excess / 2), -stock) : 0;
}

static void grow_on_cpu(cell &c, double step, double share)
{
	double *w = c.water, cloud = w[CLOUD], ice = w[ICE], *snow = &w[SNOW], diameter = c.ice_diameter();
	double vapour = std::fmax(w[VAPOUR], LEAST), slope = c.snow_slope, light = c.lightness(), cold = c.cold();
	double slow_water = resistance(c.latent, c.pressure, c.t, c.density, c.water_saturation);
	double slow_ice = resistance(LATENT_SUBLIMATION, c.pressure, c.t, c.density, c.ice_saturation);
	double eager = share * (c.ice_humidity - 1) / slow_ice * step, ice_excess = vapour - c.ice_saturation;
	double join = cloud > CLOUD_LIMIT ? 6.77 * (std::pow(cloud, 7 / 3.0) - 2.0e-8) * step : 0;
	double onto_rain = 2.48e10 * std::pow(c.rain_slope, 3.8) * cloud * light * step * (w[RAIN] > LEAST_FALLING);
	double onto_snow =
	    5.54e6 * c.snow_factor * std::pow(slope, 3.41) * cloud * light * step * (*snow > LEAST_FALLING);
	double rain = growth_on_cpu((c.water_humidity - 1) * c.rain_exchange() / slow_water * step,
				    vapour - c.water_saturation, w[RAIN]);
	double new_ice = growth_on_cpu(4 * diameter * crystals_of(ice, c.density) * eager, ice_excess, ice);
	double new_snow = growth_on_cpu(c.snow_factor * eager * c.snow_exchange(), ice_excess, *snow);
	double meet = std::fabs(c.snow_speed() - 1.49e4 * std::pow(diameter, 1.31)) *
		      (2 * std::pow(slope, 3) + 2 * diameter * slope * slope + diameter * diameter * slope);
	double swept = share * M_PI_4 * SNOW_NUMBER * ice * std::exp(-0.07 * cold) * c.snow_factor * meet * step;
	double crowded = share * std::fmax(0, ice - MOST_ICE / c.density), factor;

	join = std::fmin(std::fmax(join, 0), cloud);
	onto_rain = std::fmin(onto_rain, cloud);
	onto_snow = std::fmin(onto_snow, cloud);
	swept *= *snow > LEAST_FALLING;
	factor = join + onto_rain + onto_snow > std::fmax(cloud, LEAST) ? cloud / (join + onto_rain + onto_snow) : 1;
	c.turn(CLOUD, RAIN, (join + onto_rain + onto_snow * (1 - share)) * factor, 0);
	c.turn(CLOUD, SNOW, onto_snow * share * factor, LATENT_SUBLIMATION - c.latent);
	factor = crowded + swept - new_ice > std::fmax(ice, LEAST) ? ice / (crowded + swept - new_ice) : 1;
	c.turn(VAPOUR, ICE, new_ice * factor, LATENT_SUBLIMATION);
	c.turn(ICE, SNOW, (crowded + swept) * factor, 0);
	c.turn(VAPOUR, SNOW, new_snow, LATENT_SUBLIMATION);
	c.turn(VAPOUR, RAIN, rain, c.latent);
}

static void condense_on_cpu(cell &c)
{
	double saturated = saturation(c.t, c.pressure, false), vapour = std::fmax(c.water[VAPOUR], LEAST);
	double much =
	    (vapour - saturated) / (1 + c.latent * c.latent / (GAS_VAPOUR * c.heat) * saturated / (c.t * c.t));

	c.turn(VAPOUR, CLOUD, std::fmax(std::fmin(much, c.water[VAPOUR]), -c.water[CLOUD]), c.latent);
}

static std::pair<double, double> advance_on_cpu(cells &column, double step)
{
	std::pair<double, double> fallen;

	for (cell &c : column) {
		double vapour = std::fmax(c.water[VAPOUR], LEAST);

		c.heat = HEAT_DRY * (1 - vapour) + vapour * HEAT_VAPOUR;
		c.latent = LATENT_VAPOUR - 3472.5 * (c.t - FREEZING);
		c.water_saturation = saturation(c.t, c.pressure, false);
		c.water_humidity = vapour / c.water_saturation;
		c.ice_saturation = saturation(c.t, c.pressure, c.t < TRIPLE);
		c.ice_humidity = vapour / c.ice_saturation;
	}
	fallen = fall_on_cpu(column, step);
	for (cell &c : column) {
		freeze_on_cpu(c, step);
		c.measure_drops();
		grow_on_cpu(c, step, std::fmin(std::fmax(c.cold(), 0), 1));
		condense_on_cpu(c);
	}
	return fallen;
}

#endif
