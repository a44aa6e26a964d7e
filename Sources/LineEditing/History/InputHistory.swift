import Foundation

/// What was entered before, in memory, each text once.
@MainActor
package final class InputHistory {
  /// The oldest first.
  package private(set) var entries: [String] = []

  /// The beginnings of the entries.
  ///
  /// A search for a beginning looks at these alone for most entries, and they are side by side in memory.
  private var heads: [Head] = []
  private let isSecret: (String) -> Bool

  /// Makes a history.
  ///
  /// - Parameters:
  ///   - entries: The oldest first.
  ///   - isSecret: Whether an entry must be kept nowhere, as it has a password.
  package init(entries: [String] = [], isSecret: @escaping (String) -> Bool = { _ in false }) {
    self.isSecret = isSecret
    reload(entries)
  }

  package var count: Int { entries.count }

  /// Replaces all entries, such as after reading the file again.
  package func reload(_ entries: [String]) {
    self.entries = entries
    heads = entries.map(Head.init)
  }

  /// Adds an entry as the newest; an equal one is moved there.
  ///
  /// Blank entries, entries that begin with a space, and secrets aren't kept. Newlines at the end are left out.
  ///
  /// - Returns: The entry as it is kept, for the file; nil if it isn't kept.
  package func add(_ text: String) -> String? {
    let entry = String(
      decoding: text.utf8.reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed(), as: UTF8.self)
    guard !entry.hasPrefix(" "), !entry.allSatisfy(\.isWhitespace), !isSecret(entry) else {
      return nil
    }
    var old = index(before: count, withPrefix: entry)
    while let candidate = old, entries[candidate].utf8.count > entry.utf8.count {
      old = index(before: candidate, withPrefix: entry)
    }
    if let old {
      entries.remove(at: old)
      heads.remove(at: old)
    }
    entries.append(entry)
    heads.append(Head(entry))
    return entry
  }

  /// Removes entries.
  package func remove(_ removed: Set<String>) {
    reload(entries.filter { !removed.contains($0) })
  }

  // MARK: - Entries with a beginning

  /// The newest entry before an index that begins with a text, byte by byte.
  ///
  /// - Complexity: O(n), where n is the number of entries before the index; most take a comparison of two numbers.
  func index(before index: Int, withPrefix prefix: String) -> Int? {
    let test = PrefixTest(prefix)
    return heads.withUnsafeBufferPointer { heads in
      var index = min(max(index, 0), heads.count)
      while index > 0 {
        index -= 1
        if test.canMatch(heads[index]), test.matches(entries[index]) { return index }
      }
      return nil
    }
  }

  /// The oldest entry after an index that begins with a text.
  func index(after index: Int, withPrefix prefix: String) -> Int? {
    let test = PrefixTest(prefix)
    return heads.withUnsafeBufferPointer { heads in
      (min(max(index + 1, 0), heads.count)..<heads.count).first {
        test.canMatch(heads[$0]) && test.matches(entries[$0])
      }
    }
  }

  /// The first bytes of a text, with zeros after a shorter one.
  private struct Head: Equatable {
    static let length = 32

    var bytes = SIMD4<UInt64>()

    init(_ text: String) {
      var text = text
      text.withUTF8 { text in
        withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: text.prefix(Self.length)) }
      }
    }

    /// Bytes that are all 1s, with zeros after them.
    init(maskOfLength length: Int) {
      withUnsafeMutableBytes(of: &bytes) { bytes in
        for index in 0..<min(length, bytes.count) { bytes[index] = 0xFF }
      }
    }
  }

  /// Tells whether an entry begins with a text.
  private struct PrefixTest {
    private let prefix: [UInt8]
    private let head: Head
    private let mask: Head

    init(_ prefix: String) {
      self.prefix = Array(prefix.utf8)
      head = Head(prefix)
      mask = Head(maskOfLength: self.prefix.count)
    }

    func canMatch(_ head: Head) -> Bool { head.bytes & mask.bytes == self.head.bytes }

    /// Whether an entry with a fitting head begins with the text, and that isn't the part of a character.
    func matches(_ entry: String) -> Bool {
      // A zero byte of the text can't be told from the end of a short entry.
      guard entry.utf8.count >= prefix.count,
        prefix.count <= Head.length || entry.utf8.starts(with: prefix)
      else { return false }
      let end = entry.utf8.index(entry.utf8.startIndex, offsetBy: prefix.count)
      return String.Index(end, within: entry) != nil
    }
  }
}

/// Looks for the newest entry that begins with the text being typed.
///
/// As long as the text only grows, the search goes on where it stopped.
struct SuggestionSearch {
  private var prefix = ""
  /// The entry found; nil if there is none.
  private var index: Int?
  private var isValid = false

  /// Forgets the result, as entries have changed.
  mutating func invalidate() { isValid = false }

  /// The newest entry that begins with a text and is longer.
  @MainActor
  mutating func entry(for text: String, in history: InputHistory) -> String? {
    guard !text.isEmpty else { return nil }
    if isValid, text == prefix { return index.map { history.entries[$0] } }
    let isLonger = isValid && text.utf8.starts(with: prefix.utf8)
    (prefix, isValid) = (text, true)
    if isLonger, index == nil { return nil }
    var end = isLonger ? index.map { $0 + 1 } ?? 0 : history.count
    repeat {
      index = history.index(before: end, withPrefix: text)
      end = index ?? 0
    } while index.map { history.entries[$0].utf8.count == text.utf8.count } ?? false
    return index.map { history.entries[$0] }
  }
}
