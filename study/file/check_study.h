/* What must fit together in a study, once all of it has been read. */
#ifndef ROMARK_STUDY_FILE_CHECK_H
#define ROMARK_STUDY_FILE_CHECK_H

#include "study/file/mapping_reader.h"

/* Puts in what the file left out, and checks the rest; `top` is the file's whole mapping. */
int study_complete(struct reader *r, const struct yaml_tree *top);

#endif
