#include <errno.h>
#include <limits.h>
#include <time.h>

#include "Internal.h"

// How many instructions are counted at once.
enum { COUNTED_INSTRUCTIONS = 100 };

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
  if (context->stop) set_stop_hook(L);
}

static bool counts(const clua_context *context) {
  return context->budget != NULL && context->budget->counts_instructions;
}

static void charge(clua_context *context) {
  clua_budget *budget = context->budget;
  budget->instructions_left -= COUNTED_INSTRUCTIONS;
  if (budget->instructions_left < 0) {
    budget->exceeded = clua_stop_instructions;
  } else if (budget->checks_clock && clua_now() >= budget->deadline) {
    budget->exceeded = clua_stop_time;
  }
  if (!context->stop) context->stop = budget->exceeded;
}

clua_budget clua_make_budget(const clua_context *context) {
  bool has_instructions = context->instruction_limit >= 0;
  long long deadline = 0;
  if (context->time_limit >= 0 && __builtin_saddll_overflow(clua_now(), context->time_limit, &deadline)) {
    deadline = LLONG_MAX;
  }
  return (clua_budget){
      .counts_instructions = has_instructions,
      .instructions_left = has_instructions ? context->instruction_limit : LLONG_MAX,
      .deadline = deadline,
  };
}

bool clua_start_finalizer_budget(clua_context *context, clua_budget *budget) {
  bool has_time = context->time_limit >= 0;
  if (context->budget != NULL || !(has_time || context->instruction_limit >= 0)) return false;
  *budget = clua_make_budget(context);
  budget->counts_instructions = true;
  budget->checks_clock = has_time;
  context->budget = budget;
  return true;
}

void clua_charge(clua_context *context) {
  if (counts(context)) charge(context);
}

void clua_stop_code(clua_context *context, clua_stop reason) {
  if (!context->stop) context->stop = reason;
  set_stop_hook(context->running);
}

// A hook that counts goes on counting from where it was: a script mustn't get instructions for nothing by resuming.
void clua_prepare_hook(clua_context *context, lua_State *L) {
  if (!context->stop && context->budget != NULL) context->stop = context->budget->exceeded;
  if (context->stop) {
    set_stop_hook(L);
  } else if (counts(context) && lua_gethook(L) != hook) {
    set_hook_unless_stopped(context, L, hook, COUNTED_INSTRUCTIONS);
  }
}

// Called in the coroutine it stops, or whose instructions it counts. For a stop it stays until control is back in Swift,
// so that a pcall that catches the error, or a __close that runs on its way, is stopped at its next instruction.
static void hook(lua_State *L, lua_Debug *activation) {
  (void)activation;
  clua_context *context = clua_get_context(L);
  if (!context->stop) {
    if (!counts(context)) return set_hook_unless_stopped(context, L, NULL, 0);
    // What is left of an earlier stop counts from now on.
    if (lua_gethookcount(L) != COUNTED_INSTRUCTIONS) {
      return set_hook_unless_stopped(context, L, hook, COUNTED_INSTRUCTIONS);
    }
    charge(context);
    if (!context->stop) return;
  }
  // What was set may be the hook that counts.
  set_stop_hook(L);
  if (!context->has_stop_traceback) {
    context->has_stop_traceback = true;
    clua_keep_stop_traceback(L);
  }
  clua_raise_memory_error(L);
}

// Called on the thread that runs the code.
static void stop(clua_context *context, clua_stop reason) {
  if (context->running == NULL) {
    // The code has just begun to wait, where the caller is to stop it, or ended; time is asked for again.
    if (reason == clua_stop_interrupt) context->stop = reason;
    return;
  }
  if (reason == clua_stop_time) {
    // The code that was too slow may have ended meanwhile, and this be other code.
    clua_budget *budget = context->budget;
    if (budget == NULL || budget->deadline == 0 || clua_now() < budget->deadline) return;
    budget->exceeded = reason;
  }
  if (!context->stop) {
    context->stop = reason;
    __atomic_store_n(&context->stop_time, clua_now(), __ATOMIC_RELAXED);
  }
  // While the state closes, only finalizers run, in coroutines of their own.
  if (context->running != context->closing) set_stop_hook(context->running);
}

