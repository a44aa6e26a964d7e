#include <primecount.h>

#include "../CLoading/CLoading.h"

#define CPRIMECOUNT_FUNCTIONS(FUNCTION) FUNCTION(primecount_nth_prime) FUNCTION(primecount_pi)

LOADED_FUNCTIONS(cprimecount_functions, CPRIMECOUNT_FUNCTIONS)
