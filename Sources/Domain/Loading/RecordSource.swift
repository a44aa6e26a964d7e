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
  static func shown(_ text: String?) -> String? { text.map(shown) }

  private static func shown(_ text: String) -> String {
    // A password may be longer than what is shown, so it is taken out first.
    shortened(text.replacing(/\/\/[^\/]*@/, with: "//"))
  }

  /// Reads what a user wrote.
  ///
  /// - Parameter text: a path (`~` is the home directory), or an http or https address.
  /// - Throws: `SourceError.badAddress` for blank text, other schemes, and addresses that can't be
  ///   read.
  init(_ text: String) throws(SourceError) {
    guard text.contains(/^[A-Za-z][A-Za-z0-9+.\-]*:\/\//) else {
      // The system's calls end a path at a NUL, which would open another file than the one named.
      guard !text.allSatisfy(\.isWhitespace), !text.utf8.contains(0) else {
        throw .badAddress("“\(Self.shortened(text.replacing("\0", with: "\\0")))”")
      }
      name = Self.shortened(text)
      location = .file(path: NSString(string: text).expandingTildeInPath)
      return
    }
    guard let url = URL(string: text), url.isWebAddress else {
      throw .badAddress(Self.shown(text))
    }
    name = Self.shortened(text.replacing(/^([^\/]*\/\/)[^\/?#]*@/) { $0.output.1 })
    location = .web(url)
  }

  private static func shortened(_ name: String) -> String {
    let beginning = name.unicodeScalars.prefix(Int(PATH_MAX))
    return beginning.endIndex == name.endIndex ? name : String(beginning) + "…"
  }
}
