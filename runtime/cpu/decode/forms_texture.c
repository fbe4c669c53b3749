/* Decoding of texture and surface instructions: operands of all geometries go to the same places of a list. */
#include "runtime/cpu/decode/decode.h"
#include "runtime/cpu/engine/cpu_device.h"
#include "runtime/cpu/images/texture.h"

#include <string.h>

/*
 * The coordinates in PTX's order, a letter each: x, y, z, the layer (l), a filler that is not read (_); for cube maps
 * the x, y and z are the direction.
 */
static const struct {
	uint16_t shape;
	enum image_geometry geometry;
	const char *coordinates;
} geometries[] = {
    {PTX_MOD_dim_1d, IMAGE_1D, "x"},          {PTX_MOD_dim_2d, IMAGE_2D, "xy"},
    {PTX_MOD_dim_3d, IMAGE_3D, "xyz_"},       {PTX_MOD_dim_a1d, IMAGE_A1D, "lx"},
    {PTX_MOD_dim_a2d, IMAGE_A2D, "lxy_"},     {PTX_MOD_dim_cube, IMAGE_CUBE, "xyz_"},
    {PTX_MOD_dim_acube, IMAGE_ACUBE, "lxyz"},
};

static const struct ptx_operand *element(const struct ptx_operand *op, unsigned index)
{
	if (op->kind != PTX_OPERAND_VEC)
		return index == 0 ? op : NULL;
	return index < op->count ? &op->elems[index] : NULL;
}

static uint32_t *new_operands(struct decode *d)
{
	uint32_t *list = arena_array(&d->program->arena, uint32_t, IMAGE_OPERANDS);

	memset(list, 0xff, IMAGE_OPERANDS * sizeof *list);
	return list;
}

/* [image, {coordinates}]: sets `a`, the geometry and the coordinates. */
static void image_operand(struct decode *d, const struct ptx_operand *op, struct inst *in, uint32_t *list)
{
	uint16_t shape = d->inst->opcode->group[PTX_GROUP_SHAPE];
	const char *letters = NULL;

	if (op->kind != PTX_OPERAND_TEX || op->count != 2) {
		decode_fail(d, "only the form [image, {coordinates}] is supported by the CPU device");
		return;
	}
	for (size_t i = 0; i < sizeof geometries / sizeof geometries[0]; i++)
		if (geometries[i].shape == shape) {
			letters = geometries[i].coordinates;
			in->variant |= (uint16_t)geometries[i].geometry;
		}
	if (!letters) {
		decode_fail(d, "this geometry is not supported by the CPU device");
		return;
	}
	in->a = operand_source(d, &op->elems[0], 64);
	for (unsigned i = 0; letters[i]; i++) {
		const struct ptx_operand *coordinate = element(&op->elems[1], i);

		if (letters[i] == '_')
			continue;
		if (!coordinate) {
			decode_fail(d, "the image has %zu coordinates, not %u", strlen(letters), i);
			return;
		}
		list[letters[i] == 'l' ? IMAGE_LAYER : IMAGE_COORDINATE + letters[i] - 'x'] =
		    operand_source(d, coordinate, 32);
	}
}

static void vector_source(struct decode *d, const struct ptx_operand *op, uint32_t *list)
{
	for (unsigned i = 0; i < 3 && element(op, i); i++)
		list[i] = operand_source(d, element(op, i), 32);
}

