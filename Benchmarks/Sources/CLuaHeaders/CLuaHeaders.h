// Brings the include path of Lua's C API and the library to link to the plain C bindings.
#include <lua.h>
