// Private to this target.

#ifndef PLAINC_OBJECTS_H
#define PLAINC_OBJECTS_H

#include <lua.h>

// Makes the metatables of the classes below.
void plain_register_classes(lua_State *L);

// bench.account(): a new object with properties and methods.
int plain_new_account(lua_State *L);

// bench.meter(): a new object with methods only.
int plain_new_meter(lua_State *L);

#endif
