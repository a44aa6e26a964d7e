import Foundation

/// A server's complete reply, whatever its status.
struct HTTPReply: Sendable {
  /// The HTTP status, 200 for success.
  let status: Int

  /// The `Content-Type` header as it was sent.
  var contentType: String?

  /// The `Location` header as it was sent: where a redirect leads.
  var location: String?

  /// How long the server asks to be left alone (`Retry-After`, RFC 9110 section 10.2.3).
  var retryAfter: Duration?

  /// The body, decompressed; empty for a redirect, whose body nobody reads.
  var body = Data()

  /// Makes a reply without headers and body.
  init(status: Int) { self.status = status }

  /// Whether the status says that the request was served.
  var isSuccess: Bool { (200..<300).contains(status) }

  /// Whether the status is that of a redirect to another address.
  var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }

  /// Whether the same request may well succeed a moment later.
  ///
  /// 501 is not: it says that the server can't do what is asked, ever.
  var isTransient: Bool {
    status == 429 || (500..<600).contains(status) && status != 501
  }
}
