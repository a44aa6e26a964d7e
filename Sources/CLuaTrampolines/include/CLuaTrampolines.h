// The functions between Lua's longjmp and Swift's frames.
//
// Lua reports errors and suspends coroutines by longjmp, which must never cross a Swift frame. So Swift
// functions are called by the C functions below, which raise or yield only after the Swift frame has
// returned; and Swift calls Lua only through the protected helpers below.
//
// Everything here is called on the thread that runs the state, except clua_interrupt and its variants, clua_abandon,
// clua_pending_stop, clua_has_shared_room and what counts references.

#ifndef CLUATRAMPOLINES_H
#define CLUATRAMPOLINES_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

// LUA_REGISTRYINDEX, whose macro Swift can't import.
static const int clua_registry_index = LUA_REGISTRYINDEX;

static inline int clua_upvalue_index(int number) { return lua_upvalueindex(number); }

// Values that a Swift callback returns instead of a number of results.
enum {
  CLUA_RAISE = -1,  // raise the value on top of the stack
  CLUA_WAIT = -2,   // suspend the coroutine until clua_resume brings the results
};

// A Swift callback: returns the number of results it left on top of the stack, or CLUA_RAISE or CLUA_WAIT.
typedef int (*clua_callback)(lua_State *L, void *object);

typedef void (*clua_release)(lua_State *L, void *object);

// In place of a scope's number: what is pushed belongs to none.
enum { CLUA_NO_SCOPE = -1 };

// Its address is in every box and in no other userdata.
extern const char clua_seal;

// The memory block of our userdata: a retained Swift object, and how to call and release it.
//
// The debug library can give a userdata any metatable. So what tells a box from other userdata is in the box: its size,
// which is read first, and the seal. The class is known by the Swift object itself.
typedef struct {
  const char *seal;
  void *_Nullable object;        // NULL once released
  clua_callback _Nullable call;  // NULL for an object that isn't a function, and once released
  clua_release release;
  // The place of an object's userdata; see Objects.c.
  int place;
} clua_box;

// A line of a chunk, whose name is as in Lua's messages; the line is 0 where it isn't known.
typedef struct {
  char chunk[LUA_IDSIZE];
  int line;
} clua_place;

typedef enum {
  clua_stop_none,
  clua_stop_interrupt,
  clua_stop_instructions,
  clua_stop_time,
  clua_stop_memory,
} clua_stop;

// Called when a script ends the process with a status; returns the status to end with. If the script closed the state, that
// is gone, and `stop` is why its finalizers were stopped.
typedef int (*clua_exit)(void *owner, int status, bool is_closed, clua_stop stop);

// The remaining budget of code that Swift started, together with all tasks that it starts.
typedef struct clua_budget clua_budget;

// The state's own record, found from any of its coroutines by their extra space. Its layout is private.
typedef struct clua_context clua_context;

// The fields that Swift reads at nearly every call. They come first in a context, so that the functions below are inlined;
// nothing else uses this type. Those that signal handlers or other threads read are atomic.
typedef struct {
  // The Swift object of the state, not retained.
  void *owner;
  // The coroutine whose Lua code runs now; NULL when none does.
  _Atomic(lua_State *_Nullable) running;
  // The reason to stop the running code, until control is back in Swift.
  _Atomic(clua_stop) stop;
  // Whether Lua code runs: only then may an allocation be refused.
  atomic_bool in_lua;
} clua_context_front;

static inline clua_context *clua_get_context(lua_State *L) {
  return *(clua_context **)lua_getextraspace(L);
}

static inline void *clua_get_owner(lua_State *L) { return ((clua_context_front *)clua_get_context(L))->owner; }

static inline lua_State *_Nullable clua_get_running(const clua_context *context) {
  return atomic_load_explicit(&((const clua_context_front *)context)->running, memory_order_relaxed);
}

static inline clua_stop clua_get_stop(const clua_context *context) {
  return atomic_load_explicit(&((const clua_context_front *)context)->stop, memory_order_relaxed);
}

// Whether Lua code runs, rather than a Swift function that it called.
static inline bool clua_is_in_lua(const clua_context *context) {
  return atomic_load_explicit(&((const clua_context_front *)context)->in_lua, memory_order_relaxed);
}

// Context.c

