// Private to this target.
//
// Each group of the context's fields belongs to one file, and only that file and the inline functions below touch it.
// Calls between the files run one way, each to those before it in: Operations, Budgets, Tracebacks, Stops, Memory, Boxes,
// Objects, Functions, Calls, and then those with functions in place of Lua's own.

#ifndef CLUATRAMPOLINES_INTERNAL_H
#define CLUATRAMPOLINES_INTERNAL_H

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "CLuaTrampolines.h"

// Fields that a signal handler or another thread may read or write while the code runs are atomic. Accesses are relaxed, unless a
// comment says otherwise: then only the thread that runs the code uses the value, and its handlers see its own accesses in
// their order.
//
// Code is outermost that has no other code of the same state around it, on the same thread. When it starts and when it ends,
// it meets requests of other threads: either side stores something first, and then looks at what the other stores. That
// needs sequential consistency, once at the start and once at the end; see clua_enter and clua_leave.

struct clua_budget {
  bool counts_instructions;
  long long instructions_left;
  // Nanoseconds of CLOCK_MONOTONIC; 0 for none.
  long long deadline;
  // Whether counting instructions reads the clock too: there is no timer.
  bool checks_clock;
  // The reason to stop everything that counts against it, once it is used up.
  _Atomic(clua_stop) exceeded;
};

// The state of another thread's request to keep the running code from returning to Swift.
typedef enum {
  clua_not_abandoned,
  clua_abandon_requested,
  clua_abandon_refused,
  clua_is_abandoned,
} clua_abandonment;

typedef struct {
  // The address of Swift's own description of it; NULL for no class.
  const void *type;
  // The registry's key for the metatable.
  int metatable;
  clua_release release;
} clua_class;

enum { CLUA_CLASS_COUNT = 16 };

typedef struct {
  // NULL for an empty entry.
  void *object;
  int place;
} clua_object_entry;

// The objects that Lua has.
typedef struct {
  // A hash table of a capacity that is a power of 2, of whose entries at most half are used; and 64 less its exponent.
  clua_object_entry *entries;
  size_t capacity;
  size_t count;
  int shift;
  // The registry's key for the table from places to userdata; 0 before the first object. Its places go from 1 to a number,
  // and some of these are free.
  int table;
  int place_count;
  int *free_places;
  int free_count;
  int place_capacity;
  // The number of userdata that have been made.
  unsigned long entered;
  // The classes of the objects that were pushed last, each where its type's address says.
  clua_class classes[CLUA_CLASS_COUNT];
} clua_objects;

// A finalizer that runs, and the one during which it began; NULL for none.
typedef struct clua_finalizer {
  lua_State *coroutine;
  const struct clua_finalizer *outer;
} clua_finalizer;

struct clua_context {
  // `owner` is Context.c's, `running` and `in_lua` are those of Calls.c, `stop` is that of Stops.c.
  clua_context_front front;

  // Context.c
  struct {
    // The number of references: the state's, and those of its interrupters.
    atomic_int references;
    // The main coroutine while the state closes.
    lua_State *_Atomic closing;
    clua_exit will_exit;
  } state;

  // Budgets.c
  struct {
    // The remaining budget of the running code; NULL for no limit.
    clua_budget *_Atomic budget;
    // The limits of code that Swift starts; nanoseconds; less than 0 for no limit.
    long long instructions;
    long long time;
  } limits;

  // Tracebacks.c
  struct {
    // The C function that raised last, while the traceback of the calls below it is in the registry; or NULL.
    lua_CFunction raiser;
    // The place of the error that it raised.
    clua_place inner_place;
    // The place of the error whose handler ran last, and that of the error that Swift got last.
    clua_place kept_place;
    clua_place place;
  } errors;

  // Stops.c
  struct {
    // The thread that Lua code runs on.
    _Atomic(pthread_t) thread;
    // The context whose code called Swift, on this thread, which runs this state's.
    clua_context *_Atomic outer;
    // Whether the traceback of where the code was stopped is kept.
    bool has_traceback;
    // Since when the running code has been asked to stop, as clua_now tells it; 0 where it isn't.
    atomic_llong time;
    // Whether the running code is never to come back to Swift.
    _Atomic(clua_abandonment) abandonment;
    // The reason for which other threads request a stop, and the number of those requesting.
    _Atomic(clua_stop) requested;
    atomic_int requesters;
    atomic_bool interrupts_next;
    lua_CFunction set_hook;
  } stops;

