#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "Internal.h"

// How much memory a state may take: its Lua objects, which are counted, and, where the host asks for that, what it keeps
// for scripts outside of Lua, which is measured. To ask the allocator for that takes long where much was freed. So it is
// asked only where the process has become larger than ever before by a part of the limit, or an allocation is about to be
// refused; and the size of the process only now and then.

static size_t heap_in_use(void);

// The bytes of memory that the process takes of the system and shares with no file.
static size_t resident_bytes(void);

#if defined(__APPLE__)

#include <malloc/malloc.h>

static size_t heap_in_use(void) {
  malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return statistics.size_in_use;
}

static size_t resident_bytes(void) { return heap_in_use(); }

#else

#include <malloc.h>

static size_t heap_in_use(void) {
  struct mallinfo2 information = mallinfo2();
  return information.uordblks + information.hblkhd;
}

static int statistics_file = -1;

static void open_statistics(void) { statistics_file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC); }

static size_t resident_bytes(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_statistics);
  char text[128];
  ssize_t length = pread(statistics_file, text, sizeof text - 1, 0);
  size_t resident, shared;
  if (length > 0) {
    text[length] = 0;
    if (sscanf(text, "%*s %zu %zu", &resident, &shared) == 2) {
      return (resident - shared) * (size_t)sysconf(_SC_PAGESIZE);
    }
  }
  // Without /proc the heap itself is measured each time, which takes longer.
  return heap_in_use();
}

#endif

static size_t above(size_t value, size_t base) { return value > base ? value - base : 0; }

// The memory that a call of the host is assumed to take, at most, until the next measurement.
enum { BYTES_PER_CALL = 64 * 1024, MAXIMUM_CALLS = 256, MINIMUM_CALLS = 16 };

static void measure_heap(clua_context *context) {
  size_t heap = above(heap_in_use(), context->memory.heap_base);
  // The process is larger than its heap where small objects lie between freed ones: a fifth is forgiven.
  size_t resident = above(resident_bytes(), context->memory.resident_base) / 5 * 4;
  context->memory.host = above(heap > resident ? heap : resident, context->memory.used);
}

static void trim_heap(void) {
#if !defined(__APPLE__)
  malloc_trim(0);
#endif
}

static void set_shared_limit(clua_context *context, size_t limit) {
  atomic_store_explicit(&context->memory.shared_limit, limit, memory_order_relaxed);
}

void clua_limit_memory(clua_context *context, size_t limit, bool counts_host) {
  context->memory.limit = limit;
  context->memory.reserve = 0;
  context->memory.refusals = 0;
  context->memory.host = 0;
  context->memory.calls_to_measure = 0;
  set_shared_limit(context, SIZE_MAX);
  if (!counts_host) return;
  context->memory.heap_base = above(heap_in_use(), context->memory.used);
  // Until then it can't be over the limit, whatever the heap's own overhead is.
  context->memory.resident_base = resident_bytes();
  context->memory.resident_mark = context->memory.resident_base + limit / 4 * 3;
  context->memory.calls_to_measure = 1;
  // Other threads measure the whole heap, of which the current part doesn't count.
  size_t base = context->memory.heap_base;
  set_shared_limit(context, limit > SIZE_MAX - base ? SIZE_MAX : base + limit);
}

bool clua_has_shared_room(const clua_context *context, size_t growth) {
  size_t limit = atomic_load_explicit(&context->memory.shared_limit, memory_order_relaxed);
  return limit == SIZE_MAX || (growth < limit && heap_in_use() <= limit - growth);
}

static bool is_above(const clua_context *context, size_t limit) {
  return context->memory.used + context->memory.host > limit;
}

// Whether nearly everything is in use: not if only something large was requested.
static bool is_full(const clua_context *context) {
  return is_above(context, context->memory.limit - context->memory.limit / 32);
}

// Each costs a full collection. A script that was refused this often, with no room made in between, will not recover.
enum { MAXIMUM_REFUSALS = 50 };

bool clua_measure_memory(lua_State *L, bool may_collect) {
  clua_context *context = clua_get_context(L);
  size_t resident = resident_bytes();
  size_t room = above(context->memory.resident_mark, resident);
  size_t earlier = context->memory.host;
  if (room == 0) {
    measure_heap(context);
    if (may_collect && is_above(context, context->memory.limit)) {
      // Much of it may be the host's objects that only garbage holds, of which the collector knows the number only.
      lua_gc(L, LUA_GCCOLLECT);
      trim_heap();
      measure_heap(context);
    }
    resident = resident_bytes();
    room = context->memory.limit / 32;
    context->memory.resident_mark = resident + room;
  }
  size_t calls = room / BYTES_PER_CALL;
  context->memory.calls_to_measure = calls > MAXIMUM_CALLS ? MAXIMUM_CALLS
                              : calls < MINIMUM_CALLS ? MINIMUM_CALLS
                                                      : (int)calls;
  // A script that catches the error and continues is stopped in the end.
  size_t limit = context->memory.limit;
  if (is_above(context, limit + limit / 4)) clua_stop_code(context, clua_stop_memory);
  if (!is_above(context, limit)) {
    context->memory.reserve = 0;
    context->memory.refusals = 0;
  }
  // Code that makes room, such as cancelling subscriptions, may continue though there is none yet.
  return !is_above(context, limit + context->memory.reserve) || context->memory.host <= earlier;
}

