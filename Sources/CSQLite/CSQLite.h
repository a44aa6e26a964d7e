#include <sqlite3.h>

/// Has a connection leave the log beside its file as it is when it is closed, instead of taking it in and removing it.
///
/// Swift can't call functions with a variable number of arguments.
static inline int csqlite_keep_log(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
