// Private to this target.

#ifndef CLUATRAMPOLINES_INTERNAL_H
#define CLUATRAMPOLINES_INTERNAL_H

#include "CLuaTrampolines.h"

// Libraries.c

// Opens the libraries: Lua's own, with our functions instead of some of theirs.
void clua_open_libraries(lua_State *L, bool in_sandbox);

// Puts a function in place of one of Lua's in a library, and returns that one; NULL if the library isn't there.
lua_CFunction clua_replace(lua_State *L, const char *library, const char *name, lua_CFunction function);

// Coroutines.c

// Replaces the functions of `coroutine` by ours, but for create.
void clua_replace_coroutine_functions(lua_State *L);

// Whether this is what runs a coroutine of the script, as coroutine.wrap makes it.
bool clua_is_wrapped_call(lua_CFunction function);

// How many values a coroutine is to be resumed with, while results travel back through it: those delivered, if it is the
// one that waited, and none otherwise.
int clua_delivered_count(lua_State *coroutine);

// Marks a coroutine that a stop has ended, and whose error value is off its stack. A hook raised that error, which leaves
// the coroutine's hooks off for good: its pending __close handlers couldn't be stopped, so they are never to run.
void clua_mark_stopped(lua_State *coroutine);

// EndlessFunctions.c

// Replaces the functions of `table` and `string` that could go on for ever without running Lua code.
void clua_replace_endless_functions(lua_State *L);

// Functions.c

// A Swift function that runs, on the C stack of its caller.
struct clua_activation {
  void *object;
  clua_release release;  // called when the function returns
  clua_activation *outer;
  // Whether Lua code that it ran was refused memory, as nearly all was in use.
  bool was_refused_memory;
};

// The C function that runs at a level of a coroutine's stack; NULL for a Lua function, or none.
lua_CFunction clua_function_at(lua_State *L, int level);

// Whether this is one of the functions that call Swift.
bool clua_calls_host(lua_CFunction function);

// Finalizers.c

// Replaces setmetatable and the functions of `debug` that have to do with finalizers.
void clua_replace_finalizer_functions(lua_State *L);

// Scopes.c

// Has the box on top of the stack belong to the scope of what is being pushed, or of the function that makes it.
void clua_join_scope(lua_State *L);

// Stops.c

// The signal by which a thread asks another one to stop the code it runs. Its default action is to be ignored, libraries
// don't wait for it, and whoever uses it (for urgent data of sockets) must expect it without a reason.
enum { CLUA_STOP_SIGNAL = SIGURG };

// Prepares a coroutine that is about to run, or to go on: to stop, or to count its instructions.
void clua_prepare_hook(clua_context *context, lua_State *L);

// Stops the code as other threads asked for; called on the thread that runs it, or has just come back from it.
void clua_obey_request(clua_context *context);

// Raises Lua's own error for short memory, which no message handler sees; also the error of a stop. Uses 1 stack slot and
// doesn't check for it.
_Noreturn void clua_raise_memory_error(lua_State *L);

// Makes the error of a stop, and replaces debug.sethook by ours.
void clua_prepare_stops(lua_State *L);

// Where limits are set but no code that Swift started runs: makes a budget for the finalizers that run now.
// Returns whether it did; then the caller takes it away after them.
bool clua_start_finalizer_budget(clua_context *context, clua_budget *budget);

// Charges as many instructions as are counted at once, where any are: the price of starting a coroutine, whose own are counted
// from 0.
void clua_charge(clua_context *context);

// Stops the code for a reason at its next instruction; called on the thread that runs it.
void clua_stop_code(clua_context *context, clua_stop reason);

// Tracebacks.c

// A message handler: keeps the traceback, to which it adds that of the calls below a function of ours that raised.
int clua_keep_traceback(lua_State *L);

// Keeps the traceback of where the running code is stopped: no handler is called for that.
void clua_keep_stop_traceback(lua_State *L);

// Pushes the traceback that was kept, or nil when there was no memory for one.
void clua_push_traceback(lua_State *L);

// Pushes the traceback of a coroutine that failed, whose error value is on top of the stack of L.
void clua_push_coroutine_traceback(lua_State *L, lua_State *coroutine);

// Memory.c

// The allocator of a state with its context.
void *clua_allocate(void *context, void *block, size_t old_size, size_t new_size);

// Counts a call of the host. Returns whether it is time to measure its memory.
static inline bool clua_is_measurement_due(clua_context *context) {
  return context->calls_to_measure > 0 && --context->calls_to_measure == 0;
}

// Looks whether what the host keeps for scripts has grown, and may collect garbage; called in running Lua code where
// clua_is_measurement_due says so. Returns whether the state is within its limit, or at least took no more.
bool clua_measure_memory(lua_State *L, bool may_collect);

// Called where Lua code is refused memory, as nearly all is in use: the Swift function that ran it, if any, fails too, and
// the code may use a little more to make room.
void clua_note_refusal(clua_context *context);

// ProtectedCalls.c

// What changes while Lua code runs, and is put back after it.
typedef struct {
  lua_State *running;
  lua_State *task;
  bool can_wait;
  bool in_lua;
} clua_frame;

// Waits for the process to end.
_Noreturn void clua_wait_for_end(void);

// Goes into Lua code: that of a coroutine, of the task with its own coroutine, or of none.
clua_frame clua_enter(clua_context *context, lua_State *running, lua_State *task, bool can_wait);

// Interrupts the code that has just begun to run, if the code that runs next was to be interrupted.
void clua_obey_interrupt_of_next(clua_context *context);

// Comes back from it. The outermost one doesn't end a stop: clua_end does.
void clua_leave(clua_context *context, clua_frame outside);

// Another coroutine runs from now on.
static inline void clua_set_running(clua_context *context, lua_State *running) {
  __atomic_store_n(&context->running, running, __ATOMIC_RELAXED);
}

// Swift goes on from here on: called by the thread that runs the code, which stays here if the code was abandoned.
static inline void clua_enter_host(clua_context *context) {
  context->in_lua = false;
  // A signal's handler abandons the code while it is in Lua, on this thread.
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (context->abandonment == clua_is_abandoned) clua_wait_for_end();
}

// The context of the innermost state whose code runs on this thread; NULL when none does.
clua_context *clua_current_context(void);

#endif
