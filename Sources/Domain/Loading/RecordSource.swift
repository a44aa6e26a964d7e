import Foundation
import StateStore
import Platform

/// Where records come from, as a user names it.
struct RecordSource: Sendable {
  enum Location: Sendable {
    case file(path: String)
    case web(URL)
  }

  /// The name for messages: what the user wrote, without any password in an address, and shortened if it is longer
  /// than a path can be.
  let name: String

  let location: Location

  /// What a user wrote, as it may be shown and saved: without a password in an address; nil for the built-in source.
  static func shown(_ text: String?) -> String? { text.map(name(of:)) }

  /// The name of a source in messages.
  static func name(of text: String) -> String {
    // A password may be longer than what is shown, so it is removed first.
    shortened(ShownAddress.of(text))
  }

  /// Whether a source is the built-in one, or a file; also what is none, as that is an error in any case.
  static func isLocal(_ text: String?) -> Bool {
    guard let text else { return true }
    do throws(SourceError) {
      guard case .web = try RecordSource(text).location else { return true }
      return false
    } catch {
      return true
    }
  }

  /// Parses what a user wrote.
  ///
  /// - Parameter text: A path (see `FilePath`), or an http or https address.
  /// - Throws: `SourceError.badAddress` for blank text, other schemes, and addresses that can't be read.
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

  /// Whether a text begins like an address: with letters, digits, +, - and dots, and `://`.
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
    guard !text.isBlank else { throw .badAddress("“\(name)”") }
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

/// A source as it may be shown and saved: without anything that is, or may be, a password in an address.
///
/// People mistype addresses, and a parser rejects a mistyped one: with a blank before it, a `/` in the password, or
/// an invalid port. So in a text that isn't a valid address, everything before the last `@` is hidden if it looks
/// like more than a file's name, and so is everything after a `:` that no port follows.
enum ShownAddress {
  private typealias Scalars = Substring.UnicodeScalarView

  /// Removes what may be a password.
  ///
  /// - Complexity: O(n), where n is the length of the text.
  static func of(_ text: String) -> String {
    let scalars = text[...].unicodeScalars
    let server = server(in: scalars)
    if let server, isGood(text) {
      let authority = server.prefix { !isOne($0, of: "/?#") }
      if let at = authority.lastIndex(of: "@") {
        return text[..<server.startIndex] + String(text[authority.index(after: at)...])
      }
      guard scalars.contains("@"), !isHost(authority) else { return text }
    }
    let end = endOfUser(in: scalars)
    if let server, let end, end >= server.startIndex {
      return text[..<server.startIndex] + "…@" + String(text[end...])
    }
    if let end, looksLikeAddress(scalars[..<end]) { return "…@" + text[end...] }
    if let server, let colon = colonWithoutPort(in: server) { return text[...colon] + "…" }
    return text
  }

  /// Whether a text is an address that can be fetched.
  private static func isGood(_ text: String) -> Bool {
    text.utf8.count <= maximumLength && URL(string: text).flatMap(WebAddress.init) != nil
  }

  /// The longest address that libcurl takes, in bytes.
  private static let maximumLength = 8_000_000

  /// Whether the authority names the server although an `@` follows it: `http://name:1/23@host` is a valid address,
  /// but hardly the one that was meant.
  private static func isHost(_ authority: Scalars) -> Bool {
    !authority.contains(":") && (authority.contains(".") || Substring(authority) == "localhost")
  }

  /// The part after blanks, an optional scheme, and slashes of either kind; nil if the text doesn't begin that way.
  private static func server(in scalars: Scalars) -> Scalars? {
    let text = scalars.drop { $0.properties.isWhitespace || $0.value < 0x20 }
    // No scheme is that long.
    let scheme = text.prefix(64).prefix {
      isOne($0, of: "+.-0123456789") || $0.isASCII && $0.properties.isAlphabetic
    }
    let hasScheme = !scheme.isEmpty && text[scheme.endIndex...].first == ":"
    let rest = hasScheme ? text[scheme.endIndex...].dropFirst() : text
    let isWeb = hasScheme && ["http", "https"].contains(String(scheme).lowercased())
    let slashes = rest.prefix { isOne($0, of: "/\\") }
    // A single slash begins a path.
    return isWeb || slashes.count >= 2 ? rest[slashes.endIndex...] : nil
  }

  /// The end of the last `@`, in any form in which it is typed or pasted.
  private static func endOfUser(in scalars: Scalars) -> Scalars.Index? {
    var end: Scalars.Index?
    var previous: (Unicode.Scalar, Unicode.Scalar) = (" ", " ")
    for index in scalars.indices {
      let scalar = scalars[index]
      let isSign = scalar == "@" || scalar == "＠" || scalar == "﹫"
      if isSign || scalar == "0" && previous == ("%", "4") {
        end = scalars.index(after: index)
      }
      previous = (previous.1, scalar)
    }
    return end
  }

  /// Whether the text before an `@` contains more than a file's name is likely to contain.
  private static func looksLikeAddress(_ scalars: Scalars) -> Bool {
    scalars.contains { isOne($0, of: ":：") }
      || zip(scalars, scalars.dropFirst()).contains { $0 == ("/", "/") }
  }

  /// The position of a colon that no port follows.
  private static func colonWithoutPort(in server: Scalars) -> Scalars.Index? {
    guard server.first != "[", let colon = server.firstIndex(where: { isOne($0, of: ":：") }) else {
      return nil
    }
    let port = server[colon...].dropFirst().prefix { !isOne($0, of: "/?#") }
    return port.count <= 5 && port.allSatisfy { isOne($0, of: "0123456789") } ? nil : colon
  }

  private static func isOne(_ scalar: Unicode.Scalar, of choices: String) -> Bool {
    choices.unicodeScalars.contains(scalar)
  }
}

extension String {
  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
