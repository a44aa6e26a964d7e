/// The actions that each command of a prompt sent, so that a command can be undone as a whole.
struct CommandLog {
  private struct Entry {
    /// The number of the last action in effect before the command.
    let start: Int
    /// The number of the last action in effect after it.
    let end: Int
  }

  private var entries: [Entry] = []

  /// Adds a command that sent actions; one that sent none can't be undone.
  mutating func append(from start: Int, to end: Int) {
    if start < end { entries.append(Entry(start: start, end: end)) }
  }

  /// The position before the last command that ended at a position, by sending actions; nil if there is none.
  func start(ofCommandEndingAt position: Int) -> Int? {
    entries.last { $0.end == position }?.start
  }

  /// The position after the last command that began at a position and sent actions; nil if there is none.
  func end(ofCommandStartingAt position: Int) -> Int? {
    entries.last { $0.start == position }?.end
  }
}
