import Foundation
import Synchronization

/// Turns signals into bytes of a wake pipe while a line is being edited.
///
/// The editor has to act on them outside a signal handler: redraw when the terminal's size changes or
/// the process continues, and put the terminal's modes back before the process stops or ends. SIGINT
/// isn't among them, as it belongs to the command.
struct SignalRelay {
  private static let relayed = [SIGWINCH, SIGCONT, SIGTSTP, SIGTERM, SIGHUP, SIGQUIT]

  /// Where the handler writes; a process has one terminal, so one line is edited at a time.
  private static let writeEnd = Atomic<Int32>(-1)

  private var previous: [Int32: sigaction] = [:]

  /// Starts to relay to a pipe, which must outlive the relaying; ignored signals stay ignored.
  mutating func start(to pipe: WakePipe) {
    // This store also initializes the static, which the handler must not do.
    Self.writeEnd.store(pipe.writeEnd, ordering: .sequentiallyConsistent)
    for signal in Self.relayed {
      var old = sigaction()
      guard sigaction(signal, nil, &old) == 0, !old.isIgnored else { continue }
      previous[signal] = old
      relay(signal)
    }
  }

  /// Puts back how the signals were handled before, and passes on those still in the pipe.
  mutating func stop(relayingTo pipe: WakePipe) {
    for (signal, var old) in previous { sigaction(signal, &old, nil) }
    previous = [:]
    while let reason = pipe.take() {
      let signal = Int32(reason)
      if [SIGTSTP, SIGTERM, SIGHUP, SIGQUIT].contains(signal) { raiseHere(signal) }
    }
  }

  /// Lets a relayed signal do what it would have done: for example stop or end the process.
  ///
  /// It returns if the process lives on, and after a stop when it continues.
  func passOn(_ signal: Int32) {
    guard var old = previous[signal] else { return }
    sigaction(signal, &old, nil)
    raiseHere(signal)
    relay(signal)
  }

  /// Sends a signal to this thread, so that it takes effect before this returns.
  private func raiseHere(_ signal: Int32) {
    // Dispatch blocks signals on its threads.
    var unblocked = sigset_t()
    var blocked = sigset_t()
    sigemptyset(&unblocked)
    sigaddset(&unblocked, signal)
    pthread_sigmask(SIG_UNBLOCK, &unblocked, &blocked)
    raise(signal)
    pthread_sigmask(SIG_SETMASK, &blocked, nil)
  }

  private func relay(_ signal: Int32) {
    var action = sigaction()
    action.setHandler { signal in
      let writeEnd = Self.writeEnd.load(ordering: .sequentiallyConsistent)
      WakePipe.write(UInt8(truncatingIfNeeded: signal), to: writeEnd)
    }
    action.sa_flags = SA_RESTART
    sigaction(signal, &action, nil)
  }
}
