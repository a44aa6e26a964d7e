#include "Internal.h"

// A scope is a table of Lua functions that Swift calls. Swift finds it by its number in a table with weak values; what keeps
// it alive is the boxes of Swift's objects that belong to it, of which it is the user value. So a function that mentions
// such an object makes a circle that Lua sees as a whole, and collects.

// The address is the registry's key for the table from numbers to scopes.
static const char scopes_key = 0;

static void push_scopes(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &scopes_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &scopes_key);
}

int clua_push_new_scope(lua_State *L, bool has_objects) {
  clua_context *context = clua_get_context(L);
  int number = ++context->scope_count;
  context->has_scopes |= has_objects;
  push_scopes(L);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawseti(L, -3, number);
  lua_remove(L, -2);
  return number;
}

bool clua_push_scope(lua_State *L, int number) {
  push_scopes(L);
  bool is_there = lua_rawgeti(L, -1, number) == LUA_TTABLE;
  lua_remove(L, -2);
  if (!is_there) lua_pop(L, 1);
  return is_there;
}

// Pushes the scope of the box at an index, or nothing. Returns whether there is one.
static bool push_scope_of_box(lua_State *L, int index) {
  if (clua_get_box(L, index) == NULL) return false;
  if (lua_getiuservalue(L, index, 1) == LUA_TTABLE) return true;
  lua_pop(L, 1);
  return false;
}

// Pushes the scope of the function of ours that runs, or else of the object that it was called with, or nothing.
static bool push_scope_of_callee(lua_State *L) {
  lua_Debug activation;
  if (!lua_getstack(L, 0, &activation)) return false;
  lua_getinfo(L, "f", &activation);
  lua_CFunction function = lua_tocfunction(L, -1);
  // What is called for members by their names is in a table, beside the box for all other names.
  int upvalue = function == clua_function ? 1 : clua_calls_host(function) ? 2 : 0;
  bool is_there = false;
  if (upvalue > 0 && lua_getupvalue(L, -1, upvalue) != NULL) {
    is_there = push_scope_of_box(L, -1);
    lua_remove(L, is_there ? -2 : -1);
  }
  lua_remove(L, is_there ? -2 : -1);
  return is_there || push_scope_of_box(L, 1);
}

void clua_join_scope(lua_State *L) {
  int pushed = clua_get_context(L)->pushed_scope;
  if (pushed == CLUA_NO_SCOPE || !lua_checkstack(L, 4)) return;
  bool is_there = pushed != 0 ? clua_push_scope(L, pushed) : push_scope_of_callee(L);
  if (is_there) lua_setiuservalue(L, -2, 1);
}
