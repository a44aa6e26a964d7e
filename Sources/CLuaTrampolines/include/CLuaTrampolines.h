// What stands between Lua's longjmp and Swift's frames.
//
// Lua reports errors and suspends coroutines by longjmp, which must never cross a Swift frame. So Swift
// functions are called by the C functions below, which raise or yield only after the Swift frame has
// returned; and Swift calls Lua only through the protected helpers below.
//
// Everything here is called on the thread that runs the state, but for clua_interrupt, clua_abandon, clua_pending_stop and
// what counts references.

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
typedef void (*clua_release)(lua_State *L, void *object);

// In place of a scope's number: what is pushed belongs to none.
enum { CLUA_NO_SCOPE = -1 };

// Its address is in every box of ours and in no other userdata.
extern const char clua_seal;

// The memory block of every userdata of ours: a retained Swift object and how to call and release it.
//
// The debug library can give a userdata any metatable, and a function any upvalues. So what tells a box from other
// userdata is in the box: its size, which is read first, and the seal. The class is known by the Swift object itself.
typedef struct {
  const char *seal;
  void *_Nullable object;        // NULL once released
  clua_callback _Nullable call;  // NULL for an object that isn't a function, and once released
  clua_release release;
} clua_box;

// Why Lua code is stopped.
typedef enum {
  clua_stop_none,
  clua_stop_interrupt,
  clua_stop_instructions,
  clua_stop_time,
  clua_stop_memory,
} clua_stop;

// Hears that a script ends the process with a status, and gives the one to end with. If it closed the state, that is gone,
// and its finalizers were stopped for the reason, or for none.
typedef int (*clua_exit)(void *owner, int status, bool is_closed, clua_stop stop);

// What became of another thread's request to keep the running code from coming back to Swift.
typedef enum {
  clua_not_abandoned,
  clua_abandon_requested,
  clua_abandon_refused,
  clua_is_abandoned,
} clua_abandonment;

// What the code that Swift started, and all tasks that this code starts, may still use up.
typedef struct {
  bool counts_instructions;
  long long instructions_left;
  // Nanoseconds of CLOCK_MONOTONIC; 0 for none.
  long long deadline;
  // Whether whoever counts looks at the clock too, as there is no timer.
  bool checks_clock;
  // Why all that counts against it is to stop, once it is used up.
  clua_stop exceeded;
} clua_budget;

// A Swift function that runs.
typedef struct clua_activation clua_activation;

