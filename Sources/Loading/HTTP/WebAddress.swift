package import PrimereplFoundation

/// An address for libcurl, assembled from the parts that Foundation parsed.
///
/// Two parsers can find two hosts in one address, and a redirect was allowed for the host that Foundation found. So
/// the text contains only what both parse alike: no user and password, which libcurl gets separately, and a host of
/// plain characters.
struct WebAddress: Sendable {
  /// The scheme, the host, and what follows, percent-encoded.
  let text: String
  let credentials: (user: String, password: String)?

  /// Parses an address; its fragment is for the client, and isn't sent.
  ///
  /// It is nil for a scheme other than http and https, and for an invalid host or port.
  init?(_ url: URL) {
    guard url.isWebAddress,
      let components = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: false),
      let scheme = components.scheme?.lowercased(), let host = Self.host(components)
    else { return nil }
    var text = "\(scheme)://\(host)"
    if let port = components.port {
      guard (1...65_535).contains(port) else { return nil }
      text += ":\(port)"
    }
    text += components.percentEncodedPath.isEmpty ? "/" : components.percentEncodedPath
    if let query = components.percentEncodedQuery { text += "?\(query)" }
    let (user, password) = (components.user, components.password)
    // libcurl's strings end at a NUL.
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      [user, password].allSatisfy({ $0?.utf8.contains(0) != true })
    else { return nil }
    self.text = text
    credentials = user == nil && password == nil ? nil : (user ?? "", password ?? "")
  }

  /// The host's name or number in ASCII; nil if it has any character that parsers may read differently.
  private static func host(_ components: URLComponents) -> String? {
    guard let host = components.encodedHost, !host.isEmpty else { return nil }
    let isNumber = host.hasPrefix("[") && host.hasSuffix("]")
    let plain = isNumber ? host.dropFirst().dropLast() : host[...]
    let isPlain = plain.utf8.allSatisfy { byte in
      // An IPv6 address has colons, and a percent sign before its zone.
      byte.isASCIILetter || byte.isASCIIDigit || (isNumber ? ".-:%" : ".-_").utf8.contains(byte)
    }
    return isPlain ? host : nil
  }
}

extension URL {
  /// Whether this is an http or https address with a host; nothing else may be fetched.
  package var isWebAddress: Bool {
    guard let scheme = scheme?.lowercased(), let host = host() else { return false }
    return (scheme == "http" || scheme == "https") && !host.isEmpty
  }
}