// Called on the thread that runs the code, in the handler of a signal.
static void answer_abandoning(clua_context *context) {
  clua_abandonment request = clua_abandon_requested;
  clua_abandonment answer = context->in_lua ? clua_is_abandoned : clua_abandon_refused;
  __atomic_compare_exchange_n(
      &context->abandonment, &request, answer, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

// Asks the thread that runs the code. A tenth of a second is enough for its handler, unless the system is in its way; then
// the request is taken back.
static clua_abandonment request_abandoning(clua_context *context) {
  clua_abandonment state = clua_abandon_requested;
  __atomic_store_n(&context->abandonment, state, __ATOMIC_SEQ_CST);
  pthread_kill(context->thread, CLUA_STOP_SIGNAL);
  for (int i = 0; i < 100 && state == clua_abandon_requested; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    state = __atomic_load_n(&context->abandonment, __ATOMIC_SEQ_CST);
  }
  state = clua_abandon_requested;
  bool is_unanswered = __atomic_compare_exchange_n(
      &context->abandonment, &state, clua_not_abandoned, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return is_unanswered ? clua_not_abandoned : state;
}

bool clua_abandon(clua_context *context) {
  // While a requester is counted, the thread doesn't leave the code, and so doesn't end.
  __atomic_add_fetch(&context->requesters, 1, __ATOMIC_SEQ_CST);
  bool runs = __atomic_load_n(&context->running, __ATOMIC_SEQ_CST) != NULL;
  clua_abandonment state = __atomic_load_n(&context->abandonment, __ATOMIC_SEQ_CST);
  if (runs && state != clua_is_abandoned) state = request_abandoning(context);
  __atomic_sub_fetch(&context->requesters, 1, __ATOMIC_SEQ_CST);
  return runs && state == clua_is_abandoned;
}

clua_stop clua_pending_stop(clua_context *context, long long *duration) {
  long long time = __atomic_load_n(&context->stop_time, __ATOMIC_RELAXED);
  clua_stop reason = context->stop;
  if (time == 0 || reason == clua_stop_none) return clua_stop_none;
  *duration = clua_now() - time;
  return reason;
}

void clua_obey_request(clua_context *context) {
  clua_stop reason = __atomic_exchange_n(&context->requested, clua_stop_none, __ATOMIC_RELAXED);
  if (reason) stop(context, reason);
}

bool clua_interrupt(clua_context *context, clua_stop reason) {
  // While a requester is counted, the thread doesn't leave the code, and so doesn't end.
  __atomic_add_fetch(&context->requesters, 1, __ATOMIC_SEQ_CST);
  bool runs = __atomic_load_n(&context->running, __ATOMIC_SEQ_CST) != NULL;
  if (runs && pthread_equal(pthread_self(), context->thread)) {
    stop(context, reason);
  } else if (runs) {
    // That time is over may turn out not to hold, so it doesn't replace another reason.
    clua_stop none = clua_stop_none;
    if (reason == clua_stop_time) {
      __atomic_compare_exchange_n(
          &context->requested, &none, reason, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    } else {
      __atomic_store_n(&context->requested, reason, __ATOMIC_RELAXED);
    }
    pthread_kill(context->thread, CLUA_STOP_SIGNAL);
  }
  __atomic_sub_fetch(&context->requesters, 1, __ATOMIC_SEQ_CST);
  return runs;
}

// The code may begin to run at any moment: it either finds the request, or is found running.
bool clua_interrupt_now_or_next(clua_context *context) {
  __atomic_store_n(&context->interrupts_next, true, __ATOMIC_SEQ_CST);
  bool runs = clua_interrupt(context, clua_stop_interrupt);
  if (runs) clua_withdraw_interrupt(context);
  return runs;
}

bool clua_withdraw_interrupt(clua_context *context) {
  return __atomic_exchange_n(&context->interrupts_next, false, __ATOMIC_SEQ_CST);
}

void clua_obey_interrupt_of_next(clua_context *context) {
  if (__atomic_load_n(&context->interrupts_next, __ATOMIC_SEQ_CST) && clua_withdraw_interrupt(context)) {
    stop(context, clua_stop_interrupt);
  }
}

static struct sigaction previous_action;

static void handle_signal(int signal, siginfo_t *info, void *details) {
  int error = errno;
  for (clua_context *context = clua_current_context(); context != NULL; context = context->outer) {
    answer_abandoning(context);
    clua_obey_request(context);
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
  // Without SA_RESTART: code that waits in a system call, as io.read does, is to be stopped there.
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
  if (context->running != NULL) return;
  if (context->stop) {
    context->stop = clua_stop_none;
    context->has_stop_traceback = false;
    __atomic_store_n(&context->stop_time, 0, __ATOMIC_RELAXED);
  }
  clua_forget_inner_traceback(L);
}

long long clua_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

// As Lua's own, but for what would let a script escape: a hook in place of ours.
static int set_hook(lua_State *L) {
  clua_context *context = clua_get_context(L);
  if (counts(context)) {
    return luaL_error(L, "hooks can't be set while instructions are limited");
  }
  int count = context->debug_set_hook(L);
  // A stop may have come since the call began.
  if (context->stop) set_stop_hook(context->running);
  return count;
}

void clua_prepare_stops(lua_State *L) {
  lua_pushliteral(L, "not enough memory");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &memory_message_key);
  clua_get_context(L)->debug_set_hook = clua_replace(L, LUA_DBLIBNAME, "sethook", set_hook);
}
