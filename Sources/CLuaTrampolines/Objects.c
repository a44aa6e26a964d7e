#include <stdlib.h>
#include <string.h>

#include "Internal.h"

// Objects have identity: the same object is the same userdata for as long as Lua holds that.
//
// The userdata are in a table with weak values, each at a place with a number, and a hash table of our own leads from an
// object's address to its place. A Lua table with the addresses as keys would do, but takes several times as long: its
// chains grow with every value that the collector clears. Lua clears a place before it calls the finalizer, which gives
// the place back. If the same object is pushed in between, it gets another place and another userdata.

enum { LEAST_CAPACITY = 64 };

// The index at which an object is looked for first.
static size_t home(const clua_objects *objects, const void *object) {
  return (size_t)(((uint64_t)(uintptr_t)object >> 4) * 0x9E3779B97F4A7C15u >> objects->shift);
}

// The entry of an object, or the empty one where it belongs. Some are always empty.
static clua_object_entry *find(const clua_objects *objects, const void *object) {
  size_t mask = objects->capacity - 1;
  size_t index = home(objects, object);
  while (objects->entries[index].object != NULL && objects->entries[index].object != object) {
    index = (index + 1) & mask;
  }
  return &objects->entries[index];
}

static void set_capacity(clua_objects *objects, size_t capacity) {
  clua_object_entry *old = objects->entries;
  size_t old_capacity = objects->capacity;
  objects->entries = clua_reallocate(NULL, capacity * sizeof *old);
  memset(objects->entries, 0, capacity * sizeof *old);
  objects->capacity = capacity;
  objects->shift = 64 - __builtin_ctzll(capacity);
  for (size_t i = 0; i < old_capacity; i++) {
    if (old[i].object != NULL) *find(objects, old[i].object) = old[i];
  }
  free(old);
}

static void remove_entry(clua_objects *objects, clua_object_entry *entry) {
  size_t mask = objects->capacity - 1;
  size_t gap = (size_t)(entry - objects->entries);
  // Those behind it that would be looked for at the gap, or before, move there.
  for (size_t next = (gap + 1) & mask; objects->entries[next].object != NULL; next = (next + 1) & mask) {
    size_t distance = (next - home(objects, objects->entries[next].object)) & mask;
    if (distance < ((next - gap) & mask)) continue;
    objects->entries[gap] = objects->entries[next];
    gap = next;
  }
  objects->entries[gap].object = NULL;
  objects->count--;
}

// Pushes the table of userdata; made before the first object is.
static void push_table(lua_State *L, clua_objects *objects) {
  if (objects->table != 0) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, objects->table);
    return;
  }
  clua_push_weak_table(L, "v");
  lua_pushvalue(L, -1);
  objects->table = luaL_ref(L, LUA_REGISTRYINDEX);
}

// Pushes the userdata of an object, or nothing. Returns whether it is there.
static bool push_known(lua_State *L, clua_objects *objects, void *object) {
  if (objects->capacity == 0) return false;
  const clua_object_entry *entry = find(objects, object);
  if (entry->object == NULL) return false;
  push_table(L, objects);
  lua_rawgeti(L, -1, entry->place);
  lua_replace(L, -2);
  if (clua_object(L, -1) == object) return true;
  lua_pop(L, 1);
  return false;
}

static void assign_place(clua_objects *objects, clua_box *box) {
  if (objects->count * 2 >= objects->capacity) {
    set_capacity(objects, objects->capacity == 0 ? LEAST_CAPACITY : objects->capacity * 2);
  }
  if (objects->free_count > 0) {
    box->place = objects->free_places[--objects->free_count];
  } else {
    box->place = ++objects->place_count;
    if (objects->place_count > objects->place_capacity) {
      objects->place_capacity = objects->place_count * 2;
      size_t size = (size_t)objects->place_capacity * sizeof *objects->free_places;
      objects->free_places = clua_reallocate(objects->free_places, size);
    }
  }
  clua_object_entry *entry = find(objects, box->object);
  if (entry->object == NULL) objects->count++;
  *entry = (clua_object_entry){box->object, box->place};
}

// Gives the box on top of the stack a place in the table.
static void enter(lua_State *L, clua_objects *objects, clua_box *box) {
  objects->entered++;
  assign_place(objects, box);
  push_table(L, objects);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, box->place);
  lua_pop(L, 1);
}

void clua_forget_object(clua_context *context, const clua_box *box) {
  clua_objects *objects = &context->objects;
  // A function has no place.
  if (box->place == 0) return;
  clua_object_entry *entry = find(objects, box->object);
  if (entry->object != NULL && entry->place == box->place) remove_entry(objects, entry);
  objects->free_places[objects->free_count++] = box->place;
}

void clua_free_objects(clua_context *context) {
  free(context->objects.entries);
  free(context->objects.free_places);
}

static clua_class *class_place(clua_context *context, const void *type) {
  return &context->objects.classes[((uintptr_t)type >> 4) % CLUA_CLASS_COUNT];
}

void clua_remember_class(clua_context *context, const void *type, int metatable, clua_release release) {
  *class_place(context, type) = (clua_class){type, metatable, release};
}

static void release_nothing(lua_State *L, void *object) {
  (void)L;
  (void)object;
}

clua_pushed clua_push_object(lua_State *L, void *object, const void *type) {
  if (!lua_checkstack(L, 8)) return clua_pushed_no_room;
  clua_context *context = clua_get_context(L);
  clua_objects *objects = &context->objects;
  if (push_known(L, objects, object)) return clua_pushed_known;
  const clua_class class = *class_place(context, type);
  if (class.type != type) return clua_pushed_no_class;
  // Lua doesn't finalize objects that are made while the state closes, so their boxes own nothing.
  bool is_owned = atomic_load_explicit(&context->state.closing, memory_order_relaxed) == NULL;
  unsigned long entered = objects->entered;
  clua_box *box = clua_push_box(L, object, NULL, is_owned ? class.release : release_nothing);
  // That may have collected garbage, and a finalizer may have pushed the same object. This box has no metatable yet, so
  // nothing releases its object.
  if (objects->entered != entered && push_known(L, objects, object)) {
    lua_replace(L, -2);
    return clua_pushed_known;
  }
  enter(L, objects, box);
  lua_rawgeti(L, LUA_REGISTRYINDEX, class.metatable);
  lua_setmetatable(L, -2);
  return is_owned ? clua_pushed_new : clua_pushed_not_owned;
}
