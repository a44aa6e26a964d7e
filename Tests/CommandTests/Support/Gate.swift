import TestSupport

/// A file that Lua code waits for.
struct Gate {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Lua code that waits until the gate is open.
  var wait: String { "while not io.open('\(folder.path)/open') do task.sleep(0.01) end" }

  func open() throws { _ = try folder.write("", to: "open") }
}
