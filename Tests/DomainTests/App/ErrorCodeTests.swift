import Testing

@testable import PrimereplDomain
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
    (PrimeError.ordinalOutOfRange(.max), "out_of_range"),
    (PrimeError.noPrimeAbove(.max), "out_of_range"),
    (PrimeError.noPrimeBelow(.min), "out_of_range"),
    (PrimeError.notFactorable(.min), "out_of_range"),
    (PrimeError.unavailable(reason: "x"), "primes_unavailable"),
    (PrimeError.computationFailed("nth 1"), "computation_failed"),
    (PrimeError.helperFailed(reason: "x"), "helper_failed"),
    (PrimeError.invalidHelperArguments(["x"]), "invalid_helper_arguments"),
    (WolframError.noAppID, "no_app_id"),
    (WolframError.outOfMemory, "out_of_memory"),
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
  ]

  @Test("have codes that never change, and a message of one line")
  func codes() {
    for (error, code) in Self.errors {
      #expect(error.code == code)
      #expect(!error.message.isEmpty && !error.message.contains("\n"), "\(code)")
    }
  }
}
