/*
 * Flow of a gas around a body, with the shape of Rodinia's euler3d: finite volumes with four faces each, an explicit
 * step of three stages, single precision. A thread computes one element, a block 192. `flux` reads the five variables
 * of the element's four neighbours through their numbers, so a load of a warp touches one line to some ten; all else is
 * read and written by lines, each variable in an array of its own. Blocks share the neighbours that lie in others.
 *
 *   cfd [small|paper|ELEMENTS [STEPS]]
 *
 * The mesh is generated: of an element's neighbours two are next to it in number, and two lie around the places that a
 * row and a plane away would be. The paper's size is 773,952 elements: 4,031 blocks and 97 MiB, as CFD has in Table 4
 * of the SAC study. A step of it is simulated in a minute; the benchmark does 2,000.
 */
#include "gas.h"

enum { THREADS = 192 };

#define SMOOTHING 0.2f

__constant__ float far_variables[VARIABLES];
__constant__ float3 far_momentum_x, far_momentum_y, far_momentum_z, far_energy; /* the flow of these far away */

struct state {
	float density;
	float3 momentum;
	float energy;
};

/* The flow through a face is the product of its normal with these. */
struct flow {
	float3 momentum_x, momentum_y, momentum_z, energy;
};

static __device__ state load(const float *variables, int element, int elements)
{
	return {variables[element],
		{variables[element + elements], variables[element + 2 * elements], variables[element + 3 * elements]},
		variables[element + 4 * elements]};
}

static __device__ void store(float *variables, int element, int elements, const state &s)
{
	variables[element] = s.density;
	variables[element + elements] = s.momentum.x;
	variables[element + 2 * elements] = s.momentum.y;
	variables[element + 3 * elements] = s.momentum.z;
	variables[element + 4 * elements] = s.energy;
}

static __device__ float3 velocity_of(const state &s)
{
	return {s.momentum.x / s.density, s.momentum.y / s.density, s.momentum.z / s.density};
}

