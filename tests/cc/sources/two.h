/* Between the files of the program `two`. */
#ifndef TWO_H
#define TWO_H

#ifdef __cplusplus
extern "C" {
#endif
int one_from_c(void);
#ifdef __cplusplus
}
void fill_on_device(int *out, int n);
#endif

#endif
