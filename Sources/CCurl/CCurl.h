// Swift can't call variadic C functions, so those of libcurl are called by the shims below.

#ifndef CCURL_H
#define CCURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include "../CLoading/CLoading.h"

#define CCURL_FUNCTIONS(FUNCTION)                                                          \
  FUNCTION(curl_global_init) FUNCTION(curl_easy_init) FUNCTION(curl_easy_cleanup)          \
  FUNCTION(curl_easy_setopt) FUNCTION(curl_easy_getinfo) FUNCTION(curl_slist_append)       \
  FUNCTION(curl_slist_free_all) FUNCTION(curl_multi_init) FUNCTION(curl_multi_cleanup)     \
  FUNCTION(curl_multi_add_handle) FUNCTION(curl_multi_remove_handle)                       \
  FUNCTION(curl_multi_perform) FUNCTION(curl_multi_poll) FUNCTION(curl_multi_wakeup)       \
  FUNCTION(curl_multi_info_read)

LOADED_FUNCTIONS(ccurl_functions, CCURL_FUNCTIONS)

static inline CURLcode ccurl_set_long(
    ccurl_functions library, CURL *_Nonnull handle, CURLoption option, long value) {
  return library.curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_offset(
    ccurl_functions library, CURL *_Nonnull handle, CURLoption option, curl_off_t value) {
  return library.curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_text(
    ccurl_functions library, CURL *_Nonnull handle, CURLoption option, const char *_Nonnull value) {
  return library.curl_easy_setopt(handle, option, value);
}

// Makes the request a POST with a body, which is copied.
static inline CURLcode ccurl_set_body(
    ccurl_functions library, CURL *_Nonnull handle, const void *_Nullable bytes, size_t count) {
  CURLcode code = library.curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  if (code != CURLE_OK) return code;
  // Without bytes, libcurl would read the body from the standard input.
  return library.curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes ? bytes : "");
}

static inline CURLcode ccurl_set_pointer(
    ccurl_functions library, CURL *_Nonnull handle, CURLoption option, void *_Nullable value) {
  return library.curl_easy_setopt(handle, option, value);
}

// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode ccurl_set_receiver(
    ccurl_functions library, CURL *_Nonnull handle, CURLoption option,
    curl_write_callback _Nonnull value) {
  return library.curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_socket_opener(
    ccurl_functions library, CURL *_Nonnull handle, curl_opensocket_callback _Nonnull value) {
  return library.curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

// Allows no protocols but http and https. Headers before 7.85 don't know the option by text.
static inline CURLcode ccurl_allow_web_only(ccurl_functions library, CURL *_Nonnull handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return library.curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  long protocols = CURLPROTO_HTTP | CURLPROTO_HTTPS;
  return library.curl_easy_setopt(handle, CURLOPT_PROTOCOLS, protocols);
#endif
}

// Lets a transfer end without waiting for its look-up of a name. Libraries before 7.87 don't know the option, and wait.
static inline CURLcode ccurl_allow_quick_exit(ccurl_functions library, CURL *_Nonnull handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  CURLcode code = library.curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
  return code == CURLE_UNKNOWN_OPTION ? CURLE_OK : code;
#else
  (void)library, (void)handle;
  return CURLE_OK;
#endif
}

static inline CURLcode ccurl_get_long(
    ccurl_functions library, CURL *_Nonnull handle, CURLINFO info, long *_Nonnull value) {
  return library.curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_offset(
    ccurl_functions library, CURL *_Nonnull handle, CURLINFO info, curl_off_t *_Nonnull value) {
  return library.curl_easy_getinfo(handle, info, value);
}

#endif
