extension SQLiteJournal {
  /// What was damaged in a file, and what was kept of it.
  public struct Recovery: Equatable, Sendable {
    /// The file.
    public let path: String
    /// What was found damaged.
    public let found: String
    /// The number of the last entry that was kept, with all before it.
    public let lastEntry: Int
    /// The path of a copy of the file as it was.
    public let copy: String

    /// What happened, in a few plain sentences.
    public var message: String {
      "\(path): damaged: \(found). Everything up to entry \(lastEntry) was kept; the file as it was is \(copy)."
    }
  }
}
