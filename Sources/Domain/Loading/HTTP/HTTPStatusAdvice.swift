/// What a user can do about an HTTP status that isn't a success.
enum HTTPStatusAdvice {
  /// Finds advice that finishes "answered with HTTP status …: ".
  ///
  /// - Parameter status: the status.
  /// - Returns: what to do, without a full stop.
  static func advice(_ status: Int) -> String {
    switch status {
    case 300..<400: "it redirects to where a request may not follow; check the address"
    case 401, 403, 407: "access is refused; check the address and the permission to use it"
    case 404, 410: "there is nothing at that address; check it"
    case 414: "the request is too long; shorten it"
    case 429: "too many requests; wait a while, then try again"
    case 500..<600: "the server has a problem; try again later"
    default: "check the request and the address"
    }
  }
}
