// The types of the functions of libcurl that are looked up when the library is loaded at run time; naming the functions
// themselves would link it. Swift can't call variadic C functions, so those are called by the shims below.

#ifndef CCURL_H
#define CCURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

typedef __typeof__(curl_global_init) *_Nonnull ccurl_global_init_function;
typedef __typeof__(curl_easy_init) *_Nonnull ccurl_easy_init_function;
typedef __typeof__(curl_easy_cleanup) *_Nonnull ccurl_easy_cleanup_function;
typedef __typeof__(curl_slist_append) *_Nonnull ccurl_slist_append_function;
typedef __typeof__(curl_slist_free_all) *_Nonnull ccurl_slist_free_all_function;
typedef __typeof__(curl_multi_init) *_Nonnull ccurl_multi_init_function;
typedef __typeof__(curl_multi_cleanup) *_Nonnull ccurl_multi_cleanup_function;
typedef __typeof__(curl_multi_add_handle) *_Nonnull ccurl_multi_add_handle_function;
typedef __typeof__(curl_multi_remove_handle) *_Nonnull ccurl_multi_remove_handle_function;
typedef __typeof__(curl_multi_perform) *_Nonnull ccurl_multi_perform_function;
typedef __typeof__(curl_multi_poll) *_Nonnull ccurl_multi_poll_function;
typedef __typeof__(curl_multi_wakeup) *_Nonnull ccurl_multi_wakeup_function;
typedef __typeof__(curl_multi_info_read) *_Nonnull ccurl_multi_info_read_function;

// The address of curl_easy_setopt or curl_easy_getinfo.
typedef void (*_Nonnull ccurl_variadic_function)(void);

#define CCURL_SETOPT ((__typeof__(curl_easy_setopt) *)setopt)
#define CCURL_GETINFO ((__typeof__(curl_easy_getinfo) *)getinfo)

static inline CURLcode ccurl_set_long(
    ccurl_variadic_function setopt, CURL *_Nonnull handle, CURLoption option, long value) {
  return CCURL_SETOPT(handle, option, value);
}

static inline CURLcode ccurl_set_offset(
    ccurl_variadic_function setopt, CURL *_Nonnull handle, CURLoption option, curl_off_t value) {
  return CCURL_SETOPT(handle, option, value);
}

static inline CURLcode ccurl_set_text(
    ccurl_variadic_function setopt, CURL *_Nonnull handle, CURLoption option,
    const char *_Nonnull value) {
  return CCURL_SETOPT(handle, option, value);
}

// Makes the request a POST with a body, which is copied.
static inline CURLcode ccurl_set_body(
    ccurl_variadic_function setopt, CURL *_Nonnull handle, const void *_Nullable bytes,
    size_t count) {
  CURLcode code = CCURL_SETOPT(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  // Without bytes, libcurl would read the body from the standard input.
  return code == CURLE_OK ? CCURL_SETOPT(handle, CURLOPT_COPYPOSTFIELDS, bytes ? bytes : "") : code;
}

static inline CURLcode ccurl_set_pointer(
    ccurl_variadic_function setopt, CURL *_Nonnull handle, CURLoption option,
    void *_Nullable value) {
  return CCURL_SETOPT(handle, option, value);
}

// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode ccurl_set_receiver(
    ccurl_variadic_function setopt, CURL *_Nonnull handle, CURLoption option,
    curl_write_callback _Nonnull value) {
  return CCURL_SETOPT(handle, option, value);
}

static inline CURLcode ccurl_set_socket_opener(
    ccurl_variadic_function setopt, CURL *_Nonnull handle,
    curl_opensocket_callback _Nonnull value) {
  return CCURL_SETOPT(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

// Allows no protocols but http and https. Headers before 7.85 don't know the option by text.
static inline CURLcode ccurl_allow_web_only(
    ccurl_variadic_function setopt, CURL *_Nonnull handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return CCURL_SETOPT(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return CCURL_SETOPT(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// Lets a transfer end without waiting for its look-up of a name. Libraries before 7.87 don't know the option, and wait.
static inline CURLcode ccurl_allow_quick_exit(
    ccurl_variadic_function setopt, CURL *_Nonnull handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  CURLcode code = CCURL_SETOPT(handle, CURLOPT_QUICK_EXIT, 1L);
  return code == CURLE_UNKNOWN_OPTION ? CURLE_OK : code;
#else
  (void)setopt, (void)handle;
  return CURLE_OK;
#endif
}

static inline CURLcode ccurl_get_long(
    ccurl_variadic_function getinfo, CURL *_Nonnull handle, CURLINFO info, long *_Nonnull value) {
  return CCURL_GETINFO(handle, info, value);
}

static inline CURLcode ccurl_get_offset(
    ccurl_variadic_function getinfo, CURL *_Nonnull handle, CURLINFO info,
    curl_off_t *_Nonnull value) {
  return CCURL_GETINFO(handle, info, value);
}

#endif
