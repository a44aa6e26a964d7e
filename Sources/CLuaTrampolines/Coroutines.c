#include <string.h>

#include "Internal.h"

// Swift functions that wait suspend the coroutine that called them. If that is one of the script's own, the functions
// below pass the request up: the coroutine's resumer suspends too, and so on to the task's coroutine, where the
// scheduler takes it. On the way back each resumer resumes the next one down, and the last gets the results.

enum { FAILED = -1 };  // an error value is on top of the resumer's stack

static int coroutine_resume(lua_State *L);
static int call_wrapped(lua_State *L);

// Whether the coroutine is suspended in a Swift function, or in a resume on the way to one, and so isn't the script's
// to resume.
static bool is_waiting(lua_State *coroutine) {
  if (lua_status(coroutine) != LUA_YIELD) return false;
  lua_CFunction function = clua_function_at(coroutine, 0);
  return clua_calls_host(function) || function == coroutine_resume || function == call_wrapped;
}

static lua_State *check_coroutine(lua_State *L) {
  lua_State *coroutine = lua_tothread(L, 1);
  luaL_argexpected(L, coroutine != NULL, 1, "thread");
  return coroutine;
}

static const char *status_name(lua_State *L, lua_State *coroutine) {
  if (L == coroutine) return "running";
  if (is_waiting(coroutine)) return "normal";
  switch (lua_status(coroutine)) {
    case LUA_YIELD:
      return "suspended";
    case LUA_OK: {
      lua_Debug activation;
      if (lua_getstack(coroutine, 0, &activation)) return "normal";
      return lua_gettop(coroutine) == 0 ? "dead" : "suspended";
    }
    default:
      return "dead";
  }
}

// The number of coroutines that may close one another, each in a __close handler of the last: as many C calls as Lua allows.
// Lua 5.4.4 doesn't count these, and overflows the C stack.
enum { MAXIMUM_CLOSING_DEPTH = 200 };

// Its address is on the stack of a coroutine that a stop has ended.
static const char stopped_mark = 0;

static bool has_failed(lua_State *coroutine) {
  int status = lua_status(coroutine);
  return status != LUA_OK && status != LUA_YIELD;
}

void clua_mark_stopped(lua_State *coroutine) { lua_pushlightuserdata(coroutine, (void *)&stopped_mark); }

static bool was_stopped(lua_State *coroutine) {
  return has_failed(coroutine) && lua_gettop(coroutine) > 0 && lua_touserdata(coroutine, -1) == &stopped_mark;
}

// Runs the pending __close handlers of a coroutine, as the running one. Returns the status and, unless
// that is LUA_OK, leaves the error value on top of the coroutine's stack.
static int reset_coroutine(lua_State *L, lua_State *coroutine) {
  clua_context *context = clua_get_context(L);
  if (was_stopped(coroutine)) {
    lua_pushliteral(coroutine, "the coroutine was stopped");
    return LUA_ERRRUN;
  }
  if (context->coroutines.closing_depth >= MAXIMUM_CLOSING_DEPTH) {
    lua_pushliteral(coroutine, "C stack overflow");
    return LUA_ERRRUN;
  }
  context->coroutines.closing_depth++;
  lua_State *running = clua_get_running(context);
  clua_set_running(context, coroutine);
  clua_prepare_hook(context, coroutine);
  int status = lua_resetthread(coroutine);
  context->coroutines.closing_depth--;
  clua_set_running(context, running);
  if (clua_get_stop(context)) clua_prepare_hook(context, L);
  return status;
}

// Resumes with the top `argument_count` values of the coroutine's stack. Returns the number of results moved to L,
// FAILED, or CLUA_WAIT.
static int step_coroutine(lua_State *L, lua_State *coroutine, int argument_count) {
  clua_context *context = clua_get_context(L);
  bool could_wait = clua_resumers_can_wait(context);
  clua_set_resumers_can_wait(context, could_wait && lua_isyieldable(L));
  lua_State *running = clua_get_running(context);
  if (lua_status(coroutine) == LUA_OK) clua_charge(context);
  clua_set_running(context, coroutine);
  clua_prepare_hook(context, coroutine);
  int count;
  int status = lua_resume(coroutine, L, argument_count, &count);
  clua_set_running(context, running);
  clua_set_resumers_can_wait(context, could_wait);
  if (clua_get_stop(context)) clua_prepare_hook(context, L);

  if (status == LUA_YIELD && clua_has_wait_request(context)) return CLUA_WAIT;
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_xmove(coroutine, L, 1);
    if (clua_get_stop(context)) clua_mark_stopped(coroutine);
    return FAILED;
  }
  if (!lua_checkstack(L, count + 1)) {
    lua_pop(coroutine, count);
    lua_pushliteral(L, "too many results to resume");
    return FAILED;
  }
  lua_xmove(coroutine, L, count);
  return count;
}

