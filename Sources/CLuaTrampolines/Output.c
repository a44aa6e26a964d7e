#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "Internal.h"

// The functions of Lua that write. Where the host takes the output, they pass on what is for standard output. Otherwise they
// do what Lua's own do, but stop in the middle of a long string if the code is to stop.

// The address is the registry's key for the function that takes the output.
static const char output_key = 0;

void clua_set_output(lua_State *L) {
  clua_get_context(L)->output.is_redirected = lua_type(L, -1) == LUA_TFUNCTION;
  lua_rawsetp(L, LUA_REGISTRYINDEX, &output_key);
}

static bool is_redirected(lua_State *L) { return clua_get_context(L)->output.is_redirected; }

// The length of the pieces in which strings are written: between them the code can be stopped.
enum { PIECE_LENGTH = 0x4000 };

static atomic_int output_failure = 0;

int clua_output_failure(void) { return atomic_load_explicit(&output_failure, memory_order_relaxed); }

// Records why a file can't be written. A signal that came meanwhile, such as one that asks for a stop, is no failure of it.
static void record_failure(FILE *file) {
  if (errno == EINTR) {
    clearerr(file);
  } else if (file == stdout) {
    atomic_store_explicit(&output_failure, errno, memory_order_relaxed);
  }
}

// Writes bytes to a file. Returns whether it succeeded; if not, errno says why.
static bool write_bytes(FILE *file, const char *bytes, size_t length) {
  if (fwrite(bytes, 1, length, file) == length) return true;
  record_failure(file);
  return false;
}

// Writes the string at an index to a file. Returns whether it succeeded; if not, errno says why.
static bool write_string(lua_State *L, FILE *file, int index) {
  clua_context *context = clua_get_context(L);
  size_t length;
  const char *rest = luaL_checklstring(L, index, &length);
  do {
    size_t count = length < PIECE_LENGTH ? length : PIECE_LENGTH;
    bool is_written = write_bytes(file, rest, count);
    if (clua_get_stop(context)) clua_raise_memory_error(L);
    if (!is_written) return false;
    rest += count;
    length -= count;
  } while (length > 0);
  return true;
}

// Passes the string on top of the stack to the host, and pops it.
static void pass_on(lua_State *L) {
  if (is_redirected(L)) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &output_key);
    lua_insert(L, -2);
    lua_call(L, 1, 0);
  } else {
    // A __tostring that ran for the string ended the redirection.
    write_string(L, stdout, -1);
    lua_pop(L, 1);
  }
}

// As Lua's own print, which raises no error for a failure.
static int print_line(lua_State *L) {
  int count = lua_gettop(L);
  for (int i = 1; i <= count; i++) {
    luaL_tolstring(L, i, NULL);
    if (i > 1) write_bytes(stdout, "\t", 1);
    write_string(L, stdout, -1);
    lua_pop(L, 1);
  }
  write_bytes(stdout, "\n", 1);
  if (fflush(stdout) != 0) record_failure(stdout);
  return 0;
}

static int output_print(lua_State *L) {
  if (!is_redirected(L)) return print_line(L);
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

// The open file at an index; NULL for any other value. The debug library can make other userdata pass for files.
static FILE *file_at(lua_State *L, int index) {
  luaL_Stream *stream = luaL_testudata(L, index, LUA_FILEHANDLE);
  bool is_open = stream != NULL && lua_rawlen(L, index) == sizeof *stream && stream->closef != NULL;
  return is_open ? stream->f : NULL;
}

// More than the longest number takes.
enum { MAXIMUM_DIGITS = 64 };

// The number at an index as files write it: unlike tostring, without ".0" for a float of an integral value.
static size_t format_number(lua_State *L, int index, char *digits) {
  int length = lua_isinteger(L, index)
                   ? snprintf(digits, MAXIMUM_DIGITS, LUA_INTEGER_FMT, (LUAI_UACINT)lua_tointeger(L, index))
                   : snprintf(digits, MAXIMUM_DIGITS, LUA_NUMBER_FMT, (LUAI_UACNUMBER)lua_tonumber(L, index));
  return (size_t)length;
}

static bool write_number(lua_State *L, FILE *file, int index) {
  char digits[MAXIMUM_DIGITS];
  return write_bytes(file, digits, format_number(L, index, digits));
}

// Writes the values from one index to another to the file that is on top of the stack, and returns what its `write` does.
static int write_to_file(lua_State *L, FILE *file, int first, int last) {
  bool succeeds = true;
  for (int i = first; i <= last && succeeds; i++) {
    succeeds = lua_type(L, i) == LUA_TNUMBER ? write_number(L, file, i) : write_string(L, file, i);
  }
  return succeeds ? 1 : luaL_fileresult(L, 0, NULL);
}

// Passes on the values from one index to another, as files write them.
static void write_values(lua_State *L, int first, int last) {
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  for (int i = first; i <= last; i++) {
    if (lua_type(L, i) == LUA_TNUMBER) {
      char digits[MAXIMUM_DIGITS];
      luaL_addlstring(&text, digits, format_number(L, i, digits));
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
  int count = lua_gettop(L);
  lua_getfield(L, LUA_REGISTRYINDEX, "_IO_output");
  FILE *file = file_at(L, -1);
  if (file == NULL) {
    lua_pop(L, 1);
    return clua_get_context(L)->output.write(L);
  }
  if (file != stdout || !is_redirected(L)) return write_to_file(L, file, 1, count);
  write_values(L, 1, count);
  return 1;
}

static int output_write_to_file(lua_State *L) {
  int count = lua_gettop(L);
  FILE *file = file_at(L, 1);
  if (file == NULL) return clua_get_context(L)->output.file_write(L);
  lua_pushvalue(L, 1);
  if (file != stdout || !is_redirected(L)) return write_to_file(L, file, 2, count);
  write_values(L, 2, count);
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
  clua_replace(L, LUA_GNAME, "print", output_print);
  context->output.warn = clua_replace(L, LUA_GNAME, "warn", output_warn);
  context->output.write = clua_replace(L, LUA_IOLIBNAME, "write", output_write);
  replace_file_write(L);
}
