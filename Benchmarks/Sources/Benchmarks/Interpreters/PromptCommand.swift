internal import Foundation
internal import Subprocess

/// The prompt on a pseudo-terminal, as `make build` makes it, with a person's part played here.
final class PromptCommand {
  private let terminal: Int32
  /// The time to wait for output that doesn't come.
  private static let patience = Duration.seconds(20)

  private init(terminal: Int32) { self.terminal = terminal }

  deinit { close(terminal) }

  /// Opens a prompt, and ends it after the body.
  ///
  /// - Parameters:
  ///   - history: the inputs in its history, which must have one line each.
  ///   - body: gets the prompt, which shows its `> `, and the time from the start of the process until then.
  /// - Returns: what the body returns.
  /// - Throws: ``BenchmarkError``; `skipped` where the program isn't built.
  static func open<Result>(
    history: [String] = [], _ body: (PromptCommand, _ readyAfter: Duration) throws -> Result
  ) async throws -> Result {
    try ReleaseProgram.requireBuilt()
    let folder = try TemporaryFolder()
    let historyFile = folder.path(of: "history")
    let lines = ["# history 1"] + history + [""]
    try lines.joined(separator: "\n").write(toFile: historyFile, atomically: true, encoding: .utf8)
    var (main, other) = (Int32(-1), Int32(-1))
    var size = winsize(ws_row: 50, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&main, &other, nil, nil, &size) == 0, fcntl(main, F_SETFL, O_NONBLOCK) == 0 else {
      throw BenchmarkError.commandFailed("no pseudo-terminal")
    }
    let prompt = PromptCommand(terminal: main)
    let start = ContinuousClock.now
    let environment = Environment.inherit.updating([
      "TERM": "xterm-256color", "NO_COLOR": nil, "EDITRC": folder.path(of: "editrc"),
      "XDG_CONFIG_HOME": folder.path(of: "config"), "PRIMEREPL_HISTORY": historyFile,
    ])
    let process = Task { [other] in
      try await Subprocess.run(
        .path(.init(ReleaseProgram.path)), arguments: ["--ephemeral", "-q"],
        environment: environment,
        input: .fileDescriptor(.init(rawValue: other), closeAfterSpawningProcess: false),
        output: .fileDescriptor(.init(rawValue: other), closeAfterSpawningProcess: false),
        error: .fileDescriptor(.init(rawValue: other), closeAfterSpawningProcess: false))
    }
    defer {
      process.cancel()
      close(other)
      withExtendedLifetime(folder) {}
    }
    // Starts the process before this thread waits for its output.
    await Task.yield()
    await Task.detached { [other] in _ = other }.value
    try prompt.wait(for: "> ")
    return try body(prompt, ContinuousClock.now - start)
  }

  /// Types text, and gives the time until the terminal shows a text.
  @discardableResult
  func type(_ text: String, untilShown shown: String) throws -> Duration {
    let start = ContinuousClock.now
    try write(text)
    try wait(for: shown)
    return ContinuousClock.now - start
  }

  /// Presses a key, and gives the time until the terminal gets anything to show.
  func press(_ key: String) throws -> Duration {
    settle()
    let start = ContinuousClock.now
    try write(key)
    _ = try read()
    return ContinuousClock.now - start
  }

  private func write(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(terminal, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else {
        // The terminal's buffer is full, so the prompt has something to read, and perhaps to show.
        settle(for: 5)
      }
    }
  }

  /// Reads what is shown until it contains a text, without the sequences that style it.
  private func wait(for text: String) throws {
    var shown = ""
    while !shown.contains(text) {
      let piece = String(decoding: try read(), as: UTF8.self)
      shown += piece.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")
    }
  }

  /// Reads what is shown until nothing more comes.
  private func settle(for milliseconds: Int32 = 30) {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while poll(milliseconds) { _ = Foundation.read(terminal, &buffer, buffer.count) }
  }

  private func read() throws -> [UInt8] {
    guard poll(Int32(Self.patience / .milliseconds(1))) else {
      throw BenchmarkError.commandFailed("the prompt shows nothing")
    }
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = Foundation.read(terminal, &buffer, buffer.count)
    return Array(buffer.prefix(max(count, 0)))
  }

  private func poll(_ milliseconds: Int32) -> Bool {
    var waited = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    return Foundation.poll(&waited, 1, milliseconds) > 0
  }
}
