#include <stdio.h>
#include <stdlib.h>

#include "Internal.h"

void *clua_reallocate(void *block, size_t size) {
  void *moved = realloc(block, size);
  if (moved == NULL) {
    fputs("out of memory\n", stderr);
    abort();
  }
  return moved;
}

lua_CFunction clua_function_at(lua_State *L, int level) {
  lua_Debug activation;
  if (!lua_getstack(L, level, &activation) || !lua_checkstack(L, 1)) return NULL;
  lua_getinfo(L, "f", &activation);
  lua_CFunction function = lua_tocfunction(L, -1);
  lua_pop(L, 1);
  return function;
}

lua_CFunction clua_replace(lua_State *L, const char *library, const char *name, lua_CFunction function) {
  lua_CFunction replaced = NULL;
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, library) == LUA_TTABLE) {
    lua_getfield(L, -1, name);
    replaced = lua_tocfunction(L, -1);
    lua_pop(L, 1);
    lua_pushcfunction(L, function);
    lua_setfield(L, -2, name);
  }
  lua_pop(L, 2);
  return replaced;
}

void clua_push_weak_table(lua_State *L, const char *mode) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushstring(L, mode);
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
}

// Scripts can get at the functions below by the debug library, and call them with anything.

int clua_protected_get(lua_State *L) {
  lua_settop(L, 2);
  lua_gettable(L, 1);
  return 1;
}

int clua_protected_set(lua_State *L) {
  lua_settop(L, 3);
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

int clua_next(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  if (lua_next(L, 1)) return 2;
  lua_pushnil(L);
  return 1;
}
