#include <stdlib.h>

#include "Internal.h"

lua_State *clua_open(void *owner, bool in_sandbox) {
  clua_context *context = calloc(1, sizeof *context);
  if (context == NULL) return NULL;
  context->owner = owner;
  context->references = 1;
  context->memory_limit = SIZE_MAX;
  context->instruction_limit = -1;
  context->time_limit = -1;
  // luaL_newstate installs Lua's own panic and warning functions, which are not public; its allocator is
  // realloc and free, so ours can take over its blocks.
  lua_State *L = luaL_newstate();
  if (L == NULL) {
    free(context);
    return NULL;
  }
  context->memory_used = (size_t)lua_gc(L, LUA_GCCOUNT) * 1024 + (size_t)lua_gc(L, LUA_GCCOUNTB);
  lua_setallocf(L, clua_allocate, context);
  *(clua_context **)lua_getextraspace(L) = context;
  clua_open_libraries(L, in_sandbox);
  return L;
}

clua_stop clua_close(lua_State *L) {
  clua_context *context = clua_get_context(L);
  // Finalizers run, and can be stopped, all of them at once.
  context->closing = L;
  clua_frame outside = clua_enter(context, L, NULL, false);
  lua_close(L);
  clua_stop stop = context->stop;
  clua_leave(context, outside);
  context->budget = NULL;
  clua_release_context(context);
  return stop;
}

void clua_retain(clua_context *context) { __atomic_add_fetch(&context->references, 1, __ATOMIC_RELAXED); }

void clua_release_context(clua_context *context) {
  if (__atomic_sub_fetch(&context->references, 1, __ATOMIC_ACQ_REL) == 0) free(context);
}

void clua_collect_garbage(lua_State *L) {
  clua_context *context = clua_get_context(L);
  clua_budget budget;
  bool starts_budget = clua_start_finalizer_budget(context, &budget);
  lua_gc(L, LUA_GCCOLLECT);
  if (starts_budget) context->budget = NULL;
}
