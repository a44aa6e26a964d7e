#include "CLuaTrampolines.h"
#include "Coroutines.h"

// Its address is the registry key under which the traceback travels from the message handler to clua_call: a handler
// has one result, and that is the error value.
static const char traceback_key = 0;

static int keep_traceback(lua_State *L) {
  luaL_traceback(L, L, NULL, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &traceback_key);
  return 1;
}

// Pushes the traceback that the handler kept, or nil when there was no memory for one.
static void push_traceback(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &traceback_key);
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &traceback_key);
}

// What clua_call and clua_resume change while Lua code runs, and put back after it.
typedef struct {
  lua_State *running;
  lua_State *task;
  bool can_wait;
  bool in_lua;
} frame;

// Lets this thread take the signal that interrupts the code it runs: Dispatch's threads block all signals.
static void unblock(int signal) {
  static _Thread_local int unblocked = 0;
  if (signal == unblocked) return;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, signal);
  if (pthread_sigmask(SIG_UNBLOCK, &signals, NULL) == 0) unblocked = signal;
}

static frame enter(clua_context *context, lua_State *running, lua_State *task, bool can_wait) {
  frame outside = {context->running, context->task, context->can_wait, context->in_lua};
  if (outside.running == NULL) {
    context->thread = pthread_self();
    unblock(context->signal);
  }
  context->running = running;
  context->task = task;
  context->can_wait = can_wait;
  context->in_lua = true;
  if (context->stop) clua_set_stop_hook(running);
  return outside;
}

static void leave(clua_context *context, frame outside) {
  context->running = outside.running;
  context->task = outside.task;
  context->can_wait = outside.can_wait;
  context->in_lua = outside.in_lua;
  context->refusals = 0;
  if (context->stop && outside.running != NULL) clua_set_stop_hook(outside.running);
}

int clua_call(lua_State *L, int argument_count, int result_count) {
  clua_context *context = clua_get_context(L);
  int handler = lua_gettop(L) - argument_count;
  lua_pushcfunction(L, keep_traceback);
  lua_insert(L, handler);
  frame outside = enter(context, L, context->task, false);
  int status = lua_pcall(L, argument_count, result_count, handler);
  leave(context, outside);
  lua_remove(L, handler);
  if (status != LUA_OK) push_traceback(L);
  return status;
}

int clua_resume(lua_State *coroutine, lua_State *from, int argument_count, int *result_count) {
  clua_context *context = clua_get_context(coroutine);
  if (context->delivered != NULL) argument_count = clua_delivered_count(coroutine);
  frame outside = enter(context, coroutine, coroutine, true);
  int status = lua_resume(coroutine, from, argument_count, result_count);
  leave(context, outside);
  context->delivered = NULL;
  return status;
}

int clua_unwind(lua_State *coroutine) {
  clua_context *context = clua_get_context(coroutine);
  // The error of a stop leaves the coroutine's hooks off, so its handlers couldn't be stopped in their turn.
  if (context->stop) return lua_status(coroutine);
  frame outside = enter(context, coroutine, coroutine, false);
  int status = lua_resetthread(coroutine);
  leave(context, outside);
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
