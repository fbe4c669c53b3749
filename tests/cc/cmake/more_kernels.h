// Between the files of the program.
int doubled(int number);