// The state's own record, found from any of its coroutines by their extra space.
typedef struct clua_context {
  // The Swift object of the state, not retained.
  void *owner;
  // The state, and everyone who may interrupt it.
  int references;
  // The coroutine whose Lua code runs now, and the thread it runs on; NULL when none does.
  lua_State *_Nullable running;
  pthread_t thread;
  // The context whose code called Swift, on this thread, which runs this state's.
  struct clua_context *_Nullable outer;
  // The running task's own coroutine; NULL outside tasks.
  lua_State *_Nullable task;
  // The status of the task that ended last.
  int task_status;
  // The coroutine in which a finalizer runs; NULL when none does.
  lua_State *_Nullable finalizer;
  // Whether every resumer below the running coroutine can suspend.
  bool can_wait;
  // The coroutine that asked to wait, while its request travels to the scheduler.
  lua_State *_Nullable waiting;
  // The coroutine that waited, while its results travel back to it: how many lie on its stack, and whether the one that
  // does is an error to raise.
  lua_State *_Nullable delivered;
  int delivered_count;
  bool delivered_error;
  // Whether the registry has the traceback of the calls below the function of ours that raised last.
  bool has_inner_traceback;
  // Why the running code is to stop, until control is back in Swift, and whether the traceback of where is kept.
  volatile clua_stop stop;
  bool has_stop_traceback;
  // Since when the running code has been asked to stop, as clua_now tells it; 0 where it isn't.
  long long stop_time;
  // Whether the running code is never to come back to Swift.
  clua_abandonment abandonment;
  // How many coroutines close one another.
  int closing_depth;
  // The main coroutine while the state closes.
  lua_State *_Nullable closing;
  // What other threads ask the one that runs the code to stop it for, and how many of them are asking.
  clua_stop requested;
  int requesters;
  // Whether the code that runs next is to be interrupted at once.
  bool interrupts_next;
  // What the code that runs may still use up; NULL for anything.
  clua_budget *_Nullable budget;
  // What code may use up that Swift starts; nanoseconds; less than 0 for no limit.
  long long instruction_limit;
  long long time_limit;
  // Whether Lua code runs: only then may an allocation be refused.
  bool in_lua;
  // What os.exit calls, on the thread that runs the state; NULL for nothing.
  clua_exit _Nullable will_exit;
  // The innermost Swift function that runs; NULL when none does.
  clua_activation *_Nullable active;
  // How many objects the collector is releasing, one within the other's release.
  int releases;
  // How many scopes were made, whether any of them has objects, and the number of the one to which all that is pushed
  // belongs; 0 for that of the function that pushes it.
  int scope_count;
  bool has_scopes;
  int pushed_scope;
  // How many boxes were made since the collector last heard of them.
  int unaccounted_objects;
  // Bytes of Lua's objects, and of what the host keeps outside of Lua, as far as that counts.
  size_t memory_used;
  size_t host_memory;
  size_t memory_limit;
  // By how much the limit may be exceeded, once something was refused.
  size_t memory_reserve;
  // Whether Lua was refused an allocation, and asks for it once more when it has collected garbage.
  bool is_retried;
  // How many were refused for good since the memory was last within its limit.
  int refusals;
  // The bytes of the heap, and of the process, that don't count, as they were in use before.
  size_t heap_base;
  size_t resident_base;
  // The size of the process from which on its heap is to be measured.
  size_t resident_mark;
  // After how many calls of the host its memory is to be looked at; 0 where it doesn't count.
  int calls_to_measure;
  // Lua's own functions, where ours need them.
  lua_CFunction _Nullable pcall;
  lua_CFunction _Nullable xpcall;
  lua_CFunction _Nullable load;
  lua_CFunction _Nullable set_metatable;
  lua_CFunction _Nullable debug_set_metatable;
  lua_CFunction _Nullable debug_get_info;
  lua_CFunction _Nullable debug_set_hook;
  lua_CFunction _Nullable remove;
  lua_CFunction _Nullable repeat;
} clua_context;

// The context of the state that a coroutine belongs to.
static inline clua_context *clua_get_context(lua_State *L) {
  return *(clua_context **)lua_getextraspace(L);
}

// Makes a state with its context and the standard libraries, with our functions instead of some of theirs; in a sandbox
// without those that reach outside the state. NULL when memory is short.
lua_State *_Nullable clua_open(void *owner, bool in_sandbox);

// Closes the state: runs its finalizers and gives up its reference to the context. Returns why these were stopped.
clua_stop clua_close(lua_State *L);

// Count the references to a context, on any thread.
void clua_retain(clua_context *context);
void clua_release_context(clua_context *context);

// Pushes a userdata with a box. Until it has a metatable with clua_collect as __gc, nobody releases the object.
void clua_push_box(lua_State *L, void *object, clua_callback _Nullable call, clua_release release);

// The box at an index; NULL if there is anything else.
static inline clua_box *_Nullable clua_get_box(lua_State *L, int index) {
  clua_box *box = lua_touserdata(L, index);
  return box != NULL && lua_rawlen(L, index) == sizeof *box && box->seal == &clua_seal ? box : NULL;
}

// The object of the box at an index; NULL if there is no box, or the object was released.
static inline void *_Nullable clua_object(lua_State *L, int index) {
  clua_box *box = clua_get_box(L, index);
  return box == NULL ? NULL : box->object;
}

// Uses up to 4 stack slots and doesn't check for them, as clua_push_scope does. Pushes a new scope, a table of functions that lives as long as one of the objects that belong to it, and returns its
// number. From then on what a function or a method gives belongs to the scope that the function or the object belongs to.
// One without objects is kept alive by its reference in Swift.
int clua_push_new_scope(lua_State *L, bool has_objects);

