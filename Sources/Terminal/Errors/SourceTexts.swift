import PrimereplPlatform
import Scripting

/// The texts of the code that ran, by the names of their chunks in messages: "input 3", "script.lua".
@MainActor
package final class SourceTexts {
  private var texts: [String: String] = [:]
  private let readsFiles: Bool

  /// With `readsFiles`, names that weren't added are those of files.
  package init(readsFiles: Bool) { self.readsFiles = readsFiles }

  /// The maximum number of bytes of a chunk's name in messages, which Lua calls `LUA_IDSIZE`.
  private static let nameLength = 59

  /// The maximum size of a file that is read for an error, in bytes.
  private static let maximumFileSize = 10_000_000

  package func add(_ text: String, ofFile path: String) {
    let isLong = path.utf8.count > Self.nameLength
    let end = String(decoding: path.utf8.suffix(Self.nameLength - 3), as: UTF8.self)
    texts[isLong ? "..." + end : path] = text
  }

  package subscript(chunk: String) -> String? {
    get {
      if let text = texts[chunk] { return text }
      guard readsFiles, FileSystem.kind(of: chunk) == .file else { return nil }
      do throws(SystemCallError) {
        return String(systemBytes: try FileSystem.contents(of: chunk, limit: Self.maximumFileSize))
      } catch {
        // The message names the place all the same.
        return nil
      }
    }
    set { texts[chunk] = newValue }
  }

  /// Whether a chunk is the user's: the kit's own chunks have names of a single word.
  func isOwn(_ chunk: Substring) -> Bool {
    chunk.hasPrefix(PromptInput.chunkPrefix) || chunk.hasPrefix("[string ") || chunk.contains("/")
      || (chunk.contains(".") && chunk != "[C]") || texts[String(chunk)] != nil
  }
}

/// A line of code as messages name it: "input 12:3".
struct SourcePlace {
  let chunk: String
  /// Counted from 1.
  let line: Int

  /// Splits a message such as "input 12:3: text" into a place and the text; nil if it doesn't begin with a place.
  static func split(_ message: Substring) -> (place: SourcePlace, text: Substring)? {
    // A chunk's name is shortened to fewer characters.
    for match in message.prefix(100).matches(of: /:(?<line>[0-9]+):[ ]/) {
      guard let line = Int(match.line), line > 0, match.range.lowerBound > message.startIndex else {
        continue
      }
      let chunk = message[..<match.range.lowerBound]
      guard !chunk.contains("\n") else { return nil }
      return (SourcePlace(chunk: String(chunk), line: line), message[match.range.upperBound...])
    }
    return nil
  }

  init?(_ text: String) {
    guard let (place, _) = Self.split(text[...] + ": ") else { return nil }
    self = place
  }

  private init(chunk: String, line: Int) { (self.chunk, self.line) = (chunk, line) }
}
