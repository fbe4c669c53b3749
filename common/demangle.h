/* C++ names as people write them, for messages and reports. */
#ifndef ROMARK_COMMON_DEMANGLE_H
#define ROMARK_COMMON_DEMANGLE_H

/* "f(int)" for "_Z1fi"; any other name as it is. malloc'ed, never NULL. */
char *demangle(const char *name);

#endif
