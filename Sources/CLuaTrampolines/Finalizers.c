#include "Internal.h"

// Lua turns hooks off while it runs a finalizer, so one that never ends couldn't be stopped. Our finalizer instead runs
// the script's in its own coroutine, where hooks work.
//
// Lua must not know of the script's, then, nor may the script miss it in its metatable. So setmetatable hides the field
// from Lua, and ties to the object a guard, a userdata with our finalizer, that can be reached from the object only and
// keeps it alive for the finalizer. Whatever holds of the object's collection, its order and its resurrection, holds of
// the guard's.

// The address is the registry's key for the table of guards by object, an ephemeron table.
static const char guards_key = 0;

static void push_guards(lua_State *L) { lua_rawgetp(L, LUA_REGISTRYINDEX, &guards_key); }

// Pushes the finalizer of the object at an index, or nothing. Returns whether there is one.
static bool push_finalizer(lua_State *L, int object) {
  if (!lua_getmetatable(L, object)) return false;
  lua_pushliteral(L, "__gc");
  bool is_there = lua_rawget(L, -2) != LUA_TNIL;
  lua_remove(L, -2);
  if (!is_there) lua_pop(L, 1);
  return is_there;
}

// Runs the function and its argument on top of the stack. Returns whether it failed, with the error value on top.
static bool run_finalizer(lua_State *L) {
  clua_context *context = clua_get_context(L);
  lua_State *coroutine = lua_newthread(L);
  lua_insert(L, -3);
  lua_xmove(L, coroutine, 2);
  const clua_finalizer *outer = context->finalizers.running;
  clua_finalizer running = {coroutine, outer};
  context->finalizers.running = &running;
  // The values that Swift is pushing may have made Lua collect.
  int pushed_scope = clua_set_pushed_scope(context, 0);
  clua_budget budget;
  bool starts_budget = clua_start_finalizer_budget(context, &budget);
  clua_charge(context);
  clua_frame outside = clua_enter(context, coroutine, NULL, false);
  int count;
  int status = lua_resume(coroutine, L, 1, &count);
  bool is_stopped = clua_get_stop(context);
  if (status != LUA_OK && is_stopped) {
    lua_pop(coroutine, 1);
    clua_mark_stopped(coroutine);
  } else if (lua_status(coroutine) != LUA_OK) {
    status = lua_resetthread(coroutine);
  }
  clua_leave(context, outside);
  if (starts_budget) clua_set_budget(context, NULL);
  context->finalizers.running = outer;
  clua_set_pushed_scope(context, pushed_scope);
  bool has_failed = status != LUA_OK && !is_stopped;
  if (has_failed) lua_xmove(coroutine, L, 1);
  // Nobody else hears of a stop when it was Swift that made Lua collect.
  clua_end(L);
  return has_failed;
}

// __gc of a guard, called once. Scripts can get at it by the debug library, and call it with anything.
static int finalize(lua_State *L) {
  if (lua_type(L, 1) != LUA_TUSERDATA || luaL_testudata(L, 1, "finalizer guard") == NULL ||
      lua_getiuservalue(L, 1, 1) <= LUA_TNIL) {
    return luaL_argerror(L, 1, "finalizer guard expected");
  }
  int object = lua_gettop(L);
  // The object may get a finalizer again.
  push_guards(L);
  lua_pushvalue(L, object);
  lua_pushnil(L);
  lua_rawset(L, -3);
  if (!push_finalizer(L, object)) return 0;
  lua_pushvalue(L, object);
  // Lua makes a warning of the error.
  return run_finalizer(L) ? lua_error(L) : 0;
}

// Sets the metatable at index 2 for the table at index 1, and lets Lua see no finalizer in it.
static void set_without_finalizer(lua_State *L) {
  lua_pushliteral(L, "__gc");
  int key = lua_gettop(L);
  lua_pushvalue(L, key);
  lua_rawget(L, 2);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, key);
  lua_pushnil(L);
  // From when the field was read, and while it is gone, nothing may collect: the finalizers of other objects with the
  // metatable would be missed. The last assignment, to a field that was there, needs no memory.
  lua_rawset(L, 2);
  lua_setmetatable(L, 1);
  lua_rawset(L, 2);
}

// Sets the metatable at index 2 for the table at index 1, with a guard if it has a finalizer.
static void set_guarded(lua_State *L) {
  lua_settop(L, 2);
  push_guards(L);
  lua_pushvalue(L, 1);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    lua_newuserdatauv(L, 0, 1);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, -2);
    lua_rawset(L, 3);
    // From here on nothing can fail: a guard with a finalizer is in its table.
    luaL_getmetatable(L, "finalizer guard");
    lua_setmetatable(L, -2);
  }
  lua_settop(L, 2);
  set_without_finalizer(L);
  lua_settop(L, 1);
}

// Whether the value at index 1 is a table and the one at 2 a metatable with a finalizer.
static bool needs_guard(lua_State *L) {
  if (lua_type(L, 1) != LUA_TTABLE || lua_type(L, 2) != LUA_TTABLE) return false;
  lua_pushliteral(L, "__gc");
  bool has_finalizer = lua_rawget(L, 2) != LUA_TNIL;
  lua_pop(L, 1);
  return has_finalizer;
}

static int set_metatable(lua_State *L) {
  if (!needs_guard(L)) return clua_get_context(L)->finalizers.set_metatable(L);
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) {
    return luaL_error(L, "cannot change a protected metatable");
  }
  set_guarded(L);
  return 1;
}

int clua_protected_set_metatable(lua_State *L) {
  if (needs_guard(L)) {
    set_guarded(L);
  } else {
    lua_setmetatable(L, 1);
  }
  return 0;
}

static int debug_set_metatable(lua_State *L) {
  if (!needs_guard(L)) return clua_get_context(L)->finalizers.debug_set_metatable(L);
  set_guarded(L);
  return 1;
}

void clua_replace_finalizer_functions(lua_State *L) {
  clua_context *context = clua_get_context(L);
  clua_push_weak_table(L, "k");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &guards_key);
  luaL_newmetatable(L, "finalizer guard");
  lua_pushcfunction(L, finalize);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
  context->finalizers.set_metatable = clua_replace(L, LUA_GNAME, "setmetatable", set_metatable);
  context->finalizers.debug_set_metatable = clua_replace(L, LUA_DBLIBNAME, "setmetatable", debug_set_metatable);
}

void clua_collect_garbage(lua_State *L) {
  clua_context *context = clua_get_context(L);
  clua_budget budget;
  bool starts_budget = clua_start_finalizer_budget(context, &budget);
  lua_gc(L, LUA_GCCOLLECT);
  if (starts_budget) clua_set_budget(context, NULL);
}
