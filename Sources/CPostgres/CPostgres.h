#ifndef CPOSTGRES_H
#define CPOSTGRES_H

// Debian's folder of the header isn't one that compilers search.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

#include "../CLoading/CLoading.h"

// The field of an error with its code in the SQL standard (postgres_ext.h).
static const int cpostgres_sqlstate = PG_DIAG_SQLSTATE;
// The field of an error with its message alone.
static const int cpostgres_message = PG_DIAG_MESSAGE_PRIMARY;

#define CPOSTGRES_FUNCTIONS(FUNCTION)                                            \
  FUNCTION(PQconninfoParse) FUNCTION(PQconninfoFree) FUNCTION(PQconnectdbParams) \
  FUNCTION(PQfinish) FUNCTION(PQstatus) FUNCTION(PQerrorMessage)                 \
  FUNCTION(PQsocket) FUNCTION(PQbackendPID) FUNCTION(PQsetnonblocking)           \
  FUNCTION(PQsendQueryParams) FUNCTION(PQsendQuery) FUNCTION(PQflush)            \
  FUNCTION(PQconsumeInput) FUNCTION(PQisBusy) FUNCTION(PQgetResult)              \
  FUNCTION(PQresultStatus) FUNCTION(PQresultErrorField) FUNCTION(PQntuples)      \
  FUNCTION(PQnfields) FUNCTION(PQgetvalue) FUNCTION(PQgetlength)                 \
  FUNCTION(PQgetisnull) FUNCTION(PQclear) FUNCTION(PQnotifies)                   \
  FUNCTION(PQfreemem) FUNCTION(PQsetNoticeProcessor) FUNCTION(PQsetErrorVerbosity)

LOADED_FUNCTIONS(cpostgres_functions, CPOSTGRES_FUNCTIONS)

#endif
