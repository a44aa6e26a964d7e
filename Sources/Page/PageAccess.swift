import PrimereplFoundation
import PrimereplPlatform

/// Who may use a page: whoever knows its address, by which a browser gets a cookie.
///
/// Programs of other users can connect to a port of this machine, and so can the pages of other sites in the same browser. The
/// former don't know the token. The latter don't have the cookie, which browsers send to this site alone, and their requests name
/// another site: in `Origin`, or in `Host` if their name leads here (DNS rebinding).
struct PageAccess: Sendable {
  /// What a request may do.
  enum Decision {
    /// It is answered.
    case allowed
    /// It comes with the token: the browser gets the cookie, and asks again without the token.
    case enters(cookie: String)
    case refused
  }

  let token: String
  /// Another token, with which one request enters: that of a browser whose arguments others can see.
  var tokenForOnce: String?
  private let port: Int
  private let hosts: Set<String>

  /// Allows requests that know a token.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - hosts: The names and addresses by which browsers may ask for the page.
  ///   - port: The server's port.
  init(token: String, hosts: [String], port: Int) {
    (self.token, self.port) = (token, port)
    self.hosts = Set(hosts.map { "\($0.contains(":") ? "[\($0)]" : $0):\(port)" })
  }

  /// A token that nobody can guess: 128 random bits.
  static func makeToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let text = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
  }

  private var cookieName: String { "page-\(port)" }

  mutating func decision(on request: HTTPRequest) -> Decision {
    guard let host = request.host, hosts.contains(host.lowercased()) else { return .refused }
    if let origin = request.origin, origin.lowercased() != "http://\(host.lowercased())" {
      return .refused
    }
    if request.method == .post {
      // A form of another site can't send JSON.
      guard request.origin != nil, request.contentType == "application/json" else {
        return .refused
      }
    } else if let token = request.token {
      guard request.path == "/" else { return .refused }
      if let known = tokenForOnce, token.isSame(as: known) {
        tokenForOnce = nil
      } else if !token.isSame(as: self.token) {
        return .refused
      }
      return .enters(cookie: "\(cookieName)=\(self.token); Path=/; HttpOnly; SameSite=Strict")
    }
    let cookies = (request.cookie ?? "").split(separator: ";").map(\.trimmingWhitespace)
    let isKnown = cookies.contains { cookie in
      cookie.hasPrefix("\(cookieName)=")
        && String(cookie.dropFirst(cookieName.count + 1)).isSame(as: token)
    }
    return isKnown ? .allowed : .refused
  }
}

extension String {
  /// Whether the text is the same as another one, found in a time that doesn't depend on where they differ.
  fileprivate func isSame(as other: String) -> Bool {
    let (own, other) = (Array(utf8), Array(other.utf8))
    guard own.count == other.count else { return false }
    return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
