import Foundation

/// Puts a reply together from the header lines and the pieces of the body that libcurl hands over.
///
/// Interim replies (100 Continue) come first, and the final one takes their place. Trailers change nothing.
struct ReplyReader {
  /// What to do with the rest of the transfer.
  enum Verdict {
    case goOn
    /// The rest isn't needed, or mustn't come.
    case stop(Result<HTTPReply, HTTPFailure>)
  }

  private enum Phase {
    case statusLine
    case fields
    case body
  }

  /// Headers of all replies, interim ones too, and trailers, in bytes: as much as browsers accept.
  private static let maximumHeaderSize = 1 << 18

  /// Whether the body comes compressed.
  private(set) var hasCoding = false

  private let maximumSize: Int
  private let contentCodings: [String]
  private var phase = Phase.statusLine
  private var headerSize = 0
  private var reply = HTTPReply(status: 0)

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - maximumSize: The largest body in bytes.
  ///   - contentCodings: How a body may be compressed.
  init(maximumSize: Int, contentCodings: [String]) {
    self.maximumSize = maximumSize
    self.contentCodings = contentCodings
  }

  /// What has been read, once all has come.
  var result: Result<HTTPReply, HTTPFailure> {
    phase == .body ? .success(reply) : .failure(.connection(.notHTTP))
  }

  /// Takes a piece of the body, decompressed.
  ///
  /// - Parameter bytes: The piece.
  /// - Returns: Whether more is needed.
  mutating func read(body bytes: UnsafeRawBufferPointer) -> Verdict {
    guard bytes.count <= maximumSize - reply.body.count else { return .stop(.failure(.tooLarge)) }
    reply.body.append(contentsOf: bytes)
    return .goOn
  }

  /// Takes a header's line.
  ///
  /// - Parameters:
  ///   - line: The line with its end: a status line, a field, or the empty line after those.
  ///   - status: Gives the status of the reply that the line belongs to.
  /// - Returns: Whether more is needed.
  mutating func read(header line: UnsafeRawBufferPointer, status: () -> Int) -> Verdict {
    headerSize += line.count
    guard headerSize <= Self.maximumHeaderSize else {
      return .stop(.failure(.connection(.headersTooLarge)))
    }
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
    return .goOn
  }

  private mutating func endOfFields(status: Int) -> Verdict {
    if (100..<200).contains(status) {
      phase = .statusLine
      return .goOn
    }
    phase = .body
    let isFollowed = reply.isRedirect && reply.location != nil
    return isFollowed ? .stop(.success(reply)) : .goOn
  }

  private mutating func read(field line: UnsafeRawBufferPointer) -> Verdict {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return .goOn }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    func value() -> String {
      String(decoding: line[(colon + 1)...], as: UTF8.self).trimmingCharacters(
        in: .whitespacesAndNewlines)
    }
    switch name {
    case "content-type": reply.contentType = value()
    case "location": reply.location = value()
    case "retry-after": reply.retryAfter = RetryAfter.duration(value(), now: Date())
    case "content-encoding", "transfer-encoding":
      guard accepts(codings: value()) else { return .stop(.failure(.connection(.undecodable))) }
    default: break
    }
    return .goOn
  }

  /// Whether a body coded so is decoded: by one coding, of those that were asked for.
  ///
  /// libcurl would decode others, which can take much memory, and several around each other, which can take much time
  /// before a byte of the body comes.
  private mutating func accepts(codings: String) -> Bool {
    for coding in codings.lowercased().split(separator: ",") {
      let name = coding.trimmingCharacters(in: .whitespaces)
      guard name != "identity", name != "chunked", !name.isEmpty else { continue }
      let plain = name.hasPrefix("x-") ? String(name.dropFirst(2)) : name
      guard !hasCoding, contentCodings.contains(plain) else { return false }
      hasCoding = true
    }
    return true
  }
}
