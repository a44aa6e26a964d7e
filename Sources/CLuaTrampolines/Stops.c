#include <errno.h>
#include <sched.h>
#include <time.h>

#include "Internal.h"

// The address is the registry's key for the message of Lua's own error of memory.
static const char memory_message_key = 0;

static void stop_or_count(lua_State *L, lua_Debug *activation);

// Hooks are off while a hook runs, and with them off the message handler of an xpcall couldn't be stopped. So the error is
// the one that Lua raises without calling a handler: lua_error makes it of Lua's own message for short memory. The
// message comes from the registry, as making a string may collect garbage, and stops come by the thousand.
void clua_raise_memory_error(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &memory_message_key);
  lua_error(L);
  __builtin_unreachable();
}

static void set_stop_hook(lua_State *L) {
  lua_sethook(L, stop_or_count, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

// A signal may ask for a stop while another hook is set.
static void set_hook_unless_stopped(clua_context *context, lua_State *L, lua_Hook function, int count) {
  lua_sethook(L, function, LUA_MASKCOUNT, count);
  if (clua_get_stop(context)) set_stop_hook(L);
}

static void stop_where_exceeded(clua_context *context) {
  clua_stop exceeded = clua_exceeded_limit(context);
  if (exceeded && !clua_get_stop(context)) clua_set_stop(context, exceeded);
}

void clua_charge(clua_context *context) {
  if (!clua_counts_instructions(context)) return;
  clua_charge_budget(context);
  stop_where_exceeded(context);
}

void clua_stop_next(clua_context *context, clua_stop reason) { clua_set_stop(context, reason); }

void clua_stop_code(clua_context *context, clua_stop reason) {
  if (!clua_get_stop(context)) clua_set_stop(context, reason);
  set_stop_hook(clua_get_running(context));
}

// A hook that counts continues from where it was: a script mustn't get free instructions by resuming.
void clua_prepare_hook(clua_context *context, lua_State *L) {
  stop_where_exceeded(context);
  if (clua_get_stop(context)) {
    set_stop_hook(L);
  } else if (clua_counts_instructions(context) && lua_gethook(L) != stop_or_count) {
    set_hook_unless_stopped(context, L, stop_or_count, CLUA_COUNTED_INSTRUCTIONS);
  }
}

// Called in the coroutine it stops, or whose instructions it counts. For a stop it stays until control is back in Swift,
// so that a pcall that catches the error, or a __close that runs on its way, is stopped at its next instruction.
static void stop_or_count(lua_State *L, lua_Debug *activation) {
  (void)activation;
  clua_context *context = clua_get_context(L);
  if (!clua_get_stop(context)) {
    if (!clua_counts_instructions(context)) return set_hook_unless_stopped(context, L, NULL, 0);
    // The rest of an earlier stop counts from now on.
    if (lua_gethookcount(L) != CLUA_COUNTED_INSTRUCTIONS) {
      return set_hook_unless_stopped(context, L, stop_or_count, CLUA_COUNTED_INSTRUCTIONS);
    }
    clua_charge(context);
    if (!clua_get_stop(context)) return;
  }
  // The hook that was set may be the one that counts.
  set_stop_hook(L);
  if (!context->stops.has_traceback) {
    context->stops.has_traceback = true;
    clua_keep_stop_traceback(L);
  }
  clua_raise_memory_error(L);
}

// The context of the innermost state whose code runs on this thread; NULL when none does.
static _Thread_local clua_context *_Atomic current_context = NULL;

// Stops the code of one state, whatever its limits. Called on the thread that runs the code.
static void stop_code(clua_context *context, clua_stop reason) {
  if (!clua_get_stop(context)) {
    clua_set_stop(context, reason);
    atomic_store_explicit(&context->stops.time, clua_now(), memory_order_relaxed);
  }
  lua_State *running = clua_get_running(context);
  if (running != NULL && !clua_is_closing(context, running)) set_stop_hook(running);
}

// Stops the code of other states that code of this state has called, so that control comes back to it.
static void stop_called_code(clua_context *context, clua_stop reason) {
  if (!clua_runs_here(context)) return;
  clua_context *called = atomic_load_explicit(&current_context, memory_order_relaxed);
  while (called != context) {
    stop_code(called, reason);
    called = atomic_load_explicit(&called->stops.outer, memory_order_relaxed);
  }
}

// Called on the thread that runs the code.
static void stop_running_code(clua_context *context, clua_stop reason) {
  if (clua_get_running(context) == NULL) {
    // The code has just begun to wait, and then the caller stops it, or ended; a stop for time is requested again.
    if (reason == clua_stop_interrupt) clua_set_stop(context, reason);
    return;
  }
  // The code that was too slow may have ended, and this be other code.
  if (reason == clua_stop_time && !clua_exceeds_time(context)) return;
  stop_code(context, reason);
  stop_called_code(context, reason);
}

// The thread that runs the code; for a requester that has found the code running and is counted.
static pthread_t running_thread(const clua_context *context) {
  return atomic_load_explicit(&context->stops.thread, memory_order_relaxed);
}

// Called on the thread that runs the code, in the handler of a signal.
static void answer_abandoning(clua_context *context) {
  clua_abandonment request = clua_abandon_requested;
  clua_abandonment answer = clua_is_in_lua(context) ? clua_is_abandoned : clua_abandon_refused;
  atomic_compare_exchange_strong_explicit(
      &context->stops.abandonment, &request, answer, memory_order_seq_cst, memory_order_seq_cst);
}

// Asks the thread that runs the code. A tenth of a second is enough for its handler, unless the system is in its way; then
// the request is taken back.
static clua_abandonment request_abandoning(clua_context *context) {
  clua_abandonment state = clua_abandon_requested;
  atomic_store_explicit(&context->stops.abandonment, state, memory_order_seq_cst);
  pthread_kill(running_thread(context), CLUA_STOP_SIGNAL);
  for (int i = 0; i < 100 && state == clua_abandon_requested; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    state = atomic_load_explicit(&context->stops.abandonment, memory_order_seq_cst);
  }
  state = clua_abandon_requested;
  bool is_unanswered = atomic_compare_exchange_strong_explicit(
      &context->stops.abandonment, &state, clua_not_abandoned, memory_order_seq_cst, memory_order_seq_cst);
  return is_unanswered ? clua_not_abandoned : state;
}

bool clua_abandon(clua_context *context) {
  // While a requester is counted, the thread doesn't leave the code, and so doesn't end.
  atomic_fetch_add_explicit(&context->stops.requesters, 1, memory_order_seq_cst);
  bool runs = clua_is_running(context);
  clua_abandonment state = atomic_load_explicit(&context->stops.abandonment, memory_order_seq_cst);
  if (runs && state != clua_is_abandoned) state = request_abandoning(context);
  atomic_fetch_sub_explicit(&context->stops.requesters, 1, memory_order_seq_cst);
  return runs && state == clua_is_abandoned;
}

clua_stop clua_pending_stop(clua_context *context, long long *duration) {
  long long time = atomic_load_explicit(&context->stops.time, memory_order_relaxed);
  clua_stop reason = clua_get_stop(context);
  if (time == 0 || reason == clua_stop_none) return clua_stop_none;
  *duration = clua_now() - time;
  return reason;
}

static void obey_request(clua_context *context) {
  // Mostly there is none, and looking takes less than exchanging.
  if (!atomic_load_explicit(&context->stops.requested, memory_order_relaxed)) return;
  clua_stop reason = atomic_exchange_explicit(&context->stops.requested, clua_stop_none, memory_order_relaxed);
  if (reason) stop_running_code(context, reason);
}

bool clua_interrupt(clua_context *context, clua_stop reason) {
  // While a requester is counted, the thread doesn't leave the code, and so doesn't end.
  atomic_fetch_add_explicit(&context->stops.requesters, 1, memory_order_seq_cst);
  bool runs = clua_is_running(context);
  if (runs && pthread_equal(pthread_self(), running_thread(context))) {
    stop_running_code(context, reason);
  } else if (runs) {
    // A stop for time may turn out to be too early, so it doesn't replace another reason.
    clua_stop none = clua_stop_none;
    if (reason == clua_stop_time) {
      atomic_compare_exchange_strong_explicit(
          &context->stops.requested, &none, reason, memory_order_relaxed, memory_order_relaxed);
    } else {
      atomic_store_explicit(&context->stops.requested, reason, memory_order_relaxed);
    }
    pthread_kill(running_thread(context), CLUA_STOP_SIGNAL);
  }
  atomic_fetch_sub_explicit(&context->stops.requesters, 1, memory_order_seq_cst);
  return runs;
}

// The code may begin to run at any moment: it either finds the request, or is found running.
bool clua_interrupt_now_or_next(clua_context *context) {
  atomic_store_explicit(&context->stops.interrupts_next, true, memory_order_seq_cst);
  bool runs = clua_interrupt(context, clua_stop_interrupt);
  if (runs) clua_withdraw_interrupt(context);
  return runs;
}

bool clua_withdraw_interrupt(clua_context *context) {
  return atomic_exchange_explicit(&context->stops.interrupts_next, false, memory_order_seq_cst);
}

void clua_obey_interrupt_of_next(clua_context *context) {
  if (clua_withdraw_interrupt(context)) stop_running_code(context, clua_stop_interrupt);
}

static _Thread_local bool is_stop_signal_unblocked = false;

// Lets this thread take the signal that stops the code it runs: Dispatch's threads block all signals.
static __attribute__((noinline)) void unblock_stop_signal(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, CLUA_STOP_SIGNAL);
  is_stop_signal_unblocked = pthread_sigmask(SIG_UNBLOCK, &signals, NULL) == 0;
}

void clua_enter_thread(clua_context *context) {
  atomic_store_explicit(&context->stops.thread, pthread_self(), memory_order_relaxed);
  if (!is_stop_signal_unblocked) unblock_stop_signal();
  clua_context *outer = atomic_load_explicit(&current_context, memory_order_relaxed);
  atomic_store_explicit(&context->stops.outer, outer, memory_order_relaxed);
  // A handler that finds this context finds the ones around it, too.
  atomic_signal_fence(memory_order_release);
  atomic_store_explicit(&current_context, context, memory_order_relaxed);
}

void clua_inherit_stop(clua_context *context) {
  const clua_context *outer = atomic_load_explicit(&context->stops.outer, memory_order_relaxed);
  if (outer != NULL && clua_get_stop(outer)) stop_code(context, clua_get_stop(outer));
}

void clua_leave_thread(clua_context *context) {
  clua_context *outer = atomic_load_explicit(&context->stops.outer, memory_order_relaxed);
  atomic_store_explicit(&current_context, outer, memory_order_relaxed);
  // A thread that found the code running may still be about to send this one a signal.
  while (atomic_load_explicit(&context->stops.requesters, memory_order_seq_cst) > 0) sched_yield();
  // The signal itself may have been too late.
  obey_request(context);
}

const void *clua_thread_mark(void) {
  static _Thread_local char mark;
  return &mark;
}

bool clua_runs_here(const clua_context *context) {
  const clua_context *running = atomic_load_explicit(&current_context, memory_order_relaxed);
  while (running != NULL && running != context) {
    running = atomic_load_explicit(&running->stops.outer, memory_order_relaxed);
  }
  return running != NULL;
}

static struct sigaction previous_action;

static void handle_signal(int signal, siginfo_t *info, void *details) {
  int error = errno;
  clua_context *context = atomic_load_explicit(&current_context, memory_order_relaxed);
  while (context != NULL) {
    answer_abandoning(context);
    obey_request(context);
    context = atomic_load_explicit(&context->stops.outer, memory_order_relaxed);
  }
  if (previous_action.sa_flags & SA_SIGINFO) {
    previous_action.sa_sigaction(signal, info, details);
  } else if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
    previous_action.sa_handler(signal);
  }
  errno = error;
}

