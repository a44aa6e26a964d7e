import StateStore
import Testing

@testable import PrimereplLoading

@Suite("Errors of documents")
struct DocumentErrorTests {
  private static let errors: [(any CodedError, String)] = [
    (ExportError.badPath("x"), "export_bad_path"),
    (ExportError.notAllowed("x"), "export_not_allowed"),
    (ExportError.isDatabase("x"), "export_onto_database"),
    (ExportError.unwritable("x", reason: "y"), "export_unwritable"),
    (SourceError.badAddress("x"), "source_bad_address"),
    (SourceError.notAllowed("x"), "source_not_allowed"),
    (SourceError.notFound("x"), "not_readable"),
    (SourceError.unreadable("x", reason: "y"), "not_readable"),
    (SourceError.notJSON("x", reason: "y"), "source_not_json"),
    (SourceError.wrongShape("x", reason: "y"), "source_wrong_shape"),
    (SourceError.tooLarge("x", maximumSize: 1), "source_too_large"),
    (SourceError.outOfMemory("x"), "out_of_memory"),
    (SourceError.httpStatus("x", status: 404), "source_http_status"),
    (SourceError.timedOut("x", timeout: .seconds(1)), "source_timed_out"),
    (SourceError.connectionFailed("x", reason: "y"), "source_connection_failed"),
    (SourceError.fileNotAllowed("x"), "source_not_allowed"),
    (SourceError.networkNotAllowed("x"), "network_not_allowed"),
    (SourceError.httpUnavailable("x", reason: "y"), "source_http_unavailable"),
    (SourceError.cancelled("x"), "cancelled"),
  ]

  @Test("have codes that never change, and a message of one line")
  func codes() {
    for (error, code) in Self.errors {
      #expect(error.code == code)
      #expect(!error.message.isEmpty && !error.message.contains("\n"), "\(code)")
    }
  }
}
