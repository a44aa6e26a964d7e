// SQLite's variadic function, which Swift can't call.

#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

// Turns an option of a connection on or off.
static inline int csqlite_set(sqlite3 *_Nonnull database, int option, int isOn) {
  return sqlite3_db_config(database, option, isOn, (int *)0);
}

#endif
