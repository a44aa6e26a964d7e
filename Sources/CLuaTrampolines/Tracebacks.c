#include "Internal.h"

// The addresses are the registry's keys for: the traceback on its way from the message handler to the caller in Swift (a
// handler has one result, and that is the error value); the traceback of the calls below the function of ours that
// raised last; and what it raised.
static const char traceback_key = 0;
static const char inner_traceback_key = 0;
static const char inner_value_key = 0;

// From this length in bytes on, a traceback isn't joined with that of the calls around it: coroutines that resume each
// other until the C stack is full have hundreds.
enum { MAXIMUM_LENGTH = 4000 };

// Whether the function at a level of a coroutine raised the error value at the index of L, from calls outside of the
// coroutine. What another function raised since then doesn't come from there, though it may be an equal string.
static bool raised(lua_State *L, int value, lua_State *coroutine, int level) {
  lua_CFunction raiser = clua_get_context(L)->raiser;
  if (raiser == NULL || clua_function_at(coroutine, level) != raiser) return false;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &inner_value_key);
  bool is_same = lua_rawequal(L, -1, value);
  lua_pop(L, 1);
  return is_same;
}

// Pushes the traceback of a coroutine from a level on, after that of the calls that the function there made outside of
// it, if it raised the error value at the index of L.
static void push_joined_traceback(lua_State *L, int value, lua_State *coroutine, int level) {
  if (!raised(L, lua_absindex(L, value), coroutine, level)) return luaL_traceback(L, coroutine, NULL, level);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &inner_traceback_key);
  if (lua_rawlen(L, -1) > MAXIMUM_LENGTH) return;
  lua_pushliteral(L, "\n");
  luaL_traceback(L, coroutine, NULL, level);
  lua_concat(L, 3);
}

int clua_keep_traceback(lua_State *L) {
  push_joined_traceback(L, 1, L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &traceback_key);
  return 1;
}

void clua_keep_stop_traceback(lua_State *L) {
  luaL_traceback(L, L, NULL, 0);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &traceback_key);
}

void clua_push_traceback(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &traceback_key);
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &traceback_key);
}

void clua_push_coroutine_traceback(lua_State *L, lua_State *coroutine) {
  push_joined_traceback(L, -1, coroutine, 0);
}

void clua_set_inner_traceback(lua_State *L, int traceback) {
  lua_pushvalue(L, traceback);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &inner_traceback_key);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &inner_value_key);
  clua_get_context(L)->raiser = clua_function_at(L, 0);
}

void clua_forget_inner_traceback(lua_State *L) {
  clua_context *context = clua_get_context(L);
  if (context->raiser == NULL) return;
  context->raiser = NULL;
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &inner_traceback_key);
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &inner_value_key);
}