// Lua's standard libraries, and whether the parts of them that reach outside the state are left out.
enum {
  CLUA_BASE = 1 << 0,
  CLUA_PACKAGE = 1 << 1,
  CLUA_COROUTINE = 1 << 2,
  CLUA_TABLE = 1 << 3,
  CLUA_IO = 1 << 4,
  CLUA_OS = 1 << 5,
  CLUA_STRING = 1 << 6,
  CLUA_MATH = 1 << 7,
  CLUA_UTF8 = 1 << 8,
  CLUA_DEBUG = 1 << 9,
  CLUA_RESTRICTED = 1 << 10,
};

// Makes a state with its context and the chosen libraries, with our functions in place of some of theirs. NULL when memory is
// short.
lua_State *_Nullable clua_open(void *owner, unsigned libraries);

// Closes the state: runs its finalizers and releases its reference to the context. Returns why the finalizers were stopped.
clua_stop clua_close(lua_State *L);

// Count the references to a context, on any thread.
void clua_retain(clua_context *context);
void clua_release_context(clua_context *context);

// An address that is the calling thread's own while it runs.
const void *clua_thread_mark(void);

// Whether Lua code runs, on this thread; called on any thread.
bool clua_runs_here(const clua_context *context);

// Sets what os.exit calls, on the thread that runs the state.
void clua_set_exit_handler(clua_context *context, clua_exit _Nullable handler);

// Boxes.c

// Pushes a userdata with a box. Until it has a metatable with clua_collect as __gc, nobody releases the object.
clua_box *clua_push_box(lua_State *L, void *object, clua_callback _Nullable call, clua_release release);

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

bool clua_is_released(lua_State *L, int index);

// Pushes a new scope, a table of functions that lives as long as one of the objects that belong to it, and returns its
// number. What a function or a method returns then belongs to the scope of the function or of the object. A scope without
// objects is kept alive by its reference in Swift. Uses up to 4 stack slots and doesn't check for them.
int clua_push_new_scope(lua_State *L, bool has_objects);

// Pushes the scope of a number, or nothing if it was collected. Returns whether it is there. Uses up to 4 stack slots and
// doesn't check for them.
bool clua_push_scope(lua_State *L, int number);

// Sets the number of the scope to which everything that is pushed belongs: CLUA_NO_SCOPE for none, 0 for that of the function
// that pushes it. Returns the last one.
int clua_set_pushed_scope(clua_context *context, int number);

// Objects.c

typedef enum {
  clua_pushed_known,      // its userdata was pushed
  clua_pushed_new,        // a new userdata was pushed, which owns a reference that the caller is to retain
  clua_pushed_not_owned,  // a new userdata was pushed, whose object the caller keeps alive until the state is closed
  clua_pushed_no_class,   // nothing was pushed: the class must be remembered first
  clua_pushed_no_room,    // nothing was pushed: the stack can't grow
} clua_pushed;

// Pushes the userdata of an object, a new one if Lua has none. The type is an address that stands for the object's class.
clua_pushed clua_push_object(lua_State *L, void *object, const void *type);

// Remembers a class for the objects of the type that are pushed next: the registry's key for its metatable, and how to
// release an object. Only some classes stay remembered.
void clua_remember_class(clua_context *context, const void *type, int metatable, clua_release release);

// Functions.c

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

// Whether Lua code runs, or the collector is releasing an object.
bool clua_is_busy(const clua_context *context);

// Forgets which coroutine asked to wait: the scheduler has its request.
void clua_clear_wait(clua_context *context);

// Before clua_resume: says that the top `count` values of the stack of `waiter` are the results it waited for, or,
// with `is_error`, the one error to raise there.
void clua_deliver(lua_State *waiter, int count, bool is_error);

// Calls.c

// The message handler of clua_call_handled.
int clua_keep_traceback(lua_State *_Nullable L);

// Protected call, as lua_pcall; on an error leaves the error value and above it the traceback (a string or nil).
// The called function can't wait. Uses up to 2 stack slots and doesn't check for them.
int clua_call(lua_State *L, int argument_count, int result_count);

// The same for a function above its message handler, which stays below the results: a little faster.
int clua_call_handled(lua_State *L, int argument_count, int result_count);

// Resumes a task's coroutine: to start it with its function and `argument_count` arguments, for which it has room for
// two values more, or, after clua_deliver, to continue it. Returns LUA_YIELD, or how the function ended, and leaves
// `result_count` values on the coroutine's stack: its results, or the error value and the traceback.
int clua_resume(lua_State *coroutine, lua_State *_Nullable from, int argument_count, int *result_count);

// Whether the running function may suspend its task.
bool clua_can_wait(lua_State *L);

// Coroutines.c

// Whether the C function at a level of the stack lets what it calls suspend: pcall and its like.
bool clua_passes_waits(lua_State *L, int level);

