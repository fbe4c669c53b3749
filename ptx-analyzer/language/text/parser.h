/*
 * Private to the parser: the lexer's cursor, the name table and the parser's state.
 *
 * A syntax error leaves the parser by ptx_fail (longjmp to ptx_parse); everything the parser holds is either in the
 * module's arena or in struct parser, so that one place releases it.
 */
#ifndef ROMARK_PTX_PARSER_H
#define ROMARK_PTX_PARSER_H

#include "common/vec.h"
#include "ptx-analyzer/language/module/ptx_private.h"

#include <setjmp.h>

/* --- Lexer (lexer.c) --- */

struct lexer {
	const char *p; /* next character; the text is followed by NULs */
	const char *start, *end;
	const char *line_start;
	uint32_t line;
	const char *file;
	struct diag *d;
	jmp_buf failed;
};

enum char_class {
	CHAR_IDENT = 1, /* [A-Za-z0-9_$] */
	CHAR_DIGIT = 2,
	CHAR_SPACE = 4, /* but not newline */
	CHAR_START = 8, /* [A-Za-z_$%] starts an identifier */
};
extern const uint8_t char_classes[256];

static inline bool is_char(char c, int classes)
{
	return char_classes[(unsigned char)c] & classes;
}

struct text {
	const char *data;
	uint32_t len;
};

/* Fails with the place `at` in the text. */
void lex_fail(struct lexer *lx, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));
/* Skips white space and comments beyond the plain blanks that lex_skip handles. */
void lex_skip_slow(struct lexer *lx);

static inline void lex_skip(struct lexer *lx)
{
	while (is_char(*lx->p, CHAR_SPACE))
		lx->p++;
	if (*lx->p == '\n' || *lx->p == '/')
		lex_skip_slow(lx);
}

/* Skips space, then takes `c` if it is next. */
static inline bool lex_take(struct lexer *lx, char c)
{
	lex_skip(lx);
	if (*lx->p != c)
		return false;
	lx->p++;
	return true;
}

void lex_expect(struct lexer *lx, char c, const char *where);
bool lex_at_name(struct lexer *lx);
/* An identifier ([A-Za-z_$%][A-Za-z0-9_$]*); fails with "expected WHAT". */
struct text lex_name(struct lexer *lx, const char *what);
/* A directive or suffix word behind '.', which is next: ".maxntid" -> "maxntid". */
struct text lex_dotted(struct lexer *lx);
/* A string in quotes; the text between them, escapes kept. */
struct text lex_string(struct lexer *lx, const char *what);
bool text_is(struct text t, const char *literal);

struct number {
	enum ptx_operand_kind kind; /* INT, F32, F64 */
	uint64_t bits;
	bool is_unsigned;
};
/* A number without a sign: decimal, 0x, 0b, octal, U suffix, 0f, 0d, 1.5e3. */
struct number lex_number(struct lexer *lx);

/* --- Names (ptx_names.c) --- */

enum binding { BIND_NONE, BIND_REG, BIND_SYMBOL, BIND_LABEL };

struct name {
	const char *text;
	uint32_t len, hash;
	uint8_t kind;   /* enum binding */
	bool numbered;  /* some register NAME<digits> was declared by its full name */
	uint32_t id;    /* register, symbol, label */
	uint32_t depth; /* scope it was bound in */
	uint32_t range; /* reg_decl of NAME<n>, or PTX_NONE */
	uint32_t range_depth;
	uint32_t pending; /* newest label reference not yet resolved, or PTX_NONE */
};

struct undo {
	uint32_t name, id, depth;
	uint8_t kind;
	bool is_range;
};

struct names {
	VEC(struct name) all;
	uint32_t *slots; /* name + 1, 0 = free */
	uint32_t size;
	VEC(struct undo) undo;
	uint32_t depth;
};

/* Index of the name, added if new. */
uint32_t names_intern(struct names *n, struct arena *arena, const char *text, uint32_t len);
/* Index, or PTX_NONE if the name has not been written yet. */
uint32_t names_find(const struct names *n, const char *text, uint32_t len);
/* Binds the name in the current scope; false if it is bound in this very scope already. */
bool names_bind(struct names *n, uint32_t name, enum binding kind, uint32_t id);
bool names_bind_range(struct names *n, uint32_t name, uint32_t reg_decl);
void names_open(struct names *n);
/* Undoes the bindings made since the undo log had `mark` entries. */
void names_close(struct names *n, size_t mark);
void names_release(struct names *n);

/* --- Parser --- */

struct label_ref {
	uint32_t older; /* previous reference of the same name */
	uint32_t name;
	bool resolved;
	uint32_t *id;   /* what to fill in */
	uint8_t *kind;  /* operand kind, or NULL */
	uint8_t wanted; /* BIND_LABEL or BIND_SYMBOL (targets, a prototype) */
	const char *at; /* place in the text */
};

struct scope {
	size_t undo, labels, refs;
	const char *at;
};

struct declared_label {
	uint32_t name;
	uint32_t id;
	uint8_t kind; /* BIND_LABEL or BIND_SYMBOL */
};

