/* A foreign file can give a thousand notes; the first few are enough for a reader. */
#include "cli/notes.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NOTES = 20 };

void notes_print(struct strbuf *notes)
{
	const char *at = notes->len ? notes->data : "";
	unsigned count = 0;

	for (; *at; at += strcspn(at, "\n") + 1)
		if (count++ < MOST_NOTES)
			fprintf(stderr, "romark: %.*s\n", (int)strcspn(at, "\n"), at);
	if (count > MOST_NOTES)
		fprintf(stderr, "romark: and %u more of these\n", count - MOST_NOTES);
	strbuf_release(notes);
}
