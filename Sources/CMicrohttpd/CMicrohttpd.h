// The types of the functions of libmicrohttpd that are looked up when the library is loaded at run time; naming the functions
// themselves would link it. Swift can't call variadic C functions, so those are called by the shims below.

#ifndef CMICROHTTPD_H
#define CMICROHTTPD_H

#include <microhttpd.h>

typedef __typeof__(MHD_stop_daemon) *_Nonnull cmicrohttpd_stop_function;
typedef __typeof__(MHD_lookup_connection_value) *_Nonnull cmicrohttpd_lookup_function;
typedef __typeof__(MHD_create_response_from_buffer) *_Nonnull cmicrohttpd_buffer_function;
typedef __typeof__(MHD_create_response_from_callback) *_Nonnull cmicrohttpd_callback_function;
typedef __typeof__(MHD_add_response_header) *_Nonnull cmicrohttpd_header_function;
typedef __typeof__(MHD_queue_response) *_Nonnull cmicrohttpd_queue_function;
typedef __typeof__(MHD_destroy_response) *_Nonnull cmicrohttpd_destroy_function;
typedef __typeof__(MHD_suspend_connection) *_Nonnull cmicrohttpd_suspend_function;
typedef __typeof__(MHD_resume_connection) *_Nonnull cmicrohttpd_resume_function;

// The address of MHD_start_daemon or MHD_get_daemon_info.
typedef void (*_Nonnull cmicrohttpd_variadic_function)(void);

// Starts a daemon that listens on an address, with a thread of its own; null if it can't.
static inline struct MHD_Daemon *_Nullable cmicrohttpd_start(
    cmicrohttpd_variadic_function start, const struct sockaddr *_Nonnull address, int is_version_6,
    MHD_AccessHandlerCallback _Nonnull answer, MHD_RequestCompletedCallback _Nonnull completed,
    void *_Nonnull context, unsigned int connection_limit, unsigned int idle_seconds) {
  unsigned int flags = MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME;
  if (is_version_6) flags |= MHD_USE_IPv6;
  return ((__typeof__(MHD_start_daemon) *)start)(
      flags, 0, NULL, NULL, answer, context, MHD_OPTION_SOCK_ADDR, address,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_CONNECTION_LIMIT, connection_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_END);
}

// The port on which a daemon listens; 0 if it isn't known.
static inline unsigned short cmicrohttpd_port(
    cmicrohttpd_variadic_function get_info, struct MHD_Daemon *_Nonnull daemon) {
  const union MHD_DaemonInfo *info =
      ((__typeof__(MHD_get_daemon_info) *)get_info)(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info == NULL ? 0 : info->port;
}

// The value that a content reader returns at the end of the content, a macro that Swift doesn't see.
static const ssize_t cmicrohttpd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
// The size of a response whose end isn't known, a macro that Swift doesn't see.
static const uint64_t cmicrohttpd_size_unknown = MHD_SIZE_UNKNOWN;

#endif
