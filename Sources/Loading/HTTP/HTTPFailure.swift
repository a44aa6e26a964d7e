internal import CCurl

/// Why a fetch has no reply at all; a reply with an error status isn't a failure here.
///
/// None of libcurl's own text is kept, because it can contain the address, and addresses contain secrets.
package enum HTTPFailure: Error, Equatable {
  /// An obstacle to making any request.
  package enum Obstacle: Equatable, Sendable {
    /// The text says why it can't be used.
    case library(String)
    case tooManyOpenFiles
    case noThread

    /// The obstacle and its remedy.
    package var reason: String {
      switch self {
      case .library(let reason):
        "the library libcurl can't be used (\(reason)): install it with \"apt install libcurl4\" "
          + "(Debian, Ubuntu)"
      case .tooManyOpenFiles:
        "too many files are open: close some, or raise the limit (ulimit -n)"
      case .noThread:
        "no thread can be started: end other processes, or raise the limit (ulimit -u)"
      }
    }
  }

  /// The whole fetch, retries included, exceeded its time limit.
  case timedOut
  case cancelled
  case tooLarge
  case outOfMemory
  case unavailable(Obstacle)
  case connection(ConnectionProblem)

  /// Whether the same request may succeed a moment later.
  var isTransient: Bool {
    if case .connection(let problem) = self { problem.isTransient } else { false }
  }
}

/// A problem with the connection before the whole reply had arrived, to finish "the connection failed: ".
package enum ConnectionProblem: String, Sendable {
  case badAddress = "the address is not an http:// or https:// one"
  case hostNotFound = "the server's name was not found"
  case cannotConnect = "nothing answers at that address"
  case lost = "the server closed the connection before its answer was complete"
  /// A certificate is invalid, or TLS failed.
  case insecure = "no secure connection could be made"
  case notHTTP = "the server does not speak HTTP"
  /// The body's compression wasn't asked for, or is invalid.
  case undecodable = "the server's answer can't be decompressed"
  case headersTooLarge = "the server's answer has too many headers"
  case other = "the network reports an error"

  /// Classifies libcurl's code of a failed transfer by its description, too, since one code has several meanings.
  init(_ code: CURLcode, detail: String) {
    switch code {
    case CURLE_URL_MALFORMAT:
      self = .badAddress
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      self = .hostNotFound
    case CURLE_COULDNT_CONNECT:
      self = .cannotConnect
    case CURLE_RECV_ERROR where detail.lowercased().contains("chunk"):
      self = .notHTTP
    case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
      self = .lost
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_SHUTDOWN_FAILED,
      CURLE_SSL_CLIENTCERT:
      self = .insecure
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      // The address has been checked, so the reply isn't HTTP, or it is HTTP 0.9.
      self = .notHTTP
    case CURLE_BAD_CONTENT_ENCODING:
      self = .undecodable
    case CURLE_OUT_OF_MEMORY:
      // libcurl limits its buffer for one header.
      self = .headersTooLarge
    default:
      self = .other
    }
  }

  var isTransient: Bool { self == .cannotConnect || self == .lost }

  package var reason: String { rawValue }
}
