package import PrimereplFoundation

/// A server's complete reply, whatever its status.
package struct HTTPReply: Sendable {
  package let status: Int

  /// The values of the headers, by their names in lower case; those of repeated ones are joined by ", ", cookies by line
  /// feeds.
  package var headers: [String: Data] = [:]

  /// The `Content-Type` header as it was sent.
  package var contentType: String?

  /// The `Location` header as it was sent: where a redirect leads.
  var location: String?

  /// The time that the server asks clients to wait (`Retry-After`, RFC 9110 section 10.2.3); zero if it doesn't.
  var retryAfter = Duration.zero

  /// The body, decompressed; empty for a redirect, whose body isn't read.
  package var body = Data()

  package var isSuccess: Bool { (200..<300).contains(status) }

  var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }

  /// Whether the same request may succeed a moment later; not for 501, since that server can never do what is asked.
  var isTransient: Bool {
    status == 429 || (500..<600).contains(status) && status != 501
  }
}

extension HTTPReply {
  /// Advice for a user about an error status, to finish "answered with HTTP status …: ".
  package static func advice(onStatus status: Int) -> String {
    switch status {
    case 300..<400: "it redirects to where a request may not follow; check the address"
    case 401, 403, 407: "access is refused; check the address and the permission to use it"
    case 404, 410: "nothing is at that address; check it"
    case 414: "the request is too long; shorten it"
    case 429: "too many requests; wait a while, then try again"
    case 500..<600: "the server has a problem; try again later"
    default: "check the request and the address"
    }
  }
}

// MARK: - Reading

/// Assembles a reply from the header lines and pieces of the body that libcurl delivers.
///
/// Interim replies (100 Continue) come first, and the final reply replaces them. Trailers change nothing.
struct ReplyReader {
  /// The treatment of the rest of the transfer.
  enum Verdict {
    case proceed
    /// The rest isn't needed, or isn't allowed.
    case stop(Result<HTTPReply, HTTPFailure>)
  }

  private enum Phase {
    case statusLine
    case fields
    case body
  }

  /// The limit for the headers of all replies, interim ones and trailers included, in bytes: as much as browsers
  /// accept.
  private static let maximumHeaderSize = 1 << 18

  /// Whether the body is compressed.
  private(set) var hasCoding = false

  private let maximumSize: Int
  private let memory: MemoryAllowance
  /// The size that the reply may reach before its memory is asked for again.
  private var allowedSize = 0
  private var phase = Phase.statusLine
  private var headerSize = 0
  private var reply = HTTPReply(status: 0)

  init(maximumSize: Int, memory: @escaping MemoryAllowance) {
    (self.maximumSize, self.memory) = (maximumSize, memory)
  }

  /// The result, once everything has been received.
  var result: Result<HTTPReply, HTTPFailure> {
    phase == .body ? .success(reply) : .failure(.connection(.notHTTP))
  }

  /// Reads a piece of the body, decompressed.
  mutating func read(body bytes: UnsafeRawBufferPointer) -> Verdict {
    guard bytes.count <= maximumSize - reply.body.count else { return .stop(.failure(.tooLarge)) }
    guard allows(bytes.count) else { return .stop(.failure(.outOfMemory)) }
    reply.body.append(contentsOf: bytes)
    return .proceed
  }

  /// Memory is asked for in parts of this many bytes.
  private static let partSize = 1 << 18

  /// Whether there is memory for more bytes of the headers or the body.
  private mutating func allows(_ count: Int) -> Bool {
    let size = headerSize + reply.body.count + count
    guard size > allowedSize else { return true }
    // A body that is full moves to a place of twice its size.
    guard memory(reply.body.count + Self.partSize) else { return false }
    allowedSize = size + Self.partSize
    return true
  }

  /// Reads a header's line with its end: a status line, a field, or the empty line after those.
  mutating func read(header line: UnsafeRawBufferPointer, status: () -> Int) -> Verdict {
    headerSize += line.count
    guard headerSize <= Self.maximumHeaderSize else {
      return .stop(.failure(.connection(.headersTooLarge)))
    }
    guard allows(0) else { return .stop(.failure(.outOfMemory)) }
    switch phase {
    case .statusLine:
      phase = .fields
      reply = HTTPReply(status: status())
      hasCoding = false
    case .fields:
      if line.allSatisfy({ $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }) {
        return endOfFields(status: status())
      }
      return read(field: line)
    case .body:
      break
    }
    return .proceed
  }

  private mutating func endOfFields(status: Int) -> Verdict {
    if (100..<200).contains(status) {
      phase = .statusLine
      return .proceed
    }
    phase = .body
    let isFollowed = reply.isRedirect && reply.location != nil
    return isFollowed ? .stop(.success(reply)) : .proceed
  }

  /// Reads a field line (RFC 9110, section 5; RFC 9112, section 5).
  ///
  /// Other lines are ignored unless libcurl refuses them: those without a colon, or with anything but a token before it,
  /// such as a line that continues the one before it, an obsolete form.
  private mutating func read(field line: UnsafeRawBufferPointer) -> Verdict {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(\.isOfToken)
    else { return .proceed }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    let bytes = line[(colon + 1)...].fieldValue
    // In place, since a server can repeat a header 100,000 times. A cookie can contain a comma, but no line end.
    reply.headers[name]?.append(contentsOf: (name == "set-cookie" ? "\n" : ", ").utf8)
    reply.headers[name, default: Data()].append(contentsOf: bytes)
    return apply(String(decoding: bytes, as: UTF8.self), of: name)
  }

  /// Applies the fields that matter to the transfer.
  private mutating func apply(_ value: String, of name: String) -> Verdict {
    switch name {
    case "content-type": reply.contentType = value
    case "location": reply.location = value
    case "content-encoding", "transfer-encoding":
      guard accepts(codings: value) else { return .stop(.failure(.connection(.undecodable))) }
    default: break
    }
    return .proceed
  }

  /// Whether a body with these codings is decoded: at most one coding, and one that was asked for.
  ///
  /// libcurl would decode others, which can take much memory, and nested codings, which can take much time before the
  /// first byte of the body comes.
  private mutating func accepts(codings: String) -> Bool {
    for coding in codings.lowercased().split(separator: ",") {
      let name = String(Substring(coding.utf8.trimmingSpace))
      guard name != "identity", name != "chunked", !name.isEmpty else { continue }
      guard !hasCoding, ["gzip", "x-gzip", "deflate"].contains(name) else { return false }
      hasCoding = true
    }
    return true
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// The value of a field, without the space around it; control characters that have no place in it become spaces.
  fileprivate var fieldValue: [UInt8] {
    trimmingSpace.map { $0 == UInt8(ascii: "\r") || $0 == 0 ? UInt8(ascii: " ") : $0 }
  }
}

extension BidirectionalCollection<UInt8> {
  /// The bytes without spaces, tabs and line ends around them.
  fileprivate var trimmingSpace: SubSequence {
    func isSpace(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }
    guard let first = firstIndex(where: { !isSpace($0) }),
      let last = lastIndex(where: { !isSpace($0) })
    else { return self[endIndex...] }
    return self[first...last]
  }
}
