/* Between the files of the program `two`. */
#ifndef ROMARK_TESTS_CC_TWO_H
#define ROMARK_TESTS_CC_TWO_H

#ifdef __cplusplus
extern "C" {
#endif
int one_from_c(void);
#ifdef __cplusplus
}
void fill_on_device(int *out, int n);
#endif

#endif
