#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

#include "Internal.h"

// Functions of Lua's io library that open files. A script may keep as many open as it likes, except that it leaves some
// descriptors to the host: libraries such as Dispatch end the process where they get none for a timer or a thread.

// The descriptors that scripts leave to the host: a quarter, but neither more nor fewer than these.
enum { MAXIMUM_RESERVE = 32, MINIMUM_RESERVE = 4 };

static bool has_room(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
  rlim_t reserve = limit.rlim_cur / 4;
  if (reserve > MAXIMUM_RESERVE) reserve = MAXIMUM_RESERVE;
  if (reserve < MINIMUM_RESERVE) reserve = MINIMUM_RESERVE;
  // A new descriptor is the lowest that is free.
  int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno != EMFILE && errno != ENFILE;
  close(descriptor);
  return (rlim_t)descriptor + reserve < limit.rlim_cur;
}

// Returns the results of a function that couldn't open a file; the name is NULL for a temporary one.
static int fail(lua_State *L, const char *name) {
  errno = EMFILE;
  return luaL_fileresult(L, 0, name);
}

// Calls Lua's own function, which the running one stands for.
static int call_own(lua_State *L) { return lua_tocfunction(L, lua_upvalueindex(1))(L); }

// For the functions that return nil and a message where they open nothing.
static int open_file(lua_State *L) { return has_room() ? call_own(L) : fail(L, luaL_checkstring(L, 1)); }

static int open_temporary(lua_State *L) { return has_room() ? call_own(L) : fail(L, NULL); }

// For the functions that raise the message, and open a file only if they get its name.
static int use_file(lua_State *L) {
  if (lua_type(L, 1) != LUA_TSTRING || has_room()) return call_own(L);
  fail(L, lua_tostring(L, 1));
  return luaL_error(L, "%s", lua_tostring(L, -2));
}

void clua_replace_file_functions(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"open", open_file}, {"popen", open_file}, {"tmpfile", open_temporary},
      {"lines", use_file}, {"input", use_file},  {"output", use_file},
  };
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, LUA_IOLIBNAME) == LUA_TTABLE) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
      lua_getfield(L, -1, functions[i].name);
      lua_pushcclosure(L, functions[i].func, 1);
      lua_setfield(L, -2, functions[i].name);
    }
  }
  lua_pop(L, 2);
}
