// Lua 5.4's C API, as the system's package installs it.
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
