// The other side of every comparison: the functions of BenchModule.swift, bound by hand with Lua's C API, as a careful C
// programmer writes them: every argument is checked, and errors name what is wrong.

#ifndef PLAINC_H
#define PLAINC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct lua_State lua_State;

// The records that are written to tables and read from them.
typedef struct plain_persons plain_persons;

// A state with the standard libraries and the module `bench`; NULL when memory is short.
lua_State *_Nullable plain_open(void);

void plain_close(lua_State *L);

// Compiles a chunk and returns its registry reference. On an error writes the message to standard error and ends the
// process: the chunks are the benchmarks' own.
int plain_load(lua_State *L, const char *source);

// Calls a chunk with one integer, in a protected call. Ends the process on an error, as above.
void plain_run(lua_State *L, int chunk, int64_t argument);

// The same for a chunk that returns a float, such as the seconds that it took.
double plain_run_measuring(lua_State *L, int chunk, int64_t argument);

// Calls a function with one integer `count` times, each in a protected call of its own, and returns the sum of its
// results.
int64_t plain_call_repeatedly(lua_State *L, int function, int64_t count);

// Runs a chunk in a coroutine with one integer, and resumes it at once whenever it waits.
void plain_run_resuming(lua_State *L, int chunk, int64_t argument);

// So many persons to measure with; NULL when memory is short.
plain_persons *_Nullable plain_new_persons(int64_t count);

void plain_free_persons(plain_persons *persons);

int64_t plain_count_persons(const plain_persons *persons);

// Makes a sequence of records and returns its registry reference. Ends the process on an error, as above.
int plain_write_persons(lua_State *L, const plain_persons *persons);

// Reads such a sequence, exactly. Ends the process on an error, as above.
plain_persons *plain_read_persons(lua_State *L, int table);

// Lets go of a registry reference.
void plain_release(lua_State *L, int reference);

// The bytes that the process has allocated and not freed; 0 where the system can't tell.
size_t plain_heap_bytes(void);

#pragma clang assume_nonnull end

#endif