/* tex{.level,.grad} {d}, [texture, {c}] {, level or dx, dy}; tld4.C {d}, [texture, {c}]; d may be d|p. */
void decode_texture(struct decode *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	const struct ptx_operand *ops = d->inst->operands, *to = &ops[0];
	const struct exec_key key = {.op = (uint16_t)o->op};
	struct inst in = decode_no_operands();
	uint32_t *list = new_operands(d);

	if (ptx_type_bits(o->type[0]) != 32 || o->vec != 4 || ptx_has_mod(o, PTX_MOD_base)) {
		decode_fail(d, "only four results of 32 bits are supported by the CPU device, and not .base");
		return;
	}
	if (to->kind == PTX_OPERAND_PAIR) {
		in.e = operand_destination(d, &to->elems[1], 1, false);
		to = &to->elems[0];
	}
	for (unsigned i = 0; i < 4 && element(to, i); i++)
		list[IMAGE_VALUE + i] = operand_destination(d, element(to, i), 32, false);
	image_operand(d, &ops[1], &in, list);
	if (o->type[1] != PTX_f32)
		in.variant |= IMAGE_BY_INDEX;
	if (o->op == PTX_OP_tld4)
		in.variant |= IMAGE_GATHER | (ptx_has_mod(o, PTX_MOD_g)   ? 1
					      : ptx_has_mod(o, PTX_MOD_b) ? 2
					      : ptx_has_mod(o, PTX_MOD_a) ? 3
									  : 0)
						 << IMAGE_CHANNEL_SHIFT;
	if (ptx_has_mod(o, PTX_MOD_level) && d->inst->noperands == 3) {
		list[IMAGE_LEVEL] = operand_source(d, &ops[2], 32);
	} else if (ptx_has_mod(o, PTX_MOD_grad) && d->inst->noperands == 4) {
		vector_source(d, &ops[2], &list[IMAGE_DX]);
		vector_source(d, &ops[3], &list[IMAGE_DY]);
	} else if (d->inst->noperands != 2) {
		decode_fail(d, "offsets and depth comparison are not supported by the CPU device");
		return;
	}
	if (d->module->device->mark != LOAD_KEEP &&
	    ptx_is_marked(d->module->analysis, (uint32_t)(d->function - d->module->ptx->functions),
			  (uint32_t)(d->inst - d->function->insts)))
		in.flags |= INST_MARKED;
	in.flags |= INST_MARKABLE;
	in.list = list;
	in.bytes = 1;
	in.space = PTX_SPACE_GLOBAL;
	decode_finish(d, &key, &in);
}

/* txq.WHAT d, [texture]; suq.WHAT d, [surface] */
void decode_image_query(struct decode *d)
{
	static const uint16_t answered[] = {PTX_MOD_width,
					    PTX_MOD_height,
					    PTX_MOD_depth,
					    PTX_MOD_array_size,
					    PTX_MOD_num_mipmap_levels,
					    PTX_MOD_normalized_coords};
	const struct ptx_opcode *o = d->inst->opcode;
	const struct ptx_operand *image = &d->inst->operands[1];
	const struct exec_key key = {.op = (uint16_t)o->op};
	struct inst in = decode_no_operands();

	for (size_t i = 0; i < sizeof answered / sizeof answered[0]; i++)
		if (ptx_has_mod(o, answered[i]))
			in.variant = answered[i];
	if (!in.variant || d->inst->noperands != 2 || image->kind != PTX_OPERAND_MEM) {
		decode_fail(d, "this query is not answered by the CPU device");
		return;
	}
	in.a = operand_source(d, &image->elems[0], 64);
	in.d = operand_destination(d, &d->inst->operands[0], 32, false);
	decode_finish(d, &key, &in);
}

/* suld d, [surface, {c}]; sust [surface, {c}], b; sured [surface, {c}], b */
void decode_surface(struct decode *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	bool loads = o->op == PTX_OP_suld;
	const struct ptx_operand *data = &d->inst->operands[loads ? 0 : 1];
	struct exec_key key = {.op = (uint16_t)o->op};
	struct inst in = decode_no_operands();
	uint32_t *list = new_operands(d);
	unsigned bits = ptx_type_bits(o->type[0]);

	if (ptx_has_mod(o, PTX_MOD_p)) {
		decode_fail(d, "formatted access to surfaces is not supported by the CPU device");
		return;
	}
	in.bytes = (uint8_t)(bits / 8);
	in.vec = o->vec ? o->vec : 1;
	for (unsigned i = 0; i < in.vec && i < 4 && element(data, i); i++)
		list[IMAGE_VALUE + i] = loads ? operand_destination(d, element(data, i), bits, false)
					      : operand_source(d, element(data, i), bits);
	image_operand(d, &d->inst->operands[loads ? 1 : 0], &in, list);
	if (ptx_has_mod(o, PTX_MOD_clamp))
		in.variant |= IMAGE_BEYOND_CLAMP;
	if (ptx_has_mod(o, PTX_MOD_zero))
		in.variant |= IMAGE_BEYOND_ZERO;
	if (o->op == PTX_OP_sured) {
		key.which = o->group[PTX_GROUP_OPERATION];
		key.type[0] = o->type[0];
	}
	in.list = list;
	in.space = PTX_SPACE_GLOBAL;
	decode_finish(d, &key, &in);
}