/* An initialiser being read. */
struct init {
	uint32_t symbol;
	unsigned element; /* bytes */
	VEC(uint8_t) bytes;
	VEC(struct ptx_reloc) relocs;
	uint64_t limit; /* bytes that fit, or 0: the initialiser decides */
};

struct parser {
	struct lexer lx;
	struct ptx_module *m;
	struct ptx_private *priv;
	struct names names;
	VEC(struct ptx_symbol) symbols;
	VEC(struct ptx_function) functions;
	VEC(struct item) items;
	VEC(const char *) strings;
	VEC(struct ptx_loc) locs;
	VEC(struct loc_name) loc_names;
	VEC(const char *) files;
	uint32_t *loc_slots, loc_size; /* locs by content: index + 1 */
	uint32_t *site_slots;          /* newest loc of each place: index + 1; as large */
	struct init init;
	uint64_t init_bytes; /* of all initialised variables so far */
	uint64_t total_regs; /* of all functions so far */

	/* of the function being parsed */
	struct ptx_function *f;
	uint32_t function;
	VEC(struct ptx_inst) insts;
	VEC(struct ptx_reg) regs;
	VEC(struct ptx_reg_decl) reg_decls;
	VEC(uint32_t) labels;
	VEC(const char *) label_names;
	VEC(uint32_t) variables;
	VEC(struct ptx_decoration) decorations;
	VEC(struct ptx_directive) directives;
	VEC(struct scope) scopes;
	VEC(struct declared_label) declared;
	VEC(struct label_ref) refs;
	struct strbuf scratch;             /* a word or line being put together */
	VEC(struct text) label_texts;      /* of .branchtargets */
	VEC(uint32_t) ids;                 /* a list of parameters or targets being parsed */
	VEC(struct ptx_operand) stack;     /* operands of the instruction being parsed */
	bool is_call;                      /* (a, b) is a list there, not an expression */
	bool takes_label;                  /* an unknown name is a label that may follow */
	bool is_fragment;                  /* statements of fragment.h */
	const char *operand_at[MAX_ROLES]; /* the places of its first operands */
	uint32_t loc;                      /* in force */
};

/* parse_module.c: the module of a fragment whose placeholders are registers' names. */
struct ptx_module *parse_statements(const char *file, const char *text, size_t size, unsigned noperands,
				    struct diag *d);
/* parse_function.c */
void parse_fragment(struct parser *ps, unsigned noperands);
void parse_function(struct parser *ps, enum ptx_linkage linkage, bool is_kernel);
void parse_prototype(struct parser *ps, uint32_t symbol);
/* parse_body.c */
void parse_body(struct parser *ps);
void decorate(struct parser *ps, enum decoration_kind kind, uint32_t id);
uint32_t declare_reg(struct parser *ps, struct text name, uint32_t count, bool is_range, enum ptx_type type,
		     unsigned vec, const char *at);
/* Fills *id, and *kind if not NULL, once the parser knows what the name means. */
void refer_to_label(struct parser *ps, struct text name, uint32_t *id, uint8_t *kind, enum binding wanted);
/* parse_inst.c */
void parse_instruction(struct parser *ps, struct text spelling, const char *at, uint32_t predicate, bool predicate_not);
uint32_t parse_predicate(struct parser *ps, bool *negated);
/* check_inst.c */
void check_instruction(struct parser *ps, const struct opcode *opcode, const struct ptx_inst *inst, const char *at);
/* parse_variable.c */
struct declaration {
	uint8_t space, type, vec, linkage;
	uint32_t align;
	bool is_pointer, managed;
	uint8_t pointer_space;
	uint32_t pointer_align;
	const char *attribute;
};
/* Reads the words before a name: ".global .align 4 .v2 .f32". The caller has already read `first`. */
void parse_declaration(struct parser *ps, struct text first, struct declaration *out);
/* The name and what follows it; returns the new symbol's id. */
uint32_t parse_declarator(struct parser *ps, const struct declaration *decl, enum ptx_symbol_kind kind);
void parse_attribute(struct parser *ps, struct declaration *out);
void parse_variables(struct parser *ps, struct text first, enum ptx_linkage linkage);
void parse_initialiser(struct parser *ps, uint32_t symbol);
uint32_t new_symbol(struct parser *ps, struct text name, enum ptx_symbol_kind kind);
void bind_symbol(struct parser *ps, struct text name, uint32_t symbol);
enum ptx_space space_by_name(struct text name);
uint32_t add_string(struct parser *ps, struct text t);
/* parse_loc.c */
void parse_file(struct parser *ps);
uint32_t parse_loc(struct parser *ps);
/* constexpr.c */
int64_t parse_constant(struct parser *ps);

/* Copies an array that grew in the parser to the module's arena. */
#define KEEP(ps, array) arena_memdup(&(ps)->m->arena, (array)->data, (array)->len * sizeof(*(array)->data))
#define parser_fail(ps, at, ...) lex_fail(&(ps)->lx, at, __VA_ARGS__)

#endif
