#include "Objects.h"

#include <lauxlib.h>
#include <string.h>

static const char account_class[] = "bench.account";
static const char meter_class[] = "bench.meter";

// The memory block of both classes' objects.
typedef struct {
  lua_Integer value;
} object;

static int new_object(lua_State *L, const char *class) {
  object *self = lua_newuserdatauv(L, sizeof *self, 0);
  self->value = 0;
  luaL_setmetatable(L, class);
  return 1;
}

int plain_new_account(lua_State *L) { return new_object(L, account_class); }

int plain_new_meter(lua_State *L) { return new_object(L, meter_class); }

static int add(lua_State *L, object *self) {
  self->value += luaL_checkinteger(L, 2);
  lua_pushinteger(L, self->value);
  return 1;
}

static int account_deposit(lua_State *L) { return add(L, luaL_checkudata(L, 1, account_class)); }

static int meter_add(lua_State *L) { return add(L, luaL_checkudata(L, 1, meter_class)); }

// Upvalue 1 is the table of methods.
static int account_index(lua_State *L) {
  object *self = luaL_checkudata(L, 1, account_class);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  const char *key = luaL_checkstring(L, 2);
  if (strcmp(key, "owner") == 0) {
    lua_pushliteral(L, "nobody");
  } else if (strcmp(key, "is_empty") == 0) {
    lua_pushboolean(L, self->value == 0);
  } else if (strcmp(key, "balance") == 0) {
    lua_pushinteger(L, self->value);
  } else {
    return luaL_error(L, "account has no field '%s'", key);
  }
  return 1;
}

static int account_newindex(lua_State *L) {
  object *self = luaL_checkudata(L, 1, account_class);
  const char *key = luaL_checkstring(L, 2);
  if (strcmp(key, "balance") != 0) return luaL_error(L, "account.%s can't be assigned", key);
  self->value = luaL_checkinteger(L, 3);
  return 0;
}

void plain_register_classes(lua_State *L) {
  static const luaL_Reg account_methods[] = {{"deposit", account_deposit}, {NULL, NULL}};
  static const luaL_Reg meter_methods[] = {{"add", meter_add}, {NULL, NULL}};

  luaL_newmetatable(L, account_class);
  luaL_newlib(L, account_methods);
  lua_pushcclosure(L, account_index, 1);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, account_newindex);
  lua_setfield(L, -2, "__newindex");
  lua_pop(L, 1);

  luaL_newmetatable(L, meter_class);
  luaL_newlib(L, meter_methods);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}
