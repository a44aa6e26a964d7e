// The other side of every comparison: the functions of BenchModule.swift, bound by hand with Lua's C API, as a careful C
// programmer writes them: every argument is checked, and errors name what is wrong.

#ifndef PLAINC_H
#define PLAINC_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct lua_State lua_State;

// A state with the standard libraries and the module `bench`; NULL when memory is short.
lua_State *_Nullable plain_open(void);

void plain_close(lua_State *L);

// Compiles a chunk and returns its registry reference. On an error writes the message to standard error and ends the
// process: the chunks are the benchmarks' own.
int plain_load(lua_State *L, const char *source);

// Calls a chunk with one integer, in a protected call. Ends the process on an error, as above.
void plain_run(lua_State *L, int chunk, int64_t argument);

// Calls a function with one integer `count` times, each in a protected call of its own, and returns the sum of its
// results.
int64_t plain_call_repeatedly(lua_State *L, int function, int64_t count);

// Runs a chunk in a coroutine with one integer, and resumes it at once whenever it waits.
void plain_run_resuming(lua_State *L, int chunk, int64_t argument);

#pragma clang assume_nonnull end

#endif
