#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include "Internal.h"

long long clua_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

void clua_set_limits(clua_context *context, long long instructions, long long time) {
  context->limits.instructions = instructions;
  context->limits.time = time;
}

static void start_budget(const clua_context *context, clua_budget *budget) {
  bool has_instructions = context->limits.instructions >= 0;
  long long deadline = 0;
  if (context->limits.time >= 0 && __builtin_saddll_overflow(clua_now(), context->limits.time, &deadline)) {
    deadline = LLONG_MAX;
  }
  *budget = (clua_budget){
      .counts_instructions = has_instructions,
      .instructions_left = has_instructions ? context->limits.instructions : LLONG_MAX,
      .deadline = deadline,
  };
}

clua_budget *clua_make_budget(const clua_context *context) {
  clua_budget *budget = clua_reallocate(NULL, sizeof *budget);
  start_budget(context, budget);
  return budget;
}

void clua_free_budget(clua_budget *budget) { free(budget); }

void clua_set_budget(clua_context *context, clua_budget *budget) {
  atomic_store_explicit(&context->limits.budget, budget, memory_order_relaxed);
}

static void exceed(clua_budget *budget, clua_stop reason) {
  atomic_store_explicit(&budget->exceeded, reason, memory_order_relaxed);
}

bool clua_is_overdue(const clua_budget *budget) { return budget->deadline != 0 && clua_now() >= budget->deadline; }

bool clua_exceeds_time(clua_context *context) {
  clua_budget *budget = clua_get_budget(context);
  if (budget == NULL || !clua_is_overdue(budget)) return false;
  exceed(budget, clua_stop_time);
  return true;
}

void clua_charge_budget(clua_context *context) {
  clua_budget *budget = clua_get_budget(context);
  budget->instructions_left -= CLUA_COUNTED_INSTRUCTIONS;
  if (budget->instructions_left < 0) {
    exceed(budget, clua_stop_instructions);
  } else if (budget->checks_clock && clua_now() >= budget->deadline) {
    exceed(budget, clua_stop_time);
  }
}

bool clua_start_finalizer_budget(clua_context *context, clua_budget *budget) {
  bool has_time = context->limits.time >= 0;
  if (clua_get_budget(context) != NULL || !(has_time || context->limits.instructions >= 0)) return false;
  start_budget(context, budget);
  budget->counts_instructions = true;
  budget->checks_clock = has_time;
  clua_set_budget(context, budget);
  return true;
}
