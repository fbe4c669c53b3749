/* C++ names as people write them, for messages and reports. */
#ifndef ROMARK_COMMON_DEMANGLE_H
#define ROMARK_COMMON_DEMANGLE_H

/*
 * "f(int)" for "_Z1fi", "*lut" for "*_ZL3lut"; any other name as it is. malloc'ed, never NULL. The namespace that nvcc
 * puts static functions and variables into, with a hash of the file in its name, is left out.
 */
char *demangle(const char *name);

#endif
