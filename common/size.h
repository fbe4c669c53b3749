/*
 * Sizes as people write them: 4096, 48K, 48KiB, 1M. The units are powers of 1024, with or without "B" or "iB".
 *
 *   char *end;
 *   double number = c_strtod(text, &end), factor = size_factor(end);   // of "48KiB": 48 and 1024
 */
#ifndef ROMARK_COMMON_SIZE_H
#define ROMARK_COMMON_SIZE_H

/* Bytes in the unit `name`, which may be in small letters: 1,024 for "K", 1 for "", 0 for a name that is no unit. */
double size_factor(const char *name);

/* The units, for messages. */
#define SIZE_UNITS "K, M or G"

#endif
