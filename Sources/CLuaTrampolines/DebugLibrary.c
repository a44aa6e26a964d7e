#include <limits.h>

#include "Internal.h"

// Functions in place of those of `debug` that reach what functions written in C, Lua's own among them, rely on without a
// check: upvalues, fields of the registry, and values on their stacks, that are what they were made with. And one that names
// finalizers, which here aren't called by Lua itself.

// As Lua's own, for which our functions have no upvalues: those are boxes, which a script could release.
static int debug_get_upvalue(lua_State *L) {
  lua_CFunction function = lua_tocfunction(L, 1);
  bool is_ours = clua_calls_host(function) || clua_is_wrapped(function);
  return is_ours ? 0 : clua_get_context(L)->debug.get_upvalue(L);
}

// As Lua's own, for which functions written in C have no upvalues: Lua's crash with others than they made.
static int debug_set_upvalue(lua_State *L) {
  return lua_iscfunction(L, 1) ? 0 : clua_get_context(L)->debug.set_upvalue(L);
}

// The level that is an argument of a function of `debug`, after the coroutine, which may be left out; -1 for none.
static int level_argument(lua_State *L, lua_State **coroutine) {
  bool has_coroutine = lua_isthread(L, 1);
  *coroutine = has_coroutine ? lua_tothread(L, 1) : L;
  int is_integer;
  lua_Integer level = lua_tointegerx(L, has_coroutine ? 2 : 1, &is_integer);
  return is_integer && level >= 0 && level <= INT_MAX ? (int)level : -1;
}

// As Lua's own, for which a running function that calls Swift has no locals: one of them may be the box of that function.
static int debug_get_local(lua_State *L) {
  lua_State *coroutine;
  int level = level_argument(L, &coroutine);
  if (clua_calls_host(clua_function_at(coroutine, level))) {
    lua_pushnil(L);
    return 1;
  }
  return clua_get_context(L)->debug.get_local(L);
}

// As Lua's own, for which a function written in C that runs, such as the caller of a metamethod, has no locals.
static int debug_set_local(lua_State *L) {
  lua_State *coroutine;
  int level = level_argument(L, &coroutine);
  if (clua_function_at(coroutine, level) != NULL) {
    lua_pushnil(L);
    return 1;
  }
  return clua_get_context(L)->debug.set_local(L);
}

// Whether the function at a level of a coroutine is a finalizer: the outermost one where one runs, unless it was replaced by a tail
// call.
static bool is_finalizer(lua_State *L, lua_State *coroutine, int level) {
  lua_Debug activation;
  if (level < 0 || !clua_runs_finalizer(clua_get_context(L), coroutine)) return false;
  if (level == INT_MAX || lua_getstack(coroutine, level + 1, &activation)) return false;
  return lua_getstack(coroutine, level, &activation) && lua_getinfo(coroutine, "t", &activation) &&
         !activation.istailcall;
}

// As Lua's own, for which a finalizer has the name of its metamethod.
static int debug_get_info(lua_State *L) {
  lua_State *coroutine;
  int level = level_argument(L, &coroutine);
  int count = clua_get_context(L)->debug.get_info(L);
  if (!lua_istable(L, -1) || !is_finalizer(L, coroutine, level)) return count;
  // The field is there if names were asked for.
  if (lua_getfield(L, -1, "namewhat") != LUA_TNIL) {
    lua_pushliteral(L, "metamethod");
    lua_setfield(L, -3, "namewhat");
    lua_pushliteral(L, "__gc");
    lua_setfield(L, -3, "name");
  }
  lua_pop(L, 1);
  return count;
}

// Returns a copy of the registry.
static int debug_get_registry(lua_State *L) {
  lua_newtable(L);
  int copy = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, LUA_REGISTRYINDEX)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, copy);
  }
  return 1;
}

void clua_replace_debug_functions(lua_State *L) {
  clua_context *context = clua_get_context(L);
  context->debug.get_info = clua_replace(L, LUA_DBLIBNAME, "getinfo", debug_get_info);
  context->debug.get_upvalue = clua_replace(L, LUA_DBLIBNAME, "getupvalue", debug_get_upvalue);
  context->debug.set_upvalue = clua_replace(L, LUA_DBLIBNAME, "setupvalue", debug_set_upvalue);
  context->debug.get_local = clua_replace(L, LUA_DBLIBNAME, "getlocal", debug_get_local);
  context->debug.set_local = clua_replace(L, LUA_DBLIBNAME, "setlocal", debug_set_local);
  clua_replace(L, LUA_DBLIBNAME, "getregistry", debug_get_registry);
}