static void install_handler(void) {
  struct sigaction action = {0};
  action.sa_sigaction = handle_signal;
  sigemptyset(&action.sa_mask);
  // Without SA_RESTART: code that waits in a system call, as io.read does, must stop there.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(CLUA_STOP_SIGNAL, NULL, &previous_action);
  sigaction(CLUA_STOP_SIGNAL, &action, NULL);
}

void clua_handle_signal(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install_handler);
}

void clua_end(lua_State *L) {
  clua_context *context = clua_get_context(L);
  if (clua_get_running(context) != NULL) return;
  if (clua_get_stop(context)) {
    clua_set_stop(context, clua_stop_none);
    context->stops.has_traceback = false;
    atomic_store_explicit(&context->stops.time, 0, memory_order_relaxed);
  }
  clua_forget_inner_traceback(L);
}

// As Lua's own, except that a script can't replace our hook to escape a limit.
static int set_hook(lua_State *L) {
  clua_context *context = clua_get_context(L);
  if (clua_counts_instructions(context)) {
    return luaL_error(L, "hooks can't be set while instructions are limited");
  }
  int count = context->stops.set_hook(L);
  // A stop may have come since the call began.
  if (clua_get_stop(context)) set_stop_hook(clua_get_running(context));
  return count;
}

void clua_prepare_stops(lua_State *L) {
  lua_pushliteral(L, "not enough memory");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &memory_message_key);
  clua_get_context(L)->stops.set_hook = clua_replace(L, LUA_DBLIBNAME, "sethook", set_hook);
}
