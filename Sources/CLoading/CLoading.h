// Declares the functions of a C library that is loaded at run time: naming the functions themselves would link it.
//
// With FUNCTIONS, a macro that applies another one to each function's name, LOADED_FUNCTIONS(type, FUNCTIONS) declares:
// - type, a struct of pointers that have the functions' names and types. It is sendable, since they never change, which
//   Swift doesn't see where a function is variadic.
// - type_in, which looks the functions up in a library, and gives the name of the first that is missing.

#ifndef CLOADING_H
#define CLOADING_H

#include <dlfcn.h>

#define LOADED_FUNCTION(name) __typeof__(name) *_Nonnull name;

#define LOOKED_UP_FUNCTION(name)                                         \
  functions.name = (__typeof__(functions.name))dlsym(library, #name);    \
  if (!functions.name && !*missing) *missing = #name;

#define LOADED_FUNCTIONS(type, FUNCTIONS)                                \
  typedef struct __attribute__((swift_attr("@Sendable"))) type {         \
    FUNCTIONS(LOADED_FUNCTION)                                           \
  } type;                                                                \
                                                                         \
  static inline type type##_in(                                          \
      void *_Nonnull library, const char *_Nullable *_Nonnull missing) { \
    type functions;                                                      \
    FUNCTIONS(LOOKED_UP_FUNCTION)                                        \
    return functions;                                                    \
  }

#endif
