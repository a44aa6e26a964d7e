#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>

#include "Module.h"
#include "Objects.h"
#include "PlainC.h"
#include "Status.h"

lua_State *plain_open(void) {
  lua_State *L = luaL_newstate();
  if (L == NULL) return NULL;
  luaL_openlibs(L);
  plain_register_classes(L);
  plain_register_module(L);
  return L;
}

void plain_close(lua_State *L) { lua_close(L); }

void plain_check(lua_State *L, int status) {
  if (status == LUA_OK) return;
  fprintf(stderr, "%s\n", luaL_tolstring(L, -1, NULL));
  exit(EXIT_FAILURE);
}

int plain_load(lua_State *L, const char *source) {
  plain_check(L, luaL_loadstring(L, source));
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

void plain_run(lua_State *L, int chunk, int64_t argument) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, chunk);
  lua_pushinteger(L, argument);
  plain_check(L, lua_pcall(L, 1, 0, 0));
}

double plain_run_measuring(lua_State *L, int chunk, int64_t argument) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, chunk);
  lua_pushinteger(L, argument);
  plain_check(L, lua_pcall(L, 1, 1, 0));
  int is_number;
  double seconds = lua_tonumberx(L, -1, &is_number);
  if (!is_number) plain_check(L, LUA_ERRRUN);
  lua_pop(L, 1);
  return seconds;
}

int64_t plain_call_repeatedly(lua_State *L, int function, int64_t count) {
  int64_t sum = 0;
  for (int64_t i = 0; i < count; i++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, function);
    lua_pushinteger(L, i);
    plain_check(L, lua_pcall(L, 1, 1, 0));
    int is_integer;
    sum += lua_tointegerx(L, -1, &is_integer);
    if (!is_integer) plain_check(L, LUA_ERRRUN);
    lua_pop(L, 1);
  }
  return sum;
}

void plain_run_resuming(lua_State *L, int chunk, int64_t argument) {
  lua_State *coroutine = lua_newthread(L);
  lua_rawgeti(coroutine, LUA_REGISTRYINDEX, chunk);
  lua_pushinteger(coroutine, argument);
  int count;
  int status;
  // A wait's argument comes back as its result.
  while ((status = lua_resume(coroutine, L, 1, &count)) == LUA_YIELD) continue;
  plain_check(coroutine, status);
  lua_pop(L, 1);
}

void plain_release(lua_State *L, int reference) { luaL_unref(L, LUA_REGISTRYINDEX, reference); }
