// What of SQLite Swift can't import: a variadic function, and macros that aren't plain numbers.

#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

// The code for a file that was moved while it is open.
static const int csqlite_readonly_dbmoved = SQLITE_READONLY_DBMOVED;

// Turns an option of a connection on or off.
static inline int csqlite_set(sqlite3 *_Nonnull database, int option, int isOn) {
  return sqlite3_db_config(database, option, isOn, (int *)0);
}

// Binds a text in UTF-8, which SQLite copies; an empty one may be NULL.
static inline int csqlite_bind_text(
    sqlite3_stmt *_Nonnull statement, int index, const void *_Nullable text, sqlite3_uint64 length) {
  return sqlite3_bind_text64(
      statement, index, text ? (const char *)text : "", length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

#endif
