import Foundation

/// The descriptors of standard input, output and error.
enum StandardStreams {
  /// Has those that are closed fail as closed ones do, instead of becoming what is opened next, such as a pipe of our own.
  static func occupyClosed() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      // The lowest that is free, which is this one: reading what may only be written fails, and the other way around.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
