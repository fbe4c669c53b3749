/* From LLVM's form of inline assembly to statements that the parser reads: placeholders become registers' names. */
#include "ptx-analyzer/language/text/fragment.h"

#include "ptx-analyzer/language/text/parser.h"

/* Operand N is register %$N: a name that no assembly has, for a lone `$` cannot come out of LLVM's form. */
static const char *add_operand(const char *at, struct strbuf *out)
{
	const char *digits = at;

	while (is_char(*at, CHAR_DIGIT))
		at++;
	strbuf_adds(out, "%$");
	strbuf_add(out, digits, (size_t)(at - digits));
	return at;
}

/* Translates what follows a `$`; NULL if it is not an operand. `${:uid}` is a number that differs at each place. */
static const char *add_placeholder(const char *at, struct strbuf *out)
{
	static const char unique[] = "{:uid}";

	if (*at == '$') {
		strbuf_addc(out, '$');
		return at + 1;
	}
	if (is_char(*at, CHAR_DIGIT))
		return add_operand(at, out);
	if (strncmp(at, unique, strlen(unique)) == 0) {
		strbuf_addc(out, '0');
		return at + strlen(unique);
	}
	if (*at != '{' || !is_char(at[1], CHAR_DIGIT))
		return NULL;
	at = add_operand(at + 1, out);
	at += *at == ':' ? strcspn(at, "}") : 0;
	return *at == '}' ? at + 1 : NULL;
}

static int replace_placeholders(const char *text, struct strbuf *out, struct diag *d)
{
	while (*text) {
		size_t plain = strcspn(text, "$");

		strbuf_add(out, text, plain);
		text += plain;
		if (!*text)
			break;
		text = add_placeholder(text + 1, out);
		if (!text)
			return diag_file(d, "assembly", "expected the number of an operand behind '$'");
	}
	/* The last statement may lack its semicolon. */
	strbuf_adds(out, "\n;");
	return 0;
}

struct ptx_module *ptx_parse_fragment(const char *text, size_t size, unsigned noperands, struct diag *d)
{
	struct strbuf plain = STRBUF_INIT;
	char *copy = xstrndup(text, size);
	struct ptx_module *m = NULL;

	if (replace_placeholders(copy, &plain, d) == 0)
		m = parse_statements("assembly", plain.data, plain.len, noperands, d);
	strbuf_release(&plain);
	free(copy);
	return m;
}
