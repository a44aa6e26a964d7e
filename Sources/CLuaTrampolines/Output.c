#include <stdio.h>
#include <string.h>

#include "Internal.h"

// The functions of Lua that write to standard output. Where the host takes the output, those below pass it on; otherwise they
// call Lua's own.

// The address is the registry's key for the function that takes the output.
static const char output_key = 0;

void clua_set_output(lua_State *L) {
  clua_get_context(L)->output.is_redirected = lua_type(L, -1) == LUA_TFUNCTION;
  lua_rawsetp(L, LUA_REGISTRYINDEX, &output_key);
}

static bool is_redirected(lua_State *L) { return clua_get_context(L)->output.is_redirected; }

// Passes the string on top of the stack to the host, and pops it.
static void pass_on(lua_State *L) {
  if (is_redirected(L)) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &output_key);
    lua_insert(L, -2);
    lua_call(L, 1, 0);
  } else {
    // A __tostring that ran for the string ended the redirection.
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    fwrite(text, 1, length, stdout);
    lua_pop(L, 1);
  }
}

static int output_print(lua_State *L) {
  if (!is_redirected(L)) return clua_get_context(L)->output.print(L);
  int count = lua_gettop(L);
  luaL_Buffer line;
  luaL_buffinit(L, &line);
  for (int i = 1; i <= count; i++) {
    if (i > 1) luaL_addchar(&line, '\t');
    luaL_tolstring(L, i, NULL);
    luaL_addvalue(&line);
  }
  luaL_addchar(&line, '\n');
  luaL_pushresult(&line);
  pass_on(L);
  return 0;
}

// Whether the value at an index is the file of standard output. The debug library can make other userdata pass for files.
static bool is_standard_output(lua_State *L, int index) {
  luaL_Stream *stream = luaL_testudata(L, index, LUA_FILEHANDLE);
  return stream != NULL && lua_rawlen(L, index) == sizeof *stream && stream->closef != NULL && stream->f == stdout;
}

// Adds the number at an index, as files write it: unlike tostring, without ".0" for a float of an integral value.
static void add_number(lua_State *L, luaL_Buffer *text, int index) {
  // More than the longest number takes.
  char digits[64];
  int length = lua_isinteger(L, index)
                   ? snprintf(digits, sizeof digits, LUA_INTEGER_FMT, (LUAI_UACINT)lua_tointeger(L, index))
                   : snprintf(digits, sizeof digits, LUA_NUMBER_FMT, (LUAI_UACNUMBER)lua_tonumber(L, index));
  luaL_addlstring(text, digits, (size_t)length);
}

// Passes on the values from one index to another, as files write them.
static void write_values(lua_State *L, int first, int last) {
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  for (int i = first; i <= last; i++) {
    if (lua_type(L, i) == LUA_TNUMBER) {
      add_number(L, &text, i);
      continue;
    }
    size_t length;
    const char *string = luaL_checklstring(L, i, &length);
    luaL_addlstring(&text, string, length);
  }
  luaL_pushresult(&text);
  pass_on(L);
}

static int output_write(lua_State *L) {
  if (!is_redirected(L)) return clua_get_context(L)->output.write(L);
  int count = lua_gettop(L);
  lua_getfield(L, LUA_REGISTRYINDEX, "_IO_output");
  if (!is_standard_output(L, -1)) {
    lua_pop(L, 1);
    return clua_get_context(L)->output.write(L);
  }
  write_values(L, 1, count);
  return 1;
}

static int output_write_to_file(lua_State *L) {
  if (!is_redirected(L) || !is_standard_output(L, 1)) return clua_get_context(L)->output.file_write(L);
  write_values(L, 2, lua_gettop(L));
  lua_settop(L, 1);
  return 1;
}

// A message of one piece that begins with "@" controls warnings, and isn't one. Lua doesn't say whether they are on.
static bool control_warnings(lua_State *L, int count) {
  const char *message = lua_tostring(L, 1);
  if (count != 1 || *message != '@') return false;
  if (strcmp(message, "@on") == 0) clua_get_context(L)->output.warns = true;
  if (strcmp(message, "@off") == 0) clua_get_context(L)->output.warns = false;
  return true;
}

static int output_warn(lua_State *L) {
  int count = lua_gettop(L);
  luaL_checkstring(L, 1);
  for (int i = 2; i <= count; i++) luaL_checkstring(L, i);
  if (control_warnings(L, count) || !is_redirected(L)) return clua_get_context(L)->output.warn(L);
  if (!clua_get_context(L)->output.warns) return 0;
  lua_pushliteral(L, "Lua warning: ");
  lua_insert(L, 1);
  lua_pushliteral(L, "\n");
  lua_concat(L, count + 2);
  pass_on(L);
  return 0;
}

// Replaces the method of files, which is no function of a library.
static void replace_file_write(lua_State *L) {
  lua_CFunction *replaced = &clua_get_context(L)->output.file_write;
  if (luaL_getmetatable(L, LUA_FILEHANDLE) != LUA_TTABLE) return lua_pop(L, 1);
  if (lua_getfield(L, -1, "__index") == LUA_TTABLE) {
    lua_getfield(L, -1, "write");
    *replaced = lua_tocfunction(L, -1);
    lua_pop(L, 1);
    lua_pushcfunction(L, output_write_to_file);
    lua_setfield(L, -2, "write");
  }
  lua_pop(L, 2);
}

void clua_replace_output_functions(lua_State *L) {
  clua_context *context = clua_get_context(L);
  context->output.print = clua_replace(L, LUA_GNAME, "print", output_print);
  context->output.warn = clua_replace(L, LUA_GNAME, "warn", output_warn);
  context->output.write = clua_replace(L, LUA_IOLIBNAME, "write", output_write);
  replace_file_write(L);
}
