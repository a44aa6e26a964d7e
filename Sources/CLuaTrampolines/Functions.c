#include "Internal.h"

int clua_collect(lua_State *L) {
  // Scripts can get at it by the debug library, and call it with anything.
  clua_box *box = clua_get_box(L, 1);
  if (box == NULL) return luaL_argerror(L, 1, "host object expected");
  clua_context *context = clua_get_context(L);
  void *object = box->object;
  if (object == NULL) return 0;
  clua_forget_object(context, box);
  box->object = NULL;
  box->call = NULL;
  bool in_lua = clua_enter_host(context);
  context->functions.releases++;
  box->release(L, object);
  context->functions.releases--;
  clua_leave_host(context, in_lua);
  return 0;
}

bool clua_is_busy(const clua_context *context) {
  return clua_get_running(context) != NULL || context->functions.releases > 0;
}

void clua_clear_wait(clua_context *context) { context->functions.waiter = NULL; }

void clua_deliver(lua_State *waiter, int count, bool is_error) {
  clua_context *context = clua_get_context(waiter);
  context->functions.delivered = waiter;
  context->functions.delivered_count = count;
  context->functions.delivered_error = is_error;
}

// Called when the coroutine continues after CLUA_WAIT. `base` is where its stack ended when it stopped; the
// results lie above.
static int finish_wait(lua_State *L, int status, lua_KContext base) {
  (void)status;
  clua_context *context = clua_get_context(L);
  clua_end_delivery(context);
  if (context->functions.delivered_error) return lua_error(L);
  return lua_gettop(L) - (int)base;
}

// Ends a call that has no results, or after which there may be no memory.
static int finish_call(lua_State *L, clua_context *context, bool was_refused_memory, int count) {
  // Code that it ran may have been refused memory. Then it fails too, even if it hides that, as functions that start tasks do:
  // otherwise a script would keep calling it.
  bool is_refused = was_refused_memory;
  if (clua_is_measurement_due(context) && !clua_measure_memory(L, true) && count >= 0) {
    // A script that has the host allocate everything may not allocate anything itself for long.
    clua_record_refusal(context);
    is_refused = true;
  }
  if (is_refused && count != CLUA_WAIT) {
    lua_settop(L, 0);
    clua_raise_memory_error(L);
  }
  if (count >= 0) return count;
  if (count == CLUA_RAISE) return lua_error(L);
  context->functions.waiter = L;
  return lua_yieldk(L, 0, lua_gettop(L), finish_wait);
}

// Calls the function of a box, which stays where the collector finds it.
static inline __attribute__((always_inline)) int invoke(lua_State *L, const clua_box *box) {
  clua_context *context = clua_get_context(L);
  // A finalizer may call a function that was collected together with it.
  if (box->call == NULL) return luaL_error(L, "the host function was collected already");
  bool in_lua = clua_enter_host(context);
  bool is_refused_memory = false;
  bool *outer = context->functions.is_refused_memory;
  context->functions.is_refused_memory = &is_refused_memory;
  int count = box->call(L, box->object);
  context->functions.is_refused_memory = outer;
  clua_leave_host(context, in_lua);
  if (count >= 0 && !is_refused_memory && !clua_measures_memory(context)) return count;
  return finish_call(L, context, is_refused_memory, count);
}

// The functions below rely on their upvalues being what they were made with: boxes, and tables of functions and boxes.
// Scripts can't get at these; see DebugLibrary.c.

int clua_function(lua_State *L) { return invoke(L, lua_touserdata(L, lua_upvalueindex(1))); }

// Pushes the raw value of the key at index 2 in the table that is upvalue 1, and returns its type.
static inline int push_member(lua_State *L) {
  lua_pushvalue(L, 2);
  return lua_rawget(L, lua_upvalueindex(1));
}

int clua_index(lua_State *L) {
  switch (push_member(L)) {
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
  // Scripts can get at it by the debug library, and call it without the value, in whose place the box would be.
  if (lua_gettop(L) < 3) lua_settop(L, 3);
  if (push_member(L) == LUA_TUSERDATA) return invoke(L, lua_touserdata(L, -1));
  lua_settop(L, 3);
  return invoke(L, lua_touserdata(L, lua_upvalueindex(2)));
}

bool clua_calls_host(lua_CFunction function) {
  return function == clua_function || function == clua_index || function == clua_newindex;
}
