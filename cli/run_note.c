/* The options of the command, and the machine it ran on. */
#include "cli/run_note.h"

#include "cli/version.h"
#include "common/xalloc.h"

#include <string.h>
#include <unistd.h>

void run_note_make(struct run_note *note, int argc, char **argv)
{
	note->words = xcalloc((size_t)argc + 1, sizeof *note->words);
	for (int i = 0; i < argc; i++)
		note->words[i] = argv[i];
	if (!getcwd(note->folder, sizeof note->folder))
		strcpy(note->folder, "/");
	note->run = (struct report_run){
	    .version = version_text(), .arguments = note->words, .narguments = (size_t)argc, .folder = note->folder};
}

void run_note_release(struct run_note *note)
{
	xfree(note->words);
}
