// Private to this target.

#ifndef PLAINC_MODULE_H
#define PLAINC_MODULE_H

#include <lua.h>

// Makes the global table `bench`.
void plain_register_module(lua_State *L);

#endif
