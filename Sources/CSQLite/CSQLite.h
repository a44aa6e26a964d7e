#include <sqlite3.h>

/// Has a connection leave the log beside its file as it is when it is closed, instead of taking it in and removing it.
///
/// Swift can't call functions with a variable number of arguments.
static inline int csqlite_keep_log(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// Reads bytes of a connection's file as they are in the file itself, whatever is in the log beside it.
///
/// Returns `SQLITE_OK`, or the reason why not all of them could be read.
static inline int csqlite_read_file(sqlite3 *connection, void *bytes, int count, sqlite3_int64 offset) {
  sqlite3_file *file = 0;
  int result = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (result != SQLITE_OK) return result;
  if (!file || !file->pMethods) return SQLITE_CANTOPEN;
  return file->pMethods->xRead(file, bytes, count, offset);
}