// Starts or continues a coroutine with the top `argument_count` values of L.
static int start_coroutine(lua_State *L, lua_State *coroutine, int argument_count) {
  if (!lua_checkstack(coroutine, argument_count)) {
    lua_pushliteral(L, "too many arguments to resume");
    return FAILED;
  }
  if (is_waiting(coroutine)) {
    lua_pushliteral(L, "cannot resume non-suspended coroutine");
    return FAILED;
  }
  lua_xmove(L, coroutine, argument_count);
  return step_coroutine(L, coroutine, argument_count);
}

static int continue_resume(lua_State *L, int status, lua_KContext coroutine);

static int finish_resume(lua_State *L, lua_State *coroutine, int count) {
  if (count == CLUA_WAIT) return lua_yieldk(L, 0, (lua_KContext)coroutine, continue_resume);
  lua_pushboolean(L, count != FAILED);
  int values = count == FAILED ? 1 : count;
  lua_insert(L, -(values + 1));
  return values + 1;
}

// The coroutine stays alive as the argument of resume on L's stack.
static int continue_resume(lua_State *L, int status, lua_KContext context) {
  (void)status;
  lua_State *coroutine = (lua_State *)context;
  return finish_resume(L, coroutine, step_coroutine(L, coroutine, clua_delivered_count(clua_get_context(L), coroutine)));
}

static int coroutine_resume(lua_State *L) {
  lua_State *coroutine = check_coroutine(L);
  return finish_resume(L, coroutine, start_coroutine(L, coroutine, lua_gettop(L) - 1));
}

static int continue_wrapped(lua_State *L, int status, lua_KContext coroutine);

static int finish_wrapped(lua_State *L, lua_State *coroutine, int count) {
  if (count == CLUA_WAIT) return lua_yieldk(L, 0, (lua_KContext)coroutine, continue_wrapped);
  if (count != FAILED) return count;
  int status = lua_status(coroutine);
  int traceback = 0;
  if (has_failed(coroutine) && !was_stopped(coroutine)) {
    // The calls are gone once it is reset.
    clua_push_coroutine_traceback(L, coroutine);
    traceback = lua_gettop(L);
    status = reset_coroutine(L, coroutine);
    lua_xmove(coroutine, L, 1);
  }
  if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  if (traceback != 0) clua_set_inner_traceback(L, traceback);
  return lua_error(L);
}

// The coroutine stays alive as an upvalue of the wrapped function.
static int continue_wrapped(lua_State *L, int status, lua_KContext context) {
  (void)status;
  lua_State *coroutine = (lua_State *)context;
  return finish_wrapped(L, coroutine, step_coroutine(L, coroutine, clua_delivered_count(clua_get_context(L), coroutine)));
}

static int call_wrapped(lua_State *L) {
  lua_State *coroutine = lua_tothread(L, lua_upvalueindex(1));
  return finish_wrapped(L, coroutine, start_coroutine(L, coroutine, lua_gettop(L)));
}

bool clua_is_wrapped(lua_CFunction function) { return function == call_wrapped; }

static int coroutine_wrap(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State *coroutine = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, coroutine, 1);
  lua_pushcclosure(L, call_wrapped, 1);
  return 1;
}

// To a script, its task's own coroutine is what the main one is in the lua command, and so is a finalizer's.
static bool is_main(lua_State *L, lua_State *coroutine) {
  clua_context *context = clua_get_context(L);
  return coroutine == clua_task(context) || coroutine == clua_running_finalizer(context);
}

static int coroutine_yield(lua_State *L) {
  if (is_main(L, L)) {
    lua_pushliteral(L, "attempt to yield from outside a coroutine");
    return lua_error(L);
  }
  return lua_yield(L, lua_gettop(L));
}

