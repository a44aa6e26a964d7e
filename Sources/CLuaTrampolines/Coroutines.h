// Private to this target.

#ifndef CLUATRAMPOLINES_COROUTINES_H
#define CLUATRAMPOLINES_COROUTINES_H

#include "CLuaTrampolines.h"

// Replaces the functions of `coroutine` by ours, but for create.
void clua_replace_coroutine_functions(lua_State *L);

// How many values a coroutine is to be resumed with, while results travel back through it: those delivered, if it is the
// one that waited, and none otherwise.
int clua_delivered_count(lua_State *coroutine);

// Makes the coroutine stop at its next instruction, and again after whatever catches that.
void clua_set_stop_hook(lua_State *L);

#endif
