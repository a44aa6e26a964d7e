import PrimereplFoundation
import PrimereplPlatform

/// Who may use a page: whoever knows its address.
///
/// The address has a token, which the page keeps where browsers let only this port of this machine read it, and sends with
/// what it asks. The browser also gets a cookie, which no script sees, and which browsers send to this site alone; but to all
/// of its ports, so that it isn't enough. Programs of other users, and the pages of other sites in the same browser, can
/// connect to a port of this machine. They know neither, and the latter's requests name another site: in `Origin`, or in
/// `Host` if their name leads here (DNS rebinding).
struct PageAccess: Sendable {
  enum Decision {
    case allowed
    /// It comes with a token, for which the browser gets the page's own one, and the cookie.
    case enters(token: String, cookie: String)
    case refused
  }

  private let token: String
  private let cookie = makeToken()
  /// Another token, with which one request enters: that of a browser whose arguments others can see.
  var tokenForOnce: String?
  private let port: Int
  private let hosts: Set<String>

  /// The hosts are the names and addresses by which browsers may ask for the page.
  init(token: String, hosts: [String], port: Int) {
    (self.token, self.port) = (token, port)
    self.hosts = Set(hosts.map { Self.authority($0, port) })
  }

  /// A host and a port as addresses name them.
  static func authority(_ host: String, _ port: Int) -> String {
    "\(host.contains(":") ? "[\(host)]" : host):\(port)"
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
    if request.path == "/", let given = request.token {
      if let known = tokenForOnce, given.isSame(as: known) {
        tokenForOnce = nil
      } else if !given.isSame(as: token) {
        return .refused
      }
      return .enters(
        token: token, cookie: "\(cookieName)=\(cookie); Path=/; HttpOnly; SameSite=Strict")
    }
    let cookies = (request.cookie ?? "").split(separator: ";").map(\.trimmingWhitespace)
    let hasCookie = cookies.contains { known in
      known.hasPrefix("\(cookieName)=")
        && String(known.dropFirst(cookieName.count + 1)).isSame(as: cookie)
    }
    return hasCookie && asks(request) ? .allowed : .refused
  }

  /// Whether a request with the cookie comes from the page, or is for one of its files, in which nothing is secret.
  private func asks(_ request: HTTPRequest) -> Bool {
    switch request.method {
    // A form of another site can't send JSON.
    case .post:
      request.origin != nil && request.contentType == "application/json"
        && request.tokenHeader?.isSame(as: token) == true
    case .get where request.path == "/events": request.token?.isSame(as: token) == true
    case .get: true
    }
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
