#include "Internal.h"

// Functions of Lua's libraries that can continue for ever without running any Lua code, where a hook would stop them: a
// length metamethod, or a range, may claim more elements than there are. These do what Lua 5.4's own do, and check for a
// stop at each element.

// Called for each element, with the number of those before it: a hundred count as a hundred instructions.
static inline void check_stop(lua_State *L, clua_context *context, lua_Unsigned count) {
  if (count % 100 == 99) clua_charge(context);
  if (clua_get_stop(context)) clua_raise_memory_error(L);
}

// The accesses of a function to the fields of its table, by the metamethods that another value needs for them.
enum { READS = 1, WRITES = 2, ASKS_LENGTH = 4 };

// Whether the metatable at the top of the stack, above `depth` values, has a metamethod; leaves that on the stack.
static bool push_metamethod(lua_State *L, const char *name, int depth) {
  lua_pushstring(L, name);
  return lua_rawget(L, -(depth + 2)) != LUA_TNIL;
}

// Raises an error unless the argument is a table, or has the metamethods to be used as one.
static void check_table(lua_State *L, int argument, int accesses) {
  if (lua_type(L, argument) == LUA_TTABLE) return;
  int top = lua_gettop(L);
  int depth = 0;
  if (!lua_getmetatable(L, argument) ||
      ((accesses & READS) && !push_metamethod(L, "__index", depth++)) ||
      ((accesses & WRITES) && !push_metamethod(L, "__newindex", depth++)) ||
      ((accesses & ASKS_LENGTH) && !push_metamethod(L, "__len", depth++))) {
    luaL_checktype(L, argument, LUA_TTABLE);
  }
  lua_settop(L, top);
}

static lua_Integer length_of_table(lua_State *L) {
  check_table(L, 1, READS | WRITES | ASKS_LENGTH);
  return luaL_len(L, 1);
}

static inline void copy_element(lua_State *L, int source, lua_Integer from, int target, lua_Integer to) {
  lua_geti(L, source, from);
  lua_seti(L, target, to);
}

static int table_insert(lua_State *L) {
  clua_context *context = clua_get_context(L);
  // A length metamethod may return the greatest integer, which wraps around.
  lua_Integer end = (lua_Integer)((lua_Unsigned)length_of_table(L) + 1);
  lua_Integer position = end;
  switch (lua_gettop(L)) {
    case 2:
      break;
    case 3:
      position = luaL_checkinteger(L, 2);
      luaL_argcheck(L, (lua_Unsigned)position - 1u < (lua_Unsigned)end, 2, "position out of bounds");
      for (lua_Integer i = end; i > position; i--) {
        check_stop(L, context, (lua_Unsigned)i);
        copy_element(L, 1, i - 1, 1, i);
      }
      break;
    default:
      return luaL_error(L, "wrong number of arguments to 'insert'");
  }
  lua_seti(L, 1, position);
  return 0;
}

static int table_remove(lua_State *L) {
  clua_context *context = clua_get_context(L);
  lua_Integer size = length_of_table(L);
  lua_Integer position = luaL_optinteger(L, 2, size);
  bool is_inside = position == size || (lua_Unsigned)position - 1u <= (lua_Unsigned)size;
  // Lua's own raises the error: releases of Lua differ in the argument that they blame.
  if (!is_inside) return context->endless.remove(L);
  lua_geti(L, 1, position);
  for (; position < size; position++) {
    check_stop(L, context, (lua_Unsigned)position);
    copy_element(L, 1, position + 1, 1, position);
  }
  lua_pushnil(L);
  lua_seti(L, 1, position);
  return 1;
}

static int table_move(lua_State *L) {
  clua_context *context = clua_get_context(L);
  lua_Integer first = luaL_checkinteger(L, 2);
  lua_Integer last = luaL_checkinteger(L, 3);
  lua_Integer target = luaL_checkinteger(L, 4);
  int target_table = lua_isnoneornil(L, 5) ? 1 : 5;
  check_table(L, 1, READS);
  check_table(L, target_table, WRITES);
  if (last >= first) {
    luaL_argcheck(L, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many elements to move");
    lua_Integer count = last - first + 1;
    luaL_argcheck(L, target <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    bool is_apart = target > last || target <= first ||
                    (target_table != 1 && !lua_compare(L, 1, target_table, LUA_OPEQ));
    for (lua_Integer i = 0; i < count; i++) {
      check_stop(L, context, (lua_Unsigned)i);
      lua_Integer offset = is_apart ? i : count - 1 - i;
      copy_element(L, 1, first + offset, target_table, target + offset);
    }
  }
  lua_pushvalue(L, target_table);
  return 1;
}

// Lua's own copies even an empty string that many times.
static int string_repeat(lua_State *L) {
  size_t length, separator_length;
  luaL_checklstring(L, 1, &length);
  luaL_checkinteger(L, 2);
  luaL_optlstring(L, 3, "", &separator_length);
  if (length > 0 || separator_length > 0) return clua_get_context(L)->endless.repeat(L);
  lua_pushliteral(L, "");
  return 1;
}

void clua_replace_endless_functions(lua_State *L) {
  clua_context *context = clua_get_context(L);
  clua_replace(L, LUA_TABLIBNAME, "insert", table_insert);
  clua_replace(L, LUA_TABLIBNAME, "move", table_move);
  context->endless.remove = clua_replace(L, LUA_TABLIBNAME, "remove", table_remove);
  context->endless.repeat = clua_replace(L, LUA_STRLIBNAME, "rep", string_repeat);
}
