#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "Internal.h"

// The addresses are the registry's keys for: the traceback on its way from the message handler to the caller in Swift (a
// handler has one result, and that is the error value); the traceback of the calls below the function of ours that
// raised last; and what it raised.
static const char traceback_key = 0;
static const char inner_traceback_key = 0;
static const char inner_value_key = 0;

// From this length in bytes on, a traceback isn't joined with that of the calls around it: coroutines that resume each
// other until the C stack is full have hundreds.
enum { MAXIMUM_LENGTH = 4000 };

// The levels of the stack that are searched for a place: to reach one takes time in proportion to its number.
enum { MAXIMUM_LEVEL = 50 };

static clua_place make_place(const char *chunk, int line) {
  clua_place place = {.line = line};
  strncpy(place.chunk, chunk, sizeof place.chunk - 1);
  return place;
}

// The line that a message begins with, after the name of a chunk: "script.lua:3: text". 0 if it doesn't.
static int stated_line(const char *message, const char *chunk) {
  size_t length = strlen(chunk);
  if (strncmp(message, chunk, length) != 0 || message[length] != ':') return 0;
  char *end;
  long line = strtol(message + length + 1, &end, 10);
  return *end == ':' && line > 0 && line <= INT_MAX ? (int)line : 0;
}

// The place where an error was raised: the one that its message begins with, if that is in a chunk which runs in the coroutine at a
// level or above it, or else the line of the innermost Lua function there.
static clua_place find_place(const char *message, lua_State *coroutine, int level) {
  clua_place innermost = {.line = 0};
  lua_Debug activation;
  for (int last = level + MAXIMUM_LEVEL; level < last && lua_getstack(coroutine, level, &activation); level++) {
    lua_getinfo(coroutine, "Sl", &activation);
    if (activation.currentline <= 0) continue;
    int line = message == NULL ? 0 : stated_line(message, activation.short_src);
    if (line > 0) return make_place(activation.short_src, line);
    if (innermost.line == 0) innermost = make_place(activation.short_src, activation.currentline);
    if (message == NULL) break;
  }
  return innermost;
}

// The text of an error value that is a string; NULL for any other.
static const char *message_at(lua_State *L, int value) {
  return lua_type(L, value) == LUA_TSTRING ? lua_tostring(L, value) : NULL;
}

// Whether the function at a level of a coroutine raised the error value at the index of L, from calls outside of the
// coroutine. What another function raised since then doesn't come from there, though it may be an equal string.
static bool raised(lua_State *L, int value, lua_State *coroutine, int level) {
  lua_CFunction raiser = clua_get_context(L)->errors.raiser;
  if (raiser == NULL || clua_function_at(coroutine, level) != raiser) return false;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &inner_value_key);
  bool is_same = lua_rawequal(L, -1, value);
  lua_pop(L, 1);
  return is_same;
}

// Pushes the traceback of a coroutine from a level on, after that of the calls that the function there made outside of
// it, if it raised the error value at the index of L. Keeps the place of the error, too.
static void push_joined_traceback(lua_State *L, int value, lua_State *coroutine, int level) {
  clua_context *context = clua_get_context(L);
  if (!raised(L, lua_absindex(L, value), coroutine, level)) {
    context->errors.kept_place = find_place(message_at(L, value), coroutine, level);
    return luaL_traceback(L, coroutine, NULL, level);
  }
  context->errors.kept_place = context->errors.inner_place;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &inner_traceback_key);
  if (lua_rawlen(L, -1) > MAXIMUM_LENGTH) return;
  lua_pushliteral(L, "\n");
  luaL_traceback(L, coroutine, NULL, level);
  lua_concat(L, 3);
}

int clua_keep_traceback(lua_State *L) {
  // Scripts can get at it by the debug library, and call it with anything.
  lua_settop(L, 1);
  push_joined_traceback(L, 1, L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &traceback_key);
  return 1;
}

void clua_keep_stop_traceback(lua_State *L) {
  clua_get_context(L)->errors.kept_place = find_place(NULL, L, 0);
  luaL_traceback(L, L, NULL, 0);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &traceback_key);
}

void clua_push_traceback(lua_State *L) {
  clua_context *context = clua_get_context(L);
  context->errors.place = context->errors.kept_place;
  context->errors.kept_place.line = 0;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &traceback_key);
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &traceback_key);
}

void clua_push_coroutine_traceback(lua_State *L, lua_State *coroutine) {
  push_joined_traceback(L, -1, coroutine, 0);
  clua_context *context = clua_get_context(L);
  context->errors.inner_place = context->errors.kept_place;
}

void clua_set_inner_place(clua_context *context, const clua_place *place) { context->errors.inner_place = *place; }

const clua_place *clua_get_place(const clua_context *context) { return &context->errors.place; }

clua_place clua_get_calling_place(lua_State *L) { return find_place(NULL, L, 1); }

clua_place clua_get_syntax_place(lua_State *L, const char *name) {
  clua_place place = {.line = 0};
  const char *message = message_at(L, -1);
  lua_Debug chunk;
  // The form of a name in messages is the one that Lua gives a chunk that compiles.
  if (message == NULL || luaL_loadbufferx(L, "", 0, name, "t") != LUA_OK) {
    if (message != NULL) lua_pop(L, 1);
    return place;
  }
  lua_getinfo(L, ">S", &chunk);
  int line = stated_line(message, chunk.short_src);
  return line > 0 ? make_place(chunk.short_src, line) : place;
}

void clua_set_inner_traceback(lua_State *L, int traceback) {
  lua_pushvalue(L, traceback);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &inner_traceback_key);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &inner_value_key);
  clua_get_context(L)->errors.raiser = clua_function_at(L, 0);
}

void clua_forget_inner_traceback(lua_State *L) {
  clua_context *context = clua_get_context(L);
  if (context->errors.raiser == NULL) return;
  context->errors.raiser = NULL;
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &inner_traceback_key);
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &inner_value_key);
}
