import TestSupport

/// A file that Lua code waits for.
struct Gate {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A Lua expression that is true once the gate is open.
  var isOpen: String { "io.open('\(folder.path)/open')" }

  /// Lua code that waits until the gate is open.
  var wait: String { "while not \(isOpen) do task.sleep(0.01) end" }

  func open() throws { _ = try folder.write("", to: "open") }
}
