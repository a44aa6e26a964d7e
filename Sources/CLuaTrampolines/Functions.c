#include "CLuaTrampolines.h"

// Swift's objects lie outside Lua's memory, and the collector must hear of them: or else it lets so many pile up, in
// ever greater tables, as Lua's part of them alone allows. It is told of 256 bytes for each, and a kibibyte at a time.
static void account_for_object(lua_State *L) {
  enum { OBJECTS_PER_KIBIBYTE = 4 };
  clua_context *context = clua_get_context(L);
  if (++context->unaccounted_objects < OBJECTS_PER_KIBIBYTE) return;
  context->unaccounted_objects = 0;
  // A step is made even where the script has stopped the collector.
  if (lua_gc(L, LUA_GCISRUNNING)) lua_gc(L, LUA_GCSTEP, 1);
}

void clua_push_box(lua_State *L, void *object, clua_callback call, clua_release release) {
  account_for_object(L);
  clua_box *box = lua_newuserdatauv(L, sizeof *box, 0);
  box->object = object;
  box->call = call;
  box->release = release;
}

int clua_collect(lua_State *L) {
  // Scripts can get at it by the debug library, and call it with anything.
  if (lua_rawlen(L, 1) != sizeof(clua_box)) return luaL_argerror(L, 1, "host object expected");
  clua_box *box = lua_touserdata(L, 1);
  clua_context *context = clua_get_context(L);
  void *object = box->object;
  if (object == NULL) return 0;
  box->object = NULL;
  bool in_lua = context->in_lua;
  context->in_lua = false;
  box->release(object);
  context->in_lua = in_lua;
  return 0;
}

// Called when the coroutine goes on after CLUA_WAIT. `base` is where its stack ended when it stopped; the
// results lie above.
static int finish_wait(lua_State *L, int status, lua_KContext base) {
  (void)status;
  clua_context *context = clua_get_context(L);
  context->delivered = NULL;
  if (context->delivered_error) return lua_error(L);
  return lua_gettop(L) - (int)base;
}

static inline int invoke(lua_State *L, const clua_box *box) {
  clua_context *context = clua_get_context(L);
  // A finalizer may call a function that was collected together with it.
  if (box == NULL || box->object == NULL) return luaL_error(L, "the host function was collected already");
  // A finalizer's caller may be Swift.
  bool in_lua = context->in_lua;
  context->in_lua = false;
  int count = box->call(L, box->object);
  context->in_lua = in_lua;
  if (count >= 0) return count;
  if (count == CLUA_RAISE) return lua_error(L);
  context->waiting = L;
  return lua_yieldk(L, 0, lua_gettop(L), finish_wait);
}

int clua_function(lua_State *L) { return invoke(L, lua_touserdata(L, lua_upvalueindex(1))); }

int clua_index(lua_State *L) {
  lua_pushvalue(L, 2);
  switch (lua_rawget(L, lua_upvalueindex(1))) {
    case LUA_TFUNCTION:
      return 1;
    case LUA_TUSERDATA:
      return invoke(L, lua_touserdata(L, -1));
    default:
      lua_settop(L, 2);
      return invoke(L, lua_touserdata(L, lua_upvalueindex(2)));
  }
}

int clua_newindex(lua_State *L) {
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) == LUA_TUSERDATA) return invoke(L, lua_touserdata(L, -1));
  lua_settop(L, 3);
  return invoke(L, lua_touserdata(L, lua_upvalueindex(2)));
}

int clua_next(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  if (lua_next(L, 1)) return 2;
  lua_pushnil(L);
  return 1;
}
