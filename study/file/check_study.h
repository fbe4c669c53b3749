/* Checks that the parts of a study fit together, once all of it has been read. */
#ifndef ROMARK_STUDY_FILE_CHECK_STUDY_H
#define ROMARK_STUDY_FILE_CHECK_STUDY_H

#include "study/file/mapping_reader.h"

/* Fills in defaults, and checks the rest; `top` is the file's whole mapping. */
int study_complete(struct reader *r, const struct yaml_tree *top);

#endif