// Pushes the scope of a number, or nothing if it was collected. Returns whether it is there.
bool clua_push_scope(lua_State *L, int number);

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

// Resumes a task's coroutine: to start it with its function and `argument_count` arguments, for which it has room for
// two values more, or, after clua_deliver, to go on. Returns LUA_YIELD, or how the function ended, and leaves
// `result_count` values on the coroutine's stack: its results, or the error value and the traceback.
int clua_resume(lua_State *coroutine, lua_State *_Nullable from, int argument_count, int *result_count);

// Before clua_resume: says that the top `count` values of the stack of `waiter` are the results it waited for, or,
// with `is_error`, the one error to raise there.
void clua_deliver(lua_State *waiter, int count, bool is_error);

// Whether the C function at a level of the stack lets what it calls suspend: pcall and its like.
bool clua_passes_waits(lua_State *L, int level);

// `next`, as Lua's own, for __pairs.
int clua_next(lua_State *_Nullable L);

// Limits the bytes that the state may take: its Lua objects alone, or together with what the process's heap grows by from
// now on.
void clua_limit_memory(clua_context *context, size_t limit, bool counts_host);

// Has the host's memory looked at when its function returns, as that took much.
static inline void clua_note_growth(clua_context *context) {
  if (context->calls_to_measure > 0) context->calls_to_measure = 1;
}

// Looks, now and then, whether there is room within the limit for what a function of the host has made until now; called
// in it.
bool clua_has_room(lua_State *L);

// Runs a full garbage collection.
void clua_collect_garbage(lua_State *L);

// For the error value on top of the stack, which is about to be raised by a callback (or by another function of ours):
// takes the string at an index for the traceback of the calls below it.
void clua_set_inner_traceback(lua_State *L, int traceback);

// Forgets the traceback of what was raised last: what is raised next doesn't come from there.
void clua_forget_inner_traceback(lua_State *L);

// Once control is back in Swift and no Lua code runs any more: ends a stop, and forgets what Lua caught.
void clua_end(lua_State *L);

// Asks the running Lua code to stop: at its next instruction, and again after whatever catches that. Async-signal-safe,
// on any thread: only the one that runs the code may set its hook, so another one sends it a signal. A stop for time is
// one only after the budget's deadline. Returns whether any code runs.
bool clua_interrupt(clua_context *context, clua_stop reason);

// The same for an interrupt, but where no code runs, the code that runs next is interrupted, unless clua_withdraw_interrupt
// comes first. Async-signal-safe, on any thread.
bool clua_interrupt_now_or_next(clua_context *context);

// Lets the code run that runs next. Returns whether it was to be interrupted.
bool clua_withdraw_interrupt(clua_context *context);

// For another thread than the one that runs the code, when the process is about to end: keeps the code from coming back to
// Swift, for good, unless a function of Swift runs now. From then on the caller may use what belongs to the code's thread.
// Returns whether it does; it doesn't where no code runs, either.
bool clua_abandon(clua_context *context);

// Why the running code is to stop, and for how many nanoseconds it has been asked to; clua_stop_none where it isn't.
clua_stop clua_pending_stop(clua_context *context, long long *duration);

// What code that starts now may use up, by the context's limits.
clua_budget clua_make_budget(const clua_context *context);

// Handles the signal by which threads ask each other; called before clua_interrupt, outside signal handlers.
void clua_handle_signal(void);

// The time now, as in a budget's deadline.
long long clua_now(void);

// Operations that may run metamethods, for clua_call: push the function, then its arguments.
int clua_protected_get(lua_State *_Nullable L);       // (object, key) -> value
int clua_protected_set(lua_State *_Nullable L);       // (object, key, value)
int clua_protected_length(lua_State *_Nullable L);    // (object) -> integer
int clua_protected_tostring(lua_State *_Nullable L);  // (object) -> string

#pragma clang assume_nonnull end

#endif
