#include "PlainC.h"

#ifdef __GLIBC__
#include <malloc.h>

size_t plain_heap_bytes(void) {
  struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}
#else
size_t plain_heap_bytes(void) { return 0; }
#endif
