import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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

  /// Anything else the network reports.
  case other

  /// Classifies what `URLSession` reports.
  ///
  /// FoundationNetworking reports an empty reply as `badServerResponse`, and a body that stops short
  /// as `unknown`; both are a connection that was dropped.
  init(_ code: URLError.Code) {
    switch code {
    case .badURL, .unsupportedURL:
      // FoundationNetworking uses `unsupportedURL` for libcurl's "unsupported protocol", which for
      // an address already checked means that the reply wasn't HTTP.
      self = .notHTTP
    case .cannotFindHost, .dnsLookupFailed:
      self = .hostNotFound
    case .cannotConnectToHost, .notConnectedToInternet:
      self = .cannotConnect
    case .networkConnectionLost, .badServerResponse, .unknown:
      self = .lost
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
      .clientCertificateRejected, .clientCertificateRequired:
      self = .insecure
    default:
      self = .other
    }
  }

  /// Whether the same request may well succeed a moment later.
  var isTransient: Bool {
    switch self {
    case .cannotConnect, .lost: true
    case .badAddress, .hostNotFound, .insecure, .notHTTP, .other: false
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
    case .other: "the network reports an error"
    }
  }
}
