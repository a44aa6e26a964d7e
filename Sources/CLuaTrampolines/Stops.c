#include <errno.h>
#include <sched.h>
#include <time.h>

#include "Internal.h"

// The address is the registry's key for the message of Lua's own error of memory.
static const char memory_message_key = 0;

static void hook(lua_State *L, lua_Debug *activation);

// Hooks are off while a hook runs, and with them off the message handler of an xpcall couldn't be stopped. So the error is
// the one that Lua raises without calling a handler: lua_error makes it of Lua's own message for short memory. The
// message comes from the registry, as making a string may collect garbage, and stops come by the thousand.
void clua_raise_memory_error(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &memory_message_key);
  lua_error(L);
  __builtin_unreachable();
}

static void set_stop_hook(lua_State *L) {
  lua_sethook(L, hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

// A signal may ask for a stop while another hook is set.
static void set_hook_unless_stopped(clua_context *context, lua_State *L, lua_Hook function, int count) {
  lua_sethook(L, function, LUA_MASKCOUNT, count);
  if (context->front.stop) set_stop_hook(L);
}

static void stop_where_exceeded(clua_context *context) {
  clua_stop exceeded = clua_exceeded_limit(context);
  if (exceeded && !context->front.stop) context->front.stop = exceeded;
}

void clua_charge(clua_context *context) {
  if (!clua_counts_instructions(context)) return;
  clua_charge_budget(context);
  stop_where_exceeded(context);
}

void clua_stop_next(clua_context *context, clua_stop reason) { context->front.stop = reason; }

void clua_stop_code(clua_context *context, clua_stop reason) {
  if (!context->front.stop) context->front.stop = reason;
  set_stop_hook(clua_get_running(context));
}

// A hook that counts continues from where it was: a script mustn't get free instructions by resuming.
void clua_prepare_hook(clua_context *context, lua_State *L) {
  stop_where_exceeded(context);
  if (context->front.stop) {
    set_stop_hook(L);
  } else if (clua_counts_instructions(context) && lua_gethook(L) != hook) {
    set_hook_unless_stopped(context, L, hook, CLUA_COUNTED_INSTRUCTIONS);
  }
}

// Called in the coroutine it stops, or whose instructions it counts. For a stop it stays until control is back in Swift,
// so that a pcall that catches the error, or a __close that runs on its way, is stopped at its next instruction.
static void hook(lua_State *L, lua_Debug *activation) {
  (void)activation;
  clua_context *context = clua_get_context(L);
  if (!context->front.stop) {
    if (!clua_counts_instructions(context)) return set_hook_unless_stopped(context, L, NULL, 0);
    // What is left of an earlier stop counts from now on.
    if (lua_gethookcount(L) != CLUA_COUNTED_INSTRUCTIONS) {
      return set_hook_unless_stopped(context, L, hook, CLUA_COUNTED_INSTRUCTIONS);
    }
    clua_charge(context);
    if (!context->front.stop) return;
  }
  // What was set may be the hook that counts.
  set_stop_hook(L);
  if (!context->stops.has_traceback) {
    context->stops.has_traceback = true;
    clua_keep_stop_traceback(L);
  }
  clua_raise_memory_error(L);
}

// Called on the thread that runs the code.
static void stop_running_code(clua_context *context, clua_stop reason) {
  if (clua_get_running(context) == NULL) {
    // The code has just begun to wait, and then the caller stops it, or ended; a stop for time is requested again.
    if (reason == clua_stop_interrupt) context->front.stop = reason;
    return;
  }
  // The code that was too slow may have ended, and this be other code.
  if (reason == clua_stop_time && !clua_exceeds_time(context)) return;
  if (!context->front.stop) {
    context->front.stop = reason;
    __atomic_store_n(&context->stops.time, clua_now(), __ATOMIC_RELAXED);
  }
  lua_State *running = clua_get_running(context);
  if (!clua_is_closing(context, running)) set_stop_hook(running);
}

// Called on the thread that runs the code, in the handler of a signal.
static void answer_abandoning(clua_context *context) {
  clua_abandonment request = clua_abandon_requested;
  clua_abandonment answer = clua_is_in_lua(context) ? clua_is_abandoned : clua_abandon_refused;
  __atomic_compare_exchange_n(
      &context->stops.abandonment, &request, answer, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

// Asks the thread that runs the code. A tenth of a second is enough for its handler, unless the system is in its way; then
// the request is taken back.
static clua_abandonment request_abandoning(clua_context *context) {
  clua_abandonment state = clua_abandon_requested;
  __atomic_store_n(&context->stops.abandonment, state, __ATOMIC_SEQ_CST);
  pthread_kill(context->stops.thread, CLUA_STOP_SIGNAL);
  for (int i = 0; i < 100 && state == clua_abandon_requested; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    state = __atomic_load_n(&context->stops.abandonment, __ATOMIC_SEQ_CST);
  }
  state = clua_abandon_requested;
  bool is_unanswered = __atomic_compare_exchange_n(
      &context->stops.abandonment, &state, clua_not_abandoned, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return is_unanswered ? clua_not_abandoned : state;
}

bool clua_abandon(clua_context *context) {
  // While a requester is counted, the thread doesn't leave the code, and so doesn't end.
  __atomic_add_fetch(&context->stops.requesters, 1, __ATOMIC_SEQ_CST);
  bool runs = clua_is_running(context);
  clua_abandonment state = __atomic_load_n(&context->stops.abandonment, __ATOMIC_SEQ_CST);
  if (runs && state != clua_is_abandoned) state = request_abandoning(context);
  __atomic_sub_fetch(&context->stops.requesters, 1, __ATOMIC_SEQ_CST);
  return runs && state == clua_is_abandoned;
}

clua_stop clua_pending_stop(clua_context *context, long long *duration) {
  long long time = __atomic_load_n(&context->stops.time, __ATOMIC_RELAXED);
  clua_stop reason = context->front.stop;
  if (time == 0 || reason == clua_stop_none) return clua_stop_none;
  *duration = clua_now() - time;
  return reason;
}

static void obey_request(clua_context *context) {
  clua_stop reason = __atomic_exchange_n(&context->stops.requested, clua_stop_none, __ATOMIC_RELAXED);
  if (reason) stop_running_code(context, reason);
}

bool clua_interrupt(clua_context *context, clua_stop reason) {
  // While a requester is counted, the thread doesn't leave the code, and so doesn't end.
  __atomic_add_fetch(&context->stops.requesters, 1, __ATOMIC_SEQ_CST);
  bool runs = clua_is_running(context);
  if (runs && pthread_equal(pthread_self(), context->stops.thread)) {
    stop_running_code(context, reason);
  } else if (runs) {
    // A stop for time may turn out to be too early, so it doesn't replace another reason.
    clua_stop none = clua_stop_none;
    if (reason == clua_stop_time) {
      __atomic_compare_exchange_n(
          &context->stops.requested, &none, reason, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    } else {
      __atomic_store_n(&context->stops.requested, reason, __ATOMIC_RELAXED);
    }
    pthread_kill(context->stops.thread, CLUA_STOP_SIGNAL);
  }
  __atomic_sub_fetch(&context->stops.requesters, 1, __ATOMIC_SEQ_CST);
  return runs;
}

// The code may begin to run at any moment: it either finds the request, or is found running.
bool clua_interrupt_now_or_next(clua_context *context) {
  __atomic_store_n(&context->stops.interrupts_next, true, __ATOMIC_SEQ_CST);
  bool runs = clua_interrupt(context, clua_stop_interrupt);
  if (runs) clua_withdraw_interrupt(context);
  return runs;
}

bool clua_withdraw_interrupt(clua_context *context) {
  return __atomic_exchange_n(&context->stops.interrupts_next, false, __ATOMIC_SEQ_CST);
}

void clua_obey_interrupt_of_next(clua_context *context) {
  if (__atomic_load_n(&context->stops.interrupts_next, __ATOMIC_SEQ_CST) && clua_withdraw_interrupt(context)) {
    stop_running_code(context, clua_stop_interrupt);
  }
}

// The context of the innermost state whose code runs on this thread; NULL when none does.
static _Thread_local clua_context *current_context = NULL;

// Lets this thread take the signal that stops the code it runs: Dispatch's threads block all signals.
static void unblock_stop_signal(void) {
  static _Thread_local bool is_unblocked = false;
  if (is_unblocked) return;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, CLUA_STOP_SIGNAL);
  is_unblocked = pthread_sigmask(SIG_UNBLOCK, &signals, NULL) == 0;
}

void clua_take_thread(clua_context *context) {
  context->stops.thread = pthread_self();
  unblock_stop_signal();
  context->stops.outer = current_context;
  current_context = context;
}

void clua_leave_thread(clua_context *context) {
  current_context = context->stops.outer;
  // A thread that found the code running may still be about to send this one a signal.
  while (__atomic_load_n(&context->stops.requesters, __ATOMIC_SEQ_CST) > 0) sched_yield();
  // The signal itself may have been too late.
  obey_request(context);
}

const void *clua_thread_mark(void) {
  static _Thread_local char mark;
  return &mark;
}

bool clua_runs_here(const clua_context *context) {
  for (const clua_context *running = current_context; running != NULL; running = running->stops.outer) {
    if (running == context) return true;
  }
  return false;
}

static struct sigaction previous_action;

static void handle_signal(int signal, siginfo_t *info, void *details) {
  int error = errno;
  for (clua_context *context = current_context; context != NULL; context = context->stops.outer) {
    answer_abandoning(context);
    obey_request(context);
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
  if (context->front.stop) {
    context->front.stop = clua_stop_none;
    context->stops.has_traceback = false;
    __atomic_store_n(&context->stops.time, 0, __ATOMIC_RELAXED);
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
  if (context->front.stop) set_stop_hook(clua_get_running(context));
  return count;
}

void clua_prepare_stops(lua_State *L) {
  lua_pushliteral(L, "not enough memory");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &memory_message_key);
  clua_get_context(L)->stops.set_hook = clua_replace(L, LUA_DBLIBNAME, "sethook", set_hook);
}
