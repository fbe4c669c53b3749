/* The parser's results: opcodes, operands, registers, symbols, parameters, positions. */
#include "tests/ptx-analyzer/language/ptxtest.h"

static const struct ptx_inst *inst(const struct ptx_module *m, uint32_t index)
{
	const struct ptx_function *f = ptx_find_function(m, "k");

	assert_true(index < f->ninsts);
	return &f->insts[index];
}

static void test_opcode_fields(void **state)
{
	struct ptx_module *m = parse_text(HEAD);
	const struct ptx_opcode *op;

	(void)state;
	op = ptx_intern_opcode(m, "ld.global.nc.L1::no_allocate.L2::128B.v4.f32");
	assert_int_equal(op->op, PTX_OP_ld);
	assert_int_equal(op->space, PTX_SPACE_GLOBAL);
	assert_int_equal(op->vec, 4);
	assert_int_equal(op->type[0], PTX_f32);
	assert_int_equal(op->group[PTX_GROUP_MARK], PTX_MOD_nc);
	assert_true(ptx_has_mod(op, PTX_MOD_L1_no_allocate) && ptx_has_mod(op, PTX_MOD_L2_128B));
	assert_int_equal(op->cls, PTX_CLASS_LOAD);

	op = ptx_intern_opcode(m, "atom.add.release.gpu.u32");
	assert_int_equal(op->space, PTX_SPACE_GENERIC);
	assert_int_equal(op->group[PTX_GROUP_OPERATION], PTX_MOD_add);
	assert_int_equal(op->group[PTX_GROUP_ORDER], PTX_MOD_release);
	assert_int_equal(op->group[PTX_GROUP_SCOPE], PTX_MOD_gpu);
	op = ptx_intern_opcode(m, "atom.global.sys.add.u32");
	assert_int_equal(op->group[PTX_GROUP_OPERATION], PTX_MOD_add);
	assert_int_equal(op->group[PTX_GROUP_SCOPE], PTX_MOD_sys);

	op = ptx_intern_opcode(m, "setp.lo.u32");
	assert_int_equal(op->group[PTX_GROUP_COMPARE], PTX_MOD_lo);
	assert_int_equal(op->group[PTX_GROUP_HALF], PTX_MOD_NONE);
	op = ptx_intern_opcode(m, "mul.lo.u32");
	assert_int_equal(op->group[PTX_GROUP_HALF], PTX_MOD_lo);

	op = ptx_intern_opcode(m, "cvt.rni.ftz.s32.f32");
	assert_int_equal(op->ntypes, 2);
	assert_int_equal(op->type[0], PTX_s32);
	assert_int_equal(op->type[1], PTX_f32);
	op = ptx_intern_opcode(m, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes");
	assert_int_equal(op->op, PTX_OP_cp_async_bulk);
	assert_int_equal(op->space, PTX_SPACE_SHARED);
	assert_int_equal(op->space2, PTX_SPACE_GLOBAL);
	assert_true(ptx_has_mod(op, PTX_MOD_shared_cluster));
	assert_int_equal(ptx_intern_opcode(m, "wmma.load.a.sync.aligned.row.m16n16k16.f16")->op, PTX_OP_wmma_load);
	assert_int_equal(ptx_intern_opcode(m, "bar.cta.sync")->op, PTX_OP_bar_sync);
	op = ptx_intern_opcode(m, "wgmma.mma_async.sync.aligned.m64n248k16.f32.f16.f16");
	assert_int_equal(op->group[PTX_GROUP_SHAPE], PTX_MOD_mnk);
	assert_int_equal(ptx_intern_opcode(m, "ld.global.ro.u32")->group[PTX_GROUP_MARK], PTX_MOD_ro);
	assert_int_equal(ptx_intern_opcode(m, "ld.global.cg.ro.u32")->group[PTX_GROUP_MARK], PTX_MOD_ro);
	assert_int_equal(ptx_intern_opcode(m, "ld.global.cg.ro.u32")->group[PTX_GROUP_CACHE], PTX_MOD_cg);
	ptx_module_free(m);
}

static void test_spellings_are_shared(void **state)
{
	struct ptx_module *m = parse_text(KERNEL("add.s32 %r1, %r2, %r3; add.s32 %r4, %r5, 6; add.u32 %r1, %r2, %r3;"));

	(void)state;
	assert_ptr_equal(inst(m, 0)->opcode, inst(m, 1)->opcode);
	assert_ptr_not_equal(inst(m, 0)->opcode, inst(m, 2)->opcode);
	assert_ptr_equal(ptx_intern_opcode(m, "add.s32"), inst(m, 0)->opcode);
	ptx_module_free(m);
}

static void test_classes(void **state)
{
	static const struct {
		const char *opcode;
		enum ptx_class cls;
	} rows[] = {
	    {"add.s32", PTX_CLASS_INT},        {"add.f32", PTX_CLASS_FP32},
	    {"add.f64", PTX_CLASS_FP64},       {"fma.rn.f16x2", PTX_CLASS_FP16},
	    {"add.bf16", PTX_CLASS_FP16},      {"setp.lt.f64", PTX_CLASS_FP64},
	    {"div.approx.f32", PTX_CLASS_SFU}, {"rcp.rn.f64", PTX_CLASS_SFU},
	    {"sin.approx.f32", PTX_CLASS_SFU}, {"cvt.f64.f32", PTX_CLASS_CONVERT},
	    {"mov.f32", PTX_CLASS_MOVE},       {"bar.sync", PTX_CLASS_BARRIER},
	    {"add.rn.f32x2", PTX_CLASS_FP32},  {"exit", PTX_CLASS_EXIT},
	    {"call.uni", PTX_CLASS_CALL},      {"cp.async.ca.shared.global", PTX_CLASS_ASYNC},
	};
	struct ptx_module *m = parse_text(HEAD);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(ptx_intern_opcode(m, rows[i].opcode)->cls, rows[i].cls);
	ptx_module_free(m);
}

static void test_refused_spellings(void **state)
{
	static const char *const wrong[] = {"ad.s32",
					    "add",
					    "add.row.s32",
					    "add.s32.s32.s32",
					    "ld.global",
					    "ret.u32",
					    "mul.lo.hi.s32",
					    "setp.lt.gt.s32",
					    "add..s32",
					    "ld.globl.u32",
					    "bra.s32",
					    "cvt.f32",
					    "add.rn.rz.f32",
					    "ld.global.shared.local.u32",
					    ""};
	struct ptx_module *m = parse_text(HEAD);

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_null(ptx_intern_opcode(m, wrong[i]));
	ptx_module_free(m);
}

static void test_operands(void **state)
{
	struct ptx_module *m =
	    parse_text(KERNEL("@!%p1 ld.global.v2.f32 {%f1, _}, [%d1+-4];\n"
			      "setp.eq.s32 %p1|%p2, %r7, 0x10;\n"
			      "mov.f32 %f1, 0f3F800000; add.f32 %f1, %f2, 1.5; mov.u32 %r1, %tid.y;\n"
			      "mov.u64 %d1, a+8; mov.u32 %r2, (1<<4)+WARP_SZ*2; shl.b32 %r1, %r1, -1;"));
	const struct ptx_operand *ops;

	(void)state;
	ops = inst(m, 0)->operands;
	assert_int_equal(inst(m, 0)->noperands, 2);
	assert_true(inst(m, 0)->predicate_not);
	assert_string_equal(ptx_reg_name(ptx_find_function(m, "k"), inst(m, 0)->predicate), "%p1");
	assert_int_equal(ops[0].kind, PTX_OPERAND_VEC);
	assert_int_equal(ops[0].elems[1].kind, PTX_OPERAND_SINK);
	assert_int_equal(ops[1].kind, PTX_OPERAND_MEM);
	assert_int_equal(ops[1].imm, -4);
	assert_int_equal(ops[1].elems[0].kind, PTX_OPERAND_REG);
	ops = inst(m, 1)->operands;
	assert_int_equal(ops[0].kind, PTX_OPERAND_PAIR);
	assert_int_equal(ops[2].imm, 16);
	assert_int_equal(inst(m, 2)->operands[1].kind, PTX_OPERAND_F32);
	assert_int_equal(inst(m, 2)->operands[1].imm, 0x3F800000);
	assert_int_equal(inst(m, 3)->operands[2].kind, PTX_OPERAND_F32); /* 1.5 in the instruction's precision */
	assert_int_equal(inst(m, 3)->operands[2].imm, 0x3FC00000);
	assert_int_equal(inst(m, 4)->operands[1].kind, PTX_OPERAND_SREG);
	assert_int_equal(inst(m, 4)->operands[1].id, PTX_SREG_tid_y);
	assert_int_equal(inst(m, 5)->operands[1].kind, PTX_OPERAND_SYMBOL);
	assert_int_equal(inst(m, 5)->operands[1].imm, 8);
	assert_int_equal(inst(m, 6)->operands[1].imm, 80);
	assert_int_equal(inst(m, 7)->operands[2].imm, -1);
	assert_int_equal(inst(m, 1)->line, 8);
	assert_int_equal(inst(m, 1)->column, 1);
	ptx_module_free(m);
}

static void test_roles(void **state)
{
	struct ptx_module *m = parse_text(KERNEL(
	    ".shared .b64 s; .param .b32 o; .param .b32 i;\n"
	    "st.global.u32 [%d1], %r1; atom.shared.cas.b32 %r1, [s], %r2, %r3; atom.shared.add.u32 %r1, [s], 1;\n"
	    "bar.red.popc.u32 %r1, 0, %p1; bar.red.popc.u32 %r1, 0, 32, %p1; cp.async.ca.shared.global [s], [%d1], 4;\n"
	    "call (o), f, (i); @%p1 bra L; L: prefetch.global.L2 [%d1]; mbarrier.arrive.shared.b64 %d1, [s];\n"
	    "mbarrier.init.shared.b64 [s], 1; ret;"));
	static const struct {
		uint32_t inst;
		unsigned operand;
		enum ptx_role role;
	} rows[] = {
	    {0, 0, PTX_ROLE_STORE},  {0, 1, PTX_ROLE_SRC},    {1, 0, PTX_ROLE_DST},   {1, 1, PTX_ROLE_ATOMIC},
	    {1, 3, PTX_ROLE_SRC},    {2, 2, PTX_ROLE_SRC},    {3, 0, PTX_ROLE_DST},   {3, 2, PTX_ROLE_SRC},
	    {4, 3, PTX_ROLE_SRC},    {5, 0, PTX_ROLE_STORE},  {5, 1, PTX_ROLE_LOAD},  {6, 0, PTX_ROLE_DST},
	    {6, 1, PTX_ROLE_CALLEE}, {6, 2, PTX_ROLE_SRC},    {7, 0, PTX_ROLE_LABEL}, {8, 0, PTX_ROLE_ADDRESS},
	    {9, 1, PTX_ROLE_ATOMIC}, {10, 0, PTX_ROLE_STORE}, {10, 9, PTX_ROLE_NONE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(ptx_operand_role(inst(m, rows[i].inst), rows[i].operand), rows[i].role);
	assert_int_equal(ptx_access_bytes(inst(m, 0)), 4);
	ptx_module_free(m);
}

static void test_registers(void **state)
{
	struct ptx_module *m = parse_text(
	    KERNEL(".reg .b32 x, %r5a, %f1_<3>;\n"
		   "mov.b32 x, %r31; mov.b32 %r5a, %f1_2;\n"
		   "{ .reg .b32 %r5; mov.b32 %r5, %r6; { .reg .b32 %r<7>; mov.b32 %r5, %r6; } mov.b32 %r5, %r6; }\n"
		   "mov.b32 %r5, %r6;"));
	const struct ptx_function *f = ptx_find_function(m, "k");
	uint32_t outer = f->insts[5].operands[0].id, outer6 = f->insts[5].operands[1].id;

	(void)state;
	assert_string_equal(ptx_reg_name(f, f->insts[0].operands[1].id), "%r31");
	assert_string_equal(ptx_reg_name(f, f->insts[1].operands[1].id), "%f1_2");
	assert_int_equal(f->regs[f->insts[1].operands[1].id].index, 2);
	/* %r5 alone in the middle scope, a range of its own in the inner one */
	assert_int_not_equal(f->insts[2].operands[0].id, outer);
	assert_int_equal(f->insts[2].operands[1].id, outer6);
	assert_int_not_equal(f->insts[3].operands[0].id, f->insts[2].operands[0].id);
	assert_int_not_equal(f->insts[3].operands[1].id, outer6);
	assert_int_equal(f->insts[4].operands[0].id, f->insts[2].operands[0].id);
	assert_int_equal(f->insts[4].operands[1].id, outer6);
	ptx_module_free(m);
}

static void test_labels_belong_to_their_scope(void **state)
{
	struct ptx_module *m = parse_text(KERNEL("bra L; { bra L; L: bra M; } { L: bra L; } L: ret; M: ret;"));
	const struct ptx_function *f = ptx_find_function(m, "k");

	(void)state;
	assert_int_equal(f->nlabels, 4);
	assert_int_equal(f->labels[f->insts[0].operands[0].id], 4);
	assert_int_equal(f->labels[f->insts[1].operands[0].id], 2);
	assert_int_equal(f->labels[f->insts[2].operands[0].id], 5);
	assert_int_equal(f->labels[f->insts[3].operands[0].id], 3);
	ptx_module_free(m);
}

static void test_parameters(void **state)
{
	struct ptx_module *m = parse_text(HEAD ".visible .entry k(.param .u8 a, .param .u64 .ptr .global .align 16 b,\n"
					       ".param .align 4 .b8 c[12], .param .f64 d) .maxntid 32, 4\n"
					       ".minnctapersm 3\n.maxnreg 64 { ret; }");
	const struct ptx_function *f = ptx_find_function(m, "k");
	static const uint64_t offsets[] = {0, 8, 16, 32};
	const struct ptx_symbol *b;

	(void)state;
	assert_int_equal(f->nparams, 4);
	for (uint32_t i = 0; i < 4; i++) {
		assert_int_equal(m->symbols[f->params[i]].param_offset, offsets[i]);
		assert_int_equal(m->symbols[f->params[i]].param_index, i);
	}
	assert_int_equal(f->param_bytes, 40);
	b = &m->symbols[f->params[1]];
	assert_true(b->is_pointer);
	assert_int_equal(b->pointer_space, PTX_SPACE_GLOBAL);
	assert_int_equal(b->pointer_align, 16);
	assert_int_equal(f->maxntid[0], 32);
	assert_int_equal(f->maxntid[1], 4);
	assert_int_equal(f->maxntid[2], 1);
	assert_int_equal(f->minnctapersm, 3);
	assert_int_equal(f->maxnreg, 64);
	assert_true(f->is_kernel);
	assert_int_equal(f->linkage, PTX_LINK_VISIBLE);
	ptx_module_free(m);
}

static void test_initialisers(void **state)
{
	struct ptx_module *m = parse_text(
	    HEAD ".global .align 4 .f32 f[2][2] = {{1.0, 0f40000000}, {-0.5}};\n"
		 ".global .u16 s = -2;\n"
		 ".const .align 8 .u64 p[3] = {7, generic(f)+4, s-1};\n"
		 ".global .align 8 .u8 bytes[10] = {9, 0xFF(s), 0xFF00(s), 0xFF0000(s), 0xFF000000(s), 0xFF00000000(s),"
		 " 0xFF0000000000(s), 0xFF000000000000(s), 0xFF00000000000000(s)};\n"
		 ".global .u8 part[2] = {0xFF00(s), 1};\n"
		 ".global .b8 open[] = {1, 2, 3};\n"
		 ".global .align 2 .f64 low; .global .align 32 .v4 .f32 high;\n");
	const struct ptx_symbol *s;
	float floats[4];

	(void)state;
	s = ptx_find_symbol(m, "f");
	assert_int_equal(s->size, 16);
	memcpy(floats, s->init, sizeof(floats));
	assert_true(floats[0] == 1.0f && floats[1] == 2.0f && floats[2] == -0.5f && floats[3] == 0.0f);
	assert_int_equal(ptx_find_symbol(m, "s")->init[0], 0xFE);
	s = ptx_find_symbol(m, "p");
	assert_int_equal(s->nrelocs, 2);
	assert_int_equal(s->relocs[0].offset, 8);
	assert_int_equal(s->relocs[0].addend, 4);
	assert_true(s->relocs[0].generic && !s->relocs[1].generic);
	assert_int_equal(s->relocs[1].addend, -1);
	assert_string_equal(m->symbols[s->relocs[1].symbol].name, "s");
	s = ptx_find_symbol(m, "bytes");
	assert_int_equal(s->nrelocs, 1);
	assert_int_equal(s->relocs[0].offset, 1);
	assert_int_equal(s->relocs[0].size, 8);
	assert_int_equal(s->relocs[0].mask, 0);
	s = ptx_find_symbol(m, "part");
	assert_int_equal(s->relocs[0].size, 1);
	assert_int_equal(s->relocs[0].mask, 0xFF00);
	assert_int_equal(ptx_find_symbol(m, "open")->size, 3);
	assert_int_equal(ptx_find_symbol(m, "f")->align, 4);
	assert_int_equal(ptx_find_symbol(m, "low")->align, 8);
	assert_int_equal(ptx_find_symbol(m, "high")->align, 32);
	ptx_module_free(m);
}

static void test_positions(void **state)
{
	struct ptx_module *m =
	    parse_text(HEAD ".file 1 \"a.cu\"\n.file 3 \"b.h\", 12, 34\n"
			    ".entry k() { .reg .b32 %r<4>;\n"
			    ".loc 1 10 2\nmov.b32 %r1, 1;\n"
			    ".loc 3 20 4, function_name s+2, inlined_at 1 10 2\nmov.b32 %r1, 2; mov.b32 %r1, 3;\n"
			    ".loc 3 30 4, function_name s, inlined_at 3 20 4\nmov.b32 %r1, 4;\n"
			    ".loc 1 11 2\nmov.b32 %r1, 5; ret; }");
	const struct ptx_loc *l;

	(void)state;
	assert_string_equal(m->files[3], "b.h");
	assert_null(m->files[2]);
	assert_int_equal(m->locs[inst(m, 0)->loc].line, 10);
	assert_int_equal(inst(m, 1)->loc, inst(m, 2)->loc);
	l = &m->locs[inst(m, 3)->loc];
	assert_int_equal(l->line, 30);
	l = &m->locs[l->inlined_at];
	assert_int_equal(l->line, 20);
	l = &m->locs[l->inlined_at];
	assert_int_equal(l->line, 10);
	assert_int_equal(l->inlined_at, PTX_NONE);
	assert_int_equal(m->locs[inst(m, 4)->loc].inlined_at, PTX_NONE);
	ptx_module_free(m);
}

static void test_functions(void **state)
{
	struct ptx_module *m = parse_text(HEAD ".extern .func (.param .b32 r) outside(.param .b64 p);\n"
					       ".func later();\n"
					       ".entry k() { .reg .b64 %d<3>; .param .b32 o; .param .b64 i;\n"
					       "call later; call (o), outside, (i);\n"
					       "p: .callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;\n"
					       "call (o), %d1, (i), p; ret; }\n"
					       ".func later() { ret; }\n");
	const struct ptx_symbol *s;

	(void)state;
	assert_false(ptx_find_function(m, "later")->is_declaration);
	assert_true(ptx_find_function(m, "outside")->is_declaration);
	s = &m->symbols[inst(m, 0)->operands[0].id];
	assert_int_equal(s->kind, PTX_SYMBOL_FUNCTION);
	assert_false(m->functions[s->callee].is_declaration);
	s = &m->symbols[inst(m, 2)->operands[3].id];
	assert_int_equal(s->kind, PTX_SYMBOL_PROTOTYPE);
	assert_true(s->prototype->noreturn);
	assert_int_equal(s->prototype->nparams, 1);
	assert_null(ptx_find_function(m, "nowhere"));
	ptx_module_free(m);
	/* declarations as compilers of long ago wrote them: without ';' */
	m = parse_text(
	    HEAD
	    ".visible .func old (.param .u64 a)\n.entry k() { p: .callprototype (.reg .f64) _ (.reg .s64); ret; }\n"
	    ".visible .func old (.param .u64 a) { ret; }");
	assert_int_equal(m->nfunctions, 3);
	assert_true(m->functions[0].is_declaration);
	assert_int_equal(m->symbols[m->functions[0].symbol].callee, 2);
	ptx_module_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_opcode_fields), cmocka_unit_test(test_spellings_are_shared),
	    cmocka_unit_test(test_classes),       cmocka_unit_test(test_refused_spellings),
	    cmocka_unit_test(test_operands),      cmocka_unit_test(test_roles),
	    cmocka_unit_test(test_registers),     cmocka_unit_test(test_labels_belong_to_their_scope),
	    cmocka_unit_test(test_parameters),    cmocka_unit_test(test_initialisers),
	    cmocka_unit_test(test_positions),     cmocka_unit_test(test_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
