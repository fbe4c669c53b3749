/*
 * The command line as a report in SARIF tells it. The words are noted before the options are parsed, which moves them.
 *
 *   struct run_note note;
 *   run_note_make(&note, argc, argv);
 *   ... report_sarif(&report, &note.run, &text);
 *   run_note_release(&note);
 */
#ifndef ROMARK_CLI_RUN_NOTE_H
#define ROMARK_CLI_RUN_NOTE_H

#include "verdict/report/verdict_report.h"

#include <limits.h>

struct run_note {
	struct report_run run;
	const char **words;
	char folder[PATH_MAX];
};

/* argv[0] is the sub-command's name. */
void run_note_make(struct run_note *note, int argc, char **argv);
void run_note_release(struct run_note *note);

#endif
