#include "Internal.h"

const char clua_seal = 0;

// Swift's objects are outside Lua's memory, and the collector must hear of them: otherwise it lets so many pile up, in
// ever greater tables, as Lua's part of them alone allows. It is told of 64 bytes for each, about what a small object takes,
// and a kibibyte at a time.
static void account_for_object(lua_State *L) {
  enum { OBJECTS_PER_KIBIBYTE = 16 };
  clua_context *context = clua_get_context(L);
  if (++context->boxes.unaccounted < OBJECTS_PER_KIBIBYTE) return;
  context->boxes.unaccounted = 0;
  // A step is made even where the script has stopped the collector.
  if (lua_gc(L, LUA_GCISRUNNING)) lua_gc(L, LUA_GCSTEP, 1);
}

// A scope is a table of Lua functions that Swift calls. Swift finds it by its number in a table with weak values; what keeps
// it alive is the boxes of Swift's objects that belong to it, of which it is the user value. So a function that mentions
// such an object makes a circle that Lua sees as a whole, and collects.

// The address is the registry's key for the table from numbers to scopes.
static const char scopes_key = 0;

static void push_scopes(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &scopes_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  clua_push_weak_table(L, "v");
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &scopes_key);
}

int clua_push_new_scope(lua_State *L, bool has_objects) {
  clua_context *context = clua_get_context(L);
  int number = ++context->boxes.scope_count;
  context->boxes.has_scopes |= has_objects;
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

int clua_set_pushed_scope(clua_context *context, int number) {
  int last = context->boxes.pushed_scope;
  context->boxes.pushed_scope = number;
  return last;
}

// Pushes the scope of the box at an index, or nothing. Returns whether there is one.
static bool push_scope_of_box(lua_State *L, int index) {
  if (clua_get_box(L, index) == NULL) return false;
  if (lua_getiuservalue(L, index, 1) == LUA_TTABLE) return true;
  lua_pop(L, 1);
  return false;
}

// Pushes the scope of the running function, or else of the object that it was called with, or nothing.
static bool push_scope_of_callee(lua_State *L) {
  lua_Debug activation;
  if (!lua_getstack(L, 0, &activation)) return false;
  lua_getinfo(L, "f", &activation);
  bool is_there = false;
  // The function's own box, or the one beside the table of what is called for members by their names.
  for (int upvalue = 1; upvalue <= 2 && !is_there && lua_getupvalue(L, -1, upvalue) != NULL; upvalue++) {
    is_there = push_scope_of_box(L, -1);
    lua_remove(L, is_there ? -2 : -1);
  }
  lua_remove(L, is_there ? -2 : -1);
  return is_there || push_scope_of_box(L, 1);
}

// Assigns the box on top of the stack to the scope of the value being pushed, or of the function that makes it.
static void join_scope(lua_State *L, int pushed_scope) {
  if (pushed_scope == CLUA_NO_SCOPE || !lua_checkstack(L, 4)) return;
  bool is_there = pushed_scope != 0 ? clua_push_scope(L, pushed_scope) : push_scope_of_callee(L);
  if (is_there) lua_setiuservalue(L, -2, 1);
}

clua_box *clua_push_box(lua_State *L, void *object, clua_callback call, clua_release release) {
  account_for_object(L);
  const clua_context *context = clua_get_context(L);
  bool has_scopes = context->boxes.has_scopes;
  clua_box *box = lua_newuserdatauv(L, sizeof *box, has_scopes ? 1 : 0);
  *box = (clua_box){.seal = &clua_seal, .object = object, .call = call, .release = release};
  if (has_scopes) join_scope(L, context->boxes.pushed_scope);
  return box;
}

bool clua_is_released(lua_State *L, int index) {
  const clua_box *box = clua_get_box(L, index);
  return box != NULL && box->object == NULL;
}
