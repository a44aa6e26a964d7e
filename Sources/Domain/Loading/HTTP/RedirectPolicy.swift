import Foundation

/// Where a redirect may lead.
enum RedirectPolicy: Sendable {
  /// Only to the server that was asked, so that a secret in the address stays with it.
  case sameServer

  /// To any server.
  case anyServer

  /// Finds where a reply redirects to.
  ///
  /// A redirect away from https to http is never followed.
  ///
  /// - Parameters:
  ///   - reply: the reply to look at.
  ///   - url: the address that gave it.
  /// - Returns: the address to ask next, or nil when the reply isn't a redirect that may be followed.
  func target(of reply: HTTPReply, from url: URL) -> URL? {
    guard reply.isRedirect, let location = reply.location,
      let target = URL(string: location, relativeTo: url)?.absoluteURL,
      WebAddress(target) != nil, target.isSecure || !url.isSecure
    else { return nil }
    switch self {
    case .anyServer: return target
    case .sameServer: return isSameServer(url, target) ? target : nil
    }
  }

  /// Whether two addresses belong to one server: the same host, and the same port or the step from
  /// the standard port of http to that of https.
  private func isSameServer(_ url: URL, _ target: URL) -> Bool {
    guard url.host()?.lowercased() == target.host()?.lowercased() else { return false }
    let isUpgrade = url.webPort == 80 && !url.isSecure && target.webPort == 443 && target.isSecure
    return isUpgrade || url.webPort == target.webPort && url.isSecure == target.isSecure
  }
}

extension URL {
  /// Whether this is an http or https address with a host, which is all that may be fetched.
  var isWebAddress: Bool {
    guard let scheme = scheme?.lowercased(), let host = host() else { return false }
    return (scheme == "http" || scheme == "https") && !host.isEmpty
  }

  /// Whether the scheme is https.
  fileprivate var isSecure: Bool { scheme?.lowercased() == "https" }

  /// The port, or the scheme's standard one.
  fileprivate var webPort: Int { port ?? (isSecure ? 443 : 80) }
}
