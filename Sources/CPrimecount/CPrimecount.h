// The types of the functions of libprimecount that are looked up when the library is loaded at run time; naming the
// functions themselves would link it.

#include <primecount.h>

typedef __typeof__(primecount_nth_prime) *_Nonnull primecount_nth_prime_function;
typedef __typeof__(primecount_pi) *_Nonnull primecount_pi_function;
