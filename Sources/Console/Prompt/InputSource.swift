import Foundation

/// What an `InputSource` was woken by.
enum InputEvent: Equatable {
  /// One byte of input.
  case byte(UInt8)

  /// A byte from the wake pipe.
  case wake(UInt8)

  /// The input has ended, or its terminal is gone.
  case end

  /// Reading failed, for this reason.
  case failure(errorNumber: Int32)
}

/// Input that can be waited for together with a wake pipe.
///
/// It reads no further than the byte it gives: what follows a line belongs to whoever reads next, for
/// example a script's `io.read`.
struct InputSource {
  /// The file that is read.
  let descriptor: Int32

  /// The pipe that ends a wait.
  let wakePipe: WakePipe

  /// Waits for the next event; a byte in the wake pipe comes before one of the input.
  func next() -> InputEvent {
    while true {
      var waited = [
        pollfd(fd: wakePipe.readEnd, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&waited, nfds_t(waited.count), -1) > 0 else {
        if errno == EINTR { continue }
        return .failure(errorNumber: errno)
      }
      if waited[0].revents != 0, let reason = wakePipe.take() { return .wake(reason) }
      if waited[1].revents != 0, let event = readByte() { return event }
    }
  }

  /// Reads a byte, or gives nil if there was none after all.
  private func readByte() -> InputEvent? {
    var byte: UInt8 = 0
    switch read(descriptor, &byte, 1) {
    case 1: return .byte(byte)
    case 0: return .end
    default:
      switch errno {
      case EINTR, EAGAIN: return nil
      case EIO: return .end  // what reading a terminal that has hung up gives
      default: return .failure(errorNumber: errno)
      }
    }
  }
}