static __device__ float dot(const float3 &a, const float3 &b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static __device__ float pressure_of(const state &s, float speed_squared)
{
	return (GAMMA - 1.0f) * (s.energy - 0.5f * s.density * speed_squared);
}

static __device__ float sound_of(const state &s, float pressure)
{
	return sqrtf(GAMMA * pressure / s.density);
}

static __device__ flow flow_of(const state &s, const float3 &v, float pressure)
{
	float carried = s.energy + pressure;
	flow f;

	f.momentum_x = {v.x * s.momentum.x + pressure, v.x * s.momentum.y, v.x * s.momentum.z};
	f.momentum_y = {f.momentum_x.y, v.y * s.momentum.y + pressure, v.y * s.momentum.z};
	f.momentum_z = {f.momentum_x.z, f.momentum_y.z, v.z * s.momentum.z + pressure};
	f.energy = {v.x * carried, v.y * carried, v.z * carried};
	return f;
}

static __device__ float3 sum(const float3 &a, const float3 &b)
{
	return {a.x + b.x, a.y + b.y, a.z + b.z};
}

/* Half of what flows through a face from either side; `momentum` is the sum of both sides'. */
static __device__ void add_flow(state &out, const float3 &normal, const float3 &momentum, const flow &a, const flow &b)
{
	float3 half = {0.5f * normal.x, 0.5f * normal.y, 0.5f * normal.z};

	out.density += dot(half, momentum);
	out.energy += dot(half, sum(a.energy, b.energy));
	out.momentum.x += dot(half, sum(a.momentum_x, b.momentum_x));
	out.momentum.y += dot(half, sum(a.momentum_y, b.momentum_y));
	out.momentum.z += dot(half, sum(a.momentum_z, b.momentum_z));
}

/* Smooths the difference between both sides of a face. */
static __device__ void add_viscosity(state &out, float viscosity, const state &me, const state &other)
{
	out.density += viscosity * (me.density - other.density);
	out.energy += viscosity * (me.energy - other.energy);
	out.momentum.x += viscosity * (me.momentum.x - other.momentum.x);
	out.momentum.y += viscosity * (me.momentum.y - other.momentum.y);
	out.momentum.z += viscosity * (me.momentum.z - other.momentum.z);
}

static __device__ int element_of_thread()
{
	return blockDim.x * blockIdx.x + threadIdx.x;
}

__global__ void initialise(int elements, float *variables)
{
	int i = element_of_thread();

	for (int v = 0; v < VARIABLES; v++)
		variables[i + v * elements] = far_variables[v];
}

__global__ void step_factor(int elements, float *variables, float *areas, float *factors)
{
	int i = element_of_thread();
	state me = load(variables, i, elements);
	float3 velocity = velocity_of(me);
	float squared = dot(velocity, velocity), sound = sound_of(me, pressure_of(me, squared));

	factors[i] = 0.5f / (sqrtf(areas[i]) * (sqrtf(squared) + sound));
}

__global__ void flux(int elements, int *neighbours, float *normals, float *variables, float *fluxes)
{
	int i = element_of_thread();
	state me = load(variables, i, elements), out = {};
	float3 velocity = velocity_of(me);
	float squared = dot(velocity, velocity), speed = sqrtf(squared), pressure = pressure_of(me, squared);
	float sound = sound_of(me, pressure);
	flow mine = flow_of(me, velocity, pressure);

#pragma unroll
	for (int face = 0; face < FACES; face++) {
		int neighbour = neighbours[i + face * elements];
		float3 normal = {normals[i + face * elements], normals[i + (face + FACES) * elements],
				 normals[i + (face + 2 * FACES) * elements]};
		float size = sqrtf(dot(normal, normal));

		if (neighbour >= 0) {
			state other = load(variables, neighbour, elements);
			float3 v = velocity_of(other);
			float its_squared = dot(v, v), its_pressure = pressure_of(other, its_squared);
			float its_sound = sound_of(other, its_pressure);
			float speeds = speed + sqrtf(its_squared) + sound + its_sound;

			add_viscosity(out, -size * SMOOTHING * 0.5f * speeds, me, other);
			add_flow(out, normal, sum(other.momentum, me.momentum), flow_of(other, v, its_pressure), mine);
		} else if (neighbour == BODY) {
			out.momentum.x += normal.x * pressure;
			out.momentum.y += normal.y * pressure;
			out.momentum.z += normal.z * pressure;
		} else {
			float3 momentum = {far_variables[1], far_variables[2], far_variables[3]};
			flow away = {far_momentum_x, far_momentum_y, far_momentum_z, far_energy};

			add_flow(out, normal, sum(momentum, me.momentum), away, mine);
		}
	}
	store(fluxes, i, elements, out);
}

__global__ void advance(int stage, int elements, float *old, float *variables, float *factors, float *fluxes)
{
	int i = element_of_thread();
	float factor = factors[i] / (float)(STAGES + 1 - stage);

	for (int v = 0; v < VARIABLES; v++)
		variables[i + v * elements] = old[i + v * elements] + factor * fluxes[i + v * elements];
}

/* The gas far away, in constant memory: what it is, and what it carries in each direction. */
static void upload_far(const gas &far)
{
	float variables[VARIABLES];
	float3 flows[VARIABLES];

	for (int v = 0; v < VARIABLES; v++) {
		vector3 f = flow_on_cpu(far, v);

		variables[v] = (float)far.variable[v];
		flows[v] = {(float)f.x, (float)f.y, (float)f.z};
	}
	CHECK(cudaMemcpyToSymbol(far_variables, variables, sizeof variables));
	CHECK(cudaMemcpyToSymbol(far_momentum_x, &flows[1], sizeof(float3)));
	CHECK(cudaMemcpyToSymbol(far_momentum_y, &flows[2], sizeof(float3)));
	CHECK(cudaMemcpyToSymbol(far_momentum_z, &flows[3], sizeof(float3)));
	CHECK(cudaMemcpyToSymbol(far_energy, &flows[4], sizeof(float3)));
}

int main(int argc, char **argv)
{
	static const char usage[] = "cfd [small|paper|ELEMENTS [STEPS]], at most 20000000 elements";
	int elements = chosen_size(argc, argv, 1920, 773952, usage);
	int steps = argc > 2 ? positive(argv[2], usage) : 1, wrong;

	if (elements > 20000000) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	elements = (elements + THREADS - 1) / THREADS * THREADS;
	int blocks = elements / THREADS;
	mesh m(elements);
	gas far = gas_far_away();
	array<float> variables((size_t)elements * VARIABLES), old(variables.host.size()), fluxes(old.host.size());
	array<float> factors(elements);

	upload_far(far);
	for (const array<float> *all : {&variables, &old, &fluxes})
		initialise<<<blocks, THREADS>>>(elements, all->device);
	for (int step = 0; step < steps; step++) {
		CHECK(cudaMemcpy(old.device, variables.device, old.host.size() * sizeof(float),
				 cudaMemcpyDeviceToDevice));
		step_factor<<<blocks, THREADS>>>(elements, variables.device, m.areas.device, factors.device);
		for (int stage = 0; stage < STAGES; stage++) {
			flux<<<blocks, THREADS>>>(elements, m.neighbours.device, m.normals.device, variables.device,
						  fluxes.device);
			advance<<<blocks, THREADS>>>(stage, elements, old.device, variables.device, factors.device,
						     fluxes.device);
		}
	}
	CHECK(cudaGetLastError());
	steps_on_cpu(m, far, steps, variables.host);
	wrong = differences(variables, 1e-4);
	printf("cfd: %d elements, %d steps, %d wrong\n", elements, steps, wrong);
	return wrong != 0;
}