  // Memory.c
  struct {
    // Bytes of Lua's objects, and of what the host keeps outside of Lua, as far as that counts.
    size_t used;
    size_t host;
    size_t limit;
    // The bytes of the process's heap that may be in use, for other threads; SIZE_MAX for any.
    _Atomic(size_t) shared_limit;
    // The bytes that Lua has allocated so far, including those that were freed.
    size_t allocated;
    // The number of bytes by which the limit may be exceeded, once something was refused.
    size_t reserve;
    // Whether Lua was refused an allocation, and asks for it once more when it has collected garbage.
    bool is_retried;
    // The number of final refusals since the memory was last within its limit.
    int refusals;
    // The bytes of the heap, and of the process, that don't count, as they were in use before.
    size_t heap_base;
    size_t resident_base;
    // The size of the process from which on its heap is measured.
    size_t resident_mark;
    // The number of calls of the host until its memory is measured; 0 where it doesn't count.
    int calls_to_measure;
  } memory;

  // Boxes.c
  struct {
    // The number of boxes not yet reported to the collector.
    int unaccounted;
    int scope_count;
    // Whether any scope has objects.
    bool has_scopes;
    int pushed_scope;
  } boxes;

  // Objects.c
  clua_objects objects;

  // Functions.c
  struct {
    // Whether Lua code that the innermost Swift function ran was refused memory because nearly all was in use; on the C stack
    // of the function's caller. NULL when no function runs.
    bool *is_refused_memory;
    // The number of objects that the collector is releasing, one within the other's release.
    int releases;
    // The coroutine that asked to wait, while its request travels to the scheduler.
    lua_State *waiter;
    // The coroutine that waited, while its results travel back to it: the number of those on its stack, and whether the one
    // that is there is an error to raise.
    lua_State *delivered;
    int delivered_count;
    bool delivered_error;
  } functions;

  // Calls.c
  struct {
    // The running task's own coroutine; NULL outside tasks.
    lua_State *task;
    // The status of the task that ended last.
    int task_status;
    // Whether every resumer below the running coroutine can suspend.
    bool can_wait;
  } calls;

  // Coroutines.c
  struct {
    // The number of coroutines that close one another.
    int closing_depth;
    lua_CFunction pcall;
    lua_CFunction xpcall;
  } coroutines;

  // EndlessFunctions.c: Lua's own functions.
  struct {
    lua_CFunction remove;
    lua_CFunction repeat;
  } endless;

  // Finalizers.c: the finalizer that runs, NULL when none does; Lua's own functions.
  struct {
    const clua_finalizer *running;
    lua_CFunction set_metatable;
    lua_CFunction debug_set_metatable;
  } finalizers;

  // Output.c: whether the host takes the output, and whether warnings are on; Lua's own functions.
  struct {
    bool is_redirected;
    bool warns;
    lua_CFunction warn;
    lua_CFunction write;
    lua_CFunction file_write;
  } output;

  // DebugLibrary.c: Lua's own functions.
  struct {
    lua_CFunction get_info;
    lua_CFunction get_upvalue;
    lua_CFunction set_upvalue;
    lua_CFunction get_local;
    lua_CFunction set_local;
  } debug;

  // Libraries.c: Lua's own function.
  lua_CFunction load;
};

// Operations.c

// The C function that runs at a level of a coroutine's stack; NULL for a Lua function, or none.
lua_CFunction clua_function_at(lua_State *L, int level);

// Puts a function in place of one of Lua's in a library, and returns that one; NULL if the library isn't there.
lua_CFunction clua_replace(lua_State *L, const char *library, const char *name, lua_CFunction function);

// Pushes a new table whose keys ("k") or values ("v") are weak.
void clua_push_weak_table(lua_State *L, const char *mode);

// As realloc; without memory it ends the process, as Swift does.
void *clua_reallocate(void *block, size_t size);

// Budgets.c

// The number of instructions that are counted at once.
enum { CLUA_COUNTED_INSTRUCTIONS = 100 };

// The time now, as in a budget's deadline.
long long clua_now(void);

static inline clua_budget *clua_get_budget(const clua_context *context) {
  return atomic_load_explicit(&context->limits.budget, memory_order_relaxed);
}

static inline bool clua_counts_instructions(const clua_context *context) {
  const clua_budget *budget = clua_get_budget(context);
  return budget != NULL && budget->counts_instructions;
}

// The reason to stop the running code because its budget is used up; clua_stop_none if it isn't.
static inline clua_stop clua_exceeded_limit(const clua_context *context) {
  const clua_budget *budget = clua_get_budget(context);
  return budget != NULL ? atomic_load_explicit(&budget->exceeded, memory_order_relaxed) : clua_stop_none;
}

// Charges as many instructions as are counted at once to the budget, which counts them.
void clua_charge_budget(clua_context *context);

// Whether the budget's time is over, which is then exceeded.
bool clua_exceeds_time(clua_context *context);

