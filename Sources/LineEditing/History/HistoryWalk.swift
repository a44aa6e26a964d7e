/// A walk through the history, by Up and Down.
///
/// Texts that are edited on the way are kept until the input ends, and the text typed before the walk stands at its end.
@MainActor
struct HistoryWalk {
  /// The entry shown; the number of entries for the text typed before the walk.
  private(set) var index: Int
  /// The beginning of all entries shown.
  private var prefix = ""
  /// The text shown when the walk came to the entry.
  private var shown: String
  /// Texts that aren't as in the history, with the text typed before the walk.
  private var edited: [Int: String] = [:]

  init(history: InputHistory, text: String) {
    index = history.count
    shown = text
  }

  /// Goes to another entry.
  ///
  /// - Parameters:
  ///   - text: The text as it is now.
  ///   - newPrefix: The beginning that entries must have, if a search begins here; nil for all entries.
  ///   - isBackward: Whether older entries are wanted.
  ///   - history: The history, which must not change during the walk.
  /// - Returns: The text to show; nil if there is no other entry.
  mutating func move(
    from text: String, prefix newPrefix: String?, isBackward: Bool, in history: InputHistory
  ) -> String? {
    keep(text, beginningSearchWith: newPrefix, in: history)
    var candidate = index
    repeat {
      guard let next = next(after: candidate, isBackward: isBackward, in: history) else {
        return nil
      }
      candidate = next
    } while self.text(at: candidate, in: history) == text
    return show(candidate, in: history)
  }

  private mutating func keep(
    _ text: String, beginningSearchWith newPrefix: String?, in history: InputHistory
  ) {
    let isEdited = text != shown
    if isEdited || index == history.count { edited[index] = text }
    guard let newPrefix else {
      prefix = ""
      return
    }
    if index == history.count {
      prefix = newPrefix
    } else if isEdited, !newPrefix.isEmpty,
      history.index(before: history.count, withPrefix: newPrefix) != nil
    {
      // The entry was replaced by the beginning of others: a search of its own, from the newest on.
      prefix = newPrefix
      edited[index] = nil
      edited[history.count] = text
      index = history.count
    }
  }

  private func next(after index: Int, isBackward: Bool, in history: InputHistory) -> Int? {
    if isBackward { return history.index(before: index, withPrefix: prefix) }
    guard index < history.count else { return nil }
    return history.index(after: index, withPrefix: prefix) ?? history.count
  }

  /// Goes to an entry as it is in the history, or to the text typed before the walk.
  ///
  /// - Returns: The text to show; nil if the walk is there, or there is no such entry.
  mutating func jump(to target: Int, from text: String, in history: InputHistory) -> String? {
    keep(text, beginningSearchWith: nil, in: history)
    guard target != index, (0...history.count).contains(target) else { return nil }
    if target < history.count { edited[target] = nil }
    return show(target, in: history)
  }

  private mutating func show(_ target: Int, in history: InputHistory) -> String {
    index = target
    shown = text(at: target, in: history)
    return shown
  }

  private func text(at index: Int, in history: InputHistory) -> String {
    if let text = edited[index] { return text }
    return history.entries.indices.contains(index) ? history.entries[index] : ""
  }
}
