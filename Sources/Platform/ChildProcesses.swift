import PrimereplFoundation
import Synchronization

/// The processes that this process started, and those that these started.
///
/// On Linux, a process whose parent has ended becomes a child of this one, whatever its group or session, so none
/// escapes. On other systems nothing here has an effect: there, only the processes of a group can be ended together.
package enum ChildProcesses {
  #if os(Linux)
    /// The children that the process had before it owned any; `exec` leaves a program those of a shell.
    private static let earlier = Mutex<Set<pid_t>?>(nil)
    /// Those that `endAll` has ended, and for which nobody may have waited yet.
    private static let ended = Mutex<Set<pid_t>>([])
  #endif

  /// Makes this process the owner of all that it starts from now on.
  ///
  /// For a process that has no other children.
  package static func own() {
    #if os(Linux)
      earlier.withLock { $0 = $0 ?? Set(running()) }
      // Swift doesn't import prctl(2), which takes a varying number of arguments.
      typealias ProcessControl =
        @convention(c) (CInt, CUnsignedLong, CUnsignedLong, CUnsignedLong, CUnsignedLong) -> CInt
      guard let address = dlsym(nil, "prctl") else { return }
      // Safe: Linux's platforms pass integers to a function with varying arguments as to any other.
      let control = unsafeBitCast(address, to: ProcessControl.self)
      // PR_SET_CHILD_SUBREAPER. Without it, a process whose parent has ended isn't found.
      _ = control(36, 1, 0, 0, 0)
    #endif
  }

  /// Ends the processes that this one owns, and waits until they have ended, at most some seconds: the system may not
  /// let one end.
  ///
  /// Others can still wait for them.
  package static func endAll() {
    #if os(Linux)
      let deadline = ContinuousClock.now + .seconds(5)
      // Each one that ends leaves its own children to this process.
      while let processes = owned(), !processes.isEmpty, .now < deadline {
        ended.withLock { $0.formUnion(processes) }
        for process in processes { kill(process, SIGKILL) }
        usleep(1_000)
      }
    #endif
  }

  /// Ends the direct children that this process owns, without waiting; safe on any thread.
  package static func endChildren() {
    #if os(Linux)
      for process in owned() ?? [] { kill(process, SIGKILL) }
    #endif
  }

  /// Lets the system forget the processes that `endAll` has ended; nothing may wait for those any more.
  ///
  /// A child that has ended by itself is left to the part of the program that may wait for it.
  package static func forgetEnded() {
    #if os(Linux)
      ended.withLock { ended in
        // 0 means that it hasn't ended yet; an error, that somebody else has waited for it.
        ended = ended.filter { waitpid($0, nil, WNOHANG) == 0 }
      }
    #endif
  }

  #if os(Linux)
    /// The running children that this process owns; nil if it owns none.
    private static func owned() -> [pid_t]? {
      guard let earlier = earlier.withLock(\.self) else { return nil }
      // In most scenarios there are no children at all, which one system call finds out.
      var information = siginfo_t()
      let flags = WEXITED | WNOHANG | WNOWAIT
      guard waitid(P_ALL, 0, &information, flags) == 0 else { return nil }
      return running().filter { !earlier.contains($0) }
    }

    /// The direct children that haven't ended.
    private static func running() -> [pid_t] {
      do throws(SystemCallError) {
        return try FileSystem.names(in: "/proc").compactMap(pid_t.init).filter(isRunningChild)
      } catch {
        // Without the file system of processes, none is found.
        return []
      }
    }

    private static func isRunningChild(_ process: pid_t) -> Bool {
      do throws(SystemCallError) {
        // proc(5): after the name in parentheses come the state and the parent.
        let status = try FileSystem.contents(of: "/proc/\(process)/stat")
        guard let end = status.lastIndex(of: UInt8(ascii: ")")) else { return false }
        let fields = status[(end + 1)...].split(separator: UInt8(ascii: " "))
        guard fields.count > 1, let state = fields[0].first else { return false }
        return String(decoding: fields[1], as: UTF8.self) == "\(getpid())"
          && state != UInt8(ascii: "Z") && state != UInt8(ascii: "X")
      } catch {
        // It has ended meanwhile.
        return false
      }
    }
  #endif
}
