/* The physics of water in air that kernel and host share: constants, and what each computes from them in its precision.
 */
#ifndef ROMARK_SAMPLES_FORMULAS_H
#define ROMARK_SAMPLES_FORMULAS_H

#include <cmath>

/* In kilograms, metres, seconds, kelvin and pascal. */
#define FREEZING 273.15
#define TRIPLE (FREEZING + 0.01)
#define GAS_VAPOUR 461.6
#define HEAT_DRY 1004.5 /* at constant pressure */
#define HEAT_VAPOUR (4 * GAS_VAPOUR)
#define HEAT_WATER 4190.0
#define HEAT_ICE 2106.0
#define LATENT_VAPOUR 2.5e6
#define LATENT_SUBLIMATION 2.85e6
#define LATENT_MELTING 3.5e5
#define DENSITY 1.28
#define LEAST 1e-15        /* water that counts for any */
#define LEAST_FALLING 1e-9 /* the same for rain and snow */
#define RAIN_NUMBER 8e6
#define SNOW_NUMBER 2e6
#define CLOUD_LIMIT 5.03e-4 /* more than this turns into rain */
#define MOST_ICE 8.1e-5     /* more than this turns into snow */

/* Saturation: how much vapour fits into a kilogram of air. */
template <typename T>
__host__ __device__ T saturation(T temperature, T pressure, bool is_over_ice)
{
	T heat = is_over_ice ? T(HEAT_ICE) : T(HEAT_WATER),
	  latent = is_over_ice ? T(LATENT_SUBLIMATION) : T(LATENT_VAPOUR);
	T a = -(T(HEAT_VAPOUR) - heat) / T(GAS_VAPOUR), b = a + latent / T(GAS_VAPOUR * TRIPLE);
	T ratio = T(TRIPLE) / temperature, vapour = T(610.78) * exp(log(ratio) * a + b * (1 - ratio));

	return fmax(T(0.6217) * vapour / (pressure - vapour), T(LEAST));
}

template <typename T>
__host__ __device__ T diffusion(T temperature, T pressure)
{
	return T(8.794e-5) * exp(log(temperature) * T(1.81)) / pressure;
}

template <typename T>
__host__ __device__ T viscosity(T temperature, T density)
{
	return T(1.496e-6) * temperature * sqrt(temperature) / (temperature + 120) / density;
}

/* Heat has to flow away from growing drops, and vapour to reach them. This resistance slows their growth. */
template <typename T>
__host__ __device__ T resistance(T latent, T pressure, T temperature, T density, T saturated)
{
	T conduction = T(1414) * viscosity(temperature, density) * density;

	return density * latent * latent / (conduction * T(GAS_VAPOUR) * temperature * temperature) +
	       1 / (saturated * diffusion(temperature, pressure));
}

/* The factor by which falling makes drops grow faster. */
template <typename T>
__host__ __device__ T ventilation(T pressure, T temperature, T density)
{
	T viscous = viscosity(temperature, density);

	return exp(log(viscous / diffusion(temperature, pressure)) * T(1.0 / 3)) / sqrt(viscous) *
	       sqrt(sqrt(T(DENSITY) / density));
}

/* The size at which there are fewer drops by a factor of e. */
template <typename T>
__host__ __device__ T slope_of(T water, T density, double number, T more, double heavy, double least)
{
	if (water <= T(LEAST_FALLING))
		return T(least);
	return 1 / sqrt(sqrt(T(M_PI * heavy * number) * more / (water * density)));
}

template <typename T>
__host__ __device__ T crystals_of(T ice, T density)
{
	T mass = density * fmax(ice, T(LEAST));

	return fmin(fmax(T(5.38e7) * sqrt(sqrt(mass * mass * mass)), T(1e3)), T(1e6));
}

template <typename T>
__host__ __device__ T snow_factor(T cold)
{
	return fmax(fmin(exp(T(0.12) * cold), T(5e4)), T(1));
}

#endif
