#include <stdio.h>
#include <stdlib.h>

#include "CLuaTrampolines.h"
#include "Coroutines.h"

// Whether an allocation is refused: to raise a stop's error, or for the memory limit.
static inline bool is_refused(clua_context *context, size_t growth) {
  if (context->refusals > 0) {
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

static lua_CFunction global_function(lua_State *L, const char *name) {
  lua_getglobal(L, name);
  lua_CFunction function = lua_tocfunction(L, -1);
  lua_pop(L, 1);
  return function;
}

lua_State *clua_open(void *owner) {
  clua_context *context = calloc(1, sizeof *context);
  if (context == NULL) return NULL;
  context->owner = owner;
  context->memory_limit = SIZE_MAX;
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
  luaL_openlibs(L);
  context->pcall = global_function(L, "pcall");
  context->xpcall = global_function(L, "xpcall");
  clua_replace_coroutine_functions(L);
  return L;
}

void clua_close(lua_State *L) {
  clua_context *context = clua_get_context(L);
  context->running = NULL;
  lua_close(L);
  free(context);
}

void clua_collect_garbage(lua_State *L) { lua_gc(L, LUA_GCCOLLECT); }

// Called in the coroutine it stops. The hook stays until control is back in Swift, so that a pcall that
// catches the error, or a __close that runs on its way, is stopped at its next instruction.
//
// Hooks are off while a hook runs, and with them off the message handler of an xpcall couldn't be stopped. So the
// error is the one that Lua raises without calling a handler: an allocation that is refused, and refused again after
// the emergency collection.
static void stop_hook(lua_State *L, lua_Debug *activation) {
  (void)activation;
  clua_context *context = clua_get_context(L);
  if (!context->stop) {
    lua_sethook(L, NULL, 0, 0);
    return;
  }
  context->refusals = 2;
  lua_newuserdatauv(L, 0, 0);
}

void clua_set_stop_hook(lua_State *L) {
  lua_sethook(L, stop_hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

clua_interrupt_outcome clua_interrupt(clua_context *context) {
  lua_State *running = context->running;
  if (running == NULL) return clua_interrupt_idle;
  if (!pthread_equal(pthread_self(), context->thread)) {
    bool sent = pthread_kill(context->thread, context->signal) == 0;
    return sent ? clua_interrupt_forwarded : clua_interrupt_idle;
  }
  context->stop = true;
  clua_set_stop_hook(running);
  return clua_interrupt_stopping;
}