// Where limits are set but no code that Swift started runs: makes a budget for the finalizers that run now.
// Returns whether it did; then the caller sets none after them.
bool clua_start_finalizer_budget(clua_context *context, clua_budget *budget);

// Tracebacks.c

// Keeps the traceback of where the running code is stopped: no handler is called for that.
void clua_keep_stop_traceback(lua_State *L);

// Pushes the traceback that was kept, or nil when there was no memory for one.
void clua_push_traceback(lua_State *L);

// Pushes the traceback of a coroutine that failed, whose error value is on top of the stack of L.
void clua_push_coroutine_traceback(lua_State *L, lua_State *coroutine);

// Stops.c

// The signal by which a thread asks another one to stop the code it runs. Its default action is to be ignored, libraries
// don't wait for it, and programs that use it (for urgent data of sockets) must expect it without a reason.
enum { CLUA_STOP_SIGNAL = SIGURG };

// Replaces debug.sethook, and makes the error of a stop.
void clua_prepare_stops(lua_State *L);

// Lua code begins to run on this thread, or has ended there.
void clua_enter_thread(clua_context *context);
void clua_leave_thread(clua_context *context);

// Stops the code that has just begun to run if the code of another state that called it is being stopped: the stop may have
// come before this began, or have ended other code that was called.
void clua_inherit_stop(clua_context *context);

static inline bool clua_interrupts_next(const clua_context *context) {
  return atomic_load_explicit(&context->stops.interrupts_next, memory_order_seq_cst);
}

// Interrupts the code that has just begun to run, as it was to be, unless that was withdrawn meanwhile.
void clua_obey_interrupt_of_next(clua_context *context);

// Prepares a coroutine that is about to run, or to continue: to stop, or to count its instructions.
void clua_prepare_hook(clua_context *context, lua_State *L);

// Sets why the running code is to stop; on the thread that runs it, also in a signal's handler.
static inline void clua_set_stop(clua_context *context, clua_stop reason) {
  atomic_store_explicit(&context->front.stop, reason, memory_order_relaxed);
}

static inline bool clua_may_need_hook(const clua_context *context) {
  return clua_get_budget(context) != NULL || clua_get_stop(context);
}

// Raises Lua's own error for short memory, which no message handler sees; also the error of a stop. Uses 1 stack slot and
// doesn't check for it.
_Noreturn void clua_raise_memory_error(lua_State *L);

// Charges as many instructions as are counted at once, where any are: the price of starting a coroutine, whose own are counted
// from 0.
void clua_charge(clua_context *context);

// Stops the code for a reason at its next instruction; called on the thread that runs it.
void clua_stop_code(clua_context *context, clua_stop reason);

// Memory.c

// Makes the state allocate through the context, which limits the amount.
void clua_install_allocator(lua_State *L, clua_context *context);

// Whether the host's memory counts.
static inline bool clua_measures_memory(const clua_context *context) { return context->memory.calls_to_measure > 0; }

// Counts a call of the host. Returns whether it is time to measure its memory.
static inline bool clua_is_measurement_due(clua_context *context) {
  return clua_measures_memory(context) && --context->memory.calls_to_measure == 0;
}

// Looks whether what the host keeps for scripts has grown, and may collect garbage; called in running Lua code where
// clua_is_measurement_due says so. Returns whether the state is within its limit, or at least took no more.
bool clua_measure_memory(lua_State *L, bool may_collect);

// Called where Lua code is refused memory because nearly all is in use: the Swift function that ran it, if any, fails too, and
// the code may use a little more to make room.
void clua_record_refusal(clua_context *context);

// Objects.c

// Forgets the object of a box that is collected.
void clua_forget_object(clua_context *context, const clua_box *box);

void clua_free_objects(clua_context *context);

// Functions.c

bool clua_calls_host(lua_CFunction function);

static inline bool clua_is_host_running(const clua_context *context) {
  return context->functions.is_refused_memory != NULL;
}

// The running Swift function fails when it returns: Lua code that it ran was refused memory.
static inline void clua_fail_host(clua_context *context) {
  if (clua_is_host_running(context)) *context->functions.is_refused_memory = true;
}

static inline bool clua_has_wait_request(const clua_context *context) { return context->functions.waiter != NULL; }

static inline bool clua_is_delivering(const clua_context *context) { return context->functions.delivered != NULL; }

// The number of values that a coroutine is resumed with while results travel back through it: those delivered, if it is the
// one that waited, and none otherwise.
static inline int clua_delivered_count(const clua_context *context, const lua_State *coroutine) {
  return coroutine == context->functions.delivered ? context->functions.delivered_count : 0;
}

