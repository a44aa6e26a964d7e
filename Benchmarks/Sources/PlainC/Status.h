// Private to this target.

#ifndef PLAINC_STATUS_H
#define PLAINC_STATUS_H

#include <lua.h>

// On an error writes the message to standard error and ends the process.
void plain_check(lua_State *L, int status);

#endif
