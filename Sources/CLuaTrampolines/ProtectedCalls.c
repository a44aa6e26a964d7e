#include <sched.h>
#include <unistd.h>

#include "Internal.h"

static _Thread_local clua_context *current_context = NULL;

clua_context *clua_current_context(void) { return current_context; }

// Lets this thread take the signal that stops the code it runs: Dispatch's threads block all signals.
static void unblock_stop_signal(void) {
  static _Thread_local bool is_unblocked = false;
  if (is_unblocked) return;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, CLUA_STOP_SIGNAL);
  is_unblocked = pthread_sigmask(SIG_UNBLOCK, &signals, NULL) == 0;
}

clua_frame clua_enter(clua_context *context, lua_State *running, lua_State *task, bool can_wait) {
  clua_frame outside = {context->running, context->task, context->can_wait, context->in_lua};
  if (outside.running == NULL) {
    context->thread = pthread_self();
    unblock_stop_signal();
    context->outer = current_context;
    current_context = context;
  }
  context->task = task;
  context->can_wait = can_wait;
  context->in_lua = true;
  __atomic_store_n(&context->running, running, __ATOMIC_SEQ_CST);
  if (outside.running == NULL) clua_obey_interrupt_of_next(context);
  clua_prepare_hook(context, running);
  return outside;
}

void clua_wait_for_end(void) {
  for (;;) pause();
}

void clua_leave(clua_context *context, clua_frame outside) {
  clua_enter_host(context);
  context->task = outside.task;
  context->can_wait = outside.can_wait;
  context->in_lua = outside.in_lua;
  __atomic_store_n(&context->running, outside.running, __ATOMIC_SEQ_CST);
  if (outside.running != NULL) {
    if (context->stop) clua_prepare_hook(context, outside.running);
    return;
  }
  current_context = context->outer;
  // Who found the code running may still be about to send this thread a signal.
  while (__atomic_load_n(&context->requesters, __ATOMIC_SEQ_CST) > 0) sched_yield();
  // The signal itself may have been too late.
  clua_obey_request(context);
}

int clua_call(lua_State *L, int argument_count, int result_count) {
  clua_context *context = clua_get_context(L);
  // A loop in Swift that calls Lua is stopped, too: nothing runs, and there is no traceback of it.
  if (context->stop && context->running != NULL) {
    lua_settop(L, -argument_count - 2);
    lua_pushliteral(L, "stopped");
    lua_pushnil(L);
    return LUA_ERRMEM;
  }
  int handler = lua_gettop(L) - argument_count;
  lua_pushcfunction(L, clua_keep_traceback);
  lua_insert(L, handler);
  clua_frame outside = clua_enter(context, L, context->task, false);
  int status = lua_pcall(L, argument_count, result_count, handler);
  clua_leave(context, outside);
  lua_remove(L, handler);
  if (status != LUA_OK) clua_push_traceback(L);
  return status;
}

static int finish_task(lua_State *L, int status, lua_KContext unused) {
  (void)unused;
  bool succeeded = status == LUA_OK || status == LUA_YIELD;
  clua_get_context(L)->task_status = succeeded ? LUA_OK : status;
  return succeeded ? lua_gettop(L) - 1 : 1;
}

// The function below all others of a task's coroutine. What it calls, with the arguments that follow, is protected, so
// that the handlers of its to-be-closed variables can wait when it fails.
static int run_task(lua_State *L) {
  lua_pushcfunction(L, clua_keep_traceback);
  lua_insert(L, 1);
  return finish_task(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 1, 0, finish_task), 0);
}

int clua_resume(lua_State *coroutine, lua_State *from, int argument_count, int *result_count) {
  clua_context *context = clua_get_context(coroutine);
  if (context->delivered != NULL) {
    argument_count = clua_delivered_count(coroutine);
    // What was waited for may have brought much.
    clua_note_growth(context);
  } else {
    argument_count++;
    lua_pushcfunction(coroutine, run_task);
    lua_insert(coroutine, -(argument_count + 1));
    clua_charge(context);
  }
  clua_frame outside = clua_enter(context, coroutine, coroutine, true);
  // The host may start many tasks without being called by any. The coroutine runs nothing yet that could collect garbage.
  bool is_refused = clua_is_measurement_due(context) && !clua_measure_memory(coroutine, false);
  // Then what starts the task fails when it returns.
  if (is_refused && context->active != NULL) clua_note_refusal(context);
  int status = lua_resume(coroutine, from, argument_count, result_count);
  clua_leave(context, outside);
  context->delivered = NULL;
  // A stop can come as late as when the function below all others returns.
  if (status == LUA_OK) status = context->task_status;
  if (status == LUA_OK || status == LUA_YIELD) return status;
  // All calls are over, so there is room.
  lua_checkstack(coroutine, 1);
  clua_push_traceback(coroutine);
  return status;
}

void clua_deliver(lua_State *waiter, int count, bool is_error) {
  clua_context *context = clua_get_context(waiter);
  context->delivered = waiter;
  context->delivered_count = count;
  context->delivered_error = is_error;
}

int clua_protected_get(lua_State *L) {
  lua_gettable(L, 1);
  return 1;
}

int clua_protected_set(lua_State *L) {
  lua_settable(L, 1);
  return 0;
}

int clua_protected_length(lua_State *L) {
  lua_pushinteger(L, luaL_len(L, 1));
  return 1;
}

int clua_protected_tostring(lua_State *L) {
  luaL_tolstring(L, 1, NULL);
  return 1;
}
