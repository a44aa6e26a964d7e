#include "Internal.h"

clua_frame clua_enter(clua_context *context, lua_State *running, lua_State *task, bool can_wait) {
  clua_frame outside = {
      clua_get_running(context), context->calls.task, context->calls.can_wait, clua_is_in_lua(context)};
  context->calls.task = task;
  context->calls.can_wait = can_wait;
  clua_set_in_lua(context, true);
  if (outside.running == NULL) {
    clua_enter_thread(context);
    // From here on other threads find the code running. Those that don't have stored a request before, which is found below.
    atomic_store_explicit(&context->front.running, running, memory_order_seq_cst);
    if (clua_interrupts_next(context)) clua_obey_interrupt_of_next(context);
    clua_inherit_stop(context);
  } else {
    // They find it running in any case.
    clua_set_running(context, running);
  }
  if (clua_may_need_hook(context)) clua_prepare_hook(context, running);
  return outside;
}

void clua_leave(clua_context *context, clua_frame outside) {
  clua_enter_host(context);
  context->calls.task = outside.task;
  context->calls.can_wait = outside.can_wait;
  clua_set_in_lua(context, outside.in_lua);
  if (outside.running == NULL) {
    // From here on other threads find no code running. Those that did are counted, and waited for.
    atomic_store_explicit(&context->front.running, NULL, memory_order_seq_cst);
    clua_leave_thread(context);
    return;
  }
  clua_set_running(context, outside.running);
  if (clua_get_stop(context)) clua_prepare_hook(context, outside.running);
}

int clua_call_handled(lua_State *L, int argument_count, int result_count) {
  clua_context *context = clua_get_context(L);
  // A loop in Swift that calls Lua is stopped, too: nothing runs, and there is no traceback of it.
  if (clua_get_stop(context) && clua_get_running(context) != NULL) {
    lua_settop(L, -argument_count - 2);
    lua_pushliteral(L, "stopped");
    lua_pushnil(L);
    return LUA_ERRMEM;
  }
  clua_frame outside = clua_enter(context, L, context->calls.task, false);
  int status = lua_pcall(L, argument_count, result_count, -argument_count - 2);
  clua_leave(context, outside);
  if (status != LUA_OK) clua_push_traceback(L);
  return status;
}

int clua_call(lua_State *L, int argument_count, int result_count) {
  int handler = lua_gettop(L) - argument_count;
  lua_pushcfunction(L, clua_keep_traceback);
  lua_insert(L, handler);
  int status = clua_call_handled(L, argument_count, result_count);
  lua_remove(L, handler);
  return status;
}

static int finish_task(lua_State *L, int status, lua_KContext unused) {
  (void)unused;
  bool succeeded = status == LUA_OK || status == LUA_YIELD;
  clua_get_context(L)->calls.task_status = succeeded ? LUA_OK : status;
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
  if (clua_is_delivering(context)) {
    argument_count = clua_delivered_count(context, coroutine);
    // The operation may have taken much memory.
    clua_schedule_measurement(context);
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
  if (is_refused && clua_is_host_running(context)) clua_record_refusal(context);
  int status = lua_resume(coroutine, from, argument_count, result_count);
  clua_leave(context, outside);
  clua_end_delivery(context);
  // A stop can come as late as when the function below all others returns.
  if (status == LUA_OK) status = context->calls.task_status;
  if (status == LUA_OK || status == LUA_YIELD) return status;
  // All calls are over, so there is room.
  lua_checkstack(coroutine, 2);
  clua_push_traceback(coroutine);
  return status;
}

bool clua_can_wait(lua_State *L) {
  const clua_context *context = clua_get_context(L);
  return context->calls.task != NULL && context->calls.can_wait && lua_isyieldable(L);
}
