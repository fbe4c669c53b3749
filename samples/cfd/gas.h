/* The mesh and the gas of cfd, and what a step makes of them, computed on the CPU in double precision. */
#ifndef ROMARK_SAMPLES_GAS_H
#define ROMARK_SAMPLES_GAS_H

#include "../common/arrays.h"
#include "../common/size.h"

#include <algorithm>
#include <cmath>
#include <vector>

enum { FACES = 4, VARIABLES = 5 /* density, momentum in x, y and z, energy */, STAGES = 3 };
enum { BODY = -1, FAR = -2 }; /* what a face borders on that has no neighbour */

#define GAMMA 1.4f
#define MACH 1.2

/* All arrays have the elements innermost: [face][element], and normals [direction][face][element]. */
struct mesh {
	int elements;
	array<int> neighbours;
	array<float> normals, areas;

	explicit mesh(int count)
	    : elements(count), neighbours((size_t)count * FACES), normals((size_t)count * FACES * 3), areas(count)
	{
		fill(normals, 1, 0.05);
		fill(areas, 2, 0.5);
		for (float &area : areas.host)
			area += 1;
		areas.upload();
		connect();
	}

private:
	/*
	 * Numbers the elements like a cube: a row is an edge, and a plane a side. Neighbours in other rows and planes
	 * are up to `scatter` away from these places, as in a mesh that follows a body. Each face touches the body with
	 * probability 1/64, and the far end with the same.
	 */
	void connect()
	{
		const int scatter = 24;
		int row = (int)std::cbrt((double)elements), plane = row * row;
		unsigned state = 3;

		for (int i = 0; i < elements; i++) {
			int away[FACES] = {-1, 1, i % 2 ? row : -row, i % 4 < 2 ? plane : -plane};

			for (int face = 0; face < FACES; face++) {
				int off = face < 2 ? 0 : (int)(next_random(&state) * 2 * scatter) - scatter;
				int to = i + away[face] + off, kind = (int)(next_random(&state) * 64);
				bool is_inside = to >= 0 && to < elements && to != i;

				neighbours.host[(size_t)face * elements + i] = kind == 0                 ? BODY
									       : kind == 1 || !is_inside ? FAR
													 : to;
			}
		}
		neighbours.upload();
	}
};

struct gas {
	double variable[VARIABLES];
};

struct vector3 {
	double x, y, z;
};

static gas gas_far_away()
{
	double density = 1.4, pressure = 1, speed = MACH * std::sqrt(GAMMA * pressure / density);

	return {{density, density * speed, 0, 0, density * speed * speed / 2 + pressure / (GAMMA - 1.0)}};
}

static double speed_on_cpu(const gas &g)
{
	const double *v = g.variable;

	return std::sqrt(v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) / v[0];
}

static double pressure_on_cpu(const gas &g)
{
	return (GAMMA - 1.0) * (g.variable[4] - g.variable[0] * speed_on_cpu(g) * speed_on_cpu(g) / 2);
}

static double sound_on_cpu(const gas &g)
{
	return std::sqrt(GAMMA * pressure_on_cpu(g) / g.variable[0]);
}

/*
 * How much of variable `v` the gas carries in each direction: the moving gas takes it along, and the pressure pushes.
 */
static vector3 flow_on_cpu(const gas &g, int v)
{
	double p = pressure_on_cpu(g), moved = (g.variable[v] + (v == 4 ? p : 0)) / g.variable[0];

	return {moved * g.variable[1] + (v == 1 ? p : 0), moved * g.variable[2] + (v == 2 ? p : 0),
		moved * g.variable[3] + (v == 3 ? p : 0)};
}

static gas gas_at(const std::vector<double> &variables, int elements, int i)
{
	gas g;

	for (int v = 0; v < VARIABLES; v++)
		g.variable[v] = variables[(size_t)v * elements + i];
	return g;
}

/* Adds to `out` the flow through a face of an element with the gas `me`. */
static void face_on_cpu(const gas &me, const gas *other, const gas &far, const vector3 &n, double *out)
{
	double size = std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
	const gas &beyond = other ? *other : far;

	for (int v = 0; v < VARIABLES; v++) {
		vector3 a = flow_on_cpu(me, v), b = flow_on_cpu(beyond, v);

		out[v] += (n.x * (a.x + b.x) + n.y * (a.y + b.y) + n.z * (a.z + b.z)) / 2;
		if (other)
			out[v] -= 0.1 * size * (me.variable[v] - other->variable[v]) *
				  (speed_on_cpu(me) + speed_on_cpu(*other) + sound_on_cpu(me) + sound_on_cpu(*other));
	}
}

static void flux_on_cpu(const mesh &m, const gas &far, const std::vector<double> &variables, int i, double *out)
{
	gas me = gas_at(variables, m.elements, i);

	for (int face = 0; face < FACES; face++) {
		int neighbour = m.neighbours.host[(size_t)face * m.elements + i];
		auto normal = [&](int direction) {
			return (double)m.normals.host[(size_t)(direction * FACES + face) * m.elements + i];
		};
		vector3 n = {normal(0), normal(1), normal(2)};

		if (neighbour >= 0) {
			gas other = gas_at(variables, m.elements, neighbour);

			face_on_cpu(me, &other, far, n, out);
		} else if (neighbour == FAR) {
			face_on_cpu(me, nullptr, far, n, out);
		} else {
			out[1] += n.x * pressure_on_cpu(me);
			out[2] += n.y * pressure_on_cpu(me);
			out[3] += n.z * pressure_on_cpu(me);
		}
	}
}

static void steps_on_cpu(const mesh &m, const gas &far, int steps, std::vector<float> &result)
{
	size_t elements = m.elements;
	std::vector<double> now(elements * VARIABLES), old, fluxes(now.size()), factors(elements);

	for (size_t i = 0; i < now.size(); i++)
		now[i] = far.variable[i / elements];
	for (int stage = 0; stage < steps * STAGES; stage++) {
		if (stage % STAGES == 0)
			old = now;
		for (size_t i = 0; i < elements; i++) {
			double out[VARIABLES] = {};

			if (stage % STAGES == 0) {
				gas me = gas_at(now, m.elements, (int)i);

				factors[i] =
				    0.5 / (std::sqrt((double)m.areas.host[i]) * (speed_on_cpu(me) + sound_on_cpu(me)));
			}
			flux_on_cpu(m, far, now, (int)i, out);
			for (int v = 0; v < VARIABLES; v++)
				fluxes[v * elements + i] = out[v];
		}
		for (size_t i = 0; i < now.size(); i++)
			now[i] = old[i] + factors[i % elements] / (STAGES + 1 - stage % STAGES) * fluxes[i];
	}
	std::copy(now.begin(), now.end(), result.begin());
}

#endif
