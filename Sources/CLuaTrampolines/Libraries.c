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

static bool is_among(const char *name, const char *const *names) {
  while (*names != NULL && strcmp(name, *names) != 0) names++;
  return *names != NULL;
}

// Removes all fields of the library on top of the stack except those named.
static void keep_only(lua_State *L, const char *const *names) {
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pop(L, 1);
    if (is_among(lua_tostring(L, -1), names)) continue;
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, -4);
  }
}

static void set_nil(lua_State *L, const char *name) {
  lua_pushnil(L);
  lua_setfield(L, -2, name);
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

static void restrict_base(lua_State *L) {
  set_nil(L, "dofile");
  set_nil(L, "loadfile");
}

static void restrict_os(lua_State *L) {
  static const char *const allowed[] = {"clock", "date", "difftime", "time", NULL};
  keep_only(L, allowed);
}

static void restrict_string(lua_State *L) { set_nil(L, "dump"); }

void clua_open_libraries(lua_State *L, unsigned libraries) {
  static const struct {
    unsigned flag;
    const char *name;
    lua_CFunction open;
    // Removes from the library on top of the stack what reaches outside the state; NULL for one that has no such parts.
    void (*restrict_library)(lua_State *L);
  } all[] = {
      {CLUA_BASE, LUA_GNAME, luaopen_base, restrict_base},
      {CLUA_PACKAGE, LUA_LOADLIBNAME, luaopen_package, restrict_packages},
      {CLUA_COROUTINE, LUA_COLIBNAME, luaopen_coroutine, NULL},
      {CLUA_TABLE, LUA_TABLIBNAME, luaopen_table, NULL},
      {CLUA_IO, LUA_IOLIBNAME, luaopen_io, NULL},
      {CLUA_OS, LUA_OSLIBNAME, luaopen_os, restrict_os},
      {CLUA_STRING, LUA_STRLIBNAME, luaopen_string, restrict_string},
      {CLUA_MATH, LUA_MATHLIBNAME, luaopen_math, NULL},
      {CLUA_UTF8, LUA_UTF8LIBNAME, luaopen_utf8, NULL},
      {CLUA_DEBUG, LUA_DBLIBNAME, luaopen_debug, NULL},
  };
  bool is_restricted = libraries & CLUA_RESTRICTED;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (!(libraries & all[i].flag)) continue;
    luaL_requiref(L, all[i].name, all[i].open, 1);
    if (is_restricted && all[i].restrict_library != NULL) all[i].restrict_library(L);
    lua_pop(L, 1);
  }
  if (is_restricted) clua_get_context(L)->load = clua_replace(L, LUA_GNAME, "load", load_text);
  clua_replace_coroutine_functions(L);
  clua_replace_finalizer_functions(L);
  clua_replace_debug_functions(L);
  clua_prepare_stops(L);
  clua_replace_endless_functions(L);
  clua_replace_output_functions(L);
  clua_replace_file_functions(L);
}
