// Swift can't call variadic C functions, so those of libmicrohttpd are called by the shims below.

#ifndef CMICROHTTPD_H
#define CMICROHTTPD_H

#include <microhttpd.h>

#include "../CLoading/CLoading.h"

#define CMICROHTTPD_FUNCTIONS(FUNCTION)                                              \
  FUNCTION(MHD_start_daemon) FUNCTION(MHD_get_daemon_info) FUNCTION(MHD_stop_daemon) \
  FUNCTION(MHD_lookup_connection_value) FUNCTION(MHD_create_response_from_buffer)    \
  FUNCTION(MHD_create_response_from_callback) FUNCTION(MHD_add_response_header)      \
  FUNCTION(MHD_queue_response) FUNCTION(MHD_destroy_response)                        \
  FUNCTION(MHD_suspend_connection) FUNCTION(MHD_resume_connection)

LOADED_FUNCTIONS(cmicrohttpd_functions, CMICROHTTPD_FUNCTIONS)

// Starts a daemon that listens on an address, with a thread of its own; null if it can't.
static inline struct MHD_Daemon *_Nullable cmicrohttpd_start(
    cmicrohttpd_functions library, const struct sockaddr *_Nonnull address, int is_version_6,
    MHD_AccessHandlerCallback _Nonnull answer, MHD_RequestCompletedCallback _Nonnull completed,
    void *_Nonnull context, unsigned int connection_limit, unsigned int idle_seconds) {
  unsigned int flags = MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME;
  if (is_version_6) flags |= MHD_USE_IPv6;
  return library.MHD_start_daemon(
      flags, 0, NULL, NULL, answer, context, MHD_OPTION_SOCK_ADDR, address,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_CONNECTION_LIMIT, connection_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_END);
}

// The port on which a daemon listens; 0 if it isn't known.
static inline unsigned short cmicrohttpd_port(
    cmicrohttpd_functions library, struct MHD_Daemon *_Nonnull daemon) {
  const union MHD_DaemonInfo *info =
      library.MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info == NULL ? 0 : info->port;
}

// The value that a content reader returns at the end of the content, a macro that Swift doesn't see.
static const ssize_t cmicrohttpd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
// The size of a response whose end isn't known, a macro that Swift doesn't see.
static const uint64_t cmicrohttpd_size_unknown = MHD_SIZE_UNKNOWN;

#endif
