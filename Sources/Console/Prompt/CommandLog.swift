/// The actions that each command of a prompt sent, so that a command can be undone as a whole.
struct CommandLog {
  /// The numbers of the last actions in effect before and after each command.
  private var entries: [(start: Int, end: Int)] = []

  /// Adds a command that sent actions; one that sent none can't be undone.
  mutating func append(from start: Int, to end: Int) {
    if start < end { entries.append((start, end)) }
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
