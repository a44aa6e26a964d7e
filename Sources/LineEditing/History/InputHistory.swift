import PrimereplPlatform

/// The earlier inputs, in memory, each text once.
@MainActor
package final class InputHistory {
  /// The oldest first.
  package private(set) var entries: [String] = []

  package init(entries: [String] = []) { self.entries = entries }

  package var count: Int { entries.count }

  /// Replaces all entries, such as after reading the file again.
  package func reload(_ entries: [String]) {
    self.entries = entries
  }

  /// Adds an entry as the newest; an equal one is moved there.
  ///
  /// Blank entries and entries that begin with a space aren't kept. Newlines at the end are left out.
  ///
  /// - Returns: The entry as it is kept, for the file; nil if it isn't kept.
  package func add(_ text: String) -> String? {
    let entry = String(
      decoding: text.utf8.reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed(), as: UTF8.self)
    guard !entry.hasPrefix(" "), !entry.isBlank else { return nil }
    if let old = entries.lastIndex(where: entry.isExactly) { entries.remove(at: old) }
    entries.append(entry)
    return entry
  }

  package func remove(_ removed: Set<String>) {
    reload(entries.filter { !removed.contains($0) })
  }

  // MARK: - Entries with a beginning

  /// The newest entry before an index that begins with a text, byte by byte.
  ///
  /// - Complexity: O(n), where n is the number of entries before the index.
  func index(before index: Int, withPrefix prefix: String) -> Int? {
    entries.prefix(max(index, 0)).lastIndex { $0.begins(with: prefix) }
  }

  func index(after index: Int, withPrefix prefix: String) -> Int? {
    entries.dropFirst(max(index + 1, 0)).firstIndex { $0.begins(with: prefix) }
  }

  /// The newest entry that begins with a text and is longer.
  func suggestion(for text: String) -> String? {
    guard !text.isEmpty else { return nil }
    return entries.last { $0.utf8.count > text.utf8.count && $0.begins(with: text) }
  }
}

extension String {
  /// Whether the text begins with the bytes of another, which don't end within a character.
  fileprivate func begins(with prefix: String) -> Bool {
    guard utf8.starts(with: prefix.utf8) else { return false }
    let end = utf8.index(startIndex, offsetBy: prefix.utf8.count)
    return String.Index(end, within: self) != nil
  }
}
