// Swift can neither call a variadic C function nor import macros that aren't plain numbers; the shims below use them.

#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

#include "../CLoading/CLoading.h"

#define CSQLITE_FUNCTIONS(FUNCTION)                                                               \
  FUNCTION(sqlite3_open_v2) FUNCTION(sqlite3_close_v2) FUNCTION(sqlite3_extended_result_codes)    \
  FUNCTION(sqlite3_busy_handler) FUNCTION(sqlite3_db_config) FUNCTION(sqlite3_exec)               \
  FUNCTION(sqlite3_changes) FUNCTION(sqlite3_get_autocommit) FUNCTION(sqlite3_prepare_v2)         \
  FUNCTION(sqlite3_step) FUNCTION(sqlite3_reset) FUNCTION(sqlite3_clear_bindings)                 \
  FUNCTION(sqlite3_finalize) FUNCTION(sqlite3_bind_null) FUNCTION(sqlite3_bind_int64)             \
  FUNCTION(sqlite3_bind_double) FUNCTION(sqlite3_bind_text64) FUNCTION(sqlite3_column_count)      \
  FUNCTION(sqlite3_column_type) FUNCTION(sqlite3_column_int64) FUNCTION(sqlite3_column_double)    \
  FUNCTION(sqlite3_column_text) FUNCTION(sqlite3_column_bytes) FUNCTION(sqlite3_extended_errcode) \
  FUNCTION(sqlite3_errmsg) FUNCTION(sqlite3_errstr)

LOADED_FUNCTIONS(csqlite_functions, CSQLITE_FUNCTIONS)

// The code for a file that was moved while it is open.
static const int csqlite_readonly_dbmoved = SQLITE_READONLY_DBMOVED;

// Turns an option of a connection on or off.
static inline int csqlite_set(
    csqlite_functions library, sqlite3 *_Nonnull database, int option, int isOn) {
  return library.sqlite3_db_config(database, option, isOn, (int *)0);
}

// Binds a text in UTF-8, which SQLite copies; an empty one may be NULL.
static inline int csqlite_bind_text(
    csqlite_functions library, sqlite3_stmt *_Nonnull statement, int index,
    const void *_Nullable text, sqlite3_uint64 length) {
  return library.sqlite3_bind_text64(
      statement, index, text ? (const char *)text : "", length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

#endif
