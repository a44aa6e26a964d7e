import PrimereplFoundation
import PrimereplPlatform

/// A user's text that names a document: a file's path, or an http or https address.
public struct DocumentSource: Sendable {
  enum Location: Sendable {
    case file(path: String)
    case web(URL)
  }

  /// The name for messages: the user's text, without a password in an address, and shortened.
  let name: String

  let location: Location

  var isFile: Bool { if case .file = location { true } else { false } }

  /// The user's text for messages and actions: without a password in an address, and cut to the length of a path.
  public static func shown(_ text: String) -> String {
    // A password may be longer than what is shown, so it is removed first.
    guard text.utf8.count > longestAddress else { return shortened(withoutUser(text)) }
    // It is neither a path nor an address, and not worth a search: what follows a scheme may be a password.
    let beginning = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Int(PATH_MAX))))
    guard let slashes = beginning.utf8.firstRange(of: "://".utf8) else { return beginning + "…" }
    return String(beginning[..<slashes.upperBound]) + "…"
  }

  static func shownInMessage(_ text: String) -> String { shown(text).printable(limit: 200) }

  /// Longer texts aren't searched; in bytes.
  private static let longestAddress = 4 * Int(PATH_MAX)

  /// Whether reading a source needs no network; also true for a text that is no source.
  public static func isLocal(_ text: String) -> Bool {
    do throws(SourceError) {
      return try DocumentSource(text).isFile
    } catch {
      return true
    }
  }

  /// Parses a path (see `FilePath`), or an http or https address.
  ///
  /// - Throws: `SourceError.badAddress` for blank text, other schemes, and addresses that can't be read.
  init(_ text: String) throws(SourceError) {
    guard Self.hasScheme(text) else {
      name = Self.shownInMessage(text)
      location = .file(path: try Self.path(text, name: name))
      return
    }
    guard let url = URL(string: text), WebAddress(url) != nil else {
      throw .badAddress(Self.shownInMessage(text))
    }
    name = Self.shownInMessage(text)
    location = .web(url)
  }

  /// Whether a text begins like an address: with letters, digits, +, - and dots, and `://`.
  private static func hasScheme(_ text: String) -> Bool {
    let scheme = text.utf8.prefix { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
    return scheme.first?.isASCIILetter == true
      && text.utf8[scheme.endIndex...].starts(with: "://".utf8)
  }

  private static func path(_ text: String, name: String) throws(SourceError) -> String {
    guard !text.isBlank else { throw .badAddress("“\(name)”") }
    do throws(FilePath.Problem) {
      return try FilePath.expanding(text)
    } catch {
      switch error {
      case .hasZero: throw .badAddress("“\(name)”")
      case .tooLong, .noHome: throw .unreadable(name, reason: error.reason)
      }
    }
  }

  /// A text without the user and the password of the address that it may be.
  private static func withoutUser(_ text: String) -> String {
    guard let slashes = text.utf8.firstRange(of: "://".utf8) else { return text }
    let authority = text.utf8[slashes.upperBound...].prefix { !"/?#".utf8.contains($0) }
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return text }
    return String(text[..<slashes.upperBound] + text[text.utf8.index(after: at)...])
  }

  private static func shortened(_ name: String) -> String {
    let beginning = name.unicodeScalars.prefix(Int(PATH_MAX))
    return beginning.endIndex == name.endIndex ? name : String(beginning) + "…"
  }
}
