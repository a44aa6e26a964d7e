package import StateStore

struct HTTPRequest: Sendable {
  /// The methods that are answered; any other is refused.
  enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }

  let method: Method
  /// Without the query.
  let path: String
  /// The value of `token` in the query.
  let token: String?
  /// The value of the header `X-Token`.
  let tokenHeader: String?
  let host: String?
  let origin: String?
  let cookie: String?
  let contentType: String?
  /// Empty until all of it has come.
  var body: [UInt8] = []
}

struct HTTPAnswer: Sendable {
  enum Content: Sendable {
    case bytes([UInt8])
    case events(EventStream)
  }

  let status: UInt32
  var headers: [(name: String, value: String)]
  let content: Content

  init(_ status: UInt32 = 200, type: String, _ bytes: [UInt8]) {
    (self.status, content) = (status, .bytes(bytes))
    headers = [("Content-Type", type)]
  }

  init(_ status: UInt32 = 200, json: String) {
    self.init(status, type: "application/json", Array(json.utf8))
  }

  /// For a page that stays open.
  init(_ events: EventStream) {
    (status, content) = (200, .events(events))
    headers = [("Content-Type", "text/event-stream")]
  }

  /// Makes an answer that says nothing, such as to somebody who may not ask.
  static func empty(_ status: UInt32) -> HTTPAnswer {
    HTTPAnswer(status, type: "text/plain", [])
  }
}

/// Why no page can be served.
package typealias ServerError = PlainError<PageServer>

extension ServerError {
  static let portInUse = "port_in_use"
}
