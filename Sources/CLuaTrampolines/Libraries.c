#include <string.h>

#include "Internal.h"

// `load` for text only: precompiled code can break the interpreter. Takes the script's mode without "b".
static int load_text(lua_State *L) {
  if (lua_gettop(L) == 0) return clua_get_context(L)->load(L);
  const char *mode = luaL_optstring(L, 3, "bt");
  const char *allowed = strchr(mode, 't') != NULL ? "t" : "";
  if (lua_gettop(L) < 3) lua_settop(L, 3);
  lua_pushstring(L, allowed);
  lua_replace(L, 3);
  return clua_get_context(L)->load(L);
}

// Removes all fields of the library on top of the stack except those named.
static void keep_only(lua_State *L, const char *const *names) {
  lua_newtable(L);
  for (; *names != NULL; names++) {
    lua_getfield(L, -2, *names);
    lua_setfield(L, -2, *names);
  }
  // The fields of the copy are in the library, so only nil is assigned while it is traversed.
  lua_pushnil(L);
  while (lua_next(L, -3)) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, -3) == LUA_TNIL) {
      lua_pushvalue(L, -2);
      lua_pushnil(L);
      lua_rawset(L, -6);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static void set_nil(lua_State *L, const char *const *names) {
  for (; *names != NULL; names++) {
    lua_pushnil(L);
    lua_setfield(L, -2, *names);
  }
}

// Keeps of `package` what the host's modules need: `loaded`, `preload`, and the searcher in the latter.
static void restrict_packages(lua_State *L) {
  static const char *const names[] = {"loaded", "preload", "searchers", "config", NULL};
  keep_only(L, names);
  // `require` asks for them when a module isn't found.
  lua_pushliteral(L, "");
  lua_setfield(L, -2, "path");
  lua_pushliteral(L, "");
  lua_setfield(L, -2, "cpath");
  lua_getfield(L, -1, "searchers");
  for (lua_Integer count = luaL_len(L, -1); count > 1; count--) {
    lua_pushnil(L);
    lua_rawseti(L, -2, count);
  }
  lua_pop(L, 1);
}

static void open_sandboxed_libraries(lua_State *L) {
  static const luaL_Reg libraries[] = {
      {LUA_GNAME, luaopen_base},        {LUA_LOADLIBNAME, luaopen_package},
      {LUA_COLIBNAME, luaopen_coroutine}, {LUA_TABLIBNAME, luaopen_table},
      {LUA_OSLIBNAME, luaopen_os},      {LUA_STRLIBNAME, luaopen_string},
      {LUA_MATHLIBNAME, luaopen_math},  {LUA_UTF8LIBNAME, luaopen_utf8},
      {NULL, NULL},
  };
  static const char *const forbidden_globals[] = {"dofile", "loadfile", NULL};
  static const char *const allowed_os[] = {"clock", "date", "difftime", "time", NULL};
  static const char *const forbidden_string[] = {"dump", NULL};
  for (const luaL_Reg *library = libraries; library->func != NULL; library++) {
    luaL_requiref(L, library->name, library->func, 1);
    if (strcmp(library->name, LUA_GNAME) == 0) set_nil(L, forbidden_globals);
    if (strcmp(library->name, LUA_LOADLIBNAME) == 0) restrict_packages(L);
    if (strcmp(library->name, LUA_OSLIBNAME) == 0) keep_only(L, allowed_os);
    if (strcmp(library->name, LUA_STRLIBNAME) == 0) set_nil(L, forbidden_string);
    lua_pop(L, 1);
  }
  clua_get_context(L)->load = clua_replace(L, LUA_GNAME, "load", load_text);
}

void clua_open_libraries(lua_State *L, bool in_sandbox) {
  if (in_sandbox) {
    open_sandboxed_libraries(L);
  } else {
    luaL_openlibs(L);
  }
  clua_replace_coroutine_functions(L);
  clua_replace_finalizer_functions(L);
  clua_prepare_stops(L);
  clua_replace_endless_functions(L);
}
