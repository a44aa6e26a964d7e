// The types of the functions of libpq that are looked up when the library is loaded at run time; naming the functions
// themselves would link it.

#ifndef CPOSTGRES_H
#define CPOSTGRES_H

// Debian's folder of the header isn't one that compilers search.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

// The field of an error with its code in the SQL standard (postgres_ext.h).
static const int cpostgres_sqlstate = PG_DIAG_SQLSTATE;
// The field of an error with its message alone.
static const int cpostgres_message = PG_DIAG_MESSAGE_PRIMARY;

typedef __typeof__(PQconnectdbParams) *_Nonnull cpostgres_connect_function;
typedef __typeof__(PQconninfoParse) *_Nonnull cpostgres_parse_function;
typedef __typeof__(PQconninfoFree) *_Nonnull cpostgres_free_options_function;
typedef __typeof__(PQfinish) *_Nonnull cpostgres_finish_function;
typedef __typeof__(PQstatus) *_Nonnull cpostgres_status_function;
typedef __typeof__(PQerrorMessage) *_Nonnull cpostgres_error_message_function;
typedef __typeof__(PQsocket) *_Nonnull cpostgres_socket_function;
typedef __typeof__(PQbackendPID) *_Nonnull cpostgres_backend_function;
typedef __typeof__(PQsetnonblocking) *_Nonnull cpostgres_set_nonblocking_function;
typedef __typeof__(PQsendQueryParams) *_Nonnull cpostgres_send_function;
typedef __typeof__(PQsendQuery) *_Nonnull cpostgres_send_script_function;
typedef __typeof__(PQflush) *_Nonnull cpostgres_flush_function;
typedef __typeof__(PQconsumeInput) *_Nonnull cpostgres_consume_function;
typedef __typeof__(PQisBusy) *_Nonnull cpostgres_is_busy_function;
typedef __typeof__(PQgetResult) *_Nonnull cpostgres_get_result_function;
typedef __typeof__(PQresultStatus) *_Nonnull cpostgres_result_status_function;
typedef __typeof__(PQresultErrorField) *_Nonnull cpostgres_error_field_function;
typedef __typeof__(PQntuples) *_Nonnull cpostgres_count_function;
typedef __typeof__(PQgetvalue) *_Nonnull cpostgres_value_function;
typedef __typeof__(PQgetlength) *_Nonnull cpostgres_cell_function;
typedef __typeof__(PQclear) *_Nonnull cpostgres_clear_function;
typedef __typeof__(PQnotifies) *_Nonnull cpostgres_notifies_function;
typedef __typeof__(PQfreemem) *_Nonnull cpostgres_free_function;
typedef __typeof__(PQsetNoticeProcessor) *_Nonnull cpostgres_set_notices_function;
typedef __typeof__(PQsetErrorVerbosity) *_Nonnull cpostgres_set_verbosity_function;

#endif
