import PrimereplFoundation
public import StateStore

/// Why a document can't be read, or isn't what was expected; each message begins with the source's name.
public struct SourceError: CodedError, Equatable {
  /// The stable word for the kind of error.
  public let code: String
  /// The source, what is wrong with it and where, and what to do.
  public let message: String
  /// The HTTP status, if the error is one.
  public let status: Int?
  /// The reason that a file can't be read, if the error gives one.
  let reason: String?

  private init(
    _ code: String, _ source: String, _ problem: String, status: Int? = nil, reason: String? = nil
  ) {
    self.code = code
    message = "\(source): \(problem)"
    self.status = status
    self.reason = reason
  }

  static func badAddress(_ source: String) -> Self {
    Self(
      "source_bad_address", source,
      foreignName(in: source)
        ?? "not something that can be read: give a file's path, or an http:// or https:// address")
  }

  static func badWebAddress(_ source: String) -> Self {
    Self(
      "source_bad_address", source.isEmpty ? "“”" : source,
      foreignName(in: source)
        ?? "not an address of a web server: give one that begins with http:// or https://")
  }

  /// What is wrong with an address whose server's name isn't ASCII; nil for others.
  private static func foreignName(in address: String) -> String? {
    // FoundationEssentials encodes other letters by percent signs, which no server's name has.
    guard let url = URL(string: address), url.isWebAddress,
      let host = url.host(percentEncoded: false), !host.utf8.allSatisfy({ $0 < 0x80 })
    else { return nil }
    return "the server's name isn't ASCII: write it in its ASCII form (xn--...)"
  }

  static func notAllowed(_ source: String) -> Self {
    Self(
      "source_not_allowed", source,
      "files and addresses can't be read here: in a sandbox, --allow-network allows addresses")
  }

  static func fileNotAllowed(_ source: String) -> Self {
    Self(
      "source_not_allowed", source,
      "files can't be read here: give an http:// or https:// address")
  }

  static func networkNotAllowed(_ source: String) -> Self {
    Self(
      "network_not_allowed", source,
      "a scenario can't use the network: give the answer with stub, or add --live")
  }

  static func notFound(_ source: String) -> Self {
    Self(
      "not_readable", source,
      "no such file: check the path and the working directory")
  }

  static func unreadable(_ source: String, reason: String) -> Self {
    Self("not_readable", source, "\(reason): give a file that can be read", reason: reason)
  }

  static func notJSON(_ source: String, reason: String) -> Self {
    Self("source_not_json", source, reason)
  }

  /// The reason says which record and field is wrong.
  static func wrongShape(_ source: String, reason: String) -> Self {
    Self("source_wrong_shape", source, reason)
  }

  static func tooLarge(_ source: String, maximumSize: Int) -> Self {
    Self(
      "source_too_large", source,
      "larger than \(maximumSize) bytes: split it, or make it smaller")
  }

  static func outOfMemory(_ source: String) -> Self {
    Self(
      "out_of_memory", source,
      "not enough memory to read it: ask for less at once, or raise the memory limit")
  }

  static func httpStatus(_ source: String, status: Int) -> Self {
    Self(
      "source_http_status", source,
      "the server answered with HTTP status \(status): \(HTTPReply.advice(onStatus: status))",
      status: status)
  }

  static func timedOut(_ source: String, timeout: Duration) -> Self {
    Self(
      "source_timed_out", source,
      "no complete answer within \(timeout.formattedSeconds): try again")
  }

  static func connectionFailed(_ source: String, reason: String) -> Self {
    Self(
      "source_connection_failed", source,
      "the connection failed (\(reason)): check the address and the network")
  }

  /// The reason says why no request can be made, and what to do.
  static func httpUnavailable(_ source: String, reason: String) -> Self {
    Self("source_http_unavailable", source, "no request can be made: \(reason)")
  }

  static func cancelled(_ source: String) -> Self {
    Self("cancelled", source, "loading was cancelled")
  }
}

/// Why a document can't be written to a file.
public typealias ExportError = PlainError<DocumentAccess>

extension ExportError {
  static func badPath(_ path: String) -> Self {
    Self("export_bad_path", "\(path): not a file's path: name a file to write to")
  }

  static func notAllowed(_ path: String) -> Self {
    Self("export_not_allowed", "\(path): files can't be written here")
  }

  static func isDatabase(_ path: String) -> Self {
    Self(
      "export_onto_database",
      "\(path): a database, or belongs to one, which an export would replace: name another file")
  }

  static func unwritable(_ path: String, reason: String) -> Self {
    Self(
      "export_unwritable",
      "\(path): can't be written: \(reason): change that, or name another file")
  }
}
