// How a run loop serves Dispatch's main queue: what CFRunLoop is made of on Linux, and libdispatch exports for it. Declared
// here, since libdispatch has no public header for it.

#ifdef __linux__
/// The descriptor (an eventfd) that becomes readable when the main queue has work.
int _dispatch_get_main_queue_handle_4CF(void);

/// Does the main queue's work, on the main thread.
void _dispatch_main_queue_callback_4CF(void *_Nullable message);

/// The number of the calling thread, which for the main thread is the process's. The C library declares it only for programs
/// that ask for GNU's extensions.
int gettid(void);
#endif
