import StateStore
import Foundation

/// Where records come from, as a user names it.
struct RecordSource: Sendable {
  enum Location: Sendable {
    case file(path: String)
    case web(URL)
  }

  /// The name for messages: what the user wrote, without a password in an address, and cut short where it is longer than
  /// paths can be.
  let name: String

  /// Where to read.
  let location: Location

  /// What a user wrote, as it may be shown and remembered: without a password in an address.
  ///
  /// - Parameter text: what was written, or nil for the built-in source.
  /// - Returns: the text, or nil.
  static func shown(_ text: String?) -> String? { text.map(name(of:)) }

  /// The name for messages of what a user wrote.
  static func name(of text: String) -> String {
    // A password may be longer than what is shown, so it is taken out first.
    shortened(ShownAddress.of(text))
  }

  /// Reads what a user wrote.
  ///
  /// - Parameter text: a path (see `FilePath`), or an http or https address.
  /// - Throws: `SourceError.badAddress` for blank text, other schemes, and addresses that can't be
  ///   read.
  init(_ text: String) throws(SourceError) {
    guard Self.hasScheme(text) else {
      name = Self.name(of: text).shownSystemText
      location = .file(path: try Self.path(text, name: name))
      return
    }
    guard let url = URL(string: text), WebAddress(url) != nil else {
      throw .badAddress(Self.name(of: text))
    }
    name = Self.name(of: text)
    location = .web(url)
  }

  /// Whether a text begins as addresses do: with letters, digits, +, - and dots, and `://`.
  private static func hasScheme(_ text: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    let scheme = text.utf8.prefix { byte in
      isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || "+-.".utf8.contains(byte)
    }
    return scheme.first.map(isLetter) == true
      && text.utf8[scheme.endIndex...].starts(with: "://".utf8)
  }

  private static func path(_ text: String, name: String) throws(SourceError) -> String {
    guard !text.allSatisfy(\.isWhitespace) else { throw .badAddress("“\(name)”") }
    do throws(FilePath.Problem) {
      return try FilePath.expanding(text)
    } catch {
      switch error {
      case .hasZero: throw .badAddress("“\(name.replacing("\0", with: "\\0"))”")
      case .tooLong, .noHome: throw .unreadable(name, reason: error.reason)
      }
    }
  }

  private static func shortened(_ name: String) -> String {
    let beginning = name.unicodeScalars.prefix(Int(PATH_MAX))
    return beginning.endIndex == name.endIndex ? name : String(beginning) + "…"
  }
}
