#include "Internal.h"

// Whether the object is a function that runs now, which its outermost call is then to release. That takes the debug
// library: it can release the box of a running function, which otherwise the function's own upvalue keeps alive.
static bool defer_release(clua_context *context, const clua_box *box) {
  clua_activation *outermost = NULL;
  for (clua_activation *activation = context->functions.active; activation != NULL; activation = activation->outer) {
    if (activation->object != box->object) continue;
    // Another box of the same function was released: its reference keeps the function alive.
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

void clua_take_wait(clua_context *context) { context->functions.waiter = NULL; }

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
// size isn't read: that would double the time.
static inline int invoke(lua_State *L, int index) {
  clua_context *context = clua_get_context(L);
  const clua_box *box = lua_touserdata(L, index);
  if (box == NULL || box->seal != &clua_seal || box->call == NULL) return refuse(L, box);
  bool in_lua = clua_enter_host(context);
  void *object = box->object;
  clua_activation activation = {object, NULL, context->functions.active, false};
  context->functions.active = &activation;
  int count = box->call(L, object);
  context->functions.active = activation.outer;
  if (activation.release != NULL) activation.release(L, object);
  clua_leave_host(context, in_lua);
  // Code that it ran may have been refused memory. Then it fails too, even if it hides that, as functions that start tasks do:
  // otherwise a script would keep calling it.
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
  context->functions.waiter = L;
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

bool clua_calls_host(lua_CFunction function) {
  return function == clua_function || function == clua_index || function == clua_newindex;
}
