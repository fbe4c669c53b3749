/* A pipe is filled at the end from a file without a name. */
#include "cli/sim_output.h"

int sim_output_open(struct sim_output *o, const char *path, struct diag *d)
{
	*o = (struct sim_output){.stream = NULL};
	if (!path)
		return 0;
	if (outfile_open(&o->out, path, d) < 0)
		return DIAG_ERROR;
	o->is_aside = !o->out.target;
	o->stream = o->is_aside ? tmpfile() : o->out.stream;
	if (o->stream)
		return 0;
	outfile_abort(&o->out);
	return diag_file(d, path, "no temporary file can be made for the result");
}

static bool copy(FILE *from, FILE *to)
{
	char part[1 << 16];
	size_t n;

	if (fflush(from) != 0 || fseek(from, 0, SEEK_SET) != 0)
		return false;
	while ((n = fread(part, 1, sizeof part, from)) > 0)
		fwrite(part, 1, n, to);
	return !ferror(from);
}

int sim_output_commit(struct sim_output *o, struct diag *d)
{
	bool copied;

	if (!o->stream)
		return 0;
	copied = !o->is_aside || copy(o->stream, o->out.stream);
	if (o->is_aside)
		fclose(o->stream);
	o->stream = NULL;
	if (copied)
		return outfile_commit(&o->out, d);
	diag_file(d, o->out.path, "the result was lost on its way: its temporary file could not be written");
	outfile_abort(&o->out);
	return DIAG_ERROR;
}

void sim_output_abort(struct sim_output *o)
{
	if (!o->stream)
		return;
	if (o->is_aside)
		fclose(o->stream);
	o->stream = NULL;
	outfile_abort(&o->out);
}
