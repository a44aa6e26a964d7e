internal import Foundation

/// A process that follows a session on a server, as `make build` makes it: a script with a subscriber, which waits.
final class FollowingCommand {
  private let output: UnsafeMutablePointer<FILE>

  /// A count that ends the process.
  static let lastCount = -1

  private static let script = """
    store.subscribe("counter.count", function(count)
      print(count)
      io.flush()
      if count == \(lastCount) then os.exit() end
    end)
    print("ready")
    io.flush()
    task.sleep(3600)
    """

  /// Starts the process; `waitForLine` tells when it is ready.
  init(_ address: String) throws {
    try ReleaseProgram.requireBuilt()
    let command =
      "exec '\(ReleaseProgram.path)' --state '\(address)' -e '\(Self.script)' 2>/dev/null"
    guard let output = popen(command, "re") else {
      throw BenchmarkError.commandFailed("no process that follows")
    }
    self.output = output
  }

  deinit { pclose(output) }

  /// Waits for a line, which comes from the subscriber after the first one.
  func waitForLine() throws {
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), output) != nil else {
      throw BenchmarkError.commandFailed("a process that follows has ended")
    }
  }
}
