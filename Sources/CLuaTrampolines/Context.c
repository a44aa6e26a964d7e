#include <stdlib.h>

#include "Internal.h"

// Closes the state from within a script, with the to-be-closed variables of its task, which is the script's main coroutine.
// They can be stopped, and so can the finalizers.
static void close_from_within(lua_State *L) {
  clua_context *context = clua_get_context(L);
  lua_State *task = clua_task(context);
  if (task != NULL) {
    // This ends the calls of the task, perhaps the present one too; but that never returns.
    clua_set_running(context, task);
    clua_prepare_hook(context, task);
    lua_resetthread(task);
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
  lua_State *main = lua_tothread(L, -1);
  atomic_store_explicit(&context->state.closing, main, memory_order_relaxed);
  clua_set_running(context, main);
  lua_close(main);
}

// `os.exit`, which tells the host before it ends the process: at the end, with no Lua code left to run.
static int exit_process(lua_State *L) {
  clua_context *context = clua_get_context(L);
  int status = lua_isboolean(L, 1) ? (lua_toboolean(L, 1) ? EXIT_SUCCESS : EXIT_FAILURE)
                                   : (int)luaL_optinteger(L, 1, EXIT_SUCCESS);
  bool closes = lua_toboolean(L, 2);
  if (closes) close_from_within(L);
  clua_enter_host(context);
  if (context->state.will_exit != NULL) {
    clua_stop stop = closes ? clua_get_stop(context) : clua_stop_none;
    status = context->state.will_exit(context->front.owner, status, closes, stop);
  }
  exit(status);
}

lua_State *clua_open(void *owner, unsigned libraries) {
  clua_context *context = calloc(1, sizeof *context);
  if (context == NULL) return NULL;
  context->front.owner = owner;
  atomic_init(&context->state.references, 1);
  clua_set_limits(context, -1, -1);
  // luaL_newstate installs Lua's own panic and warning functions, which are not public; its allocator is
  // realloc and free, so ours can take over its blocks.
  lua_State *L = luaL_newstate();
  if (L == NULL) {
    free(context);
    return NULL;
  }
  clua_install_allocator(L, context);
  *(clua_context **)lua_getextraspace(L) = context;
  clua_open_libraries(L, libraries);
  if (!(libraries & CLUA_RESTRICTED)) clua_replace(L, LUA_OSLIBNAME, "exit", exit_process);
  return L;
}

clua_stop clua_close(lua_State *L) {
  clua_context *context = clua_get_context(L);
  // Finalizers run, and can be stopped, all of them at once.
  atomic_store_explicit(&context->state.closing, L, memory_order_relaxed);
  clua_frame outside = clua_enter(context, L, NULL, false);
  lua_close(L);
  clua_stop stop = clua_get_stop(context);
  clua_leave(context, outside);
  clua_set_budget(context, NULL);
  clua_free_objects(context);
  clua_release_context(context);
  return stop;
}

void clua_retain(clua_context *context) {
  atomic_fetch_add_explicit(&context->state.references, 1, memory_order_relaxed);
}

void clua_release_context(clua_context *context) {
  if (atomic_fetch_sub_explicit(&context->state.references, 1, memory_order_acq_rel) == 1) free(context);
}

void clua_set_exit_handler(clua_context *context, clua_exit handler) { context->state.will_exit = handler; }
