/* Names of contents: 128 bits of XXH3, as 32 hexadecimal digits. */
#ifndef ROMARK_STUDY_HASH_H
#define ROMARK_STUDY_HASH_H

#include "common/diag.h"

struct hash {
	char text[33];
};

struct hash hash_of(const void *data, size_t size);
struct hash hash_of_text(const char *text);
int hash_of_file(const char *path, struct hash *hash, struct diag *d);

#endif