// The status of the coroutine at an index, as coroutine.status names it; "dead" for any other value.
const char *clua_coroutine_status(lua_State *L, int index);

// For clua_call. An error of the coroutine is raised with its traceback.
int clua_protected_resume(lua_State *_Nullable L);  // (coroutine, arguments...) -> what it yields or returns
int clua_protected_close(lua_State *_Nullable L);   // (coroutine); raises what a __close handler raised

// Finalizers.c

// As debug.setmetatable does for a table, for clua_call: (table, metatable or nil).
int clua_protected_set_metatable(lua_State *_Nullable L);

void clua_collect_garbage(lua_State *L);

// Memory.c

// Limits the bytes that the state may take: its Lua objects alone, or together with what the process's heap grows by from
// now on.
void clua_limit_memory(clua_context *context, size_t limit, bool counts_host);

size_t clua_memory_used(const clua_context *context);

// The bytes that Lua has allocated so far, including those that were freed.
size_t clua_memory_allocated(const clua_context *context);

// Makes the host's memory be measured when its function returns, since that took much.
void clua_schedule_measurement(clua_context *context);

// Whether there is room within the limit for what a function of the host has made so far, and for more bytes; called in it.
// Measures the host's memory now and then, and may collect garbage.
bool clua_has_room(lua_State *L, size_t growth);

// The same for other threads, where the limit counts the process's memory: whether its heap may grow by a number of bytes.
// Takes longer.
bool clua_has_shared_room(const clua_context *context, size_t growth);

// Tracebacks.c

// For the error value on top of the stack, which is about to be raised by a callback (or by another of our functions):
// sets the string at an index as the traceback of the calls below it.
void clua_set_inner_traceback(lua_State *L, int traceback);

// Says where that error was raised, before that.
void clua_set_inner_place(clua_context *context, const clua_place *place);

// The place where the error was raised that clua_call or clua_resume returned last.
const clua_place *clua_get_place(const clua_context *context);

// The line of Lua code that called the running function of the host.
clua_place clua_get_calling_place(lua_State *L);

// The place that a message on top of the stack begins with, for a chunk of a name that doesn't compile.
clua_place clua_get_syntax_place(lua_State *L, const char *name);

// Forgets the traceback of the last error: the next one doesn't come from there.
void clua_forget_inner_traceback(lua_State *L);

// Stops.c

// Once control is back in Swift and no Lua code runs: ends a stop, and forgets what Lua caught.
void clua_end(lua_State *L);

// Makes the task that is resumed next stop at its first instruction.
void clua_stop_next(clua_context *context, clua_stop reason);

// Asks the running Lua code to stop: at its next instruction, and again after whatever catches that. Async-signal-safe,
// on any thread: only the one that runs the code may set its hook, so another one sends it a signal. A stop for time
// counts only after the budget's deadline. Returns whether any code runs.
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

// The reason to stop the running code, and the nanoseconds since the request; clua_stop_none if there is none.
clua_stop clua_pending_stop(clua_context *context, long long *duration);

// Handles the signal by which threads ask each other; called before clua_interrupt, outside signal handlers.
void clua_handle_signal(void);

// Budgets.c

// Sets the limits of code that Swift starts: a number of instructions, and nanoseconds; less than 0 for none.
void clua_set_limits(clua_context *context, long long instructions, long long time);

// Makes a budget by these limits for code that starts now, to be freed by clua_free_budget.
clua_budget *clua_make_budget(const clua_context *context);
void clua_free_budget(clua_budget *budget);

// Sets what the running code may still use up; NULL for anything.
void clua_set_budget(clua_context *context, clua_budget *_Nullable budget);

bool clua_is_overdue(const clua_budget *budget);

// Output.c

// Pops a function, which then takes the strings that print, io.write and warn write, or nil: then Lua's own write them.
void clua_set_output(lua_State *L);

// The number of the last error of standard output that these functions had, in any state; 0 if there was none.
int clua_output_failure(void);

// Operations.c

// Operations that may run metamethods, for clua_call: push the function, then its arguments.
int clua_protected_get(lua_State *_Nullable L);       // (object, key) -> value
int clua_protected_set(lua_State *_Nullable L);       // (object, key, value)
int clua_protected_length(lua_State *_Nullable L);    // (object) -> integer
int clua_protected_tostring(lua_State *_Nullable L);  // (object) -> string

// `next`, as Lua's own, for __pairs.
int clua_next(lua_State *_Nullable L);

#pragma clang assume_nonnull end

#endif
