/* The script goes to gnuplot's stdin. gnuplot draws into a folder for temporary files. */
#include "study/report/gnuplot.h"

#include "study/report/script.h"

#include "common/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A format of pictures: its file's ending, and gnuplot's command for it; %u: width and height. */
static const struct format {
	const char *name, *terminal;
	unsigned scale;
} formats[] = {
    {"svg", "svg noenhanced size %u,%u dynamic font 'Helvetica,12' background '#ffffff'", 1},
    {"png", "pngcairo noenhanced size %u,%u font 'Sans,9' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'",
     2},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static char *name_in(const char *folder, const char *name)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%s", folder, name);
	return strbuf_detach(&path);
}

static void add_output(struct strbuf *script, const struct format *format, const char *name, unsigned width,
		       unsigned height)
{
	char size[32];
	const char *at = strstr(format->terminal, "%u,%u");

	snprintf(size, sizeof size, "%u,%u", width * format->scale, height * format->scale);
	strbuf_adds(script, "set terminal ");
	strbuf_add(script, format->terminal, (size_t)(at - format->terminal));
	strbuf_addf(script, "%s%s\nset output ", size, at + strlen("%u,%u"));
	script_quote(script, name, SCRIPT_TEXT);
	strbuf_adds(script, "\n");
}

/* Runs a command whose stdin is the text, and whose messages go to the file `messages`. */
static int run_with_input(struct command *c, const struct strbuf *text, const char *messages, struct diag *d)
{
	FILE *input = tmpfile();
	int old = dup(STDIN_FILENO), code;

	if (!input || fwrite(text->data, 1, text->len, input) != text->len || fseek(input, 0, SEEK_SET) != 0) {
		if (input)
			fclose(input);
		if (old >= 0)
			close(old);
		return diag_file(d, NULL, "cannot keep the script of a figure: %s", strerror(errno));
	}
	dup2(fileno(input), STDIN_FILENO);
	code = command_messages(c, messages, d);
	if (old >= 0) {
		dup2(old, STDIN_FILENO);
		close(old);
	} else {
		close(STDIN_FILENO);
	}
	fclose(input);
	return code;
}

/* gnuplot's messages begin with the place in its script; what is wrong comes after it. */
static int complain(const char *messages, const char *figure, int code, struct diag *d)
{
	struct file_data text = {NULL, 0};
	const char *line = "";

	if (file_read(messages, &text, NULL) == 0)
		for (char *at = strtok(text.data, "\n"); at; at = strtok(NULL, "\n"))
			if (at[strspn(at, " \t^")])
				line = at;
	diag_file(d, NULL, "gnuplot could not draw figure '%s' (exit code %d): %s", figure, code, line);
	file_data_release(&text);
	return DIAG_ERROR;
}

static int draw(const struct strbuf *script, const char *figure, const char *messages, struct diag *d)
{
	struct command c = COMMAND_INIT;
	struct diag failure = DIAG_INIT;
	int code;

	command_add(&c, "gnuplot");
	code = run_with_input(&c, script, messages, &failure);
	command_release(&c);
	if (code < 0)
		return diag_file(d, NULL,
				 "cannot draw figure '%s': %s; install gnuplot (Debian's package is gnuplot-nox), "
				 "or take --no-figures",
				 figure, failure.message);
	return code == 0 ? 0 : complain(messages, figure, code, d);
}

/* NULL: no folder for temporary files. */
static char *make_folder(struct diag *d)
{
	const char *base = getenv("TMPDIR");
	char *folder = name_in(base && *base ? base : "/tmp", "romark-plot-XXXXXX");
	char *full = mkdtemp(folder) ? realpath(folder, NULL) : NULL; /* gnuplot takes some first characters for more */

	if (!full)
		diag_file(d, folder, "cannot make this folder for pictures: %s", strerror(errno));
	xfree(folder);
	return full;
}

static int draw_in(const char *folder, const struct study_figure *figure, struct grid *g, const struct study *s,
		   struct file_data *pictures[FORMATS], struct diag *d)
{
	struct strbuf script = STRBUF_INIT;
	char *messages = name_in(folder, "messages"), *names[FORMATS];
	unsigned width, height;
	int status;

	script_size(figure, g, &width, &height);
	for (size_t i = 0; i < FORMATS; i++) {
		names[i] = name_in(folder, formats[i].name);
		add_output(&script, &formats[i], names[i], width, height);
		if (i == 0)
			script_plot(&script, figure, g, s);
		else
			strbuf_adds(&script, "replot\n");
	}
	strbuf_adds(&script, "unset output\n");
	status = draw(&script, figure->name, messages, d);
	for (size_t i = 0; i < FORMATS; i++) {
		if (status == 0)
			status = file_read(names[i], pictures[i], d);
		unlink(names[i]);
		xfree(names[i]);
	}
	unlink(messages);
	xfree(messages);
	strbuf_release(&script);
	return status;
}

int gnuplot_draw(const struct study_figure *figure, struct grid *g, const struct study *s, struct pictures *pictures,
		 struct diag *d)
{
	struct file_data *list[FORMATS] = {&pictures->svg, &pictures->png};
	char *folder = make_folder(d);
	int status;

	*pictures = (struct pictures){{NULL, 0}, {NULL, 0}};
	if (!folder)
		return DIAG_ERROR;
	status = draw_in(folder, figure, g, s, list, d);
	rmdir(folder);
	free(folder);
	if (status < 0) {
		file_data_release(&pictures->svg);
		file_data_release(&pictures->png);
	}
	return status;
}
