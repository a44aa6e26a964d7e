package import PrimereplFoundation
package import StateStore

package struct WebRequest: Sendable {
  /// An http or https address.
  private(set) var url: URL

  /// The method in capital letters.
  private(set) var method = "GET"

  /// The headers beside those that libcurl adds, sorted by name.
  private(set) var headers: [Header] = []

  /// The body; an empty one is announced as such, and nil means that the request has none.
  private(set) var body: Data?

  /// A header whose name and value can be sent.
  struct Header: Sendable {
    let name: String
    let value: String

    func hasName(_ other: String) -> Bool { name.lowercased() == other }
  }

  init(_ url: URL) { self.url = url }

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - address: An http or https address.
  ///   - method: The method, in upper or lower case.
  ///   - headers: The values of headers by their names.
  ///   - body: The body; without one, a POST, PUT or PATCH has an empty body.
  ///   - contentType: The `Content-Type` of the body, unless the headers have another.
  /// - Throws: ``SourceError`` for the address; ``WebRequestError`` for anything else that can't be sent.
  package init(
    _ address: String, method: String = "GET", headers: [String: String] = [:], body: Data? = nil,
    contentType: String? = nil
  ) throws {
    guard let url = URL(string: address), WebAddress(url) != nil else {
      throw SourceError.badWebAddress(DocumentSource.shownInMessage(address))
    }
    self.url = url
    guard !method.isEmpty, method.utf8.allSatisfy(\.isASCIILetter) else {
      throw WebRequestError.badMethod(method)
    }
    self.method = method.uppercased()
    guard body == nil || self.method != "HEAD" else { throw WebRequestError.bodyOfHead }
    self.headers = try headers.sorted { $0.key < $1.key }.map { name, value in
      try Self.header(name, value)
    }
    self.body = body ?? (["POST", "PUT", "PATCH"].contains(self.method) ? Data() : nil)
    if let contentType, !hasHeader("content-type") {
      self.headers.append(Header(name: "Content-Type", value: contentType))
    }
  }

  /// The name is in lower case.
  func hasHeader(_ name: String) -> Bool { headers.contains { $0.hasName(name) } }

  // MARK: - Headers

  /// A header, if its name is a token (RFC 9110, section 5.6.2), and its value has no control characters: those could
  /// add lines to the request.
  private static func header(
    _ name: String, _ value: String
  ) throws(WebRequestError) -> Header {
    guard !name.isEmpty, name.utf8.allSatisfy(\.isOfToken) else {
      throw .badHeaderName(name)
    }
    guard value.utf8.allSatisfy({ $0 == UInt8(ascii: "\t") || $0 >= 0x20 && $0 != 0x7F }) else {
      throw .badHeaderValue(of: name)
    }
    // A length other than the body's would let the rest pass for another request.
    guard !["content-length", "transfer-encoding"].contains(name.lowercased()) else {
      throw .derivedHeader(name)
    }
    // libcurl would take a value of white space for none.
    return Header(name: name, value: value.trimmingWhitespace)
  }

  // MARK: - Redirects

  /// The headers that other servers may see, too; all others can contain secrets.
  private static let harmlessHeaders = [
    "accept", "accept-language", "content-language", "content-type", "user-agent",
  ]

  /// The request that follows a redirect: a POST becomes a GET, except by the statuses 307 and 308.
  ///
  /// Only the server that replied gets headers that can contain secrets.
  func redirected(to target: URL, status: Int, isSameServer: Bool) -> WebRequest {
    var next = self
    next.url = target
    if status == 303 && method != "HEAD" || [301, 302].contains(status) && method == "POST" {
      next.method = "GET"
      next.body = nil
      next.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
    }
    if !isSameServer {
      next.headers.removeAll { !Self.harmlessHeaders.contains($0.name.lowercased()) }
    }
    return next
  }
}

extension UInt8 {
  /// Whether the byte may be in a token (RFC 9110, section 5.6.2), such as the name of a header.
  var isOfToken: Bool {
    isASCIILetter || isASCIIDigit || "!#$%&'*+-.^_`|~".utf8.contains(self)
  }
}

package typealias WebRequestError = PlainError<WebRequest>

extension WebRequestError {
  fileprivate static func badMethod(_ method: String) -> Self {
    Self(
      "bad_method",
      "'\(method.printable(limit: 40))' is not a method: it needs letters only, such as PUT")
  }

  fileprivate static var bodyOfHead: Self {
    Self("bad_method", "a HEAD request has no body: leave it out, or use another method")
  }

  fileprivate static func badHeaderName(_ name: String) -> Self {
    Self(
      "bad_header",
      "'\(name.printable(limit: 40))' can't name a header: use letters, digits and hyphens")
  }

  fileprivate static func badHeaderValue(of name: String) -> Self {
    Self(
      "bad_header",
      "the header \(name.printable(limit: 40)) has a control character in its value, such as a line end: remove it"
    )
  }

  fileprivate static func derivedHeader(_ name: String) -> Self {
    Self("bad_header", "the header \(name) follows from the body: leave it out")
  }
}
