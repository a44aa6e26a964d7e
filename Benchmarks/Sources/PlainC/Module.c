#include "Module.h"

#include <lauxlib.h>
#include <string.h>

#include "Objects.h"

// What the functions share, as upvalue 1 of each.
typedef struct {
  lua_Integer step;
  lua_Integer count;
} record;

static record *get_record(lua_State *L) { return lua_touserdata(L, lua_upvalueindex(1)); }

static int none(lua_State *L) {
  get_record(L)->count++;
  return 0;
}

static int successor(lua_State *L) {
  lua_pushinteger(L, luaL_checkinteger(L, 1) + get_record(L)->step);
  return 1;
}

static int sum(lua_State *L) {
  lua_Integer a = luaL_checkinteger(L, 1);
  lua_Integer b = luaL_checkinteger(L, 2);
  lua_Integer c = luaL_checkinteger(L, 3);
  lua_pushinteger(L, a + b + c + get_record(L)->step);
  return 1;
}

static int echo(lua_State *L) {
  size_t length;
  const char *text = luaL_checklstring(L, 1, &length);
  lua_pushlstring(L, text, length);
  return 1;
}

static int greet(lua_State *L) {
  lua_pushfstring(L, "Hello, %s!", luaL_checkstring(L, 1));
  return 1;
}

static int finish_wait(lua_State *L, int status, lua_KContext context) {
  (void)status;
  (void)context;
  luaL_checkinteger(L, -1);
  return 1;
}

static int wait(lua_State *L) {
  luaL_checkinteger(L, 1);
  return lua_yieldk(L, 1, 0, finish_wait);
}

static int get_property(lua_State *L) {
  const char *key = luaL_checkstring(L, 2);
  if (strcmp(key, "name") == 0) {
    lua_pushliteral(L, "bench");
  } else if (strcmp(key, "step") == 0) {
    lua_pushinteger(L, get_record(L)->step);
  } else if (strcmp(key, "count") == 0) {
    lua_pushinteger(L, get_record(L)->count);
  } else {
    return luaL_error(L, "bench has no field '%s'", key);
  }
  return 1;
}

static int set_property(lua_State *L) {
  const char *key = luaL_checkstring(L, 2);
  if (strcmp(key, "count") != 0) return luaL_error(L, "bench.%s can't be assigned", key);
  get_record(L)->count = luaL_checkinteger(L, 3);
  return 0;
}

void plain_register_module(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"none", none},   {"successor", successor}, {"sum", sum},
      {"echo", echo},   {"greet", greet},         {"wait", wait},
      {"account", plain_new_account}, {"meter", plain_new_meter}, {NULL, NULL},
  };
  static const luaL_Reg metamethods[] = {
      {"__index", get_property}, {"__newindex", set_property}, {NULL, NULL},
  };
  luaL_newlibtable(L, functions);
  record *shared = lua_newuserdatauv(L, sizeof *shared, 0);
  *shared = (record){.step = 1};
  lua_pushvalue(L, -2);
  lua_pushvalue(L, -2);
  luaL_setfuncs(L, functions, 1);
  lua_pop(L, 1);
  luaL_newlibtable(L, metamethods);
  lua_insert(L, -2);
  luaL_setfuncs(L, metamethods, 1);
  lua_setmetatable(L, -2);
  lua_setglobal(L, "bench");
}