static int coroutine_running(lua_State *L) {
  bool main = lua_pushthread(L) || is_main(L, L);
  lua_pushboolean(L, main);
  return 2;
}

static int coroutine_is_yieldable(lua_State *L) {
  lua_State *coroutine = lua_isnone(L, 1) ? L : check_coroutine(L);
  lua_pushboolean(L, lua_isyieldable(coroutine) && !is_main(L, coroutine));
  return 1;
}

static int coroutine_status(lua_State *L) {
  lua_State *coroutine = check_coroutine(L);
  lua_pushstring(L, status_name(L, coroutine));
  return 1;
}

static int coroutine_close(lua_State *L) {
  lua_State *coroutine = check_coroutine(L);
  const char *name = status_name(L, coroutine);
  if (strcmp(name, "suspended") != 0 && strcmp(name, "dead") != 0) {
    return luaL_error(L, "cannot close a %s coroutine", name);
  }
  bool succeeded = reset_coroutine(L, coroutine) == LUA_OK;
  lua_pushboolean(L, succeeded);
  if (succeeded) return 1;
  lua_xmove(coroutine, L, 1);
  return 2;
}

const char *clua_coroutine_status(lua_State *L, int index) {
  lua_State *coroutine = lua_tothread(L, index);
  return coroutine == NULL ? "dead" : status_name(L, coroutine);
}

int clua_protected_resume(lua_State *L) {
  lua_State *coroutine = check_coroutine(L);
  bool was_over = has_failed(coroutine);
  // Nothing that Swift calls in this way can wait, so the coroutine doesn't either.
  int count = start_coroutine(L, coroutine, lua_gettop(L) - 1);
  if (count >= 0) return count;
  if (!was_over && has_failed(coroutine) && !was_stopped(coroutine)) {
    // Its pending __close handlers, which run when it is closed, get the error from there.
    if (lua_checkstack(coroutine, 1)) {
      lua_pushvalue(L, -1);
      lua_xmove(L, coroutine, 1);
    }
    clua_push_coroutine_traceback(L, coroutine);
    lua_insert(L, -2);
    clua_set_inner_traceback(L, -2);
  }
  return lua_error(L);
}

int clua_protected_close(lua_State *L) {
  lua_State *coroutine = check_coroutine(L);
  const char *name = status_name(L, coroutine);
  if (strcmp(name, "suspended") != 0 && strcmp(name, "dead") != 0) {
    return luaL_error(L, "cannot close a %s coroutine", name);
  }
  bool has_error = has_failed(coroutine) && !was_stopped(coroutine) && lua_checkstack(coroutine, 2);
  if (has_error) {
    // A script that resumed it has taken the error from its stack; then what is on top passes for it.
    if (lua_gettop(coroutine) == 0) lua_pushnil(coroutine);
    lua_pushvalue(coroutine, -1);
    lua_xmove(coroutine, L, 1);
  }
  if (reset_coroutine(L, coroutine) == LUA_OK) return 0;
  lua_xmove(coroutine, L, 1);
  // The error that ended the coroutine was raised then.
  if (has_error && lua_rawequal(L, -1, -2)) return 0;
  return lua_error(L);
}

bool clua_passes_waits(lua_State *L, int level) {
  lua_CFunction function = clua_function_at(L, level);
  const clua_context *context = clua_get_context(L);
  return function != NULL && (function == context->coroutines.pcall || function == context->coroutines.xpcall);
}

static lua_CFunction global_function(lua_State *L, const char *name) {
  lua_getglobal(L, name);
  lua_CFunction function = lua_tocfunction(L, -1);
  lua_pop(L, 1);
  return function;
}

void clua_replace_coroutine_functions(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"resume", coroutine_resume},
      {"wrap", coroutine_wrap},
      {"yield", coroutine_yield},
      {"running", coroutine_running},
      {"status", coroutine_status},
      {"isyieldable", coroutine_is_yieldable},
      {"close", coroutine_close},
      {NULL, NULL},
  };
  if (lua_getglobal(L, LUA_COLIBNAME) == LUA_TTABLE) luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
  clua_context *context = clua_get_context(L);
  context->coroutines.pcall = global_function(L, "pcall");
  context->coroutines.xpcall = global_function(L, "xpcall");
}
