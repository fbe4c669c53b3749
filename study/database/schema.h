/* The tables of a results database. docs/studies.md explains them for those who ask in SQL. */
#ifndef ROMARK_STUDY_DATABASE_SCHEMA_H
#define ROMARK_STUDY_DATABASE_SCHEMA_H

/* "romk": what a database of another program does not have. */
enum { DATABASE_APPLICATION = 0x726f6d6b, DATABASE_SCHEMA = 1 };

/* Creates what is not there yet. */
extern const char database_schema[];

#endif
