/// The texts that were cut, the newest last.
struct KillRing {
  struct Entry: Equatable {
    var text: String
    /// Whether it is made of whole lines, to be pasted above or below a line.
    var isLinewise = false
  }

  /// The end of a text that the next cut extends.
  enum Side {
    case front
    case back
  }

  private var entries: [Entry] = []
  /// The distance of the current entry from the newest.
  private var turns = 0

  private static let capacity = 60

  /// The entry that yank inserts.
  var current: Entry? {
    entries.isEmpty ? nil : entries[entries.count - 1 - turns % entries.count]
  }

  /// Adds a text that was cut: at a side of the newest text or, for nil, as an entry of its own.
  mutating func add(_ text: String, isLinewise: Bool = false, extending side: Side? = nil) {
    turns = 0
    guard !text.isEmpty else { return }
    if let side, let last = entries.indices.last {
      entries[last].text = side == .back ? entries[last].text + text : text + entries[last].text
      return
    }
    entries.append(Entry(text: text, isLinewise: isLinewise))
    if entries.count > Self.capacity { entries.removeFirst() }
  }

  /// Turns to the entry before the current one; after the oldest comes the newest.
  mutating func turn() { turns += 1 }
}
