internal import CCurl

/// What went wrong between us and a server before a whole reply had arrived.
enum ConnectionProblem: Equatable, Sendable {
  /// The address isn't one that can be fetched.
  case badAddress

  /// The server's name can't be resolved.
  case hostNotFound

  /// Nothing accepts connections there.
  case cannotConnect

  /// The server closed the connection before its reply was complete.
  case lost

  /// No secure connection could be made: a certificate, or TLS itself.
  case insecure

  /// What came back isn't an HTTP reply.
  case notHTTP

  /// The body is compressed in a way that wasn't asked for, or badly.
  case undecodable

  /// The headers are longer than is accepted.
  case headersTooLarge

  /// Anything else the network reports.
  case other

  /// Classifies how libcurl says that a transfer ended.
  ///
  /// - Parameters:
  ///   - code: The code, which isn't that of success.
  ///   - detail: What libcurl adds to the code in words: one code stands for several problems.
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
      // The address has been checked, so it is the reply that isn't HTTP, or that of HTTP 0.9.
      self = .notHTTP
    case CURLE_BAD_CONTENT_ENCODING:
      self = .undecodable
    case CURLE_OUT_OF_MEMORY:
      // Its buffer for one header is limited.
      self = .headersTooLarge
    default:
      self = .other
    }
  }

  /// Whether the same request may well succeed a moment later.
  var isTransient: Bool {
    switch self {
    case .cannotConnect, .lost: true
    case .badAddress, .hostNotFound, .insecure, .notHTTP, .undecodable, .headersTooLarge, .other:
      false
    }
  }

  /// The problem in words that finish "the connection failed: ".
  var reason: String {
    switch self {
    case .badAddress: "the address is not an http:// or https:// one"
    case .hostNotFound: "the server's name was not found"
    case .cannotConnect: "nothing answers at that address"
    case .lost: "the server closed the connection before its answer was complete"
    case .insecure: "no secure connection could be made"
    case .notHTTP: "the server does not speak HTTP"
    case .undecodable: "the server's answer can't be decompressed"
    case .headersTooLarge: "the server's answer has too many headers"
    case .other: "the network reports an error"
    }
  }
}
