#include "Internal.h"

const char clua_seal = 0;

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
  bool has_scopes = clua_get_context(L)->has_scopes;
  clua_box *box = lua_newuserdatauv(L, sizeof *box, has_scopes ? 1 : 0);
  box->seal = &clua_seal;
  box->object = object;
  box->call = call;
  box->release = release;
  if (has_scopes) clua_join_scope(L);
}

// Whether the object is a function that runs now, which its outermost call is then to release. That takes the debug
// library: it can give up the box of a running function, which otherwise the function's own upvalue keeps alive.
static bool defer_release(clua_context *context, const clua_box *box) {
  clua_activation *outermost = NULL;
  for (clua_activation *activation = context->active; activation != NULL; activation = activation->outer) {
    if (activation->object != box->object) continue;
    // Another box of the same function was given up: that one's share keeps it alive.
    if (activation->release != NULL) return false;
    outermost = activation;
  }
  if (outermost == NULL) return false;
  outermost->release = box->release;
  return true;
}

int clua_collect(lua_State *L) {
  // Scripts can get at it by the debug library, and call it with anything.
  clua_box *box = clua_get_box(L, 1);
  if (box == NULL) return luaL_argerror(L, 1, "host object expected");
  clua_context *context = clua_get_context(L);
  void *object = box->object;
  if (object == NULL) return 0;
  bool is_running = defer_release(context, box);
  box->object = NULL;
  box->call = NULL;
  if (is_running) return 0;
  bool in_lua = context->in_lua;
  clua_enter_host(context);
  context->releases++;
  box->release(L, object);
  context->releases--;
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

// Raises the error for what isn't a function's box, or no longer.
static int refuse(lua_State *L, const clua_box *box) {
  // A finalizer may call a function that was collected together with it.
  if (box != NULL && box->object == NULL) return luaL_error(L, "the host function was collected already");
  // By the debug library.
  return luaL_error(L, "the host function was replaced by another value");
}

// Calls the function whose box is at an index.
//
// Scripts can put there only what Lua's libraries make, and the first word of any such userdata can be read. So the
// size isn't asked for: that would take as long again as all else here.
static inline int invoke(lua_State *L, int index) {
  clua_context *context = clua_get_context(L);
  const clua_box *box = lua_touserdata(L, index);
  if (box == NULL || box->seal != &clua_seal || box->call == NULL) return refuse(L, box);
  // A finalizer's caller may be Swift.
  bool in_lua = context->in_lua;
  clua_enter_host(context);
  void *object = box->object;
  clua_activation activation = {object, NULL, context->active, false};
  context->active = &activation;
  int count = box->call(L, object);
  context->active = activation.outer;
  if (activation.release != NULL) activation.release(L, object);
  context->in_lua = in_lua;
  // Code that it ran may have been refused memory. It fails, too, even where it keeps that to itself, as what starts tasks
  // does: a script would go on calling it.
  bool is_refused = activation.was_refused_memory;
  if (clua_is_measurement_due(context) && !clua_measure_memory(L, true) && count >= 0) {
    // A script that has the host allocate everything may not allocate anything itself for long.
    clua_note_refusal(context);
    is_refused = true;
  }
  if (is_refused && count != CLUA_WAIT) {
    lua_settop(L, 0);
    clua_raise_memory_error(L);
  }
  if (count >= 0) return count;
  if (count == CLUA_RAISE) return lua_error(L);
  context->waiting = L;
  return lua_yieldk(L, 0, lua_gettop(L), finish_wait);
}

int clua_function(lua_State *L) { return invoke(L, lua_upvalueindex(1)); }

// Pushes the raw value of the key at index 2 in the table that is upvalue 1, and returns its type; LUA_TNIL, with nothing
// pushed, if the debug library put another value there.
static inline int push_member(lua_State *L) {
  if (lua_type(L, lua_upvalueindex(1)) != LUA_TTABLE) return LUA_TNIL;
  lua_pushvalue(L, 2);
  return lua_rawget(L, lua_upvalueindex(1));
}

int clua_index(lua_State *L) {
  switch (push_member(L)) {
    case LUA_TFUNCTION:
      return 1;
    case LUA_TUSERDATA:
      return invoke(L, -1);
    default:
      lua_settop(L, 2);
      return invoke(L, lua_upvalueindex(2));
  }
}

int clua_newindex(lua_State *L) {
  if (push_member(L) == LUA_TUSERDATA) return invoke(L, -1);
  lua_settop(L, 3);
  return invoke(L, lua_upvalueindex(2));
}

lua_CFunction clua_function_at(lua_State *L, int level) {
  lua_Debug activation;
  if (!lua_getstack(L, level, &activation) || !lua_checkstack(L, 1)) return NULL;
  lua_getinfo(L, "f", &activation);
  lua_CFunction function = lua_tocfunction(L, -1);
  lua_pop(L, 1);
  return function;
}

bool clua_calls_host(lua_CFunction function) {
  return function == clua_function || function == clua_index || function == clua_newindex;
}

int clua_next(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  if (lua_next(L, 1)) return 2;
  lua_pushnil(L);
  return 1;
}
