import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server's complete reply, whatever its status.
struct HTTPReply: Sendable {
  /// The HTTP status, 200 for success.
  let status: Int

  /// The body, decompressed.
  let body: Data

  /// The `Content-Type` header as it was sent.
  let contentType: String?

  /// The `Location` header as it was sent: where a redirect leads.
  let location: String?

  /// How long the server asks to be left alone (`Retry-After`, RFC 9110 section 10.2.3).
  let retryAfter: Duration?

  /// Makes a reply from what `URLSession` received.
  init(_ response: HTTPURLResponse, body: Data) {
    status = response.statusCode
    self.body = body
    contentType = response.value(forHTTPHeaderField: "Content-Type")
    location = response.value(forHTTPHeaderField: "Location")
    retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap {
      RetryAfter.duration($0, now: Date())
    }
  }

  /// Whether the status says that the request was served.
  var isSuccess: Bool { (200..<300).contains(status) }

  /// Whether the same request may well succeed a moment later.
  ///
  /// 501 is not: it says that the server can't do what is asked, ever.
  var isTransient: Bool {
    status == 429 || (500..<600).contains(status) && status != 501
  }
}
