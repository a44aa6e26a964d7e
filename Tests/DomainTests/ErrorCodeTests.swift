import Testing

@testable import Domain
@testable import StateStore

@Suite("Errors of the app")
struct ErrorCodeTests {
  private static let errors: [(any CodedError, String)] = [
    (CounterError.overflow(count: .max), "overflow"),
    (CounterError.outOfRange(count: .min), "out_of_range"),
    (CounterError.noModal, "no_modal"),
    (CounterError.noButton(number: 4), "no_button"),
    (FavoritePrimesError.notPrime(8), "not_prime"),
    (
      FavoritePrimesError.positionOutOfRange(position: .max, count: 0), "position_out_of_range"
    ),
    (TodoError.emptyText, "empty_text"),
    (TodoError.notFound(id: .min), "not_found"),
    (TodoError.nothingSaved, "nothing_saved"),
    (LandmarksError.notFound(id: 1), "not_found"),
    (PersonsError.notFound(id: 1), "not_found"),
    (PersonsError.emptyName, "empty_name"),
    (PersonsError.ageOutOfRange(.max), "age_out_of_range"),
    (SignUpError.atRoot, "at_root"),
    (SignUpError.noNextStep, "no_next_step"),
    (SignUpError.sheetOpen(.topics), "sheet_open"),
    (SignUpError.noSheet, "no_sheet"),
    (SignUpError.notOnSummary(step: nil), "not_on_summary"),
    (SignUpError.notEditable("x", nearest: nil), "not_editable"),
    (SignUpError.alreadySubmitted, "already_submitted"),
    (SignUpError.noProblems, "no_problems"),
    (SignUpError.unknownTopic("x", nearest: .testing), "unknown_topic"),
    (SignUpError.duplicateTopic(.testing), "duplicate_topic"),
    (StoreError.unknownPath("x", known: ["counter"]), "unknown_path"),
    (StoreError.nothingToUndo(.max, available: 0), "nothing_to_undo"),
    (StoreError.nothingToRedo(.min, available: 0), "nothing_to_redo"),
    (StoreError.outOfHistory(.max, reachable: 0...0), "out_of_history"),
    (StoreError.noStateFile, "no_state_file"),
    (StoreError.actedElsewhere(number: 1), "acted_elsewhere"),
    (JournalError.conflict(head: 1), "journal_conflict"),
    (JournalError.gone(since: 1), "journal_gone"),
    (JournalError.otherVersion(entry: 1, of: "notes", reason: "x"), "other_version"),
    (JournalError.busy("x"), "state_busy"),
    (JournalError.foreign("x", program: "p", reason: "y"), "state_foreign"),
    (JournalError.newer("x", format: 2), "state_newer"),
    (JournalError.damaged("x", reason: "y"), "state_damaged"),
    (JournalError.unreadable("x", reason: "y"), "state_unreadable"),
    (JournalError.unwritable("x", reason: "y"), "state_unwritable"),
    (ExportError.badPath("x"), "export_bad_path"),
    (ExportError.notAllowed("x"), "export_not_allowed"),
    (ExportError.isDatabase("x"), "export_onto_database"),
    (ExportError.unwritable("x", reason: "y"), "export_unwritable"),
    (RecordListError.duplicateIdentifier("1"), "duplicate_id"),
    (PrimeError.ordinalOutOfRange(.max), "out_of_range"),
    (PrimeError.noPrimeAbove(.max), "out_of_range"),
    (PrimeError.noPrimeBelow(.min), "out_of_range"),
    (PrimeError.notFactorable(.min), "out_of_range"),
    (PrimeError.unavailable(reason: "x"), "primes_unavailable"),
    (PrimeError.computationFailed("nth 1"), "computation_failed"),
    (PrimeError.helperFailed(reason: "x"), "helper_failed"),
    (PrimeError.invalidHelperArguments(["x"]), "invalid_helper_arguments"),
    (WolframError.noAppID, "no_app_id"),
    (WolframError.invalidAppID, "invalid_app_id"),
    (WolframError.invalidBaseURL, "invalid_base_url"),
    (WolframError.outOfRange(.min), "out_of_range"),
    (WolframError.notUnderstood(input: "x", suggestions: []), "not_understood"),
    (WolframError.noResult(input: "x", timedOut: []), "no_result"),
    (WolframError.unexpectedAnswer("x"), "unexpected_answer"),
    (WolframError.httpStatus(500), "http_status"),
    (WolframError.timedOut(.seconds(1)), "timed_out"),
    (WolframError.connectionFailed("x"), "connection_failed"),
    (WolframError.notAllowed, "not_allowed"),
    (WolframError.unavailable("x"), "http_unavailable"),
    (WolframError.cancelled, "cancelled"),
    (WolframError.answerTooLarge(maximumSize: 1), "answer_too_large"),
    (SourceError.badAddress("x"), "source_bad_address"),
    (SourceError.notAllowed("x"), "source_not_allowed"),
    (SourceError.notFound("x"), "not_readable"),
    (SourceError.unreadable("x", reason: "y"), "not_readable"),
    (SourceError.notJSON("x", reason: "y"), "source_not_json"),
    (SourceError.wrongShape("x", reason: "y"), "source_wrong_shape"),
    (SourceError.tooLarge("x", maximumSize: 1), "source_too_large"),
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
