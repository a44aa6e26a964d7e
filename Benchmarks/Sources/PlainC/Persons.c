#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "PlainC.h"
#include "Status.h"

// Person.swift has the same.
typedef struct {
  lua_Integer number;
  char *name;
  lua_Number balance;
  bool active;
} person;

struct plain_persons {
  int64_t count;
  person list[];
};

static plain_persons *allocate(int64_t count) {
  plain_persons *persons = calloc(1, sizeof *persons + (size_t)count * sizeof(person));
  if (persons != NULL) persons->count = count;
  return persons;
}

plain_persons *plain_new_persons(int64_t count) {
  plain_persons *persons = allocate(count);
  if (persons == NULL) return NULL;
  for (int64_t i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "Person %lld", (long long)i + 1);
    persons->list[i] = (person){
        .number = i + 1, .name = strdup(name), .balance = (lua_Number)(i + 1) / 4, .active = i % 2 == 1};
    if (persons->list[i].name == NULL) {
      plain_free_persons(persons);
      return NULL;
    }
  }
  return persons;
}

void plain_free_persons(plain_persons *persons) {
  for (int64_t i = 0; i < persons->count; i++) free(persons->list[i].name);
  free(persons);
}

int64_t plain_count_persons(const plain_persons *persons) { return persons->count; }

// Takes persons as a light userdata, and returns the sequence.
static int write_persons(lua_State *L) {
  const plain_persons *persons = lua_touserdata(L, 1);
  lua_createtable(L, (int)persons->count, 0);
  for (int64_t i = 0; i < persons->count; i++) {
    const person *self = &persons->list[i];
    lua_createtable(L, 0, 4);
    lua_pushinteger(L, self->number);
    lua_setfield(L, -2, "number");
    lua_pushstring(L, self->name);
    lua_setfield(L, -2, "name");
    lua_pushnumber(L, self->balance);
    lua_setfield(L, -2, "balance");
    lua_pushboolean(L, self->active);
    lua_setfield(L, -2, "active");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

int plain_write_persons(lua_State *L, const plain_persons *persons) {
  lua_pushcfunction(L, write_persons);
  lua_pushlightuserdata(L, (void *)persons);
  plain_check(L, lua_pcall(L, 1, 1, 0));
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

// Pushes the field of the record at index 2.
static void get_field(lua_State *L, const char *key, int type) {
  if (lua_getfield(L, 2, key) != type) {
    luaL_error(L, "field '%s': %s expected, got %s", key, lua_typename(L, type), luaL_typename(L, -1));
  }
}

// Reads the record at index 2.
static void read_person(lua_State *L, person *self) {
  luaL_checktype(L, 2, LUA_TTABLE);
  get_field(L, "number", LUA_TNUMBER);
  int is_integer;
  self->number = lua_tointegerx(L, -1, &is_integer);
  if (!is_integer) luaL_error(L, "field 'number': integer expected, got float");
  get_field(L, "balance", LUA_TNUMBER);
  self->balance = lua_tonumber(L, -1);
  get_field(L, "active", LUA_TBOOLEAN);
  self->active = lua_toboolean(L, -1);
  get_field(L, "name", LUA_TSTRING);
  size_t size;
  const char *name = lua_tolstring(L, -1, &size);
  if (strlen(name) != size) luaL_error(L, "field 'name': it has a zero byte");
  self->name = strdup(name);
  if (self->name == NULL) luaL_error(L, "not enough memory");
  lua_pop(L, 4);
}

// Takes the sequence, and returns persons as a light userdata.
static int read_persons(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  // Not freed on an error: that ends the process.
  plain_persons *persons = allocate(luaL_len(L, 1));
  if (persons == NULL) return luaL_error(L, "not enough memory");
  for (int64_t i = 0; i < persons->count; i++) {
    lua_geti(L, 1, i + 1);
    read_person(L, &persons->list[i]);
    lua_pop(L, 1);
  }
  lua_pushlightuserdata(L, persons);
  return 1;
}

plain_persons *plain_read_persons(lua_State *L, int table) {
  lua_pushcfunction(L, read_persons);
  lua_rawgeti(L, LUA_REGISTRYINDEX, table);
  plain_check(L, lua_pcall(L, 1, 1, 0));
  plain_persons *persons = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return persons;
}