void clua_record_refusal(clua_context *context) {
  // The host's memory isn't free once the error is caught, and a call can take much at once, as where a table of the host
  // grows: a little more than is in use now is left to make room with.
  if (clua_measures_memory(context)) measure_heap(context);
  size_t excess = above(context->memory.used + context->memory.host, context->memory.limit);
  context->memory.reserve = excess + context->memory.limit / 16;
  clua_fail_host(context);
  if (++context->memory.refusals == MAXIMUM_REFUSALS) clua_stop_code(context, clua_stop_memory);
}

bool clua_has_room(lua_State *L, size_t growth) {
  clua_context *context = clua_get_context(L);
  bool has_room = !clua_is_measurement_due(context) || clua_measure_memory(L, false);
  // Lua's objects that the host makes are never refused, so it asks before it makes more of them. Code that only frees some
  // asks for nothing.
  size_t limit = context->memory.limit + context->memory.reserve;
  size_t rest = above(limit, growth);
  if (growth > 0 && is_above(context, rest)) {
    clua_collect_garbage(L);
    if (clua_measures_memory(context)) measure_heap(context);
    has_room = !is_above(context, rest);
  }
  if (has_room) return true;
  clua_record_refusal(context);
  return false;
}

// Whether Lua is about to call one of our finalizers, which releases an object of the host or starts a script's finalizer.
// Without the memory for that call it would never be called again.
static bool is_calling_finalizer(const clua_context *context) {
  // While it calls any, lua_gc answers nothing else.
  lua_State *running = clua_get_running(context);
  return clua_running_finalizer(context) == NULL && running != NULL && lua_gc(running, LUA_GCISRUNNING) < 0;
}

// Called where Lua code runs.
static bool is_over_limit(clua_context *context, size_t growth) {
  // Lua asks for at most PTRDIFF_MAX bytes at once, so nothing overflows.
  size_t limit = context->memory.limit + context->memory.reserve;
  size_t wanted = context->memory.used + growth;
  if (wanted + context->memory.host <= limit || is_calling_finalizer(context)) {
    context->memory.is_retried = false;
    return false;
  }
  if (context->memory.host == 0) return true;
  // Some of it may have been freed since the last time: enough not to measure again at once.
  size_t host_memory = above(above(heap_in_use(), context->memory.heap_base), context->memory.used);
  if (wanted + host_memory + limit / 32 <= limit) {
    context->memory.host = host_memory;
    context->memory.is_retried = false;
    return false;
  }
  // Lua collects garbage now and asks once more, before it fails.
  if (context->memory.is_retried && is_full(context)) clua_record_refusal(context);
  context->memory.is_retried = !context->memory.is_retried;
  return true;
}

// Refuses memory above the limit, but only while Lua code runs: an error raised while Swift is using the state
// would cross its frames. For the same reason the process ends when the system itself has no more memory then, as
// Swift would end it.
static void *allocate(void *context_pointer, void *block, size_t old_size, size_t new_size) {
  clua_context *context = context_pointer;
  size_t current = block ? old_size : 0;  // without a block, Lua passes the kind of object as its size
  if (new_size == 0) {
    free(block);
    context->memory.used -= current;
    return NULL;
  }
  if (new_size > current && clua_is_in_lua(context) && is_over_limit(context, new_size - current)) return NULL;
  // As realloc without a block, but a little faster.
  void *moved = block ? realloc(block, new_size) : malloc(new_size);
  if (moved == NULL) {
    if (!clua_is_in_lua(context)) {
      fputs("out of memory\n", stderr);
      abort();
    }
    return NULL;
  }
  context->memory.used += new_size - current;
  if (new_size > current) context->memory.allocated += new_size - current;
  return moved;
}

void clua_install_allocator(lua_State *L, clua_context *context) {
  context->memory.limit = SIZE_MAX;
  set_shared_limit(context, SIZE_MAX);
  context->memory.used = (size_t)lua_gc(L, LUA_GCCOUNT) * 1024 + (size_t)lua_gc(L, LUA_GCCOUNTB);
  lua_setallocf(L, allocate, context);
}

size_t clua_memory_used(const clua_context *context) { return context->memory.used; }

size_t clua_memory_allocated(const clua_context *context) { return context->memory.allocated; }

void clua_schedule_measurement(clua_context *context) {
  if (context->memory.calls_to_measure > 0) context->memory.calls_to_measure = 1;
}
