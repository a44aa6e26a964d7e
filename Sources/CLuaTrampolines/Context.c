#include <stdio.h>
#include <stdlib.h>

#include "Internal.h"

// Whether an allocation is refused: to raise a stop's error, or for the memory limit.
static inline bool is_refused(clua_context *context, size_t growth) {
  if (context->refusals > 0 && context->in_lua && context->refusal_delay-- <= 0) {
    context->refusals--;
    return true;
  }
  // No overflow: Lua asks for at most PTRDIFF_MAX bytes at once.
  return context->in_lua && context->memory_used + growth > context->memory_limit;
}

// Refuses memory above the limit, but only while Lua code runs: an error raised while Swift is using the state
// would cross its frames. For the same reason the process ends when the system itself has no more memory then, as
// Swift would end it.
static void *allocate(void *context_pointer, void *block, size_t old_size, size_t new_size) {
  clua_context *context = context_pointer;
  size_t current = block ? old_size : 0;  // without a block, Lua passes the kind of object as its size
  if (new_size == 0) {
    free(block);
    context->memory_used -= current;
    return NULL;
  }
  if (new_size > current && is_refused(context, new_size - current)) return NULL;
  // What realloc does without a block, a little faster.
  void *moved = block ? realloc(block, new_size) : malloc(new_size);
  if (moved == NULL) {
    if (!context->in_lua) {
      fputs("out of memory\n", stderr);
      abort();
    }
    return NULL;
  }
  context->memory_used += new_size - current;
  return moved;
}

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
  lua_setallocf(L, allocate, context);
  *(clua_context **)lua_getextraspace(L) = context;
  clua_open_libraries(L, in_sandbox);
  return L;
}

void clua_close(lua_State *L) {
  clua_context *context = clua_get_context(L);
  // Finalizers run, and can be stopped, all of them at once.
  clua_budget budget;
  clua_start_finalizer_budget(context, &budget);
  context->closing = L;
  clua_frame outside = clua_enter(context, L, NULL, false);
  lua_close(L);
  clua_leave(context, outside);
  context->budget = NULL;
  clua_release_context(context);
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
