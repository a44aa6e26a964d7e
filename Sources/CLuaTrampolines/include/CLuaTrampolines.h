// What stands between Lua's longjmp and Swift's frames.
//
// Lua reports errors and suspends coroutines by longjmp, which must never cross a Swift frame. So Swift
// functions are called by the C functions below, which raise or yield only after the Swift frame has
// returned; and Swift calls Lua only through the protected helpers below.
//
// Everything here is called on the thread that runs the state, but for clua_interrupt.

#ifndef CLUATRAMPOLINES_H
#define CLUATRAMPOLINES_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

// LUA_REGISTRYINDEX, whose macro Swift can't import.
static const int clua_registry_index = LUA_REGISTRYINDEX;

// What a Swift callback returns instead of a number of results.
enum {
  CLUA_RAISE = -1,  // raise the value on top of the stack
  CLUA_WAIT = -2,   // suspend the coroutine until clua_resume brings the results
};

// A Swift callback: returns the number of results it left on top of the stack, or CLUA_RAISE or CLUA_WAIT.
typedef int (*clua_callback)(lua_State *L, void *object);

// Gives up the Swift object of a box.
typedef void (*clua_release)(void *object);

// The memory block of every userdata of ours: a retained Swift object and how to call and release it.
typedef struct {
  void *_Nullable object;        // NULL once released
  clua_callback _Nullable call;  // NULL for an object that isn't a function
  clua_release release;
} clua_box;

// The state's own record, found from any of its coroutines by their extra space.
typedef struct clua_context {
  // The Swift object of the state, not retained.
  void *owner;
  // The coroutine whose Lua code runs now, and the thread it runs on; NULL when none does.
  lua_State *volatile _Nullable running;
  pthread_t thread;
  // The running task's own coroutine; NULL outside tasks.
  lua_State *_Nullable task;
  // Whether every resumer below the running coroutine can suspend.
  bool can_wait;
  // The coroutine that asked to wait, while its request travels to the scheduler.
  lua_State *_Nullable waiting;
  // The coroutine that waited, while its results travel back to it: how many lie on its stack, and whether the one that
  // does is an error to raise.
  lua_State *_Nullable delivered;
  int delivered_count;
  bool delivered_error;
  // Lua's own pcall and xpcall, across which it can suspend.
  lua_CFunction _Nullable pcall;
  lua_CFunction _Nullable xpcall;
  // The signal whose handler interrupts; 0 if none does.
  int signal;
  // An interrupt was asked for and isn't over yet.
  volatile bool stop;
  // Whether Lua code runs: only then may an allocation be refused.
  bool in_lua;
  // How many more allocations to refuse, to raise an error that no handler sees.
  int refusals;
  // How many boxes were made since the collector last heard of them.
  int unaccounted_objects;
  // Bytes.
  size_t memory_used;
  size_t memory_limit;
} clua_context;

// The context of the state that a coroutine belongs to.
static inline clua_context *clua_get_context(lua_State *L) {
  return *(clua_context **)lua_getextraspace(L);
}

// Makes a state with its context, the standard libraries and our coroutine functions; NULL when memory is short.
lua_State *_Nullable clua_open(void *owner);

// Closes the state: runs its finalizers and frees the context.
void clua_close(lua_State *L);

// Pushes a userdata with a box. Until it has a metatable with clua_collect as __gc, nobody releases the object.
void clua_push_box(lua_State *L, void *object, clua_callback _Nullable call, clua_release release);

// The object of the userdata at an index; NULL if its metatable isn't the one at that address, or the object was
// released.
static inline void *_Nullable clua_object(lua_State *L, int index, const void *metatable) {
  clua_box *box = lua_touserdata(L, index);
  // The debug library can give the metatable to other userdata.
  if (box == NULL || lua_rawlen(L, index) != sizeof *box || !lua_getmetatable(L, index)) return NULL;
  bool is_ours = lua_topointer(L, -1) == metatable;
  lua_settop(L, -2);
  return is_ours ? box->object : NULL;
}

// __gc of every box: releases the Swift object, once.
int clua_collect(lua_State *_Nullable L);

// A function: upvalue 1 is its box.
int clua_function(lua_State *_Nullable L);

// __index: upvalue 1 is a table from key to function (the value) or box (called with the object and the key to get
// the value); upvalue 2 is a box called in the same way for every other key.
int clua_index(lua_State *_Nullable L);

// __newindex: upvalue 1 is a table from key to box, called with the object, the key and the value; upvalue 2 is a
// box called in the same way for every other key.
int clua_newindex(lua_State *_Nullable L);

// Protected call, as lua_pcall; on an error leaves the error value and above it the traceback (a string or nil).
// What is called can't wait.
int clua_call(lua_State *L, int argument_count, int result_count);

// Resumes a task's coroutine: to start it with its function and `argument_count` arguments, or, after clua_deliver, to
// go on. Returns the status of lua_resume and leaves `result_count` values on the coroutine's stack.
int clua_resume(lua_State *coroutine, lua_State *_Nullable from, int argument_count, int *result_count);

// After a task's coroutine failed: runs the pending __close handlers of its to-be-closed variables, but for one that was
// stopped. Returns the status and leaves the final error value on top of its stack.
int clua_unwind(lua_State *coroutine);

// Before clua_resume: says that the top `count` values of the stack of `waiter` are the results it waited for, or,
// with `is_error`, the one error to raise there.
void clua_deliver(lua_State *waiter, int count, bool is_error);

// Whether the C function at a level of the stack lets what it calls suspend: pcall and its like.
bool clua_passes_waits(lua_State *L, int level);

// `next`, as Lua's own, for __pairs.
int clua_next(lua_State *_Nullable L);

// Runs a full garbage collection.
void clua_collect_garbage(lua_State *L);

// What became of an interrupt.
typedef enum {
  clua_interrupt_idle,       // no Lua code runs
  clua_interrupt_forwarded,  // the code runs on another thread, which was sent the context's signal
  clua_interrupt_stopping,   // the code stops at its next instruction
} clua_interrupt_outcome;

// Asks the running Lua code to stop. Async-signal-safe, on any thread: only on the one that runs the code may the hook be
// set, so another one sends it the context's signal, whose handler is to call this again.
clua_interrupt_outcome clua_interrupt(clua_context *context);

// Operations that may run metamethods, for clua_call: push the function, then its arguments.
int clua_protected_get(lua_State *_Nullable L);       // (object, key) -> value
int clua_protected_set(lua_State *_Nullable L);       // (object, key, value)
int clua_protected_length(lua_State *_Nullable L);    // (object) -> integer
int clua_protected_tostring(lua_State *_Nullable L);  // (object) -> string

#pragma clang assume_nonnull end

#endif
