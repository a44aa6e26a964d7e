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

static int open_file(lua_State *L) {
  if (has_room()) return clua_get_context(L)->files.open(L);
  return fail(L, luaL_checkstring(L, 1));
}

static int open_process(lua_State *L) {
  if (has_room()) return clua_get_context(L)->files.popen(L);
  return fail(L, luaL_checkstring(L, 1));
}

static int open_temporary(lua_State *L) {
  return has_room() ? clua_get_context(L)->files.tmpfile(L) : fail(L, NULL);
}

// Raises an error if the argument names a file that can't be opened.
static void check_room(lua_State *L) {
  if (lua_type(L, 1) != LUA_TSTRING || has_room()) return;
  fail(L, lua_tostring(L, 1));
  luaL_error(L, "%s", lua_tostring(L, -2));
}

static int read_lines(lua_State *L) {
  check_room(L);
  return clua_get_context(L)->files.lines(L);
}

static int set_input(lua_State *L) {
  check_room(L);
  return clua_get_context(L)->files.input(L);
}

static int set_output(lua_State *L) {
  check_room(L);
  return clua_get_context(L)->files.output(L);
}

void clua_replace_file_functions(lua_State *L) {
  clua_context *context = clua_get_context(L);
  context->files.open = clua_replace(L, LUA_IOLIBNAME, "open", open_file);
  context->files.popen = clua_replace(L, LUA_IOLIBNAME, "popen", open_process);
  context->files.tmpfile = clua_replace(L, LUA_IOLIBNAME, "tmpfile", open_temporary);
  context->files.lines = clua_replace(L, LUA_IOLIBNAME, "lines", read_lines);
  context->files.input = clua_replace(L, LUA_IOLIBNAME, "input", set_input);
  context->files.output = clua_replace(L, LUA_IOLIBNAME, "output", set_output);
}