static inline void clua_end_delivery(clua_context *context) { context->functions.delivered = NULL; }

// Calls.c

// The fields that change while Lua code runs, and are restored after it.
typedef struct {
  lua_State *running;
  lua_State *task;
  bool can_wait;
  bool in_lua;
} clua_frame;

// Enters Lua code: that of a coroutine, of the task with its own coroutine, or of none.
clua_frame clua_enter(clua_context *context, lua_State *running, lua_State *task, bool can_wait);

// Leaves it. The outermost one doesn't end a stop: clua_end does.
void clua_leave(clua_context *context, clua_frame outside);

static inline lua_State *clua_task(const clua_context *context) { return context->calls.task; }

static inline bool clua_resumers_can_wait(const clua_context *context) { return context->calls.can_wait; }

static inline void clua_set_resumers_can_wait(clua_context *context, bool can_wait) { context->calls.can_wait = can_wait; }

// Whether Lua code runs; on any thread, after it stored its request.
static inline bool clua_is_running(const clua_context *context) {
  return atomic_load_explicit(&context->front.running, memory_order_seq_cst) != NULL;
}

// Another coroutine runs from now on, while the code runs. Whoever finds it there sees the thread, as in clua_enter.
static inline void clua_set_running(clua_context *context, lua_State *coroutine) {
  atomic_store_explicit(&context->front.running, coroutine, memory_order_release);
  // A signal's handler that comes after this stops the coroutine; one that came before has set a stop, which is read after.
  atomic_signal_fence(memory_order_seq_cst);
}

static inline void clua_set_in_lua(clua_context *context, bool in_lua) {
  atomic_store_explicit(&context->front.in_lua, in_lua, memory_order_relaxed);
}

// Swift continues from here on; called by the thread that runs the code, which stays here until the process ends if the code
// was abandoned. Returns whether Lua code ran.
static inline bool clua_enter_host(clua_context *context) {
  bool in_lua = clua_is_in_lua(context);
  clua_set_in_lua(context, false);
  // A signal's handler abandons the code while it is in Lua, on this thread.
  atomic_signal_fence(memory_order_seq_cst);
  if (atomic_load_explicit(&context->stops.abandonment, memory_order_relaxed) == clua_is_abandoned) {
    for (;;) pause();
  }
  return in_lua;
}

// The caller of Swift continues: Lua code, unless a finalizer's caller is Swift.
static inline void clua_leave_host(clua_context *context, bool in_lua) { clua_set_in_lua(context, in_lua); }

// Coroutines.c

// Whether this is the function of those that coroutine.wrap returns.
bool clua_is_wrapped(lua_CFunction function);

// Replaces the functions of `coroutine` by ours, except create.
void clua_replace_coroutine_functions(lua_State *L);

// Marks a coroutine that a stop has ended, and whose error value is off its stack. A hook raised that error, which leaves
// the coroutine's hooks off for good: its pending __close handlers couldn't be stopped, so they are never to run.
void clua_mark_stopped(lua_State *coroutine);

// EndlessFunctions.c

// Replaces the functions of `table` and `string` that could continue for ever without running Lua code.
void clua_replace_endless_functions(lua_State *L);

// Finalizers.c

// Replaces both functions setmetatable.
void clua_replace_finalizer_functions(lua_State *L);

// The coroutine in which a finalizer runs; NULL when none does.
static inline lua_State *clua_running_finalizer(const clua_context *context) {
  const clua_finalizer *running = context->finalizers.running;
  return running == NULL ? NULL : running->coroutine;
}

// Whether a finalizer runs in a coroutine, perhaps around another one.
static inline bool clua_runs_finalizer(const clua_context *context, const lua_State *coroutine) {
  const clua_finalizer *running = context->finalizers.running;
  while (running != NULL && running->coroutine != coroutine) running = running->outer;
  return running != NULL;
}

// Output.c

// Replaces print, warn, io.write and the files' own write.
void clua_replace_output_functions(lua_State *L);

// OpenFiles.c

// Replaces the functions of `io` that open files.
void clua_replace_file_functions(lua_State *L);

// DebugLibrary.c

// Replaces the functions of `debug` by which a script could reach what functions written in C rely on.
void clua_replace_debug_functions(lua_State *L);

// Libraries.c

// Opens the chosen libraries: Lua's own, with our functions in place of some of theirs.
void clua_open_libraries(lua_State *L, unsigned libraries);

// Context.c

// Whether the coroutine is the main one of a state that closes: then only finalizers run, in coroutines of their own.
static inline bool clua_is_closing(const clua_context *context, const lua_State *L) {
  return atomic_load_explicit(&context->state.closing, memory_order_relaxed) == L;
}

#endif
