package import StateStore

/// A request to the server, with all of its body.
package struct HTTPRequest: Sendable {
  /// The methods that are answered; any other is refused.
  package enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }

  package let method: Method
  /// The path, without the query.
  package let path: String
  /// The value of `token` in the query.
  let token: String?
  let host: String?
  let origin: String?
  let cookie: String?
  let contentType: String?
  package let body: [UInt8]
}

/// The answer to a request.
package struct HTTPAnswer: Sendable {
  enum Content: Sendable {
    case bytes([UInt8])
    case events(EventStream)
  }

  let status: UInt32
  var headers: [(name: String, value: String)]
  let content: Content

  /// Makes an answer of bytes.
  package init(_ status: UInt32 = 200, type: String, _ bytes: [UInt8]) {
    (self.status, content) = (status, .bytes(bytes))
    headers = [("Content-Type", type)]
  }

  /// Makes an answer of JSON text.
  package init(_ status: UInt32 = 200, json: String) {
    self.init(status, type: "application/json", Array(json.utf8))
  }

  /// Makes an answer that goes on: events for a page that stays open.
  package init(_ events: EventStream) {
    (status, content) = (200, .events(events))
    headers = [("Content-Type", "text/event-stream")]
  }

  /// Makes an answer that says nothing, such as to somebody who may not ask.
  static func empty(_ status: UInt32, headers: [(String, String)] = []) -> HTTPAnswer {
    var answer = HTTPAnswer(status, type: "text/plain", [])
    answer.headers += headers.map { (name: $0.0, value: $0.1) }
    return answer
  }
}

/// Why no page can be served.
package typealias ServerError = PlainError<HTTPRequest>

extension ServerError {
  /// The code of a port that can't be used.
  static let noPort = "no_port"
}
