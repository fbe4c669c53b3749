/* The table engine_ops.def, by opcode. */
#include "runtime/cpu/engine/engine_op.h"
#include "runtime/cpu/decode/decode.h"

const struct engine_op engine_ops[PTX_OP_COUNT] = {
#define ENGINE(id, form, key, facts, tables) [PTX_OP_##id] = {decode_##form, PTX_OP_##id, key, facts, tables},
#define ENGINE_AS(id, other, form, key, facts) [PTX_OP_##id] = {decode_##form, PTX_OP_##other, key, facts, 0},
#define NOT_EXECUTED(id) [PTX_OP_##id] = {NULL, PTX_OP_##id, KEY_SPELLED, 0, 0},
#include "runtime/cpu/decode/engine_ops.def"
};
