/* gnuplot writes a colour as "rgb( 27,  58, 107)" or "#1b3a6b", and names as id='gpDot' and href='#gpDot'. */
#include "study/report/html.h"

#include "study/report/theme.h"

#include "common/c_locale.h"
#include "common/xalloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Control characters other than blanks, which no document may contain. */
static bool is_control(char c)
{
	return ((unsigned char)c < ' ' && !strchr("\t\n\r", c)) || c == 0x7f;
}

void html_text(struct strbuf *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '&': strbuf_adds(out, "&amp;"); break;
		case '<': strbuf_adds(out, "&lt;"); break;
		case '>': strbuf_adds(out, "&gt;"); break;
		case '"': strbuf_adds(out, "&quot;"); break;
		default: strbuf_addc(out, is_control(*text) ? ' ' : *text);
		}
}

void html_textf(struct strbuf *out, const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list args;

	va_start(args, format);
	strbuf_vaddf(&text, format, args);
	va_end(args);
	html_text(out, text.data ? text.data : "");
	strbuf_release(&text);
}

/* --- Style --- */

static void add_colours(struct strbuf *out, bool dark)
{
	for (size_t i = 0; i < THEME_COLOURS; i++)
		strbuf_addf(out, "%s:%s;", theme[i].variable, dark ? theme[i].dark : theme[i].light);
	strbuf_adds(out, dark ? "--link:#8ab8f0;--panel:#1d2126" : "--link:#1f5c99;--panel:#f6f7f9");
}

static const char rules[] =
    "*{box-sizing:border-box}"
    "html{color-scheme:light dark}"
    "body{margin:0 auto;max-width:1240px;padding:1.5rem 1.25rem 4rem;background:var(--ground);color:var(--ink);"
    "font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}"
    "h1{font-size:1.9rem;line-height:1.2;margin:.5rem 0}"
    "h2{font-size:1.35rem;margin:2.5rem 0 .75rem;padding-top:.75rem;border-top:1px solid var(--faint)}"
    "h3{font-size:1.08rem;margin:1.75rem 0 .5rem}"
    "a{color:var(--link)}"
    "nav{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;margin:.75rem 0}"
    "p{max-width:75ch}"
    "figure{margin:1rem 0 2rem}"
    ".wide{overflow-x:auto;max-width:100%}"
    ".wide svg{display:block;width:100%;height:auto}"
    "svg *{font-family:inherit}"
    "figcaption,.note{font-size:.9rem;opacity:.85;margin:.4rem 0}"
    ".warn{border-left:4px solid currentColor;padding:.4rem .8rem;background:var(--panel)}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem}"
    "th,td{padding:.3rem .8rem .3rem 0;text-align:left;border-bottom:1px solid var(--faint);vertical-align:top}"
    "td.n,th.n{text-align:right;padding:.3rem .4rem .3rem .9rem;white-space:nowrap}"
    "td.n+td:not(.n),th.n+th:not(.n){padding-left:1.2rem}"
    "td:not(.n):last-child{min-width:13rem}"
    "thead th{border-bottom:2px solid var(--ink)}"
    ".wide table th:first-child,.wide table td:first-child{position:sticky;left:0;background:var(--ground)}"
    "pre{overflow-x:auto;background:var(--panel);padding:.8rem 1rem;border-radius:6px;font-size:.88rem;"
    "line-height:1.45}"
    "code{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,monospace;overflow-wrap:anywhere}"
    "pre code{overflow-wrap:normal}"
    "summary{cursor:pointer}"
    "h1,h2,h3,p,td,th,figcaption{unicode-bidi:plaintext}"
    "@media(max-width:520px){body{padding:1rem .8rem 3rem}h1{font-size:1.5rem}}"
    "@media print{.wide{overflow:visible}.wide svg{min-width:0!important}}";

void html_style(struct strbuf *out)
{
	strbuf_adds(out, "<style>:root{");
	add_colours(out, false);
	strbuf_adds(out, "}@media screen and (prefers-color-scheme:dark){:root{");
	add_colours(out, true);
	strbuf_addf(out, "}}%s</style>\n", rules);
}

/* --- Pictures --- */

/* Reads the colour at `text`, as 0xrrggbb, and returns its length in bytes; 0: no colour is there. */
static size_t colour_here(const char *at, unsigned *colour)
{
	unsigned r, g, b;
	int length = 0;

	if (sscanf(at, "rgb(%u,%u,%u)%n", &r, &g, &b, &length) == 3 && length) {
		*colour = r << 16 | g << 8 | b;
		return (size_t)length;
	}
	if (*at == '#' && strspn(at + 1, "0123456789abcdefABCDEF") == 6) {
		*colour = (unsigned)strtoul(at + 1, NULL, 16);
		return 7;
	}
	return 0;
}

static const char *variable_of(unsigned colour, bool ramp)
{
	size_t count = ramp ? THEME_COLOURS : THEME_RAMP;

	for (size_t i = 0; i < count; i++)
		if (strtoul(theme[i].light + 1, NULL, 16) == colour)
			return theme[i].variable;
	return NULL;
}

static const char *const names[] = {"id='", "id=\"", "href='#", "href=\"#", "url(#", NULL};

/* A name's beginning gets the number of the picture behind it. */
static size_t name_here(const char *at)
{
	for (size_t i = 0; names[i]; i++)
		if (strncmp(at, names[i], strlen(names[i])) == 0)
			return strlen(names[i]);
	return 0;
}

static bool begins(const char *at, const char *with)
{
	return strncmp(at, with, strlen(with)) == 0;
}

static size_t copy_one(struct strbuf *out, const char *at, size_t number, bool ramp)
{
	unsigned colour;
	size_t length = *at == 'r' || *at == '#' ? colour_here(at, &colour) : 0;
	const char *variable = length ? variable_of(colour, ramp) : NULL;

	if (variable) {
		strbuf_addf(out, "var(%s)", variable);
		return length;
	}
	length = name_here(at);
	if (length) {
		strbuf_add(out, at, length);
		strbuf_addf(out, "%zu-", number);
		return length;
	}
	strbuf_addc(out, *at);
	return 1;
}

/* A picture may grow and shrink with the page, as long as its letters are neither a title's nor too small to read. */
static double width_of(const char *svg)
{
	const char *at = strstr(svg, "viewBox=\"0 0 ");

	return at ? c_strtod(at + strlen("viewBox=\"0 0 "), NULL) : 640;
}

void html_picture(struct strbuf *out, const char *svg, size_t number, const char *title, bool ramp)
{
	const char *at = strstr(svg, "<svg"), *end = at ? strchr(at, '>') : NULL;

	if (!end)
		return;
	strbuf_addf(out, "<svg role=\"img\" style=\"min-width:%.0fpx;max-width:%.0fpx\" aria-label=\"",
		    width_of(svg) * 0.88, width_of(svg) * 1.3);
	html_text(out, title);
	strbuf_adds(out, "\"");
	for (at += strlen("<svg"); at < end; at++)
		strbuf_addc(out, *at == '\n' ? ' ' : *at);
	/* Removes gnuplot's titles of parts, which browsers would show under the pointer. */
	while (*at) {
		const char *behind = begins(at, "<title>") ? strstr(at, "</title>") : NULL;

		if (behind)
			at = behind + strlen("</title>");
		else
			at += copy_one(out, at, number, ramp);
	}
}
