/* The script goes to gnuplot's stdin; what it draws has another name until all of it is there. */
#include "study/report/gnuplot.h"

#include "study/report/script.h"

#include "common/file.h"
#include "common/process.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* One format of pictures: its ending, and how gnuplot is told; %u: width and height. */
static const struct format {
	const char *ending, *terminal;
	unsigned scale;
} formats[] = {
    {"svg", "svg noenhanced size %u,%u dynamic font 'Helvetica,12' background '#ffffff'", 1},
    {"png", "pngcairo noenhanced size %u,%u font 'Sans,9' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'",
     2},
};
enum { FORMATS = sizeof formats / sizeof *formats };

/* Beside the picture, so that it can be renamed; of this process, so that two do not meet. */
static char *temporary_name(const char *stem, const struct format *format)
{
	struct strbuf name = STRBUF_INIT;

	strbuf_addf(&name, "%s.%ld.%s.tmp", stem, (long)getpid(), format->ending);
	return strbuf_detach(&name);
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
	script_quote(script, name);
	strbuf_adds(script, "\n");
}

/* Runs a command whose stdin is the text, and whose messages stand in file `messages` afterwards. */
static int run_with_input(struct command *c, const struct strbuf *text, const char *messages, struct diag *d)
{
	FILE *input = tmpfile();
	int old = dup(STDIN_FILENO), code;

	if (!input || fwrite(text->data, 1, text->len, input) != text->len || fflush(input) != 0) {
		if (input)
			fclose(input);
		if (old >= 0)
			close(old);
		return diag_file(d, NULL, "cannot keep the script of a figure: %s", strerror(errno));
	}
	rewind(input);
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

/* What gnuplot says has the place in its script first, then what is wrong. */
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

static int publish(char *const names[FORMATS], const char *stem, struct diag *d)
{
	for (size_t i = 0; i < FORMATS; i++) {
		struct strbuf path = STRBUF_INIT;
		int status;

		strbuf_addf(&path, "%s.%s", stem, formats[i].ending);
		status = rename(names[i], path.data);
		if (status < 0)
			diag_file(d, path.data, "cannot write this picture: %s", strerror(errno));
		strbuf_release(&path);
		if (status < 0)
			return DIAG_ERROR;
	}
	return 0;
}

int gnuplot_draw(const struct study_figure *figure, struct grid *g, const struct study *s, const char *stem,
		 struct diag *d)
{
	struct strbuf script = STRBUF_INIT, messages = STRBUF_INIT;
	char *names[FORMATS];
	unsigned width, height;
	int status;

	script_size(figure, g, &width, &height);
	for (size_t i = 0; i < FORMATS; i++) {
		names[i] = temporary_name(stem, &formats[i]);
		add_output(&script, &formats[i], names[i], width, height);
		if (i == 0)
			script_plot(&script, figure, g, s);
		else
			strbuf_adds(&script, "replot\n");
	}
	strbuf_adds(&script, "unset output\n");
	strbuf_addf(&messages, "%s.%ld.messages.tmp", stem, (long)getpid());
	status = draw(&script, figure->name, messages.data, d);
	if (status == 0)
		status = publish(names, stem, d);
	for (size_t i = 0; i < FORMATS; i++) {
		unlink(names[i]);
		xfree(names[i]);
	}
	unlink(messages.data);
	strbuf_release(&messages);
	strbuf_release(&script);
	return status;
}
