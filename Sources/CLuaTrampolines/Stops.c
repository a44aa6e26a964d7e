#include <errno.h>
#include <limits.h>
#include <time.h>

#include "Internal.h"

// How many instructions are counted at once.
enum { COUNTED_INSTRUCTIONS = 100 };

static void hook(lua_State *L, lua_Debug *activation);

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
    context->stop = clua_stop_instructions;
  } else if (budget->checks_clock && clua_now() >= budget->deadline) {
    context->stop = clua_stop_time;
  }
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

void clua_charge_coroutine(clua_context *context) {
  if (counts(context)) charge(context);
}

// A hook that counts goes on counting from where it was: a script mustn't get instructions for nothing by resuming.
void clua_prepare_hook(clua_context *context, lua_State *L) {
  if (!context->stop && counts(context) && context->budget->instructions_left < 0) {
    context->stop = clua_stop_instructions;
  }
  if (context->stop) {
    set_stop_hook(L);
  } else if (counts(context) && lua_gethook(L) != hook) {
    set_hook_unless_stopped(context, L, hook, COUNTED_INSTRUCTIONS);
  }
}

// Called in the coroutine it stops, or whose instructions it counts. For a stop it stays until control is back in Swift,
// so that a pcall that catches the error, or a __close that runs on its way, is stopped at its next instruction.
//
// Hooks are off while a hook runs, and with them off the message handler of an xpcall couldn't be stopped. So the
// error is the one that Lua raises without calling a handler: an allocation that is refused, and refused again after
// the emergency collection.
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
  context->refusal_delay = 0;
  context->refusals = 2;
  lua_newuserdatauv(L, 0, 0);
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
    const clua_budget *budget = context->budget;
    if (budget == NULL || budget->deadline == 0 || clua_now() < budget->deadline) return;
  }
  if (!context->stop) context->stop = reason;
  // While the state closes, only finalizers run, in coroutines of their own.
  if (context->running != context->closing) set_stop_hook(context->running);
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

static struct sigaction previous_action;

static void handle_signal(int signal, siginfo_t *info, void *details) {
  int error = errno;
  for (clua_context *context = clua_current_context(); context != NULL; context = context->outer) {
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
  context->stop = clua_stop_none;
  context->has_stop_traceback = false;
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

void clua_replace_hook_function(lua_State *L) {
  clua_get_context(L)->debug_set_hook = clua_replace(L, LUA_DBLIBNAME, "sethook", set_hook);
}
